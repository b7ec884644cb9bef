from __future__ import annotations

from datetime import UTC, datetime

from generator.errors.lookup import build_query, message_of, rank_records
from generator.model.failure import Failure

TRACE = (
    'Traceback (most recent call last):\n  File "/home/mia/app/load.py", line 12, in <module>\n'
    '    config = read()\n  File "/home/mia/app/io.py", line 99, in read\n'
    "KeyError: 'timeout'\n"
)


def failure(name: str, symptom: str) -> Failure:
    return Failure(
        hash=name, tool_name="run_command", keywords=(), symptom=symptom, action="fix",
        outcome="resolved", recorded_at=datetime(2026, 1, 1, tzinfo=UTC),
    )  # fmt: skip


def test_a_few_words_are_asked_for_as_they_stand() -> None:
    assert build_query(" ECONNREFUSED postgres ") == "ECONNREFUSED postgres"


def test_of_a_stack_trace_the_telling_words_are_asked_for() -> None:
    query = build_query(TRACE).split()
    assert {"keyerror", "timeout"} <= set(query)
    assert not {"Traceback", "load.py", "12", "mia"} & set(query)


def test_a_chinese_run_is_asked_for_in_pairs_as_well() -> None:
    assert build_query("資料庫連線").split() == ["資料庫連線", "資料", "料庫", "庫連", "連線"]


def test_a_query_is_short_whatever_is_pasted() -> None:
    pasted = "\n".join(f"error: word{n} thing{n}" for n in range(5000))
    assert len(build_query(pasted).split()) < 110


def test_an_equal_signature_comes_before_more_of_the_same_words() -> None:
    wordy = failure(
        "wordy000", "read config timeout timeout in load.py, io.py: KeyError of another kind"
    )
    same = failure("same0000", TRACE.replace("/home/mia", "/srv").replace("'timeout'", "'retries'"))
    assert [record.hash for record in rank_records(TRACE, [wordy, same])] == [
        "same0000",
        "wordy000",
    ]


def test_the_message_of_a_record_is_its_telling_line() -> None:
    assert message_of(failure("x", TRACE)) == "KeyError: 'timeout'"
    assert message_of(failure("x", "npm ERR! code ERESOLVE\nnpm ERR! could not resolve")) == (
        "npm ERR! code ERESOLVE"
    )
    assert message_of(failure("x", "\x1b[31mboom\x1b[0m")) == "boom"
