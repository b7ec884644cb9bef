"""What search knows of a batch: its places, their texts, and the tokens of each place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from generator.export.finding.tokens import count_tokens
from generator.export.site import Batch, Found, Site

_OFTEN = 5  # times that a token weighs more from


def make_record(found: Sequence[Found]) -> dict[str, Any]:
    """Return places, texts and tokens as JSON types.

    Args:
        found: The places of a batch.

    Returns:
        ``places`` (path and title), ``texts``, and ``tokens``: for each place two texts of tokens
        between spaces, first those that weigh more (in the title, or often), then the others.
    """
    places, texts, tokens = [], [], []
    for item in found:
        counts = count_tokens(item.text)
        titled = count_tokens(item.title)
        heavy = [t for t, n in counts.items() if n >= _OFTEN and t not in titled] + list(titled)
        light = [t for t, n in counts.items() if n < _OFTEN and t not in titled]
        places.append([item.path, item.title])
        texts.append(item.text)
        tokens.append([" ".join(sorted(heavy)), " ".join(sorted(light))])
    return {"places": places, "texts": texts, "tokens": tokens}


def record_key(base: str, key: str) -> str:
    """Return the digest that a batch's record is remembered under.

    Args:
        base: Digest of what every page depends on.
        key: Digest of what the batch depends on.
    """
    return f"{base}{key}"


def batch_record(site: Site, batch: Batch) -> dict[str, Any]:
    """Return a batch's record, made once for each of its keys."""
    key = record_key(site.base, batch.key)
    held = site.records.get(key) or site.memo.get("batch", key)
    if held is None:
        held = make_record(batch.make())
        site.memo.put("batch", key, held)
    return held  # type: ignore[no-any-return]
