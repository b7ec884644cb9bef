"""The index stays in step with the files and answers with refs, totals and coverage."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from lines import LineCollection

from generator.exceptions import UsageError
from generator.search import Filters, SearchIndex

Refs = Callable[..., list[str]]


def test_finds_what_was_written(lines: LineCollection, refs: Refs) -> None:
    lines.say("a.jsonl", "deploy the service", "nothing here", "the service was deployed")
    assert refs("deploy") == ["a#1", "a#3"]


def test_hits_with_all_words_come_first(lines: LineCollection, refs: Refs) -> None:
    lines.say("a.jsonl", "alpha alpha alpha", "beta", "some long text with alpha and with beta")
    assert refs("alpha beta")[0] == "a#3"
    assert sorted(refs("alpha beta")) == ["a#1", "a#2", "a#3"]


def test_an_empty_query_is_an_error(index: SearchIndex) -> None:
    for query in ("", "  ", '""', '"  "'):
        with pytest.raises(UsageError, match="empty"):
            index.search(query)


def test_an_appended_file_is_read_from_where_it_ended(
    lines: LineCollection, index: SearchIndex, refs: Refs
) -> None:
    lines.say("a.jsonl", "first message")
    assert refs("first") == ["a#1"]
    end = (lines.folder / "a.jsonl").stat().st_size
    lines.say("a.jsonl", "second message", mode="a")
    assert refs("second") == ["a#2"]
    assert lines.reads == [("a.jsonl", 0), ("a.jsonl", end)]
    assert index.search("message").total == 2


def test_a_line_that_replaces_another_is_read_alone(
    lines: LineCollection, index: SearchIndex, refs: Refs
) -> None:
    lines.write("a.jsonl", {"text": "first", "ts": 1.0}, {"text": "half a reply", "ts": 2.0})
    assert refs("reply") == ["a#2"]
    end = (lines.folder / "a.jsonl").stat().st_size
    whole = {"text": "the whole reply", "ref": "conversation:a#2", "ts": 2.0}
    lines.write("a.jsonl", whole, mode="a")
    assert refs("reply") == ["a#2"]
    assert refs("half") == []
    assert lines.reads == [("a.jsonl", 0), ("a.jsonl", end)]
    searched = index.coverage()
    assert (searched.entries, searched.oldest, searched.newest) == (2, 1.0, 2.0)
    assert index.browse().total == 2


def test_a_file_whose_newest_entry_became_older_is_read_anew(
    lines: LineCollection, index: SearchIndex
) -> None:
    lines.write("a.jsonl", {"text": "first", "ts": 1.0}, {"text": "second", "ts": 9.0})
    index.refresh()
    earlier = {"text": "second", "ref": "conversation:a#2", "ts": 5.0}
    lines.write("a.jsonl", earlier, mode="a")
    index.refresh()
    assert lines.reads[-1] == ("a.jsonl", 0)


def test_a_rewritten_file_is_read_anew(lines: LineCollection, refs: Refs) -> None:
    lines.say("a.jsonl", "old words", "kept")
    assert refs("old") == ["a#1"]
    lines.say("a.jsonl", "new words and more of them", "kept", "longer")
    assert refs("old") == []
    assert refs("kept") == ["a#2"]


def test_a_deleted_file_leaves_the_index(lines: LineCollection, refs: Refs) -> None:
    path = lines.say("a.jsonl", "gone soon")
    lines.say("b.jsonl", "here to stay, not gone")
    assert refs("gone") == ["a#1", "b#1"]
    path.unlink()
    assert refs("gone") == ["b#1"]


def test_filters(lines: LineCollection, index: SearchIndex) -> None:
    lines.write(
        "a.jsonl",
        {"text": "word", "session": "s1", "role": "user", "ts": 100.0, "agent": "codex"},
        {"text": "word", "session": "s1", "role": "tool", "tool": "Bash", "ts": 200.0},
        {"text": "word", "session": "s2", "role": "assistant", "thread": "off"},
        {"text": "word", "source": "note", "project": "Demo"},
    )

    def total(**filters: object) -> int:
        return index.search("word", filters=Filters(**filters)).total  # type: ignore[arg-type]

    assert total() == 4
    assert total(sessions=("S1",)) == 2
    assert total(not_sessions=("s1",)) == 2
    assert total(roles=("user", "assistant")) == 2
    assert total(tools=("bash",)) == 1
    assert total(sources=("note",)) == 1
    assert total(projects=("demo",)) == 1
    assert total(agents=("codex",), roles=("user",)) == 1
    assert total(threads=("off",)) == 1
    assert total(after=100.0, before=200.0) == 1
    assert total(after=100) == 2


def test_coverage_tells_which_filter_emptied_the_answer(
    lines: LineCollection, index: SearchIndex
) -> None:
    lines.write("a.jsonl", {"text": "word", "agent": "codex", "ts": 5.0, "role": "user"})
    searched = index.search("word", filters=Filters(agents=("claude",), roles=("user",))).searched
    assert searched.emptied_by == "agents"
    assert searched.known == ("codex",)
    assert (searched.entries, searched.files, searched.oldest, searched.newest) == (1, 1, 5.0, 5.0)
    assert searched.sources == {"conversation": 1}


def test_orders(lines: LineCollection, refs: Refs) -> None:
    lines.write(
        "a.jsonl",
        {"text": "word word word", "ts": 1.0},
        {"text": "word and other things", "ts": 1_776_999_000.0},
        {"text": "word without a time, and with many other things that make it long"},
    )
    assert refs("word") == ["a#1", "a#2", "a#3"]
    assert refs("word", order="recent") == ["a#2", "a#1", "a#3"]
    assert refs("word", order="newest") == ["a#2", "a#1", "a#3"]
    assert refs("word", order="oldest") == ["a#1", "a#2", "a#3"]


def test_browse_lists_without_words(lines: LineCollection, index: SearchIndex) -> None:
    lines.write("a.jsonl", {"text": "one", "ts": 1.0}, {"text": "two", "ts": 2.0})
    results = index.browse(limit=1)
    assert [hit.snippet.text for hit in results.hits] == ["two"]
    assert results.total == 2


def test_pages(lines: LineCollection, index: SearchIndex) -> None:
    lines.say("a.jsonl", *(["word"] * 25))
    pages = [index.search("word", limit=10, offset=offset).hits for offset in (0, 10, 20)]
    refs = [hit.ref for page in pages for hit in page]
    assert len(refs) == len(set(refs)) == 25
