"""What the target of a request names in an exported site.

Every path is judged before a file is opened: encoded steps upwards, links that lead out and hidden
files are refused.
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from generator.confine import is_inside


def find_file(root: Path, target: str) -> Path | str | None:
    """Find the file that a request names.

    Args:
        root: The exported site, with links followed.
        target: The target of the request line: a path with percent-encoding, maybe a query.

    Returns:
        The file, for a page also when it is named without its ending; or, for a folder named
        without its slash, the path to go to; or None when there is nothing, or it leads out of
        the site.
    """
    try:
        name = unquote(urlsplit(target).path, errors="strict")
    except (UnicodeDecodeError, ValueError):
        return None
    parts = name.split("/")[1:]
    hidden = [part for part in parts if part.startswith(".") and part != ".well-known"]
    if not name.startswith("/") or hidden or any(bad in name for bad in ("\\", "\0", ":")):
        return None
    path = root.joinpath(*(part for part in parts if part))
    try:
        if not is_inside(path, [root]):
            return None
        if path.is_dir():
            if not name.endswith("/"):
                return f"{quote(path.name)}/" if (path / "index.html").is_file() else None
            path = path / "index.html"
            if not is_inside(path, [root]):
                return None
        if name.endswith("/") and path.name != "index.html":
            return None
        if not path.exists() and path != root:
            path = path.with_name(f"{path.name}.html")
            if not is_inside(path, [root]):
                return None
        return path if path.is_file() and not name.endswith(path.name + "/") else None
    except OSError:
        return None
