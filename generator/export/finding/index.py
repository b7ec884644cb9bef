"""The index of one export: postings in sorted shards, places and texts in files beside them.

A posting is a place, written as the distance from the one before it, doubled, plus one where
the token weighs more (in the title, or often). Digits are letters of 5 bits each, the last of
each number in capitals, so that most postings take one character.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from generator.export.finding.tokens import count_tokens
from generator.export.outputs import digest
from generator.export.site import Batch, Site

_SHARD_CHARACTERS = 60_000
_PLACES = 2_000  # in one file
_OFTEN = 5  # times that a token weighs more from
_LOW = "0123456789abcdefghijklmnopqrstuv"
_LAST = "ABCDEFGHIJKLMNOPQRSTUVWXYZ!#$%&*"


def encode_number(number: int) -> str:
    """Write a number: digits of 5 bits, the highest first, the last one in its own letters."""
    digits = _LAST[number & 31]
    number >>= 5
    while number:
        digits = _LOW[number & 31] + digits
        number >>= 5
    return digits


@dataclass(slots=True)
class Index:
    """Everything search needs, by the path of its file.

    Attributes:
        files: The scripts.
    """

    files: dict[str, bytes] = field(default_factory=dict)


def batches(site: Site) -> list[tuple[str, Batch]]:
    """Return what search finds, with the section it is of, in a stable order."""
    return [(section.name, batch) for section in site.sections for batch in section.batches(site)]


def batch_record(site: Site, batch: Batch) -> dict[str, Any]:
    """Return a batch's places, texts and tokens, made once for each of its keys."""
    key = digest("batch", site.base, batch.key)
    held = site.memo.get("batch", key)
    if held is None:
        places, texts, tokens = [], [], []
        for found in batch.make():
            counts = count_tokens(found.text)
            titled = count_tokens(found.title)
            heavy = [t for t, n in counts.items() if n >= _OFTEN and t not in titled] + list(titled)
            light = [t for t, n in counts.items() if n < _OFTEN and t not in titled]
            places.append([found.path, found.title])
            texts.append(found.text)
            tokens.append([" ".join(sorted(heavy)), " ".join(sorted(light))])
        held = {"places": places, "texts": texts, "tokens": tokens}
        site.memo.put("batch", key, held)
    return held  # type: ignore[no-any-return]


def make_index(site: Site) -> Index:
    """Build the index of an export."""
    index = Index()
    postings: dict[str, list[str]] = {}
    last: dict[str, int] = {}
    places: list[list[Any]] = []
    names = [section.name for section in site.sections]
    total = 0
    for section, batch in batches(site):
        record = batch_record(site, batch)
        if not record["places"]:
            continue
        index.files[f"search/texts/{batch.name}.js"] = _script("texts", batch.name, record["texts"])
        for at, ((path, title), (heavy, light)) in enumerate(
            zip(record["places"], record["tokens"], strict=True)
        ):
            places.append([names.index(section), path, title, batch.name, at])
            for weight, words in ((1, heavy), (0, light)):
                for token in words.split(" ") if words else ():
                    gap = total - last.get(token, -1)
                    last[token] = total
                    postings.setdefault(token, []).append(encode_number(gap * 2 + weight))
            total += 1
    firsts = []
    for number, (first, lines) in enumerate(_shards(postings)):
        firsts.append(first)
        index.files[f"search/terms/{number}.js"] = _script("terms", number, "\n".join(lines))
    for at in range(0, total, _PLACES):
        index.files[f"search/places/{at // _PLACES}.js"] = _script(
            "places", at // _PLACES, places[at : at + _PLACES]
        )
    about = {
        "total": total,
        "size": _PLACES,
        "firsts": firsts,
        # What holds nothing to find is no filter.
        "sections": [
            [name, site.texts["sections"][name], any(row[0] == at for row in places)]
            for at, name in enumerate(names)
        ],
    }
    index.files["search/index.js"] = _script("index", 0, about)
    return index


def _shards(postings: dict[str, list[str]]) -> Iterator[tuple[str, list[str]]]:
    """Yield the tokens in the order of JavaScript, cut into files of bounded size."""
    lines: list[str] = []
    first, size = "", 0
    for token in sorted(postings, key=lambda token: token.encode("utf-16-be", "replace")):
        line = f"{token} {''.join(postings[token])}"
        if lines and size + len(line) > _SHARD_CHARACTERS:
            yield first, lines
            lines, size = [], 0
        if not lines:
            first = token
        lines.append(line)
        size += len(line)
    if lines:
        yield first, lines


def _script(kind: str, name: str | int, value: Any) -> bytes:
    data = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    # Line ends of JavaScript that JSON lets stand, and a tag that would end an inline script.
    data = data.replace("</", "<\\/").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    call = f"((self.fieldguide??={{}}).found??={{}}).{kind}??={{}}"
    return f"({call})[{json.dumps(name)}]={data};\n".encode("utf-8", "replace")
