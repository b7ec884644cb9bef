"""Saved reports are found by what they say."""

import pytest

from generator.exceptions import NotFoundError
from generator.reports.collection import ReportsCollection, find_report


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "reports"
    folder.mkdir()
    (folder / "report-20260505-120000.md").write_text("# Tides\n\nHigh at 05:12.\n")
    (folder / "report-20260505-120000-2.html").write_text("<h1>Masts</h1><script>no()</script>")
    (folder / "invoice.md").write_text("private")
    (folder / "report-20260505-130000.md").symlink_to(folder / "invoice.md")
    return folder


def test_only_files_named_as_reports_are_entries(folder):
    collection = ReportsCollection(folder)
    entries = [entry for state in collection.files() for entry in collection.entries(state.path, 0)]
    assert {entry.ref: entry.text for entry in entries} == {
        "report:report-20260505-120000.md": "# Tides\n\nHigh at 05:12.\n",
        "report:report-20260505-120000-2.html": "Masts",
    }


def test_a_folder_that_is_not_there_holds_none(tmp_path):
    assert list(ReportsCollection(tmp_path / "no").files()) == []


def test_a_report_is_found_by_its_name_and_nothing_else_is(folder):
    assert find_report(folder, "report-20260505-120000").suffix == ".md"
    for name in ("invoice.md", "../reports/report-20260505-120000.md", "report-20260505-130000.md"):
        with pytest.raises(NotFoundError):
            find_report(folder, name)
