"""Hostile pages: no crash, no recursion, no work that grows faster than the page."""

from __future__ import annotations

import sys

import pytest

from generator.reports.checker import MOST_PROBLEMS, check_page

Q = '<script src="QuickUI.js"></script>'
N = 10_000
PAGES = {
    "nested elements": "<div>" * N,
    "nested formatting": "<b>" * N,
    "nested tables": "<table><tr><td>" * 2_000,
    "nested brackets": f"{Q}<script>x={'[' * N}1{']' * N}</script>",
    "nested functions": f"{Q}<script>{'(function(){' * N}{'})()' * N}</script>",
    "nested JSON": f"<script type=application/json>{'[' * N}{']' * N}</script>",
    "long line": "<p>" + "x" * 5_000_000,
    "braces never closed": "<p>" + "{{ " * 500_000,
    "marks never closed": "<p>" + "{% {{" * 300_000,
    "angles": "<" * 500_000,
    "angles before spaces": "<p>" + "< " * 500_000,
    "one name, many writes": f"{Q}<script>var x;" + "x='a';f(x);" * 5_000 + "</script>",
    "one object, many uses": f"{Q}<script>var d={{}};" + "f(d.x);" * 5_000 + "</script>",
    "entities": "<p>{{" + "&amp;" * 200_000 + "{{ a + b }}",
    "braces in one attribute": '<p title="' + "{{ a }} " * 100_000 + '">',
    "many attributes": "<p " + " ".join(f"a{i}=1" for i in range(50_000)) + ">",
    "doubling functions": f"{Q}<script>const f0=()=>'x';"
    + "".join(f"const f{i + 1}=()=>f{i}()+f{i}();" for i in range(60))
    + "document.body[f60()]=1</script>",
    "alias chain": f"{Q}<script>const a0=document;"
    + "".join(f"const a{i + 1}=a{i};" for i in range(2_000))
    + "a2000.write(1)</script>",
    "call chain": f"{Q}<script>function f0(){{T.init('x')}}"
    + "".join(f"function f{i + 1}(){{f{i}()}}" for i in range(1_000))
    + "f1000()</script>",
    "repeated property": f"{Q}<script>const o={{}};" + "o.x=1;" * 5_000 + "new QUI(o)</script>",
    "comments after the end": "</html>" + "<!-- " * 200_000,
    "braces in a style": "<style>" + "{" * 500_000 + "</style>",
    "huge padding": f"{Q}<script>document.body['a'.padEnd(1e12)] = 1</script>",
    "huge repeat": f"{Q}<script>document.body['a'.repeat(1e9)] = 1</script>",
    "surrogates": "<script>'" + "\ud800" * 10_000 + "'</script>",
    "nul": "<p>\0<script>\0</script>",
}


@pytest.mark.parametrize("name", PAGES)
def test_is_judged(name: str) -> None:
    limit = sys.getrecursionlimit()
    findings = check_page(PAGES[name])
    assert any(found.severity == "error" for found in findings)
    assert len(findings) < 3 * MOST_PROBLEMS
    assert sys.getrecursionlimit() == limit


def test_too_deep_is_no_syntax_error() -> None:
    for name in ("nested brackets", "nested functions"):
        [found] = [item for item in check_page(PAGES[name]) if item.rule == "script-syntax"]
        assert "nested too deep" in found.message
        assert "does not parse" not in found.message


def test_angles_that_open_nothing_stay_text() -> None:
    page = "<p title='a < b'>" + "1 < 2 <3 " * 1_000 + "{{ a < b }}</p><script>1 < (2 +</script>"
    found = {item.rule: item for item in check_page(page)}
    assert "{{ a < b }}" in found["template-expression"].message
    assert found["script-syntax"].column == page.index("</script>") + 1


def test_what_browsers_nest_is_fine() -> None:
    page = f"{Q}<script>x={'[' * 1_000}1{']' * 1_000}</script>"
    assert not any(found.rule == "script-syntax" for found in check_page(page))
