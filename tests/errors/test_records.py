from __future__ import annotations

import json
import multiprocessing
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from generator.errors.records import get_record, load_records, remove_record, write_record
from generator.exceptions import NotFoundError, StorageError, UsageError
from generator.workspace import Workspace, open_workspace

RECORD = {
    "tool_name": "run_command",
    "keywords": ["pip", "yaml"],
    "symptom": "ModuleNotFoundError: No module named 'yaml'",
    "cause": None,
    "action": "Installed pyyaml.",
}


def write(workspace: Workspace, **changes: object):
    return write_record(workspace, **{"outcome": "resolved", **RECORD, **changes})


def test_a_record_is_one_json_file_named_by_its_hash(workspace: Workspace) -> None:
    failure = write(workspace).failure
    assert failure is not None
    files = list(workspace.home.errors.iterdir())
    assert [file.name for file in files] == [f"{failure.hash}.json"]
    stored = json.loads(files[0].read_text())
    assert stored == {
        "format": 1, "hash": failure.hash, **RECORD, "outcome": "resolved",
        "recorded_at": "2026-05-05T04:00:00+00:00",
    }  # fmt: skip
    assert len(failure.hash) == 8
    assert get_record(workspace.home, failure.hash) == failure


@pytest.mark.parametrize("outcome", ["failed", "abandoned"])
def test_what_was_not_resolved_is_taken_and_discarded(outcome: str, workspace: Workspace) -> None:
    assert write(workspace, outcome=outcome).failure is None
    assert not workspace.home.errors.exists()


def test_the_same_record_twice_is_one(workspace: Workspace) -> None:
    first = write(workspace)
    again = write(
        workspace,
        keywords=["yaml", " pip ", "pip"],
        symptom="ModuleNotFoundError:  No module named 'yaml'\n",
    )
    assert (first.is_new, again.is_new) == (True, False)
    assert again.failure == first.failure
    other = write(workspace, action="Installed PyYAML 6.")
    assert other.is_new
    assert len(load_records(workspace.home)[0]) == 2


def test_another_record_under_the_same_hash_gets_another_name(workspace: Workspace) -> None:
    first = write(workspace).failure
    assert first is not None
    path = workspace.home.errors / f"{first.hash}.json"
    path.write_text(path.read_text().replace("Installed pyyaml.", "Something else."))
    second = write(workspace).failure
    assert second is not None
    assert second.hash != first.hash
    assert write(workspace).failure == second


def test_secrets_are_masked_everywhere_and_counted(workspace: Workspace) -> None:
    secret = "hunter22" + "x"
    written = write(
        workspace,
        symptom=f"postgres://app:{secret}@db/shop refused",
        action=f"export DB_PASSWORD={secret}",
        keywords=[f"password={secret}"],
    )
    assert written.masked == {"password": 2, "url-password": 1}
    text = next(workspace.home.errors.iterdir()).read_text()
    assert secret not in text


def test_a_symptom_of_a_megabyte_is_kept_whole(workspace: Workspace) -> None:
    symptom = "ValueError: bad row\n" + "x1 " * 350_000
    failure = write(workspace, symptom=symptom).failure
    assert failure is not None
    assert get_record(workspace.home, failure.hash).symptom == symptom.strip()


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('{\n "tool_name": "a",\n oops\n}', 3, "not JSON"),
        ("[]", 1, "one JSON object"),
        ('{\n"tool_name": "",\n"keywords": []}', 1, "outcome"),
        ('{"tool_name": "a",\n"keywords": "x", "outcome": "resolved"}', 2, "keywords"),
        (
            '{"tool_name": "a", "keywords": [], "symptom": "s", "action": "f",\n"outcome": '
            '"resolved",\n"recorded_at": "yesterday"}',
            3,
            "recorded_at",
        ),
        ("[" * 100_000, 0, "too deep"),
    ],
)
def test_a_file_broken_by_hand_is_told_with_its_line_and_the_others_work(
    text: str, line: int, words: str, workspace: Workspace
) -> None:
    kept = write(workspace).failure
    (workspace.home.errors / "00000000.json").write_text(text)
    records, problems = load_records(workspace.home)
    assert records == [kept]
    assert [(problem.path.name, problem.line) for problem in problems] == [("00000000.json", line)]
    assert words in problems[0].message
    with pytest.raises(NotFoundError, match="cannot be read"):
        get_record(workspace.home, "00000000")


@pytest.mark.parametrize("name", ["{}", "error:{}", "no data: {}", " `{}` ", "NO DATA: {}."])
def test_a_hash_is_taken_as_tools_print_it(name: str, workspace: Workspace) -> None:
    failure = write(workspace).failure
    assert failure is not None
    assert get_record(workspace.home, name.format(failure.hash.upper())) == failure


@pytest.mark.parametrize("name", ["", "../../etc/passwd", "1234567", "123456789", "zzzzzzzz"])
def test_what_is_no_hash_is_refused(name: str, workspace: Workspace) -> None:
    with pytest.raises(UsageError, match="not the hash"):
        get_record(workspace.home, name)


def test_a_miss_says_so(workspace: Workspace) -> None:
    with pytest.raises(NotFoundError, match="no data: 12345678"):
        get_record(workspace.home, "12345678")
    with pytest.raises(NotFoundError, match="no data: 12345678"):
        remove_record(workspace.home, "12345678")


def test_a_record_is_removed(workspace: Workspace) -> None:
    failure = write(workspace).failure
    assert failure is not None
    assert remove_record(workspace.home, failure.hash) == failure
    assert load_records(workspace.home) == ([], [])


def _write_many(home: str, number: int) -> None:
    workspace = open_workspace(home)
    for step in range(3):
        write(workspace, symptom=f"own failure {number} {step}")
        write(workspace, symptom=f"shared failure {step}")


def _write_in_threads(home: str, process: int) -> None:
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(_write_many, [home] * 4, range(process * 4, process * 4 + 4)))


def test_sixteen_writers_at_once_lose_nothing(home_folder: Path) -> None:
    context = multiprocessing.get_context("spawn")
    writers = [
        context.Process(target=_write_in_threads, args=(str(home_folder), process))
        for process in range(4)
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0] * 4
    records, problems = load_records(open_workspace(home_folder).home)
    assert problems == []
    assert len({record.symptom for record in records}) == len(records) == 16 * 3 + 3


def test_a_link_that_leads_out_is_told_and_not_read(workspace: Workspace, tmp_path: Path) -> None:
    kept = write(workspace).failure
    assert kept is not None
    outside = tmp_path / "outside.json"
    outside.write_bytes((workspace.home.errors / f"{kept.hash}.json").read_bytes())
    (workspace.home.errors / "aaaaaaaa.json").symlink_to(outside)
    records, problems = load_records(workspace.home)
    assert records == [kept]
    assert "is a link" in problems[0].message


def test_a_home_that_cannot_be_written_says_so(workspace: Workspace) -> None:
    workspace.home.root.mkdir(parents=True)
    workspace.home.errors.write_text("a file in the way")
    with pytest.raises(StorageError, match="errors"):
        write(workspace)
    assert load_records(workspace.home) == ([], [])
