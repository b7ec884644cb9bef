"""The Jinja environments: a sandboxed, metered one for guides, an escaping one for pages.

A guide may come from anywhere, so its template reaches nothing but the limits, the table of
questions, the loop it is in and the shared macros: no attribute of any other object, no method, no file outside
``templates/guides``. Every loop step and call is metered and every text bounded, so that no
guide can hang or fill the memory; the meter counts steps, not seconds, so the verdict is the
same on every machine.
"""

from __future__ import annotations

import contextvars
import re
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateError, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.environment import TemplateModule
from jinja2.exceptions import (
    SecurityError,
    TemplateNotFound,
    TemplateSyntaxError,
    UndefinedError,
)
from jinja2.runtime import Context, LoopContext
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace
from markupsafe import Markup, escape

from generator import limits
from generator.exceptions import TemplateRenderError

_FILTERS = (
    "capitalize", "count", "d", "default", "first", "int", "last", "length", "list", "lower",
    "reverse", "round", "sort", "string", "title", "trim", "unique", "upper",
)  # fmt: skip
_TESTS = ("defined", "divisibleby", "even", "in", "none", "number", "odd", "string", "undefined")
_GLOBALS = ("namespace",)
_LEAVES = (LoopContext, Namespace, TemplateModule)
PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
"""A name in a text of the interface that a value takes the place of."""


_TOO_LONG = f"its text grows past {limits.TEMPLATE_CHARACTERS_MAX:,} characters"


@dataclass(slots=True)
class _Meter:
    """What one render may still spend: steps, and characters written at any depth."""

    steps: int = limits.TEMPLATE_STEPS_MAX
    characters: int = 10 * limits.TEMPLATE_CHARACTERS_MAX

    def step(self) -> None:
        self.steps -= 1
        if self.steps < 0:
            raise SecurityError(
                f"it takes more than {limits.TEMPLATE_STEPS_MAX:,} loop steps and calls"
            )

    def write(self, characters: int) -> None:
        self.characters -= characters
        if self.characters < 0:
            raise SecurityError(_TOO_LONG)


_meter: contextvars.ContextVar[_Meter] = contextvars.ContextVar("meter")


def _metered(iterable: Iterable[Any], characters: int = 0) -> Iterator[Any]:
    """Count every step of a loop, and the plain characters its body writes each time."""
    meter = _meter.get()
    for item in iterable:
        meter.step()
        meter.write(characters)
        yield item


def _counted(value: Any) -> Any:
    """Count the characters of a value that is written out."""
    text = value if isinstance(value, str) else str(value)
    _meter.get().write(len(text))
    return text


def _check_length(length: int) -> None:
    if length > limits.TEMPLATE_CHARACTERS_MAX:
        raise SecurityError(_TOO_LONG)


def _bounded(value: Any) -> Any:
    """Refuse a value that grew past what a guide can need."""
    if isinstance(value, str | list | tuple):
        _check_length(len(value))
    return value


def _range(*arguments: int) -> range:
    counted = range(*arguments)
    if len(counted) > limits.TEMPLATE_STEPS_MAX:
        raise SecurityError(f"a range is longer than {limits.TEMPLATE_STEPS_MAX:,}")
    return counted


def _join(values: Iterable[Any], separator: str = "") -> str:
    """Join texts, adding up the length before anything is built."""
    parts = [str(value) for value in _metered(values)]
    _check_length(sum(map(len, parts)) + len(separator) * max(len(parts) - 1, 0))
    return separator.join(parts)


class _BoundedCode(CodeGenerator):
    """Compiles ``a ~ b`` to a call that can refuse."""

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:  # noqa: N802 - Jinja's name
        self.write("environment.concatenate((")
        for part in node.nodes:
            self.visit(part, frame)
            self.write(", ")
        self.write("))")


class GuideEnvironment(ImmutableSandboxedEnvironment):
    """The environment in which guides are compiled."""

    code_generator_class = _BoundedCode
    intercepted_binops = frozenset({"+", "*", "**", "%"})

    def __init__(self, partials: Path) -> None:
        super().__init__(
            loader=FileSystemLoader(partials, followlinks=False),
            undefined=StrictUndefined,
            keep_trailing_newline=True,
            trim_blocks=True,
            lstrip_blocks=True,
            optimized=False,  # constants are computed under the meter like everything else
            autoescape=False,  # the output is Markdown
            finalize=_counted,
        )
        self.filters = {name: self.filters[name] for name in _FILTERS}
        self.filters |= {"join": _join, "metered": _metered}
        self.tests = {name: self.tests[name] for name in _TESTS}
        self.globals = {name: self.globals[name] for name in _GLOBALS} | {"range": _range}

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        """Parse, then put the meter on every loop."""
        tree = super()._parse(source, name, filename)
        for loop in tree.find_all(nodes.For):
            plain = sum(len(data.data) for data in loop.find_all(nodes.TemplateData))
            loop.iter = nodes.Filter(
                loop.iter, "metered", [nodes.Const(plain)], [], None, None, lineno=loop.lineno
            )
        return tree

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Give items of mappings and the attributes of loops, namespaces and macros only."""
        return self.getitem(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """As :meth:`getattr`; positions of lists and texts as well."""
        if isinstance(obj, Mapping) or (isinstance(argument, int) and hasattr(obj, "__getitem__")):
            try:
                return obj[argument]
            except LookupError:
                return self.undefined(obj=obj, name=argument)
        if isinstance(obj, _LEAVES) and isinstance(argument, str):
            return super().getattr(obj, argument)
        if isinstance(obj, StrictUndefined):
            str(obj)  # raises, naming what is undefined
        return self.unsafe_undefined(obj, str(argument))

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Compute with numbers, join texts and lists; nothing that grows without bound."""
        numbers = isinstance(left, int | float) and isinstance(right, int | float)
        if operator == "+" and not numbers:
            return _bounded(super().call_binop(context, operator, left, right))
        if not numbers or operator == "**" or abs(left) > 1e15 or abs(right) > 1e15:
            raise SecurityError(f"'{operator}' is for numbers up to 10^15 here")
        return super().call_binop(context, operator, left, right)

    def call(self, context: Context, obj: Any, *args: Any, **kwargs: Any) -> Any:
        """Count the call, then make it."""
        _meter.get().step()
        return _bounded(super().call(context, obj, *args, **kwargs))

    def concatenate(self, parts: tuple[Any, ...]) -> str:
        """Compute ``a ~ b``, bounded."""
        texts = [str(part) for part in parts]
        _check_length(sum(map(len, texts)))
        return "".join(texts)


GUIDE_NAME = "<guide>"  # the name a guide's own template has in tracebacks


@cache
def guide_environment(partials: Path) -> GuideEnvironment:
    """Return the environment of one folder of shared passages, made once."""
    return GuideEnvironment(partials)


def has_marks(source: str) -> bool:
    """Tell whether a text holds anything for Jinja to do."""
    return "{{" in source or "{%" in source or "{#" in source


def render_guide(
    source: str, *, context: Mapping[str, Any], partials: Path, path: Path, first_line: int
) -> str:
    """Compile the body of a guide to Markdown.

    Args:
        source: The body, a Jinja template.
        context: The names it may use.
        partials: Folder of the shared macros and includes.
        path: The file it came from, for messages.
        first_line: Line of that file the body starts at.

    Returns:
        The Markdown.

    Raises:
        TemplateRenderError: A name is undefined, the syntax is wrong, or the template asks for
            what the sandbox refuses; the message names file and line.
    """
    if not has_marks(source):
        return source  # nothing for Jinja to do
    try:
        return run_template(guide_environment(partials), source, context)
    except Exception as error:
        raise located(error, path=path, partials=partials, first_line=first_line) from error


def run_template(environment: GuideEnvironment, source: str, context: Mapping[str, Any]) -> str:
    """Compile and run one template, metered.

    Raises:
        Exception: Whatever Jinja or the template raised; :func:`located` words it.
    """
    _meter.set(_Meter())
    pieces: list[str] = []
    size = 0
    code = environment.compile(source, GUIDE_NAME, GUIDE_NAME)
    template = environment.template_class.from_code(environment, code, {**environment.globals})
    for piece in template.generate(**context):
        pieces.append(piece)
        size += len(piece)
        _check_length(size)
    text = "".join(pieces)
    text.encode()  # a template can write half a character, which no file can hold
    return text


def located(
    error: Exception, *, path: Path, partials: Path, first_line: int
) -> TemplateRenderError:
    """Word what Jinja raised, at the line of the guide or of the shared passage.

    Args:
        error: What was raised.
        path: The file of the guide.
        partials: Folder of the shared macros and includes.
        first_line: Line of the guide's file its body starts at.
    """
    line, partial = None, ""
    if isinstance(error, TemplateSyntaxError):
        line = error.lineno
        partial = error.name if error.name and error.name != GUIDE_NAME else ""
    if line is None:
        frames = [
            frame
            for frame in traceback.extract_tb(error.__traceback__)
            if frame.filename == GUIDE_NAME
        ]
        line = frames[-1].lineno if frames else 1
    line = (line or 1) + (0 if partial else first_line - 1)
    reason = str(getattr(error, "message", None) or error).rstrip(".")
    if isinstance(error, RecursionError):
        reason, hint = "it nests or calls itself too deep", "Write it without the recursion."
    elif isinstance(error, UnicodeError):
        reason, hint = "it writes half of a character pair", "Write the character itself."
    elif isinstance(error, TemplateNotFound):
        reason = f"there is no shared passage {error.name!r}"
        hint = "Guides include only files of templates/guides."
    elif isinstance(error, SecurityError):
        hint = (
            "A guide may use the limits, the questions, loops, and the macros of templates/guides."
        )
    elif isinstance(error, UndefinedError):
        hint = "Use a name that exists, or wrap literal braces in {% raw %} ... {% endraw %}."
    elif isinstance(error, TemplateError):
        hint = "Correct the template, or wrap literal braces in {% raw %} ... {% endraw %}."
    else:
        hint = "Correct the expression."
    where = partials / partial if partial else path
    return TemplateRenderError(
        f"{where}, line {line}: {reason}.", hint=hint, reason=reason, partial=partial, line=line
    )


@cache
def page_environment(folder: Path) -> Environment:
    """Return the environment that pages of the site are rendered in: strict and escaping.

    Args:
        folder: The ``templates`` folder.
    """
    environment = Environment(
        loader=FileSystemLoader(folder),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["code_spans"] = code_spans
    environment.filters["fill"] = _filled
    environment.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "sort_keys": True}
    return environment


@lru_cache(maxsize=20_000)  # the same numbers are said again on each rebuild
def _holds(expression: str, number: int) -> bool:
    return bool(_condition(expression)(n=number))


@cache
def _condition(expression: str) -> Callable[..., Any]:
    environment = ImmutableSandboxedEnvironment(undefined=StrictUndefined)
    return environment.compile_expression(expression, undefined_to_none=False)


def condition(expression: str, number: int) -> bool:
    """Tell whether a rule holds for a number, ``n`` in it: ``n % 10 == 1 and n % 100 != 11``.

    Raises:
        TemplateRenderError: It is no expression, or asks for what there is not.
    """
    try:
        return _holds(expression, number)
    except Exception as error:
        reason = str(getattr(error, "message", None) or error).rstrip(".")
        raise TemplateRenderError(
            f"The rule {expression!r} does not work: {reason}.",
            hint="Write a condition on n, such as n == 1.",
            reason=reason,
        ) from error


def _filled(text: str, /, **values: object) -> Markup:
    """Escape a text, set its code, and put values in the place of the names between braces."""
    return Markup(  # noqa: S704 - every part is escaped
        PLACEHOLDER.sub(lambda match: str(escape(values[match[1]])), str(code_spans(text)))
    )


def code_spans(text: str) -> Markup:
    """Escape one line of text, and set what stands between backticks as code."""
    pieces = re.split(r"`([^`]+)`", text)
    return Markup("").join(
        Markup("<code>{}</code>").format(piece) if at % 2 else escape(piece)
        for at, piece in enumerate(pieces)
    )
