"""Agenvoy: prefaces, the join of folder and database, calls in flight, trimmed logs."""

import json
import sqlite3

from generator.settings_edits import set_setting

NS = 1_775_006_880_000_000_000  # 2026-04-01 09:28:00 in Shanghai


def store(source, rows, columns="sender TEXT NOT NULL DEFAULT ''"):
    path = source.folder / "store" / "history.db"
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path)
    extra = f", {columns}" if columns else ""
    connection.execute(
        "CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, send_at INTEGER, "
        f"role TEXT, content TEXT{extra})"
    )
    connection.execute("CREATE TABLE session_meta (session_id TEXT, start_at INTEGER)")
    connection.executemany(
        "INSERT INTO messages (session_id, send_at, role, content) VALUES (?, ?, ?, ?)", rows
    )
    connection.commit()
    connection.close()


def history(source, rows, session="cli-1"):
    source.write(f"sessions/{session}/history.json", rows)
    source.write(f"sessions/{session}/usage.log", "")
    source.write(f"sessions/{session}/action.log", "[2026-04-01 09:28:00.000][ab][user] hi\n")


def test_a_preface_is_stripped_and_used(source):
    history(
        source,
        [
            {
                "role": "user",
                "content": "---\n當前時間: 2026-04-01 09:28:00\n傳送者: 小船\n工作目錄: /srv/boat\n---\nhello",
            },
            {
                "role": "user",
                "content": "sendAt: 2026-04-01 09:29:00\nsender: bo\nchannelId: 5\nworld",
            },
            {"role": "user", "content": "---\ntitle: mine\n---\nkept", "sendAt": NS + 10**12},
        ],
    )
    session = source.session()
    assert [m.text for m in session.messages] == ["hello", "world", "---\ntitle: mine\n---\nkept"]
    assert [m.sender for m in session.messages] == ["小船", "bo", None]
    assert session.cwd == "/srv/boat"
    assert session.messages[0].ts.timestamp() == NS / 1e9


def test_folder_and_database_are_joined(source):
    store(
        source,
        [
            ("cli-1", NS - 10**12, "user", "trimmed from the front"),
            ("cli-1", NS, "user", "hello"),
            ("cli-1", NS + 10**9, "assistant", "yes"),
            ("cli-1", NS + 2 * 10**9, "user", ""),
            ("tg-2", NS, "user", "ping"),
        ],
        columns="channel_id TEXT",
    )
    history(
        source,
        [
            {"role": "user", "content": "hello"},
            {"role": "assistant", "content": "yes", "sendAt": NS + 10**9},
            {"role": "user", "content": "newest", "sendAt": NS + 10**10},
        ],
    )
    total = source.total()
    assert total["sessions"] == 2
    assert total["messages"] == {"user": 4, "assistant": 1}
    texts = [m.text for m in source.session("cli-1").messages]
    assert texts == ["trimmed from the front", "hello", "yes", "newest"]
    assert source.session("tg-2").channel == "telegram"


def test_a_preface_in_the_clock_of_another_zone_is_still_the_same_message(source):
    (source.home.root / "config.json").write_text('{"timezone": "UTC"}')
    store(source, [("cli-1", NS, "user", "hello"), ("cli-1", NS + 10**9, "assistant", "yes")])
    preface = "---\n當前時間: 2026-04-01 09:28:00\n傳送者: 小船\n---\n"
    history(
        source,
        [
            {"role": "user", "content": preface + "hello"},
            {"role": "assistant", "content": "yes", "sendAt": NS + 10**9},
        ],
    )
    assert source.total()["messages"] == {"user": 1, "assistant": 1}
    (first, _) = source.session("cli-1").messages
    assert (first.ts.timestamp(), first.sender) == (NS / 1e9, "小船")


def test_a_history_that_was_cut_from_the_front_loses_nothing(source):
    rows = [{"role": "user", "content": str(n), "sendAt": NS + n * 10**9} for n in range(5)]
    history(source, rows)
    assert source.counts()[0] == (5, 0)
    history(source, rows[3:])
    assert source.counts()[0] == (5, 0)


def test_equal_messages_in_one_second_are_two(source):
    history(source, [{"role": "user", "content": "go", "sendAt": NS}] * 2)
    assert source.counts()[0] == (2, 0)
    assert source.counts()[0] == (2, 0)


def test_calls_are_results_and_attempts_without_one(source):
    history(source, [{"role": "user", "content": "go", "sendAt": NS}])
    source.write(
        "sessions/cli-1/history/2026-04-01-09-30-5f0c-1d2e.json",
        {
            "objective": "look",
            "tool_results": [
                {"name": "a", "id": "1", "result": "x"},
                {"name": "b", "id": "2", "result": "y"},
            ],
            "tool_attempts": [
                {"name": "b", "id": "2", "args": "{}"},
                {"name": "c", "id": "3", "args": '{"q": 1}'},
            ],
            "reply": "done",
        },
    )
    source.write("sessions/cli-1/history/2026-04-01-09-31-empty.json", {})
    assert source.counts()[3] == (3, 0, 1)
    first, second = source.session().actions
    assert (first.id, first.reply, first.calls[2].arguments) == ("5f0c-1d2e", "done", {"q": 1})
    assert first.ended.isoformat() == "2026-04-01T01:30:00+00:00"
    assert second.id == "empty"


def test_ledger_lines_map_to_four_numbers_and_equal_ones_are_two(source):
    history(source, [{"role": "user", "content": "go", "sendAt": NS}])
    line = "[2026-04-01 09:28:10.120][claude@opus] in/12     out/3 write/8   hit/50   \n"
    source.write(
        "sessions/cli-1/usage.log", "28:10.120][claude@opus] in/1 out/1 write/1 hit/1\n" + line * 2
    )
    assert source.counts()[4] == (24, 6, 100, 16)
    row = source.row("cli-1")
    assert "partial" in row["skipped"][0]["reason"]
    assert row["tokens"]["total"] == 146
    usage = source.session().usage[0]
    assert (usage.provider, usage.model) == ("claude", "opus")


def test_content_without_text_does_not_count(source):
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    rows = [
        {"role": "assistant", "content": None, "sendAt": NS},
        {"role": "user", "content": [image], "sendAt": NS},
        {"role": "user", "content": [{"type": "text", "text": "see"}, image], "sendAt": NS},
    ]
    history(source, rows)
    assert source.counts()[0] == (1, 0)
    assert source.session().messages[0].attachments[0].kind == "image/png"
    assert json.dumps(rows)


def test_an_entry_without_a_time_is_known_again_when_the_front_is_cut_away(source):
    rows = [
        {"role": "user", "content": "one", "sendAt": NS},
        {"role": "assistant", "content": "reply one"},
        {"role": "user", "content": "two", "sendAt": NS + 10**11},
        {"role": "assistant", "content": "reply two"},
    ]
    history(source, rows)
    assert source.counts()[0] == (2, 2)
    history(source, rows[1:])
    assert source.counts()[0] == (2, 2)


def test_a_session_is_known_though_no_line_of_its_ledger_fits(source):
    source.write("sessions/cli-1/history.json", [{"role": "user", "content": "go", "sendAt": NS}])
    source.write("sessions/cli-1/usage.log", "28:10.120][claude@opus] in/1 ou")
    assert source.counts()[0] == (1, 0)
    assert "partial" in source.row("cli-1")["skipped"][0]["reason"]


def test_times_without_a_zone_are_read_anew_when_the_zone_changes(source):
    preface = "---\n當前時間: 2026-03-02 03:00:00\n---\n"
    history(source, [{"role": "user", "content": f"{preface}hello"}])
    source.write(
        "sessions/cli-1/usage.log", "[2026-03-02 03:00:01.000][a@m] in/1 out/1 write/1 hit/1\n"
    )
    assert source.session().messages[0].ts.isoformat() == "2026-03-01T19:00:00+00:00"
    set_setting(source.home, "timezone", "UTC")
    session = source.session()
    assert [item.ts.isoformat() for item in session.messages] == ["2026-03-02T03:00:00+00:00"]
    assert [item.ts.isoformat() for item in session.usage] == ["2026-03-02T03:00:01+00:00"]
    before = source.counts()
    assert source.counts() == before == ((1, 0), (0, 0), (0, 0), (0, 0, 0), (1, 1, 1, 1))
