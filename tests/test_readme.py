"""The README names every tool, and its files are there."""

import re
from pathlib import Path

from generator.tools import TOOLS

REPOSITORY = Path(__file__).resolve().parents[1]
README = (REPOSITORY / "README.md").read_text(encoding="utf-8")


def test_every_tool_is_named():
    assert [name for name in TOOLS if f"`{name}`" not in README] == []


def test_links_and_pictures_resolve():
    targets = re.findall(r"\]\(([^)#:]+)\)", README)
    assert targets
    assert [target for target in targets if not (REPOSITORY / target).exists()] == []
