"""opencode: database, old files and export tell of one session."""

import json
import sqlite3

import pytest

TABLES = """
CREATE TABLE session (id TEXT, project_id TEXT, parent_id TEXT, directory TEXT, title TEXT,
    version TEXT, time_created INTEGER, time_updated INTEGER);
CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, data TEXT);
CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, data TEXT);
"""


def tokens(fresh, out, reasoning, read, write, total=None):
    found = {
        "input": fresh,
        "output": out,
        "reasoning": reasoning,
        "cache": {"read": read, "write": write},
    }
    return {**found, "total": total} if total is not None else found


def database(source, messages, name="opencode.db", wal=False):
    path = source.folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path)
    if wal:
        connection.execute("PRAGMA journal_mode = WAL")
    connection.executescript(TABLES)
    connection.execute(
        "INSERT INTO session VALUES ('ses_1', 'p', NULL, '/srv/maze', 'T', '1', 1773000000000, 1773000060000)"
    )
    for key, info, parts in messages:
        connection.execute(
            "INSERT INTO message VALUES (?, 'ses_1', 1773000000000, ?)", (key, json.dumps(info))
        )
        for number, part in enumerate(parts):
            connection.execute(
                "INSERT INTO part VALUES (?, ?, 'ses_1', ?)",
                (f"prt_{key}_{number}", key, json.dumps(part)),
            )
    connection.commit()
    return connection


def text(words, **extra):
    return {"type": "text", "text": words, **extra}


def files(source, messages, session=None):
    head = {
        "id": "ses_1",
        "projectID": "p",
        "directory": "/srv/maze",
        "time": {"created": 1773000000000, "updated": 1773000060000},
    }
    source.write("storage/session/p/ses_1.json", {**head, **(session or {})})
    for key, info, parts in messages:
        source.write(f"storage/message/ses_1/{key}.json", {"id": key, **info})
        for number, part in enumerate(parts):
            source.write(f"storage/part/{key}/prt_{number}.json", part)


ASKED = ("msg_1", {"role": "user"}, [text("go")])


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (tokens(10, 20, 5, 3, 4), (10, 25, 3, 4)),
        (tokens(10, 20, 5, 3, 4, total=37), (10, 20, 3, 4)),
        (tokens(10, 20, 5, 3, 4, total=42), (10, 25, 3, 4)),
    ],
)
def test_whether_reasoning_stands_in_output_shows_in_the_total(source, given, expected):
    steps = [
        text("ok"),
        {"type": "step-finish", "tokens": given},
        {"type": "step-finish", "tokens": given},
    ]
    files(source, [ASKED, ("msg_2", {"role": "assistant", "tokens": given}, steps)])
    assert source.counts()[4] == expected


def test_the_database_wins_over_old_files(source):
    reply = {"role": "assistant", "tokens": tokens(1, 1, 0, 0, 0)}
    files(source, [ASKED, ("msg_2", reply, [text("from the files")])])
    database(source, [ASKED, ("msg_2", reply, [text("from the database")])]).close()
    total = source.total()
    assert total["sessions"] == 1
    assert source.counts(total) == ((1, 1), (0, 0), (0, 0), (0, 0, 0), (1, 1, 0, 0))
    assert source.session().messages[1].text == "from the database"
    (source.folder / "storage/session/p/ses_1.json").touch()
    assert source.session().messages[1].text == "from the database"


def test_what_only_the_write_ahead_log_holds_is_read(source):
    connection = database(
        source, [ASKED, ("msg_2", {"role": "assistant"}, [text("late")])], wal=True
    )
    try:
        assert source.counts()[0] == (1, 1)
    finally:
        connection.close()


def test_injected_text_is_no_prompt_and_a_summary_no_reply(source):
    files(
        source,
        [
            ("msg_1", {"role": "user"}, [text("x", synthetic=True), text("y", ignored=True)]),
            ("msg_2", {"role": "user"}, [text("real")]),
            (
                "msg_3",
                {"role": "assistant", "summary": True, "tokens": tokens(7, 1, 0, 0, 0)},
                [text("sum")],
            ),
        ],
    )
    assert source.counts() == ((1, 0), (0, 0), (0, 0), (0, 0, 0), (7, 1, 0, 0))


def test_a_revert_takes_that_message_and_later_ones_off(source):
    turn = [
        ASKED,
        ("msg_2", {"role": "assistant", "tokens": tokens(1, 1, 0, 0, 0)}, [text("kept")]),
        ("msg_3", {"role": "user"}, [text("oops")]),
        ("msg_4", {"role": "assistant", "tokens": tokens(1, 1, 0, 0, 0)}, [text("gone")]),
    ]
    files(source, turn, {"revert": {"messageID": "msg_3"}})
    assert source.counts() == ((1, 1), (1, 1), (0, 0), (0, 0, 0), (2, 2, 0, 0))


def test_call_and_result_are_one_part(source):
    def tool(key, status, **state):
        return {"type": "tool", "callID": key, "tool": "bash", "state": {"status": status, **state}}

    parts = [
        tool("1", "completed", output="o", time={"start": 1773000000000, "compacted": 1}),
        tool("2", "error", error="e"),
        tool("3", "running"),
        tool("4", "pending"),
    ]
    files(source, [ASKED, ("msg_2", {"role": "assistant"}, parts)])
    assert source.counts()[3] == (4, 1, 2)
    assert source.session().messages[1].calls[0].result == "o"


def test_a_broken_part_costs_only_itself(source):
    files(source, [ASKED, ("msg_2", {"role": "assistant"}, [text("a"), text("b")])])
    source.write("storage/part/msg_2/prt_0.json", '{"type": "te')
    row = source.row("ses_1.json")
    assert row["messages"] == {"user": 1, "assistant": 1}
    assert "prt_0.json" in row["skipped"][0]["reason"]
