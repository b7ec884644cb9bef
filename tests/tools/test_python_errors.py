"""The functions that Python callers import."""

from __future__ import annotations

import pytest

import generator
from generator.exceptions import ArgumentsError


def test_a_failure_is_kept_and_found_from_python() -> None:
    written = generator.write_error(
        "run_command", ["pip"], "No module named 'yaml'", "Installed pyyaml.", "resolved"
    )
    found = generator.error_history("yaml")
    assert [record.hash for record in found.records] == [written.hash]
    assert generator.error_history(hash=written.hash).records == found.records
    with pytest.raises(ArgumentsError, match="keywords must not be empty"):
        generator.write_error("x", [], "s", "a", "resolved")


def test_facts_notes_and_tools_from_python() -> None:
    assert generator.memory_save("The port is 8080.").status == "saved"
    assert generator.find_note("anything").names == []
    assert generator.find_tools("select:memory_save").tools[0].platform == "fieldguide"
