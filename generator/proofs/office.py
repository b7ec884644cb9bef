"""Opens an Office file in LibreOffice and reads back what it shows."""

from __future__ import annotations

import re
import shutil
import subprocess
from html import unescape
from pathlib import Path

from generator.exceptions import FieldguideError

TIME_LIMIT_SECONDS = 120.0
# Flat OpenDocument: one XML file with every text and computed value in it.
_FLAT = {".docx": "fodt", ".xlsx": "fods", ".pptx": "fodp"}
_BODY = re.compile(r"<office:body>(.*)</office:body>", re.DOTALL)
_BREAK = re.compile(r"</text:(?:p|h)>|</table:table-row>|<text:line-break/>")
_TAG = re.compile(r"<[^>]*>")


def find_office() -> str | None:
    """Return the path of LibreOffice, None when it is not installed."""
    return shutil.which("soffice") or shutil.which("libreoffice")


def convert(path: Path, kind: str, folder: Path) -> Path:
    """Convert a file with LibreOffice, in a profile of its own.

    Args:
        path: The file.
        kind: Extension of what to make: ``pdf``, ``fodt``.
        folder: Where to put it; the profile is made there as well.

    Returns:
        The file made.

    Raises:
        FieldguideError: LibreOffice is not there, takes too long, or cannot open the file.
    """
    program = find_office()
    if program is None:
        raise FieldguideError("LibreOffice is not installed.", hint="Run tests/install/heavy.sh.")
    profile = (folder / "profile").resolve().as_uri()
    command = [program, f"-env:UserInstallation={profile}", "--headless", "--norestore"]
    command += ["--convert-to", kind, "--outdir", str(folder), str(path)]
    try:
        done = subprocess.run(command, capture_output=True, timeout=TIME_LIMIT_SECONDS, check=False)
    except subprocess.TimeoutExpired as error:
        raise FieldguideError(f"LibreOffice did not finish {path.name} in time.") from error
    made = folder / f"{path.stem}.{kind}"
    if not made.is_file():
        said = done.stderr.decode(errors="replace").strip() or "it said nothing"
        raise FieldguideError(f"LibreOffice did not open {path.name}: {said}.")
    return made


def shown_text(path: Path, folder: Path) -> str:
    """Return what LibreOffice shows of a .docx, .xlsx or .pptx, a line for each paragraph.

    Raises:
        FieldguideError: As :func:`convert`.
    """
    flat = convert(path, _FLAT[path.suffix.lower()], folder).read_text(encoding="utf-8")
    body = _BODY.search(flat)
    text = _TAG.sub("", _BREAK.sub("\n", body[1] if body else ""))
    return "\n".join(line.strip() for line in unescape(text).split("\n") if line.strip())
