"""Claude.ai: blocks before text, ids that are null, branches, pasted text."""


def message(key, sender, *blocks, parent=None, text="", **extra):
    found = {
        "uuid": key,
        "sender": sender,
        "text": text,
        "content": [
            {"type": "text", "text": item} if isinstance(item, str) else item for item in blocks
        ],
        "created_at": "2026-02-01T12:00:00.000000Z",
        "attachments": [],
        "files": [],
        **extra,
    }
    if parent:
        found["parent_message_uuid"] = parent
    return found


def write(source, *messages, **extra):
    source.write(
        "conversations.json",
        [{"uuid": "k-1", "name": "", "chat_messages": list(messages), **extra}],
    )


ROOT = "00000000-0000-4000-8000-000000000000"


def test_null_ids_pair_in_order_by_name(source):
    def use(name):
        return {"type": "tool_use", "id": None, "name": name, "input": {}}

    def result(name, text, failed=False):
        return {
            "type": "tool_result",
            "tool_use_id": None,
            "name": name,
            "content": [{"type": "text", "text": text}],
            "is_error": failed,
        }

    write(
        source,
        message("a", "human", "q"),
        message(
            "b",
            "assistant",
            use("x"),
            use("y"),
            use("x"),
            result("x", "1"),
            result("x", "2", True),
            "done",
        ),
    )
    assert source.counts() == ((1, 1), (0, 0), (0, 0), (3, 1, 1), (None, None, None, None))
    calls = source.session().messages[1].calls
    assert [call.result for call in calls] == ["1", None, "2"]


def test_blocks_win_over_the_text_that_repeats_them(source):
    write(source, message("a", "human", text="plain"), message("b", "assistant", "block", text="?"))
    assert [m.text for m in source.session().messages] == ["plain", "block"]


def test_branches_follow_the_named_leaf_else_the_latest(source):
    tree = [
        message("a", "human", "q", parent=ROOT),
        message("b", "assistant", "old", parent="a", created_at="2026-02-01T12:00:01Z"),
        message("c", "assistant", "new", parent="a", created_at="2026-02-01T12:00:02Z"),
    ]
    write(source, *tree)
    assert [m.text for m in source.session().thread()] == ["q", "new"]
    write(source, *tree, current_leaf_message_uuid="b", updated_at="2026-02-02T00:00:00Z")
    assert [m.text for m in source.session().thread()] == ["q", "old"]
    assert source.counts()[:2] == ((1, 1), (0, 1))


def test_empty_messages_do_not_count_and_pasted_text_is_kept(source):
    attached = [{"file_name": "n.txt", "file_size": 3, "extracted_content": "灯塔 " * 1000}]
    write(
        source,
        message("a", "human"),
        message("b", "human", attachments=attached),
        message("c", "assistant", {"type": "thinking", "thinking": "t"}),
        message("d", "assistant", {"type": "token_budget"}),
    )
    assert source.counts()[0] == (1, 1)
    assert source.session().messages[0].attachments[0].text == "灯塔 " * 1000


def test_a_result_that_names_neither_call_nor_tool_answers_the_first_open_call(source):
    use = {"type": "tool_use", "id": None, "name": "search", "input": {}}
    result = {"type": "tool_result", "content": [{"type": "text", "text": "found"}]}
    write(source, message("m1", "human", "go"), message("m2", "assistant", use, result, "done"))
    assert source.counts()[3] == (1, 0, 0)
    assert source.session().messages[1].calls[0].result == "found"
