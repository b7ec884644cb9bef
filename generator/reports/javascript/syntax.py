"""JavaScript to syntax trees. The only importer of ``esprima``.

The parser recurses, and Python's default limit would reject 82 nested arrays that every browser
takes. So it runs in a thread of its own with a large stack and a limit of 20,000; what is nested
deeper still is told apart from a syntax error. Trees are walked with loops, never by recursion.
"""

from __future__ import annotations

import contextlib
import json
import re
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

RECURSION_LIMIT = 20_000
_STACK_BYTES = 256 * 1024 * 1024
_LINE_PREFIX = re.compile(r"^Line \d+: ")

Node = Any
ResultT = TypeVar("ResultT")

#: The fields that hold child nodes, by node type, in source order.
_CHILDREN: dict[str, tuple[str, ...]] = {
    "ArrayExpression": ("elements",),
    "ArrayPattern": ("elements",),
    "ArrowFunctionExpression": ("params", "body"),
    "AssignmentExpression": ("left", "right"),
    "AssignmentPattern": ("left", "right"),
    "AwaitExpression": ("argument",),
    "BinaryExpression": ("left", "right"),
    "BlockStatement": ("body",),
    "CallExpression": ("callee", "arguments"),
    "CatchClause": ("param", "body"),
    "ChainExpression": ("expression",),
    "ClassBody": ("body",),
    "ClassDeclaration": ("id", "superClass", "body"),
    "ClassExpression": ("id", "superClass", "body"),
    "ConditionalExpression": ("test", "consequent", "alternate"),
    "DoWhileStatement": ("body", "test"),
    "ExportDefaultDeclaration": ("declaration",),
    "ExportNamedDeclaration": ("declaration", "specifiers"),
    "ExportSpecifier": ("local",),
    "ExpressionStatement": ("expression",),
    "ForInStatement": ("left", "right", "body"),
    "ForOfStatement": ("left", "right", "body"),
    "ForStatement": ("init", "test", "update", "body"),
    "FunctionDeclaration": ("id", "params", "body"),
    "FunctionExpression": ("id", "params", "body"),
    "IfStatement": ("test", "consequent", "alternate"),
    "ImportDeclaration": ("specifiers",),
    "ImportDefaultSpecifier": ("local",),
    "ImportExpression": ("source", "options"),
    "ImportNamespaceSpecifier": ("local",),
    "ImportSpecifier": ("local",),
    "LabeledStatement": ("body",),
    "LogicalExpression": ("left", "right"),
    "MemberExpression": ("object", "property"),
    "MethodDefinition": ("key", "value"),
    "NewExpression": ("callee", "arguments"),
    "ObjectExpression": ("properties",),
    "ObjectPattern": ("properties",),
    "Program": ("body",),
    "Property": ("key", "value"),
    "PropertyDefinition": ("key", "value"),
    "RestElement": ("argument",),
    "ReturnStatement": ("argument",),
    "SequenceExpression": ("expressions",),
    "SpreadElement": ("argument",),
    "StaticBlock": ("body",),
    "SwitchCase": ("test", "consequent"),
    "SwitchStatement": ("discriminant", "cases"),
    "TaggedTemplateExpression": ("tag", "quasi"),
    "TemplateLiteral": ("quasis", "expressions"),
    "ThrowStatement": ("argument",),
    "TryStatement": ("block", "handler", "finalizer"),
    "UnaryExpression": ("argument",),
    "UpdateExpression": ("argument",),
    "VariableDeclaration": ("declarations",),
    "VariableDeclarator": ("id", "init"),
    "WhileStatement": ("test", "body"),
    "WithStatement": ("object", "body"),
    "YieldExpression": ("argument",),
}


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a script or a JSON block does not parse.

    Attributes:
        message: What is wrong, without place.
        index: Character of the text at which it was seen.
        too_deep: It may well be valid, but is nested deeper than can be judged.
    """

    message: str
    index: int
    too_deep: bool = False


def children(node: Node) -> Iterator[Node]:
    """Yield the child nodes of a node, in source order."""
    for name in _CHILDREN.get(node.type, ()):
        value = getattr(node, name)
        if value is None:
            continue
        if isinstance(value, list):
            for item in value:
                if item is not None:
                    yield item
        else:
            yield value


class _Deep:
    """Runs a function in a thread that may recurse deeply.

    The recursion limit belongs to the whole interpreter, so it is raised while any such thread
    runs and put back by the last.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running = 0
        self._before = 0

    def run(self, function: Callable[[], ResultT]) -> ResultT:
        results: list[ResultT] = []
        errors: list[BaseException] = []

        def call() -> None:
            try:
                results.append(function())
            except BaseException as error:
                errors.append(error)

        with self._lock:
            if self._running == 0:
                self._before = sys.getrecursionlimit()
                sys.setrecursionlimit(max(RECURSION_LIMIT, self._before))
            self._running += 1
            size = threading.stack_size()
            with contextlib.suppress(ValueError):
                threading.stack_size(_STACK_BYTES)
            thread = threading.Thread(target=call, name="deep-parse", daemon=True)
            thread.start()
            threading.stack_size(size)
        thread.join()
        with self._lock:
            self._running -= 1
            if self._running == 0:
                sys.setrecursionlimit(self._before)
        if errors:
            raise errors[0]
        return results[0]


_DEEP = _Deep()


def deeply(function: Callable[[], ResultT]) -> ResultT:
    """Run a function in a thread with a large stack and a high recursion limit.

    Args:
        function: Takes nothing; what it returns or raises is handed on.
    """
    return _DEEP.run(function)


def parse(text: str, *, module: bool) -> Node | Failure:
    """Parse a script; call it through :func:`deeply`.

    Args:
        text: The script.
        module: By the rules of modules (strict, import, export, top-level await).

    Returns:
        The ``Program`` node with ranges, or why there is none.
    """
    import esprima

    options = {"range": True, "sourceType": "module" if module else "script"}
    try:
        return esprima.parse(text, options)
    except esprima.Error as error:
        message = _LINE_PREFIX.sub("", str(error.message or error))
        index = min(error.index or 0, len(text))
        return Failure(message, index, too_deep="resource limit" in message)
    except RecursionError:
        return Failure("nested too deep", 0, too_deep=True)
    except (ValueError, OverflowError, AttributeError, TypeError, IndexError, KeyError) as error:
        # The parser itself stumbled. That is its fault, not the page's, and it is told as such.
        return Failure(f"the parser gave up ({type(error).__name__})", 0, too_deep=True)


def parse_json(text: str) -> Failure | None:
    """Judge JSON as ``JSON.parse`` does; call it through :func:`deeply`.

    Returns:
        None when it parses, else why it does not. ``NaN`` and ``Infinity`` are refused.
    """

    def refuse(word: str) -> Any:
        raise ValueError(word)

    try:
        # Numbers become floats: Python refuses long integers that browsers take. Objects are not
        # kept: only whether the text parses is asked.
        json.loads(text, parse_constant=refuse, parse_int=float, object_pairs_hook=_forget)
    except json.JSONDecodeError as error:
        return Failure(error.msg, error.pos)
    except RecursionError:
        return Failure("nested too deep", 0, too_deep=True)
    except ValueError as error:
        word = str(error)
        matched = re.search(rf"(?<![\w\"]){re.escape(word)}(?![\w\"])", text)
        return Failure(f"{word} is no JSON value", matched.start() if matched else 0)
    return None


def _forget(pairs: list[tuple[str, Any]]) -> None:
    del pairs
