"""Pages that pass and pages that fail: each in a readable file under ``cases/``."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from generator.limits import REPORT_TAGS_MAX
from generator.reports.checker import check_page
from generator.reports.rules import RULES

sys.path.insert(0, str(Path(__file__).parent))
from cases import ACCEPT, REJECT, expected, expected_rules, page_text


@pytest.mark.parametrize("path", ACCEPT, ids=lambda path: path.stem)
def test_accepts(path: Path) -> None:
    assert check_page(page_text(path)) == []


@pytest.mark.parametrize("path", REJECT, ids=lambda path: path.stem)
def test_rejects(path: Path) -> None:
    findings = check_page(page_text(path))
    errors = sorted(
        f"{found.rule}:{found.line}:{found.column}"
        for found in findings
        if found.severity == "error"
    )
    assert errors == expected(path)


def test_every_rejecting_rule_has_a_case() -> None:
    shown = set().union(*(expected_rules(path) for path in REJECT))
    # What is too large for a readable file stands in test_page_size.py.
    assert {rule.id for rule in RULES if rule.severity == "error"} == shown | {"page-size"}


def test_every_rule_has_its_module_and_its_words() -> None:
    folder = Path(sys.modules["generator.reports.rules"].__file__ or "").parent
    files = {path.stem for path in folder.glob("*.py")}
    helpers = {"__init__", "base", "bindings", "conditions", "selections", "split_braces"} | {
        f"markup_{part}" for part in ("methods", "properties", "selections", "values")
    }
    assert files - helpers == {rule.id.replace("-", "_") for rule in RULES}
    for rule in RULES:
        assert rule.reason.endswith(".")
        assert rule.fix
        assert rule.bad
        assert rule.good
        assert rule.bad != rule.good


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_the_samples_of_a_rule_show_it(rule) -> None:
    def told(sample: str) -> bool:
        return any(found.rule == rule.id for found in check_page(sample))

    bad, good = rule.bad, rule.good
    if rule.id == "secret":
        bad = bad.replace("sk-...", "AKIA" + "Z7QHT3NMW2XKV5RD")
    if rule.id == "page-size":
        bad *= REPORT_TAGS_MAX
    if rule.id in {"template-expression", "compound-if", "if-operand", "dead-event"}:
        library = '<script src="QuickUI.js"></script>'
        data = "{total: 1, price: 2, count: 3, paid: true, shipped: true, done: true, status: 'x'}"
        mount = f"{library}<div id=app>%s</div><script>new QUI({{id: 'app', data: {data}, event: {{show() {{}}}}}})</script>"
        bad, good = mount % bad, mount % good
    assert told(bad)
    assert not told(good)
