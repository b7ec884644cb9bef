"""Faults in Office packages that make an application offer a repair."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from generator.proofs.packages import package_problems

PKG = "http://schemas.openxmlformats.org/package/2006"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
SOUND = {
    "[Content_Types].xml": f'<Types xmlns="{PKG}/content-types"><Default Extension="rels" ContentType="r"/>'
    '<Override PartName="/a/main.xml" ContentType="m"/><Default Extension="png" ContentType="image/png"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{PKG}/relationships"><Relationship Id="r1" Target="a/main.xml"/></Relationships>',
    "a/main.xml": f'<m xmlns:r="{R}" r:embed="r1"><docPr id="1"/><cNvPr id="1"/></m>',
    "a/_rels/main.xml.rels": f'<Relationships xmlns="{PKG}/relationships">'
    '<Relationship Id="r1" Target="media/i.png"/><Relationship Id="r2" Target="https://x" TargetMode="External"/></Relationships>',
    "a/media/i.png": "png",
}


@pytest.fixture
def judge(tmp_path: Path) -> Callable[[Mapping[str, str]], list[str]]:
    """Write parts as a package and judge it."""

    def call(changes: Mapping[str, str]) -> list[str]:
        path = tmp_path / "made.docx"
        parts = {name: text for name, text in {**SOUND, **changes}.items() if text}
        with zipfile.ZipFile(path, "w") as package:
            for name, text in parts.items():
                package.writestr(name, text)
        return package_problems(path)

    return call


def test_a_sound_package(judge: Callable[[Mapping[str, str]], list[str]]) -> None:
    assert judge({}) == []


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"[Content_Types].xml": ""}, "[Content_Types].xml is missing."),
        ({"a/media/i.png": ""}, "a/_rels/main.xml.rels points to media/i.png, which is not there."),
        ({"b.bin": "x"}, "b.bin has no content type."),
        ({"a/main.xml": f'<m xmlns:r="{R}" r:id="r9"/>'}, "a/main.xml refers to r9, which its relationships do not have."),
        ({"a/main.xml": '<m><docPr id="1"/><docPr id="1"/></m>'}, "a/main.xml has 2 docPr with the id 1."),
        ({"A/MAIN.xml": "<m/>"}, "a/main.xml stands in it twice."),
    ],
)  # fmt: skip
def test_faults(
    judge: Callable[[Mapping[str, str]], list[str]], changes: Mapping[str, str], problem: str
) -> None:
    assert problem in judge(changes)


def test_a_part_that_does_not_parse(judge: Callable[[Mapping[str, str]], list[str]]) -> None:
    assert any("does not parse" in problem for problem in judge({"a/main.xml": "<m>"}))


def test_something_else_than_a_zip(tmp_path: Path) -> None:
    path = tmp_path / "x.docx"
    path.write_text("<html>")
    (problem,) = package_problems(path)
    assert problem.startswith("It is not a zip")
