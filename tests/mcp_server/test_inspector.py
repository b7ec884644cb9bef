"""The MCP Inspector, a client of other makers, in its command-line mode against our server."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from generator.guides.compose import compose
from generator.guides.loader import load_library
from generator.tools import TOOLS

NODE_MODULES = Path(__file__).resolve().parents[2] / ".tools" / "node" / "node_modules"


@pytest.fixture
def inspect(home_folder):
    """Ask the server one thing through the Inspector and return its JSON answer."""

    def ask(*arguments):
        done = subprocess.run(
            [
                str(NODE_MODULES / ".bin" / "mcp-inspector"),
                *("--cli", sys.executable, "-m", "generator", "mcp"),
                *arguments,
            ],
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
            env={**os.environ, "FIELDGUIDE_HOME": str(home_folder)},
        )
        return json.loads(done.stdout)

    return ask


def test_it_lists_every_tool(inspect):
    answer = inspect("--method", "tools/list")
    assert [tool["name"] for tool in answer["tools"]] == list(TOOLS)


def test_it_calls_a_tool_and_reads_the_guide(inspect, workspace):
    answer = inspect(
        *("--method", "tools/call", "--tool-name", "reasoning_guide"),
        *("--tool-arg", 'topics=["recall"]'),
    )
    assert answer["content"][0]["text"] == compose(load_library(workspace), ["recall"])


def test_it_lists_and_reads_guides_and_prompts(inspect, workspace):
    library = load_library(workspace)
    listed = inspect("--method", "resources/list")["resources"]
    assert [item["name"] for item in listed] == list(library.guides)
    read = inspect("--method", "resources/read", "--uri", "guide://recall")["contents"][0]
    assert read["text"] == compose(library, ["recall"])
    prompts = inspect("--method", "prompts/list")["prompts"]
    assert "all" in [prompt["name"] for prompt in prompts]
