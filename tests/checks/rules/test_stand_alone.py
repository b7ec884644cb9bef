"""``stand-alone``: what it reports, where, and what it accepts."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("body", "places"),
    [
        ("For this, see above.\n", ["1:11"]),
        ("See\nthe table below.\n", ["1:1"]),
        ("Do it as described above.\n", ["1:7"]),
        ("The above rules hold.\n", ["1:1"]),
        ("Refer to the previous part, and see the previous section.\n", ["1:33"]),
        ("如上所述，先登记。\n", ["1:1"]),
        ("![](a.png)\n", ["1:1"]),
        ("A <img src=a.png> b\n", ["1:3"]),
        ('<img alt="" src=a>\n', ["1:1"]),
    ],
)
def test_reports(found, body: str, places: list[str]) -> None:
    assert found("stand-alone", body) == places


@pytest.mark.parametrize(
    "body",
    [
        "Load it above the scripts that use it; the text above 16 px is large.\n",
        'No "see above" in a guide, and no `see above`.\n',
        "![A chart: north leads](a.png) <img alt=chart src=a>\n",
        "```text\nsee above\n```\n",
        "Next to the door; before the job; the earlier of two dates.\n",
    ],
)
def test_accepts(found, body: str) -> None:
    assert found("stand-alone", body) == []
