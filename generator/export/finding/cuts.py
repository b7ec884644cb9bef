"""Where a row of things is cut into files: decided by each thing alone, never by its number."""

from __future__ import annotations

from hashlib import blake2b


def starts_file(name: str, size: int, mean: int) -> bool:
    """Tell whether a file starts at a thing.

    Args:
        name: What tells the thing from its neighbours.
        size: Its size; a large thing is more likely to start a file.
        mean: Size that files have on average, in the same unit.
    """
    hashed = blake2b(name.encode("utf-8", "replace"), digest_size=4).digest()
    return int.from_bytes(hashed, "big") % mean < size
