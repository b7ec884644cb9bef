"""Where an export must not go: the root, the home's own folders, what the site is made from."""

import os
from pathlib import Path

import pytest

from generator.exceptions import UsageError
from generator.export.build import Builder
from generator.history.intake import register
from generator.paths import shipped

PARTS = ("guides", "catalogs", "history", "errors", "knowledge", "notes", "index")


@pytest.mark.parametrize("name", PARTS)
@pytest.mark.parametrize("below", ["", "public"])
def test_a_folder_of_the_home_is_refused(build, workspace, name, below):
    folder = workspace.home.root / name
    with pytest.raises(UsageError, match="Nothing was written"):
        build(folder / below)
    assert not (folder / "index.html").exists()


def test_the_home_itself_is_refused_and_a_new_folder_in_it_is_fine(build, workspace):
    with pytest.raises(UsageError, match="which holds your guides"):
        build(workspace.home.root)
    assert build(workspace.home.root / "site").written


def test_the_root_of_the_disk_and_the_users_folder_are_refused(build, monkeypatch, tmp_path):
    with pytest.raises(UsageError, match="is the root of the disk"):
        build(Path(os.path.realpath("/")))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    with pytest.raises(UsageError, match="holds everything of yours"):
        build(tmp_path)


def test_what_the_site_is_made_from_is_refused(build):
    for folder in (shipped("guides"), shipped("templates") / "x", shipped("guides").parent):
        with pytest.raises(UsageError, match="would mix with"):
            build(folder)


def test_a_link_to_such_a_folder_is_refused(build, workspace, tmp_path):
    workspace.home.guides.mkdir(parents=True)
    (tmp_path / "link").symlink_to(workspace.home.guides)
    with pytest.raises(UsageError, match="which holds your guides"):
        build(tmp_path / "link")


def test_the_folder_of_reports_is_refused(build, workspace):
    with pytest.raises(UsageError, match="holds your reports"):
        build(workspace.home.download)


def test_a_source_of_history_is_refused(build, workspace, tmp_path):
    (tmp_path / "exports").mkdir()
    register(workspace, [tmp_path / "exports"])
    with pytest.raises(UsageError, match="which holds history that is taken from there"):
        build(tmp_path / "exports" / "site")
    assert build(tmp_path / "site").written


def test_the_command_says_it_in_one_sentence(run):
    outcome = run("build", "--out", "/")
    assert outcome.code == 2
    assert outcome.err.startswith("fieldguide: An export cannot go to /: it is the root")
    assert "--out" in outcome.err


def test_a_served_scratch_folder_is_nobodys(workspace, tmp_path):
    assert Builder(workspace, tmp_path / "scratch", private=True).build().written
