"""Every fact of the shipped catalogs against what stands in the references they describe."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

import generator.catalog
from generator.catalog.loader import DATA, SHIPPED, load_catalogs
from generator.model.catalog import CatalogTool
from generator.paths import Home

FIXTURES = Path(__file__).parent.parent / "fixtures" / "catalog"
SECTIONS = {
    "檔案": "files",
    "工具與 Skill": "tools and skills",
    "網路": "web",
    "執行": "execution",
    "協作": "collaboration",
    "狀態與記憶": "state and memory",
    "輔助": "helpers",
    "條件註冊": "conditional",
}


def reference(name: str) -> dict:
    return json.loads((FIXTURES / name).read_text(encoding="utf-8"))


def catalog(home: Home, platform: str, version: str = "") -> dict[str, CatalogTool]:
    found = next(
        item
        for item in load_catalogs(home).others
        if (item.platform, item.version) == (platform, version)
    )
    return {tool.name: tool for tool in found.tools}


@pytest.fixture
def home(home_folder: Path) -> Home:
    return Home(home_folder)


def test_the_shipped_catalogs_load_without_a_problem(home: Home) -> None:
    assert load_catalogs(home).problems == ()
    assert sorted(path.name for path in DATA.iterdir()) == sorted(SHIPPED)


@pytest.mark.parametrize("name", SHIPPED)
def test_the_shipped_catalogs_fit_the_documented_schema(name: str) -> None:
    folder = Path(generator.catalog.__file__).parent
    schema = json.loads((folder / "schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    data = yaml.safe_load((DATA / name).read_text(encoding="utf-8"))
    assert [error.message for error in Draft202012Validator(schema).iter_errors(data)] == []


def test_agenvoy_has_the_tools_of_its_reference_in_order_and_in_their_groups(home: Home) -> None:
    facts = reference("agenvoy-0.35.json")
    tools = catalog(home, "agenvoy", "0.35.4")
    assert list(tools) == list(facts["tools"])
    assert len(tools) == facts["count"] == 31
    for name, fact in facts["tools"].items():
        assert tools[name].group == SECTIONS[fact["section"]], name
        assert tools[name].concurrent == fact["concurrent"], name


def test_agenvoy_full_schemas_conditions_and_prefixes(home: Home) -> None:
    facts = reference("agenvoy-0.35.json")
    tools = catalog(home, "agenvoy", "0.35.4")
    assert {name for name, tool in tools.items() if tool.full_schema} == set(facts["full_schema"])
    assert len(facts["full_schema"]) == 15
    always = [name for name, tool in tools.items() if tool.registered == "always"]
    assert len(always) == 25
    assert set(tools) - set(always) == {
        "pkg_manage", "find_note", "generate_audio", "generate_image", "list_chatbot",
        "send_to_chatbot",
    }  # fmt: skip
    prefixes = [prefix.prefix + "*" for prefix in load_catalogs(home).prefixes()]
    assert prefixes == facts["prefixes"]


def stated(tool: CatalogTool) -> set[str]:
    """Return every name and number that a description states."""
    facts = set(tool.modes) | set(tool.replaces)
    for parameter in tool.parameters:
        facts.add(parameter.name.rsplit(".", 1)[-1])
        facts.update(parameter.values)
        if parameter.max is not None:
            facts.add(f"{parameter.max:g}")
        if parameter.default is not None:
            facts.add(str(parameter.default))
    facts.update(f"{limit.value:g}" for limit in tool.limits)
    if tool.since:
        facts.add(tool.since)
    return facts


@pytest.mark.parametrize("name", list(reference("agenvoy-0.35.json")["tools"]))
def test_what_agenvoy_tools_state_stands_in_their_row(name: str, home: Home) -> None:
    facts = reference("agenvoy-0.35.json")
    tokens = {*facts["tools"][name]["tokens"], *facts["preface"]}
    words = {part for token in tokens for part in (token, *token.replace("v0", "0").split("/"))}
    words |= {token.lstrip("v") for token in tokens}
    words |= {token.split("=", 1)[1] for token in tokens if "=" in token}
    missing = {
        fact
        for fact in stated(catalog(home, "agenvoy", "0.35.4")[name])
        if fact not in words and not any(fact in token for token in tokens if not fact.isdigit())
    }
    assert missing == set()


@pytest.mark.parametrize("name", list(reference("agenvoy-1.3.json")["tools"]))
def test_what_later_agenvoy_tools_state_stands_in_their_row(name: str, home: Home) -> None:
    tokens = set(reference("agenvoy-1.3.json")["tools"][name])
    words = tokens | {token.lstrip("v") for token in tokens}
    missing = {
        fact for fact in stated(catalog(home, "agenvoy", "1.3.11")[name]) if fact not in words
    }
    # "8-char", "defaults to 4", "-H" style words carry the number inside a word.
    assert not {fact for fact in missing if not any(fact in word for word in words)}


def test_what_changed_its_name_is_in_the_ledger(home: Home) -> None:
    renames = {
        (rename.kind, rename.tool, rename.old): rename.new
        for rename in load_catalogs(home).renames()
    }
    for old in ("write_file", "patch_file", "remove_file", "restore_file"):
        assert renames["tool", "", old] == "edit_file"
    for old in ("list_files", "glob_files", "search_files"):
        assert renames["tool", "", old] == "find_files"
    assert renames["tool", "", "find_knowledge"] == "find_note"
    assert renames["tool", "", "write_report"] == "write_result"
    assert renames["topic", "", "rag_web"] == "web_search"
    assert renames["mode", "error_history", "write"] == "write_error"
    assert renames["argument", "reasoning_guide", "topic"] == "topics"
    assert renames["mode", "find_note", "list"] is None
    assert renames["argument", "subagents", "session_id"] == "self_id"


def test_renames_stand_in_the_row_of_the_tool_that_took_over(home: Home) -> None:
    facts = reference("agenvoy-0.35.json")
    old = facts["tools"]
    later = reference("agenvoy-1.3.json")["tools"]
    for rename in load_catalogs(home).renames():
        if rename.kind in {"command", "marker", "topic"}:
            continue
        row = rename.tool or (rename.new or "")
        tokens = [*facts["preface"], *old.get(row, {}).get("tokens", []), *later.get(row, [])]
        assert any(rename.old in token for token in tokens), rename
        if rename.since:
            assert any(rename.since in token for token in tokens), rename


@pytest.mark.parametrize("name", list(reference("wolffish.json")["tools"]))
def test_wolffish_parameters_are_those_of_its_tables(name: str, home: Home) -> None:
    tool = catalog(home, "wolffish")[name]
    rows = reference("wolffish.json")["tools"][name]
    expected = [(parameter, row["required"]) for row in rows for parameter in row["names"]]
    assert [(parameter.name, parameter.required) for parameter in tool.parameters] == expected
    tokens = {token for row in rows for token in row["tokens"]}
    facts = stated(tool) - {parameter.name for parameter in tool.parameters}
    assert {fact for fact in facts if fact not in tokens} <= {"all", "full"}


@pytest.mark.parametrize("name", list(reference("memory-skill.json")["tools"]))
def test_memory_skill_parameters_are_those_of_its_lists(name: str, home: Home) -> None:
    tool = catalog(home, "memory-skill")[f"memory.{name}"]
    rows = reference("memory-skill.json")["tools"][name]
    expected = [(parameter, row["required"]) for row in rows for parameter in row["names"]]
    assert [(parameter.name, parameter.required) for parameter in tool.parameters] == expected
    tokens = {token for row in rows for token in row["tokens"]}
    assert stated(tool) - {parameter.name for parameter in tool.parameters} <= tokens


def test_a_users_catalog_is_read_beside_the_shipped_ones(home: Home) -> None:
    home.catalogs.mkdir(parents=True)
    (home.catalogs / "team.json").write_text(
        '{"platform": "team", "tools": [{"name": "deploy", "summary": "上線部署。"}]}',
        encoding="utf-8-sig",
    )
    loaded = load_catalogs(home)
    assert loaded.problems == ()
    assert [tool.platform for tool in loaded.named("deploy")] == ["team"]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("platform: x\ntools: [\n", 3, "not YAML or JSON"),
        ("- a\n", 1, "must be a mapping"),
        ("", 0, "must be a mapping"),
        ("platform: x\ntools:\n  - name: a\n    summry: b\n", 4, "did you mean summary?"),
        ("platform: x\ntools:\n  - name: a\n", 3, "needs summary"),
        (
            "platform: x\ntools:\n  - {name: a, summary: b, full_schema: maybe}\n",
            3,
            "true or false",
        ),
        ("platform: x\nrenames:\n  - {kind: thing, old: a}\n", 3, "is one of tool, mode"),
        ("platform: x\ntools: 3\n", 2, "must be a list"),
        ("[" * 50_000, 1, "not YAML or JSON: exceeded maximum nesting"),
    ],
)
def test_a_broken_catalog_is_named_with_its_line_and_the_others_work(
    text: str, line: int, words: str, home: Home
) -> None:
    home.catalogs.mkdir(parents=True)
    (home.catalogs / "bad.yaml").write_text(text, encoding="utf-8")
    (home.catalogs / "good.yaml").write_text("platform: good\ntools: []\n", encoding="utf-8")
    loaded = load_catalogs(home)
    assert "good" in [catalog.platform for catalog in loaded.others]
    assert any(
        problem.path.name == "bad.yaml" and problem.line == line and words in problem.message
        for problem in loaded.problems
    ), loaded.problems


def test_names_made_at_run_time_are_known_by_their_prefix(home: Home) -> None:
    loaded = load_catalogs(home)
    assert loaded.knows("mcp__search_rag")
    assert loaded.knows("edit_file")
    assert not loaded.knows("script_")
    assert not loaded.knows("edit_files")
