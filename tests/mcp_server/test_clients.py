"""The set-up line of each client is one line and starts this server."""

import json
import shlex

import pytest

from generator.exceptions import UnknownNameError
from generator.mcp_server.clients import CLIENTS, print_config

COMMAND = ["/opt/my tools/fieldguide", "--home", "/data/field guide", "mcp"]


@pytest.mark.parametrize("client", CLIENTS)
def test_each_line_is_one_line_that_carries_the_whole_command(client):
    line = print_config(client, COMMAND)
    assert "\n" not in line
    if line.startswith("{"):
        server = json.loads(line)["mcpServers"]["fieldguide"]
        assert [server["command"], *server["args"]] == COMMAND
    elif client == "vscode":
        server = json.loads(shlex.split(line)[2])
        assert [server["command"], *server["args"]] == COMMAND
    else:
        assert shlex.split(line)[-4:] == COMMAND


def test_an_unknown_client_is_told_the_known_ones():
    with pytest.raises(UnknownNameError, match="Did you mean 'cursor'"):
        print_config("cursr", COMMAND)
