"""The command as a process: odd input on stdin, readers that leave, streams that are closed."""

import subprocess
import sys

import pytest

COMMAND = f"{sys.executable} -m generator"


def shell(line: str, given: bytes = b"") -> tuple[int, bytes, str]:
    done = subprocess.run(["bash", "-c", line], input=given, capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr.decode()


@pytest.mark.parametrize(
    ("given", "said"),
    [(b"\xff\xfe", "not UTF-8"), (b"[" * 100_000, "nested too deep"), (b"[1]", "one JSON object")],
    ids=["bytes", "nested", "list"],
)
def test_odd_arguments_on_standard_input_are_wrong_use(given, said):
    code, out, err = shell(f"{COMMAND} call memory_search -", given)
    assert (code, out) == (2, b"")
    assert said in err
    assert len(err.splitlines()) == 1


def test_a_reader_that_leaves_ends_the_command_quietly():
    code, out, err = shell(f"set -o pipefail; {COMMAND} guide office html_render | head -n 1")
    assert (code, out, err) == (0, b"## office\n", "")


def test_a_full_disk_behind_standard_output_is_one_sentence():
    code, _, err = shell(f"{COMMAND} guide recall > /dev/full")
    assert code == 1
    assert err == "fieldguide: The system refused: No space left on device.\n"


def test_closed_streams_are_no_fault():
    assert shell(f"{COMMAND} guide recall >&-") == (0, b"", "")
    assert shell(f"{COMMAND} guide nonsense 2>&-") == (2, b"", "")
