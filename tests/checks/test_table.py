"""The table of checks: complete, worded, and each rule's examples show it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import generator.checks.rules as rules_room
from generator.checks.rules import CHECKS, Check

SPEC = [
    "front-matter", "unknown-topic", "obsolete-name", "unknown-tool", "budget", "boundary",
    "anchor-collision", "dead-link", "code-parse", "template", "stale-export", "conflict",
    "stand-alone", "hidden-text", "parity",
]  # fmt: skip


def test_the_fifteen_rules_stand_in_order() -> None:
    assert [check.id for check in CHECKS] == SPEC


def test_every_file_stands_in_the_table_and_has_its_test() -> None:
    files = {path.stem for path in Path(rules_room.__file__).parent.glob("*.py")}
    assert files - {"__init__", "base"} == {check.id.replace("-", "_") for check in CHECKS}
    tests = {path.stem for path in (Path(__file__).parent / "rules").glob("test_*.py")}
    assert tests == {f"test_{check.id.replace('-', '_')}" for check in CHECKS}


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.id)
def test_a_rule_says_why_and_what_to_do(check: Check) -> None:
    assert re.match(r"[A-Z].*\.\Z", check.reason, re.DOTALL)
    assert re.match(r"[A-Z].*[.)]\Z", check.fix, re.DOTALL)
    assert check.bad != check.good


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.id)
def test_the_bad_example_is_reported_by_its_rule(check: Check, check_files) -> None:
    assert check_files(check.bad, check.id).findings


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.id)
def test_the_good_example_is_clean_by_every_rule_that_sees_it(check: Check, check_files) -> None:
    assert check_files(check.good, check.id).findings == ()
    if not check.needs_site:
        assert check_files(check.good).findings == ()
