"""ChatGPT: trees with branches and loops, replies made of several nodes, ZIPs."""

import io
import json
import zipfile


def node(key, parent, message=None, children=()):
    return {"id": key, "parent": parent, "children": list(children), "message": message}


def msg(role, *parts, time=None, recipient="all", kind="text", name=None, **extra):
    content = {"content_type": kind}
    content.update({"parts": list(parts)} if kind in ("text", "multimodal_text") else parts[0])
    return {
        "author": {"role": role, "name": name, "metadata": {}},
        "create_time": time,
        "content": content,
        "recipient": recipient,
        "weight": 1.0,
        "metadata": {},
        **extra,
    }


def conversation(nodes, current, key="c-1", **extra):
    return {
        "conversation_id": key,
        "title": "T",
        "create_time": 1772500000.5,
        "update_time": 1772500300.0,
        "current_node": current,
        "mapping": {item["id"]: item for item in nodes},
        **extra,
    }


CHAIN = [
    node("r", None, None, ["u"]),
    node("u", "r", msg("user", "q", time=10), ["a", "b"]),
    node("a", "u", msg("assistant", "first", time=11)),
    node("b", "u", msg("assistant", "second", time=12), ["u2"]),
    node("u2", "b", msg("user", "more", time=13)),
]


def test_the_thread_is_the_walk_from_the_current_node(source):
    source.write("conversations.json", [conversation(CHAIN, "b")])
    assert source.counts()[:2] == ((1, 1), (1, 1))
    active = [message.text for message in source.session().thread()]
    assert active == ["q", "second"]


def test_without_a_valid_current_node_the_newest_leaf_is_taken(source):
    source.write("conversations.json", [conversation(CHAIN, "gone")])
    assert source.counts()[:2] == ((2, 1), (0, 1))


def test_links_that_loop_end_the_walk(source):
    nodes = [
        node("x", "y", msg("user", "q", time=1), ["y"]),
        node("y", "x", msg("assistant", "a", time=2), ["x"]),
    ]
    source.write("conversations.json", [conversation(nodes, "nowhere")])
    assert source.counts()[:2] == ((1, 1), (0, 0))


def test_a_missing_parent_ends_the_walk(source):
    nodes = [node("u", "lost", msg("user", "q"), ["a"]), node("a", "u", msg("assistant", "a"))]
    source.write("conversations.json", [conversation(nodes, "a")])
    assert source.counts()[:2] == ((1, 1), (0, 0))


def test_thinking_calls_and_results_join_the_reply_they_lead_to(source):
    nodes = [
        node("u", None, msg("user", "q"), ["t"]),
        node(
            "t",
            "u",
            msg("assistant", {"thoughts": [{"summary": "s", "content": "c"}]}, kind="thoughts"),
            ["c"],
        ),
        node(
            "c",
            "t",
            msg(
                "assistant", {"language": "python", "text": "1+1"}, kind="code", recipient="python"
            ),
            ["o"],
        ),
        node("o", "c", msg("tool", {"text": "2"}, kind="execution_output", name="python"), ["e"]),
        node("e", "o", msg("assistant", {"text": "x"}, kind="code", recipient="browser"), ["f"]),
        node(
            "f",
            "e",
            msg("tool", {"name": "E", "text": "down"}, kind="system_error", name="browser"),
            ["z"],
        ),
        node(
            "z",
            "f",
            msg(
                "assistant",
                "two \ue200cite\ue202turn0\ue201【3†source】!",
                metadata={"model_slug": "o3"},
            ),
        ),
    ]
    source.write("conversations.json", [conversation(nodes, "z")])
    assert source.counts() == ((1, 1), (0, 0), (0, 0), (2, 1, 0), (None, None, None, None))
    reply = source.session().messages[1]
    assert (reply.text, reply.thinking, reply.model) == ("two !", "s\n\nc", "o3")
    assert [call.result for call in reply.calls] == ["2", "E: down"]


def test_a_call_that_led_to_nothing_is_one_unfinished_reply(source):
    nodes = [
        node("u", None, msg("user", "q"), ["c"]),
        node("c", "u", msg("assistant", {"text": "x"}, kind="code", recipient="python")),
    ]
    source.write("conversations.json", [conversation(nodes, "c")])
    assert source.counts()[0] == (1, 1)
    assert source.counts()[3] == (1, 0, 1)


def test_hidden_and_empty_nodes_are_no_messages(source):
    nodes = [
        node("s", None, msg("system", ""), ["p"]),
        node("p", "s", msg("user", {"user_profile": "x"}, kind="user_editable_context"), ["h"]),
        node(
            "h",
            "p",
            msg("user", "hidden", metadata={"is_visually_hidden_from_conversation": True}),
            ["w"],
        ),
        node("w", "h", msg("assistant", "weightless", weight=0), ["u"]),
        node("u", "w", msg("user", "seen"), ["e"]),
        node("e", "u", msg("assistant", "")),
    ]
    source.write("conversations.json", [conversation(nodes, "e")])
    assert source.counts()[:2] == ((1, 0), (0, 0))


def test_of_two_exports_the_later_wins(source):
    later = conversation(CHAIN, "u2", update_time=1772600000.0)
    source.write("1/conversations.json", [later])
    source.write("2/conversations.json", [conversation(CHAIN, "a")])
    total = source.total()
    assert total["sessions"] == 1
    assert source.counts(total)[:2] == ((2, 1), (0, 1))


def test_numbers_stay_when_a_branch_is_added(source):
    path = source.write("conversations.json", [conversation(CHAIN[:3], "a")])
    before = {m.id: m.n for m in source.session().messages}
    path.write_text(json.dumps([conversation(CHAIN, "u2", update_time=1772600000.0)]))
    after = {m.id: m.n for m in source.session().messages}
    assert before.items() <= after.items()
    assert source.counts()[:2] == ((2, 1), (0, 1))


def test_a_zip_is_read_as_it_comes(source):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("user.json", "{}")
        archive.writestr("conversations-000.json", json.dumps([conversation(CHAIN, "b")]))
        archive.writestr("conversations-001.json", json.dumps([conversation(CHAIN, "b", "c-2")]))
    source.write("export.zip", packed.getvalue())
    assert source.total()["sessions"] == 2
    assert source.row("export.zip")["format"] == "chatgpt"


def test_one_broken_conversation_costs_only_itself(source):
    good = json.dumps(conversation(CHAIN, "b"))
    text = f'[{good},{{"mapping": {{,}}}}, {good.replace("c-1", "c-2")}, 7]'
    source.write("conversations.json", text)
    row = source.row("conversations.json")
    assert row["sessions"] == 2
    assert [skipped["line"] for skipped in row["skipped"]] == [2]


def test_a_cut_export_keeps_what_is_whole(source):
    good = json.dumps([conversation(CHAIN, "b"), conversation(CHAIN, "b", "c-2")])
    source.write("conversations.json", good[:-40])
    row = source.row("conversations.json")
    assert row["sessions"] == 1
    assert row["skipped"][0]["reason"] == "the array is cut off"


def test_what_the_later_export_no_longer_shows_is_off_the_thread(source):
    source.write("1/conversations.json", [conversation(CHAIN, "u2")])
    assert source.counts()[:2] == ((2, 1), (0, 1))
    source.write("2/conversations.json", [conversation(CHAIN[:3], "a", update_time=1772600000.0)])
    assert source.counts()[:2] == ((1, 1), (1, 1))
    source.write("3/conversations.json", [conversation(CHAIN, "u2", update_time=1.0)])
    assert source.counts()[:2] == ((1, 1), (1, 1))
