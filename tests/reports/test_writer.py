"""Saving: names, folders, nothing replaced, nothing half written, nothing lost."""

import hashlib
import multiprocessing
import os
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from generator.exceptions import StorageError, UsageError
from generator.paths import Home
from generator.reports.writer import save_report
from generator.workspace import Workspace


@pytest.fixture
def workspace(workspace: Workspace, tmp_path: Path) -> Workspace:
    """The shared workspace of a user whose zone is Shanghai's, where the clock shows noon."""
    (tmp_path / "user").mkdir()
    person = Workspace(
        home=Home(tmp_path / "home"),
        cwd=tmp_path,
        environ={"HOME": str(tmp_path / "user")},
        clock=workspace.clock,
    )
    return configured(person, '{"timezone": "Asia/Shanghai"}')


def configured(workspace: Workspace, text: str) -> Workspace:
    workspace.home.root.mkdir(parents=True, exist_ok=True)
    workspace.home.config.write_text(text)
    return Workspace(
        home=workspace.home, cwd=workspace.cwd, environ=workspace.environ, clock=workspace.clock
    )


def save(workspace: Workspace, content: str = "# Findings\n"):
    return save_report(content, format="md", workspace=workspace)


def test_a_receipt_describes_the_bytes_on_disk(workspace):
    receipt = save(workspace, "---\ntitle: Quarter 3\n---\n\n# Other\r\n三\n")
    data = receipt.path.read_bytes()
    assert receipt.path.name == "report-20260505-120000.md"
    assert receipt.bytes == len(data)
    assert receipt.sha256 == hashlib.sha256(data).hexdigest()
    assert receipt.title == "Quarter 3"
    assert receipt.format == "md"
    assert receipt.warnings == receipt.inlined == ()


def test_the_name_is_in_the_configured_zone(workspace):
    receipt = save(configured(workspace, '{"timezone": "America/Los_Angeles"}'))
    assert receipt.path.name == "report-20260504-210000.md"


def test_reports_of_one_second_all_survive(workspace):
    paths = [save(workspace, f"# {n}\n").path for n in range(3)]
    assert [path.name for path in paths] == [
        "report-20260505-120000.md",
        "report-20260505-120000-2.md",
        "report-20260505-120000-3.md",
    ]
    assert [path.read_text() for path in paths] == ["# 0\n", "# 1\n", "# 2\n"]


def _save_many(home: str, number: int) -> list[str]:
    second = datetime(2026, 5, 5, 12, 0, tzinfo=ZoneInfo("UTC"))
    workspace = Workspace(home=Home(Path(home)), environ={"HOME": home}, clock=lambda: second)
    return [save(workspace, f"{number}/{n}\n" * 5000).path.name for n in range(5)]


def test_sixteen_processes_in_one_second_lose_nothing(tmp_path):
    with multiprocessing.get_context("spawn").Pool(16) as pool:
        names = pool.starmap(_save_many, [(str(tmp_path), n) for n in range(16)])
    made = sorted(name for group in names for name in group)
    folder = tmp_path / "download"
    assert len(set(made)) == 80
    assert sorted(path.name for path in folder.iterdir()) == made
    texts = {(folder / name).read_text() for name in made}
    assert texts == {f"{number}/{n}\n" * 5000 for number in range(16) for n in range(5)}


def test_downloads_is_used_when_it_exists(workspace, tmp_path):
    assert save(workspace).path.parent == workspace.home.download
    (tmp_path / "user" / "Downloads").mkdir()
    assert save(workspace).path.parent == tmp_path / "user" / "Downloads"


@pytest.mark.parametrize(
    ("configured_as", "expected"),
    [("~/Out", "user/Out"), ("~", "user"), ("out/deep", "home/out/deep"), ("{tmp}/abs", "abs")],
)
def test_output_dir_may_be_relative_or_start_at_the_user(
    workspace, tmp_path, configured_as, expected
):
    value = configured_as.replace("{tmp}", str(tmp_path))
    workspace = configured(workspace, f'{{"output_dir": "{value}"}}')
    assert save(workspace).path.parent == tmp_path / expected


def test_a_link_under_the_name_is_neither_followed_nor_replaced(workspace, tmp_path):
    outside = tmp_path / "outside.md"
    workspace.home.download.mkdir(parents=True)
    (workspace.home.download / "report-20260505-120000.md").symlink_to(outside)
    receipt = save(workspace)
    assert receipt.path.name == "report-20260505-120000-2.md"
    assert not outside.exists()


@pytest.mark.parametrize("content", ["", "  \n\t", "\ufeff\n", "\0"])
def test_an_empty_report_is_refused_and_nothing_is_made(workspace, content):
    with pytest.raises(UsageError, match="The report is empty"):
        save(workspace, content)
    assert not workspace.home.download.exists()


def test_line_ends_byte_order_mark_and_nul_stay(workspace):
    content = "\ufeff# A\r\nb\rc\n\0d"
    receipt = save(workspace, content)
    assert receipt.path.read_bytes() == content.encode()
    assert receipt.title == "A"
    assert [w for w in receipt.warnings if "NUL" in w]


def test_lone_surrogates_are_mended_and_told(workspace):
    receipt = save(workspace, "# ok \ud83d\ude00\n")
    assert receipt.path.read_text() == "# ok 😀\n"
    assert receipt.warnings == ()
    receipt = save(workspace, "# cut \ud83d\n")
    assert receipt.path.read_text() == "# cut \ufffd\n"
    assert receipt.warnings[0].startswith("1 character(s) were no valid Unicode")


def test_fifty_megabytes_are_saved_whole(workspace):
    content = "# Big\n" + "0123456789abcde\n" * (50 * 1024 * 1024 // 16)
    receipt = save(workspace, content)
    assert receipt.bytes == receipt.path.stat().st_size == len(content)
    assert receipt.title == "Big"


def _in_a_child(home: Path, before: str, after: str = "") -> subprocess.Popen[str]:
    script = (
        "import os, resource, signal, sys, time\n"
        "from pathlib import Path\n"
        "from generator.paths import Home\n"
        "from generator.workspace import Workspace\n"
        "from generator.reports.writer import save_report\n"
        "from generator.exceptions import StorageError\n"
        f"{before}\n"
        f"workspace = Workspace(home=Home(Path({str(home)!r})), environ={{'HOME': {str(home)!r}}})\n"
        "try:\n"
        "    save_report('x' * 5_000_000, format='md', workspace=workspace)\n"
        "except StorageError as error:\n"
        "    print(error)\n"
        "    sys.exit(1)\n"
    )
    return subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)


def test_a_full_disk_is_one_sentence_and_leaves_nothing(tmp_path):
    child = _in_a_child(
        tmp_path,
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))",
    )
    out, _ = child.communicate(timeout=60)
    assert child.returncode == 1
    assert "could not be written" in out
    assert "has space left" in out
    assert list((tmp_path / "download").iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_a_kill_in_the_middle_leaves_no_half_file(tmp_path):
    slow = "real = os.fsync\nos.fsync = lambda fd: (print('now', flush=True), time.sleep(60))"
    child = _in_a_child(tmp_path, slow)
    assert child.stdout is not None
    assert child.stdout.readline() == "now\n"
    child.kill()
    child.communicate()
    left = [path.name for path in (tmp_path / "download").iterdir()]
    assert [name for name in left if name.startswith("report-")] == []


def test_a_folder_that_cannot_be_made_is_one_sentence(workspace, tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(StorageError, match="could not be made"):
        save(configured(workspace, f'{{"output_dir": "{tmp_path}/file/deep"}}'))
    with pytest.raises(StorageError, match="is a file"):
        save(configured(workspace, f'{{"output_dir": "{tmp_path}/file"}}'))


def test_a_read_only_folder_is_one_sentence(workspace):
    # Root may write into any folder but those of the kernel, so one of these stands in.
    folder = Path("/proc/self") if os.geteuid() == 0 else workspace.home.download
    if os.geteuid():
        folder.mkdir(parents=True)
        folder.chmod(0o500)
    with pytest.raises(StorageError, match="could not be written"):
        save(configured(workspace, f'{{"output_dir": "{folder}"}}'))


def test_a_secret_is_told_by_kind_and_line_and_saved_all_the_same(workspace):
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    receipt = save(workspace, f"# T\n\ntoken {secret}\n")
    assert len(receipt.warnings) == 1
    assert receipt.warnings[0].startswith("A secret stands in line 3: ")
    assert secret not in receipt.warnings[0]
    assert secret in receipt.path.read_text()
