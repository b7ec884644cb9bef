"""What the items of a rollout say: prompts, replies, thoughts."""

from __future__ import annotations

import re
from typing import Any

from generator.history.images import Images
from generator.history.importers.base import list_of, object_of, text_of
from generator.model.session import Attachment

INJECTED = re.compile(
    r"\s*(<(environment_context|user_instructions|turn_aborted|permissions instructions|"
    r"skills_instructions|subagent_notification)\b|# AGENTS\.md instructions)"
)


def squeezed(text: str) -> str:
    """Return a text without white space: twins differ in how their parts are joined."""
    return "".join(text.split())


def said_in(payload: dict[str, Any], role: str) -> tuple[str, bool]:
    """Return what a message says without injected parts, and whether it shows an image."""
    content = payload.get("content")
    if isinstance(content, str):
        text = content
        return ("" if role == "user" and INJECTED.match(text) else text), False
    texts = []
    has_image = False
    for part in list_of(content):
        if not isinstance(part, dict):
            continue
        if part.get("type") == "input_image":
            has_image = True
        text = text_of(part.get("text"))
        if text and not (role == "user" and INJECTED.match(text)):
            texts.append(text)
    return "\n".join(texts), has_image


def thought_in(payload: dict[str, Any]) -> str:
    """Return the text of a reasoning item."""
    pieces = [*list_of(payload.get("summary")), *list_of(payload.get("content"))]
    return "\n\n".join(text_of(object_of(piece).get("text")) for piece in pieces)


def images_in(parts: Any, images: Images) -> list[Attachment]:
    """Return the images among the parts of a message or an output."""
    shown = []
    for part in list_of(parts):
        if isinstance(part, dict) and part.get("type") == "input_image":
            address = text_of(part.get("image_url"))
            data = address if address.startswith("data:") else ""
            shown.append(images.attachment("image", data, None if data else "image"))
    return shown
