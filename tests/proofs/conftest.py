"""The shipped guides with their samples, as the proofs see them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from generator.guides.compose import compile_guide
from generator.guides.loader import load_folders
from generator.model.guide import CompiledGuide
from generator.paths import shipped
from generator.proofs.samples import Sample, find_samples


@cache
def shipped_guides() -> dict[str, CompiledGuide]:
    """Every shipped guide, compiled, by topic."""
    library = load_folders(shipped("guides"))
    assert not library.problems
    return {topic: compile_guide(guide) for topic, guide in library.guides.items()}


def samples_of(topic: str, *languages: str) -> list[Sample]:
    """The samples of one guide, of some languages when given."""
    samples = find_samples(shipped_guides()[topic].markdown)
    return [sample for sample in samples if not languages or sample.language in languages]


def every_sample() -> Iterator[tuple[str, Sample]]:
    """Every sample of every guide with its topic."""
    for topic in shipped_guides():
        for sample in samples_of(topic):
            yield topic, sample


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give a test that asks for ``topic`` and ``sample`` each sample, for ``topic`` each guide."""
    if {"topic", "sample"} <= set(metafunc.fixturenames):
        found = list(every_sample())
        names = [f"{topic}:{sample.line}:{sample.language}" for topic, sample in found]
        metafunc.parametrize(("topic", "sample"), found, ids=names)
    elif "topic" in metafunc.fixturenames:
        metafunc.parametrize("topic", list(shipped_guides()))


@pytest.fixture(scope="session")
def guides() -> dict[str, CompiledGuide]:
    """Every shipped guide, compiled, by topic."""
    return shipped_guides()


@pytest.fixture(scope="session")
def samples() -> Callable[..., list[Sample]]:
    """The samples of one guide: ``samples("figure", "vega-lite")``."""
    return samples_of


@pytest.fixture
def office_folder(tmp_path: Path) -> Path:
    """A folder in which the Office samples stand."""
    folder = tmp_path / "office"
    folder.mkdir()
    return folder
