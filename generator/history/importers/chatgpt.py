"""ChatGPT account exports: an array of conversations, each a tree of nodes.

The thread is the walk from ``current_node`` to the root. Thinking, calls and results are nodes
of their own; together with the visible text they lead to, they are one reply.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from generator.history.importers.base import (
    Clock,
    Parsed,
    Reading,
    Sample,
    Unit,
    count_of,
    list_of,
    moment_of,
    object_of,
    text_of,
)
from generator.history.importers.media import Media
from generator.history.importers.records import array_elements
from generator.model.session import Attachment, CallStatus, Head, Message, Thread, ToolCall
from generator.timestamps import parse_time

FORMAT = "chatgpt"

_CITATIONS = re.compile("\ue200[^\ue201]*\ue201|[\ue200-\ue206]|【[^【】]*†[^【】]*】")


def recognise(sample: Sample) -> bool:
    """Tell whether a file is such an array."""
    return sample.kind == "array" and any(
        isinstance(record.get("mapping"), dict)
        or ("mapping" in record and "current_node" in record)
        for record in sample.records
    )


def read(unit: Unit, reading: Reading) -> Iterator[Parsed]:
    """Yield every conversation of an export."""
    media = Media(unit.path, reading.images)
    with unit.open() as handle:
        for number, conversation in array_elements(handle, reading.notes):
            if not isinstance(conversation.get("mapping"), dict):
                reading.notes.opaque += 1
                continue
            identity = text_of(conversation.get("conversation_id")) or text_of(
                conversation.get("id")
            )
            updated = parse_time(conversation.get("update_time"), reading.zone)
            tree = _Tree(conversation, reading, media)
            messages = list(tree.messages())
            stamps = [message.ts for message in messages if message.ts]
            yield Parsed(
                head=Head(
                    id=identity or f"{unit.path.stem}-{number}",
                    agent=FORMAT,
                    title=text_of(conversation.get("title")) or None,
                    created=parse_time(conversation.get("create_time"), reading.zone)
                    or min(stamps, default=None),
                    updated=updated or max(stamps, default=None),
                ),
                messages=messages,
                snapshot=True,
                complete=True,
                precedence=(0, moment_of(updated)),
            )


@dataclass(slots=True)
class _Reply:
    """A reply being gathered from the nodes that lead to it."""

    id: str
    ts: datetime | None
    model: str | None = None
    thoughts: list[str] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)


class _Tree:
    """One conversation's nodes."""

    def __init__(self, conversation: dict[str, Any], reading: Reading, media: Media) -> None:
        self.reading = reading
        self.media = media
        self.nodes: dict[str, dict[str, Any]] = {
            name: node for name, node in conversation["mapping"].items() if isinstance(node, dict)
        }
        self.parents: dict[str, str | None] = {}
        for name, node in self.nodes.items():
            parent = node.get("parent")
            self.parents[name] = (
                parent if isinstance(parent, str) and parent in self.nodes else None
            )
        for name, node in self.nodes.items():
            for child in list_of(node.get("children")):
                if isinstance(child, str) and self.parents.get(child, name) is None:
                    self.parents[child] = name
        self.children: dict[str | None, list[str]] = {}
        for name, parent in self.parents.items():
            self.children.setdefault(parent, []).append(name)
        self.path = self._walk(self._current(conversation.get("current_node")))

    def _current(self, named: Any) -> str | None:
        if isinstance(named, str) and named in self.nodes:
            return named
        leaves = [name for name in self.nodes if not self.children.get(name)]
        return max(leaves or self.nodes, key=self._age, default=None)

    def _age(self, name: str) -> float:
        moment = parse_time(
            object_of(self.nodes[name].get("message")).get("create_time"), self.reading.zone
        )
        return moment.timestamp() if moment else float("-inf")

    def _walk(self, leaf: str | None) -> list[str]:
        """Return the nodes from the root to a leaf; links that loop end the walk."""
        path: dict[str, None] = {}
        while leaf is not None and leaf not in path:
            path[leaf] = None
            leaf = self.parents.get(leaf)
        return list(reversed(path))

    def messages(self) -> Iterator[Message]:
        """Yield the messages: each branch that was left stands before what replaced it."""
        active = set(self.path)
        seen: set[str] = set()
        clock = Clock()
        chain = self.path
        for root in [name for name in self.children.get(None, []) if name not in active]:
            yield from self._branch(root, seen, clock, active)
        gathered = _Gathering("active", clock, self.reading, self.media)
        for name in chain:
            parent = self.parents.get(name)
            for sibling in self.children.get(parent, []) if parent in active else []:
                if sibling not in active and sibling not in seen:
                    yield from self._branch(sibling, seen, Clock.after(clock), active)
            seen.add(name)
            yield from gathered.take(name, object_of(self.nodes[name].get("message")))
        yield from gathered.finish()
        for name in chain[-1:]:
            for child in self.children.get(name, []):
                if child not in seen and child not in active:
                    yield from self._branch(child, seen, Clock.after(clock), active)
        for name in self.nodes:
            # Nodes in a loop of their own, which no walk from a root comes by.
            if name not in seen and name not in active:
                yield from self._branch(name, seen, Clock.after(clock), active)

    def _branch(
        self, start: str, seen: set[str], clock: Clock, active: set[str]
    ) -> Iterator[Message]:
        """Yield the messages of a branch off the thread, deepest line by line."""
        waiting = [start]
        while waiting:
            name: str | None = waiting.pop()
            gathered = _Gathering("off", Clock.after(clock), self.reading, self.media)
            while name is not None and name not in seen and name not in active:
                seen.add(name)
                yield from gathered.take(name, object_of(self.nodes[name].get("message")))
                children = self.children.get(name, [])
                waiting.extend(reversed(children[1:]))
                name = children[0] if children else None
            yield from gathered.finish()


class _Gathering:
    """Turns the nodes of one line into messages."""

    def __init__(self, thread: Thread, clock: Clock, reading: Reading, media: Media) -> None:
        self._thread = thread
        self._clock = clock
        self._reading = reading
        self._media = media
        self._reply: _Reply | None = None

    def take(self, name: str, message: dict[str, Any]) -> Iterator[Message]:
        """Take the next node; yield what it completes."""
        if not message:
            return
        own = parse_time(message.get("create_time"), self._reading.zone)
        ts = self._clock.take(own)
        role = object_of(message.get("author")).get("role")
        if role == "tool":
            self._result(name, message, ts)
            return
        calls = role == "assistant" and message.get("recipient", "all") not in ("all", None)
        if _hidden(message) and not calls:
            return
        if role == "user":
            yield from self.finish()
            text, attachments = _content(message, self._media)
            if text or attachments:
                yield Message(
                    n=0,
                    id=name,
                    role="user",
                    text=text,
                    ts=ts,
                    thread=self._thread,
                    attachments=attachments,
                )
        elif role == "assistant":
            yield from self._assistant(name, message, ts, calls=calls)

    def _assistant(
        self, name: str, message: dict[str, Any], ts: datetime | None, *, calls: bool
    ) -> Iterator[Message]:
        kind = object_of(message.get("content")).get("content_type")
        model = text_of(object_of(message.get("metadata")).get("model_slug")) or None
        if kind == "reasoning_recap":
            return
        if kind == "thoughts":
            self._begin(name, ts, model).thoughts.append(_thoughts(message))
            return
        text, attachments = _content(message, self._media)
        if calls:
            reply = self._begin(name, ts, model)
            reply.calls.append(
                ToolCall(
                    id=name, name=text_of(message.get("recipient")), arguments=text, started=ts
                )
            )
            return
        if not text and not attachments:
            return
        reply = self._begin(name, ts, model)
        self._reply = None
        yield self._message(reply, text, ts, attachments)

    def _begin(self, name: str, ts: datetime | None, model: str | None) -> _Reply:
        if self._reply is None:
            self._reply = _Reply(name, ts)
        self._reply.model = model or self._reply.model
        return self._reply

    def _message(
        self, reply: _Reply, text: str, ts: datetime | None, attachments: tuple[Attachment, ...]
    ) -> Message:
        return Message(
            n=0,
            id=reply.id,
            role="assistant",
            text=text,
            thinking="\n\n".join(thought for thought in reply.thoughts if thought),
            ts=ts,
            model=reply.model,
            thread=self._thread,
            calls=tuple(reply.calls),
            attachments=(*reply.attachments, *attachments),
        )

    def _result(self, name: str, message: dict[str, Any], ts: datetime | None) -> None:
        tool = text_of(object_of(message.get("author")).get("name"))
        text, attachments = _content(message, self._media)
        if self._reply is None:
            if (not text and not attachments) or _hidden(message):
                return
            self._begin(name, ts, None)
        assert self._reply is not None
        self._reply.attachments.extend(attachments)
        waiting = [index for index, call in enumerate(self._reply.calls) if call.result is None]
        named = [index for index in waiting if self._reply.calls[index].name == tool]
        later = [
            index
            for index, call in enumerate(self._reply.calls)
            if call.name == tool and call.result is not None
        ]
        failed = object_of(message.get("content")).get("content_type") == "system_error"
        status: CallStatus = "error" if failed else "ok"
        if named or waiting:
            index = (named or waiting)[0]
            self._reply.calls[index] = replace(
                self._reply.calls[index], result=text, status=status, ended=ts
            )
        elif later:
            call = self._reply.calls[later[-1]]
            joined = "\n\n".join(filter(None, (call.result, text)))
            self._reply.calls[later[-1]] = replace(
                call, result=joined, status="error" if failed else call.status, ended=ts
            )
        elif text:
            # A result without a call: no call is made up, its text stays findable.
            self._reply.attachments.append(Attachment(name=tool or "tool", kind="tool", text=text))

    def finish(self) -> Iterator[Message]:
        """Yield what was begun and led to no visible reply."""
        reply, self._reply = self._reply, None
        if reply is not None and (reply.calls or any(reply.thoughts)):
            yield self._message(reply, "", reply.ts, ())


def _hidden(message: dict[str, Any]) -> bool:
    metadata = object_of(message.get("metadata"))
    kind = object_of(message.get("content")).get("content_type")
    return (
        bool(metadata.get("is_visually_hidden_from_conversation"))
        or message.get("weight") == 0
        or kind in ("user_editable_context", "model_editable_context")
    )


def _thoughts(message: dict[str, Any]) -> str:
    pieces: list[str] = []
    for thought in list_of(object_of(message.get("content")).get("thoughts")):
        values = object_of(thought)
        pieces.extend(
            filter(None, (text_of(values.get("summary")), text_of(values.get("content"))))
        )
    return "\n\n".join(pieces)


def _content(message: dict[str, Any], media: Media) -> tuple[str, tuple[Attachment, ...]]:
    """Return a node's text without citation marks, and its attachments."""
    content = object_of(message.get("content"))
    texts: list[str] = []
    attachments: list[Attachment] = []
    for item in list_of(object_of(message.get("metadata")).get("attachments")):
        values = object_of(item)
        key = text_of(values.get("id"))
        attachments.append(
            media.attachment(
                key,
                text_of(values.get("name")) or key or "file",
                text_of(values.get("mime_type") or values.get("mimeType")) or None,
                count_of(values.get("size")),
            )
        )
    named = bool(attachments)
    for part in list_of(content.get("parts")):
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, dict):
            kind = text_of(part.get("content_type"))
            if kind == "audio_transcription" or isinstance(part.get("text"), str):
                texts.append(text_of(part.get("text")))
            elif part.get("asset_pointer") and not named:
                pointer = text_of(part["asset_pointer"])
                attachments.append(
                    media.attachment(
                        pointer,
                        pointer.rpartition("/")[2] or "asset",
                        kind.removesuffix("_asset_pointer") or None,
                        count_of(part.get("size_bytes")),
                    )
                )
    whole = text_of(content.get("content_type"))
    if whole == "tether_quote":
        texts += [text_of(content.get(name)) for name in ("title", "url", "text")]
    elif whole == "code":
        text = text_of(content.get("text"))
        if message.get("recipient", "all") == "all" and text:
            language = text_of(content.get("language")).replace("unknown", "")
            text = f"```{language}\n{text}\n```"
        texts.append(text)
    elif whole == "system_error":
        texts.append(
            ": ".join(filter(None, map(text_of, (content.get("name"), content.get("text")))))
        )
    elif not isinstance(content.get("parts"), list):
        texts += [text_of(content.get(name)) for name in ("text", "result", "content")]
        if not any(texts) and whole not in ("", "text", "multimodal_text"):
            known = {name: value for name, value in content.items() if name != "content_type"}
            if any(known.values()):
                texts.append(json.dumps(known, ensure_ascii=False))
    text = _CITATIONS.sub("", "\n".join(piece for piece in texts if piece)).strip()
    return text, tuple(attachments)
