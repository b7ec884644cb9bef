"""The public names: one list, each loads, type checkers see the same, and importing is light."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import generator


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
