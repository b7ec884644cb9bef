"""Our own canonical form, from another machine or another program."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, TypeVar

from generator.exceptions import RecordError
from generator.history.canonical import TYPES, from_plain, record_key
from generator.history.images import Images, ImageStore
from generator.history.importers.base import (
    UNRANKED,
    Parsed,
    Reading,
    Sample,
    Unit,
    moment_of,
)
from generator.history.importers.records import JsonLines
from generator.model.session import (
    ActionRecord,
    Attachment,
    Document,
    Event,
    Head,
    Message,
    Usage,
)

FORMAT = "canonical"

RecordT = TypeVar("RecordT")
# An export keeps images beside the folder of the session's agent; people move files about.
_FOLDERS_UP = 3


def recognise(sample: Sample) -> bool:
    """Tell whether a file begins with a head of ours."""
    return sample.kind == "lines" and any(
        record.get("type") == "head" and "schema" in record and "agent" in record
        for record in sample.records
    )


def read(unit: Unit, reading: Reading) -> Iterator[Parsed]:
    """Yield the session or the documents of a file; a later line replaces an earlier one."""
    with unit.open() as handle:
        lines = JsonLines(handle, reading.notes)
        places: dict[tuple[str, ...], tuple[int, int]] = {}
        head: Head | None = None
        for line in lines:
            if str(line.value.get("type")) not in TYPES:
                reading.notes.opaque += 1
                continue
            try:
                record = from_plain(line.value)
            except RecordError as error:
                reading.notes.records -= 1
                reading.notes.skip(line.number, str(error))
                continue
            if isinstance(record, Head):
                head = record
                continue
            if record_key(record) in places:
                reading.audit.drop("an earlier state of the same record")
            if isinstance(record, Message | Usage) and record.tokens is not None:
                reading.audit.line(record.tokens)
            places[record_key(record)] = (line.start, line.length)
        if head is None:
            reading.notes.warn("The file has no head, so whose session it is cannot be told.")
            return

        def of(kind: type[RecordT], name: str) -> Iterator[RecordT]:
            for key, place in places.items():
                if key[0] == name:
                    found: Any = from_plain(lines.at(*place))
                    if isinstance(found, kind):
                        yield found

        beside = [ImageStore(folder) for folder in list(unit.path.parents)[:_FOLDERS_UP]]

        def messages() -> Iterator[Message]:
            numbered = sorted(
                (key for key in places if key[0] == "message"),
                key=lambda key: (key[1], int(key[2])),
            )
            for key in numbered:
                found = from_plain(lines.at(*places[key]))
                if isinstance(found, Message):
                    yield _with_images(found, beside, reading.images)

        yield Parsed(
            head=replace(head, sources=()),
            messages=messages(),
            actions=of(ActionRecord, "action"),
            usage=of(Usage, "usage"),
            events=of(Event, "event"),
            documents=of(Document, "document"),
            counts_as_session=head.holds == "session",
            precedence=(UNRANKED, moment_of(head.updated)),
        )


def _with_images(message: Message, beside: list[ImageStore], images: Images) -> Message:
    """Take the images of a message along; what names an image that is nowhere is left out."""

    def taken(held: tuple[Attachment, ...]) -> tuple[Attachment, ...]:
        return tuple(
            replace(item, file=None)
            if item.file and not any(images.found_in(store, item.file) for store in beside)
            else item
            for item in held
        )

    return replace(
        message,
        attachments=taken(message.attachments),
        calls=tuple(replace(call, attachments=taken(call.attachments)) for call in message.calls),
    )
