"""What afdocs finds when it looks at the served site as an agent does.

https://agentdocsspec.com/ says what each of its checks is for.
"""

import json
import re
import subprocess
import threading
from pathlib import Path

import pytest

from generator.cli.reference import load_reference
from generator.export.build import Builder
from generator.export.server import open_server
from generator.paths import Home
from generator.tools.find_tools import load_all
from generator.workspace import Workspace
from tests.export.samples import build_all, sample_home

REPOSITORY = Path(__file__).resolve().parents[2]
NOT_ASKED = "content-negotiation"  # plain files cannot choose by what a reader accepts
NEAR_THE_TOP = 600  # characters: name of the site, llms.txt, name of the page

# Check, the pages it may warn of or fail, and why that is right. Any other finding is a fault.
EXCUSED = [
    (
        "llms-txt-directive-md",
        r"guides/\w+\.html",
        "The text of a guide is byte for byte what reasoning_guide gives an agent.",
    ),
    (
        "content-start-position",
        r".*",
        "The check takes a share, and most pages are short: words start within 600 characters.",
    ),
    (
        "content-start-position",
        r"history/sessions/.*",
        "A conversation is shown as it was held; the check knows words by sentences of English.",
    ),
    (
        "page-size-html",
        r"history/sessions/.*",
        "A session is cut into pages of less than a megabyte; its runs are found one by one.",
    ),
    (
        "page-size-markdown",
        r"history/sessions/.*",
        "The twin of a page of a session holds what the page holds, long results shortened.",
    ),
    (
        "markdown-link-portability",
        r"history/sessions/.*",
        "A link that somebody wrote in a conversation is quoted as it stood.",
    ),
]


@pytest.fixture(scope="module")
def afdocs():
    subprocess.run(["sh", "tests/install/node.sh"], cwd=REPOSITORY, check=True, timeout=300)
    return REPOSITORY / ".tools" / "node" / "node_modules" / ".bin" / "afdocs"


def handbook(root, address, folder):
    workspace = Workspace(home=Home(folder))
    own = {"reference": load_reference(), "tools": load_all(workspace).own}
    Builder(workspace, root, served=address, **own).build()


def everything(root, address, folder):
    build_all(sample_home(folder), root, served=address)


def is_excused(check, page, result):
    if check == "content-start-position" and result["contentStartChar"] <= NEAR_THE_TOP:
        return True
    return any(
        name == check and pages != r".*" and re.fullmatch(pages, page) for name, pages, _ in EXCUSED
    )


def is_bad(result):
    return (
        result.get("status") in ("warn", "fail")
        or result.get("found") is False
        or bool(result.get("error"))
    )


def look(afdocs, address, pages):
    """Return what afdocs finds; again when a connection broke, which says nothing of a page."""
    for _ in range(3):
        done = subprocess.run(
            [str(afdocs), "check", address, "--skip-checks", NOT_ASKED, "--format", "json",
             "--urls", ",".join(address + page for page in pages),
             "--request-delay", "0", "--network-context", "ci"],
            capture_output=True, text=True, check=False, timeout=900,
        )  # fmt: skip
        report = json.loads(done.stdout)
        broken = [
            sample
            for check in report["results"]
            for item in (check.get("details") or {}).get("pageResults", ())
            for sample in item.get("samples", ())
            if sample.get("outcome") == "fetch-error"
        ]
        if not broken:
            break
    return report


@pytest.mark.slow
@pytest.mark.parametrize("make", [handbook, everything])
def test_an_agent_finds_and_reads_every_page(afdocs, make, tmp_path):
    root = tmp_path / "site"
    server = open_server(root, 0)
    make(root, server.address, tmp_path / "home")
    pages = [path.relative_to(root).as_posix() for path in sorted(root.rglob("*.html"))]
    shown = [page for page in pages if page != "404.html" and not page.startswith("reports/view/")]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        report = look(afdocs, server.address, shown)
    finally:
        server.shutdown()
        server.server_close()
    assert report["testedPages"] == len(shown)
    assert len(report["results"]) > 25
    told, used = [], set()
    for check in report["results"]:
        if check["status"] not in ("warn", "fail"):
            continue
        results = [item for item in check["details"].get("pageResults", ()) if is_bad(item)]
        faults = [
            item
            for item in results
            if not is_excused(check["id"], item["url"].removeprefix(server.address), item)
        ]
        used.add(check["id"])
        if faults or not results:
            told.append((check["id"], check["message"], faults[:5]))
    assert told == []
    assert used <= {name for name, _, _ in EXCUSED}
    if make is everything:
        assert used == {name for name, _, _ in EXCUSED}
