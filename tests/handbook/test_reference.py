"""The reference documents everything there is, and its examples still give what it shows."""

import importlib
import re
from pathlib import Path

import pytest

from generator.catalog.loader import load_catalogs
from generator.cli.main import COMMANDS
from generator.cli.reference import load_reference
from generator.guides.compose import compose
from generator.guides.loader import load_library
from generator.handbook import KINDS
from generator.handbook.tools import EXAMPLES
from generator.handbook.written import FOLDER, PAGES
from generator.history.importers import IMPORTERS
from generator.mcp_server.clients import print_config
from generator.reports.rules import RULES
from generator.settings import known_keys
from generator.tools import TOOLS
from tests.handbook.examples import encode, record


@pytest.fixture(scope="module")
def reference():
    return load_reference()


def names(reference, kind):
    return [page.name for page in reference.pages if page.kind == kind]


def page(reference, kind, name):
    return next(p for p in reference.pages if (p.kind, p.name) == (kind, name))


def test_everything_has_its_page(reference):
    assert names(reference, "tools") == list(TOOLS)
    assert names(reference, "commands") == list(COMMANDS)
    assert names(reference, "report-rules") == [rule.id for rule in RULES]
    assert names(reference, "importers") == [importer.FORMAT for importer in IMPORTERS]
    written = [name for kind in PAGES for name in names(reference, kind)]
    assert sorted(written) == sorted(path.stem for path in FOLDER.glob("*.md"))
    settings = page(reference, "settings", "config").markdown
    for key in known_keys():
        assert f"| `{key}` |" in settings
    assert list(dict.fromkeys(item.kind for item in reference.pages)) == list(KINDS)


def test_what_people_use_comes_before_what_contributors_read(reference):
    adding = [item.kind for item in reference.pages if item.title.startswith("Add a")]
    assert set(adding) == {"extend"}
    assert list(KINDS)[-1] == "extend"


def test_every_page_says_something_under_headings_that_start_at_the_second_level(reference):
    for item in reference.pages:
        assert item.summary.strip(), item.path
        assert "\n" not in item.summary, item.path
        assert len(item.markdown) > 60, item.path
        outside = re.sub(r"(?ms)^(`{3,}).*?^\1", "", item.markdown)
        assert not re.search(r"(?m)^# ", outside), item.path


def test_each_argument_of_a_tool_is_documented(reference):
    from generator.tools import all_tools

    for tool in all_tools():
        markdown = page(reference, "tools", tool.name).markdown
        for name in tool.arguments.model_json_schema()["properties"]:
            assert f"| `{name}` |" in markdown, (tool.name, name)


def test_the_fields_of_an_answer_are_documented_to_the_last_one(reference):
    markdown = page(reference, "tools", "memory_search").markdown
    assert "| `hits` | list of objects |" in markdown
    assert "| `hits[].snippet` | text |" in markdown
    assert "| `searched.missing` | list of text |" in markdown


def test_a_page_says_nothing_twice(reference):
    for item in reference.pages:
        assert not item.markdown.startswith(item.summary), item.path
    check = page(reference, "commands", "check").markdown
    assert "\nfieldguide check explain budget\n" in check
    assert "`--help`" not in check


def test_each_option_of_a_command_is_documented(reference):
    markdown = page(reference, "commands", "guide").markdown
    assert "`--list`" in markdown
    assert "```sh\nfieldguide guide" in markdown
    assert "## fieldguide config set" in page(reference, "commands", "config").markdown


def test_the_answers_of_the_examples_are_those_that_the_pages_show(tmp_path):
    recorded = record(tmp_path)
    assert {path.stem for path in EXAMPLES.glob("*.json")} == set(recorded)
    for name, answer in recorded.items():
        shown = (EXAMPLES / f"{name}.json").read_text(encoding="utf-8")
        assert shown == encode(answer), f"run 'make examples': {name} answers otherwise now"


def fences(name, language):
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    return re.findall(rf"(?ms)^(`{{3,}}){language}\n(.*?)^\1", text)


def test_the_python_example_runs(capsys):
    (_, source), *_ = fences("python", "python")
    exec(compile(source, "python.md", "exec"), {})  # the page's own sample
    out = capsys.readouterr().out
    assert out.startswith("## tool_error\n")
    assert "error_history fieldguide" in out


def test_the_sample_guide_is_one(workspace):
    (_, source), *_ = fences("add-a-guide", "markdown")
    workspace.home.guides.mkdir(parents=True)
    (workspace.home.guides / "deploying.md").write_text(source, encoding="utf-8")
    library = load_library(workspace)
    assert not library.problems
    assert compose(library, ["deploying"]).startswith("## deploying\n\n### Before a deploy\n")


def test_the_sample_catalog_is_one(workspace):
    (_, source), *_ = fences("add-a-catalog", "yaml")
    workspace.home.catalogs.mkdir(parents=True)
    (workspace.home.catalogs / "workshop.yaml").write_text(source, encoding="utf-8")
    catalogs = load_catalogs(workspace.home)
    assert not catalogs.problems
    assert catalogs.knows("reserve_bench")


def test_the_lines_for_clients_are_those_that_the_command_prints(reference):
    markdown = page(reference, "start", "mcp-clients").markdown
    for client in ("claude-code", "codex", "gemini", "vscode", "cursor", "json"):
        assert f"`{print_config(client, ['fieldguide', 'mcp'])}`" in markdown


def test_modules_that_the_written_pages_name_exist():
    root = Path(importlib.import_module("generator").__file__).parent.parent
    for path in FOLDER.glob("*.md"):
        for name in re.findall(r"`(generator/[\w/.-]+)`", path.read_text(encoding="utf-8")):
            assert (root / name).exists(), f"{path.name} names {name}"
