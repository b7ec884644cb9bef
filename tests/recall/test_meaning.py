"""Search by meaning as tools give it: neighbours, coverage, both kinds joined, no extra at all."""

from datetime import UTC, datetime, timedelta

import pytest

from generator.history.canonical import encode
from generator.model.session import Head, Message
from generator.recall import meaning as module
from generator.settings_edits import set_setting
from generator.tools.chat_history import TOOL as CHAT
from generator.tools.memory_search import TOOL as SEARCH

START = datetime(2026, 5, 4, 2, 0, tzinfo=UTC)
TALK = (
    "Let us talk about the garden today.",
    "Fine, the tomatoes look good.",
    "And what about the bill for the plumber?",
    "It came to 240 euros and is paid.",
    "Thanks, that is all for now.",
    "Good night.",
    "接下來要把倉庫的溫度警報關掉",
    "警報已經停用，感應器也拆下來了。",
)


@pytest.fixture
def talked(workspace):
    folder = workspace.home.history / "codex"
    folder.mkdir(parents=True)
    with (folder / "s.jsonl").open("wb") as handle:
        handle.write(encode(Head(id="s-1", agent="codex", created=START, updated=START)))
        for n, text in enumerate(TALK, start=1):
            role = "user" if n % 2 else "assistant"
            ts = START + timedelta(minutes=n)
            handle.write(encode(Message(n=n, id=f"m{n}", role=role, text=text, ts=ts)))
    return workspace


def semantic(workspace, keyword, **more):
    arguments = {"mode": "search", "match": "semantic", "keyword": keyword, **more}
    return CHAT.call(arguments, workspace)


def test_each_hit_comes_with_two_before_and_one_after(talked):
    result = semantic(talked, "how much did the repair of the pipes cost", limit=1)
    (hit,) = result.hits
    assert hit.ref in ("conversation:s-1#3", "conversation:s-1#4")
    n = int(hit.ref[-1])
    assert [item.ref[-1] for item in hit.before] == [str(n - 2), str(n - 1)]
    assert [item.text for item in hit.after] == [TALK[n]]
    assert f"  > ({hit.after[0].role}) {TALK[n]}" in CHAT.render(result)


def test_meaning_crosses_languages_and_respects_filters(talked):
    assert semantic(talked, "switch off the temperature alarm").hits[0].ref.endswith(("#7", "#8"))
    assert semantic(talked, "garden", time_range="1d").hits == []
    missed = SEARCH.call(
        {"query": "garden", "order": "semantic", "session": "other", "agent": "codex"}, talked
    )
    assert missed.total == 0


def test_both_kinds_are_joined_and_full_matches_come_first(talked):
    result = SEARCH.call({"query": "plumber bill", "order": "hybrid"}, talked)
    assert result.hits[0].ref == "conversation:s-1#3"
    assert "**bill**" in result.hits[0].snippet
    assert len(result.hits) == result.total == len(TALK)
    rest = SEARCH.call({"query": "plumber bill", "order": "hybrid", "offset": 3}, talked)
    assert [hit.ref for hit in rest.hits] == [hit.ref for hit in result.hits[3:]]


def test_other_sources_have_no_meaning_and_are_found_by_words(talked):
    talked.home.notes.mkdir()
    (talked.home.notes / "pets.md").write_text("The dog eats twice a day.", "utf-8")
    found = SEARCH.call({"query": "dog", "order": "hybrid", "sources": "note"}, talked)
    assert [hit.ref for hit in found.hits] == ["note:pets"]


def test_what_is_covered_is_said(talked):
    set_setting(talked.home, "semantic_messages", "3")
    notes = semantic(talked, "alarm").searched.notes
    assert notes == ["meanings cover the newest 3 of 8 messages, back to 2026-05-04"]


def test_what_is_not_covered_yet_is_said(talked, monkeypatch):
    monkeypatch.setattr("generator.search.meaning._BATCH", 2)
    monkeypatch.setattr(module.limits, "SEMANTIC_SECONDS", 0)
    notes = semantic(talked, "alarm").searched.notes
    assert notes[1].startswith("6 more follow with the next searches")
    assert semantic(talked, "alarm").searched.notes != notes


def test_history_index_makes_all_vectors(talked, run):
    assert run("history", "index").code == 0
    assert (talked.home.index / "meaning.vectors").stat().st_size > 8 * 512


def test_without_the_extra_words_are_searched_and_that_is_said(talked, monkeypatch):
    monkeypatch.setattr("generator.search.embedding.find_spec", lambda name: None)
    result = semantic(talked, "plumber")
    assert [hit.ref for hit in result.hits] == ["conversation:s-1#3"]
    assert result.hits[0].before == []
    assert "fieldguide[semantic]" in result.searched.notes[0]
    both = SEARCH.call({"query": "plumber", "order": "hybrid"}, talked)
    assert [hit.ref for hit in both.hits] == ["conversation:s-1#3"]
    assert "fieldguide[semantic]" in both.searched.notes[0]


def test_an_empty_archive_is_no_error(workspace):
    assert semantic(workspace, "anything").hits == []


def test_the_command_takes_the_orders(talked, run):
    outcome = run("memory", "search", "plumber", "bill", "--order", "hybrid")
    assert outcome.code == 0
    assert "conversation:s-1#3" in outcome.out
    assert run("chat", "search", "alarm", "--match", "semantic").code == 0
