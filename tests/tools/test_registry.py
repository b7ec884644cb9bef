"""The table of tools is complete and each line answers to its name."""

from pathlib import Path

import generator.tools
from generator.tools import TOOLS, all_tools


def test_every_module_with_a_tool_stands_in_the_table():
    folder = Path(generator.tools.__file__).parent
    with_tool = {path.stem for path in folder.glob("*.py") if "\nTOOL = Tool(" in path.read_text()}
    assert with_tool == {module.rpartition(".")[2] for module in TOOLS.values()}


def test_each_line_answers_to_its_name_with_a_fitting_example():
    for name, tool in zip(TOOLS, all_tools(), strict=True):
        assert tool.name == name
        assert tool.parse(tool.example)
        assert len(tool.description.splitlines()) == 3
