"""Conversations: listed newest first, read a range at a time."""

import pytest

from generator.exceptions import NotFoundError, UsageError
from generator.model.session import Head, Message
from generator.tools import conversation_list, conversation_read, wolffish_recall


def listed(workspace, **arguments):
    return conversation_list.TOOL.call(arguments, workspace)


def read(workspace, **arguments):
    return conversation_read.TOOL.call(arguments, workspace)


def test_conversations_come_newest_first_with_what_tells_them_apart(archived):
    result = listed(archived)
    assert [row.id for row in result.conversations] == [
        *("child-0003", "tea-0002", "boat-0001", "2026-05-04_09-15-00", "cli-01")
    ]
    boat = result.conversations[2]
    assert (boat.title, boat.project, boat.messages) == ("Wind speed", "paperboat", 4)
    assert boat.updated == "2026-05-04T10:30:00+08:00"
    assert result.conversations[0].parent == "tea-0002"
    assert result.channels == {"codex": 2, "agenvoy": 1, "claude-code": 1, "telegram": 1}


@pytest.mark.parametrize(
    ("channel", "ids"),
    [
        ("telegram", ["2026-05-04_09-15-00"]),
        ("wolffish", ["2026-05-04_09-15-00"]),
        ("Claude-Code", ["boat-0001"]),
        ("electron", []),
    ],
)
def test_a_channel_is_one_of_wolffish_or_an_agent(archived, channel, ids):
    result = listed(archived, channel=channel)
    assert [row.id for row in result.conversations] == ids
    if not ids:
        assert "None fits" in conversation_list.TOOL.render(result)


def test_days_are_those_of_the_last_update(archived):
    assert listed(archived, after="2026-05-04", before="2026-05-04").total == 5
    assert listed(archived, after="2026-05-05").total == 0
    assert listed(archived, before="2026-05-03").total == 0


def test_a_query_ranks_by_what_was_said_and_titles_come_along(archived):
    result = listed(archived, query="teapots")
    assert [row.id for row in result.conversations] == ["tea-0002"]
    assert [row.id for row in listed(archived, query="wind").conversations] == ["boat-0001"]
    assert listed(archived, query="zebra").total == 0


def test_the_list_is_paged(archived):
    first = listed(archived, limit=2)
    rest = listed(archived, limit=200, offset=2)
    assert (len(first.conversations), first.next_offset) == (2, 2)
    assert (len(rest.conversations), rest.next_offset) == (3, None)
    assert "lowered from 200 to its maximum, 100" in rest.notes[0]


@pytest.mark.parametrize("name", ["boat-0001", "0001", "BOAT", "conversation:boat-0001", "at-00"])
def test_a_unique_part_of_an_id_is_enough(archived, name):
    assert read(archived, id=name).session == "boat-0001"


def test_an_id_of_wolffish_is_found_under_its_file_name(archived):
    assert read(archived, id="conv-2026-05-04_09-15-00").session == "2026-05-04_09-15-00"


def test_several_or_no_sessions_are_said(archived):
    with pytest.raises(UsageError, match=r"3 sessions fit '-000': .*child-0003"):
        read(archived, id="-000")
    with pytest.raises(NotFoundError, match="5 sessions searched"):
        read(archived, id="../../etc/passwd")


def test_the_last_messages_by_default_and_any_range(archived, keep):
    keep(
        "codex",
        "long",
        Head(id="long", agent="codex"),
        *(Message(n=n, id=f"m{n}", role="user", text=f"say {n}") for n in range(1, 41)),
    )
    last = read(archived, id="long")
    assert (last.first, last.last, last.total) == (26, 40, 40)
    assert "to=25" in conversation_read.TOOL.render(last)
    assert [m.n for m in read(archived, id="long", **{"from": 3, "to": 5}).messages] == [3, 4, 5]
    assert read(archived, id="long", to=10).first == 1
    assert read(archived, id="long", **{"from": 39}).last == 40
    beyond = read(archived, id="long", **{"from": 99})
    assert beyond.messages == []
    assert "ends at message 40" in beyond.notes[0]
    with pytest.raises(UsageError, match="lies before from"):
        read(archived, id="long", **{"from": 5, "to": 3})


def test_a_range_past_the_maximum_is_cut_and_said(archived, keep):
    keep(
        "codex",
        "huge",
        Head(id="huge", agent="codex"),
        *(Message(n=n, id=f"m{n}", role="user", text="x") for n in range(1, 301)),
    )
    result = read(archived, id="huge", **{"from": 1, "to": 300})
    assert (result.first, result.last) == (1, 200)
    assert "lowered from 300 to its maximum, 200" in result.notes[0]
    assert "from=201" in conversation_read.TOOL.render(result)


def test_text_alone_calls_alone_or_both(archived):
    texts = read(archived, id="boat-0001", what="messages")
    assert not any(message.calls for message in texts.messages)
    calls = read(archived, id="boat-0001", what="tools")
    assert [message.n for message in calls.messages] == [2]
    assert calls.messages[0].text == ""
    both = read(archived, id="boat-0001")
    assert both.messages[1].text
    assert len(both.messages[1].calls) == 3


def test_full_detail_cuts_less(archived):
    brief = read(archived, id="boat-0001").messages[1].calls[0]
    full = read(archived, id="boat-0001", detail="full").messages[1].calls[0]
    assert brief.cut
    assert len(brief.result) < len(full.result)


def test_the_archive_file_is_named_and_gives_the_bytes(archived):
    result = read(archived, id="boat-0001")
    assert result.file == "file:history/claude-code/boat-0001.jsonl"
    assert result.file in conversation_read.TOOL.render(result)


def test_a_sidechain_is_read_under_its_session(archived):
    result = read(archived, id="boat-0001/a1b2")
    assert result.ref == "conversation:boat-0001/a1b2"
    assert [message.thread for message in result.messages] == ["side", "side"]
    with pytest.raises(UsageError, match=r"has no sidechain 'zz'\. Its sidechains: a1b2"):
        read(archived, id="boat-0001/zz")


def test_one_day_of_one_source_under_the_older_name(archived):
    def recall(**arguments):
        return wolffish_recall.TOOL.call(arguments, archived)

    assert {hit.source for hit in recall(date="2026-05-04", source="tasks").hits} == {"task"}
    assert [hit.ref for hit in recall(query="basil", source="episodes").hits] == [
        "file:brain/hippocampus/episodes/2026-05-04.md#1"
    ]
    assert recall(date="2026-05-04").total > len(recall(date="2026-05-04").hits) == 8
    assert "maximum, 30" in recall(query="basil", limit=31).searched.notes[0]
    with pytest.raises(UsageError, match="needs query or date"):
        recall()


def test_a_ranked_list_is_paged_without_repeats_and_counts_every_session(archived, keep):
    for number in range(30):
        words = ["reef"] * (1 + number % 3) + ["filler"] * 20
        keep(
            "codex",
            f"r{number}",
            Head(
                id=f"reef-{number:02d}", agent="codex", project="p", title="Reef" if number else ""
            ),
            *(Message(n=n, id=f"m{n}", role="user", text=" ".join(words)) for n in range(1, 40)),
        )
    keep("codex", "titled", Head(id="only-titled", agent="codex", title="All about the reef"))
    pages = [listed(archived, query="reef", limit=7, offset=offset) for offset in range(0, 35, 7)]
    ids = [row.id for page in pages for row in page.conversations]
    assert {page.total for page in pages} == {31}
    assert len(ids) == len(set(ids)) == 31
    assert ids[-1] == "only-titled"
    assert pages[-1].next_offset is None
    narrowed = listed(archived, query="reef", channel="agenvoy")
    assert narrowed.total == 0
