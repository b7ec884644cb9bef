"""Error records on disk: ``errors/<hash>.json``, one JSON object a file.

The hash is made from the content, so writing the same record twice makes one file, and any
number of writers at once lose nothing: a file is made whole under its own name or not at all.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, cast

from generator.echo import quoted
from generator.exceptions import NotFoundError, StorageError, UsageError
from generator.limits import ERROR_HASH_LENGTH
from generator.model.failure import Failure, Outcome
from generator.model.problem import FileProblem
from generator.paths import Home
from generator.storage import create_exclusive, read_text
from generator.workspace import Workspace

FORMAT = 1
_HASH = re.compile(rf"[0-9a-f]{{{ERROR_HASH_LENGTH}}}")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]+")
_CONTENT = ("tool_name", "keywords", "symptom", "cause", "action", "outcome")


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What writing a record did.

    Attributes:
        failure: The record as it stands on disk; None when it was accepted and discarded.
        is_new: This call made the file.
        masked: Secrets that were masked, by kind.
    """

    failure: Failure | None
    is_new: bool
    masked: dict[str, int]


def write_record(
    workspace: Workspace,
    *,
    tool_name: str,
    keywords: Sequence[str],
    symptom: str,
    action: str,
    outcome: Outcome,
    cause: str | None = None,
    mined: str | None = None,
) -> Written:
    """Keep a failure with its fix. Only ``resolved`` is kept; the rest is discarded.

    Args:
        workspace: Whose home, clock and allow list of secrets to use.
        tool_name: The tool that failed.
        keywords: Words to find it by.
        symptom: What was seen; of any length.
        action: What fixed it.
        outcome: ``resolved``, ``failed`` or ``abandoned``.
        cause: Why it happened, when known.
        mined: Id of the mined draft it comes from.

    Raises:
        StorageError: The record cannot be written.
    """
    from generator.masking import mask

    counts: dict[str, int] = {}
    allow = workspace.settings.site.allow_secrets

    def clean(text: str) -> str:
        masked = mask(unicodedata.normalize("NFC", text.strip()), allow=allow)
        for kind, count in masked.counts.items():
            counts[kind] = counts.get(kind, 0) + count
        return masked.text

    def line(text: str) -> str:
        return clean(_CONTROLS.sub(" ", text))

    content: dict[str, Any] = {
        "tool_name": line(tool_name),
        "keywords": list(dict.fromkeys(filter(None, map(line, keywords)))),
        "symptom": clean(symptom),
        "cause": clean(cause) if cause and cause.strip() else None,
        "action": clean(action),
        "outcome": outcome,
    }
    for key in ("tool_name", "symptom", "action"):
        if not content[key]:
            raise UsageError(f"{key} must hold a word; it has only control characters.")
    if outcome != "resolved":
        return Written(failure=None, is_new=False, masked=counts)
    folder = workspace.home.errors
    for salt in range(1000):
        name = _hash(content, salt)
        path = folder / f"{name}.json"
        recorded = workspace.now()
        stored = {"format": FORMAT, "hash": name, **content, "recorded_at": recorded.isoformat()}
        if mined:
            stored["mined"] = mined
        made = create_exclusive(path, json.dumps(stored, ensure_ascii=False, indent=2) + "\n")
        standing = _decode(stored, path) if made else _standing(path)
        if made or (standing is not None and _same(standing, content)):
            return Written(failure=standing, is_new=made, masked=counts)
        # Another record has this name (two in four thousand million do), or a broken file: next.
    raise StorageError(f"{folder} has no free name for this record.")


def load_records(home: Home) -> tuple[list[Failure], list[FileProblem]]:
    """Read every record, newest first, and what is wrong with files that are none."""
    found: list[Failure] = []
    problems: list[FileProblem] = []
    for path in record_files(home):
        failure, problem = read_record(path)
        if failure is not None:
            found.append(failure)
        if problem is not None:
            problems.append(problem)
    found.sort(key=lambda failure: (failure.recorded_at.timestamp(), failure.hash), reverse=True)
    return found, problems


def record_files(home: Home) -> Iterator[Path]:
    """Yield the files in ``errors/`` that are named like records or end in ``.json``."""
    if home.errors.is_dir():
        for path in sorted(home.errors.iterdir()):
            if path.suffix == ".json" and not path.name.startswith(".") and path.is_file():
                yield path


def read_record(path: Path) -> tuple[Failure | None, FileProblem | None]:
    """Read one record; a broken one is a problem with its line, never an exception."""
    if path.is_symlink():
        message = "It is a link, which may lead out of the home; put the file itself here."
        return None, FileProblem(path=path, line=0, message=message)
    try:
        text = read_text(path)
    except StorageError as error:
        return None, FileProblem(path=path, line=0, message=str(error))
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        message = f"It is not JSON: {error.msg}. Mend it or remove the file."
        return None, FileProblem(path=path, line=error.lineno, message=message)
    except RecursionError:
        return None, FileProblem(path=path, line=0, message="It is nested too deep.")
    try:
        return _decode(data, path), None
    except ValueError as error:
        line = _line_of(text, str(error).split(" ", 1)[0])
        return None, FileProblem(path=path, line=line, message=f"{error}.")


def get_record(home: Home, name: str) -> Failure:
    """Return one record by its hash, also as ``error:<hash>`` or ``no data: <hash>``.

    Raises:
        UsageError: It is no hash.
        NotFoundError: No record has it, or its file is broken.
    """
    wanted = parse_hash(name)
    path = home.errors / f"{wanted}.json"
    if not path.is_file():
        raise NotFoundError(
            f"no data: {wanted}. No error record has this hash.",
            hint="Search with error_history(keyword=...) instead.",
        )
    failure, problem = read_record(path)
    if failure is None:
        raise NotFoundError(f"The error record {wanted} cannot be read: {problem}")
    return failure


def parse_hash(name: str) -> str:
    """Return the hash in a text that names one.

    Raises:
        UsageError: There is none in it.
    """
    bare = re.sub(r"^\s*(?:no data|error)\s*:", "", name.strip().strip("`'\"").lower()).strip(
        " .`'\""
    )
    if not _HASH.fullmatch(bare):
        raise UsageError(
            f"{quoted(name)} is not the hash of an error record.",
            hint=f"A hash has {ERROR_HASH_LENGTH} characters of 0-9 and a-f.",
        )
    return bare


def remove_record(home: Home, name: str) -> Failure | None:
    """Remove one record.

    Returns:
        The record that was removed; None when its file was broken.

    Raises:
        UsageError: It is no hash.
        NotFoundError: No record has it.
        StorageError: The file cannot be removed.
    """
    wanted = parse_hash(name)
    path = home.errors / f"{wanted}.json"
    if not path.is_file():
        get_record(home, name)
    failure, _ = read_record(path)
    try:
        path.unlink()
    except OSError as error:
        raise StorageError(f"{path} could not be removed: {error.strerror}.") from error
    return failure


def encode(failure: Failure) -> dict[str, Any]:
    """Return a record as the answers of tools and commands give it."""
    return {
        "hash": failure.hash,
        "tool_name": failure.tool_name,
        "keywords": list(failure.keywords),
        "symptom": failure.symptom,
        "cause": failure.cause,
        "action": failure.action,
        "outcome": failure.outcome,
        "recorded_at": failure.recorded_at.isoformat(),
    }


def _hash(content: dict[str, Any], salt: int) -> str:
    # Spacing and the order of keywords do not make another record.
    parts: Iterable[Any] = (
        sorted(value) if isinstance(value, list) else " ".join((value or "").split())
        for value in (content[key] for key in _CONTENT)
    )
    raw = json.dumps([*parts, *([salt] if salt else [])], ensure_ascii=False)
    return hashlib.sha256(raw.encode("utf-8", "surrogatepass")).hexdigest()[:ERROR_HASH_LENGTH]


def _same(standing: Failure, content: dict[str, Any]) -> bool:
    return _hash(
        {key: getattr(standing, key) for key in _CONTENT} | {"keywords": list(standing.keywords)}, 0
    ) == _hash(content, 0)


def _standing(path: Path) -> Failure | None:
    # Where links are not to be had the name is reserved first, so a reader may come too early.
    import time

    for _ in range(50):
        failure, problem = read_record(path)
        if failure is not None or (problem is not None and path.is_file() and path.stat().st_size):
            return failure
        time.sleep(0.01)
    return None


def _decode(data: Any, path: Path) -> Failure:
    if not isinstance(data, dict):
        message = "The file must hold one JSON object"
        raise ValueError(message)  # noqa: TRY004 - one kind of error for a broken record
    keywords = data.get("keywords", [])
    if not isinstance(keywords, list) or not all(isinstance(item, str) for item in keywords):
        message = "keywords must be a list of texts"
        raise ValueError(message)
    outcome = _text(data, "outcome")
    if outcome != "resolved":
        message = f"outcome must be resolved, not {outcome!r}"
        raise ValueError(message)
    recorded = _text(data, "recorded_at")
    try:
        when = datetime.fromisoformat(recorded)
    except ValueError as error:
        message = f"recorded_at must be an ISO time, not {recorded!r}"
        raise ValueError(message) from error
    cause = data.get("cause")
    if cause is not None and not isinstance(cause, str):
        message = "cause must be text or null"
        raise ValueError(message)
    mined = data.get("mined")
    return Failure(
        # The file's name is what refs say, also after a person edited the content.
        hash=path.stem,
        tool_name=_text(data, "tool_name"),
        keywords=tuple(keywords),
        symptom=_text(data, "symptom"),
        cause=cause or None,
        action=_text(data, "action"),
        outcome=cast("Outcome", outcome),
        recorded_at=when if when.tzinfo else when.astimezone(),
        mined=mined if isinstance(mined, str) else None,
    )


def _text(data: dict[str, Any], key: str) -> str:
    value = data.get(key)
    if not isinstance(value, str) or not value.strip():
        message = f"{key} must be text that is not empty"
        raise ValueError(message)
    return value


def _line_of(text: str, key: str) -> int:
    at = text.find(f'"{key}"')
    return text.count("\n", 0, at) + 1 if at >= 0 else 1
