"""Building: deterministic, incremental, whole or not at all, and kind to foreign files."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from generator.exceptions import StorageError
from generator.export.build import Builder
from generator.export.target import MANIFEST, Target


def test_two_builds_are_byte_identical(build, tmp_path, snapshot):
    build(tmp_path / "a")
    build(tmp_path / "b")
    assert snapshot(tmp_path / "a") == snapshot(tmp_path / "b")


def test_nothing_changed_writes_nothing(build):
    assert build().written
    second = build()
    assert second.written == ()
    assert second.unchanged > 50


@pytest.mark.parametrize("count", [3, 60])
def test_an_incremental_build_equals_a_clean_one(build, own_guides, tmp_path, snapshot, count):
    for number in range(count):
        own_guides(f"topic_{number:02}", f"## A\n\nSee [x](topic_{(number + 1) % count:02}.md)\n")
    build()
    own_guides("topic_01", "## Changed\n\n错误 `topic_02`\n", more="aliases: [other]\n")
    own_guides("zeta")
    (tmp_path / "shipped" / "topic_02.md").unlink()
    report = build()
    build(tmp_path / "clean")
    assert snapshot(tmp_path / "site") == snapshot(tmp_path / "clean")
    assert "guides/topic_02.html" in report.removed
    assert not (tmp_path / "site" / "skills" / "topic-02").exists()


def test_one_edit_makes_only_what_depends_on_it(build, own_guides):
    for number in range(60):
        own_guides(f"topic_{number:02}")
    build()
    own_guides("topic_30", "## Changed\n")
    written = set(build().written)
    pages = {name for name in written if name.startswith("guides/") and name.endswith(".html")}
    assert "guides/topic_30.html" in pages
    assert "guides/topic_00.html" not in pages
    assert "guides/topic_00.md" not in written
    assert len(pages) <= 14


def test_one_edit_makes_the_search_files_it_is_in(workspace, own_guides, tmp_path, snapshot):
    for number in range(400):
        own_guides(f"topic_{number:03}", f"## Rule\n\nword{number} " + f"more{number} " * 9)
    builder = Builder(workspace, tmp_path / "warm", private=True)
    made = [name for name in builder.build().written if name.startswith("search/")]
    assert len(made) > 410
    own_guides("topic_200", "## Rule\n\nword200 changed\n")
    warm = {name for name in builder.build().written if name.startswith("search/")}
    assert "search/texts/guide-topic_200.js" in warm
    assert len([name for name in warm if name.startswith("search/texts/")]) == 1
    assert len(warm) <= 4, warm
    own_guides("topic_0001", "## New\n\nalpha\n")
    warm = {name for name in builder.build().written if name.startswith("search/")}
    # Its text, the directory, the places of its block, and the few files of postings there are.
    assert len([name for name in warm if name.startswith("search/places/")]) <= 2
    Builder(workspace, tmp_path / "clean", private=True).build()
    assert snapshot(tmp_path / "warm") == snapshot(tmp_path / "clean")


def test_a_warm_builder_sees_edits(workspace, own_guides, tmp_path, snapshot, build):
    own_guides("one")
    own_guides("two")
    builder = Builder(workspace, tmp_path / "warm", private=True)
    builder.build()
    own_guides("two", "## New text\n", more="aliases: [zwei]\n")
    builder.build()
    own_guides("one", "## One\n\n[two](zwei.md)\n")
    builder.build()
    build(tmp_path / "clean")
    assert snapshot(tmp_path / "warm") == snapshot(tmp_path / "clean")


def test_a_file_changed_or_removed_by_hand_is_made_again(build, tmp_path, snapshot):
    build()
    before = snapshot(tmp_path / "site")
    (tmp_path / "site" / "index.html").write_text("mine")
    (tmp_path / "site" / "guides" / "recall.md").unlink()
    assert sorted(build().written) == ["guides/recall.md", "index.html"]
    assert snapshot(tmp_path / "site") == before


def test_a_lost_or_broken_memory_only_costs_time(build, workspace, tmp_path, snapshot):
    build()
    before = snapshot(tmp_path / "site")
    for path in (workspace.home.index / "export").glob("*.json"):
        path.write_text('{"facts": [1]}')
    assert build().written == ()
    shutil.rmtree(workspace.home.root)
    assert build().written == ()
    assert snapshot(tmp_path / "site") == before


def test_a_broken_guide_is_named_and_the_others_are_built(build, own_guides, tmp_path):
    own_guides("good")
    own_guides("undefined", "## A\n\n{{ limits.nope }}\n")
    own_guides("reader", "{% include '/etc/passwd' %}\n")
    own_guides("endless", "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}"
               "{% endfor %}\n")  # fmt: skip
    own_guides("front").write_text("---\ntitle: [\n---\n")
    report = build()
    assert report.topics == 1
    assert (tmp_path / "site" / "guides" / "good.html").is_file()
    assert not (tmp_path / "site" / "guides" / "undefined.md").exists()
    told = "\n".join(report.problems)
    for name in (
        "undefined.md, line 9",
        "reader.md, line 7",
        "endless.md, line 7",
        "front.md, line",
    ):
        assert name in told


def test_a_foreign_file_is_never_overwritten(build, tmp_path):
    out = tmp_path / "site"
    out.mkdir()
    (out / "index.html").write_text("mine")
    with pytest.raises(StorageError, match=r"index\.html is there already"):
        build()
    assert [path.name for path in out.iterdir()] == ["index.html"]
    assert (out / "index.html").read_text() == "mine"


def test_foreign_files_stay_when_stale_ones_go(build, own_guides, tmp_path):
    own_guides("one")
    own_guides("two")
    build()
    site = tmp_path / "site"
    (site / "CNAME").write_text("example.org")
    (site / "guides" / "notes.txt").write_text("mine")
    (site / "guides" / "two.md").write_text("changed by hand")
    (tmp_path / "shipped" / "two.md").unlink()
    build()
    assert (site / "CNAME").read_text() == "example.org"
    assert (site / "guides" / "notes.txt").is_file()
    assert (site / "guides" / "two.md").read_text() == "changed by hand"
    assert not (site / "guides" / "two.html").exists()


def test_a_target_that_is_a_file(build, tmp_path):
    (tmp_path / "site").write_text("mine")
    with pytest.raises(StorageError, match="is a file"):
        build()


def test_a_link_that_leads_out_is_refused(build, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "guides").symlink_to(outside)
    with pytest.raises(StorageError, match="leads out of"):
        build()
    assert list(outside.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no file size limits")
def test_a_write_that_fails_leaves_the_old_site_whole(build, own_guides, tmp_path, snapshot):
    import resource

    own_guides("one")
    build()
    before = snapshot(tmp_path / "site")
    own_guides("one", "## Changed\n")
    own_guides("two", "## Large\n\n" + "word " * 40_000)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))  # as a disk that fills up
    try:
        with pytest.raises(StorageError, match="the export was not changed"):
            build()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert snapshot(tmp_path / "site") == before


def test_an_unwritable_target_is_a_sentence(build, tmp_path):
    if sys.platform == "linux" and os.geteuid() == 0:
        out = Path("/proc/site")  # root may write everywhere else
    else:
        out = tmp_path / "site"
        out.mkdir(mode=0o500)
    with pytest.raises(StorageError, match=r"could not be|cannot be written"):
        build(out)


def test_a_killed_commit_is_taken_up(build, tmp_path, own_guides):
    own_guides("one")
    build()
    site = tmp_path / "site"
    # As a kill leaves it: a staging folder, and a manifest that names files not yet there.
    (site / ".fieldguide-staging-dead").mkdir()
    target = Target(site)
    own_guides("two")
    with target.staging() as staging:
        staging._write_manifest({**target.written, "guides/two.md": "0" * 64})
    (site / "guides" / "two.md").write_text("half")
    build()
    assert (site / "guides" / "two.md").read_text().startswith("## two")
    assert not list(site.glob(".fieldguide-staging-*"))


def test_a_manifest_cannot_reach_outside(tmp_path, build, own_guides):
    own_guides("one")
    build()
    victim = tmp_path / "victim"
    victim.write_text("x")
    import hashlib
    import json

    manifest = tmp_path / "site" / MANIFEST
    data = json.loads(manifest.read_bytes())
    data["files"]["../victim"] = hashlib.sha256(b"x").hexdigest()
    data["files"][str(victim)] = hashlib.sha256(b"x").hexdigest()
    manifest.write_text(json.dumps(data))
    build()
    assert victim.read_text() == "x"


def test_check_finds_what_is_stale_missing_and_left_over(run, tmp_path):
    out = tmp_path / "site"
    assert run("build", "--out", out).code == 0
    assert run("build", "--out", out, "--check").code == 0
    (out / "index.html").write_text("old")
    (out / "llms.txt").unlink()
    outcome = run("build", "--out", out, "--check")
    assert outcome.code == 1
    assert "stale      index.html" in outcome.out
    assert "stale      llms.txt" in outcome.out
    assert "is stale. Run 'fieldguide build" in outcome.err
    assert (out / "index.html").read_text() == "old"


def test_an_own_guide_is_exported_and_a_broken_one_exits_1(run, home_folder, tmp_path):
    folder = home_folder / "guides"
    folder.mkdir(parents=True)
    (folder / "mine.md").write_text("---\ntitle: M\nsummary: s\nsince: 1\n---\n## A\n")
    assert run("build", "--out", tmp_path / "site").code == 0
    assert (tmp_path / "site" / "guides" / "mine.html").is_file()
    (folder / "mine.md").write_text("---\ntitle: M\n")
    outcome = run("build", "--out", tmp_path / "site", "--json")
    assert outcome.code == 1
    assert "mine.md, line 1: the front matter is not closed" in outcome.err


def test_no_guides_at_all_still_make_a_site(build, own_guides, tmp_path):
    assert build().topics == 0
    assert "No guide is here yet" in (tmp_path / "site" / "index.html").read_text()


def test_the_extras_do_not_change_a_byte(build, tmp_path, snapshot, monkeypatch):
    import sys

    build(tmp_path / "a")
    for name in ("vl_convert", "mmdr", "numpy"):
        monkeypatch.setitem(sys.modules, name, None)
    build(tmp_path / "b")
    assert snapshot(tmp_path / "a") == snapshot(tmp_path / "b")


def test_helper_processes_make_the_same_html(own_guides):
    from generator.export.bodies import Body, make_bodies, make_many
    from generator.guides.loader import load_guide

    guide = load_guide(own_guides("one"), origin="shipped")

    names = {f"topic_{number}": f"topic_{number}" for number in range(250)}
    bodies = [
        Body(str(number), guide, f"## 部署 {number}\n\n[x](topic_1.md) `topic_2`\n")
        for number in range(250)
    ]
    assert make_many(bodies, names) == make_bodies(bodies, names)


def test_builds_into_one_folder_queue(tmp_path, home_folder):
    command = [sys.executable, "-m", "generator", "build", "--out", str(tmp_path / "site")]
    running = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(3)
    ]
    told = [process.communicate(timeout=120)[1] for process in running]
    assert [(process.returncode, err) for process, err in zip(running, told, strict=True)] == [
        (0, b"")
    ] * 3
    assert subprocess.run([*command, "--check"], capture_output=True, check=False).returncode == 0


def test_checking_a_folder_without_an_export_is_one_sentence(run, tmp_path):
    outcome = run("build", "--out", tmp_path / "none", "--check")
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("fieldguide: There is no export in")
    assert run("build", "--out", "").code == 2
