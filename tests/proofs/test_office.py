"""The Office samples: they run, their packages are sound, and LibreOffice shows what they hold."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.proofs.office import convert, shown_text
from generator.proofs.packages import package_problems
from generator.proofs.samples import Sample
from generator.proofs.scripts import lay_out, run_script

# What the guide's scripts make, with texts that a reader must find in it.
MADE = {
    "plan.docx": ["Visit plan 參觀計畫", "Prepared for «client». Numbers & dates are samples.", "Opening hours", "10 to 18", "example.org"],
    "plan-mei.docx": ["Prepared for Mei & Sons 美. Numbers & dates are samples."],
    "sales.xlsx": ["Sales by day 銷售", "2026-01-31", "2026-03-28", "倉庫 A", "1,250.50", "3,754.50", "=not a formula"],
    "ferries.pptx": ["North carried the growth 北線", "Riders (thousand)", "523", "Source: made-up sample data, 31 December 2025."],
}  # fmt: skip


@pytest.fixture(scope="module")
def made(samples: Callable[..., list[Sample]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Run the scripts in the order of the guide, once; the folder with what they made."""
    folder = tmp_path_factory.mktemp("office")
    for name, script in lay_out(samples("office", "python"), folder).items():
        run = run_script(script)
        assert (run.code, run.err) == (0, ""), name
    return folder


def test_the_scripts_make_these_files(made: Path) -> None:
    assert {path.name for path in made.iterdir() if path.suffix != ".py"} == set(MADE)


@pytest.mark.parametrize("name", MADE)
def test_packages_are_sound(made: Path, name: str) -> None:
    assert package_problems(made / name) == []


def test_the_edit_touches_one_part(made: Path) -> None:
    with zipfile.ZipFile(made / "plan.docx") as old, zipfile.ZipFile(made / "plan-mei.docx") as new:
        assert old.namelist() == new.namelist()
        changed = [name for name in old.namelist() if old.read(name) != new.read(name)]
    assert changed == ["word/document.xml"]


def test_the_edit_leaves_nothing_when_the_placeholder_is_split(
    made: Path, samples: Callable[..., list[Sample]], tmp_path: Path
) -> None:
    lay_out(samples("office", "python"), tmp_path)
    source = made / "plan.docx"
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(tmp_path / "plan.docx", "w") as new:
        for name in old.namelist():
            new.writestr(
                name,
                old.read(name).replace(
                    "«client»".encode(), "«cli</w:t></w:r><w:r><w:t>ent»".encode()
                ),
            )
    run = run_script(tmp_path / "edit_part.py")
    assert run.code == 1
    assert "split over runs" in run.err
    assert run.made == ()


def test_dates_are_serials_and_formulas_have_values(made: Path) -> None:
    import openpyxl

    values = openpyxl.load_workbook(made / "sales.xlsx", data_only=True).active
    formulas = openpyxl.load_workbook(made / "sales.xlsx").active
    assert values is not None
    assert formulas is not None
    assert f"{values['A3'].value:%Y-%m-%d}" == "2026-01-31"
    assert (formulas["C6"].value, values["C6"].value) == ("=SUM(C3:C5)", 3754.5)
    assert (formulas["A6"].data_type, formulas["A6"].value) == ("s", "=not a formula")
    assert [str(merged) for merged in values.merged_cells.ranges] == ["A1:C1"]


def test_word_sees_merged_cells_fonts_and_the_alternative_text(made: Path) -> None:
    import docx
    from docx.oxml.ns import qn

    document = docx.Document(str(made / "plan.docx"))
    table = document.tables[0]
    assert [cell.text for cell in table.rows[0].cells] == ["Opening hours"] * 3
    assert table.cell(1, 0).text == table.cell(2, 0).text == "Museum"
    assert document.paragraphs[0].style.name == "Heading 1"
    described = document.element.body.find(f".//{qn('wp:docPr')}")
    assert described.get("descr") == "A plain green field"


@pytest.mark.slow
@pytest.mark.parametrize("name", MADE)
def test_libreoffice_shows_the_text(made: Path, name: str, tmp_path: Path) -> None:
    text = shown_text(made / name, tmp_path)
    for expected in MADE[name]:
        assert expected in text


@pytest.mark.slow
@pytest.mark.parametrize("name", MADE)
def test_libreoffice_prints_it(made: Path, name: str, tmp_path: Path) -> None:
    pdf = convert(made / name, "pdf", tmp_path).read_bytes()
    assert pdf.startswith(b"%PDF-")
    assert len(pdf) > 5_000


@pytest.mark.slow
def test_libreoffice_computes_the_formula_itself(made: Path, tmp_path: Path) -> None:
    """The cached value is removed and a cell changed: the total must follow."""
    path = tmp_path / "changed.xlsx"
    with zipfile.ZipFile(made / "sales.xlsx") as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name.endswith("sheet1.xml"):
                content = content.replace(b"<v>3754.5</v>", b"").replace(
                    b"<v>1250.5</v>", b"<v>2250.5</v>"
                )
            new.writestr(name, content)
    assert "4,754.50" in shown_text(path, tmp_path)
