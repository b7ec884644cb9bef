"""A user's own data on the site: real samples, hostile transcripts, masked, rebuilt by parts."""

import json
import re
import shutil
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from generator.errors.records import write_record
from generator.export.build import Builder
from generator.export.site import Choice
from generator.history.intake import register, take_in
from generator.paths import Home
from generator.workspace import Workspace

SAMPLES = Path(__file__).parents[1] / "fixtures" / "samples"
ALL = ("history", "errors", "reports")
SECRET = "ghp_" + "a1B2c3D4" * 4 + "e5F6"
HOSTILE = (
    "</script><script>window.hurt = 1</script><img src=x onerror='window.hurt = 1'> {{ 7*7 }} "
    "{% raw %} [go](javascript:window.hurt=1) ![p](http://127.0.0.1:{port}/pixel.png) \u202egnp.exe "
    f"token {SECRET} \x00 \x1b[31mred\x1b[0m \ud83d </div></article></main>"
)


class Listener(ThreadingHTTPServer):
    """Notes every request that reaches it."""

    def __init__(self):
        self.asked = []
        listener = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                listener.asked.append(self.path)
                self.send_response(404)
                self.end_headers()

            def log_message(self, *_):
                pass

        super().__init__(("127.0.0.1", 0), Handler)


@pytest.fixture(scope="module")
def listener():
    server = Listener()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def hostile_session(port, count=3):
    """Return the lines of a canonical session whose every text wants to break out."""
    text = HOSTILE.replace("{port}", str(port))
    lines = [
        {"type": "head", "schema": 1, "id": "evil</title>", "agent": "codex", "title": text,
         "project": "p", "created": "2026-05-01T10:00:00Z", "updated": "2026-05-01T11:00:00Z"}
    ]  # fmt: skip
    for number in range(1, count + 1):
        role = "user" if number % 2 else "assistant"
        call = {
            "id": f"c{number}", "name": "<b>Bash</b>", "status": "error",
            "arguments": {"command": f"echo '{text}'", "old_string": "a\n" + text,
                          "new_string": "b\n" + text, "</dl>": text},
            "result": text + "x" * 40_000, "child": "nobody\"><script>window.hurt=1</script>",
        }  # fmt: skip
        lines.append(
            {"type": "message", "n": number, "id": f"m{number}", "role": role,
             "text": text, "thinking": text, "ts": f"2026-05-01T10:00:{number % 60:02}Z",
             "calls": [call] if role == "assistant" else [],
             "attachments": [{"name": text, "kind": "image/png", "text": text}]}
        )  # fmt: skip
    return "".join(json.dumps(line) + "\n" for line in lines)


@pytest.fixture(scope="module")
def home(tmp_path_factory, listener):
    folder = tmp_path_factory.mktemp("own") / "home"
    workspace = Workspace(home=Home(folder))
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps({"output_dir": "reports"}))
    (folder / "history" / "codex").mkdir(parents=True)
    port = listener.server_address[1]
    (folder / "history" / "codex" / "evil.jsonl").write_text(hostile_session(port))
    register(workspace, [SAMPLES / name for name in ("claude-code", "codex", "agenvoy")])
    take_in(Workspace(home=Home(folder)))
    write_record(
        workspace, tool_name="run_command", keywords=["错误重试", "ETIMEDOUT"],
        symptom="连接超时，错误重试三次后失败", action=f"Set `GITHUB_TOKEN={SECRET}` first.",
        outcome="resolved",
    )  # fmt: skip
    write_record(
        workspace, tool_name="memory_search", keywords=["query"], symptom="错误，重试也没有用",
        action="Give it a `query`.", outcome="resolved",
    )  # fmt: skip
    for number, word in enumerate(("Zyxcafe", "Zyxcafé", "Zyxcafè")):
        write_record(
            workspace, tool_name=f"kettle{number}", keywords=["tea"], outcome="resolved",
            symptom=f"The {word} is closed", action="Come back at nine.",
        )  # fmt: skip
    reports = folder / "reports"
    reports.mkdir()
    shutil.copy(SAMPLES.parent / "reports" / "full.md", reports / "report-20260504-101500.md")
    shutil.copy(SAMPLES.parent / "reports" / "harbour.png", reports / "harbour.png")
    (reports / "report-20260505-101500.html").write_text(
        "<!doctype html><html lang=en><head><title>Tide</title>"
        f"<script src='http://127.0.0.1:{port}/evil.js'></script></head><body>"
        f"<img src='http://127.0.0.1:{port}/pixel.png' alt=''><p>{SECRET}</p><script>"
        f"fetch('http://127.0.0.1:{port}/leak').catch(() => 0);"
        "try { parent.document.title = 'owned' } catch { document.title = 'framed' }"
        "</script></body></html>"
    )
    return folder


def build(home, out, **options):
    return Builder(Workspace(home=Home(home)), out, sections=ALL, **options).build()


@pytest.fixture(scope="module")
def site(home, tmp_path_factory):
    out = tmp_path_factory.mktemp("out") / "site"
    build(home, out)
    return out


def everything(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def evil_page(site):
    return next((site / "history" / "sessions").glob("evil-*.html"))


def test_no_secret_leaves_and_each_is_counted(site, home):
    for name, data in everything(site).items():
        assert SECRET.encode() not in data, name
    about = (site / "about" / "index.md").read_text()
    assert "report:report-20260505-101500.html" in about
    assert "conversation:evil" in about
    assert "github-token" in about


def test_secrets_stop_an_export_when_asked(home, tmp_path):
    report = build(home, tmp_path / "site", fail_on_secrets=True)
    assert report.refused
    assert not (tmp_path / "site").exists()
    assert sum(place.secrets for place in report.masked) > 3


def test_a_hostile_transcript_stays_text(site):
    soup = BeautifulSoup(evil_page(site).read_bytes(), "html.parser")
    own = {"theme.js", "site.js", "tray.js", "finder.js"}
    assert {tag["src"].rpartition("/")[2] for tag in soup.find_all("script")} <= own
    assert not [
        tag for tag in soup.find_all(True) if any(key.startswith("on") for key in tag.attrs)
    ]
    assert not soup.select('.talk a[href^="javascript"], .talk img[src^="http"]')
    text = soup.get_text()
    assert "</script><script>window.hurt = 1</script>" in text
    assert "{{ 7*7 }}" in text
    assert "[U+202E]" in text
    assert "\x00" not in text
    assert "\x1b" not in text
    assert len(soup.select("main")) == 1


def test_every_message_and_call_stands_under_its_ref(site):
    name = "3f1c9a10-5b1e-4c55-9d0a-7a2f6c1e0001"
    soup = BeautifulSoup((site / f"history/sessions/{name}.html").read_bytes(), "html.parser")
    for place in ("1", "2", "2.1", "4.1", "a1b2c3d/1"):
        assert soup.find(id=place), place
    assert "failed" in soup.find(id="4.1")["class"]
    assert soup.find(id="3.1").select_one("pre.diff .gi")
    child = soup.find(id="5.1").select_one(".child a")
    assert child["href"] == "#a1b2c3d/1"
    records = [
        json.loads(line)
        for line in (site / f"history/sessions/{name}.jsonl").read_text().splitlines()
    ]
    assert records[0]["type"] == "head"
    assert "sources" not in records[0]


def test_every_link_of_a_page_leads_somewhere(site):
    for page in site.rglob("*.html"):
        if page.parent.name == "view":
            continue
        soup = BeautifulSoup(page.read_bytes(), "html.parser")
        for tag in soup.select("a[href], link[href], script[src], iframe[src]"):
            path, _, _ = (tag.get("href") or tag["src"]).partition("#")
            if path and not re.match(r"[a-z]+:", path):
                base = site if path.startswith("/") else page.parent
                assert (base / path.lstrip("/")).exists(), (page, path)


def test_a_long_session_is_cut_into_pages_under_a_megabyte(tmp_path, listener):
    home = tmp_path / "home"
    (home / "history" / "codex").mkdir(parents=True)
    text = hostile_session(listener.server_address[1], 120)
    (home / "history" / "codex" / "evil.jsonl").write_text(text)
    build(home, tmp_path / "site")
    pages = sorted((tmp_path / "site" / "history" / "sessions").glob("*.html"))
    assert len(pages) > 1
    assert all(page.stat().st_size < 1_000_000 for page in pages)
    held = [BeautifulSoup(page.read_bytes(), "html.parser") for page in pages]
    for number in range(1, 121):
        assert sum(soup.find(id=str(number)) is not None for soup in held) == 1


def test_one_new_session_makes_its_pages_and_the_lists_only(home, tmp_path):
    again, out = tmp_path / "home", tmp_path / "site"
    shutil.copytree(home, again)
    build(again, out)
    assert build(again, out).written == ()
    new = hostile_session(9).replace("evil</title>", "second")
    (again / "history" / "codex" / "second.jsonl").write_text(new)
    written = build(again, out).written
    sessions = {name for name in written if name.startswith("history/sessions/")}
    assert {name.rpartition("/")[2].partition(".")[0] for name in sessions} == {"second"}
    assert not [name for name in written if name.startswith(("guides/", "tools/", "errors/"))]
    build(again, tmp_path / "clean", private=True)
    assert everything(out) == everything(tmp_path / "clean")


def test_one_session_more_makes_its_pages_and_the_lists_that_hold_it(tmp_path):
    home = tmp_path / "home"
    folder = home / "history" / "codex"
    folder.mkdir(parents=True)

    def write(number, messages=2):
        lines = [
            {"type": "head", "schema": 1, "id": f"s-{number:03}", "agent": "codex",
             "title": f"Task {number}", "project": f"p{number % 5}",
             "created": f"2026-{number % 10 + 1:02}-01T10:00:00Z",
             "updated": f"2026-{number % 10 + 1:02}-01T11:00:00Z"}
        ]  # fmt: skip
        lines += [
            {"type": "message", "n": n, "id": f"m{n}", "role": ("assistant", "user")[n % 2],
             "text": f"Words of task {number}, number {n}",
             "ts": f"2026-{number % 10 + 1:02}-01T10:00:{n:02}Z"}
            for n in range(1, messages + 1)
        ]  # fmt: skip
        path = folder / f"s-{number:03}.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))

    for number in range(300):
        write(number)
    builder = Builder(Workspace(home=Home(home)), tmp_path / "site", sections=ALL, private=True)
    builder.build()
    assert builder.build().made == ()
    write(300)
    made = set(builder.build().made)
    session = {f"history/sessions/s-300.{kind}" for kind in ("html", "md", "jsonl")}
    lists = {name for name in made if name.startswith("history/")} - session
    assert session <= made
    assert {re.sub(r"p0-\w+", "p0", name) for name in lists} == {
        f"history/{name}.{kind}"
        for name in ("index", "2026-01", "projects/p0")
        for kind in ("html", "md")
    } | {"history/index.json", "history/llms.txt"}
    assert len([name for name in made if name.startswith("search/texts/")]) == 1
    assert len([name for name in made if name.startswith("search/places/")]) <= 2
    assert not [name for name in made if name.startswith(("guides/", "tools/", "errors/"))]
    assert len(made) <= 35
    write(7, messages=4)
    made = set(builder.build().made)
    assert {name for name in made if name.startswith("history/sessions/")} == {
        f"history/sessions/s-007.{kind}" for kind in ("html", "md", "jsonl")
    }
    assert "history/2026-01.html" not in made
    assert "llms-full.txt" not in made
    build(home, tmp_path / "clean", private=True)
    assert everything(tmp_path / "site") == everything(tmp_path / "clean")


def test_a_part_of_history_can_be_chosen(home, tmp_path):
    build(home, tmp_path / "one", choice=Choice(agent="claude-code"))
    index = json.loads((tmp_path / "one" / "history" / "index.json").read_text())
    assert {row["agent"] for row in index["sessions"]} == {"claude-code"}
    build(home, tmp_path / "two", choice=Choice(session="7a2f6c1e0002"))
    index = json.loads((tmp_path / "two" / "history" / "index.json").read_text())
    assert [row["id"][-4:] for row in index["sessions"]] == ["0002"]


def test_usage_adds_up_to_its_parts(site):
    usage = json.loads((site / "usage" / "index.json").read_text())
    for group in ("days", "models", "projects", "agents"):
        assert sum(row["total"] or 0 for row in usage[group].values()) == usage["total"]["total"]
    history = json.loads((site / "history" / "index.json").read_text())
    assert sum(row["tokens"] or 0 for row in history["sessions"]) == usage["total"]["total"]


def test_nothing_of_a_users_own_is_exported_unasked(home, tmp_path):
    Builder(Workspace(home=Home(home)), tmp_path / "site").build()
    names = {path.name for path in (tmp_path / "site").iterdir()}
    assert not names & {"history", "errors", "reports", "usage"}


@pytest.mark.browser
@pytest.mark.xdist_group("browser")
def test_no_transcript_and_no_report_runs_or_reaches_out(site, browser, listener):
    page = browser.new_page()
    for path in (evil_page(site), site / "reports" / "report-20260505-101500-html.html",
                 site / "reports" / "index.html", site / "reports" / "report-20260504-101500-md.html"):  # fmt: skip
        page.goto(path.as_uri())
        page.wait_for_timeout(300)
        assert page.evaluate("window.hurt") is None
        assert page.title() != "owned"
    page.close()
    assert listener.asked == []


@pytest.mark.browser
@pytest.mark.xdist_group("browser")
def test_search_finds_exactly_the_pages_that_hold_the_words(site, browser):
    page = browser.new_page()
    said = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto((site / "search" / "index.html").as_uri())
    page.wait_for_selector(".search-here input")

    def hits(query):
        page.fill(".search-here input", "")
        page.fill(".search-here input", query)
        page.wait_for_function("document.querySelector('.count').textContent !== ''")
        return [link.get_attribute("href") for link in page.locator(".hits a").all()]

    found = hits("错误重试")
    assert len(found) == 1
    assert found[0].startswith("../errors/")
    assert page.inner_text(".hits mark") == "错误重试"
    assert page.inner_text(".count") == "1 place"
    assert any("3f1c9a10" in href for href in hits("knots_to_ms"))
    assert any("3f1c9a10" in href for href in hits("src/units.py"))
    assert any("3f1c9a10" in href for href in hits("knots"))
    assert hits("ETIMEDOUT")[0].startswith("../errors/")
    assert hits('"no such phrase here"') == []
    assert page.inner_text(".count") == "Nothing here holds that."
    plain = hits("zyxcafe ")
    assert len(plain) == 3
    assert sorted(hits("ZYXCAFÉ ")) == sorted(plain)
    assert page.locator(".hits mark").first.inner_text() == "Zyxcafé"
    assert sorted(hits('"the zyxcafé is"')) == sorted(plain)
    assert page.locator(".hits mark").all_inner_texts() != []
    hits("knots_to_ms")
    kept = page.url
    page.click(".filters button:text-is('History')")
    page.wait_for_function("document.querySelector('.hits .quiet').textContent === ' History'")
    page.goto("about:blank")
    page.goto(kept)
    page.wait_for_selector(".hits a")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.matches('.hits a')")
    page.keyboard.press("Enter")
    page.wait_for_load_state()
    assert page.url.rpartition("/")[2].partition("#")[0].endswith(".html")
    assert said == []
    page.close()


KINDS = (
    "guides/index", "guides/recall", "bundles/index", "history/2026-03",
    "index", "tools/index", "tools/agenvoy", "errors/index", "reports/index",
    "reports/report-20260504-101500-md", "history/index", "usage/index", "about/index",
    "history/sessions/3f1c9a10-5b1e-4c55-9d0a-7a2f6c1e0001", "search/index",
)  # fmt: skip


@pytest.mark.browser
@pytest.mark.xdist_group("browser")
@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (1280, "dark"), (1920, "light")])
def test_axe_finds_nothing_and_nothing_scrolls_sideways(site, browser, width, scheme):
    axe = Path(__file__).parents[2] / ".tools/node/node_modules/axe-core/axe.min.js"
    if not axe.is_file():
        import subprocess

        subprocess.run(["sh", "tests/install/node.sh"], cwd=axe.parents[4], check=True, timeout=300)
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    error = next((site / "errors").glob("????????.html")).relative_to(site).as_posix()
    for name in (
        *KINDS,
        error.removesuffix(".html"),
        next((site / "history" / "projects").glob("*.html")).relative_to(site).as_posix()[:-5],
        "guides/tool_error",
        evil_page(site).relative_to(site).as_posix()[:-5],
    ):
        page.goto(f"{site.as_uri()}/{name}.html")
        if "sessions" in name:
            page.click("button.unfold")
        if name == "search/index":
            page.fill(".search-here input", "the error")
            page.wait_for_selector(".hits a")
        if name == "guides/tool_error":
            page.keyboard.press("/")
            page.fill(".finder input", "the error")
            page.wait_for_selector(".finder .hits a")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
        page.evaluate(axe.read_text())
        found = page.evaluate(
            "axe.run(document, {resultTypes: ['violations'], preload: false, iframes: false})"
        )
        told = [
            (violation["id"], node["html"][:160])
            for violation in found["violations"]
            for node in violation["nodes"]
        ]
        assert told == [], name
    context.close()
