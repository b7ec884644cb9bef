"""fieldguide mcp --print-config: one line that a client can be set up with."""

import json
import subprocess


def test_the_json_line_starts_a_server_that_answers(run, tmp_path):
    outcome = run("--home", tmp_path / "h", "mcp", "--print-config", "json")
    assert outcome.code == 0
    server = json.loads(outcome.out)["mcpServers"]["fieldguide"]
    assert server["args"][-3:] == ["--home", str(tmp_path / "h"), "mcp"]
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"},
        },
    }
    done = subprocess.run(
        [server["command"], *server["args"]],
        input=json.dumps(hello) + "\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert json.loads(done.stdout.splitlines()[0])["result"]["serverInfo"]["name"] == "fieldguide"


def test_an_unknown_client_is_told_the_known_ones(run):
    outcome = run("mcp", "--print-config", "claude")
    assert outcome.code == 2
    assert "claude-code, codex, gemini, vscode, cursor, json" in outcome.err
