"""Disable comments: where they hold, that they give a reason, that they are of use."""

from __future__ import annotations

import pytest

FRONT = '---\ntitle: Lending bicycles\nsummary: Read before lending.\nsince: "1.0"\n---\n\n'


def rules(check_files, body: str, **options: object) -> list[str]:
    outcome = check_files({"sample.md": FRONT + body}, **options)
    return [f"{finding.rule}:{finding.line - 6}" for finding in outcome.findings]


@pytest.mark.parametrize(
    "body",
    [
        "<!-- fieldguide-disable dead-link: made by the build -->\n[x](#gone)\n",
        "[x](#gone) <!-- fieldguide-disable dead-link: made by the build -->\n",
        "{# fieldguide-disable dead-link, stand-alone: a quotation #}\n\n[x](#gone)\nsee above\n",
        "<!-- fieldguide-disable-file dead-link: made by the build -->\n\nA\n\n[x](#gone)\n",
        "<!-- fieldguide-disable code-parse: cut short on purpose -->\n```json\n{\n\n1}\n```\n",
    ],
)
def test_a_comment_with_a_reason_holds(check_files, body: str) -> None:
    assert rules(check_files, body) == []


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (
            "<!-- fieldguide-disable dead-link -->\n[x](#gone)\n",
            ["disable-comment:1", "dead-link:2"],
        ),
        ("<!-- fieldguide-disable dead-link: because -->\nA\n", ["disable-comment:1"]),
        ("<!-- fieldguide-disable dead-lnk: because -->\nA\n", ["disable-comment:1"]),
        ("<!-- fieldguide-disable -->\nA\n", ["disable-comment:1"]),
        (
            "<!-- fieldguide-disable dead-link: because -->\nA [x](#one)\n\n[x](#gone)\n",
            ["dead-link:4"],
        ),
        ("[x](#gone)\n\n`<!-- fieldguide-disable dead-link: shown -->`\n", ["dead-link:1"]),
        (
            "```html\n<!-- fieldguide-disable dead-link: shown -->\n```\n[x](#gone)\n",
            ["dead-link:4"],
        ),
    ],
)
def test_a_comment_that_is_wrong_is_reported(check_files, body: str, found: list[str]) -> None:
    assert rules(check_files, body) == found


def test_a_comment_for_a_rule_that_was_not_run_may_have_its_use(check_files) -> None:
    body = "<!-- fieldguide-disable dead-link: because -->\nA\n"
    assert rules(check_files, body, ignore=("dead-link",)) == []
    assert rules(check_files, body, select=("stand-alone",)) == []


def test_findings_of_bundles_are_switched_off_where_they_stand(check_files) -> None:
    files = {
        "aa.md": FRONT + "## Steps\n",
        "bb.md": FRONT
        + "{# fieldguide-disable anchor-collision: kept for old links #}\n## Steps\n",
    }
    assert check_files(files).findings == ()
