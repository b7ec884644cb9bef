"""Settings of the checks: where they stand, and what is wrong with them, all at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.checks.options import Options, load_options
from generator.checks.runner import RULE_IDS
from generator.exceptions import UsageError

SETTINGS = """
select = ["dead-link", "budget"]
ignore = ["budget"]
fail-on = "error"
exclude = ["vendor/*"]
site = "public"
severity = {conflict = "error"}
budget = {section = 10}
topics = {office = 7}
"""


@pytest.mark.parametrize(
    ("name", "table"),
    [("fieldguide.toml", "[check]"), ("pyproject.toml", "[tool.fieldguide.check]")],
)
def test_both_files_hold_the_same(tmp_path: Path, name: str, table: str) -> None:
    (tmp_path / name).write_text(table + SETTINGS)
    (tmp_path / "deep" / "er").mkdir(parents=True)
    options = load_options(tmp_path / "deep" / "er", RULE_IDS)
    assert options.select == ("dead-link", "budget")
    assert options.fail_on == "error"
    assert options.site == tmp_path / "public"
    assert options.severity == {"conflict": "error"}
    assert options.budgets.section == 10
    assert options.budgets.topics["office"] == 7
    assert options.budgets.topics["figure"] == 5000


def test_without_settings(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "pyproject.toml").write_text("[tool.other]\n")
    assert load_options(tmp_path, RULE_IDS) == Options()


def test_every_wrong_key_is_named(tmp_path: Path) -> None:
    (tmp_path / "fieldguide.toml").write_text(
        '[chek]\n[check]\nselct = []\nignore = ["bugdet"]\nfail-on = 3\nbudget = {section = "x"}\n'
    )
    with pytest.raises(UsageError) as caught:
        load_options(tmp_path, RULE_IDS)
    message = str(caught.value)
    for part in ("chek", "check.selct", "'bugdet'", "fail-on is 3", "budget.section"):
        assert part in message


def test_a_broken_file(tmp_path: Path) -> None:
    (tmp_path / "fieldguide.toml").write_text("[check\n")
    with pytest.raises(UsageError, match="cannot be read"):
        load_options(tmp_path, RULE_IDS)
