"""Images of sessions: kept once by content, beside the sessions, and gone when forgotten."""

import json
import os

import pytest

from generator import limits
from generator.history.exporting import export_files
from generator.history.forgetting import forget_before, forget_session
from generator.history.images import ImageStore, ending_of, name_of, names_in
from generator.history.intake import register, take_in
from generator.history.restoring import restore_session
from generator.paths import Home
from generator.settings_edits import set_setting
from generator.workspace import Workspace
from tests import pictures
from tests.pictures import DRAWN, PASTED, PHOTO, SCREENSHOT, claude_block, claude_code, data_address


def kept(source):
    """Return the bytes of every kept image."""
    store = ImageStore(source.home.history)
    return {store.read(name) for name in store.names()}


def files_of(source):
    """Return every file of the archive with its bytes, book-keeping left aside."""
    return {
        path.relative_to(source.home.history).as_posix(): path.read_bytes()
        for path in source.home.history.rglob("*")
        if path.is_file() and not path.name.startswith(".")
    }


def shown(source, session):
    """Return the images that the records of a session show, in order."""
    store = ImageStore(source.home.history)
    return [
        store.read(name) for item in source.session(session).messages for name in names_in(item)
    ]


@pytest.mark.parametrize(
    ("session", "images"),
    [
        ("pictures", [PASTED, PHOTO, SCREENSHOT]),
        ("codex-pictures", [PASTED, SCREENSHOT, DRAWN]),
        ("gemini-pictures", [PASTED, SCREENSHOT]),
        ("ses_pictures", [PASTED, SCREENSHOT]),
        ("cli-pictures", [PASTED]),
        ("gpt-pictures", [PASTED, DRAWN]),
        ("ai-pictures", [PASTED]),
    ],
)
def test_images_of_every_agent_are_kept(source, session, images):
    pictures.write_all(source.folder)
    assert shown(source, session) == images


def test_an_image_of_many_sessions_is_kept_once_and_no_record_holds_it(source):
    pictures.write_all(source.folder)
    source.take_in()
    assert kept(source) == {PASTED, PHOTO, SCREENSHOT, DRAWN}
    assert len(list(ImageStore(source.home.history).names())) == 4
    for path in source.home.history.rglob("*.jsonl"):
        assert pictures.base64_of(PASTED)[:200] not in path.read_text("utf-8")


def test_importing_twice_changes_nothing(source):
    pictures.write_all(source.folder)
    source.take_in()
    before = files_of(source)
    for path in source.folder.rglob("*"):
        if path.is_file():
            os.utime(path)
    source.take_in()
    assert files_of(source) == before


def test_a_session_that_grows_keeps_its_images_and_gains_new_ones(source):
    whole = claude_code("s", [claude_block(PASTED)], [claude_block(SCREENSHOT)])
    source.write("s.jsonl", "".join(whole.splitlines(keepends=True)[:2]))
    assert shown(source, "s") == [PASTED]
    source.write("s.jsonl", whole)
    assert shown(source, "s") == [PASTED, SCREENSHOT]


def test_what_is_no_image_is_named_and_not_kept(source):
    page = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"
    prompt = [{"type": "text", "text": "Look"}, claude_block(page, "image/png"),
              claude_block(page, "image/svg+xml"),
              {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "!"}},
              {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}}]  # fmt: skip
    source.write("s.jsonl", claude_code("s", prompt))
    attachments = source.session("s").messages[0].attachments
    assert [item.file for item in attachments] == [None] * 4
    assert [item.kind for item in attachments[:2]] == ["image/png", "image/svg+xml"]
    assert not kept(source)


def test_a_kind_is_what_the_bytes_are(source):
    source.write("s.jsonl", claude_code("s", [claude_block(PHOTO, "image/png")]))
    (attachment,) = source.session("s").messages[0].attachments
    assert attachment.file.endswith(".jpg")
    assert attachment.size == len(PHOTO)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP", "AVIF", "BMP"])
def test_every_kind_is_told_by_its_first_bytes(kind):
    ending = {"JPEG": "jpg"}.get(kind, kind.lower())
    assert ending_of(pictures.drawn(20, 20, kind=kind)) == ending


def test_a_large_image_is_left_out_and_the_status_says_so(source, monkeypatch):
    monkeypatch.setattr(limits, "IMAGE_BYTES_MAX", 1024 * 1024)
    large = PASTED + bytes(1024 * 1024)
    source.write("s.jsonl", claude_code("s", [claude_block(large), claude_block(PASTED)]))
    row = source.row("s.jsonl")
    assert row["warnings"] == ["1 image is larger than 1 MB and not kept."]
    attachments = source.session("s").messages[0].attachments
    assert [item.file is None for item in attachments] == [True, False]
    assert attachments[0].size == len(large)


def test_the_setting_keeps_none_and_loses_none(source):
    source.write("s.jsonl", claude_code("s", [claude_block(PASTED)]))
    set_setting(source.home, "history.images", "false")
    assert shown(source, "s") == []
    assert source.session("s").messages[0].attachments[0].kind == "image/png"
    set_setting(source.home, "history.images", "true")  # the source is read again
    assert shown(source, "s") == [PASTED]
    set_setting(source.home, "history.images", "false")
    source.write("s.jsonl", claude_code("s", [claude_block(PASTED)], [claude_block(SCREENSHOT)]))
    assert shown(source, "s") == [PASTED]


def test_forgetting_a_session_removes_the_images_no_other_shows(source):
    source.write("a.jsonl", claude_code("a", [claude_block(PASTED), claude_block(PHOTO)]))
    source.write("b.jsonl", claude_code("b", [claude_block(PASTED)], [claude_block(SCREENSHOT)]))
    source.take_in()
    forget_session(source.workspace(), "a")
    assert kept(source) == {PASTED, SCREENSHOT}
    source.write("a.jsonl", claude_code("a", [claude_block(PASTED), claude_block(PHOTO)], ["x"]))
    source.take_in()
    assert kept(source) == {PASTED, SCREENSHOT}


def test_a_rehearsal_removes_nothing_and_what_is_restored_has_its_images_again(source):
    source.write("a.jsonl", claude_code("a", [claude_block(PASTED)]))
    source.take_in()
    forget_session(source.workspace(), "a", rehearsal=True)
    assert kept(source) == {PASTED}
    forget_session(source.workspace(), "a")
    assert kept(source) == set()
    restore_session(source.workspace(), "a")
    assert shown(source, "a") == [PASTED]


def test_forgetting_by_day_removes_images_of_what_went(source):
    from datetime import date

    text = claude_code("s", [claude_block(PASTED)], [claude_block(SCREENSHOT)])
    later = text.replace("2026-05-04T08:00:09", "2026-05-09T08:00:09")
    source.write("s.jsonl", later)
    source.take_in()
    forget_before(source.workspace(), date(2026, 5, 8))
    assert source.archive().load("s").messages[0].text == "A pier."
    assert kept(source) == set()


def test_an_export_takes_its_images_along_and_comes_back_whole(source, tmp_path):
    pictures.write_all(source.folder)
    source.take_in()
    export_files(source.workspace(), tmp_path / "one", ["codex-pictures"])
    store = ImageStore(tmp_path / "one")
    assert {store.read(name) for name in store.names()} == {PASTED, SCREENSHOT, DRAWN}

    export_files(source.workspace(), tmp_path / "all")
    other = Home(tmp_path / "other")
    other.root.mkdir()
    register(Workspace(home=other), [tmp_path / "all"])
    take_in(Workspace(home=other))
    images = {
        name: ImageStore(other.history).read(name) for name in ImageStore(other.history).names()
    }
    assert set(images.values()) == kept(source)
    export_files(Workspace(home=other), tmp_path / "again")
    for path in (tmp_path / "all").rglob("*.jsonl"):
        assert (
            tmp_path / "again" / path.relative_to(tmp_path / "all")
        ).read_bytes() == path.read_bytes()


def test_a_canonical_file_cannot_name_what_is_not_an_image_of_its_own(source):
    (source.folder / "images" / "ab").mkdir(parents=True)
    page = b"<script>alert(1)</script>"
    (source.folder / "images" / "ab" / f"ab{'0' * 62}.png").write_bytes(page)
    names = ["../../../../etc/passwd", f"ab/ab{'0' * 62}.png", name_of(PASTED), "", "images/a.png"]
    attached = [{"name": "x", "file": name} for name in names]
    message = {"type": "message", "n": 1, "id": "m", "role": "user", "attachments": attached,
               "calls": [{"id": "c", "name": "x", "attachments": attached}]}  # fmt: skip
    head = {"type": "head", "schema": 1, "id": "s", "agent": "images"}
    source.write("x.jsonl", f"{json.dumps(head)}\n{json.dumps(message)}\n")
    (found,) = source.session("s").messages
    assert not list(names_in(found))
    assert not kept(source)


def test_a_link_is_not_an_image(source, tmp_path):
    store = ImageStore(tmp_path)
    name = name_of(PASTED)
    (tmp_path / "outside.png").write_bytes(PASTED)
    path = store.path(name)
    path.parent.mkdir(parents=True)
    path.symlink_to(tmp_path / "outside.png")
    assert store.read(name) is None
    assert not store.has(name)


def test_an_agent_called_images_has_a_folder_of_its_own(source):
    head = {"type": "head", "schema": 1, "id": "s", "agent": "images"}
    message = {"type": "message", "n": 1, "id": "m", "role": "user", "text": "Pier"}
    source.write("x.jsonl", f"{json.dumps(head)}\n{json.dumps(message)}\n")
    assert source.session("s").agent == "images"
    assert source.session("s").messages[0].text == "Pier"


def test_a_broken_data_address_costs_nothing_else(source):
    text = pictures.codex().replace(data_address(PASTED), data_address(PASTED)[:-3])
    source.write("rollout.jsonl", text)
    session = source.session("codex-pictures")
    assert len(session.messages[0].attachments) == 1
    assert session.messages[1].text == "The pier is gone."
