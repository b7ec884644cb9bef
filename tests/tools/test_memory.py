"""Past conversations: this session first, or in order by day."""

import dataclasses

import pytest

from generator import limits
from generator.exceptions import ArgumentsError, NotFoundError, UsageError
from generator.settings_edits import set_setting
from generator.tools.memory import TOOL


def ask(workspace, **arguments):
    return TOOL.call(arguments, workspace)


def test_the_current_session_comes_first_whatever_scores_better(archived):
    result = ask(archived, query="garden masts")
    sessions = [hit.session for hit in result.hits]
    assert sessions[:2] == ["boat-0001", "boat-0001"]
    assert "2026-05-04_09-15-00" in sessions[2:]
    assert result.total == len(result.hits)
    assert "session boat-0001 comes first" in result.searched.notes[0]
    other = ask(archived, query="garden masts", session_id="09-15-00")
    assert other.hits[0].session == "2026-05-04_09-15-00"
    assert other.total == result.total


def test_a_word_of_the_current_session_alone_is_not_called_missing(archived):
    assert ask(archived, query="garden masts").searched.missing == []


def test_hits_have_exactly_the_promised_fields(archived):
    answer = ask(archived, query="masts").model_dump(mode="json")
    assert set(answer) == {"hits", "total", "searched"}
    assert set(answer["hits"][0]) == {
        *("ref", "source", "session", "agent", "project", "ts", "role", "thread"),
        *("snippet", "score"),
    }


def test_pages_of_a_search_follow_each_other_across_sessions(archived):
    whole = [hit.ref for hit in ask(archived, query="garden masts lids teapots").hits]
    paged = []
    while len(paged) < len(whole):
        paged += [
            hit.ref
            for hit in ask(
                archived, query="garden masts lids teapots", limit=2, offset=len(paged)
            ).hits
        ]
    assert paged == whole


def test_the_default_limit_is_a_setting_and_top_k_a_limit(archived):
    set_setting(archived.home, "memory_search_default_limit", "1")
    fresh = dataclasses.replace(archived)
    assert len(ask(fresh, query="garden masts").hits) == 1
    assert len(ask(fresh, query="garden masts", top_k=2).hits) == 2
    assert "lowered" in ask(fresh, query="masts", top_k=99999).searched.notes[0]


@pytest.mark.parametrize(
    "days", [["2026-05-03", "2026-05-03"], {"start": "2026-05-03", "end": "2026-05-03"}]
)
def test_a_range_of_days_needs_no_query_and_includes_both(archived, days):
    assert ask(archived, date_range=days).total == 0
    assert ask(archived, date_range=["2026-05-03", "2026-05-04"]).total
    early = ask(archived, date_range=["2026-05-04", None], query="潮汐")
    assert {hit.session for hit in early.hits} == {"cli-01"}


def test_a_day_is_cut_in_the_configured_zone(archived):
    assert ask(archived, query="潮汐", date_range=["2026-05-04", "2026-05-04"]).total
    set_setting(archived.home, "timezone", "UTC")
    utc = dataclasses.replace(archived)
    assert not ask(utc, query="潮汐", date_range=["2026-05-04", "2026-05-04"]).total
    assert ask(utc, query="潮汐", date_range=["2026-05-03", "2026-05-03"]).total


def test_reading_without_date_and_session_reads_the_current_one(archived):
    result = ask(archived)
    assert (result.session, result.chosen) == ("boat-0001", "the newest of this working folder")
    assert [message.n for message in result.messages] == [1, 2, 3, 4, 5, 6]
    assert [message.thread for message in result.messages][2:4] == ["off", "off"]
    assert result.referents == ["conversation:boat-0001#5", "conversation:boat-0001#1"]


@pytest.mark.parametrize("order", ["desc", "newest"])
def test_newest_first_and_page_by_page(archived, order):
    result = ask(archived, mode="read", order=order, limit=2)
    assert [message.n for message in result.messages] == [6, 5]
    assert (result.total, result.next_offset) == (6, 2)
    last = ask(archived, mode="read", order=order, limit=4, offset=2)
    assert [message.n for message in last.messages] == [4, 3, 2, 1]
    assert last.next_offset is None


def test_a_day_of_all_sessions_is_in_order_of_time_without_copies(archived):
    result = ask(archived, date="yesterday")
    assert result.session is None
    times = [message.ts for message in result.messages]
    assert times == sorted(times)
    assert {message.session for message in result.messages} == {
        *("boat-0001", "tea-0002", "child-0003", "cli-01", "2026-05-04_09-15-00")
    }
    assert not any(message.copy_of for message in result.messages)


def test_a_day_of_one_session(archived):
    result = ask(archived, date="2026-05-04", session_id="tea")
    assert {message.session for message in result.messages} == {"tea-0002"}


def test_a_day_without_messages_says_what_was_looked_through(archived):
    result = ask(archived, date="2026-01-01")
    assert result.total == 0
    assert "5 sessions from 2026-05-04 until 2026-05-04 were looked through" in result.notes[0]


def test_the_environment_names_the_session(archived):
    named = dataclasses.replace(archived, environ={"FIELDGUIDE_SESSION": "tea-0002"})
    result = ask(named, mode="read")
    assert (result.session, result.chosen) == ("tea-0002", "named by $FIELDGUIDE_SESSION")
    assert ask(named, mode="read", session_id="boat-0001").session == "boat-0001"


def test_a_variable_that_names_no_session_is_said(archived):
    lost = dataclasses.replace(archived, environ={"FIELDGUIDE_SESSION": "../../x"})
    with pytest.raises(NotFoundError, match="FIELDGUIDE_SESSION names session"):
        ask(lost, mode="read")
    assert "FIELDGUIDE_SESSION names" in ask(lost, query="masts").searched.notes[0]


def test_a_folder_without_a_session_takes_the_newest_of_all_but_no_subagents(archived, tmp_path):
    elsewhere = dataclasses.replace(archived, cwd=tmp_path / "elsewhere")
    result = ask(elsewhere, mode="read")
    assert result.session == "tea-0002"
    assert result.chosen.startswith("the newest of all")


def test_since_alone_means_summarize_and_says_what_is_missing(archived):
    with pytest.raises(UsageError, match="needs since and until"):
        ask(archived, since="2026-05-01")
    assert ask(archived, since="2026-05-01", until="2026-05-04").digest.runs


@pytest.mark.parametrize(
    ("arguments", "error", "told"),
    [
        ({"mode": "search"}, UsageError, "needs query or date_range"),
        ({"query": "x", "date_range": ["2026-05-04"]}, ArgumentsError, "takes days as"),
        ({"query": "x", "date_range": ["2026-05-04", "2026-05-01"]}, UsageError, "lies before"),
        ({"date": "05/04"}, UsageError, "date takes a day"),
        ({"session_id": "nowhere"}, NotFoundError, "5 sessions searched"),
        ({"session_id": "-000"}, UsageError, "sessions fit"),
        ({"limit": 0, "query": "x"}, ArgumentsError, "limit should be at least 1"),
    ],
)
def test_bad_arguments_are_worded(archived, arguments, error, told):
    with pytest.raises(error, match=told):
        ask(archived, **arguments)


def test_an_empty_home_reads_nothing_and_says_so(workspace):
    result = ask(workspace)
    assert (result.session, result.messages) == (None, [])
    assert "history add" in TOOL.render(result)


def test_a_long_session_is_cut_to_the_budget(archived, keep):
    from generator.model.session import Head, Message

    keep(
        "codex",
        "long",
        Head(id="long", agent="codex"),
        *(Message(n=n, id=f"m{n}", role="user", text="字" * 9000) for n in range(1, 60)),
    )
    result = ask(archived, session_id="long")
    assert len(result.messages) == limits.MEMORY_READ_DEFAULT
    assert sum(len(message.text) for message in result.messages) < limits.ANSWER_CHARACTERS * 1.2
    assert all(message.cut and message.characters == 9000 for message in result.messages)


def test_days_may_be_said_in_words(archived):
    by_words = TOOL.call({"mode": "search", "date_range": "yesterday"}, archived)
    by_date = TOOL.call(
        {"mode": "search", "date_range": {"start": "2026-05-04", "end": "2026-05-04"}}, archived
    )
    assert by_words.hits
    assert [hit.ref for hit in by_words.hits] == [hit.ref for hit in by_date.hits]
    assert by_words.searched.after == "2026-05-04T00:00:00+08:00"
    assert "from 2026-05-04T00:00:00+08:00" in TOOL.render(by_words)
    read = TOOL.call({"mode": "read", "date": "昨天"}, archived)
    assert read.total
    assert "'昨天' was read as 2026-05-04" in read.notes[0]
    with pytest.raises(UsageError, match=r"date_range\.start takes a day"):
        TOOL.call({"mode": "search", "date_range": "someday"}, archived)


def test_rounds_are_counted_from_the_end_of_the_session(archived):
    last = ask(archived, mode="read", rounds=1)
    assert [message.n for message in last.messages] == [5, 6]
    assert [message.n for message in ask(archived, mode="read", rounds=2).messages] == [1, 2, 5, 6]
    assert "the last 1 rounds" in last.notes[0]
    assert ask(archived, mode="read", rounds=1, session_id="tea-0002").messages[0].n == 1


def test_a_referent_reads_the_configured_rounds(archived):
    set_setting(archived.home, "referent_context_rounds", "1")
    fresh = dataclasses.replace(archived)
    assert [message.n for message in ask(fresh, mode="read", referent=True).messages] == [5, 6]
    named = ask(fresh, mode="read", referent=True, session_id="boat-0001")
    assert [message.n for message in named.messages] == [1, 2, 3, 4, 5, 6]
    assert ask(fresh, mode="read", referent=True, date="2026-05-04").total > 6


def test_rounds_and_a_date_exclude_each_other(archived):
    with pytest.raises(UsageError, match="rounds or date, not both"):
        ask(archived, mode="read", rounds=2, date="yesterday")
    assert "lowered" in ask(archived, mode="read", rounds=999).notes[0]
