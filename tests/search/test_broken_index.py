"""The index is a cache: whatever happens to it, the old state answers or it is built anew."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from lines import LineCollection

from generator.exceptions import IndexUnavailableError
from generator.search import SearchIndex

WRITER = Path(__file__).parent / "writer.py"


def write(*arguments: str | Path, check: bool = True) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(WRITER), *map(str, arguments)]
    return subprocess.run(command, check=check, capture_output=True, text=True, timeout=120)


def store_of(folder: Path) -> Path:
    return folder / (folder / "current").read_text().strip()


def total(folder: Path, lines: LineCollection, query: str = "message", **options: bool) -> int:
    index = SearchIndex(folder, [lines])
    try:
        return index.search(query, **options).total  # type: ignore[arg-type]
    finally:
        index.close()


@pytest.fixture
def folder(tmp_path: Path, lines: LineCollection) -> Path:
    """An index over 30 messages in 3 files."""
    for name in "abc":
        lines.say(f"{name}.jsonl", *(f"message {number} of {name}" for number in range(10)))
    assert total(tmp_path / "index", lines) == 30
    return tmp_path / "index"


def test_a_store_is_made_of_these_files(folder: Path) -> None:
    kinds = {path.suffix for path in store_of(folder).iterdir() if path.is_file()}
    assert kinds >= {".toc", ".trm", ".pst", ".col", ".json"}


@pytest.mark.parametrize("suffix", [".toc", ".trm", ".pst", ".col", ".json"])
@pytest.mark.parametrize("damage", ["cut", "empty", "zeros", "noise", "gone"])
def test_a_damaged_file_is_built_anew(
    folder: Path, lines: LineCollection, suffix: str, damage: str
) -> None:
    for path in store_of(folder).glob(f"*{suffix}"):
        data = path.read_bytes()
        if damage == "gone":
            path.unlink()
        else:
            changed = {
                "cut": data[: len(data) // 2],
                "empty": b"",
                "zeros": bytes(len(data)),
                "noise": bytes(byte ^ 0x5A for byte in data),
            }
            path.write_bytes(changed[damage])
    assert total(folder, lines) == 30
    assert total(folder, lines, refresh=False) == 30


def test_an_index_of_another_form_is_built_anew(folder: Path, lines: LineCollection) -> None:
    old = folder / "v0-other"
    store_of(folder).rename(old)
    (folder / "current").write_text("v0-other\n")
    index = SearchIndex(folder, [lines])
    report = index.refresh()
    assert report.rebuilt == "The index had another form."
    assert index.search("message").total == 30
    assert not old.exists()
    index.close()


@pytest.mark.parametrize("content", [b"", b"../../etc\n", b"\xff\xfe", b"v2l-gone\n"])
def test_a_damaged_pointer_is_written_anew(
    folder: Path, lines: LineCollection, content: bytes
) -> None:
    (folder / "current").write_bytes(content)
    assert total(folder, lines) == 30


@pytest.mark.parametrize("flush", range(1, 12))
def test_a_writer_killed_at_any_flush_of_a_commit(
    folder: Path, lines: LineCollection, flush: int
) -> None:
    lines.say("b.jsonl", "message appended", mode="a")
    lines.say("d.jsonl", "message in a new file")
    lines.say("c.jsonl", "message alone")
    killed = write(folder, lines.folder, "--die-at-flush", str(flush), check=False)
    assert killed.returncode in {-9, 0}
    before = total(folder, lines, refresh=False)
    assert before in {30, 23}  # the whole old state or the whole new one
    assert total(folder, lines) == 23
    assert total(folder, lines, "alone") == 1
    left = [path.name for path in store_of(folder).iterdir() if path.name.startswith(".field")]
    assert left == []


def test_the_first_writer_killed(tmp_path: Path, lines: LineCollection) -> None:
    lines.say("a.jsonl", "message")
    for flush in range(1, 8):
        shutil.rmtree(tmp_path / "index", ignore_errors=True)
        write(tmp_path / "index", lines.folder, "--die-at-flush", str(flush), check=False)
        assert total(tmp_path / "index", lines) == 1


def test_writers_at_the_same_time_queue(folder: Path, lines: LineCollection) -> None:
    command = [sys.executable, str(WRITER), str(folder), str(lines.folder), "--append", "5"]
    writers = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    for writer in writers:
        _, errors = writer.communicate(timeout=120)
        assert (writer.returncode, errors) == (0, "")
    assert total(folder, lines, "appended") == 15
    assert total(folder, lines) == 30


def test_a_disk_that_takes_no_more_keeps_the_old_state(folder: Path, lines: LineCollection) -> None:
    size = sum(path.stat().st_size for path in store_of(folder).iterdir() if path.is_file())
    lines.say("big.jsonl", *(f"message{n} unlike{n} another{n}" for n in range(20_000)))
    failed = write(folder, lines.folder, "--file-limit", "20000", check=False)
    assert failed.returncode == 0  # the old state answered
    assert failed.stdout.strip() == "30"
    left = sum(path.stat().st_size for path in store_of(folder).rglob("*") if path.is_file())
    assert left <= size + 1000
    assert total(folder, lines, "unlike7") == 1


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """Mount a file system of a size; where that is not allowed, a folder that takes no more."""
    mounted: list[Path] = []

    def mount(size: str) -> Path:
        place = tmp_path / "disk"
        place.mkdir()
        made = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={size}", "none", str(place)],
            check=False,
            capture_output=True,
        )
        if made.returncode == 0:
            mounted.append(place)
        return place

    yield mount
    for place in mounted:
        subprocess.run(["umount", "-l", str(place)], check=True)


def make_read_only(place: Path) -> None:
    if subprocess.run(["mountpoint", "-q", str(place)], check=False).returncode == 0:
        subprocess.run(["mount", "-o", "remount,ro", str(place)], check=True)
    else:
        for path in [*place.rglob("*"), place]:
            path.chmod(0o555 if path.is_dir() else 0o444)


def test_a_full_disk_keeps_the_old_state(
    small_disk: Callable[[str], Path], lines: LineCollection
) -> None:
    lines.say("a.jsonl", "message one")
    place = small_disk("1500k")
    assert total(place / "index", lines) == 1
    lines.say("big.jsonl", *(f"message {n} unlike{n} other{n:x}" for n in range(60_000)))
    index = SearchIndex(place / "index", [lines])
    results = index.search("message")
    if os.path.ismount(place):
        assert results.total == 1
        told = results.searched.stale or ""
        assert "No space left" in told
        assert told.endswith("device.")
        assert "Errno" not in told
    (lines.folder / "big.jsonl").unlink()
    lines.say("b.jsonl", "message two")
    results = index.search("message")
    assert (results.total, results.searched.stale) == (2, None)
    index.close()


def test_a_read_only_home_still_answers(
    small_disk: Callable[[str], Path], lines: LineCollection
) -> None:
    place = small_disk("2m")
    lines.say("a.jsonl", "message one")
    assert total(place / "index", lines) == 1
    lines.say("a.jsonl", "message two", mode="a")
    make_read_only(place)
    index = SearchIndex(place / "index", [lines])
    results = index.search("message")
    assert results.total == 1
    assert "not searched yet" in (results.searched.stale or "")
    index.close()


def test_a_read_only_home_without_an_index_is_searched_all_the_same(
    small_disk: Callable[[str], Path], lines: LineCollection
) -> None:
    place = small_disk("2m")
    (place / "home").mkdir()
    make_read_only(place)
    lines.say("a.jsonl", "message one")
    assert total(place / "home" / "index", lines) == 1


def test_no_index_and_no_room_is_an_error_that_says_what_to_do(
    tmp_path: Path, lines: LineCollection, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "nowhere"))
    lines.say("a.jsonl", "message")
    with pytest.raises(IndexUnavailableError, match="could not be written"):
        total(tmp_path / "file", lines)


def test_a_reader_is_not_disturbed_by_a_rebuild(folder: Path, lines: LineCollection) -> None:
    reader, builder = SearchIndex(folder, [lines]), SearchIndex(folder, [lines])
    assert reader.search("message").total == 30
    opened = reader._opened()
    lines.say("d.jsonl", "message new")
    builder.rebuild()
    assert opened.snapshot.codes(["message"])  # the files of the old store are still open
    assert "message" in opened.snapshot.words()
    assert reader.search("message", refresh=False).total == 31
    reader.close()
    builder.close()
