"""The operator's notes: ``notes/<name>.md``, written by the person, read by agents."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from generator.echo import quoted
from generator.exceptions import NotFoundError, StorageError, UsageError
from generator.knowledge.names import note_name
from generator.limits import FIND_NOTE_MAX
from generator.paths import Home
from generator.storage import create_exclusive, read_text, write_atomic
from generator.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One note.

    Attributes:
        name: Its name: the file's without ``.md``.
        text: Its Markdown.
        path: Its file.
    """

    name: str
    text: str
    path: Path

    @property
    def ref(self) -> str:
        """The ref that ``memory_get`` takes."""
        return f"note:{self.name}"


def note_files(home: Home) -> Iterator[Path]:
    """Yield the notes' files by name; links are passed over, since they may lead out."""
    if home.notes.is_dir():
        for path in sorted(home.notes.iterdir(), key=lambda path: path.name.casefold()):
            plain = path.suffix == ".md" and not path.name.startswith(".")
            if plain and path.is_file() and not path.is_symlink():
                yield path


def note_names(home: Home) -> list[str]:
    """Return the names of all notes."""
    return [unicodedata.normalize("NFC", path.stem) for path in note_files(home)]


def read_note(home: Home, name: str) -> Note:
    """Return a note whole; case counts only when two names differ by nothing else.

    Raises:
        UsageError: The name cannot be that of a note.
        NotFoundError: There is none of that name; the nearest one is named.
    """
    wanted = note_name(name)
    files = {unicodedata.normalize("NFC", path.stem): path for path in note_files(home)}
    path = files.get(wanted)
    if path is None:
        folded = [own for own in files if own.casefold() == wanted.casefold()]
        path = files[folded[0]] if len(folded) == 1 else None
    if path is None:
        raise _missing(wanted, list(files))
    return Note(name=unicodedata.normalize("NFC", path.stem), text=read_text(path), path=path)


def _missing(wanted: str, names: list[str]) -> NotFoundError:
    close = get_close_matches(
        wanted.casefold(), [name.casefold() for name in names], n=1, cutoff=0.4
    )
    nearest = next((name for name in names if close and name.casefold() == close[0]), None)
    if nearest is None:
        # A part of the name is the likeliest thing to remember.
        nearest = next((name for name in names if wanted.casefold() in name.casefold()), None)
    if nearest:
        hint = f"Did you mean {nearest!r}?"
    elif names:
        hint = "Find names with find_note(keywords=...)."
    else:
        hint = "There are no notes yet; a person adds one with 'fieldguide note add NAME'."
    return NotFoundError(f"There is no note named {quoted(wanted)}.", hint=hint)


def search_notes(home: Home, keywords: str | Sequence[str]) -> list[str]:
    """Return the names of notes that hold a keyword in name or text.

    Args:
        home: The folder with the user's data.
        keywords: Words with spaces between, or a list of words and phrases.

    Returns:
        At most 20 names: those with most of the keywords first, then those with most hits.

    Raises:
        UsageError: There is no keyword.
    """
    given = keywords.split() if isinstance(keywords, str) else list(keywords)
    wanted = list(dict.fromkeys(filter(None, (_fold(word).strip() for word in given))))
    if not wanted:
        raise UsageError(
            "keywords is required and must hold a word.",
            hint="A note is found by what stands in its name or text.",
        )
    scored = []
    for path in note_files(home):
        name = unicodedata.normalize("NFC", path.stem)
        text = _fold(f"{name}\n{read_text(path)}")
        hits = [text.count(word) for word in wanted]
        if any(hits):
            scored.append((-sum(map(bool, hits)), -sum(hits), name.casefold(), name))
    return [name for *_, name in sorted(scored)[:FIND_NOTE_MAX]]


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def add_note(workspace: Workspace, name: str, text: str) -> tuple[Note, dict[str, int]]:
    """Add a note.

    Returns:
        The note, and how many secrets were masked in it, by kind.

    Raises:
        UsageError: The name cannot be that of a note, the text is empty, or a note of that
            name exists.
        StorageError: It cannot be written.
    """
    wanted = note_name(name)
    clean, counts = _clean(workspace, text)
    path = workspace.home.notes / f"{wanted}.md"
    same = next(
        (own for own in note_names(workspace.home) if own.casefold() == wanted.casefold()), None
    )
    if same is not None or not create_exclusive(path, clean):
        raise UsageError(
            f"There is a note named {quoted(same or wanted)} already.",
            hint=f"Change it with 'fieldguide note edit \"{same or wanted}\"'.",
        )
    return Note(name=wanted, text=clean, path=path), counts


def replace_note(workspace: Workspace, name: str, text: str) -> tuple[Note, dict[str, int]]:
    """Write a note anew.

    Returns:
        The note, and how many secrets were masked in it, by kind.

    Raises:
        UsageError: The name cannot be that of a note, or the text is empty.
        NotFoundError: There is no note of that name.
        StorageError: It cannot be written.
    """
    note = read_note(workspace.home, name)
    clean, counts = _clean(workspace, text)
    write_atomic(note.path, clean)
    return Note(name=note.name, text=clean, path=note.path), counts


def remove_note(home: Home, name: str) -> Note:
    """Remove a note.

    Raises:
        UsageError: The name cannot be that of a note.
        NotFoundError: There is no note of that name.
        StorageError: It cannot be removed.
    """
    note = read_note(home, name)
    try:
        note.path.unlink()
    except OSError as error:
        raise StorageError(f"{note.path} could not be removed: {error.strerror}.") from error
    return note


def _clean(workspace: Workspace, text: str) -> tuple[str, dict[str, int]]:
    if not text.strip():
        raise UsageError("The note is empty.", hint="Give its text, or '-' to read it from a pipe.")
    from generator.masking import mask

    masked = mask(text, allow=workspace.settings.site.allow_secrets)
    clean = masked.text if masked.text.endswith("\n") else masked.text + "\n"
    return clean.encode("utf-8", "replace").decode(), dict(masked.counts)
