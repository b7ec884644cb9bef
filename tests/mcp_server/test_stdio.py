"""The server as a child process: many clients, clients that vanish, a server that is killed."""

import json
import os
import signal
import subprocess
import sys

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from generator.guides.compose import compose
from generator.guides.loader import load_library


@pytest.fixture
def server(home_folder):
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "generator", "mcp"],
        env={**os.environ, "FIELDGUIDE_HOME": str(home_folder)},
    )


async def ask(server, topic):
    async with Client(server) as client:
        result = await client.call_tool("reasoning_guide", {"topics": [topic]})
        return result.content[0].text


def test_eight_clients_at_once_each_get_their_answer(server, workspace, run_async):
    topics = list(load_library(workspace).guides)[:4] * 2

    async def all_at_once():
        answers = {}

        async def one(number, topic):
            answers[number] = await ask(server, topic)

        async with anyio.create_task_group() as group:
            for number, topic in enumerate(topics):
                group.start_soon(one, number, topic)
        return answers

    answers = run_async(all_at_once)
    library = load_library(workspace)
    assert answers == {n: compose(library, [topic]) for n, topic in enumerate(topics)}


def start(home_folder):
    return subprocess.Popen(
        [sys.executable, "-m", "generator", "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "FIELDGUIDE_HOME": str(home_folder)},
    )


HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


def say(process, message):
    process.stdin.write(json.dumps(message).encode() + b"\n")
    process.stdin.flush()


def test_a_client_that_vanishes_ends_the_server_quietly(home_folder):
    with start(home_folder) as process:
        say(process, HELLO)
        assert json.loads(process.stdout.readline())["id"] == 1
        process.stdin.close()
        assert process.wait(timeout=20) == 0
        assert process.stdout.read() == b""
        assert b"Traceback" not in process.stderr.read()


def test_standard_output_carries_only_the_protocol(home_folder):
    call = {
        "jsonrpc": "2.0",
        "id": 2,
        "method": "tools/call",
        "params": {"name": "reasoning_guide", "arguments": {"topics": ["nothing like it"]}},
    }
    with start(home_folder) as process:
        say(process, HELLO)
        say(process, {"jsonrpc": "2.0", "method": "notifications/initialized"})
        process.stdin.write(b"this is not JSON\n")
        say(process, call)
        answers = [json.loads(process.stdout.readline())]
        while answers[-1].get("id") != 2:
            answers.append(json.loads(process.stdout.readline()))
        process.stdin.close()
        rest = process.stdout.read()
        process.wait(timeout=20)
    for line in rest.splitlines():
        json.loads(line)
    assert answers[-1]["result"]["isError"] is True


def test_a_server_that_was_killed_starts_again_and_answers(
    server, home_folder, workspace, run_async
):
    process = start(home_folder)
    say(process, HELLO)
    process.stdout.readline()
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    topic = next(iter(load_library(workspace).guides))
    assert run_async(ask, server, topic) == compose(load_library(workspace), [topic])
