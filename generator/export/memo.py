"""What earlier builds found out about things they did not need to look at again.

A memo is a cache: every value is JSON, stands under a digest of all it depends on, and is found
out anew when it is missing. Values that the last build did not ask for are dropped.
"""

from __future__ import annotations

import contextlib
import json
import zlib
from pathlib import Path
from typing import Any


def pack(value: Any) -> bytes:
    """Write a JSON value small."""
    return zlib.compress(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"), 1)


def unpack(packed: bytes) -> Any:
    """Read what :func:`pack` wrote."""
    return json.loads(zlib.decompress(packed))


class Memo:
    """Values by kind and key.

    Args:
        folder: Where they are kept between processes, a file each; None keeps them in memory,
            as what cannot be written there.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._held: dict[str, bytes] = {}
        self._asked: set[str] = set()

    def get(self, kind: str, key: str) -> Any:
        """Return a value, None when it is not known."""
        name = f"{kind}-{key}"
        self._asked.add(name)
        with contextlib.suppress(OSError, ValueError, zlib.error):
            if name in self._held:
                return unpack(self._held[name])
            if self._folder is not None:
                return unpack((self._folder / name).read_bytes())
        return None

    def take(self, kind: str, key: str) -> bytes | None:
        """Return bytes that :meth:`put_packed` remembered, and forget them."""
        name = f"{kind}-{key}"
        self._asked.discard(name)
        if self._folder is None or name in self._held:
            return self._held.pop(name, None)
        with contextlib.suppress(OSError):
            held = (self._folder / name).read_bytes()
            (self._folder / name).unlink()
            return held
        return None

    def keep(self, kind: str, key: str) -> None:
        """Keep a value that may stand here, though nobody asked for it."""
        self._asked.add(f"{kind}-{key}")

    def put(self, kind: str, key: str, value: Any) -> None:
        """Remember a value."""
        self.put_packed(kind, key, pack(value))

    def put_packed(self, kind: str, key: str, packed: bytes) -> None:
        """Remember a value that :func:`pack` wrote, or other bytes."""
        name = f"{kind}-{key}"
        self._asked.add(name)
        if self._folder is not None:
            with contextlib.suppress(OSError):  # a torn file does not decompress: no sync is needed
                self._folder.mkdir(parents=True, exist_ok=True)
                (self._folder / name).write_bytes(packed)
                return
        # Also where the folder cannot be written: this export still needs what it made.
        self._held[name] = packed

    def sweep(self) -> None:
        """Forget what was not asked for since the last sweep."""
        for name in self._held.keys() - self._asked:
            del self._held[name]
        if self._folder is not None:
            with contextlib.suppress(OSError):
                for path in list(self._folder.iterdir()):
                    if path.name not in self._asked:
                        path.unlink()
        self._asked.clear()
