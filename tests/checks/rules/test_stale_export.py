"""``stale-export``: what it reports, where, and what it accepts."""

from __future__ import annotations

FRONT = '---\ntitle: Lending bicycles\nsummary: Read before lending.\nsince: "1.0"\n---\n\n'


GUIDE = FRONT + "## A\n\nText.\n"
TEXT = "## sample\n\n### A\n\nText.\n"
LLMS = {"site/llms.txt": "# Guides\n"}


def test_the_first_line_that_differs_is_named(check_files) -> None:
    files = LLMS | {"sample.md": GUIDE, "site/guides/sample.md": TEXT.replace("Text", "Old")}
    (finding,) = check_files(files, "stale-export").findings
    assert finding.line == 5


def test_a_missing_topic_bundle_and_record(check_files) -> None:
    files = LLMS | {
        "sample.md": GUIDE,
        "site/bundles/all.md": "## other\n",
        "site/guides/sample.json": '{"body": "x"}',
    }
    found = check_files(files, "stale-export").findings
    assert len(found) == 3


def test_accepts(check_files) -> None:
    files = LLMS | {
        "sample.md": GUIDE, "site/guides/sample.md": TEXT, "site/bundles/all.md": TEXT,
    }  # fmt: skip
    assert check_files(files, "stale-export").findings == ()


def test_without_a_site_it_says_that_it_was_left_out(check_files) -> None:
    outcome = check_files({"sample.md": GUIDE})
    assert any("stale-export and parity left out" in text for text in outcome.left_out)
