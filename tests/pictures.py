"""Exports that hold images, as each agent writes them: made anew for each test."""

from __future__ import annotations

import base64
import io
import json
import zipfile
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

PLACE = "Harbour of Ostend"
"""What the photo's metadata gives away."""


def drawn(width: int, height: int, ink: str = "teal", kind: str = "PNG", **options: Any) -> bytes:
    """Return an image with a shape in it; equal arguments give equal bytes."""
    image = Image.new("RGB", (width, height), "ivory")
    ImageDraw.Draw(image).ellipse((width // 4, height // 4, width // 2, height // 2), fill=ink)
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def photo(width: int = 2000, height: int = 1000) -> bytes:
    """Return a JPEG that lies on its side and says where it was taken."""
    exif = Image.Exif()
    exif[0x0112] = 6  # turned by a quarter
    exif[0x010E] = PLACE
    exif.get_ifd(0x8825)[1] = "N"
    return drawn(width, height, "navy", "JPEG", exif=exif)


def base64_of(data: bytes) -> str:
    """Return bytes as base64."""
    return base64.b64encode(data).decode()


def data_address(data: bytes, kind: str = "image/png") -> str:
    """Return bytes as a data address."""
    return f"data:{kind};base64,{base64_of(data)}"


PASTED = drawn(640, 400)
SCREENSHOT = drawn(1800, 1200, "maroon")
DRAWN = drawn(100, 80, "olive")
PHOTO = photo()


def claude_block(data: bytes, kind: str = "image/png") -> dict[str, Any]:
    """Return an image block of Claude Code."""
    source = {"type": "base64", "media_type": kind, "data": base64_of(data)}
    return {"type": "image", "source": source}


def claude_code(session: str, prompt: list[Any], result: list[Any] | None = None) -> str:
    """Return a Claude Code transcript: a prompt, a call of Read with its result, a reply."""
    base = {"isSidechain": False, "cwd": "/home/dev/pier", "sessionId": session, "version": "2.0.1"}
    usage = {"input_tokens": 5, "output_tokens": 7}
    call = {"type": "tool_use", "id": "toolu_1", "name": "Read", "input": {"file_path": "/a.png"}}
    answer = {"type": "tool_result", "tool_use_id": "toolu_1", "content": result or "none"}
    records = [
        {**base, "type": "user", "uuid": f"{session}-1", "parentUuid": None,
         "timestamp": "2026-05-04T08:00:00.000Z", "message": {"role": "user", "content": prompt}},
        {**base, "type": "assistant", "uuid": f"{session}-2", "parentUuid": f"{session}-1",
         "timestamp": "2026-05-04T08:00:04.000Z", "requestId": "r1",
         "message": {"id": f"msg_{session}", "role": "assistant", "model": "claude-sonnet-4-5",
                     "content": [call], "usage": usage}},
        {**base, "type": "user", "uuid": f"{session}-3", "parentUuid": f"{session}-2",
         "timestamp": "2026-05-04T08:00:06.000Z", "message": {"role": "user", "content": [answer]}},
        {**base, "type": "assistant", "uuid": f"{session}-4", "parentUuid": f"{session}-3",
         "timestamp": "2026-05-04T08:00:09.000Z", "requestId": "r2",
         "message": {"id": f"msg_{session}b", "role": "assistant", "model": "claude-sonnet-4-5",
                     "content": [{"type": "text", "text": "A pier."}], "usage": usage}},
    ]  # fmt: skip
    return "".join(json.dumps(record) + "\n" for record in records)


def _lines(*records: Any) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def codex() -> str:
    """Return a Codex rollout: an image in the prompt, in a result, and one that was drawn."""

    def item(second: int, payload: dict[str, Any]) -> dict[str, Any]:
        stamp = f"2026-05-04T09:00:{second:02}.000Z"
        return {"timestamp": stamp, "type": "response_item", "payload": payload}

    meta = {"id": "codex-pictures", "timestamp": "2026-05-04T09:00:00Z", "cwd": "/home/dev/pier"}
    image = {"type": "input_image", "image_url": data_address(PASTED)}
    said = [{"type": "input_text", "text": "What is wrong here?"}, image]
    return _lines(
        {"timestamp": "2026-05-04T09:00:00.000Z", "type": "session_meta", "payload": meta},
        item(1, {"type": "message", "role": "user", "content": said}),
        item(2, {"type": "function_call", "name": "view_image", "call_id": "c1",
                 "arguments": '{"path": "a.png"}'}),
        item(3, {"type": "function_call_output", "call_id": "c1", "output": [
            {"type": "input_image", "image_url": data_address(SCREENSHOT)}]}),
        item(4, {"type": "image_generation_call", "id": "ig_1", "status": "completed",
                 "result": base64_of(DRAWN)}),
        item(5, {"type": "message", "role": "assistant",
                 "content": [{"type": "output_text", "text": "The pier is gone."}]}),
    )  # fmt: skip


def gemini() -> dict[str, Any]:
    """Return a Gemini CLI session: an image in the prompt and in a result."""
    inline = {"inlineData": {"mimeType": "image/png", "data": base64_of(PASTED)}}
    shot = {"inlineData": {"mimeType": "image/png", "data": base64_of(SCREENSHOT)}}
    answer = {"functionResponse": {"id": "g1", "name": "shot", "response": {"output": "ok"}}}
    return {
        "sessionId": "gemini-pictures", "projectHash": "ab", "startTime": "2026-05-04T10:00:00Z",
        "lastUpdated": "2026-05-04T10:01:00Z",
        "messages": [
            {"id": "1", "timestamp": "2026-05-04T10:00:00Z", "type": "user",
             "content": [{"text": "Look"}, inline]},
            {"id": "2", "timestamp": "2026-05-04T10:00:09Z", "type": "gemini", "content": "A pier.",
             "model": "gemini-2.5-pro", "toolCalls": [
                {"id": "g1", "name": "shot", "args": {}, "status": "success",
                 "result": [answer, shot], "timestamp": "2026-05-04T10:00:05Z"}]},
        ],
    }  # fmt: skip


def opencode() -> dict[str, Any]:
    """Return an opencode export: a file in the prompt, an attachment of a tool."""
    file = {
        "type": "file",
        "mime": "image/png",
        "filename": "pier.png",
        "url": data_address(PASTED),
    }
    shot = {"type": "file", "mime": "image/png", "url": data_address(SCREENSHOT)}
    state = {
        "status": "completed", "input": {"filePath": "a.png"}, "output": "Image read",
        "time": {"start": 1777881601000, "end": 1777881602000}, "attachments": [shot],
    }  # fmt: skip
    user = {"id": "msg_1", "sessionID": "ses_pictures", "role": "user",
            "time": {"created": 1777881600000}}  # fmt: skip
    reply = {"id": "msg_2", "sessionID": "ses_pictures", "role": "assistant", "modelID": "gpt-5",
             "providerID": "openai", "time": {"created": 1777881601000}}  # fmt: skip
    return {
        "info": {"id": "ses_pictures", "directory": "/home/dev/pier", "title": "Pier",
                 "version": "1.0.0", "time": {"created": 1777881600000, "updated": 1777881603000}},
        "messages": [
            {"info": user, "parts": [{"id": "p1", "type": "text", "text": "Look"},
                                     {"id": "p2", **file}]},
            {"info": reply, "parts": [{"id": "p3", "type": "tool", "callID": "o1", "tool": "read",
                                       "state": state},
                                      {"id": "p4", "type": "text", "text": "A pier."}]},
        ],
    }  # fmt: skip


def agenvoy() -> list[dict[str, Any]]:
    """Return an Agenvoy history with an image part."""
    image = {"type": "image_url", "image_url": {"url": data_address(PASTED)}}
    return [
        {"role": "user", "content": [{"type": "text", "text": "Look"}, image],
         "sendAt": 1777881600000000000},
        {"role": "assistant", "content": "A pier.", "sendAt": 1777881605000000000},
    ]  # fmt: skip


def chatgpt() -> list[dict[str, Any]]:
    """Return the conversations of a ChatGPT export: an upload, and an image that was drawn."""

    def node(name: str, parent: str | None, child: str | None, **message: Any) -> dict[str, Any]:
        return {"id": name, "parent": parent, "children": [child] if child else [],
                "message": {"id": name, "create_time": 1777881600.0, "weight": 1.0,
                            "recipient": "all", "metadata": {}, **message}}  # fmt: skip

    def shown(pointer: str) -> dict[str, Any]:
        part = {"content_type": "image_asset_pointer", "asset_pointer": pointer, "size_bytes": 9}
        return {"content_type": "multimodal_text", "parts": [part, "Look"]}

    upload = {"attachments": [{"id": "file-PASTED1", "name": "pier.png", "mime_type": "image/png"}]}
    made = "sediment://file_0000drawn"
    nodes = [
        {"id": "r", "parent": None, "children": ["u"], "message": None},
        node("u", "r", "t", author={"role": "user"}, content=shown("file-service://file-PASTED1"),
             metadata=upload),
        node("t", "u", "a", author={"role": "tool", "name": "dalle.text2im"}, content=shown(made)),
        node("a", "t", None, author={"role": "assistant"},
             content={"content_type": "text", "parts": ["Two piers."]}),
    ]  # fmt: skip
    return [{"id": "gpt-pictures", "title": "Piers", "create_time": 1777881600.0,
             "update_time": 1777881700.0, "current_node": "a",
             "mapping": {item["id"]: item for item in nodes}}]  # fmt: skip


def chatgpt_zip(path: Path) -> None:
    """Write a ChatGPT export with its images as a ZIP."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("conversations.json", json.dumps(chatgpt()))
        archive.writestr("file-PASTED1-pier.png", PASTED)
        archive.writestr("dalle-generations/file_0000drawn-1b2c.webp", DRAWN)
        archive.writestr("chat.html", "<html>")


def claude_ai() -> list[dict[str, Any]]:
    """Return the conversations of a Claude.ai export with an uploaded file."""
    upload = {"file_name": "pier.png", "file_uuid": "0f0e0d0c-0000-4000-8000-00000000aaaa"}
    base = {"created_at": "2026-05-04T08:00:00Z", "attachments": []}
    return [{
        "uuid": "ai-pictures", "name": "Pier", "created_at": "2026-05-04T08:00:00Z",
        "updated_at": "2026-05-04T08:01:00Z",
        "chat_messages": [
            {**base, "uuid": "m1", "sender": "human", "text": "Look", "content": [],
             "files": [upload]},
            {**base, "uuid": "m2", "sender": "assistant", "text": "A pier.", "content": [],
             "files": []},
        ],
    }]  # fmt: skip


def write_all(folder: Path) -> None:
    """Write one export with images of every agent into a folder."""
    session = "pictures"
    prompt = [
        {"type": "text", "text": "Look"},
        claude_block(PASTED),
        claude_block(PHOTO, "image/jpeg"),
    ]
    files: dict[str, str | bytes] = {
        f"claude/{session}.jsonl": claude_code(session, prompt, [claude_block(SCREENSHOT)]),
        "codex/rollout-2026-05-04T09-00-00-codex-pictures.jsonl": codex(),
        "gemini/tmp/ab/chats/session-2026-05-04T10-00-gemini.json": json.dumps(gemini()),
        "opencode/export.json": json.dumps(opencode()),
        "agenvoy/sessions/cli-pictures/history.json": json.dumps(agenvoy()),
        "claude-ai/conversations.json": json.dumps(claude_ai()),
        "claude-ai/files/0f0e0d0c-0000-4000-8000-00000000aaaa.png": PASTED,
    }
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    chatgpt_zip(folder / "chatgpt" / "export.zip")
