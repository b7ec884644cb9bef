"""Guides as ``guide://<topic>`` resources, everything else by ref through one template.

Some clients read only tools: ``reasoning_guide`` gives every guide and ``memory_get`` every ref.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

import anyio.to_thread
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    ListResourcesResult,
    ListResourceTemplatesResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextResourceContents,
)

from generator.exceptions import FieldguideError, UnknownNameError
from generator.guides.compose import compile_guide, compose
from generator.guides.loader import load_library
from generator.tools import get_tool
from generator.workspace import Workspace

Context = ServerRequestContext[Any, Any]

GUIDE_SCHEME = "guide://"
REF_SCHEME = "fieldguide://"

# What a ref can name, in the order of the specification; each is read by memory_get.
TEMPLATES: dict[str, tuple[str, str]] = {
    "report": ("report/{name}", "A saved report by its file name."),
    "error": ("error/{hash}", "An error record with its fix, by its 8-character hash."),
    "note": ("note/{name}", "An operator's note by name."),
    "conversation": ("conversation/{id}", "A conversation, or one message of it as id#3."),
    "task": ("task/{id}", "A run: the request, its tool calls and the reply."),
}


def make_list_handler(workspace: Workspace) -> Callable[..., Any]:
    """Return the handler of ``resources/list``: every guide, shipped and the user's own."""

    def collect() -> list[Resource]:
        library = load_library(workspace)
        return [
            Resource(
                name=guide.topic,
                title=guide.title,
                uri=f"{GUIDE_SCHEME}{guide.topic}",
                description=guide.summary,
                mime_type="text/markdown",
                size=len(compile_guide(guide).text.encode()),
            )
            for guide in library.guides.values()
        ]

    async def list_resources(_: Context, __: PaginatedRequestParams | None) -> ListResourcesResult:
        return ListResourcesResult(resources=await _guarded(collect))

    return list_resources


async def list_templates(
    _: Context, __: PaginatedRequestParams | None
) -> ListResourceTemplatesResult:
    """Answer ``resources/templates/list``."""
    return ListResourceTemplatesResult(
        resource_templates=[
            ResourceTemplate(
                name=name,
                uri_template=f"{REF_SCHEME}{pattern}",
                description=description,
                mime_type="text/markdown",
            )
            for name, (pattern, description) in TEMPLATES.items()
        ]
    )


def make_read_handler(workspace: Workspace) -> Callable[..., Any]:
    """Return the handler of ``resources/read``."""

    def read(uri: str) -> str:
        if uri.startswith(GUIDE_SCHEME):
            topic = unquote(uri.removeprefix(GUIDE_SCHEME)).strip("/")
            return compose(load_library(workspace), [topic])
        if uri.startswith(REF_SCHEME):
            kind, _, name = uri.removeprefix(REF_SCHEME).partition("/")
            if kind not in TEMPLATES or not name:
                raise UnknownNameError("kind of resource", kind, list(TEMPLATES))
            tool = get_tool("memory_get")
            return tool.render(tool.call({"ref": f"{kind}:{unquote(name)}"}, workspace))
        raise FieldguideError(
            f"{uri} is no resource of this server.",
            hint=f"Guides are {GUIDE_SCHEME}TOPIC, everything else {REF_SCHEME}KIND/NAME.",
        )

    async def read_resource(_: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        text = await _guarded(read, str(params.uri))
        safe = text.encode("utf-8", "replace").decode("utf-8")
        contents = TextResourceContents(uri=params.uri, mime_type="text/markdown", text=safe)
        return ReadResourceResult(contents=[contents])

    return read_resource


async def _guarded(work: Callable[..., Any], *arguments: Any) -> Any:
    """Do file work in a thread; a known fault becomes a protocol error in our words."""
    try:
        return await anyio.to_thread.run_sync(work, *arguments)
    except FieldguideError as error:
        raise MCPError(code=INVALID_PARAMS, message=str(error)) from error
