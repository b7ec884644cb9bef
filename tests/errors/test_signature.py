from __future__ import annotations

import pytest

from generator.errors.signature import codes, normalise, signature, telling_lines


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("took 12.3s at 2026-05-05T10:20:30Z", "took 9 s at 2026-01-02 00:00:01,123"),
        ("connect ECONNREFUSED 127.0.0.1:5432", "connect ECONNREFUSED 10.0.0.9:6379"),
        ("object at 0x7f3a09bc", "object at 0x55ff"),
        ("/tmp/pytest-12/abc.log missing", "/var/folders/q1/x/T/abc.log missing"),
        ("/home/mia/app/x.py", "/Users/ono/app/x.py"),
        (r"C:\Users\Mia\app", "/home/ono\\app"),
        ("No module named 'yaml'", 'No module named "numpy"'),
        ("src/main.rs:14:5 borrow", "src/main.rs:9:22 borrow"),
        (
            "request 3f1c9a10-5b1e-4c55-9d0a-7a2f6c1e0001",
            "request 00000000-0000-4000-8000-000000000000",
        ),
        ("commit 9f2c4e1b7a6d", "commit 1b7a6d5c3f8e0b"),
        ("\x1b[31mred\x1b[0m 1", "red 2"),
        ("讀取 12 筆", "讀取 9999 筆"),
        ("ＥＲＲＯＲ： 第 3 行", "error: 第 4 行"),
        ("worker-12 died", "worker-7 died"),
    ],
)
def test_what_changes_from_run_to_run_is_taken_out(first: str, second: str) -> None:
    assert normalise(first) == normalise(second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Process exited with code 137", "Process exited with code 139"),
        ("HTTP 404", "HTTP 500"),
        ("[Errno 2] No such file", "[Errno 28] No space left"),
        ("狀態碼 503", "狀態碼 404"),
        ("code: 'ECONNREFUSED'", "code: 'EADDRINUSE'"),
        ("error TS2345: x", "error TS2307: x"),
    ],
)
def test_what_the_failure_is_stays(first: str, second: str) -> None:
    assert normalise(first) != normalise(second)


def test_the_signature_of_two_runs_is_equal() -> None:
    first = (
        'Traceback (most recent call last):\n  File "/home/mia/a.py", line 12, in load\n'
        "    import yaml\nModuleNotFoundError: No module named 'yaml'\n"
    )
    second = (
        'Traceback (most recent call last):\n  File "/srv/x/b.py", line 3, in <module>\n'
        '  File "/srv/x/c.py", line 99, in go\n'
        "    import numpy\nModuleNotFoundError: No module named 'numpy'"
    )
    assert signature(first) == signature(second) == "modulenotfounderror: no module named <value>"


def test_stack_frames_are_not_what_a_failure_says() -> None:
    trace = "TypeError: x is not a function\n    at run (/srv/a.js:3:1)\n    at node:internal/x:1:1"
    assert telling_lines(trace) == ["TypeError: x is not a function"]


def test_a_text_without_any_error_word_says_what_it_begins_and_ends_with() -> None:
    lines = [f"row {chr(97 + n)}" for n in range(20)]
    assert telling_lines("\n".join(lines), most=4) == [*lines[:2], *lines[-2:]]


def test_codes_are_found_in_any_spelling() -> None:
    text = "npm ERR! code ERESOLVE, error[E0502], [Errno 24], exit status 137, a.b.KeyError: x, SIGSEGV"
    assert codes(text) >= {"eresolve", "e0502", "status 24", "status 137", "keyerror", "sigsegv"}


@pytest.mark.parametrize(
    "text", ["'" * 200_000, "a:1" * 100_000, "error " * 100_000, "(" * 100_000, "\n" * 300_000]
)
def test_hostile_text_is_gone_through(text: str) -> None:
    assert isinstance(signature(text), str)
