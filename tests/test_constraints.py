"""The pinned versions: each installs on the oldest Python that the package admits."""

import tomllib
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet
from packaging.version import Version

REPOSITORY = Path(__file__).resolve().parents[1]
PINS = dict(
    line.split("==") for line in (REPOSITORY / "constraints.txt").read_text().split() if line
)
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
OLDEST = Version(PROJECT["requires-python"].removeprefix(">=") + ".0")


@pytest.mark.parametrize("name", PINS)
def test_a_pin_admits_the_oldest_python(name):
    try:
        admitted = metadata(name)["Requires-Python"]
    except PackageNotFoundError:  # for another system or Python than this one
        return
    assert not admitted or SpecifierSet(admitted).contains(OLDEST), f"{name} wants {admitted}"
