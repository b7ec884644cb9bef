"""The four forms in which findings are written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft4Validator

from generator.checks.formats import explain, to_data, to_github, to_text
from generator.checks.rules import CHECKS
from generator.checks.runner import RULE_IDS
from generator.checks.sarif import to_sarif

FRONT = '---\ntitle: Lending bicycles\nsummary: Read before lending.\nsince: "1.0"\n---\n\n'
SCHEMA = (
    Path(__file__).parents[2]
    / ".tools/node/node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"
)


def test_the_caret_stands_under_the_column_whatever_its_width(check_files) -> None:
    text = to_text(check_files({"sample.md": FRONT + "登记\t号码 [x](#gone)\n"}, "dead-link"))
    line, caret = text.split("\n")[1:3]
    assert line == "    登记 号码 [x](#gone)"
    # Four wide characters take two columns each.
    assert caret == " " * (4 + 8 + 2 + 4) + "^"


def test_a_long_line_is_cut_round_the_place(check_files) -> None:
    text = to_text(check_files({"sample.md": FRONT + "word " * 50 + "see above " * 1 + "word " * 50}, "stand-alone"))  # fmt: skip
    line, caret = text.split("\n")[1:3]
    assert len(line) < 120
    assert line[caret.index("^") :].startswith("see above")


def test_what_a_terminal_would_obey_is_not_printed(check_files) -> None:
    text = to_text(check_files({"sample.md": FRONT + "a\x1b[31m \u202eb [x](#gone)\n"}))
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_json_has_exactly_these_keys(check_files) -> None:
    data = to_data(check_files({"sample.md": FRONT + "[x](#gone)\n"}))
    assert list(data) == ["findings", "checked"]
    assert data["checked"] == 1
    (finding,) = data["findings"]
    assert list(finding) == ["rule", "severity", "path", "line", "column", "message", "fix"]
    assert finding["path"] == "sample.md"


def test_github_annotations_are_escaped(check_files) -> None:
    outcome = check_files({"a,b:c 100%/sample.md": FRONT + "[x](#gone%0A50%25)\n"}, "dead-link")
    (line,) = to_github(outcome).split("\n")
    properties, message = line.removeprefix("::error ").split("::", 1)
    assert properties == "file=a%2Cb%3Ac 100%25/sample.md,line=7,col=5,title=dead-link"
    assert "\n" not in message
    assert "%0A" in message


def sarif(check_files) -> dict:
    key = "AKIA" + "Z7QHT3NMW2XKV5RD"
    files = {
        "sample.md": FRONT + f"[x](#gone) 登记 see above {key}\n",
        "ä b/other.md": FRONT + "## recall\n\n[x](#gone)\n[x](#gone)\n",
        "AGENTS.md": "# A\n\nsee above\n",
    }
    outcome = check_files(files)
    assert len(outcome.findings) >= 6
    return to_sarif(outcome, root=Path("/a b/root"))


def test_sarif_fits_its_schema(check_files) -> None:
    log = json.loads(json.dumps(sarif(check_files)))
    schema = json.loads(SCHEMA.read_text())
    problems = [error.message for error in Draft4Validator(schema).iter_errors(log)]
    assert problems == []


def test_the_schema_would_refuse_another_log(check_files) -> None:
    log = sarif(check_files)
    log["runs"][0]["results"][0]["level"] = "fatal"
    assert not Draft4Validator(json.loads(SCHEMA.read_text())).is_valid(log)


def test_sarif_names_rules_places_and_what_was_left_out(check_files) -> None:
    (run,) = sarif(check_files)["runs"]
    assert tuple(rule["id"] for rule in run["tool"]["driver"]["rules"]) == RULE_IDS
    results = run["results"]
    assert all(RULE_IDS[result["ruleIndex"]] == result["ruleId"] for result in results)
    prints = [result["partialFingerprints"]["fieldguide/v1"] for result in results]
    assert len(set(prints)) == len(prints)
    uris = {r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in results}
    assert "%C3%A4%20b/other.md" in uris
    assert run["invocations"][0]["toolExecutionNotifications"]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.id)
def test_explain_shows_reason_and_examples(check) -> None:
    text = explain(check)
    assert check.reason in text
    assert "Reported, " in text
    assert "Accepted, " in text
