"""Random sessions with what makes reading on hard: results far from their calls, branches of the
thread, copies of records, ids that are missing, side conversations, counters that restart."""

from __future__ import annotations

import random
from typing import Any

SESSION = "0f0e0d0c-0000-4000-8000-000000000001"
_TEXTS = [
    "go on",
    "船が出る",
    "naïve ☕ café",
    "x" * 700,
    "go on",
    "<system-reminder>x",
    "",
    "\ud83d",
]


def _stamp(chance: random.Random, number: int) -> str:
    second = number if chance.random() > 0.1 else max(0, number - 50)
    return f"2026-03-01T10:{second // 60 % 60:02}:{second % 60:02}.{chance.randrange(1000):03}Z"


def claude_code(
    chance: random.Random, count: int, odd: float | None = None
) -> list[dict[str, Any]]:
    """Make a session of Claude Code."""
    records: list[dict[str, Any]] = []
    uuids: list[str] = []
    calls: list[str] = []
    replies: list[str] = ["msg_0"]
    # Some sessions are odd throughout, some hardly, some not at all.
    odd = chance.choice([0.0, 0.1, 0.3, 1.0]) if odd is None else odd
    for number in range(count):
        uuid = f"{number:08x}-1111-4000-8000-000000000001"
        record: dict[str, Any] = {
            "uuid": uuid,
            "parentUuid": uuids[-1] if uuids else None,
            "sessionId": SESSION,
            "timestamp": _stamp(chance, number),
            "cwd": "/home/dev/boat",
        }
        if chance.random() < 0.08 * odd and uuids:
            record["parentUuid"] = chance.choice([*uuids, None, "gone"])
        if chance.random() < 0.15 * odd:
            record["isSidechain"] = True
            record["agentId"] = chance.choice(["a1", "a2", ""])
        if chance.random() < 0.04 * odd:
            del record["uuid"]
        if chance.random() < 0.04 * odd and uuids:
            record["uuid"] = chance.choice(uuids)
        if chance.random() < 0.05:
            del record["timestamp"]
        kind = chance.random()
        text = chance.choice(_TEXTS)
        if kind < 0.25:
            record |= {"type": "user", "message": {"role": "user", "content": text}}
            record["isMeta"] = chance.random() < 0.1
        elif kind < 0.45 and calls:
            call = calls[-1] if chance.random() > 0.3 * odd else chance.choice([*calls, "unknown"])
            block = {"type": "tool_result", "tool_use_id": call, "content": text}
            block["is_error"] = chance.random() < 0.2
            record |= {"type": "user", "message": {"role": "user", "content": [block]}}
        elif kind < 0.85:
            if chance.random() < 0.6:
                replies.append(f"msg_{number}")
            key = replies[-1] if chance.random() > 0.1 * odd else chance.choice(replies)
            block = {"type": "text", "text": text}
            if chance.random() < 0.5:
                calls.append(f"toolu_{number}" if chance.random() > 0.05 * odd else "toolu_same")
                block = {"type": "tool_use", "id": calls[-1], "name": "Bash", "input": {"a": text}}
            message = {"id": key, "role": "assistant", "model": "claude-opus-4", "content": [block]}
            if chance.random() < 0.8:
                message["usage"] = {"input_tokens": 3, "output_tokens": chance.randrange(900)}
            if chance.random() < 0.05:
                message["model"] = "<synthetic>"
            if chance.random() < 0.05:
                del message["id"]
            record |= {"type": "assistant", "message": message}
        elif kind < 0.9:
            leaf = chance.choice([*uuids, "elsewhere"])
            record = {"type": "summary", "summary": f"title {number}", "leafUuid": leaf}
        elif kind < 0.94:
            record |= {"type": "system", "subtype": "api_error", "content": text}
        elif kind < 0.97:
            record |= {"type": "a-new-type", "content": text}
        else:
            record = {"type": "custom-title", "customTitle": text, "sessionId": SESSION}
        if "uuid" in record:
            uuids.append(record["uuid"])
        records.append(record)
    return records


def codex(chance: random.Random, count: int) -> list[dict[str, Any]]:
    """Make a rollout of Codex."""
    meta: dict[str, Any] = {"id": SESSION, "cwd": "/home/dev/boat", "instructions": "x" * 200}
    meta["timestamp"] = _stamp(chance, 0)
    if chance.random() < 0.2:
        meta["forked_from_id"] = "0f0e0d0c-0000-4000-8000-00000000000f"
    odd = chance.choice([0.0, 0.1, 0.3, 1.0])
    records: list[dict[str, Any]] = []
    calls: list[str] = []
    spent = 0

    def add(kind: str, payload: dict[str, Any]) -> None:
        record = {"timestamp": _stamp(chance, len(records)), "type": kind, "payload": payload}
        if chance.random() < 0.05 * odd:
            del record["timestamp"]
        records.append(record)

    add("session_meta", meta)
    for number in range(count):
        kind = chance.random()
        text = chance.choice(_TEXTS)
        if kind < 0.4:
            role = chance.choice(["user", "assistant"])
            part = {"type": "input_text" if role == "user" else "output_text", "text": text}
            said = {"type": "message", "role": role, "content": [part]}
            name = "user_message" if role == "user" else "agent_message"
            twin = {"type": name, "message": text}
            shown = [("response_item", said), ("event_msg", twin)]
            if chance.random() < 0.3:
                shown.reverse()
            for type_, payload in shown:
                if chance.random() > 0.2 * odd:
                    add(type_, payload)
        elif kind < 0.6:
            calls.append(f"call_{number}" if chance.random() > 0.05 * odd else "call_same")
            call = {"type": "function_call", "name": "shell", "arguments": "{}"}
            call["call_id" if chance.random() > 0.1 * odd else "id"] = calls[-1]
            add("response_item", call)
        elif kind < 0.75 and calls:
            call_id = calls[-1] if chance.random() > 0.3 * odd else chance.choice([*calls, "none"])
            output = {"type": "function_call_output", "call_id": call_id, "output": text}
            add("response_item", output)
        elif kind < 0.9:
            spent += chance.choice([0, 7, 50])
            spent = 3 if chance.random() < 0.1 * odd else spent
            total = {
                "input_tokens": spent * 10,
                "cached_input_tokens": spent,
                "output_tokens": spent,
            }
            info = {"total_token_usage": total, "last_token_usage": {"input_tokens": 9}}
            add(
                "event_msg",
                {"type": "token_count", "info": info if chance.random() > 0.1 else None},
            )
        elif kind < 0.92:
            add("turn_context", {"model": chance.choice(["gpt-5", "gpt-5-codex"])})
        elif kind < 0.94:
            add("response_item", {"type": "reasoning", "summary": [{"text": text}]})
        elif kind < 0.95 and chance.random() < odd:
            add("event_msg", {"type": "thread_rolled_back", "num_turns": chance.randrange(3)})
        elif kind < 0.96:
            add("event_msg", {"type": "turn_aborted"})
        elif kind < 0.97:
            add("compacted", {"message": text})
        elif kind < 0.98:
            add("event_msg", {"type": "context_compacted"})
        elif chance.random() < odd:
            usage = {"input_tokens": 5, "output_tokens": number}
            add("token_usage_record", {"turn_id": "t1", "turn_token_usage": usage})
        else:
            add("a-new-type", {"text": text})
    return records
