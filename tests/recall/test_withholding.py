"""Long runs that a model judges unrelated: withheld once, and given whole on any failure."""

import contextlib
import json
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from generator.history.canonical import encode
from generator.model.session import Head, Message
from generator.recall import decision
from generator.tools.chat_history import TOOL

KEY = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"


def verdict(related=False, confidence=0.9):
    content = json.dumps({"related": related, "confidence": confidence})
    return json.dumps({"choices": [{"message": {"role": "assistant", "content": content}}]})


class Endpoint(ThreadingHTTPServer):
    """A server on loopback that answers as a test says and keeps what it was sent."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.reply = lambda handler: handler.give(verdict())
        self.requests = []
        self.stop = threading.Event()


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.requests.append((self.path, dict(self.headers), json.loads(body)))
        with contextlib.suppress(OSError):
            self.server.reply(self)

    def give(self, body, status=200, **headers):
        raw = body if isinstance(body, bytes) else body.encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(raw)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, *_):
        pass


@pytest.fixture
def endpoint():
    server = Endpoint()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.stop.set()
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def asked(workspace, endpoint):
    """An archive with a long run, a short one and the current request, and the model set."""
    folder = workspace.home.history / "codex"
    folder.mkdir(parents=True)
    with (folder / "s.jsonl").open("wb") as handle:
        handle.write(encode(Head(id="s-1", agent="codex", cwd=str(workspace.cwd))))
        for n, text in enumerate(
            (
                f"Describe every sea bird with {KEY}",
                "A gull is a bird. " * 400,
                "Short one",
                "Short answer",
                "Mend the parser of dates",
                "I am on it. " * 500,
            ),
            start=1,
        ):
            role = "user" if n % 2 else "assistant"
            handle.write(encode(Message(n=n, id=f"m{n}", role=role, text=text)))
    port = endpoint.server_address[1]
    told = {"base_url": f"http://127.0.0.1:{port}/v1/", "model": "tiny", "key_env": "MODEL_KEY"}
    set_all(workspace, told)
    return replace(workspace, environ={"MODEL_KEY": "k-123"})


def set_all(workspace, decision_model):
    workspace.home.config.parent.mkdir(parents=True, exist_ok=True)
    workspace.home.config.write_text(json.dumps({"decision_model": decision_model}), "utf-8")


def read(workspace, *task_ids):
    return TOOL.call({"mode": "read", "task_id": list(task_ids or ("s-1.1",))}, workspace)


def test_an_unrelated_long_run_is_one_line_once(asked, endpoint):
    first = read(asked)
    (run,) = first.runs
    assert run.withheld == 0.9
    assert (run.reply, run.calls, run.details) == ("", [], "")
    text = TOOL.render(first)
    assert "withheld: " in text
    assert "> Describe every sea bird" in text
    assert "gull" not in text
    again = read(asked)
    assert again.runs[0].withheld is None
    assert "gull" in again.runs[0].reply
    assert len(endpoint.requests) == 1


def test_what_is_sent_holds_the_request_and_the_run_and_no_secret(asked, endpoint):
    read(asked)
    ((path, headers, body),) = endpoint.requests
    assert path == "/v1/chat/completions"
    assert headers["Authorization"] == "Bearer k-123"
    assert body["model"] == "tiny"
    sent = json.loads(body["messages"][1]["content"])
    assert sent["request"] == "Mend the parser of dates"
    assert sent["earlier_run"]["asked"].startswith("Describe every sea bird with [masked:")
    assert KEY not in json.dumps(body)


def test_another_session_asks_anew(asked, endpoint):
    read(asked)
    folder = asked.home.history / "codex"
    with (folder / "t.jsonl").open("wb") as handle:
        handle.write(encode(Head(id="t-2", agent="codex", cwd="/elsewhere")))
        handle.write(encode(Message(n=1, id="m1", role="user", text="Something else")))
    other = replace(asked, environ={"MODEL_KEY": "k", "FIELDGUIDE_SESSION": "t-2"})
    assert read(other).runs[0].withheld == 0.9


def test_short_runs_and_the_current_one_are_never_judged(asked, endpoint):
    assert [run.withheld for run in read(asked, "s-1.3", "s-1.5").runs] == [None, None]
    assert endpoint.requests == []


@pytest.mark.parametrize(
    "answer",
    [
        verdict(related=True, confidence=0.99),
        verdict(related=False, confidence=0.69),
    ],
)
def test_a_related_run_or_an_unsure_verdict_is_given_whole(asked, endpoint, answer):
    endpoint.reply = lambda handler: handler.give(answer)
    result = read(asked)
    assert "gull" in result.runs[0].reply
    assert not any("decision model" in note for note in result.notes)


def test_the_bound_itself_withholds_and_a_fence_is_taken_off(asked, endpoint):
    content = '```json\n{"related": false, "confidence": 0.7}\n```'
    body = json.dumps({"choices": [{"message": {"content": content}}]})
    endpoint.reply = lambda handler: handler.give(body)
    assert read(asked).runs[0].withheld == 0.7


def wrapped(content):
    return json.dumps({"choices": [{"message": {"content": content}}]})


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (lambda h: h.give("no"), "not the JSON"),
        (lambda h: h.give("[" * 60_000), "not the JSON"),
        (lambda h: h.give(b"\xff\xfe\x00"), "not the JSON"),
        (lambda h: h.give("{}"), "not the JSON"),
        (lambda h: h.give('{"choices": {"0": 1}}'), "not the JSON"),
        (lambda h: h.give(wrapped(None)), "not the JSON"),
        (lambda h: h.give(wrapped("certainly unrelated!")), "not the JSON"),
        (lambda h: h.give(wrapped("[1]")), "does not say"),
        (lambda h: h.give(wrapped('{"related": "no", "confidence": 1}')), "does not say"),
        (lambda h: h.give(wrapped('{"related": false}')), "no confidence"),
        (lambda h: h.give(wrapped('{"related": false, "confidence": true}')), "no confidence"),
        (lambda h: h.give(wrapped('{"related": false, "confidence": 7}')), "between 0 and 1"),
        (lambda h: h.give(wrapped('{"related": false, "confidence": NaN}')), "between 0 and 1"),
        (lambda h: h.give(verdict() + " " * 70_000), "longer than"),
        (lambda h: h.give("", 302, Location="http://127.0.0.1:1/steal"), "status 302"),
        (lambda h: h.give("nope", 401), "status 401"),
        (lambda h: h.give("oops", 500), "status 500"),
        (lambda h: h.wfile.write(b"HTTP/1.1 what\r\n\r\n"), "broke the protocol"),
        (lambda h: h.wfile.write(b"HTTP/1.1 200 OK\r\nA: " + b"x" * 99_000), "broke the protocol"),
        (lambda h: h.connection.close(), ""),
    ],
)
def test_a_broken_or_hostile_answer_gives_the_run_whole_and_says_why(
    asked, endpoint, reply, reason
):
    endpoint.reply = reply
    result = read(asked)
    assert "gull" in result.runs[0].reply
    (note,) = [note for note in result.notes if "decision model" in note]
    assert reason in note
    assert "k-123" not in note
    assert read(asked).runs[0].withheld is None


@pytest.mark.parametrize("drip", [False, True])
def test_a_slow_answer_is_not_waited_for(asked, endpoint, monkeypatch, drip):
    monkeypatch.setattr(decision.limits, "DECISION_TIMEOUT_SECONDS", 0.3)

    def slow(handler):
        while not handler.server.stop.wait(0.05):
            if drip:
                handler.wfile.write(b"H" if handler.server.requests else b"")

    endpoint.reply = slow
    result = read(asked)
    assert "gull" in result.runs[0].reply
    assert any("did not answer within" in note for note in result.notes)


@pytest.mark.parametrize(
    ("base_url", "reason"),
    [
        ("http://127.0.0.1:1/v1", "could not be reached"),
        ("ftp://127.0.0.1/v1", "must begin with http"),
        ("127.0.0.1/v1", "must begin with http"),
        ("http://127.0.0.1:99999/v1", "no address"),
    ],
)
def test_a_wrong_address_is_said(asked, base_url, reason):
    set_all(asked, {"base_url": base_url, "model": "tiny"})
    result = read(replace(asked))
    assert "gull" in result.runs[0].reply
    assert any(reason in note for note in result.notes)


def test_a_missing_key_is_named(asked, endpoint):
    result = read(replace(asked, environ={}))
    assert any("variable MODEL_KEY is not set" in note for note in result.notes)
    assert endpoint.requests == []


def test_without_a_model_nothing_is_asked(asked, endpoint):
    asked.home.config.write_text("{}", "utf-8")
    assert "gull" in read(replace(asked)).runs[0].reply
    assert endpoint.requests == []


def test_broken_state_counts_as_none(asked):
    asked.home.index.mkdir(parents=True, exist_ok=True)
    (asked.home.index / "withheld.json").write_text("[broken", "utf-8")
    assert read(asked).runs[0].withheld == 0.9
    assert json.loads((asked.home.index / "withheld.json").read_text("utf-8")) == {"s-1": ["s-1.1"]}
