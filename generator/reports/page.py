"""What the rules are given: one page, its scripts and what they do, worked out on demand.

The page is parsed once and each script once; rules read what stands here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator import limits
from generator.reports.document import Document, Element
from generator.reports.javascript.evaluate import Evaluator
from generator.reports.javascript.moments import PARSING, Moment, script_moment
from generator.reports.javascript.resolution import join_scopes
from generator.reports.javascript.scopes import Program, Scope, opaque_global
from generator.reports.javascript.syntax import Failure, deeply, parse, parse_json
from generator.reports.javascript.timing import Timing
from generator.reports.javascript.uses import Call, find_calls
from generator.reports.large_scripts import Verdict, is_large, verdict_on
from generator.reports.libraries import Build, known_build
from generator.reports.scripts import Script, find_scripts
from generator.settings import ReportSettings

if TYPE_CHECKING:
    from generator.reports.rules.base import Problem

#: A handler's text is the body of a function; it is parsed inside one.
_HANDLER_HEAD = "(function(event){"
_HANDLER_TAIL = "\n})"
#: Characters that a script costs on top of its own, however short it is.
_SCRIPT_COST = 50


@dataclass(eq=False)
class Page:
    """One page under judgement.

    Attributes:
        document: The parsed page.
        settings: The report settings.
        memory: Folder that remembers large scripts by hash between processes, None for none.
        apart: Large scripts that look like libraries are judged apart and remembered.
        excess: Why the page is too large to be parsed, None when it is not.
    """

    document: Document
    settings: ReportSettings
    memory: Path | None = None
    apart: bool = True
    excess: Problem | None = None

    @cached_property
    def source(self) -> str:
        """The page's text, as offsets count it."""
        return self.document.source

    @cached_property
    def scripts(self) -> list[Script]:
        """Every script and data block, in page order."""
        return find_scripts(self.document)

    @cached_property
    def builds(self) -> dict[Script, Build]:
        """Inlined scripts that are listed library builds; nothing else is asked of them."""
        found = {
            script: known_build(script.text)
            for script in self.scripts
            if script.kind in {"classic", "module"}
        }
        return {script: build for script, build in found.items() if build is not None}

    @cached_property
    def too_long(self) -> list[Script]:
        """The scripts from which on the page holds more script than is judged, in page order."""
        judged = 0
        for at, script in enumerate(self.scripts):
            if script.runs and script not in self.builds:
                judged += len(script.text) + _SCRIPT_COST
                if judged > limits.REPORT_SCRIPT_CHARACTERS_MAX:
                    return [later for later in self.scripts[at:] if later.runs]
        return []

    @cached_property
    def verdicts(self) -> dict[Script, Verdict]:
        """Verdicts on large scripts that are judged apart from the rest of the page."""
        if not self.apart:
            return {}
        left_out = set(self.too_long)
        return {
            script: verdict_on(script.text, self.memory)
            for script in self.scripts
            if script.kind == "classic"
            and script not in self.builds
            and script not in left_out
            and is_large(script.text)
        }

    @cached_property
    def _parsed(self) -> tuple[list[Program], dict[Script, Failure], Scope]:
        """Parse every script and data block of the page in one deep thread."""
        left_out = set(self.too_long)
        wanted = [
            script
            for script in self.scripts
            if (script.runs or script.kind in {"json", "importmap"})
            and script not in self.builds
            and script not in self.verdicts
            and script not in left_out
        ]
        trees: dict[Script, Any] = deeply(lambda: {item: _parse(item) for item in wanted})
        page_scope = Scope(None, takes_var=True)
        for verdict in self.verdicts.values():
            for name in verdict.globals:
                page_scope.names[name] = opaque_global(name, page_scope)
        programs: list[Program] = []
        failures: dict[Script, Failure] = {}
        for script, tree in trees.items():
            if isinstance(tree, Failure):
                failures[script] = tree
            elif tree is not None:
                own = script.kind not in {"classic", "url"}
                scope = Scope(page_scope, takes_var=True) if own else page_scope
                head = len(_HANDLER_HEAD) if script.kind == "handler" else 0
                programs.append(Program(script, tree, scope, body_offset=head))
        join_scopes(programs, page_scope)
        return programs, failures, page_scope

    @property
    def page_scope(self) -> Scope:
        """The scope that classic scripts share."""
        return self._parsed[2]

    @property
    def programs(self) -> list[Program]:
        """Every script that parses, in page order."""
        return self._parsed[0]

    @property
    def failures(self) -> dict[Script, Failure]:
        """Why scripts and data blocks do not parse."""
        return self._parsed[1]

    @cached_property
    def evaluator(self) -> Evaluator:
        """Works out what expressions may be."""
        return Evaluator(self.page_scope, self._element_text)

    @cached_property
    def calls(self) -> list[Call]:
        """Every call of every script, with what is really called."""
        return list(find_calls(self.evaluator, self.programs))

    @cached_property
    def timing(self) -> Timing:
        """Answers when code runs."""
        return Timing(self.evaluator, self.programs)

    def element(self, identity: str) -> Element | None:
        """Return the first living element of an id, as getElementById gives it."""
        found = self.document.by_id.get(identity)
        return found[0] if found else None

    def _element_text(self, identity: str) -> str | None:
        """Return the text of a data block, None for elements that scripts may fill."""
        element = self.element(identity)
        if element is None or element.name != "script":
            return None
        return "".join(text.data for text in element.texts)

    def parsed_by(self, element: Element, moment: Moment) -> bool:
        """Tell whether an element is in the page at a moment."""
        return moment[0] > PARSING or element.place < moment[1]

    def moment_of(self, script: Script) -> Moment:
        """Return when a script runs."""
        return script_moment(script)

    @cached_property
    def mounts(self) -> list[Any]:
        """Every ``new QUI(...)`` of the page; see :mod:`generator.reports.mounts`."""
        from generator.reports.mounts import find_mounts

        return find_mounts(self)

    @cached_property
    def charts(self) -> list[Any]:
        """Every ``T.init(...)`` of the page; see :mod:`generator.reports.charts`."""
        from generator.reports.charts import find_charts

        return find_charts(self)


def _parse(script: Script) -> Any:
    if script.kind in {"json", "importmap"}:
        return parse_json(script.text)
    if script.kind != "handler":
        return parse(script.text, module=script.module)
    tree = parse(_HANDLER_HEAD + script.text + _HANDLER_TAIL, module=False)
    if isinstance(tree, Failure):
        index = min(max(0, tree.index - len(_HANDLER_HEAD)), len(script.text))
        # What is wrong with the brace that closes our function is that the text ended before.
        ended = index == len(script.text) and not tree.too_deep
        return Failure("Unexpected end of input" if ended else tree.message, index, tree.too_deep)
    if len(tree.body) != 1 or tree.body[0].expression.type != "FunctionExpression":
        return Failure("Unexpected token }", 0)
    return tree
