"""Ranked search over everything, with filters and an honest miss."""

import dataclasses

import pytest

from generator.exceptions import ArgumentsError, UnknownNameError, UsageError
from generator.model.session import Head, Message
from generator.tools.memory_search import TOOL


def ask(workspace, query="x", **more):
    return TOOL.call({"query": query, **more}, workspace)


def refs(result):
    return [hit.ref for hit in result.hits]


def test_a_hit_says_where_it_stands(archived):
    (hit,) = ask(archived, "薄荷").hits
    assert hit.ref == "conversation:2026-05-04_09-15-00#2"
    assert (hit.source, hit.agent, hit.role, hit.thread) == (
        *("conversation", "wolffish", "assistant"),
        "active",
    )
    assert hit.ts == "2026-05-04T09:16:00+08:00"
    assert "**薄荷**" in hit.snippet


@pytest.mark.parametrize(
    ("query", "ref"),
    [
        ("部署", None),
        ("风速换算", "conversation:boat-0001#1"),
        ("换算", "conversation:boat-0001#1"),
        ("knots_to_ms", "conversation:boat-0001#2.1"),
        ("KNOTS", "conversation:boat-0001#2.1"),
        ("units.py", "conversation:boat-0001/a1b2#2"),
        ('"high tide"', "task:5f0c-1#detail1"),
        ("stock.csv", "conversation:tea-0002#1"),
    ],
)
def test_words_of_every_kind_are_found(archived, query, ref):
    assert (ref in refs(ask(archived, query))) if ref else refs(ask(archived, query)) == []


def test_sidechains_and_rewound_messages_are_marked(archived):
    assert {hit.thread for hit in ask(archived, "masts").hits} == {"off"}
    assert {hit.thread for hit in ask(archived, "units.py").hits} == {"side"}
    assert "sidechain" in TOOL.render(ask(archived, "units.py"))


def test_a_copy_of_another_session_is_no_hit(archived):
    assert not [ref for ref in refs(ask(archived, "copied line")) if "tea-0002#3" in ref]


def test_a_title_yields_no_hit_of_its_own(archived):
    assert refs(ask(archived, "Wind")) == []


@pytest.mark.parametrize(
    ("filters", "kept"),
    [
        ({"sources": "episode"}, {"file:brain/hippocampus/episodes/2026-05-04.md#1"}),
        (
            {"sources": ["episodes", "task"]},
            {"file:brain/hippocampus/episodes/2026-05-04.md#1", "task:TASK-mabc12xy#detail2"},
        ),
        ({"agent": "Codex"}, set()),
        ({"session": "0001"}, set()),
        ({"role": "tool"}, set()),
        ({"tool": "shell"}, set()),
    ],
)
def test_filters_hold(archived, filters, kept):
    result = ask(archived, "basil", **filters)
    assert set(refs(result)) == kept


def test_filters_of_place_and_time(archived):
    assert refs(ask(archived, "knots", tool="grep", project="paperboat")) == [
        "conversation:boat-0001#2.1"
    ]
    assert ask(archived, "潮汐", after="2026-05-04", before="2026-05-04").total
    assert not ask(archived, "潮汐", after="2026-05-05").total
    assert not ask(archived, "潮汐", before="2026-05-03").total


def test_a_miss_says_what_was_searched_until_when_and_which_filter_emptied_it(archived):
    result = ask(archived, "basil", sources="note", after="2026-05-01")
    searched = result.searched
    assert (searched.emptied_by, searched.passed) == ("sources", 0)
    assert searched.entries == sum(searched.sources.values()) > 20
    assert searched.newest == "2026-05-04T21:40:00+08:00"
    text = TOOL.render(result)
    assert "until 2026-05-04T21:40:00+08:00" in text
    assert "The filter sources left nothing to search" in text
    assert "not proof that it never was" in text


def test_a_session_that_is_not_there_empties_the_answer_and_is_named(archived):
    result = ask(archived, "basil", session="../../etc")
    assert result.searched.emptied_by == "session"
    assert "boat-0001" in result.searched.known


def test_a_limit_past_the_maximum_is_lowered_and_said(archived, keep):
    keep(
        "codex",
        "many",
        Head(id="many", agent="codex"),
        *(Message(n=n, id=f"m{n}", role="user", text="anchor") for n in range(1, 80)),
    )
    result = ask(archived, "anchor", limit=500)
    assert (len(result.hits), result.total) == (50, 79)
    assert "lowered from 500 to its maximum, 50" in TOOL.render(result)
    rest = ask(archived, "anchor", limit=50, offset=50)
    assert len({*refs(result), *refs(rest)}) == 79


def test_what_is_new_is_found_at_once(archived, keep):
    assert not ask(archived, "barnacle").total
    path = archived.home.history / "codex" / "tea-0002.jsonl"
    size = path.stat().st_size
    keep("codex", "tea-0002", Message(n=4, id="m4", role="user", text="barnacle"))
    assert path.stat().st_size > size
    assert refs(ask(archived, "barnacle")) == ["conversation:tea-0002#4"]


def test_a_record_that_was_replaced_is_found_only_as_it_is_now(archived, keep):
    assert refs(ask(archived, "teapots stock")) != []
    keep("codex", "tea-0002", Message(n=1, id="m1", role="user", text="count the saucers"))
    assert "conversation:tea-0002#1" not in refs(ask(archived, "stock"))
    assert refs(ask(archived, "saucers")) == ["conversation:tea-0002#1"]


def test_an_index_that_was_deleted_is_built_again(archived):
    import shutil

    before = refs(ask(archived, "basil"))
    shutil.rmtree(archived.home.index)
    assert refs(ask(archived, "basil")) == before


def test_secrets_never_show_in_snippets_not_even_when_cut(archived, keep):
    key = "ghp_" + "Z9y8X7w6V5u4T3s2R1q0" + "P9o8N7m6L5k4J3i2"
    keep(
        "codex",
        "leaky",
        Head(id="leaky", agent="codex"),
        *(
            Message(n=n, id=f"m{n}", role="user", text=f"lantern {'w ' * n}{key} {'v ' * 200}")
            for n in range(1, 120)
        ),
    )
    for offset in (0, 50, 100):
        result = ask(archived, "lantern", limit=50, offset=offset)
        for hit in result.hits:
            for size in range(8, len(key)):
                assert key[:size] not in hit.snippet
                assert key[-size:] not in hit.snippet
    found = ask(archived, key, limit=5)
    assert key not in "".join(hit.snippet.replace("*", "") for hit in found.hits)


@pytest.mark.parametrize(
    ("arguments", "error", "told"),
    [
        ({"query": "  "}, UsageError, "query is empty"),
        ({"query": "x", "sources": "mail"}, UnknownNameError, "no source named 'mail'"),
        ({"query": "x", "after": "2026-13-01"}, UsageError, "after takes a day"),
        ({"query": "x", "role": "system"}, ArgumentsError, "role should be"),
        ({}, ArgumentsError, "query is required"),
    ],
)
def test_bad_arguments_are_worded(archived, arguments, error, told):
    with pytest.raises(error, match=told) as caught:
        TOOL.call(arguments, archived)
    assert TOOL.failure_text(caught.value).splitlines()[-1].startswith("next: ")


@pytest.mark.parametrize(
    "query", ["c++", "100%_", "*", "(", '"', "AND OR", "a" * 5000, "\ud83d", "'; DROP"]
)
def test_odd_queries_are_literal(archived, query):
    try:
        result = ask(archived, query)
    except UsageError:
        return
    assert TOOL.render(result)


def test_two_homes_do_not_mix(archived, tmp_path):
    from generator.paths import Home

    assert ask(archived, "basil").total
    other = dataclasses.replace(archived, home=Home(tmp_path / "second"))
    other.home.history.mkdir(parents=True)
    (other.home.history / "a.jsonl").write_bytes(
        (archived.home.history / "codex" / "tea-0002.jsonl").read_bytes()
    )
    assert not ask(other, "basil").total
    assert ask(other, "teapots").total


def test_a_pasted_log_as_query_does_not_fill_the_answer(archived):
    result = ask(archived, "x" * 100_000)
    assert len(TOOL.render(result)) < 2000
    assert len(result.model_dump_json()) < 3000


def test_a_pasted_log_is_shown_short_and_its_missing_words_are_counted(archived):
    result = ask(archived, "knots " + " ".join(f"absent{n}" for n in range(5000)))
    assert result.total > 0
    assert len(result.searched.missing) == 5000
    first, _, told = TOOL.render(result).partition("Nowhere recorded: ")
    assert len(first) < 500
    assert told.splitlines()[0].endswith("absent10, absent11 and 4988 more.")
