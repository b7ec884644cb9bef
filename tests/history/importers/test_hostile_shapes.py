"""Hostile shapes: any field may hold anything; a file tells of it and never costs the run."""

import json
import random
import shutil
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from generator.exceptions import FieldguideError
from generator.history.canonical import encode
from generator.history.discovery import find_units
from generator.history.importers import read
from generator.history.importers.base import Reading
from generator.history.listing import list_sources

SAMPLES = Path(__file__).parents[2] / "fixtures" / "samples"
ODD = [
    None, 0, -1, 1.5, "", True, [], {}, "x" * 50, [None], [1, "a", {}], {"a": []},
    {"type": "text"}, float("nan"), float("inf"), 10**30, "\ud83d",
]  # fmt: skip


def bent(value, chance):
    if chance.random() < 0.04:
        return chance.choice(ODD)
    if isinstance(value, dict):
        return {key: bent(item, chance) for key, item in value.items() if chance.random() > 0.01}
    if isinstance(value, list):
        return [bent(item, chance) for item in value]
    return value


def bend_file(path, chance):
    raw = path.read_bytes()
    if path.suffix == ".jsonl":
        lines = []
        for line in raw.split(b"\n"):
            try:
                lines.append(json.dumps(bent(json.loads(line), chance)).encode())
            except ValueError:
                lines.append(line)
        path.write_bytes(b"\n".join(lines))
    elif path.suffix == ".json":
        path.write_text(json.dumps(bent(json.loads(raw), chance)))
    elif path.suffix in (".md", ".log") and raw:
        spoiled = bytearray(raw)
        for _ in range(5):
            spoiled[chance.randrange(len(spoiled))] = chance.randrange(256)
        path.write_bytes(bytes(spoiled))


@pytest.mark.parametrize("seed", range(12))
def test_no_importer_trips_over_a_bent_sample(tmp_path, seed):
    chance = random.Random(seed)
    folder = shutil.copytree(SAMPLES, tmp_path / "samples")
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            bend_file(path, chance)
    told = 0
    for unit in find_units(list_sources([folder], (), tmp_path / "home"), {}):
        try:
            for parsed in read(unit, Reading(zone=ZoneInfo("UTC"))):
                for records in (parsed.messages, parsed.actions, parsed.usage, parsed.events):
                    for record in records:
                        json.loads(encode(record), parse_constant=pytest.fail)
                        told += 1
        except FieldguideError:
            continue
    assert told > 20  # what is whole in a bent file is still read


def test_a_bent_archive_is_taken_in_and_told(source):
    shutil.copytree(SAMPLES, source.folder)
    for seed in range(4):
        chance = random.Random(seed)
        for path in sorted(source.folder.rglob("*")):
            if path.is_file():
                bend_file(path, chance)
        report = source.take_in()
        assert json.loads(json.dumps(report)) == report
        for head in source.archive().sessions():
            source.archive().load(head.id)
