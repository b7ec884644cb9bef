"""The public names: one list, each loads, type checkers see the same, and importing is light."""

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import generator
from generator.exceptions import NotFoundError, UsageError
from generator.tools import TOOLS, get_tool


@pytest.mark.parametrize("name", generator.__all__)
def test_every_public_name_loads_and_is_documented(name):
    value = getattr(generator, name)
    if name != "__version__":
        assert callable(value)
        assert value.__doc__


def test_type_checkers_see_the_same_names():
    tree = ast.parse(Path(generator.__file__).read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {
        alias.asname: node.module
        for node in ast.walk(block)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen == generator._PUBLIC


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="nonsense"):
        _ = generator.nonsense


def test_importing_the_package_loads_nothing_heavy():
    code = "import sys, generator; print([m for m in ('pydantic', 'jinja2', 'yaml') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_every_tool_is_a_function_with_the_same_arguments():
    public = set(generator.__all__) - {"__version__"}
    assert public == set(TOOLS)
    for name in public:
        taken = inspect.signature(getattr(generator, name)).parameters
        fields = get_tool(name).arguments.model_fields.items()
        assert set(taken) == {field for field, _ in fields}, name
        required = {field for field, info in fields if info.is_required()}
        assert required == {
            parameter.name for parameter in taken.values() if parameter.default is parameter.empty
        }, name
        assert inspect.signature(getattr(generator, name)).return_annotation


def test_the_recalling_functions_answer():
    found = generator.memory_search("flight", sources=["conversation"], limit=2)
    assert found.searched.filters == {"sources": ["conversation"]}
    assert generator.conversation_list(limit=1).conversations == []
    assert generator.wolffish_recall("flight").total == 0
    assert generator.status().home
    with pytest.raises(NotFoundError):
        generator.conversation_read("nothing", from_=2)
    with pytest.raises(UsageError):
        generator.memory_get("nothing")
    assert generator.memory("search", query="flight", date_range=["2026-05-01", "2026-05-04"])
    assert generator.chat_history(keyword="flight").hits == []
    with pytest.raises(NotFoundError):
        generator.chat_history(task_id="nothing", name="shell")
    assert Path(generator.write_report("# Hello\n\nText.\n").path).is_file()
