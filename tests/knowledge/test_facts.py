from __future__ import annotations

import multiprocessing
from pathlib import Path

import pytest

from generator.exceptions import NotFoundError, StorageError, UsageError
from generator.knowledge.facts import forget_fact, get_fact, load_facts, save_fact
from generator.limits import FACT_CHARACTERS
from generator.workspace import Workspace, open_workspace


def texts(workspace: Workspace) -> list[str]:
    return [fact.text for fact in load_facts(workspace.home)[0]]


def test_a_fact_is_kept_in_markdown_that_people_read(workspace: Workspace) -> None:
    saved = save_fact(workspace, "The staging host is\nhoth.", "technical")
    file = workspace.home.knowledge / "technical.md"
    assert file.read_text() == (
        "# Technical\n\n- The staging host is hoth. <!-- saved 2026-05-05 -->\n"
    )
    assert saved.status == "saved"
    assert get_fact(workspace.home, saved.fact.ref).text == "The staging host is hoth."


def test_the_same_fact_is_known_in_whichever_file_it_stands(workspace: Workspace) -> None:
    first = save_fact(workspace, "We ship on Tuesdays.", "decisions")
    again = save_fact(workspace, "we ship  on Tuesdays", "technical")
    assert (again.status, again.fact.ref) == ("known", first.fact.ref)
    assert not (workspace.home.knowledge / "technical.md").exists()


def test_a_near_fact_is_saved_and_the_older_is_named(workspace: Workspace) -> None:
    save_fact(workspace, "Mia prefers tea", "preferences")
    older = save_fact(workspace, "The deploy window is Tuesday at 9:00")
    newer = save_fact(workspace, "The deploy window is Wednesday at 10:00")
    assert newer.status == "similar"
    assert [fact.ref for fact in newer.similar] == [older.fact.ref]
    assert len(texts(workspace)) == 3


def test_what_a_person_wrote_survives_byte_for_byte(workspace: Workspace) -> None:
    file = workspace.home.knowledge / "people.md"
    file.parent.mkdir(parents=True)
    own = "\ufeff# People\r\n\r\nMia leads design.\r\n\r\n* Ono does ops\r\n\tand coffee".encode()
    file.write_bytes(own)
    saved = save_fact(workspace, "Ada reviews.", "people")
    assert file.read_bytes() == own + b"\r\n- Ada reviews. <!-- saved 2026-05-05 -->\r\n"
    forget_fact(workspace.home, saved.fact.ref)
    assert file.read_bytes() == own + b"\r\n"
    assert save_fact(workspace, "mia leads design", "people").status == "known"


def test_a_fact_is_taken_out_alone(workspace: Workspace) -> None:
    refs = [
        save_fact(workspace, fact).fact.ref for fact in ("alpha one", "beta two", "gamma three")
    ]
    assert forget_fact(workspace.home, refs[1]).text == "beta two"
    assert texts(workspace) == ["alpha one", "gamma three"]
    with pytest.raises(NotFoundError, match="no fact behind"):
        forget_fact(workspace.home, refs[1])


@pytest.mark.parametrize(
    "ref", ["technical.md", "note:x", "file:../x.md#12345678", "file:knowledge/a/b.md#1"]
)
def test_what_is_no_ref_of_a_fact_is_refused(ref: str, workspace: Workspace) -> None:
    with pytest.raises(UsageError, match="not the ref of a fact"):
        forget_fact(workspace.home, ref)


@pytest.mark.parametrize("text", ["", " \n ", "...", "。！"])
def test_an_empty_fact_is_refused(text: str, workspace: Workspace) -> None:
    with pytest.raises(UsageError, match="empty"):
        save_fact(workspace, text)


def test_a_fact_that_is_no_sentence_is_refused(workspace: Workspace) -> None:
    with pytest.raises(UsageError, match=f"at most {FACT_CHARACTERS}"):
        save_fact(workspace, "word " * 1000)


def test_secrets_are_masked_and_counted(workspace: Workspace) -> None:
    saved = save_fact(workspace, "The database is postgres://app:" + "hunter22" + "@db/shop")
    assert saved.fact.text == "The database is postgres://app:[masked:url-password]@db/shop"
    assert saved.masked == {"url-password": 1}
    assert "hunter22" not in (workspace.home.knowledge / "technical.md").read_text()


@pytest.mark.parametrize(
    "text",
    [
        "# not a heading",
        "- not an item",
        "<!-- not a comment",
        "``` no fence",
        "a\x00b\x1b[31mc",
        "1. one",
        "---",
    ],
)
def test_what_looks_like_markdown_comes_back_as_it_was_given(
    text: str, workspace: Workspace
) -> None:
    save_fact(workspace, "before stands alone")
    try:
        saved = save_fact(workspace, text)
    except UsageError:
        assert text == "---"
        return
    save_fact(workspace, "after goes on")
    assert texts(workspace) == ["before stands alone", saved.fact.text, "after goes on"]


def test_a_file_broken_by_hand_is_told_and_the_others_work(workspace: Workspace) -> None:
    save_fact(workspace, "alpha stands")
    file = workspace.home.knowledge / "people.md"
    file.write_bytes(b"- a\n- caf\xe9\n")
    facts, problems = load_facts(workspace.home)
    assert "alpha stands" in [fact.text for fact in facts]
    assert [(problem.path, problem.line) for problem in problems] == [(file, 2)]


def _save_many(home: str, number: int) -> None:
    for step in range(5):
        save_fact(
            open_workspace(home), f"worker{number} noted item{number}x{step} zz{number * 7 + step}"
        )


def test_writers_at_once_lose_nothing(home_folder: Path, workspace: Workspace) -> None:
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_save_many, args=(str(home_folder), n)) for n in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(texts(workspace)) == 20


def test_a_link_that_leads_out_is_neither_read_nor_written(
    workspace: Workspace, tmp_path: Path
) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("- secret fact\n")
    workspace.home.knowledge.mkdir(parents=True)
    (workspace.home.knowledge / "people.md").symlink_to(outside)
    facts, problems = load_facts(workspace.home)
    assert facts == []
    assert "is a link" in problems[0].message
    with pytest.raises(StorageError, match="is a link"):
        save_fact(workspace, "Ada reviews.", "people")
    assert outside.read_text() == "- secret fact\n"
    assert save_fact(workspace, "Ada reviews.", "technical").status == "saved"


def test_a_home_that_cannot_be_written_says_so(workspace: Workspace) -> None:
    workspace.home.root.mkdir(parents=True)
    workspace.home.knowledge.write_text("a file in the way")
    with pytest.raises(StorageError, match="knowledge"):
        save_fact(workspace, "Ada reviews.")
