"""Diagrams: every kind is drawn, in the page's colours, harmless and with ids of its own."""

import re
from xml.etree import ElementTree as ET

import pytest

from generator.markup.diagrams import draw_diagram
from generator.markup.figure import FigureError

KINDS = {
    "flowchart": "flowchart TD\n A([Start]) --> B{Ok?}\n B -- yes --> C[End of it]",
    "sequence": "sequenceDiagram\n A->>B: hello\n Note over A: n\n B-->>A: back",
    "class": "classDiagram\n class A {\n +int x\n }\n A <|-- B",
    "state": "stateDiagram-v2\n [*] --> On\n On --> [*]",
    "er": "erDiagram\n A ||--o{ B : has\n A {\n int id\n }",
    "gantt": "gantt\n dateFormat YYYY-MM-DD\n section S\n One :a, 2025-01-01, 5d",
    "pie": 'pie title Pets\n "Dogs" : 3\n "Cats" : 2',
    "mindmap": "mindmap\n root((R))\n  A\n  B",
    "timeline": "timeline\n 2002 : A\n 2004 : B",
    "git": 'gitGraph\n commit id: "a"\n branch dev\n commit id: "b"',
    "sankey": "sankey-beta\nA,B,10\nA,C,5",
    "journey": "journey\n title T\n section S\n  Step: 3: Me",
    "chinese": "flowchart LR\n 甲[部署流程] --> 乙[错误重试]",
}


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_is_drawn_small_and_the_same_twice(name):
    figure = draw_diagram(KINDS[name], prefix="d1-")
    assert figure.svg == draw_diagram(KINDS[name], prefix="d1-").svg
    ET.fromstring(figure.svg)
    assert len(figure.svg) < 40_000
    assert figure.width > 0
    for found in re.findall(r'\bid="([^"]+)"', figure.svg):
        assert found.startswith("d1-")
    for found in re.findall(r"url\(#([^)]+)\)", figure.svg):
        assert f'id="{found}"' in figure.svg


def test_two_diagrams_share_no_id():
    ids = [
        set(re.findall(r'\bid="([^"]+)"', draw_diagram(KINDS["flowchart"], prefix=prefix).svg))
        for prefix in ("a-", "b-")
    ]
    assert ids[0]
    assert not ids[0] & ids[1]


def test_colours_are_those_of_the_page():
    svg = draw_diagram(KINDS["flowchart"], prefix="d-").svg
    assert "var(--ink,#23251f)" in svg
    assert "var(--accent,#41602a)" in svg
    assert "var(" not in draw_diagram(KINDS["flowchart"], prefix="d-", theme=False).svg


@pytest.mark.parametrize(
    ("source", "label"),
    [
        ("flowchart TD\n accTitle: Orders\n accDescr: Two steps.\n A-->B", "Orders. Two steps"),
        ("flowchart TD\n accDescr {\n many\n lines\n }\n A-->B", "many lines"),
        ("---\ntitle: From the front\n---\nflowchart TD\n A-->B", "From the front"),
        ("flowchart TD\n A-->B", "Diagram (flowchart)"),
    ],
)
def test_the_label_is_what_the_author_wrote(source, label):
    figure = draw_diagram(source, prefix="d-")
    assert figure.label == label
    assert f'aria-label="{label}"' in figure.svg


@pytest.mark.parametrize(
    "source",
    [
        'flowchart TD\n A["<img src=x onerror=alert(1)>"] --> B["<script>alert(1)</script>"]',
        'flowchart TD\n A-->B\n click A "javascript:alert(1)"\n click B call alert()',
        "flowchart TD\n A-->B\n style A fill:url(http://evil.example/x)",
        "flowchart TD\n A:::c-->B\n classDef c fill:#f00,background:url(http://evil.example/x)",
        '%%{init: {"themeCSS": "* { display: none } @import url(http://evil.example/x)"}}%%\n'
        "flowchart TD\n A-->B",
        "---\nconfig:\n  themeCSS: 'body { display: none }'\n---\nflowchart TD\n A-->B",
        "flowchart TD\n A-->B\n classDef c fill:red}body{display:none",
    ],
)
def test_hostile_source_draws_no_harm(source):
    try:
        svg = draw_diagram(source, prefix="d-").svg
    except FigureError:
        return
    assert not re.search(
        r"<(script|foreignObject|iframe|image)\b|javascript:|evil\.example|\bon\w+=", svg
    )
    for style in re.findall(r"<style>(.*?)</style>", svg):
        for selectors in re.findall(r"([^{}]+)\{", style):
            assert all(part.strip().startswith("#d-") for part in selectors.split(","))


def test_labels_of_linked_nodes_keep_their_place():
    linked = draw_diagram('flowchart TD\n A-->B\n click A "https://example.com"', prefix="d-")
    assert linked.svg == draw_diagram("flowchart TD\n A-->B\n \n", prefix="d-").svg


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("", "does not begin with a kind of diagram"),
        ("hello world", "does not begin with a kind of diagram"),
        ("flowchart TD\n A --> B[[", "not valid Mermaid: (flowchart-v2): Unterminated node label"),
        ("flowchart TD\n A[Send (draft)] --> B", "not valid Mermaid"),
    ],
)
def test_broken_source_is_a_reason_and_a_fix(source, reason):
    with pytest.raises(FigureError, match=re.escape(reason)) as caught:
        draw_diagram(source, prefix="d-")
    assert "\x1b" not in caught.value.reason
    assert caught.value.fix.endswith(".")


def test_a_long_source_is_read_in_linear_time():
    lines = "".join(f" N{n} --> N{n + 1}\n" for n in range(150))
    assert draw_diagram("flowchart TD\n" + lines, prefix="d-").svg
    with pytest.raises(FigureError):
        draw_diagram("%%{" * 200_000, prefix="d-")
