from __future__ import annotations

from pathlib import Path

import pytest

from generator.catalog.find import list_tools, search_tools, select_tools
from generator.catalog.loader import Catalogs, load_catalogs
from generator.catalog.own import describe_own
from generator.exceptions import UnknownNameError, UsageError
from generator.paths import Home


@pytest.fixture
def catalogs(home_folder: Path) -> Catalogs:
    own = [
        describe_own(
            name=name,
            group="history",
            summary="Searches what was recorded.",
            notes=(),
            schema={"properties": {"keyword": {"type": "string", "description": "words"}}},
            system=name == "keeper",
            mcp=name != "hidden",
        )
        for name in ("chat_history", "keeper", "hidden")
    ]
    return load_catalogs(Home(home_folder), own)


def names(tools: list) -> list[str]:
    return [tool.name for tool in tools]


def test_all_keywords_must_match_and_names_come_first(catalogs: Catalogs) -> None:
    found = search_tools(catalogs, "FILE restore")
    assert names(found) == ["edit_file"]
    assert names(search_tools(catalogs, "history"))[:2] == ["chat_history", "file_history"]
    assert search_tools(catalogs, "history zebra") == []


def test_ours_come_before_the_same_name_elsewhere(catalogs: Catalogs) -> None:
    platforms = [tool.platform for tool in search_tools(catalogs, "chat_history")]
    assert platforms == ["fieldguide", "agenvoy", "agenvoy"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("replace_all", "edit_file"),
        ("截圖 zebra", None),
        ("套件", "pkg_manage"),
        ("list_files", "find_files"),
    ],
)
def test_parameters_chinese_words_and_older_names_are_searched(
    query: str, expected: str | None, catalogs: Catalogs
) -> None:
    found = names(search_tools(catalogs, query))
    assert found[:1] == ([expected] if expected else [])


def test_an_empty_query_is_refused(catalogs: Catalogs) -> None:
    with pytest.raises(UsageError, match="empty"):
        search_tools(catalogs, "  ")


def test_mcp_and_system_narrow_and_widen_the_list(catalogs: Catalogs) -> None:
    assert names(list_tools(catalogs, mcp=True)) == ["chat_history"]
    assert "keeper" not in names(list_tools(catalogs))
    assert "keeper" in names(list_tools(catalogs, system=True))


def test_select_gives_exact_names_in_the_order_asked(catalogs: Catalogs) -> None:
    selected = select_tools(catalogs, "select:run_skill, chat_history,edit_fil")
    assert list(dict.fromkeys(names(list(selected.tools)))) == ["run_skill", "chat_history"]
    assert selected.unknown == {"edit_fil": "edit_file"}


def test_select_answers_an_older_name_under_the_current_one(catalogs: Catalogs) -> None:
    selected = select_tools(catalogs, "select:write_file")
    assert names(list(selected.tools)) == ["edit_file"]
    assert selected.asked_as == {"write_file": "edit_file"}


def test_select_of_nothing_known_names_the_nearest(catalogs: Catalogs) -> None:
    with pytest.raises(UnknownNameError, match="edit_file"):
        select_tools(catalogs, "select:edit_fil")
    with pytest.raises(UsageError, match="names no tool"):
        select_tools(catalogs, "select: ,")
