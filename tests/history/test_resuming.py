"""Reading on from a checkpoint must leave exactly what reading from the start leaves."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator.history import taking
from generator.history.books import Books
from generator.history.canonical import encode, record_key
from generator.history.collection import HistoryCollection
from generator.history.entries import COLUMNS as entry_columns
from generator.history.forgetting import forget_records
from generator.history.importers import checkpoints, records
from generator.history.importers.claude_code import progress as claude_progress
from generator.history.importers.codex import progress as codex_progress
from generator.history.register import Register
from generator.paths import Home
from generator.search import SearchIndex
from tests.history.conftest import Source
from tests.history.growing_sessions import SESSION, claude_code, codex

# All but where a line stands: a whole reading writes some lines again.
COLUMNS = [name for name in entry_columns if name not in ("start", "length")]
SAMPLES = Path(__file__).parent.parent / "fixtures" / "samples"
GROWING = [
    path
    for path in sorted(SAMPLES.rglob("*.jsonl"))
    if "claude-code" in path.parts or "codex" in path.parts
]


@pytest.fixture(autouse=True)
def narrow(monkeypatch):
    """Keep little in sight, so that small sessions already speak of what is out of it."""
    monkeypatch.setattr(claude_progress, "_RECORDS", 4)
    monkeypatch.setattr(claude_progress, "_WAITING", 1)
    monkeypatch.setattr(codex_progress, "_PARTS", 3)
    monkeypatch.setattr(codex_progress, "_WAITING", 1)
    monkeypatch.setattr(checkpoints, "BLOCK_BYTES", 512)


class Homes:
    """One source, brought into a home that resumes and into one that never does."""

    def __init__(self, folder: Path, name: str) -> None:
        self.name = name
        self.folder = folder
        self.resumed = Source(folder / "src", Home(folder / "resumed"))
        self.whole = Source(folder / "src", Home(folder / "whole"))
        home = self.resumed.home
        collection = HistoryCollection(home, Register(home))
        self.resumed_index = SearchIndex(home.index, [collection], background=False)

    def take_in(self, content: bytes) -> None:
        """Bring a state of the file in, and compare."""
        self.resumed.write(self.name, content)
        report = self.resumed.take_in()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(taking, "load_checkpoint", lambda *_: None)
            assert self.whole.take_in() == report
        assert held(self.resumed) == held(self.whole)
        assert size(self.resumed) <= size(self.whole)
        assert entries(self.resumed) == entries(self.whole)
        self.resumed_index.refresh()
        self.resumed_index.close()

    def compare_with_fresh(self) -> None:
        """Compare with a home that sees only the last state."""
        fresh = Source(self.folder / "src", Home(self.folder / "fresh"))
        assert fresh.take_in() == self.resumed.take_in()
        assert held(fresh) == held(self.resumed)
        register = Register(fresh.home)
        index = SearchIndex(fresh.home.index, [HistoryCollection(fresh.home, register)])
        assert found(index) == found(self.resumed_index)


def found(index: SearchIndex) -> Any:
    """Return everything that the index holds and what it says of itself."""
    index.refresh()
    listed = index.browse(limit=500, refresh=False)
    hits = sorted(repr((hit.ref, hit.role, hit.thread, hit.ts, hit.snippet)) for hit in listed.hits)
    words = {word: index.search(word, refresh=False).total for word in ("go", "船が", "café")}
    searched = index.coverage(refresh=False)
    index.close()
    assert searched.entries == listed.total
    return hits, words, searched.entries, searched.sources, searched.oldest, searched.newest


def size(source: Source) -> int:
    return sum(state.size for state in source.archive().files())


def entries(source: Source) -> dict[str, list[Any]]:
    with Books(source.home, writable=False) as books:
        return {
            table: sorted(map(repr, (tuple(row) for row in books.database.execute(query))))
            for table, query in {
                "entries": f"SELECT {', '.join(COLUMNS)} FROM entries",
                "leaves": "SELECT * FROM leaves",
                "titles": "SELECT * FROM leaf_titles",
                "units": "SELECT id, path, format, report FROM units",
                "files": "SELECT id, path, agent, session, head, rank, moment FROM files",
            }.items()
        }


def held(source: Source) -> dict[tuple[str, ...], bytes]:
    records: dict[tuple[str, ...], bytes] = {}
    for state in source.archive().files():
        for located in source.archive().records(state.path):
            records[state.path.name, *record_key(located.record)] = encode(located.record)
    return records


def checkpoints_of(source: Source) -> int:
    with Books(source.home, writable=False) as books:
        return int(books.database.execute("SELECT count(*) FROM checkpoints").fetchone()[0])


def lines_of(records: list[Any], end: str = "\n") -> bytes:
    return "".join(
        json.dumps(record, ensure_ascii="\\ud83d" in json.dumps(record)) + end for record in records
    ).encode()


@pytest.mark.parametrize("path", GROWING, ids=lambda path: path.stem[:24])
def test_every_line_by_itself(path, tmp_path):
    homes = Homes(tmp_path, path.name)
    grown = b""
    for line in path.read_bytes().splitlines(keepends=True):
        grown += line
        homes.take_in(grown)
    homes.compare_with_fresh()


FORMATS = {"claude-code": claude_code, "codex": codex}


@settings(
    max_examples=10,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
@pytest.mark.parametrize("name", FORMATS)
def test_any_session_in_any_steps(name, data, tmp_path_factory):
    seed = data.draw(st.integers(0, 10_000), label="seed")
    end = data.draw(st.sampled_from(["\n", "\r\n"]), label="line end")
    records = FORMATS[name](random.Random(seed), data.draw(st.integers(5, 30), label="records"))
    content = lines_of(records, end)
    # Cuts stand anywhere: inside a line, inside a character of several bytes.
    cuts = sorted(data.draw(st.sets(st.integers(1, len(content)), max_size=5), label="cuts"))
    homes = Homes(tmp_path_factory.mktemp("homes"), f"{SESSION}.jsonl")
    for cut in (*cuts, len(content)):
        homes.take_in(content[:cut])
    homes.compare_with_fresh()


def session(count: int, seed: int = 1) -> bytes:
    """Return a session without oddities, so that nothing but the file can raise a doubt."""
    return lines_of(claude_code(random.Random(seed), count, odd=0.0))


def cut(content: bytes, part: float) -> bytes:
    """Return the first lines of a file."""
    return content[: content.rfind(b"\n", 0, int(len(content) * part)) + 1]


@pytest.fixture
def homes(tmp_path):
    return Homes(tmp_path, f"{SESSION}.jsonl")


def lines_read(source: Source, monkeypatch) -> list[int]:
    """Return a list that fills with the numbers of the lines that importers are given."""
    seen: list[int] = []
    real = records.JsonLines.__iter__

    def noting(self):
        for line in real(self):
            seen.append(line.number)
            yield line

    monkeypatch.setattr(records.JsonLines, "__iter__", noting)
    return seen


def test_only_what_was_appended_is_read(homes, monkeypatch):
    content = session(30)
    homes.take_in(cut(content, 0.5))
    read = lines_read(homes.resumed, monkeypatch)
    homes.resumed.write(homes.name, content)
    homes.resumed.take_in()
    assert read == list(range(cut(content, 0.5).count(b"\n") + 1, 31))


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda c: c.replace(b"/home/dev", b"/home/boy", 1), id="at the beginning"),
        pytest.param(lambda c: b"".join(reversed(c.splitlines(keepends=True))), id="order"),
        pytest.param(lambda c: c[: len(c) // 3], id="cut"),
        pytest.param(lambda c: b"\n".join(c.split(b"\n")[4:]), id="cut from the front"),
        pytest.param(lambda c: b"\xef\xbb\xbf" + c, id="a byte order mark"),
        pytest.param(lambda c: c.replace(b"\n", b"\r\n"), id="line ends"),
        pytest.param(lambda c: b"", id="emptied"),
    ],
)
def test_a_file_whose_beginning_changed_is_read_from_its_start(homes, change):
    content = session(30)
    homes.take_in(cut(content, 0.7))
    homes.take_in(change(cut(content, 0.7)) + content[len(cut(content, 0.7)) :])


def test_a_change_in_the_middle_of_a_large_file_is_found_after_some_appends(homes, monkeypatch):
    monkeypatch.setattr(checkpoints, "BLOCKS_COMPARED", 4)
    content = session(60)
    homes.resumed.write(homes.name, cut(content, 0.5))
    homes.resumed.take_in()
    middle = len(content) // 4
    at = content.index(b'"cwd": "/home/dev', middle)
    content = content[:at] + content[at:].replace(b"/home/dev", b"/home/boy", 1)
    read = lines_read(homes.resumed, monkeypatch)
    for part in range(50, 101):
        homes.resumed.write(homes.name, cut(content, part / 100))
        homes.resumed.take_in()
    assert 1 in read


def test_a_last_line_that_is_not_ended_is_read_again_with_what_follows(homes):
    content = session(20)
    lines = content.splitlines(keepends=True)
    for number in range(10, 20):
        homes.take_in(b"".join(lines[:number]) + lines[number].rstrip())
        homes.take_in(b"".join(lines[:number]) + lines[number].rstrip() + b"}")
    homes.take_in(content)
    homes.compare_with_fresh()


def test_two_files_of_one_session_are_both_heard(homes):
    content = session(40)
    homes.take_in(cut(content, 0.4))
    for part in (0.6, 0.8):
        homes.resumed.write(f"backup/{homes.name}", cut(content, part))
        homes.take_in(cut(content, part - 0.1))
    homes.take_in(content)


def test_a_session_of_which_something_was_forgotten_keeps_its_numbers(homes):
    content = session(40)
    homes.take_in(cut(content, 0.5))
    for source in (homes.resumed, homes.whole):
        (state,) = source.archive().files()
        forget_records(source.workspace(), state.path, lambda record: getattr(record, "n", 0) == 2)
    homes.take_in(cut(content, 0.8))
    homes.take_in(content)


def test_another_zone_reads_everything_again(homes, monkeypatch):
    content = session(20)
    homes.take_in(cut(content, 0.5))
    (homes.resumed.home.root / "config.json").write_text(
        json.dumps({"timezone": "America/Lima", "sources": [str(homes.resumed.folder)]})
    )
    read = lines_read(homes.resumed, monkeypatch)
    homes.resumed.write(homes.name, content)
    homes.resumed.take_in()
    assert read[0] == 1


def test_a_counter_that_comes_late_takes_back_what_turns_counted(homes):
    def record(kind: str, payload: dict[str, Any]) -> dict[str, Any]:
        return {"timestamp": "2026-03-01T10:00:00Z", "type": kind, "payload": payload}

    spent = {"input_tokens": 9, "output_tokens": 1}
    turn = record("token_usage_record", {"turn_id": "t1", "turn_token_usage": spent})
    info = {"total_token_usage": spent, "last_token_usage": spent}
    lines = [
        record("session_meta", {"id": SESSION}),
        record("event_msg", {"type": "user_message", "message": "go on"}),
        turn,
    ]
    homes.take_in(lines_of(lines))
    assert homes.resumed.total()["tokens"]["total"] == 10
    homes.take_in(lines_of([*lines, record("event_msg", {"type": "token_count", "info": info})]))
    assert homes.resumed.total()["tokens"]["total"] == 10
    homes.compare_with_fresh()


KILLED = """
import os, signal, sys
from pathlib import Path
from generator.history import merging, taking
from generator.history.intake import take_in
from generator.paths import Home
from generator.workspace import Workspace
holder = {"taking": taking, "merging": merging}[sys.argv[2]]
setattr(holder, sys.argv[3], lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL))
take_in(Workspace(home=Home(Path(sys.argv[1]))))
"""


@pytest.mark.parametrize(
    "place",
    ["merging entry_row", "merging drop_checkpoints", "taking save_checkpoint",
     "taking settle_titles", "taking settle_copies"],
)  # fmt: skip
def test_a_reader_that_was_killed_loses_nothing(homes, place):
    content = session(30)
    homes.take_in(cut(content, 0.5))
    homes.resumed.write(homes.name, cut(content, 0.8))
    arguments = [str(homes.resumed.home.root), *place.split()]
    killed = subprocess.run([sys.executable, "-c", KILLED, *arguments], check=False)
    assert killed.returncode == -signal.SIGKILL
    homes.resumed.take_in()
    homes.resumed.write(homes.name, content)
    homes.resumed.take_in()
    homes.compare_with_fresh()


def test_several_readers_beside_a_writer_leave_what_one_leaves(homes):
    content = session(40)
    homes.take_in(cut(content, 0.2))
    home = str(homes.resumed.home.root)
    arguments = [sys.executable, "-m", "generator", "--home", home, "history", "index"]
    path = homes.resumed.folder / homes.name
    running: list[subprocess.Popen[bytes]] = []
    for part in (0.4, 0.6, 0.8, 1.0):
        path.write_bytes(content[: int(len(content) * part)])
        running += [subprocess.Popen(arguments, stdout=subprocess.DEVNULL) for _ in range(2)]
    assert [process.wait() for process in running] == [0] * 8
    homes.resumed.take_in()
    homes.compare_with_fresh()
