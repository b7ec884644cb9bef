"""Serving: this machine only, inside the site only, under a strict policy, reloaded on change."""

import http.client
import os
import re
import signal
import subprocess
import sys
import threading
import time

import pytest

from generator.exceptions import StorageError
from generator.export.server import find_file, open_server


@pytest.fixture
def site(tmp_path):
    root = tmp_path / "site"
    (root / "guides").mkdir(parents=True)
    (root / ".well-known").mkdir()
    (root / "index.html").write_text("<head></head>home")
    (root / "guides" / "index.html").write_text("<head></head>guides")
    (root / "guides" / "部署.md").write_text("# 部署\n")
    (root / ".well-known" / "a.json").write_text("{}")
    (root / ".fieldguide-export.json").write_text("{}")
    (tmp_path / "secret.txt").write_text("secret")
    (root / "out.txt").symlink_to(tmp_path / "secret.txt")
    (root / "up").symlink_to(tmp_path)
    return root.resolve()


@pytest.fixture
def server(site):
    opened = open_server(site, 0)
    thread = threading.Thread(target=opened.serve_forever)
    thread.start()
    yield opened
    opened.shutdown()
    opened.server_close()
    thread.join()


def get(server, path, *, method="GET", host=None):
    connection = http.client.HTTPConnection(*server.server_address[:2], timeout=10)
    try:
        connection.putrequest(method, path, skip_host=host is not None)
        if host is not None:
            connection.putheader("Host", host)
        connection.endheaders()
        response = connection.getresponse()
        return response.status, dict(response.getheaders()), response.read()
    finally:
        connection.close()


@pytest.mark.parametrize(
    ("path", "kind", "holds"),
    [
        ("/", "text/html", b"home"),
        ("/index.html?x=1#y", "text/html", b"home"),
        ("/guides/", "text/html", b"guides"),
        ("/guides/%E9%83%A8%E7%BD%B2.md", "text/markdown", "# 部署\n".encode()),
        ("/.well-known/a.json", "application/json", b"{}"),
    ],
)
def test_files_are_served_with_their_type(server, path, kind, holds):
    status, headers, body = get(server, path)
    assert status == 200
    assert headers["Content-Type"].startswith(kind)
    assert holds in body
    assert headers["Content-Security-Policy"].startswith("default-src 'none'; script-src 'self';")
    assert headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/guides/../../secret.txt",
        "/%2e%2e/secret.txt",
        "/%2e%2e%2fsecret.txt",
        "/..%2fsecret.txt",
        "/guides/..%2f..%2fsecret.txt",
        "/%252e%252e/secret.txt",
        "/..%5csecret.txt",
        "/..\\secret.txt",
        "/%00",
        "/index.html%00.md",
        "/%ff",
        "/out.txt",
        "/up/secret.txt",
        "/up/",
        "//etc/passwd",
        "/C:/Windows/win.ini",
        "/.fieldguide-export.json",
        "/.git/config",
        "/index.html/",
        "/nothing",
    ],
)
def test_nothing_outside_is_served(server, path):
    status, _, body = get(server, path)
    assert status in (404, 400)
    assert b"secret" not in body


def test_a_folder_without_its_slash_is_sent_on(server):
    status, headers, _ = get(server, "/guides")
    assert (status, headers["Location"]) == (301, "guides/")


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", ""])
def test_a_strangers_host_name_is_refused(server, host):
    assert get(server, "/", host=host)[0] == 403


@pytest.mark.parametrize("host", ["localhost:1", "127.0.0.1", "[::1]:9"])
def test_names_of_this_machine_are_fine(server, host):
    assert get(server, "/", host=host)[0] == 200


def test_other_methods_change_nothing(server):
    assert get(server, "/", method="HEAD")[2] == b""
    assert get(server, "/", method="POST")[0] == 501


def test_it_listens_on_the_loopback_address_only(server):
    assert server.server_address[0] == "127.0.0.1"


def test_a_page_hears_of_a_rebuild(server):
    connection = http.client.HTTPConnection(*server.server_address[:2], timeout=10)
    connection.request("GET", "/-/events")
    response = connection.getresponse()
    server.rebuilds.announce()
    assert response.fp.readline() == b"data: rebuilt\n"
    connection.close()


def test_find_file_gives_no_folder(site):
    assert find_file(site, "/.well-known") is None
    assert find_file(site, "") is None


def test_the_command_rebuilds_when_a_guide_changes(home_folder):
    folder = home_folder / "guides"
    folder.mkdir(parents=True)
    guide = folder / "mine.md"
    text = "---\ntitle: M\nsummary: s\nsince: 1\n---\n## {}\n"
    guide.write_text(text.format("First"))
    process = subprocess.Popen(
        [sys.executable, "-m", "generator", "serve", "--port", "0"],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    try:
        port = next(
            int(found[1])
            for line in process.stderr
            if (found := re.search(r"http://127\.0\.0\.1:(\d+)/", line))
        )

        def page():
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
            connection.request("GET", "/guides/mine.html")
            body = connection.getresponse().read().decode()
            connection.close()
            return body

        assert "First" in page()
        guide.write_text(text.format("Second"))
        for _ in range(100):
            if "Second" in page():
                break
            time.sleep(0.05)
        assert "Second" in page()
        guide.write_text("---\n")
        assert any("mine.md, line 1" in line for line in process.stderr)
    finally:
        process.send_signal(signal.SIGTERM)
        process.stderr.read()
        process.stderr.close()
        assert process.wait(10) == 0


def test_a_port_in_use_is_a_sentence(server, site):
    with pytest.raises(StorageError, match="cannot be opened") as caught:
        open_server(site, server.server_address[1])
    assert "--port" in str(caught.value)
