"""Writes are whole or absent, names are never taken twice, locks die with their holder."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from generator.exceptions import StorageError
from generator.storage import create_exclusive, file_lock, read_text, write_atomic


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def test_a_write_replaces_and_leaves_nothing_beside(tmp_path):
    write_atomic(tmp_path / "deep" / "a.txt", "one")
    write_atomic(tmp_path / "deep" / "a.txt", "zwei\r\n三")
    assert (tmp_path / "deep" / "a.txt").read_bytes() == "zwei\r\n三".encode()
    assert names(tmp_path / "deep") == ["a.txt"]


def test_an_existing_file_is_never_replaced_by_an_exclusive_write(tmp_path):
    target = tmp_path / "a.txt"
    assert create_exclusive(target, "first")
    assert not create_exclusive(target, "second")
    assert target.read_text() == "first"
    assert names(tmp_path) == ["a.txt"]


def _claim(folder: str, number: int) -> bool:
    return create_exclusive(Path(folder) / "same.txt", f"{number}" * 10_000)


def test_of_sixteen_processes_exactly_one_makes_the_file(tmp_path):
    context = multiprocessing.get_context("spawn")
    with context.Pool(4) as pool:
        won = pool.starmap(_claim, [(str(tmp_path), n % 10) for n in range(16)])
    assert sum(won) == 1
    content = (tmp_path / "same.txt").read_text()
    assert len(content) == 10_000
    assert len(set(content)) == 1


def test_a_failed_write_keeps_the_old_bytes(tmp_path):
    target = tmp_path / "a.txt"
    write_atomic(target, "old")
    script = (
        "import resource, signal, sys\n"
        "from pathlib import Path\n"
        "from generator.storage import write_atomic\n"
        "from generator.exceptions import StorageError\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "try:\n"
        "    write_atomic(Path(sys.argv[1]), 'new' * 1000)\n"
        "except StorageError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(target)], capture_output=True, text=True, check=True
    )
    assert "could not be written" in done.stdout
    assert target.read_text() == "old"
    assert names(tmp_path) == ["a.txt"]


def test_a_folder_that_cannot_be_made_is_a_sentence(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(StorageError, match="could not be made"):
        write_atomic(tmp_path / "file" / "a.txt", "x")


def test_a_held_lock_is_waited_for_and_then_named(tmp_path):
    lock = tmp_path / "x.lock"
    with (
        file_lock(lock, timeout=1),
        pytest.raises(StorageError, match=r"has held .*x\.lock"),
        file_lock(lock, timeout=0.05),
    ):
        pass


def test_threads_take_turns(tmp_path):
    lock, seen = tmp_path / "x.lock", []

    def work(number: int) -> None:
        with file_lock(lock, timeout=10):
            seen.append(("in", number))
            seen.append(("out", number))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 16
    assert all(seen[i][1] == seen[i + 1][1] for i in range(0, 16, 2))


def test_a_killed_process_lets_go_of_its_lock(tmp_path):
    lock = tmp_path / "x.lock"
    script = (
        "import sys, time\nfrom pathlib import Path\nfrom generator.storage import file_lock\n"
        "with file_lock(Path(sys.argv[1]), timeout=1):\n"
        "    print('held', flush=True)\n    time.sleep(60)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(lock)], stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        os.kill(holder.pid, signal.SIGKILL)
        holder.wait()
    with file_lock(lock, timeout=1):
        assert lock.exists()


def test_a_mark_and_stray_bytes_do_not_stop_a_read(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"\xef\xbb\xbfcaf\xe9\r\n")
    assert read_text(tmp_path / "a.txt") == "caf\ufffd\r\n"
