"""Export: canonical files written elsewhere, each record once, in its newest state.

The images that they show come along, in the layout of the archive.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from generator.echo import quoted
from generator.exceptions import NotFoundError, StorageError, UsageError
from generator.history.archive import Archive
from generator.history.canonical import encode, record_key
from generator.history.images import ImageStore, names_in
from generator.model.session import Head
from generator.storage import make_folder
from generator.workspace import Workspace


def export_files(workspace: Workspace, folder: Path, sessions: Sequence[str] = ()) -> int:
    """Write the archive's files to another folder, without the paths of this machine's sources.

    Args:
        workspace: Whose archive.
        folder: Where to; files there are replaced.
        sessions: Ids of sessions (a unique ending is enough); without any, everything is
            written, documents too.

    Returns:
        The number of files written.

    Raises:
        UsageError: The folder lies in the archive itself, or an id fits several sessions.
        NotFoundError: The archive holds no such session.
        StorageError: A file cannot be written.
    """
    history = workspace.home.history.resolve()
    target = folder.resolve()
    if target == history or history in target.parents:
        raise UsageError(f"{folder} lies in the archive itself.", hint="Name another folder.")
    archive = Archive(workspace.home)
    heads = archive.heads()
    chosen = list(heads)
    if sessions:
        chosen = [path_of_session(heads, name) for name in sessions]
    shown: set[str] = set()
    for path in chosen:
        relative = path.relative_to(workspace.home.history)
        shown |= write_compact(archive, path, target / relative)
    kept, copies = ImageStore(workspace.home.history), ImageStore(target)
    for name in sorted(shown):
        data = kept.read(name)
        if data is not None:
            copies.write(name, data)
    return len(chosen)


def path_of_session(heads: dict[Path, Head], name: str) -> Path:
    """Find the file of a session by its id or a unique ending of it.

    Raises:
        NotFoundError: No session fits.
        UsageError: Several fit.
    """
    wanted = name.removeprefix("conversation:")
    held = {path: head for path, head in heads.items() if head.holds == "session"}
    exact = [path for path, head in held.items() if wanted in (head.id, f"{head.agent}/{head.id}")]
    found = exact or [path for path, head in held.items() if wanted and head.id.endswith(wanted)]
    if len(found) == 1:
        return found[0]
    if not found:
        raise NotFoundError(
            f"The archive holds no session {quoted(name)}.",
            hint="List the sessions with 'fieldguide memory list'.",
        )
    listed = ", ".join(f"{held[path].agent}/{held[path].id}" for path in found[:5])
    raise UsageError(
        f"{len(found)} sessions fit {quoted(name)}: {listed}.", hint="Give more of the id."
    )


def write_compact(
    archive: Archive, path: Path, target: Path, drop: frozenset[tuple[str, ...]] = frozenset()
) -> set[str]:
    """Write a file anew: newest states only, in the order the records first came.

    Args:
        archive: Where the file is.
        path: The file.
        target: The file to write, whole or not at all.
        drop: Keys of records to leave out; empty for an export, which also leaves out sources.

    Returns:
        Names of the images that its records show.

    Raises:
        StorageError: It cannot be written.
    """
    places: dict[tuple[str, ...], tuple[int, int]] = {}
    shown: set[str] = set()
    for located in archive.records(path):
        places[record_key(located.record)] = (located.start, located.length)
    make_folder(target.parent)
    temporary = target.with_name(f".fieldguide-{os.getpid()}-{target.name}")
    try:
        with temporary.open("wb") as handle:
            for key, place in places.items():
                if key in drop:
                    continue
                record = archive.record(path, *place)
                shown.update(names_in(record))
                if isinstance(record, Head) and not drop:
                    record = replace(record, sources=())
                handle.write(encode(record))
            handle.flush()
            os.fsync(handle.fileno())
        temporary.replace(target)
    except OSError as error:
        raise StorageError(
            f"{target} could not be written: {error.strerror or error}.",
            hint="Check that the folder is writable and has space left.",
        ) from error
    except NotFoundError as error:
        raise StorageError(f"{path} changed while it was read.", hint="Try again.") from error
    finally:
        temporary.unlink(missing_ok=True)
    return shown
