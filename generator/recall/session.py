"""Which session is "this session"? Said with every answer that depends on it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from generator.echo import quoted
from generator.exceptions import NotFoundError
from generator.history.reading import Reader
from generator.history.register import Row
from generator.workspace import Workspace

VARIABLE = "FIELDGUIDE_SESSION"


@dataclass(frozen=True, slots=True, kw_only=True)
class Current:
    """The session that an answer is about.

    Attributes:
        row: The session.
        how: Why it is this one, as a clause: ``named by session_id``.
    """

    row: Row
    how: str


def current_session(reader: Reader, workspace: Workspace, argument: str | None) -> Current | None:
    """Decide which session is meant.

    Args:
        reader: The archive.
        workspace: Gives the environment and the working folder.
        argument: What the caller named; wins over everything else.

    Returns:
        The session named by the argument, else by ``$FIELDGUIDE_SESSION``, else the newest of
        this working folder, else the newest. None when the archive holds no session.

    Raises:
        NotFoundError: The argument or the variable names a session that is not there.
        UsageError: It fits several sessions.
    """
    if argument:
        return Current(row=reader.find(argument), how="named by session_id")
    named = workspace.environ.get(VARIABLE, "").strip()
    if named:
        try:
            return Current(row=reader.find(named), how=f"named by ${VARIABLE}")
        except NotFoundError as error:
            raise NotFoundError(
                f"${VARIABLE} names session {quoted(named)}, which the archive does not hold.",
                hint="Register where this agent writes its sessions with "
                "'fieldguide history add PATH', or give session_id.",
            ) from error
    # A subagent's session is younger than the one that started it, and never the one meant.
    rows = [row for row in reader.register.sessions() if not row.head.get("parent")]
    folders = {str(row.head.get("cwd") or "") for row in rows}
    same = {folder for folder in folders if folder and _is_folder(folder, workspace.cwd)}
    here = next((row for row in rows if row.head.get("cwd") in same), None)
    if here is not None:
        return Current(row=here, how="the newest of this working folder")
    if rows:
        return Current(row=rows[0], how="the newest of all; none was held in this working folder")
    return None


def _is_folder(held: str, cwd: Path) -> bool:
    try:
        return held == str(cwd) or Path(held).resolve() == cwd.resolve()
    except (OSError, ValueError, RuntimeError):
        return False
