"""The words of the interface: all of them stand in one file, which another language can replace."""

import json
import re
import shutil
import tomllib
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from generator.cli.reference import load_reference
from generator.errors.records import write_record
from generator.exceptions import SettingsError, UnknownNameError
from generator.export.build import Builder
from generator.export.languages import english, languages, load_texts
from generator.history.intake import register, take_in
from generator.paths import Home, shipped
from generator.tools.find_tools import load_all
from generator.workspace import Workspace

SAMPLES = Path(__file__).parents[1] / "fixtures" / "samples"
ALL = ("history", "errors", "reports", "drafts")
MARKED = "en-XA"  # the tag of pseudo-translations
# Where a page shows what is not its interface: text in a language of its own, code, names.
CONTENT = "[lang]:not(html), code, pre, kbd, script, svg text, [translate=no]"


def toml(tables):
    """Write tables of texts as TOML."""

    def value(word):
        if isinstance(word, str):
            return json.dumps(word, ensure_ascii=False)
        return "{" + ", ".join(f"{name} = {value(text)}" for name, text in word.items()) + "}"

    return "".join(
        f"[{table}]\n" + "".join(f"{name} = {value(word)}\n" for name, word in words.items())
        for table, words in tables.items()
    )


def marked(word):
    """Return a word between marks that stand nowhere else."""
    if isinstance(word, str):
        return f"⟦{word}⟧"
    return {name: marked(text) for name, text in word.items()}


def unmarked(text):
    """Return the words of a text that stand outside the marks."""
    before = ""
    while before != text:
        before, text = text, re.sub(r"⟦[^⟦⟧]*⟧", " ", text)
    return re.findall(r"[^\W\d_]+", text)


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("marked") / "home"
    (folder / "texts").mkdir(parents=True)
    words = {
        table: dict(words) if table == "plural" else {name: marked(word) for name, word in words.items()}
        for table, words in english().items()
    }  # fmt: skip
    (folder / "texts" / f"{MARKED}.toml").write_text(toml(words), encoding="utf-8")
    site = {"language": MARKED, "title": "⟦Fieldguide⟧"}
    config = {"output_dir": str(folder / "reports"), "site": site, "timezone": "Asia/Shanghai"}
    (folder / "config.json").write_text(json.dumps(config))
    workspace = Workspace(home=Home(folder))
    register(workspace, [path for path in SAMPLES.iterdir() if path.is_dir()])
    take_in(Workspace(home=Home(folder)))
    for number in range(3):
        write_record(
            workspace, tool_name="memory_search", keywords=["query"], outcome="resolved",
            symptom=f"Error {number}: it wants a query", action="Give it a `query`.",
            cause="| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] it was done",
        )  # fmt: skip
    (folder / "reports").mkdir()
    shutil.copy(
        SAMPLES.parent / "reports" / "full.md", folder / "reports/report-20260504-101500.md"
    )
    shutil.copy(SAMPLES.parent / "reports" / "harbour.png", folder / "reports" / "harbour.png")
    return folder


@pytest.fixture(scope="module")
def site(home, tmp_path_factory):
    out = tmp_path_factory.mktemp("out") / "site"
    workspace = Workspace(home=Home(home))
    report = Builder(
        workspace, out, sections=ALL, reference=load_reference(), tools=load_all(workspace).own
    ).build()
    assert not report.problems
    assert not report.remarks
    return out


def pages(site):
    """Return the pages of the site; a report in its frame is a page of its own."""
    return [path for path in site.rglob("*.html") if path.parent.name != "view"]


def test_every_word_of_a_page_comes_from_the_texts(site):
    found = pages(site)
    assert {path.parent.name for path in found} >= {
        *("site", "guides", "bundles", "reference", "tools", "errors", "reports", "history"),
        *("projects", "sessions", "usage", "search", "about", "drafts"),
    }
    for path in found:
        soup = BeautifulSoup(path.read_bytes(), "html.parser")
        assert soup.html["lang"] == MARKED
        for tag in soup.select(CONTENT):
            tag.decompose()
        assert unmarked(soup.get_text()) == [], path
        for tag in soup.find_all(True):
            for name in ("title", "alt", "aria-label", "placeholder", "label"):
                assert unmarked(tag.get(name) or "") == [], (path, tag)


def test_every_word_of_the_scripts_comes_with_the_page(site):
    for path in (site / "assets").glob("*.js"):
        if path.name in ("quickui.js", "t.js"):  # runtimes of reports
            continue
        code = re.sub(r"^\s*//.*$", "", path.read_text(), flags=re.M)
        for word in re.findall(r'"([A-Z][a-z]+(?: [a-z]+)*)"', code):
            assert word in ("Escape", "ArrowDown", "ArrowUp", "IntersectionObserver"), path.name


def test_twins_and_maps_for_agents_say_the_same_words(site):
    for name in ("index", "guides/index", "errors/index", "history/index", "usage/index"):
        text = (site / f"{name}.md").read_text()
        said = re.sub(r"(?m)^(?:-.*|## \d{4}-\d\d-\d\d)$", "", text)  # lists, and headings of days
        lines = list(filter(None, said.split("\n")))
        assert all("⟦" in line for line in lines), name
    assert "## ⟦Guides⟧" in (site / "llms.txt").read_text()
    assert "## Optional" in (site / "llms.txt").read_text()  # the format's own word
    record = next((site / "errors").glob("????????.md")).read_text()
    headings = re.findall(r"^## (.*)$", record, re.M)
    assert headings[:3] == ["⟦What was seen⟧", "⟦Why⟧", "⟦What fixed it⟧"]
    assert not [word for heading in headings for word in unmarked(heading)]


def test_content_says_its_own_language(site):
    guide = BeautifulSoup((site / "guides/recall.html").read_bytes(), "html.parser")
    assert {tag["lang"] for tag in guide.select("h1, .lead, .prose")} == {"en"}
    session = next(iter((site / "history/sessions").glob("*.html")))
    talk = BeautifulSoup(session.read_bytes(), "html.parser")
    assert {tag["lang"] for tag in talk.select("h1, .said")} == {""}


@pytest.fixture
def page(site, browser):
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    opened = context.new_page()
    said = []
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    opened.open = lambda name: opened.goto(f"{site.as_uri()}/{name}.html")
    yield opened
    context.close()
    assert said == []


@pytest.mark.browser
@pytest.mark.xdist_group("browser")
def test_scripts_speak_the_language_of_the_page(page):
    page.open("guides/tool_generate")
    assert page.inner_text("button.theme") == "⟦Dark⟧"
    page.click("button.theme")
    assert page.inner_text("button.theme") == "⟦Light⟧"
    assert page.get_attribute("button.theme", "aria-label") == "⟦Use the dark theme⟧".replace(
        "dark", "light"
    )
    page.click(".actions .pick")
    assert page.inner_text(".actions .pick .word") == "⟦In the bundle⟧"
    assert page.get_attribute(".actions .pick", "aria-label") == "⟦tool_generate: add to bundle⟧"
    assert "⟦1 topic⟧" in page.inner_text(".tray .sum")
    for part in (".tray .sum", ".tray .copy", ".tray .clear"):
        assert unmarked(page.inner_text(part)) == [], part
    remove = page.get_attribute(".picked .remove", "aria-label")
    assert remove == "⟦Take tool_generate out of the bundle⟧"
    page.click(".tray .copy")
    page.wait_for_selector("text=⟦Copied⟧")
    code = page.locator(".copy-code").first
    assert code.get_attribute("aria-label") == "⟦Copy this code⟧"
    assert code.get_attribute("lang") == MARKED
    assert code.text_content() == "⟦Copy⟧"
    assert unmarked(page.locator(".anchor").first.get_attribute("aria-label")) == []
    page.open("bundles/index")
    page.check("input[data-topic=recall]")
    page.wait_for_selector(".preview code:not(:empty)")
    assert "⟦2 topics⟧" in page.inner_text(".tray .sum")
    assert unmarked(page.inner_text(".summary")) == []


@pytest.mark.browser
@pytest.mark.xdist_group("browser")
def test_search_speaks_the_language_of_the_page(page):
    page.open("search/index")
    field = page.locator(".search-here input")
    assert unmarked(field.get_attribute("placeholder")) == []
    assert field.get_attribute("aria-label") == "⟦Search this site⟧"
    field.fill('"no such phrase here"')
    page.wait_for_function("document.querySelector('.count').textContent !== ''")
    assert page.inner_text(".count") == "⟦Nothing here holds that.⟧"
    field.fill("the")
    page.wait_for_selector(".hits a")
    for part in (".count", ".filters", ".hits li > .quiet >> nth=0"):
        assert unmarked(page.inner_text(part)) == [], part
    assert page.get_attribute(".hits a >> nth=0", "lang") == ""
    page.open("guides/recall")
    page.keyboard.press("/")
    page.fill(".finder input", "the")
    page.wait_for_selector(".finder .hits a")
    assert unmarked(page.get_attribute(".finder", "aria-label")) == []
    assert unmarked(page.inner_text(".finder .outcome")) == []


@pytest.fixture
def own(workspace):
    """Write a language of the user's own: ``own("de", "[home]...")``; load it."""
    workspace.home.texts.mkdir(parents=True)

    def load(language, text):
        (workspace.home.texts / f"{language}.toml").write_text(text, encoding="utf-8")
        return load_texts(language, workspace.home)

    return load


def test_what_a_language_leaves_out_is_said_in_english(own):
    texts = own("de", '[home]\nhere = "Was hier ist"\n')
    assert texts["home"]["here"] == "Was hier ist"
    assert texts["home"]["shell"] == english()["home"]["shell"]
    assert texts.count(1, "topic") == "1 topic"
    assert texts.problems == ()


def test_a_user_may_change_words_of_a_shipped_language(own):
    texts = own("en", '[sections]\nhistory = "Sessions"\n')
    assert texts["sections"]["history"] == "Sessions"
    assert texts["sections"]["errors"] == "Errors"


def test_a_language_has_the_forms_it_tells_apart(own):
    texts = own(
        "ru",
        '[plural]\none = "n % 10 == 1 and n % 100 != 11"\n'
        'few = "2 <= n % 10 <= 4 and not 12 <= n % 100 <= 14"\n'
        '[count]\ntopic = { one = "{n} тема", few = "{n} темы", other = "{n} тем" }\n'
        'text = "{n} шт."\n',
    )
    assert texts.problems == ()
    assert [texts.count(n, "topic") for n in (1, 2, 5, 11, 21, 24)] == [
        *("1 тема", "2 темы", "5 тем", "11 тем", "21 тема", "24 темы")
    ]
    assert texts.count(2, "text") == "2 шт."
    assert texts.count(2, "tool") == "2 tools"


def test_numbers_and_stretches_of_time_are_written_as_the_language_does(own):
    texts = own(
        "de",
        '[numbers]\ngroup = "."\ndecimal = ","\nmoney = "{n} $"\n'
        '[units]\nhours_and = "{n} Std. {rest} Min."\n',
    )
    assert texts.number(1234567) == "1.234.567"
    assert texts.number(0.5) == "0,5"
    assert texts.money(1234.5) == "1.234,50 $"
    assert texts.duration(3 * 3600 + 120) == "3 Std. 2 Min."
    assert texts.duration(4.25) == "4,2 s"
    assert texts.duration(50 * 3600) == "2 d 2 h"
    assert texts.duration(-1) == ""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[homepage]\nx = "y"\n', "there is no table [homepage] (did you mean home?)"),
        ('[home]\nheer = "y"\n', "nothing is called heer in [home] (did you mean here?)"),
        ("[home]\nhere = 5\n", "here in [home] must be one text"),
        ('[llms]\nsizes = "Alles"\n', "leaves out {method}"),
        ('[llms]\nsizes = "{method} {x}"\n', "has {x}, which nothing fills"),
        ('[count]\ntopic = { one = "{n}" }\n', 'must be a table of forms with "other"'),
        ('[count]\ntopic = { some = "", other = "{n}" }\n', "has a form that is none: some"),
        ('[count]\ntopic = { one = "{m}", other = "{n}" }\n', "has {m}"),
        ('[plural]\none = "n =="\n', "the rule for one in [plural] does not work"),
        ('[plural]\none = "m == 1"\n', "the rule for one in [plural] does not work: 'm'"),
        ('[plural]\nsome = "n == 1"\n', "[plural] takes rules for"),
        ('home = "x"\n', "home must be a table"),
    ],
)
def test_what_cannot_be_used_is_reported_and_english_stands(own, text, told):
    texts = own("de", text)
    assert len(texts.problems) == 1
    assert told in texts.problems[0]
    assert "de.toml" in texts.problems[0]
    assert {name: dict(words) for name, words in texts.words.items()} == english()


def test_a_build_tells_what_cannot_be_used(run, home_folder, tmp_path):
    (home_folder / "texts").mkdir(parents=True)
    (home_folder / "texts" / "de.toml").write_text('[home]\nheer = "Was hier ist"\n')
    run("config", "set", "site.language", "de")
    outcome = run("build", "--out", tmp_path / "site")
    assert outcome.code == 0
    assert "nothing is called heer in [home] (did you mean here?)" in outcome.err
    assert '<html lang="de"' in (tmp_path / "site" / "index.html").read_text()


def test_a_file_that_is_no_toml_is_a_sentence(own):
    with pytest.raises(SettingsError, match=r"de\.toml is not TOML.*line 1"):
        own("de", "home = \n")


def test_an_unknown_language_lists_those_there_are(workspace, run, tmp_path):
    for name in ("xx", "../../etc/passwd", ""):
        with pytest.raises(UnknownNameError) as error:
            load_texts(name, workspace.home)
        assert error.value.known == tuple(languages(workspace.home))
    run("config", "set", "site.language", "tlh")
    outcome = run("build", "--out", tmp_path / "site")
    assert outcome.code == 2
    assert "There is no language named 'tlh'." in outcome.err
    assert "Known languages: en" in outcome.err
    assert not (tmp_path / "site").exists()


def test_a_changed_word_is_shown_by_the_next_build(build, workspace, tmp_path):
    workspace.home.texts.mkdir(parents=True)
    path = workspace.home.texts / "en.toml"
    build()
    path.write_text('[sections]\nguides = "Topics"\n')
    build()
    assert ">Topics</a>" in (tmp_path / "site/index.html").read_text()
    path.unlink()
    build()
    assert ">Topics</a>" not in (tmp_path / "site/index.html").read_text()


def test_every_shipped_language_is_whole(workspace):
    base = english()
    for path in (shipped("templates") / "texts").glob("*.toml"):
        texts = load_texts(path.stem, workspace.home)
        assert texts.problems == ()
        own = tomllib.loads(path.read_text(encoding="utf-8"))
        assert {table: set(words) for table, words in own.items() if table != "plural"} == {
            table: set(words) for table, words in base.items() if table != "plural"
        }, path.name
        # A name of a table's own methods would hide the word from a template.
        assert not {name for words in own.values() for name in words} & set(dir(dict))


@pytest.mark.parametrize(
    ("amount", "shown"),
    [
        (0, "$0.00"),
        (0.0004, "<$0.01"),
        (0.005, "$0.01"),
        (0.12, "$0.12"),
        (1234.5, "$1\u202f234.50"),
    ],
)
def test_money_is_shown_to_the_cent_and_little_is_not_nothing(workspace, amount, shown):
    assert load_texts("en", workspace.home).money(amount) == shown
