"""What an agent fetches: a twin of every page, links that lead somewhere, records as JSON."""

import hashlib
import json
import re
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import jsonschema
import pytest
from bs4 import BeautifulSoup
from markdown_it import MarkdownIt

import generator
from tests.export.samples import build_all, sample_home

URL = "https://example.org/field/"
CANONICAL = json.loads(
    (Path(generator.__file__).parent / "history" / "canonical.schema.json").read_bytes()
)
# https://github.com/cloudflare/agent-skills-discovery-rfc, version 0.2.0
SKILLS_INDEX = {
    "type": "object",
    "required": ["$schema", "skills"],
    "properties": {
        "$schema": {"const": "https://schemas.agentskills.io/discovery/0.2.0/schema.json"},
        "skills": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["name", "type", "description", "url", "digest"],
                "properties": {
                    "name": {"pattern": "^(?=.{1,64}$)[a-z0-9]+(-[a-z0-9]+)*$"},
                    "type": {"const": "skill-md"},
                    "description": {"type": "string", "minLength": 1, "maxLength": 1024},
                    "url": {"type": "string"},
                    "digest": {"pattern": "^sha256:[0-9a-f]{64}$"},
                },
            },
        },
    },
}


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return sample_home(tmp_path_factory.mktemp("twins") / "home")


@pytest.fixture(scope="module", params=["", URL], ids=["relative", "absolute"])
def site(request, home, tmp_path_factory):
    """The complete sample site, with links between its files and with whole addresses."""
    root = tmp_path_factory.mktemp("out") / "site"
    build_all(home, root, served=request.param)
    return root


def pages(site):
    return [path for path in sorted(site.rglob("*.html")) if path.parent.name != "view"]


def links(text):
    for token in MarkdownIt().enable("table").parse(text):
        for child in token.children or ():
            if child.type == "link_open":
                yield child.attrs["href"]


def target(site, path, address):
    """Return the file of the site that a link leads to; None when it leaves the site."""
    base = urljoin(URL, path.relative_to(site).as_posix())
    whole = urljoin(base, address)
    if not whole.startswith(URL):
        return None
    return site / unquote(urlsplit(whole).path.removeprefix(urlsplit(URL).path))


def quoted(site, path):
    """Tell whether a text is somebody else's, whose links are not ours to judge."""
    parts = path.relative_to(site).parts
    return parts[:2] == ("history", "sessions") or (parts[0] == "reports" and len(parts) == 2)


def test_every_page_has_a_twin_and_points_to_it(site):
    assert {path.name for path in pages(site)} >= {"404.html", "long.html", "long.2.html"}
    for page in pages(site):
        twin = page.with_suffix(".md")
        assert twin.read_text().strip(), page
        soup = BeautifulSoup(page.read_bytes(), "html.parser")
        told = {tag["type"]: tag["href"] for tag in soup.select("link[rel=alternate]")}
        assert unquote(told["text/markdown"]).rpartition("/")[2] == twin.name
        for address in told.values():
            if page.name != "404.html":  # shown anywhere: its links start at the top of the host
                assert (page.parent / unquote(address)).is_file(), (page, address)


def test_every_link_of_a_twin_leads_to_a_file_and_to_the_twin_of_a_page(site):
    seen = 0
    for twin in [*sorted(site.rglob("*.md")), *sorted(site.rglob("llms*.txt"))]:
        for address in links(twin.read_text()):
            place = target(site, twin, address)
            if place is None or (quoted(site, twin) and not place.is_file()):
                continue
            seen += 1
            assert place.is_file(), (twin, address)
            assert place.suffix != ".html", (twin, address)
    assert seen > 300


def test_with_an_address_every_link_of_ours_is_whole(site):
    texts = [*sorted(site.rglob("*.md")), *sorted(site.rglob("llms*.txt"))]
    ours = [path for path in texts if not quoted(site, path)]
    given = [address for path in ours for address in links(path.read_text())]
    whole = [address for address in given if address.startswith(("https://", "http://", "#"))]
    if (site / "sitemap.xml").exists():
        assert whole == given
    else:
        assert not [address for address in given if address.startswith(URL)]


def test_every_twin_leads_to_llms_txt_near_its_top(site):
    for page in pages(site):
        twin = page.with_suffix(".md")
        place = twin.relative_to(site).as_posix()
        # A guide is byte for byte what reasoning_guide returns.
        if not place.startswith("guides/") or place == "guides/index.md":
            text = re.sub(r"\A---\n.*?\n---\n", "", twin.read_text(), flags=re.DOTALL)
            assert re.search(r"\]\([^)]*/llms\.txt\)", text[:400]), place


def test_llms_txt_and_its_parts_list_every_text(site):
    maps = [site / "llms.txt"]
    listed = set()
    for path in maps:
        for address in links(path.read_text()):
            place = target(site, path, address)
            (maps if place.name == "llms.txt" and place not in maps else []).append(place)
            listed.add(place)
    assert {path.parent.name for path in maps} >= {"reference", "tools", "history"}
    twins = {page.with_suffix(".md") for page in pages(site)} - {site / "404.md"}
    assert twins - listed == set()
    assert set((site / "bundles").glob("*.md")) - listed == set()


def test_every_record_is_json_and_fits_its_schema(site):
    for path in site.rglob("*.json"):
        json.loads(path.read_bytes())
    lines = 0
    for path in site.glob("history/sessions/*.jsonl"):
        for line in path.read_text().splitlines():
            jsonschema.validate(json.loads(line), CANONICAL)
            lines += 1
    assert lines > 100
    tools = [json.loads(path.read_bytes()) for path in site.glob("tools/*.json")]
    own = [tool for tool in tools if "schema" in tool]
    assert len(own) > 10
    for tool in own:
        jsonschema.Draft202012Validator.check_schema(tool["schema"])
    for page in pages(site):
        kind = page.relative_to(site).parts[0]
        if kind in ("guides", "errors", "reports", "tools"):
            assert page.with_suffix(".json").is_file(), page
        if page.parent.name == "sessions":
            assert (page.parent / f"{page.name.partition('.')[0]}.jsonl").is_file()


def test_the_index_of_skills_is_what_clients_verify(site):
    path = site / ".well-known" / "agent-skills" / "index.json"
    index = json.loads(path.read_bytes())
    jsonschema.validate(index, SKILLS_INDEX)
    for skill in index["skills"]:
        file = target(site, path, skill["url"])
        raw = file.read_bytes()
        assert skill["digest"] == f"sha256:{hashlib.sha256(raw).hexdigest()}"
        assert f"\ndescription: {json.dumps(skill['description'], ensure_ascii=False)}\n" in (
            raw.decode()
        )


def test_the_twin_of_a_session_tells_what_its_page_shows(site):
    text = (site / "history/sessions/3f1c9a10-5b1e-4c55-9d0a-7a2f6c1e0001.md").read_text()
    for told in (
        "- Took: 6 min 5 s",
        "- 2 runs: 8 messages",
        "- 5 calls: 1 failed",
        "- Subagents: a1b2c3d",
        "\n2026-03-02 02:06 · 5.0 s · ",
        "**Replied** claude-sonnet-4-5-20250929 02:00 (conversation:",
        "- `Bash` `pytest -q tests/test_units.py` failed 2.0 s",
        "      +    return v * 0.514444",
        "Earlier messages were summed up here:\n\n> This session is being continued",
        "## Subagent Explore, scan tests (a1b2c3d)",
    ):
        assert told in text, told
    long = (site / "history/sessions/long.md").read_text()
    assert r"## 1 Step 1 of the day. See \[the notes\](notes/day.md)." in long


def test_the_page_of_a_report_opens_with_its_first_words(site):
    page = BeautifulSoup(
        (site / "reports/report-20260504-101500-md.html").read_bytes(), "html.parser"
    )
    assert page.select_one("main .lead").text.startswith("Riders rose by 13 %, almost all on")
    page = BeautifulSoup(
        (site / "reports/report-20260505-101500-html.html").read_bytes(), "html.parser"
    )
    assert page.select_one("main .lead").text.startswith("Shown as it was saved")


def test_tags_that_a_rule_names_are_code_in_its_twin(site):
    text = (site / "reference/report-rules/chart-container.md").read_text()
    assert 'Write `<div id="chart" style="height: 320px"></div>` before the script.' in text
    text = (site / "reference/report-rules/markdown-fence.md").read_text()
    assert "from `<!doctype html>` to `</html>`." in text
