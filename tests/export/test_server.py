"""Serving: this machine only, inside the site only, under a strict policy, reloaded on change."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest

from generator.errors.records import write_record
from generator.exceptions import StorageError
from generator.export.requested import find_file
from generator.export.server import open_server
from generator.paths import Home
from generator.workspace import Workspace


@pytest.fixture
def site(tmp_path):
    root = tmp_path / "site"
    (root / "guides").mkdir(parents=True)
    (root / ".well-known").mkdir()
    (root / "index.html").write_text("<head></head>home")
    (root / "guides" / "index.html").write_text("<head></head>guides")
    (root / "guides" / "recall.html").write_text("<head></head>recall")
    (root / "404.html").write_text("<head></head>lost")
    (root / "404.md").write_text("# Lost\n")
    (root / "reports" / "view").mkdir(parents=True)
    (root / "reports" / "view" / "r.html").write_text("<head></head>report")
    (root / "sitemap.xml").write_text("<urlset/>")
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


def get(server, path, *, method="GET", host=None, **more):
    connection = http.client.HTTPConnection(*server.server_address[:2], timeout=10)
    try:
        connection.putrequest(method, path, skip_host=host is not None)
        if host is not None:
            connection.putheader("Host", host)
        for name, value in more.items():
            connection.putheader(name.replace("_", "-"), value)
        connection.endheaders()
        response = connection.getresponse()
        return response.status, dict(response.getheaders()), response.read()
    finally:
        connection.close()


def test_a_page_that_is_being_built_loads_itself_again_when_it_is_there(server):
    server.rebuilds.building = True
    status, headers, body = get(server, "/history/index.html")
    assert status == 503
    assert headers["Retry-After"] == "1"
    assert b"The site is being built." in body
    assert b"/-/reload.js" in body
    assert get(server, "/guides/index.html")[0] == 200  # what an earlier export left
    server.rebuilds.building = False
    assert get(server, "/history/index.html")[0] == 404


@pytest.mark.parametrize(
    ("path", "kind", "holds"),
    [
        ("/", "text/html", b"home"),
        ("/index.html?x=1#y", "text/html", b"home"),
        ("/guides/", "text/html", b"guides"),
        ("/guides/recall", "text/html", b"recall"),
        ("/sitemap.xml", "application/xml; charset=utf-8", b"<urlset/>"),
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
        "/index.html/.",
        "/guides/recall/",
        "/guides/../.fieldguide-export.json",
        "/%2e%2e%5c%2e%2e%5csecret.txt",
        "/%c0%ae%c0%ae/secret.txt",
        "/guides/%2e%2e%2f%2e%2e%2fsecret",
        "/secret",
        "/up/secret",
        "/out",
        "///../secret.txt",
        "/file:///etc/passwd",
        "/" + "a/" * 5000,
        "/" + "b" * 5000,
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


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "", "127.0.0.1:80:80",
     "a@127.0.0.1", "localhost:", "localhost.evil", "127.0.0.1, evil.example"],
)  # fmt: skip
def test_a_strangers_host_name_is_refused(server, host):
    assert get(server, "/", host=host)[0] == 403


@pytest.mark.parametrize("host", ["localhost:1", "127.0.0.1", "[::1]:9", "LocalHost"])
def test_names_of_this_machine_are_fine(server, host):
    assert get(server, "/", host=host)[0] == 200


def test_what_is_missing_has_a_page_and_a_text(server):
    for path, kind, holds in (
        ("/guides/nothing", "text/html", b"lost"),
        ("/deep/er/x.html", "text/html", b"lost"),
        ("/guides/nothing.md", "text/markdown", b"# Lost"),
        ("/nothing.json", "text/markdown", b"# Lost"),
    ):
        status, headers, body = get(server, path)
        assert status == 404
        assert headers["Content-Type"].startswith(kind)
        assert holds in body
        assert get(server, path, method="HEAD")[2] == b""


def test_a_file_that_is_held_already_is_not_sent_again(server, site):
    status, headers, body = get(server, "/guides/recall.html")
    tag, modified = headers["ETag"], headers["Last-Modified"]
    for asked in (
        {"If_None_Match": tag},
        {"If_None_Match": f'"x", W/{tag}'},
        {"If_None_Match": "*"},
        {"If_Modified_Since": modified},
    ):
        status, headers, body = get(server, "/guides/recall.html", **asked)
        assert (status, body, headers["ETag"]) == (304, b"", tag)
    for asked in (
        {"If_None_Match": '"x"', "If_Modified_Since": modified},
        {"If_Modified_Since": "Thu, 01 Jan 1970 00:00:00 GMT"},
        {"If_Modified_Since": "yesterday"},
    ):
        assert get(server, "/guides/recall.html", **asked)[0] == 200
    (site / "guides" / "recall.html").write_text("<head></head>more of it")
    status, _, body = get(server, "/guides/recall.html", If_None_Match=tag)
    assert status == 200
    assert b"more of it" in body


def test_headers_alone_are_those_of_the_whole(server):
    whole, alone = get(server, "/index.html"), get(server, "/index.html", method="HEAD")
    assert alone[2] == b""
    assert {**alone[1], "Date": ""} == {**whole[1], "Date": ""}
    assert int(alone[1]["Content-Length"]) == len(whole[2])


def test_a_report_runs_apart_from_the_site(server):
    _, headers, body = get(server, "/reports/view/r.html")
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'; script-src 'unsafe-inline'" in policy
    assert "; sandbox allow-scripts; frame-ancestors 'self'" in policy
    assert b"reload.js" not in body


def raw(server, request):
    with socket.create_connection(server.server_address[:2], timeout=10) as connection:
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(65536), b""))


HOST = b"Host: 127.0.0.1\r\n"


@pytest.mark.parametrize(
    ("request_bytes", "status"),
    [
        (b"GET /../secret.txt HTTP/1.1\r\n" + HOST + b"\r\n", 404),
        (b"GET ../secret.txt HTTP/1.1\r\n" + HOST + b"\r\n", 404),
        (b"GET http://evil.example/index.html HTTP/1.1\r\nHost: evil.example\r\n\r\n", 403),
        (b"GET / HTTP/1.1\r\n" + HOST + b"Host: evil.example\r\n\r\n", 403),
        (b"GET / HTTP/1.0\r\n\r\n", 403),
        (b"GET / HTTP/1.1\r\n\r\n", 403),
        (b"GET /\r\n\r\n", 403),
        (b"GET / HTTP/9.9\r\n" + HOST + b"\r\n", 505),
        (b"GET / FTP/1.1\r\n\r\n", 400),
        (b"<script>alert(1)</script>\r\n\r\n", 400),
        (b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\n" + HOST + b"\r\n", 414),
        (b"GET / HTTP/1.1\r\n" + HOST + b"A: " + b"b" * 70_000 + b"\r\n\r\n", 431),
        (b"GET / HTTP/1.1\r\n" + HOST + b"A: b\r\n" * 200 + b"\r\n", 431),
        (b"PUT /index.html HTTP/1.1\r\n" + HOST + b"Content-Length: 2\r\n\r\nhi", 501),
        (b"TRACE / HTTP/1.1\r\n" + HOST + b"\r\n", 501),
        (b"OPTIONS * HTTP/1.1\r\n" + HOST + b"\r\n", 501),
        (b"GET * HTTP/1.1\r\n" + HOST + b"\r\n", 404),
        (b"GET /\x00 HTTP/1.1\r\n" + HOST + b"\r\n", 404),
        (b"GET /\xff HTTP/1.1\r\n" + HOST + b"\r\n", 404),
    ],
    ids=range(19),
)
def test_raw_requests_are_answered_and_give_nothing_away(server, request_bytes, status):
    answer = raw(server, request_bytes)
    assert answer.startswith(b"HTTP/1.1 %d " % status) or (status == 403 and b"HTTP" not in answer)
    for secret in (b"secret.txt", b"home<", b"<script>"):
        assert secret not in answer.partition(b"\r\n\r\n")[2]
    if b"HTTP" in answer:
        assert b"Content-Security-Policy: default-src 'none'" in answer
        assert b"X-Content-Type-Options: nosniff" in answer
        assert b"text/plain" in answer or b"lost" in answer.lower()


def test_what_follows_a_request_is_no_second_request(server):
    hidden = b"GET /guides/ HTTP/1.1\r\n" + HOST + b"\r\n"
    for header in (b"Content-Length: %d" % len(hidden), b"Transfer-Encoding: chunked"):
        answer = raw(server, b"GET / HTTP/1.1\r\n" + HOST + header + b"\r\n\r\n" + hidden)
        assert answer.count(b"HTTP/1.1 ") == 1
        assert b"Connection: close" in answer
    two = raw(server, b"GET / HTTP/1.1\r\n" + HOST + b"\r\n" + hidden)
    assert two.count(b"HTTP/1.1 200 ") == 2


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


def test_the_command_follows_what_agents_write(home_folder, tmp_path):
    projects = tmp_path / "projects"
    projects.mkdir()
    (home_folder).mkdir(parents=True, exist_ok=True)
    (home_folder / "config.json").write_text(
        json.dumps({"output_dir": "reports", "sources": [str(projects)]})
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "generator", "serve", "--port", "0",
         "--with", "history,errors,reports"],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    try:
        port = next(
            int(found[1])
            for line in process.stderr
            if (found := re.search(r"http://127\.0\.0\.1:(\d+)/", line))
        )

        def shows(path, text):
            for _ in range(600):
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
                connection.request("GET", path)
                body = connection.getresponse().read().decode()
                connection.close()
                if text in body:
                    return True
                time.sleep(0.05)
            return False

        write_record(
            Workspace(home=Home(home_folder)), tool_name="run_command", keywords=["tide"],
            symptom="The tide table is empty", action="Ask again.", outcome="resolved",
        )  # fmt: skip
        assert shows("/errors/index.md", "The tide table is empty")
        (home_folder / "reports").mkdir()
        (home_folder / "reports" / "report-20260504-101500.md").write_text("# Harbour\n")
        assert shows("/reports/index.md", "Harbour")
        line = {
            "type": "user", "sessionId": "s-1", "uuid": "u-1", "parentUuid": None,
            "timestamp": "2026-05-04T10:00:00.000Z", "cwd": "/home/dev/p", "version": "2.0.1",
            "isSidechain": False, "userType": "external",
            "message": {"role": "user", "content": "Count the buoys"},
        }  # fmt: skip
        (projects / "s-1.jsonl").write_text(json.dumps(line) + "\n")
        assert shows("/history/index.md", "Count the buoys")
        (home_folder / "catalogs").mkdir()
        (home_folder / "catalogs" / "bench.yaml").write_text(
            "platform: bench\ntitle: Benches\ntools:\n  - name: reserve_bench\n"
            "    summary: Reserves a bench.\n"
        )
        assert shows("/tools/index.md", "reserve_bench")
    finally:
        process.send_signal(signal.SIGTERM)
        process.stderr.read()
        process.stderr.close()
        assert process.wait(10) == 0


def test_a_port_in_use_is_a_sentence(server, site):
    with pytest.raises(StorageError, match="cannot be opened") as caught:
        open_server(site, server.server_address[1])
    assert "--port" in str(caught.value)
