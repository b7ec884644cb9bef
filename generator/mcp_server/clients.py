"""One line of set-up for each well-known MCP client.

Sources: each client's own documentation of its ``mcp add`` command or settings file, read in
November 2026.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from generator.exceptions import UnknownNameError

SERVER_NAME = "fieldguide"


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """How one client learns of a server.

    Attributes:
        title: The client's name.
        place: Where the line goes: ``shell``, or the settings file it is put in.
        line: Makes the line from the server's command.
    """

    title: str
    place: str
    line: Callable[[Sequence[str]], str]


def _snippet(key: str) -> Callable[[Sequence[str]], str]:
    def line(command: Sequence[str]) -> str:
        server = {"command": command[0], "args": list(command[1:])}
        return json.dumps({key: {SERVER_NAME: server}}, ensure_ascii=False)

    return line


def _vscode(command: Sequence[str]) -> str:
    server = {"name": SERVER_NAME, "command": command[0], "args": list(command[1:])}
    return f"code --add-mcp {shlex.quote(json.dumps(server, ensure_ascii=False))}"


CLIENTS: dict[str, Client] = {
    "claude-code": Client(
        title="Claude Code",
        place="shell",
        line=lambda command: f"claude mcp add {SERVER_NAME} -- {shlex.join(command)}",
    ),
    "codex": Client(
        title="Codex CLI",
        place="shell",
        line=lambda command: f"codex mcp add {SERVER_NAME} -- {shlex.join(command)}",
    ),
    "gemini": Client(
        title="Gemini CLI",
        place="shell",
        line=lambda command: f"gemini mcp add {SERVER_NAME} {shlex.join(command)}",
    ),
    "vscode": Client(title="VS Code", place="shell", line=_vscode),
    "cursor": Client(title="Cursor", place="~/.cursor/mcp.json", line=_snippet("mcpServers")),
    "json": Client(title="Any client", place="its settings", line=_snippet("mcpServers")),
}


def print_config(client: str, command: Sequence[str]) -> str:
    """Return the one line that makes a client start this server.

    Args:
        client: A name of :data:`CLIENTS`.
        command: The server's command and arguments, such as ``["fieldguide", "mcp"]``.

    Raises:
        UnknownNameError: There is no such client.
    """
    if client not in CLIENTS:
        raise UnknownNameError("client", client, list(CLIENTS))
    return CLIENTS[client].line(command)
