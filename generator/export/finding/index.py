"""The index of one site: the directory, postings in shards, places and texts beside them.

It is kept between the builds of one process, and takes in only the blocks that changed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from generator.export.finding.blocks import BLOCK_MARK, Block, Plan, load_block, plan_blocks
from generator.export.finding.records import batch_record, record_key
from generator.export.finding.shards import Shards
from generator.export.outputs import digest
from generator.export.site import Batch, Site


@dataclass(frozen=True, slots=True)
class IndexFile:
    """A script of the index.

    Attributes:
        key: Digest of everything its bytes depend on.
        make: Makes the bytes.
    """

    key: str
    make: Callable[[], bytes]


@dataclass(slots=True)
class SearchIndex:
    """Everything search needs."""

    _blocks: dict[str, Block] = field(default_factory=dict)
    _shards: Shards = field(default_factory=Shards)
    _key: str = ""

    def files(self, site: Site) -> Mapping[str, IndexFile]:
        """Return the scripts of an export by path.

        Where an earlier process made the same index, nothing is loaded before a script is asked
        for.
        """
        plans = plan_blocks(
            (number, batch)
            for number, section in enumerate(site.sections)
            for batch in section.batches(site)
        )
        keys = {}
        for plan in plans:
            keys[plan.id] = digest("block", site.base, plan.key)
            site.memo.keep("block", keys[plan.id])
            for batch in plan.batches:
                site.memo.keep("batch", record_key(site.base, batch.key))
        key = digest("search", site.shell_key, list(keys.items()))
        if key != self._key and not self._blocks:
            known = site.memo.get("search", key)
            if known is not None:
                make = partial(self._make_late, site, plans, keys, key)
                return {name: IndexFile(of, partial(make, name)) for name, of in known.items()}
        fresh = key != self._key
        if fresh:
            self._take_in(site, plans, keys, key)
        files = self._files(site, plans)
        if fresh:
            site.memo.put("search", key, {name: file.key for name, file in files.items()})
        return files

    def _make_late(
        self, site: Site, plans: Sequence[Plan], keys: Mapping[str, str], key: str, name: str
    ) -> bytes:
        if key != self._key:
            self._take_in(site, plans, keys, key)
        return self._files(site, plans)[name].make()

    def _take_in(
        self, site: Site, plans: Sequence[Plan], keys: Mapping[str, str], key: str
    ) -> None:
        """Make the lines of postings follow the blocks that changed, came or went."""
        old, new = self._blocks, {}
        tokens: set[str] = set()
        for plan in plans:
            held = old.get(plan.id)
            if held is None or held.key != keys[plan.id]:
                block = load_block(site, plan, keys[plan.id])
                before = held.postings if held else {}
                tokens.update(token for token, _ in before.items() ^ block.postings.items())
                held = block
            new[plan.id] = held
        for gone in old.keys() - new.keys():
            tokens.update(old[gone].postings)
        lines: dict[str, list[str]] = {token: [] for token in tokens}
        for name in sorted(new):
            postings = new[name].postings
            # Whichever is shorter is gone through.
            for token in lines if len(lines) < len(postings) else postings:
                if token in lines and token in postings:
                    lines[token].append(f"{BLOCK_MARK}{name}{postings[token]}")
        self._shards.change({token: "".join(parts) for token, parts in lines.items()})
        self._blocks, self._key = new, key

    def _files(self, site: Site, plans: Sequence[Plan]) -> dict[str, IndexFile]:
        files = {}
        for plan in plans:
            block = self._blocks[plan.id]
            filled = set(block.filled)
            for batch in plan.batches:
                if batch.name in filled:
                    files[f"search/texts/{batch.name}.js"] = IndexFile(
                        record_key(site.base, batch.key), partial(_texts, site, batch)
                    )
            if block.places:
                files[f"search/places/{plan.id}.js"] = IndexFile(
                    block.key, partial(_script, "places", plan.id, block.places)
                )
        shards = self._shards.files()
        for shard in shards:
            files[f"search/terms/{shard.name}.js"] = IndexFile(
                digest(site.base, shard.key), partial(self._terms, shard.name, shard.first)
            )
        blocks = [
            [plan.id, plan.section, len(self._blocks[plan.id].places)]
            for plan in plans
            if self._blocks[plan.id].places
        ]
        filled_sections = {row[1] for row in blocks}
        about = {
            # What holds nothing to find is no filter.
            "sections": [
                [section.name, site.texts["sections"][section.name], number in filled_sections]
                for number, section in enumerate(site.sections)
            ],
            "blocks": blocks,
            "shards": [[shard.first, shard.name] for shard in shards],
        }
        files["search/index.js"] = IndexFile(
            digest(site.base, about), partial(_script, "index", 0, about)
        )
        return files

    def _terms(self, name: str, first: str) -> bytes:
        return _script("terms", name, self._shards.text(first))


def _texts(site: Site, batch: Batch) -> bytes:
    return _script("texts", batch.name, batch_record(site, batch)["texts"])


def _script(kind: str, name: str | int, value: Any) -> bytes:
    data = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    # Line ends of JavaScript that JSON lets stand, and a tag that would end an inline script.
    data = data.replace("</", "<\\/").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    call = f"((self.fieldguide??={{}}).found??={{}}).{kind}??={{}}"
    return f"({call})[{json.dumps(name)}]={data};\n".encode("utf-8", "replace")
