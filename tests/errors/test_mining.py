from __future__ import annotations

from datetime import UTC, datetime

import pytest

from generator.errors.mining import draft_action, draft_keywords, mine_failures
from generator.model.failure import Failure, ObservedCall


def call(status: str, result: str = "", *, tool: str = "Bash", arguments: str = "", day: int = 1, agent: str = "codex") -> ObservedCall:  # fmt: skip
    return ObservedCall(
        ref=f"conversation:s#{day}.1", agent=agent, lane="s", tool=tool, arguments=arguments,
        result=result, status=status, ts=datetime(2026, 3, day, tzinfo=UTC),
    )  # fmt: skip


def test_failures_of_one_kind_are_gathered_across_agents_with_first_and_last_time() -> None:
    mined = mine_failures(
        [
            [call("error", "Error: connect ECONNREFUSED 127.0.0.1:5432", day=3)],
            [call("error", "Error: connect ECONNREFUSED 10.0.0.9:6000", day=9, agent="gemini-cli")],
            [call("error", "Error: connect ETIMEDOUT 10.0.0.9:6000", day=5)],
        ]
    )
    first, second = mined.failures
    assert (first.count, dict(first.agents)) == (2, {"codex": 1, "gemini-cli": 1})
    assert (first.first.day, first.last.day) == (3, 9)
    assert "10.0.0.9" in first.symptom
    assert second.count == 1
    assert (mined.calls, mined.failed) == (3, 3)


def test_the_next_successful_call_of_that_tool_is_the_likely_fix() -> None:
    (mined,) = mine_failures(
        [
            [
                call(
                    "error",
                    "ModuleNotFoundError: No module named 'yaml'",
                    arguments="python app.py",
                ),
                call("ok", "fine", tool="Read", arguments="app.py"),
                call("ok", "fine", arguments="uv run python app.py", day=2),
                call("ok", "later", arguments="ls", day=3),
            ]
        ]
    ).failures
    assert mined.fix is not None
    assert (mined.fix.arguments, mined.fix.after, mined.fix.ref) == (
        "uv run python app.py", 1, "conversation:s#2.1",
    )  # fmt: skip
    assert mined.fixed == 1
    assert "uv run python app.py" in (draft_action(mined) or "")
    assert "python app.py" in (draft_action(mined) or "")


def test_of_several_fixes_the_one_most_like_the_failed_call_is_shown() -> None:
    lane = [
        call("error", "boom happened: fatal", arguments="npm test cart"),
        call("ok", arguments="npm test cart --runInBand", day=2),
        call("error", "boom happened: fatal", arguments="npm test cart", day=3),
        call("ok", arguments="date", day=4),
    ]
    (mined,) = mine_failures([lane]).failures
    assert mined.fix is not None
    assert mined.fix.arguments == "npm test cart --runInBand"


@pytest.mark.parametrize("status", ["denied", "cancelled", "unfinished"])
def test_what_was_denied_cancelled_or_unfinished_is_no_failure(status: str) -> None:
    mined = mine_failures([[call(status, "Error: the user said no"), call("ok", arguments="x")]])
    assert mined.failures == ()
    assert mined.set_aside[status] == 1
    assert mined.failed == 0


def test_a_fix_is_not_taken_from_another_lane() -> None:
    mined = mine_failures([[call("error", "Error: x")], [call("ok", arguments="y")]])
    assert mined.failures[0].fix is None
    assert draft_action(mined.failures[0]) is None


def test_ids_are_stable_and_accepted_drafts_are_marked() -> None:
    lanes = [[call("error", "Process exited with code 137 after 3 s")]]
    other = [[call("error", "Process exited with code 137 after 99 s", day=7, agent="opencode")]]
    name = mine_failures(lanes).failures[0].id
    assert mine_failures(other).failures[0].id == name
    record = Failure(
        hash="12345678", tool_name="Bash", keywords=(), symptom="s", action="a",
        outcome="resolved", recorded_at=datetime(2026, 3, 1, tzinfo=UTC), mined=name,
    )  # fmt: skip
    assert mine_failures(lanes, [record]).failures[0].accepted == "12345678"


def test_secrets_in_failures_and_fixes_are_masked() -> None:
    secret = "hunter22" + "x"
    (mined,) = mine_failures(
        [
            [
                call(
                    "error",
                    f"refused postgres://app:{secret}@db/shop",
                    arguments=f"PGPASSWORD={secret} psql",
                ),
                call("ok", arguments=f"PGPASSWORD={secret} psql -h db"),
            ]
        ]
    ).failures
    assert secret not in repr(mined)


def test_a_failure_without_a_message_and_a_huge_one_are_taken() -> None:
    mined = mine_failures([[call("error", ""), call("error", "E\n" * 500_000)]])
    assert {len(item.symptom) < 5_000 for item in mined.failures} == {True}
    assert any("without a message" in item.symptom for item in mined.failures)


def test_keywords_are_what_the_failure_is_called() -> None:
    (mined,) = mine_failures(
        [[call("error", "requests.exceptions.SSLError: CERTIFICATE_VERIFY_FAILED")]]
    ).failures
    assert draft_keywords(mined) == ["SSLError", "CERTIFICATE_VERIFY_FAILED", "Bash"]
