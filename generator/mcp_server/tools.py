"""Tools over MCP: the registry's models as JSON Schemas, calls in worker threads, errors in words.

A call runs in a thread, so that one long call does not hold up the others. Its progress goes
to the client; when the client cancels, the thread is told at its next step and stops there.
"""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable
from functools import cache
from typing import Any

import anyio
import anyio.from_thread
import anyio.to_thread
from mcp.server.context import ServerRequestContext
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)

from generator.exceptions import FieldguideError, InterruptedWorkError
from generator.tools import all_tools, get_tool
from generator.workspace import Workspace

Context = ServerRequestContext[Any, Any]


@cache
def tool_list() -> tuple[Tool, ...]:
    """Describe every tool that MCP clients may call, in table order."""
    return tuple(
        Tool(
            name=tool.name,
            title=tool.name.replace("_", " ").capitalize(),
            description=tool.description,
            input_schema=tool.arguments.model_json_schema(),
            output_schema=tool.result.model_json_schema(mode="serialization"),
            annotations=ToolAnnotations(
                read_only_hint=tool.read_only,
                destructive_hint=tool.destructive,
                idempotent_hint=tool.idempotent,
                open_world_hint=False,
            ),
        )
        for tool in all_tools()
        if tool.mcp
    )


async def list_tools(_: Context, __: PaginatedRequestParams | None) -> ListToolsResult:
    """Answer ``tools/list``."""
    return ListToolsResult(tools=list(tool_list()))


def make_call_handler(
    workspace: Workspace,
) -> Callable[[Context, CallToolRequestParams], Any]:
    """Return the handler of ``tools/call`` on one workspace."""

    async def call_tool(context: Context, params: CallToolRequestParams) -> CallToolResult:
        stopped = threading.Event()
        follower = _Follower(context, stopped)
        # A fresh copy for each call: settings that changed on disk are read again.
        private = dataclasses.replace(workspace, progress=follower)
        try:
            return await anyio.to_thread.run_sync(
                _call, params.name, params.arguments or {}, private, abandon_on_cancel=True
            )
        except anyio.get_cancelled_exc_class():
            stopped.set()
            raise

    return call_tool


def _call(name: str, arguments: dict[str, Any], workspace: Workspace) -> CallToolResult:
    """Call a tool; whatever goes wrong becomes a tool error that says what to do."""
    try:
        tool = get_tool(name)
    except FieldguideError as error:
        return _failure(str(error))
    try:
        result = tool.call(arguments, workspace)
        text = tool.render(result)
        structured = result.model_dump(mode="json")
    except FieldguideError as error:
        return _failure(tool.failure_text(error))
    except Exception as error:  # the last line of defence: a fault of ours must stay a sentence
        import logging

        logging.getLogger(__name__).exception("tool %s failed", name)
        return _failure(
            f"{name} failed because of a fault in Fieldguide ({type(error).__name__}). "
            "next: call it once more with simpler arguments; if it fails again, report it with "
            "the server's log on standard error."
        )
    return CallToolResult(
        content=[TextContent(type="text", text=_encodable(text))],
        structured_content=_encodable(structured),
    )


def _failure(message: str) -> CallToolResult:
    return CallToolResult(
        content=[TextContent(type="text", text=_encodable(message))], is_error=True
    )


def _encodable(value: Any) -> Any:
    """Replace lone surrogates, which JSON over UTF-8 cannot carry, in a JSON value."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, dict):
        return {_encodable(key): _encodable(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_encodable(inner) for inner in value]
    return value


class _Follower:
    """Passes progress on to the client and stops the work when the client went away."""

    def __init__(self, context: Context, stopped: threading.Event) -> None:
        self._context = context
        self._stopped = stopped

    def __call__(self, what: str, done: int, total: int | None) -> None:
        if self._stopped.is_set():
            raise InterruptedWorkError("The client cancelled the call.")
        try:
            anyio.from_thread.run(self._report, what, done, total)
        except (RuntimeError, anyio.ClosedResourceError, anyio.BrokenResourceError):
            self._stopped.set()
            raise InterruptedWorkError("The client went away.") from None

    async def _report(self, what: str, done: int, total: int | None) -> None:
        await self._context.session.report_progress(
            float(done), None if total is None else float(total), what
        )
