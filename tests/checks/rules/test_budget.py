"""``budget``: what it reports, where, and what it accepts."""

from __future__ import annotations

from generator.checks.corpus import Budgets

FRONT = '---\ntitle: Lending bicycles\nsummary: Read before lending.\nsince: "1.0"\n---\n\n'


WORDS = "Write down the number. "


def test_a_long_section_is_reported_at_its_heading(found) -> None:
    body = "## A\n\nShort.\n\n## B\n\n" + WORDS * 280
    assert found("budget", body) == ["5:1"]


def test_a_long_topic_is_reported_at_the_top(check_files) -> None:
    body = "".join(f"## Part {n}\n\n{WORDS * 100}\n\n" for n in range(5))
    (finding,) = check_files({"sample.md": FRONT + body}, "budget").findings
    assert (finding.line, finding.column) == (1, 1)
    assert "2,500" in finding.message


def test_a_chinese_character_is_a_token(found) -> None:
    assert found("budget", "## A\n\n" + "登记" * 800) == ["1:1"]


def test_a_large_topic_has_its_own_budget(check_files) -> None:
    body = "".join(f"## Part {n}\n\n{WORDS * 100}\n\n" for n in range(5))
    assert check_files({"office.md": FRONT + body}, "budget").findings == ()


def test_a_bundle_is_reported_at_its_largest_guide(check_files) -> None:
    body = "".join(f"## Part {n}\n\n{WORDS * 80}\n\n" for n in range(4))
    files = {f"topic_{n:02}.md": FRONT + body for n in range(18)}
    files["topic_07.md"] += "More.\n"
    (finding,) = check_files(files, "budget").findings
    assert finding.path == "topic_07.md"
    assert "'all'" in finding.message


def test_settings_change_budgets(check_files) -> None:
    budgets = Budgets(section=10)
    found = check_files({"sample.md": FRONT + "## A\n\n" + WORDS * 3}, "budget", budgets=budgets)
    assert len(found.findings) == 1


def test_other_rules_have_a_budget_of_their_own(check_files) -> None:
    (finding,) = check_files({"AGENTS.md": "# A\n\n" + WORDS * 1000}, "budget").findings
    assert "5,000" in finding.message
