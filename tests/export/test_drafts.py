"""Mined drafts on the site: asked for, masked, linked, rebuilt only when something changed."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from generator.cli.main import main
from generator.export.build import Builder
from generator.export.draft_pages import _PAGE
from generator.export.site import Choice
from generator.history.intake import register, take_in
from generator.paths import Home
from generator.workspace import Workspace
from tests.pictures import PHOTO, base64_of

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "tests" / "fixtures" / "samples"
SECRET = "ghp_" + "a1B2c3D4" * 4 + "e5F6"


def session(name, failures, *, agent="codex", day=1, fixed=True):
    """Return the lines of a session whose calls failed with these texts, then worked."""
    time = f"2026-05-{day:02}T10:00:00Z"
    lines = [{"type": "head", "schema": 1, "id": name, "agent": agent, "title": name,
              "created": time, "updated": time}]  # fmt: skip
    calls = [
        {"id": f"c{number}", "name": f"tool_{number % 3}", "status": "error",
         "arguments": {"command": f"make {number} TOKEN={SECRET}"}, "result": text, "started": time}
        for number, text in enumerate(failures)
    ]  # fmt: skip
    if fixed:
        calls += [
            {"id": f"f{number}", "name": f"tool_{number}", "status": "ok",
             "arguments": {"command": f"make <b>{number}</b> --again"}, "result": "fine"}
            for number in range(3)
        ]  # fmt: skip
    lines.append({"type": "message", "n": 1, "id": "m1", "role": "user", "text": "go", "ts": time})
    lines += [
        {"type": "message", "n": number, "id": f"m{number}", "role": "assistant", "text": "",
         "ts": time, "calls": [call]}
        for number, call in enumerate(calls, start=2)
    ]  # fmt: skip
    return "".join(json.dumps(line) + "\n" for line in lines)


def archive(home, name, text):
    folder = home / "history" / "codex"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.jsonl").write_text(text)


def build(home, out, *names, **options):
    return Builder(Workspace(home=Home(home)), out, sections=names, **options).build()


def drafts_of(out):
    return json.loads((out / "drafts" / "index.json").read_text())["drafts"]


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("drafts") / "home"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps({"timezone": "UTC"}))
    texts = [f"Error: token {SECRET} is expired", "Error: <script>window.hurt=1</script> refused"]
    archive(folder, "one", session("one", texts, day=3))
    archive(folder, "two", session("two", ["Error: no such table: tides"], day=5, fixed=False))
    register(Workspace(home=Home(folder)), [SAMPLES / "claude-code", SAMPLES / "opencode"])
    take_in(Workspace(home=Home(folder)))
    return folder


@pytest.fixture(scope="module")
def site(home, tmp_path_factory):
    out = tmp_path_factory.mktemp("out") / "site"
    build(home, out, "history", "errors", "drafts")
    return out


def soup_of(site, name="index"):
    return BeautifulSoup((site / "drafts" / f"{name}.html").read_bytes(), "html.parser")


def test_every_draft_says_what_failed_what_worked_and_how_to_keep_it(site):
    soup = soup_of(site)
    for record in drafts_of(site):
        draft = soup.find(id=record["id"])
        text = draft.get_text()
        assert "Draft, not reviewed" in text
        assert f"fieldguide errors accept {record['id']}" in text
        assert ("Worked afterwards" in text) == bool(record["fix_ref"])
        assert record["symptom"].split("\n")[0][:40] in text
        for ref in record["refs"]:
            assert ref in text


def test_drafts_stand_by_tool_the_newest_first(site):
    keys = [(row["tool_name"], [-ord(sign) for sign in row["last"]]) for row in drafts_of(site)]
    assert keys == sorted(keys)
    assert [tag.code.text for tag in soup_of(site).select("main h2")] == sorted(
        {row["tool_name"] for row in drafts_of(site)}
    )


def test_refs_lead_to_the_call_when_history_is_exported(site, home, tmp_path):
    links = soup_of(site).select(".draft a[href]")
    assert len(links) > len(drafts_of(site))
    for link in links:
        path, _, anchor = link["href"].partition("#")
        page = BeautifulSoup((site / "drafts" / path).read_bytes(), "html.parser")
        assert page.find(id=anchor), link
    build(home, tmp_path / "alone", "drafts")
    assert soup_of(tmp_path / "alone").select(".draft a[href]") == []
    assert len(drafts_of(tmp_path / "alone")) == len(drafts_of(site))


@pytest.fixture(scope="module")
def long(tmp_path_factory):
    """A site with one session of several pages, each call of which failed in its own way."""
    folder = tmp_path_factory.mktemp("long")
    names = [chr(97 + n // 26) + chr(97 + n % 26) for n in range(90)]
    texts = [f"Error: column {name * 3} does not exist\n{'x ' * 20_000}" for name in names]
    archive(folder / "home", "long", session("long", texts))
    build(folder / "home", folder / "site", "history", "drafts")
    return folder / "site"


def test_refs_lead_into_the_page_of_a_long_session_that_holds_the_call(long):
    sessions = long / "history" / "sessions"
    pages = {path.name: path.read_text() for path in sessions.glob("*.html")}
    assert len(pages) > 1
    found = [link["href"] for link in soup_of(long).select(".draft a[href]")]
    assert len({href.partition("#")[0] for href in found}) == len(pages)
    for href in found:
        path, _, anchor = href.rpartition("/")[2].partition("#")
        assert f'id="{anchor}"' in pages[path], href


@pytest.mark.browser
@pytest.mark.xdist_group("browser")
def test_an_address_of_the_first_page_finds_the_page_that_holds_the_call(long, browser):
    page = browser.new_page()
    for link in soup_of(long).select(".draft a[href]")[::7]:
        path, _, anchor = link["href"].rpartition("/")[2].partition("#")
        page.goto(f"{(long / 'history/sessions/long.html').as_uri()}#{anchor}")
        page.wait_for_url(f"**/{path}#{anchor}")
    page.close()


def test_no_secret_and_no_markup_of_a_failure_gets_out(site, home, tmp_path):
    for path in site.rglob("*"):
        assert not path.is_file() or SECRET.encode() not in path.read_bytes(), path
    assert "<script>window.hurt" not in (site / "drafts" / "index.html").read_text()
    assert "draft:" in (site / "about" / "index.md").read_text()
    report = build(home, tmp_path / "site", "drafts", fail_on_secrets=True)
    assert report.refused
    assert {place.section for place in report.masked} == {"drafts"}


def test_search_and_the_map_for_agents_know_the_drafts(site):
    count = len(drafts_of(site))
    line = f"- [Error drafts](drafts/index.md): {count} error drafts"
    assert line in (site / "llms.txt").read_text()
    places = "".join(path.read_text() for path in (site / "search").rglob("*.js"))
    assert all(f"drafts/index.html#{row['id']}" in places for row in drafts_of(site))
    twin = (site / "drafts" / "index.md").read_text()
    assert all(f"fieldguide errors accept {row['id']}" in twin for row in drafts_of(site))
    errors = BeautifulSoup((site / "errors" / "index.html").read_bytes(), "html.parser")
    assert errors.select_one("main a[href='../drafts/index.html']")


def test_an_accepted_draft_is_an_error_record_and_no_draft(home, tmp_path):
    again = tmp_path / "home"
    shutil.copytree(home, again)
    build(again, tmp_path / "site", "errors", "drafts")
    first = next(row for row in drafts_of(tmp_path / "site") if row["fix_ref"])
    command = first["accept"].split()
    assert main(["--home", str(again), *command[1:]]) == 0
    build(again, tmp_path / "site", "errors", "drafts")
    assert first["id"] not in [row["id"] for row in drafts_of(tmp_path / "site")]
    assert len(list((tmp_path / "site" / "errors").glob("????????.html"))) == 1


def test_only_what_was_chosen_is_looked_through(home, tmp_path):
    build(home, tmp_path / "one", "drafts", choice=Choice(agent="claude-code"))
    assert {agent for row in drafts_of(tmp_path / "one") for agent in row["agents"]} == {
        "claude-code"
    }
    build(home, tmp_path / "two", "drafts", choice=Choice(session="two"))
    assert [row["count"] for row in drafts_of(tmp_path / "two")] == [1]


def test_without_failures_the_page_names_the_command(tmp_path):
    build(tmp_path / "home", tmp_path / "site", "drafts")
    lead = soup_of(tmp_path / "site").select_one(".lead").text
    assert "fieldguide history add PATH" in lead
    assert "fieldguide errors mine" in lead
    assert drafts_of(tmp_path / "site") == []


def test_nothing_is_made_again_until_a_session_changes(home, tmp_path, monkeypatch):
    again, out = tmp_path / "home", tmp_path / "site"
    shutil.copytree(home, again)
    build(again, out, "drafts")
    import generator.export.draft_pages as module

    real, asked = module.mine_archive, []
    monkeypatch.setattr(module, "mine_archive", lambda *given: asked.append(1) or real(*given))
    assert build(again, out, "drafts").written == ()
    assert asked == []
    archive(again, "three", session("three", ["Error: disk quota exceeded"], day=9))
    written = build(again, out, "drafts").written
    assert asked == [1]
    assert {name for name in written if name.startswith("drafts/")} == {
        "drafts/index.html", "drafts/index.md", "drafts/index.json",
    }  # fmt: skip
    assert not [name for name in written if name.startswith(("guides/", "tools/"))]
    build(again, tmp_path / "clean", "drafts", private=True)
    for path in (tmp_path / "clean").rglob("*"):
        if path.is_file():
            assert path.read_bytes() == (out / path.relative_to(tmp_path / "clean")).read_bytes()


def test_many_drafts_are_cut_into_pages(tmp_path):
    names = [chr(97 + n // 26) + chr(97 + n % 26) for n in range(2 * _PAGE + 5)]
    texts = [f"Error: column {name}{name}{name} does not exist" for name in names]
    archive(tmp_path / "home", "many", session("many", texts))
    build(tmp_path / "home", tmp_path / "site", "drafts")
    held = [len(soup_of(tmp_path / "site", name).select(".draft")) for name in ("index", "2", "3")]
    assert held == [_PAGE, _PAGE, 5]
    assert len(drafts_of(tmp_path / "site")) == sum(held)
    assert re.search(r"\[Page 2\]\(2\.md\)", (tmp_path / "site/drafts/index.md").read_text())


def test_drafts_are_exported_only_when_named(home, tmp_path, run):
    run("--home", home, "build", "--with", "errors", "--out", tmp_path / "site")
    assert not (tmp_path / "site" / "drafts").exists()
    outcome = run("--home", home, "build", "--with", "drafts", "--agent", "codex", "--out", tmp_path / "two")  # fmt: skip
    assert outcome.code == 0, outcome.err
    assert {agent for row in drafts_of(tmp_path / "two") for agent in row["agents"]} == {"codex"}


@pytest.mark.browser
@pytest.mark.xdist_group("browser")
@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (1280, "dark")])
def test_axe_finds_nothing_and_the_command_is_copied(site, browser, width, scheme):
    subprocess.run(["sh", "tests/install/node.sh"], cwd=ROOT, check=True, timeout=300)
    axe = (ROOT / ".tools/node/node_modules/axe-core/axe.min.js").read_text()
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    said = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto((site / "drafts" / "index.html").as_uri())
    assert page.evaluate("window.hurt") is None
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations'], preload: false})")
    assert [(item["id"], item["nodes"][0]["html"][:120]) for item in found["violations"]] == []
    button = page.locator(".copy-command").first
    command = button.get_attribute("data-copy")
    button.click()
    page.wait_for_selector("text=Copied")
    page.evaluate("document.body.append(document.createElement('textarea'))")
    page.focus("body > textarea")
    page.keyboard.press("Control+V")
    assert page.input_value("body > textarea") == command
    assert said == []
    context.close()


def test_a_photo_in_a_failure_leaves_nothing_of_itself(tmp_path):
    home, out = tmp_path / "home", tmp_path / "site"
    address = "data:image/jpeg;base64," + base64_of(PHOTO)
    archive(home, "photo", session("photo", [f"Error: cannot use {address}"]))
    build(home, out, "drafts")
    main(["--home", str(home), "errors", "write", "--tool", "upload", "--symptom", address,
          "--action", "Send a smaller one.", "--keyword", "upload"])  # fmt: skip
    build(home, out, "drafts", "errors")
    assert "cannot use data:image/*;base64,[left out]" in drafts_of(out)[0]["symptom"]
    assert len(list((out / "errors").glob("*.md"))) > 1
    start = base64_of(PHOTO)[40:200]
    assert not [
        path
        for path in out.rglob("*")
        if path.is_file() and start in path.read_text("utf-8", "replace")
    ]
