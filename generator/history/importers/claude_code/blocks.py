"""Blocks of content: what a person typed, what a tool gave back, what was attached."""

from __future__ import annotations

import json
import re
from typing import Any

from generator.history.images import Images
from generator.history.importers.base import list_of, object_of, text_of
from generator.model.session import Attachment

_INJECTED = re.compile(
    r"\s*(<(command-name|command-message|command-args|local-command-[a-z]+|system-reminder|"
    r"bash-(input|stdout|stderr)|task-notification)\b|"
    r"This session is being continued from a previous conversation)"
)
CONTINUED = re.compile(r"\s*This session is being continued from a previous conversation")


def is_block(block: Any, *kinds: str) -> bool:
    """Tell whether a block is of one of some kinds."""
    return isinstance(block, dict) and block.get("type") in kinds


def joined(blocks: list[Any]) -> str:
    """Return the text of all text blocks."""
    return "\n\n".join(text_of(block.get("text")) for block in blocks if is_block(block, "text"))


def own_text(content: Any) -> str:
    """Return what a person typed, without what the tool put beside it."""
    if isinstance(content, str):
        return "" if _INJECTED.match(content) else content.strip()
    texts = [text_of(block.get("text")) for block in list_of(content) if is_block(block, "text")]
    return "\n\n".join(text for text in texts if text.strip() and not _INJECTED.match(text))


def attachment_of(block: Any, images: Images) -> Attachment | None:
    """Return what a block of an image or a document holds, None for other blocks."""
    if not is_block(block, "image", "document"):
        return None
    source = object_of(block.get("source"))
    kind = text_of(source.get("media_type")) or str(block["type"])
    data = text_of(source.get("data"))
    if text_of(source.get("type")) == "text":
        return Attachment(name=text_of(block.get("title")) or "document", kind=kind, text=data)
    return images.attachment(text_of(block.get("title")) or str(block["type"]), data, kind)


def result_text(content: Any) -> str:
    """Return the text of a result, whatever its shape."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        return text_of(content.get("text")) or json.dumps(content, ensure_ascii=False)
    pieces = []
    for block in list_of(content):
        if isinstance(block, str):
            pieces.append(block)
        elif is_block(block, "text"):
            pieces.append(text_of(block.get("text")))
        elif is_block(block, "image", "document"):
            kind = text_of(object_of(block.get("source")).get("media_type"))
            pieces.append(f"[{block['type']} {kind}]".replace(" ]", "]"))
        elif isinstance(block, dict):
            pieces.append(json.dumps(block, ensure_ascii=False))
    return "\n".join(pieces)


def structured_text(structured: Any) -> str:
    """Return the text of the structured copy of a result."""
    if isinstance(structured, str):
        return structured
    values = object_of(structured)
    streams = [text_of(values.get(name)) for name in ("stdout", "stderr", "content")]
    return "\n".join(stream for stream in streams if stream)
