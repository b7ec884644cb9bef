"""Long work over MCP: progress is told, cancelling stops it, and what changed is found."""

import json

import anyio
import pytest
from mcp import Client

from generator.mcp_server.server import build_server


def session_lines(number, messages=40):
    """Write one session as Claude Code leaves it on disk."""
    for n in range(messages):
        yield json.dumps(
            {
                "type": "user",
                "uuid": f"u-{number}-{n}",
                "parentUuid": f"u-{number}-{n - 1}" if n else None,
                "sessionId": f"session-{number:04}",
                "timestamp": f"2026-05-01T10:{n % 60:02}:00Z",
                "isSidechain": False,
                "cwd": "/home/dev/kiosk",
                "version": "2.1.0",
                "message": {"role": "user", "content": f"walnut number {n} of session {number}"},
            }
        )


@pytest.fixture
def archive(workspace, tmp_path):
    """Register a folder of sessions that nobody has indexed yet."""
    source = tmp_path / "projects"
    source.mkdir()

    def write(numbers):
        for number in numbers:
            path = source / f"session-{number:04}.jsonl"
            path.write_text("\n".join(session_lines(number)) + "\n", encoding="utf-8")

    write(range(60))
    workspace.home.root.mkdir(parents=True)
    workspace.home.config.write_text(json.dumps({"sources": [str(source)]}))
    return write


def test_indexing_tells_its_progress(workspace, archive, run_async):
    async def work():
        told = []

        async def follow(progress, total, message):
            told.append((progress, total, message))

        async with Client(build_server(workspace)) as client:
            result = await client.call_tool(
                "memory_search", {"query": "walnut"}, progress_callback=follow
            )
        return result, told

    result, told = run_async(work)
    assert not result.is_error
    assert result.structured_content["total"] == 60 * 40
    assert len(told) > 1
    assert all(message for _, _, message in told)


def test_a_cancelled_call_leaves_an_index_that_answers(workspace, archive, run_async):
    async def work():
        async with Client(build_server(workspace)) as client:
            started = anyio.Event()

            async def follow(progress, total, message):
                started.set()

            async with anyio.create_task_group() as group:

                async def call():
                    await client.call_tool(
                        "memory_search", {"query": "walnut"}, progress_callback=follow
                    )

                group.start_soon(call)
                await started.wait()
                group.cancel_scope.cancel()
            return await client.call_tool("memory_search", {"query": "walnut"})

    result = run_async(work)
    assert not result.is_error
    assert result.structured_content["total"] == 60 * 40


def test_what_changed_meanwhile_is_found(workspace, archive, run_async):
    async def work():
        async with Client(build_server(workspace)) as client:
            before = await client.call_tool("memory_search", {"query": "walnut"})
            archive(range(60, 63))
            return before, await client.call_tool("memory_search", {"query": "walnut"})

    before, after = run_async(work)
    added = after.structured_content["total"] - before.structured_content["total"]
    assert added == 3 * 40
