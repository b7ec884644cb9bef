"""The named bundles as prompts: one choice in a client's menu gives the whole bundle."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import anyio.to_thread
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    PaginatedRequestParams,
    Prompt,
    PromptMessage,
    TextContent,
)

from generator.exceptions import FieldguideError, UnknownNameError
from generator.guides.bundles import named_bundles
from generator.guides.compose import compose
from generator.guides.loader import load_library
from generator.workspace import Workspace

Context = ServerRequestContext[Any, Any]


def make_list_handler(workspace: Workspace) -> Callable[..., Any]:
    """Return the handler of ``prompts/list``."""

    def collect() -> list[Prompt]:
        bundles = named_bundles(list(load_library(workspace).guides))
        return [
            Prompt(
                name=name,
                title=f"{name.capitalize()} guides",
                description=f"The guides {', '.join(topics)} as one text.",
            )
            for name, topics in bundles.items()
        ]

    async def list_prompts(_: Context, __: PaginatedRequestParams | None) -> ListPromptsResult:
        return ListPromptsResult(prompts=await anyio.to_thread.run_sync(collect))

    return list_prompts


def make_get_handler(workspace: Workspace) -> Callable[..., Any]:
    """Return the handler of ``prompts/get``."""

    def collect(name: str) -> tuple[str, str]:
        library = load_library(workspace)
        bundles = named_bundles(list(library.guides))
        if name not in bundles:
            raise UnknownNameError("bundle", name, list(bundles))
        return ", ".join(bundles[name]), compose(library, bundles[name])

    async def get_prompt(_: Context, params: GetPromptRequestParams) -> GetPromptResult:
        try:
            topics, text = await anyio.to_thread.run_sync(collect, params.name)
        except FieldguideError as error:
            raise MCPError(code=INVALID_PARAMS, message=str(error)) from error
        message = PromptMessage(role="user", content=TextContent(type="text", text=text))
        return GetPromptResult(description=f"Guides: {topics}.", messages=[message])

    return get_prompt
