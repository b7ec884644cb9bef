"""Search by meaning: the real model, vectors that keep in step, damage that is mended."""

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

from generator.search import Filters
from generator.search.embedding import Model, find_model, windows
from generator.search.meaning import Meaning
from generator.search.vectors import VectorFile, digest

TALK = (
    ("user", "The cat sleeps on the warm sofa."),
    ("assistant", "Quarterly revenue rose by nine percent."),
    ("user", "服务器昨晚崩溃了，数据库连接全部断开。"),
    ("assistant", "We deploy the website every Tuesday morning."),
    ("user", "Add more garlic and let the soup simmer."),
)


def add(lines, session, *said, mode="a"):
    """Write (role, text, time) as messages of a session."""
    entries = [
        {"role": role, "text": text, "ts": ts, "session": session} for role, text, ts in said
    ]
    lines.write(f"{session}.jsonl", *entries, mode=mode)


class CountingModel:
    """The real model; it says how many texts it was given."""

    def __init__(self):
        self.real = find_model()
        self.name, self.dimensions = self.real.name, self.real.dimensions
        self.texts = []

    def embed(self, texts):
        self.texts += texts
        return self.real.embed(texts)


@pytest.fixture
def model():
    return CountingModel()


@pytest.fixture
def opened(index, lines, model, tmp_path):
    """Open the search by meaning over the index as it stands now."""

    def open_it(messages=100, path=None):
        index.refresh()
        return Meaning(index, path or tmp_path / "index" / "meaning.vectors", model, messages)

    add(lines, "a", *((role, text, float(n)) for n, (role, text) in enumerate(TALK, start=1)))
    return open_it


def near(meaning, query, filters=None, limit=3):
    meaning.refresh(None)
    hits, _ = meaning.nearest(query, filters or Filters(), limit)
    return [meaning.with_snippet(hit).snippet.text for hit in hits]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("a pet resting on the couch", TALK[0][1]),
        ("company earnings", TALK[1][1]),
        ("the database went down last night", TALK[2][1]),
        ("когда мы публикуем сайт", TALK[3][1]),
        ("做飯的建議", TALK[4][1]),
    ],
)
def test_what_is_meant_is_found_in_any_language(opened, query, expected):
    assert near(opened(), query)[0] == expected


def test_filters_hold_and_the_total_counts_what_passes(opened):
    meaning = opened()
    meaning.refresh(None)
    hits, total = meaning.nearest("pet", Filters(roles=("ASSISTANT",)), 10)
    assert total == 2
    assert {hit.role for hit in hits} == {"assistant"}
    assert meaning.nearest("pet", Filters(after=3.0, before=5.0), 10)[1] == 2
    assert meaning.nearest("pet", Filters(not_sessions=("a",)), 10) == ([], 0)


def test_only_what_is_new_is_embedded(opened, lines, model):
    near(opened(), "x")
    assert len(model.texts) == len(TALK) + 1
    add(lines, "a", ("user", "A new message about sailing boats.", 9.0))
    assert near(opened(), "boats at sea")[0].startswith("A new message")
    assert len(model.texts) == len(TALK) + 3


def test_a_text_that_moved_is_not_embedded_again(opened, lines, model):
    near(opened(), "x")
    moved = [(role, text, 1.0 + n) for n, (role, text) in enumerate(TALK)]
    add(lines, "a", ("user", "First line now.", 0.5), *moved, mode="w")
    near(opened(), "x")
    assert model.texts.count(TALK[0][1]) == 1


def test_only_the_newest_are_covered(opened):
    meaning = opened(messages=2)
    covered = meaning.refresh(None)
    assert (covered.messages, covered.wanted, covered.total, covered.oldest) == (2, 2, 5, 4.0)
    assert set(near(meaning, "cat", limit=9)) == {TALK[3][1], TALK[4][1]}
    assert opened(messages=0).refresh(None).wanted == 0
    assert near(opened(messages=0), "cat") == []


def test_a_stop_leaves_finished_work_and_the_newest_come_first(opened, lines):
    told = [("user", f"Message number {n} about topic {n}.", 100.0 + n) for n in range(200)]
    add(lines, "b", *told)
    meaning = opened(messages=500)
    covered = meaning.refresh(0.0)
    assert 0 < covered.messages < covered.wanted
    assert covered.oldest > 100.0
    assert meaning.refresh(None).messages == 205

    def stop(done, total):
        raise KeyboardInterrupt

    add(lines, "b", ("user", "One more.", 999.0))
    with pytest.raises(KeyboardInterrupt):
        opened(messages=500).refresh(None, stop)
    assert opened(messages=500).refresh(None).messages == 206


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.unlink(),
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(b"not vectors at all" * 100),
        lambda path: path.write_bytes(path.read_bytes()[:-100]),
        lambda path: path.write_bytes(path.read_bytes().replace(b"vectors 1 ", b"vectors 0 ")),
        lambda path: path.write_bytes(path.read_bytes()[:-5] + b"\x11\x22\x33\x44\x55"),
        lambda path: path.write_bytes(path.read_bytes() + b"\xff" * 777),
    ],
)
def test_a_missing_old_or_broken_file_is_mended(opened, tmp_path, damage):
    near(opened(), "x")
    damage(tmp_path / "index" / "meaning.vectors")
    meaning = opened()
    assert near(meaning, "a pet resting on the couch")[0] == TALK[0][1]
    assert meaning.refresh(None).messages == len(TALK)
    assert opened().refresh(None).messages == len(TALK)


def test_vectors_of_another_model_are_not_used(opened, tmp_path, model):
    near(opened(), "x")
    path = tmp_path / "index" / "meaning.vectors"
    other = VectorFile(path, Model("another 1.0", model.dimensions))
    other.load()
    assert len(other) == 0


def test_a_killed_writer_leaves_what_it_finished(tmp_path, model):
    path = tmp_path / "v.vectors"
    program = f"""
import numpy, os, sys
from pathlib import Path
from generator.search.embedding import Model
from generator.search.vectors import VectorFile
file = VectorFile(Path({str(path)!r}), Model({model.name!r}, {model.dimensions}))
file.load()
for n in range(5):
    vectors = numpy.random.default_rng(n).normal(size=(10, {model.dimensions})).astype("f4")
    file.append(file.make(range(n * 10 + 1, n * 10 + 11), range(n * 10 + 1, n * 10 + 11), vectors))
with open(file.path, "ab") as handle:
    handle.write(b"x" * 300)
    handle.flush()
    os._exit(9)
"""
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 9
    file = VectorFile(path, model)
    file.load()
    assert len(file) == 50
    file.append(file.make([99], [99], np.ones((1, model.dimensions), dtype=np.float32)))
    again = VectorFile(path, model)
    again.load()
    assert [len(again.rows_of(key)) for key in (1, 50, 99, 77)] == [1, 1, 1, 0]


def test_cosines_survive_eight_bits(tmp_path, model):
    vectors = np.random.default_rng(1).normal(size=(300, model.dimensions)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    file = VectorFile(tmp_path / "v.vectors", model)
    file.load()
    file.append(file.make(range(300), range(300), vectors))
    rows = np.arange(300)
    found = file.products(rows, vectors[7])
    assert np.abs(found - vectors @ vectors[7]).max() < 0.01
    assert np.abs(file.mean(rows) - vectors.mean(axis=0)).max() < 0.01


def test_dead_rows_are_dropped(opened, lines, monkeypatch, tmp_path):
    monkeypatch.setattr("generator.search.meaning._LEAST_DEAD", 3)
    near(opened(), "x")
    size = (tmp_path / "index" / "meaning.vectors").stat().st_size
    for n in range(4):
        add(lines, "a", *(("user", f"Wholly other text {n} {m}.", 1.0) for m in range(5)), mode="w")
        near(opened(), "x")
    assert (tmp_path / "index" / "meaning.vectors").stat().st_size <= size * 3


@pytest.mark.skipif(os.name == "nt", reason="a folder as a file stands for a disk that refuses")
def test_a_file_that_cannot_be_written_is_said(opened, tmp_path):
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where a folder should be")
    covered = opened(path=blocked / "meaning.vectors").refresh(None)
    assert covered.messages == 0
    assert "blocked" in covered.problem


def test_threads_ask_at_once(opened):
    meaning = opened()
    meaning.refresh(None)
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(near(meaning, "a pet on the couch")[0]))
        for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [TALK[0][1]] * 6


def test_long_texts_are_seen_at_both_ends():
    assert windows("short") == ["short"]
    assert windows(" \n ") == []
    both = windows("a" * 5000 + "z" * 5000)
    assert [set(piece) for piece in both] == [{"a"}, {"z"}]
    assert windows("lone \ud800 surrogate") == ["lone ? surrogate"]


def test_digests_tell_parts_apart():
    assert digest("ab", "c") != digest("a", "bc")
    assert 0 <= digest("x") < 2**64
