"""Files that nobody meant to write: judged without an exception, in time that grows with their size."""

from __future__ import annotations

import time

import pytest

from generator.checks.rules import CHECKS

FRONT = '---\ntitle: Lending bicycles\nsummary: Read before lending.\nsince: "1.0"\n---\n\n'

HOSTILE = {
    "empty": b"",
    "only a mark": b"\xef\xbb\xbf",
    "binary": bytes(range(256)) * 40,
    "nul": b"a\x00b\n" * 50,
    "one huge line": FRONT.encode() + b"word `x` [a](b) " * 20_000,
    "deep quotes": FRONT.encode() + b">" * 5_000 + b" a\n",
    "deep lists": FRONT.encode() + b"".join(b" " * n + b"- a\n" for n in range(0, 400, 2)),
    "deep json": FRONT.encode() + b"```json\n" + b"[" * 50_000 + b"\n```\n",
    "deep python": FRONT.encode() + b"```python\n" + b"(" * 5_000 + b"\n```\n",
    "deep yaml": b"---\ntitle: " + b"[" * 20_000 + b"\n---\n",
    "aliases that multiply": b"---\na: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n---\n\n## A\n",
    "open fence": FRONT.encode() + b"````\n" * 3 + b"text\n" * 1_000,
    "open front matter": b"---\n" + b"a: b\n" * 2_000,
    "open comment": FRONT.encode() + b"<!-- " * 5_000,
    "brackets": FRONT.encode() + b"[" * 20_000 + b"](",
    "template bombs": FRONT.encode()
    + b"{% for a in range(99999) %}{% for b in range(99999) %}x{% endfor %}{% endfor %}",
    "template without end": FRONT.encode() + b"{{ " * 2_000,
    "carriage returns": FRONT.replace("\n", "\r").encode() + b"see above\r",
    "bidi": FRONT.encode() + "\u202e\u2066".encode() * 500,
    "lone surrogate": FRONT.encode() + b"\xed\xa0\x80\n",
    "chinese": FRONT.encode() + "登记号码。".encode() * 500,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_judged(check_files, name: str) -> None:
    outcome = check_files({"sample.md": HOSTILE[name], "AGENTS.md": HOSTILE[name]})
    assert outcome.checked == 2
    for finding in outcome.findings:
        assert finding.line >= 1
        assert finding.column >= 1
        assert len(finding.message) < 5_000


REPEATED = [
    "see above ", "`", "[a](b) ", "<!-- x --> ", "`tool_a(limit=1)` ", "a\u200b", "`` ` ", "<img ",
    "reasoning_guide(", "write_report ", "at most 3 ", "&#8203;", "{ ", "<a id=", "the search cap ",
    "error_history(", "\n## A\n", "\n```\n", "\n- a\n", "\n| a | b |\n", "\n[x]: y\n", "as above, the ",
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("piece", REPEATED)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.id)
def test_every_rule_is_linear(check_files, check, piece: str) -> None:
    """Ten times the text takes less than forty times as long; the square would be a hundred."""

    def cost(count: int) -> float:
        start = time.process_time()
        check_files(
            {"AGENTS.md": "a " + piece * count, "sample.md": FRONT + piece * count}, check.id
        )
        return time.process_time() - start

    cost(100)
    assert cost(8_000) < 40 * max(cost(800), 0.02)
