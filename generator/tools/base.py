"""What a tool is: an argument model, a handler, a structured result, a text rendering."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Generic, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    SerializerFunctionWrapHandler,
    ValidationError,
    WithJsonSchema,
    model_serializer,
)

from generator.echo import shown
from generator.exceptions import ArgumentsError, FieldguideError
from generator.expectations import expectation, seen
from generator.questions import first_for
from generator.workspace import Workspace


class Arguments(BaseModel):
    """Base of every argument model: unknown arguments are refused by name."""

    # Built on first use: a door that loads a module rarely needs all of its models.
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class Result(BaseModel):
    """Base of every structured result."""

    model_config = ConfigDict(extra="forbid", defer_build=True)


def _one_as_many(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


OneOrMany = Annotated[
    list[str],
    BeforeValidator(_one_as_many),
    WithJsonSchema({"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "string"}]}),
]
"""A list of texts that a caller may also give as one text."""


class ModeResult(Result):
    """Base of results whose shape depends on the mode: only the fields that were set are given."""

    @model_serializer(mode="wrap")
    def _only_set(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        given = handler(self)
        return {name: given[name] for name in given if name in self.model_fields_set}

    @classmethod
    def model_json_schema(cls, *arguments: Any, **options: Any) -> dict[str, Any]:
        """Return the schema with every field described and none required, for both directions."""
        return super().model_json_schema(*arguments, **{**options, "mode": "validation"})


ArgumentsT = TypeVar("ArgumentsT", bound=Arguments)
ResultT = TypeVar("ResultT", bound=Result)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool(Generic[ArgumentsT, ResultT]):
    """One tool, as every door needs it.

    Attributes:
        name: The name agents call.
        group: ``guides``, ``reports``, ``history``, ``errors``, ``knowledge`` or ``catalog``.
        what: One line: what it does.
        when: One line: when to call it.
        precondition: One line: what must be true or done before.
        arguments: Model of the arguments; field descriptions and limits stand there.
        result: Model of the structured result.
        handler: Does the work.
        render: Turns the result into the text an agent reads.
        read_only: It changes nothing.
        idempotent: Calling it twice is calling it once.
        destructive: It may remove or replace what was there.
        system: A book-keeping tool, listed only on request.
        mcp: Exposed to MCP clients.
        seed: The seed document it comes from: ``agenvoy``, ``wolffish``, ``memory`` or ``ours``.
        example: Arguments of a call that makes sense, for documentation and tests.
    """

    name: str
    group: str
    what: str
    when: str
    precondition: str
    arguments: type[ArgumentsT]
    result: type[ResultT]
    handler: Callable[[ArgumentsT, Workspace], ResultT]
    render: Callable[[ResultT], str]
    read_only: bool
    idempotent: bool
    destructive: bool = False
    system: bool = False
    mcp: bool = True
    seed: str = "ours"
    example: Mapping[str, Any]

    @property
    def description(self) -> str:
        """The three lines that MCP clients and the catalog show: what, when, precondition.

        Where several tools could answer, the second says for which questions this one is first.
        """
        first = first_for(self.name)
        when = f"{self.when} First for: {first}." if first else self.when
        return f"{self.what}\n{when}\n{self.precondition}"

    def parse(self, raw: Mapping[str, Any]) -> ArgumentsT:
        """Judge raw arguments.

        Args:
            raw: The arguments as a mapping of names to JSON values.

        Raises:
            ArgumentsError: They do not fit; every problem is named in our words.
        """
        try:
            return self.arguments.model_validate(raw)
        except ValidationError as error:
            names = [field.alias or name for name, field in self.arguments.model_fields.items()]
            problems = [_word_problem(item, names) for item in error.errors(include_url=False)]
            raise ArgumentsError(self.name, problems, names) from error

    def call(self, raw: Mapping[str, Any], workspace: Workspace) -> ResultT:
        """Judge the arguments and do the work.

        Raises:
            ArgumentsError: The arguments do not fit.
            FieldguideError: The work could not be done.
        """
        return self.handler(self.parse(raw), workspace)

    def failure_text(self, error: FieldguideError) -> str:
        """Word a failure of this tool for an agent; the last line says what to do.

        Args:
            error: What :meth:`call` raised.
        """
        default = f"look for a known fix with error_history(tool_name={self.name!r})"
        advice = " ".join((error.hint or default).split())
        return f"{error.message}\nnext: {advice}"


def _word_problem(item: Any, known: list[str]) -> tuple[str, str]:
    """Word one of pydantic's error items: the argument, and a clause of ours."""
    from difflib import get_close_matches

    name = shown(".".join(str(part) for part in item["loc"]) or "the arguments")
    kind = item["type"]
    if kind == "missing":
        return name, "is required"
    if kind == "extra_forbidden":
        close = get_close_matches(name, known, n=1)
        hint = f" (did you mean {close[0]}?)" if close else ""
        return name, f"is not an argument{hint}"
    told = "" if item["input"] in ("", [], {}) else f" (got {seen(item)})"
    return name, f"{expectation(item)}{told}"
