"""Wolffish: eleven sources, a ledger that stands twice, words that are not the assistant's."""

import json

DAILY = "- 09:15:20 | DeepSeek | deepseek-chat | in:1000 out:200 cw:0 cr:3000 | $0.001500\n"
PROVIDER = "- 2026-05-04 09:15:20 | deepseek-chat | in:1000 out:200 cw:0 cr:3000 | $0.001500\n"


def workspace(source, **files):
    source.write("workspace/brain/hippocampus/knowledge/people.md", "# people\n\n## Bo\n- sails\n")
    for name, content in files.items():
        source.write(f"workspace/{name}", content)


def conversation(*messages, **extra):
    return {
        "id": "c-1",
        "title": "T",
        "createdAt": 1777886100000,
        "updatedAt": 1777886200000,
        "messages": list(messages),
        **extra,
    }


def documents(source):
    source.take_in()
    return {document.id: document for _, _, document in source.archive().documents()}


def test_spend_lines_in_both_files_count_once(source):
    workspace(
        source,
        **{
            "usage/daily/2026-05-04.md": "# 2026-05-04\n# 2026-05-04\n\n" + DAILY * 2,
            "usage/providers/deepseek.md": "# DeepSeek\n\n"
            + PROVIDER * 2
            + PROVIDER.replace("2026-05-04", "2026-05-03"),
        },
    )
    assert source.counts()[4] == (3000, 600, 9000, 0)


def test_a_day_that_daily_loses_later_is_not_counted_twice(source):
    workspace(
        source,
        **{"usage/daily/2026-05-04.md": DAILY, "usage/providers/deepseek.md": PROVIDER},
    )
    assert source.counts()[4] == (1000, 200, 3000, 0)
    (source.folder / "workspace/usage/daily/2026-05-04.md").unlink()
    (source.folder / "workspace/usage/providers/deepseek.md").touch()
    assert source.counts()[4] == (1000, 200, 3000, 0)


def test_content_wins_over_deltas_and_worker_words_are_a_sidechain(source):
    def text(words, **extra):
        return {"kind": "text", "delta": words, **extra}

    workspace(
        source,
        **{
            "brain/conversations/conv-c-1.json": conversation(
                {"id": "1", "role": "user", "content": "go", "timestamp": 1},
                {
                    "id": "2",
                    "role": "assistant",
                    "content": "whole",
                    "segments": [text("wh"), text("ole")],
                },
                {
                    "id": "3",
                    "role": "assistant",
                    "content": "",
                    "segments": [text("a"), text("b"), text("theirs", worker="w1")],
                },
                stats={"allTime": {"inputTokens": 99}},
            )
        },
    )
    assert source.counts()[:3] == ((1, 2), (0, 0), (0, 1))
    session = source.session()
    assert [m.text for m in session.messages] == ["go", "whole", "ab", "theirs"]
    assert source.counts()[4] == (None, None, None, None)
    assert session.channel == "electron"


def test_a_denied_call_is_no_error(source):
    def pair(key, status):
        return [
            {"kind": "tool_call", "toolCallId": key, "name": "x", "args": {}},
            {
                "kind": "tool_result",
                "toolCallId": key,
                "status": status,
                "output": "",
                "error": "why",
            },
        ]

    segments = [
        *pair("1", "success"),
        *pair("2", "failed"),
        *pair("3", "denied"),
        pair("4", "x")[0],
    ]
    workspace(
        source,
        **{
            "brain/conversations/conv-c-1.json": conversation(
                {"id": "1", "role": "assistant", "content": "", "segments": segments}
            )
        },
    )
    assert source.counts()[3] == (4, 1, 1)
    assert source.session().messages[0].calls[2].status == "denied"


def test_every_source_becomes_documents(source):
    workspace(
        source,
        **{
            "brain/hippocampus/episodes/2026-05-04.md": "# 2026-05-04\n\n## 09:15 — Plan\n- **User:** x\n\n"
            "## 22:00 [heartbeat] — Nightly\n- **User:** y\n",
            "brain/hippocampus/consolidated/2026-W18.md": "# 2026-W18\n\nweek\n",
            "brain/reflection/a/b.md": "thought\n",
            "brain/motor/tasks/TASK-m1.md": "# Task: Tidy\n\n- **ID:** TASK-m1\n- **Status:** FAILED\n",
            "brain/motor/tasks/TASK-m1-detail.log": "## Step 1: file_read\nlong\n\n## Step 2: shell\nmore\n",
            "brain/basalganglia/2026-05-04.md": "- 09:15:50 | shell | denied\n  - Args: `x`\n  - Reason: no\n",
            "brain/corpus/2026-05-04.log.md": "## 09:15:20.101 [turn t1 conv c-9]\n- e → {}\n",
            "logs/app.log": "line\n" * 10_000,
            "logs/deep/x.jsonl": '{"a": 1}\n',
            "uploads/conv-c-9/a.txt": "canary in an artifact",
            "heartbeat.md": "# Beat\n\n## One\nx\n",
            "whatsapp/read-history.json": json.dumps(
                {
                    "chat-1": [
                        {
                            "fromMe": False,
                            "sender": "Sana",
                            "text": "late",
                            "timestamp": 1777886100,
                        },
                        {"fromMe": True, "text": "ok", "timestamp": 1777886200000},
                    ]
                }
            ),
        },
    )
    found = documents(source)
    assert {item.source for item in found.values()} == {
        "episode",
        "knowledge",
        "consolidated",
        "reflection",
        "task",
        "feedback",
        "corpus",
        "log",
        "artifact",
        "doc",
        "conversation",
    }
    episodes = [found[f"brain/hippocampus/episodes/2026-05-04.md#{n}"] for n in (1, 2)]
    assert [item.origin for item in episodes] == [None, "heartbeat"]
    assert episodes[0].ts.isoformat() == "2026-05-04T01:15:00+00:00"
    task = found["brain/motor/tasks/TASK-m1.md#1"]
    assert (task.task, task.title, task.outcome) == ("TASK-m1", "Tidy", "failed")
    detail = found["brain/motor/tasks/TASK-m1-detail.log#2"]
    assert (detail.task, detail.part, detail.tool) == ("TASK-m1", "detail2", "shell")
    assert found["brain/basalganglia/2026-05-04.md#1"].outcome == "denied"
    assert found["brain/corpus/2026-05-04.log.md#1"].session == "c-9"
    assert len(found["logs/app.log#1"].text) <= 16 * 1024
    artifact = found["uploads/conv-c-9/a.txt"]
    assert (artifact.session, artifact.size) == ("c-9", 21)
    assert "canary" not in artifact.text
    assert "Sana: late" in found["whatsapp/read-history.json#1"].text
    assert "2026-05-04 17:16" in found["whatsapp/read-history.json#1"].text.split("\n")[1]


def test_what_holds_secrets_is_never_read(source, home_folder):
    canary = "canary-7f3a"
    names = [
        "config.json",
        "whatsapp/auth/creds.json",
        "telegram/state.md",
        "extension/x.md",
        "brain/cerebellum/x.md",
        ".debug/x.md",
        "node_modules/x/readme.md",
    ]
    workspace(source, **dict.fromkeys(names, canary))
    (source.folder / "workspace/notes.md").symlink_to("/etc/hostname")
    source.take_in()
    for path in home_folder.rglob("*.jsonl"):
        assert canary.encode() not in path.read_bytes()
        assert b"notes.md" not in path.read_bytes()


def test_a_removed_section_is_marked_and_kept(source):
    workspace(source, **{"notes/a.md": "## One\nx\n## Two\ny\n"})
    assert len(documents(source)) == 3
    workspace(source, **{"notes/a.md": "## One\nx\n"})
    found = documents(source)
    assert found["notes/a.md#2"].removed
    assert found["notes/a.md#2"].text == "y"
