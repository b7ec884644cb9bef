"""Works out what expressions may be: constants, aliases, loops over literals, wrappers.

Follows constants, template literals, concatenation, aliases (``const d = document``), bracket
access, destructuring, ``Object.assign`` onto literals, loops and ``forEach`` over literal arrays,
and parameters of functions whose every call is in the page. The work is bounded: each expression
is worked out once where no arguments matter, nesting past a depth and work past a budget are
unknown.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from collections.abc import Sequence as Items
from itertools import product
from typing import Any

from generator.reports.javascript.calls import call_native, iterated
from generator.reports.javascript.flow import reaching
from generator.reports.javascript.scopes import REST, WINDOW_NAMES, Binding, Scope, Write
from generator.reports.javascript.strings import LONGEST, string_method
from generator.reports.javascript.syntax import Node
from generator.reports.javascript.values import (
    NOTHING,
    UNDEFINED,
    UNKNOWN,
    Class,
    ElementOf,
    Function,
    Imported,
    Known,
    Made,
    Method,
    Native,
    Record,
    Sequence,
    Setter,
    Text,
    Thunk,
    Unknown,
    Value,
    Values,
    is_text,
    known_texts,
    text_of,
)

#: More possibilities than this count as unknown.
MOST = 24
_DEEPEST = 60
#: Steps that one question may cost, and all questions of a page together.
_BUDGET = 20_000
#: Shift of a call that hands on what a promise gives; see :func:`call_sites`.
_SETTLED = -2
_PAGE_BUDGET = 1_000_000

Env = dict[Any, Values] | None

#: Functions of arrays that hand each item to the function they are given.
EACH = frozenset(
    {"forEach", "map", "filter", "some", "every", "find", "findIndex", "findLast", "flatMap"}
)
#: Methods that take markup, whatever they are taken from.
MARKUP_METHODS = frozenset(
    {
        "insertAdjacentHTML",
        "createContextualFragment",
        "setHTMLUnsafe",
        "setHTML",
        "parseHTMLUnsafe",
    }
)
#: Calls that change nothing of what they are given.
_PURE = frozenset({"console", "JSON", "structuredClone", "Number", "String", "Math", "isNaN"})
_PURE_METHODS = frozenset({"keys", "values", "entries", "freeze", "isArray", "stringify"})
#: ``new`` of these gives, for what is asked here, what it is given.
_TRANSPARENT = frozenset({("Set",), ("Map",), ("Proxy",), ("String",)})
_DOCUMENTS = frozenset({"document", "ownerDocument", "contentDocument"})
_WINDOWS = frozenset({"contentWindow", "defaultView"})
#: Parts of an element that hold plain text under names of the page's choosing.
_PLAIN_PARTS = frozenset({"dataset", "style"})
#: Constructors of the language: their own constructor compiles text.
CONSTRUCTORS = frozenset(
    (name,)
    for name in ("Array", "Boolean", "Date", "Function", "Map", "Number", "Object", "Set", "String")
)


class Evaluator:
    """Works out the possible values of expressions of one page.

    Args:
        page_scope: The scope that classic scripts share.
        element_text: Returns the text of the page's element of an id, None when unknown; data
            blocks are read through it.
    """

    def __init__(
        self,
        page_scope: Scope,
        element_text: Callable[[str], str | None] = lambda _: None,
    ) -> None:
        self.page_scope = page_scope
        self.element_text = element_text
        self._memo: dict[int, Values] = {}
        self._bindings: dict[tuple[int, ...], Values] = {}
        self._busy: set[int] = set()
        self._depth = 0
        self._budget = _BUDGET
        self._left = _PAGE_BUDGET
        self._cuts = 0

    def values(self, node: Node | None, env: Env = None) -> Values:
        """Return what an expression may be.

        Args:
            node: The expression; None counts as undefined.
            env: Known arguments of the functions around it, by binding.
        """
        if node is None:
            return (Known(UNDEFINED),)
        key = id(node)
        if not env:
            cached = self._memo.get(key)
            if cached is not None:
                return cached
        if not self._busy:
            self._budget = min(_BUDGET, self._left)
        self._budget -= 1
        self._left -= 1
        if key in self._busy or self._depth > _DEEPEST or self._budget < 0:
            self._cuts += 1
            return NOTHING
        self._busy.add(key)
        cuts = self._cuts
        self._depth += 1
        try:
            method = _EXPRESSIONS.get(node.type)
            result = bounded(method(self, node, env)) if method is not None else NOTHING
        finally:
            self._depth -= 1
            self._busy.discard(key)
        # What was cut short inside a larger question may be known when asked on its own.
        if not env and (self._cuts == cuts or not self._busy):
            self._memo[key] = result
        return result

    def texts(self, node: Node | None, env: Env = None) -> list[str]:
        """Return the known strings an expression may be, without repeats."""
        return list(dict.fromkeys(known_texts(self.values(node, env))))

    def key(self, member: Node, env: Env = None) -> tuple[list[str], bool]:
        """Return the property names a member expression may mean, and whether all are known."""
        if not member.computed:
            return [member.property.name], member.property.type == "Identifier"
        values = self.values(member.property, env)
        names = [name for name in map(text_of, values) if name is not None]
        return list(dict.fromkeys(names)), len(names) == len(values)

    # Names.

    def _identifier(self, node: Node, env: Env) -> Values:
        binding: Binding | None = node.binding
        if binding is None:
            return _global(node.name)
        if env and binding in env:
            return env[binding]
        return self.binding(binding, env, reaching(node, binding))

    def binding(
        self, binding: Binding, env: Env = None, writes: Items[Write] | None = None
    ) -> Values:
        """Return what a name may mean: anywhere in its scope, or after the given writes to it."""
        writes = binding.writes if writes is None else writes
        if env:
            return self._bound(binding, env, writes)
        # Every use asks again: without this a name with many uses and writes costs their product.
        key = (id(binding), *map(id, writes)) if writes is not binding.writes else (id(binding),)
        cached = self._bindings.get(key)
        if cached is not None:
            return cached
        cuts = self._cuts
        found = bounded(self._bound(binding, env, writes))
        if self._cuts == cuts:
            self._bindings[key] = found
        return found

    def _bound(self, binding: Binding, env: Env, writes: Items[Write]) -> Values:
        found: list[Value] = []
        for write in writes:
            found.extend(self.write(write, env))
        if binding.kind == "implicit" and not found:
            found.append(UNKNOWN)
        if not binding.writes and binding.kind != "implicit":
            found.append(Known(UNDEFINED))
        if binding.changes:
            found = [self._changed(value, binding, env) for value in found]
        if any(isinstance(value, Record) for value in found) and _escapes(binding):
            # A function that is given an object may add to it.
            found = [
                Record(value.props, open=True, node=value.node)
                if isinstance(value, Record)
                else value
                for value in found
            ]
        pushed = _pushed(binding)
        if pushed:
            found = [self._grown(value, pushed, env) for value in found]
        return tuple(found)

    def write(self, write: Write, env: Env = None) -> Values:
        """Return what one write gives."""
        kind = write.kind
        if kind == "value":
            base = self.values(write.node, env)
        elif kind == "each":
            base = self._each(write.node, env)
        elif kind == "keys":
            base = self._keys(write.node, env)
        elif kind == "param":
            base = self._parameter(write.node, write.index)
        elif kind == "function":
            return (Function(write.node, env),)
        elif kind == "class":
            return (Class(write.node),)
        elif kind == "import":
            return (_import(write.node),)
        elif kind == "compound":
            return self._compound(write.node, env)
        else:
            return NOTHING
        for step in write.path:
            base = self._step(base, step, env)
        if write.default is not None and any(
            isinstance(value, Unknown) or value == Known(UNDEFINED) for value in base
        ):
            kept = tuple(value for value in base if value != Known(UNDEFINED))
            base = kept + self.values(write.default, env)
        return base

    def _step(self, base: Values, step: Any, env: Env) -> Values:
        if step is REST:
            return NOTHING
        if isinstance(step, int):
            return self._get_all(base, str(step))
        if isinstance(step, str):
            return self._get_all(base, step)
        found: list[Value] = []
        for key in self.values(step, env):
            name = text_of(key)
            found.extend(NOTHING if name is None else self._get_all(base, name))
        return tuple(found)

    def _each(self, node: Node, env: Env) -> Values:
        found: list[Value] = []
        for value in self.values(node, env):
            found.extend(iterated(self, value))
        return tuple(found)

    def _keys(self, node: Node, env: Env) -> Values:
        found: list[Value] = []
        for value in self.values(node, env):
            if isinstance(value, Record):
                found.extend(Known(name) for name in value.props)
                if value.open:
                    found.append(UNKNOWN)
            else:
                found.append(UNKNOWN)
        return tuple(found)

    def _compound(self, node: Node, env: Env) -> Values:
        if node.operator != "+=":
            return NOTHING
        left = self.values(node.left, env) if node.left.type == "Identifier" else NOTHING
        right = self.values(node.right, env)
        if any(is_text(value) for value in (*left, *right)):
            return _joined([left, right])
        return NOTHING

    def _parameter(self, function: Node, index: int) -> Values:
        """Return what a parameter may be, from every call of its function in the page."""
        calls, escapes = call_sites(self, function)
        found: list[Value] = []
        for site, shift in calls:
            found.extend(self._argument(site, index, shift))
        if escapes or not found:
            found.append(UNKNOWN)
        return tuple(found)

    def _argument(self, site: Node, index: int, shift: int) -> Values:
        """Return argument ``index`` of a call; see :func:`call_sites` for ``shift``."""
        if shift == _SETTLED:
            promised = self.values(site.callee.object) if index == 0 else NOTHING
            return tuple(value if isinstance(value, Imported) else UNKNOWN for value in promised)
        if shift >= 0:
            arguments = site.arguments[shift:]
            if any(item.type == "SpreadElement" for item in arguments[: index + 1]):
                return NOTHING
            return self.values(arguments[index]) if index < len(arguments) else (Known(UNDEFINED),)
        return self._each(site.callee.object, None) if index == 0 else NOTHING

    # Properties.

    def _member(self, node: Node, env: Env) -> Values:
        base = self.values(node.object, env)
        names, all_known = self.key(node, env)
        found: list[Value] = []
        for name in names:
            found.extend(self._get_all(base, name))
        if not all_known:
            for value in base:
                found.extend(_anything_in(value))
        return tuple(found) if found else NOTHING

    def _get_all(self, base: Values, name: str) -> Values:
        found: list[Value] = []
        for value in base:
            found.extend(self.get(value, name))
        return tuple(found)

    def get(self, value: Value, name: str) -> Values:
        """Return a property of a value."""
        if isinstance(value, Native):
            if value.path == ("window",):
                bound = self.page_scope.names.get(name)
                if bound is not None and bound.writes:
                    return self.binding(bound)
                return _global(name)
            if name in _DOCUMENTS and value.path != ("document",):
                return (Native(("document",)),)
            if value.path == ("document",) and name in _WINDOWS:
                return (Native(("window",)),)
            if value.path == ("document",) and name in {"body", "head", "documentElement"}:
                return (ElementOf("some", name),)
            if name in MARKUP_METHODS:
                return (Method(value, name),)
            if name == "constructor" and value.path in CONSTRUCTORS:
                return (Native(("Function",)),)
            return (Native((*value.path, name)),)
        if isinstance(value, Record):
            thunk = value.props.get(name)
            if thunk is not None:
                return thunk()
            return NOTHING if value.open else (Known(UNDEFINED),)
        if isinstance(value, Sequence):
            return self._item(value, name)
        if isinstance(value, Known) and isinstance(value.value, str):
            if name == "length":
                return (Known(len(value.value)),)
            if name.isdecimal():
                at = int(name)
                return (Known(value.value[at] if at < len(value.value) else UNDEFINED),)
            return (Method(value, name),)
        if isinstance(value, Class):
            static = _static(value, name)
            if static is not None:
                return self.values(static)
        if isinstance(value, Imported):
            return (Imported(value.source, name),) if value.name == "*" else NOTHING
        if isinstance(value, ElementOf) and name == "textContent" and value.how == "id":
            text = self.element_text(value.key)
            return NOTHING if text is None else (Known(text),)
        if name in _DOCUMENTS:
            return (Native(("document",)),)
        if name in _WINDOWS:
            return (Native(("window",)),)
        if name == "constructor" and isinstance(value, Function | Class | Method):
            return (Native(("Function",)),)
        if name in _PLAIN_PARTS and isinstance(value, ElementOf):
            return (Record({}, open=True),)
        if isinstance(value, ElementOf | Text | Function | Made | Method | Setter):
            return (Method(value, name),)
        if name in MARKUP_METHODS:
            return (Method(value, name),)
        return NOTHING

    def _item(self, value: Sequence, name: str) -> Values:
        if name == "length":
            return NOTHING if value.open else (Known(len(value.items)),)
        if name.isdecimal() and len(name) < 9:
            at = int(name)
            if value.open:
                return _anything_in(value)
            return value.items[at]() if at < len(value.items) else (Known(UNDEFINED),)
        return (Method(value, name),)

    def _changed(self, value: Value, binding: Binding, env: Env) -> Value:
        """Add what is later written to the properties of an object that a name holds."""
        if not isinstance(value, Record):
            return value
        added: dict[str, list[Thunk]] = {}
        is_open = value.open
        for member, write in binding.changes:
            if member.computed:
                # Worked out only for literal keys: others would chase their own tail.
                if member.property.type != "Literal":
                    is_open = True
                    continue
                name = str(member.property.value)
            else:
                name = member.property.name
            added.setdefault(name, []).append(self._written(write, env))
        props = dict(value.props)
        for name, thunks in added.items():
            before = props.get(name)
            props[name] = _either([before, *thunks] if before is not None else thunks)
        return Record(props, is_open, value.node)

    def _written(self, write: Write, env: Env) -> Thunk:
        return lambda: self.write(write, env)

    def _grown(self, value: Value, pushed: list[Node], env: Env) -> Value:
        if not isinstance(value, Sequence):
            return value
        added = tuple(self._thunk(node, env) for node in pushed if node.type != "SpreadElement")
        unclear = any(node.type == "SpreadElement" for node in pushed)
        return Sequence(value.items + added, open=True if unclear else value.open)

    # Literals and operators.

    def _literal(self, node: Node, env: Env) -> Values:
        if getattr(node, "regex", None) is not None or (node.raw or "").endswith("n"):
            return NOTHING
        return (Known(node.value),)

    def _template(self, node: Node, env: Env) -> Values:
        pieces: list[Values] = []
        for index, quasi in enumerate(node.quasis):
            pieces.append((Known(quasi.value.cooked or ""),))
            if index < len(node.expressions):
                pieces.append(self.values(node.expressions[index], env))
        return _joined(pieces)

    def _tagged(self, node: Node, env: Env) -> Values:
        if Native(("String", "raw")) in self.values(node.tag, env) and not node.quasi.expressions:
            return (Known(node.quasi.quasis[0].value.raw),)
        return NOTHING

    def _binary(self, node: Node, env: Env) -> Values:
        if node.operator != "+":
            return self._arithmetic(node, env)
        terms: list[Node] = []
        while node.type == "BinaryExpression" and node.operator == "+":
            terms.append(node.right)
            node = node.left
        terms.append(node)
        terms.reverse()
        values = [self.values(term, env) for term in terms]
        if not any(is_text(value) for options in values for value in options):
            numbers = [_number(options) for options in values]
            if all(number is not None for number in numbers):
                return (Known(sum(number for number in numbers if number is not None)),)
            return NOTHING
        return _joined(values)

    def _arithmetic(self, node: Node, env: Env) -> Values:
        left, right = _number(self.values(node.left, env)), _number(self.values(node.right, env))
        if left is None or right is None:
            return NOTHING
        try:
            if node.operator == "-":
                return (Known(left - right),)
            if node.operator == "*":
                return (Known(left * right),)
            if node.operator == "/" and right:
                return (Known(left / right),)
        except OverflowError:
            return NOTHING
        return NOTHING

    def _conditional(self, node: Node, env: Env) -> Values:
        return self.values(node.consequent, env) + self.values(node.alternate, env)

    def _logical(self, node: Node, env: Env) -> Values:
        left = self.values(node.left, env)
        if node.operator == "&&":
            return self.values(node.right, env)
        kept = tuple(
            value
            for value in left
            if not (isinstance(value, Known) and (value.value is None or value.value is UNDEFINED))
            and not (node.operator == "||" and isinstance(value, Known) and not value.value)
        )
        return kept + self.values(node.right, env)

    def _unary(self, node: Node, env: Env) -> Values:
        if node.operator == "void":
            return (Known(UNDEFINED),)
        if node.operator == "-":
            number = _number(self.values(node.argument, env))
            return NOTHING if number is None else (Known(-number),)
        return NOTHING

    def _object(self, node: Node, env: Env) -> Values:
        props: dict[str, Thunk] = {}
        is_open = False
        for item in node.properties:
            if item.type == "SpreadElement":
                for value in self.values(item.argument, env):
                    if isinstance(value, Record):
                        props.update(value.props)
                        is_open = is_open or value.open
                    else:
                        is_open = True
                continue
            names = [_plain_key(item.key)] if not item.computed else self.texts(item.key, env)
            if item.computed and not names:
                is_open = True
            for name in names:
                if item.kind == "get":
                    props[name] = self._got(Function(item.value, env))
                elif item.kind == "set":
                    props.setdefault(name, lambda: NOTHING)
                else:
                    props[name] = self._thunk(item.value, env)
        return (Record(props, is_open, node),)

    def _got(self, getter: Function) -> Thunk:
        return lambda: self._call_function(getter, [])

    def _array(self, node: Node, env: Env) -> Values:
        items: list[Thunk] = []
        is_open = False
        for item in node.elements:
            if item is not None and item.type == "SpreadElement":
                for value in self.values(item.argument, env):
                    if isinstance(value, Sequence):
                        items.extend(value.items)
                        is_open = is_open or value.open
                    elif isinstance(value, Known) and isinstance(value.value, str):
                        items.extend(_constant(char) for char in value.value[: 4 * MOST])
                        is_open = is_open or len(value.value) > 4 * MOST
                    else:
                        is_open = True
            else:
                items.append(self._thunk(item, env))
        return (Sequence(tuple(items), is_open),)

    def _thunk(self, node: Node | None, env: Env) -> Thunk:
        return lambda: self.values(node, env)

    def _function(self, node: Node, env: Env) -> Values:
        return (Function(node, env),)

    def _class(self, node: Node, env: Env) -> Values:
        return (Class(node),)

    # Calls.

    def _call(self, node: Node, env: Env) -> Values:
        found: list[Value] = []
        for callee in self.values(node.callee, env):
            found.extend(self.call(callee, node.arguments, env))
        return tuple(found) if found else NOTHING

    def call(self, callee: Value, arguments: Items[Node], env: Env) -> Values:
        """Return what calling a value may give."""
        if isinstance(callee, Native):
            return call_native(self, callee.path, list(arguments), env)
        if isinstance(callee, Method):
            return self._call_method(callee, arguments, env)
        if isinstance(callee, Function):
            return self._call_function(callee, [self.values(item, env) for item in arguments])
        return NOTHING

    def _call_function(self, callee: Function, arguments: list[Values]) -> Values:
        """Return what a function of the page returns for these arguments."""
        node = callee.node
        if node.isAsync or node.generator:
            return NOTHING
        env = dict(callee.env) if callee.env else {}
        for index, param in enumerate(node.params):
            if param.type == "Identifier":
                env[param.binding] = (
                    arguments[index] if index < len(arguments) else (Known(UNDEFINED),)
                )
        results = [node.body] if node.body.type != "BlockStatement" else node.returns
        found: list[Value] = []
        for result in results:
            found.extend(self.values(result, env))
        return tuple(found) if found else (Known(UNDEFINED),)

    def _call_method(self, method: Method, arguments: Items[Node], env: Env) -> Values:
        base, name = method.base, method.name
        if isinstance(base, Known) and isinstance(base.value, str):
            return _string_call(base.value, name, [self.values(item, env) for item in arguments])
        if isinstance(base, Text):
            return (Text(("", "")),) if name not in {"split", "match", "indexOf"} else NOTHING
        if isinstance(base, Sequence):
            return self._call_on_sequence(base, name, arguments, env)
        if isinstance(base, ElementOf):
            if name in {"querySelector", "closest"} and arguments:
                found = self.texts(arguments[0], env)
                return tuple(ElementOf("selector", text) for text in found) or (ElementOf("some"),)
            if name in {"appendChild", "insertBefore", "cloneNode", "append"}:
                if name == "cloneNode" or not arguments:
                    return (ElementOf("created"),)
                return self.values(arguments[0], env)
            if name in {"getContext"}:
                return NOTHING
            return NOTHING
        if isinstance(base, Function) and name in {"call", "bind"}:
            rest = list(arguments)[1:]
            if name == "bind":
                return (base,) if not rest else NOTHING
            return self.call(base, rest, env)
        return NOTHING

    def _call_on_sequence(
        self, base: Sequence, name: str, arguments: Items[Node], env: Env
    ) -> Values:
        if name == "join":
            separators = self.texts(arguments[0], env) if arguments else [","]
            if not separators or base.open:
                return (Text(("", "")),)
            pieces: list[Values] = []
            for index, item in enumerate(base.items):
                if index:
                    pieces.append((Known(separators[0]),))
                pieces.append(item())
            return _joined(pieces)
        if name == "reverse":
            return (Sequence(base.items[::-1], base.open),)
        if name in {"filter", "sort", "slice", "flat", "toSorted", "toReversed", "values"}:
            return (Sequence(base.items, open=base.open or name != "values"),)
        if name in {"at", "find", "pop", "shift", "findLast"}:
            return _anything_in(base)
        if name == "concat":
            items = list(base.items)
            is_open = base.open
            for argument in arguments:
                for value in self.values(argument, env):
                    if isinstance(value, Sequence):
                        items.extend(value.items)
                        is_open = is_open or value.open
                    else:
                        is_open = True
            return (Sequence(tuple(items), is_open),)
        if name == "map" and arguments:
            return self._mapped(base, self.values(arguments[0], env))
        return NOTHING

    def _mapped(self, base: Sequence, functions: Values) -> Values:
        if len(functions) != 1 or not isinstance(functions[0], Function):
            return (Sequence((), open=True),)
        function = functions[0]

        def of(item: Thunk) -> Thunk:
            return lambda: self._call_function(function, [item(), NOTHING])

        return (Sequence(tuple(of(item) for item in base.items), base.open),)

    def _new(self, node: Node, env: Env) -> Values:
        found: list[Value] = []
        for callee in self.values(node.callee, env):
            if isinstance(callee, Native):
                if callee.path in _TRANSPARENT and node.arguments:
                    found.extend(self.values(node.arguments[0], env))
                else:
                    found.append(Made(callee.path))
            else:
                found.append(UNKNOWN)
        return tuple(found)

    # The rest.

    def _sequence(self, node: Node, env: Env) -> Values:
        return self.values(node.expressions[-1], env)

    def _assignment(self, node: Node, env: Env) -> Values:
        return self.values(node.right, env) if node.operator == "=" else NOTHING

    def _inner(self, node: Node, env: Env) -> Values:
        return self.values(
            node.expression if node.type == "ChainExpression" else node.argument, env
        )

    def _import(self, node: Node, env: Env) -> Values:
        return tuple(Imported(text, "*") for text in self.texts(node.source, env)) or NOTHING

    def _this(self, node: Node, env: Env) -> Values:
        up = node.up
        while up.up is not None:
            if up.type in {"FunctionDeclaration", "FunctionExpression", "ClassBody"}:
                return NOTHING
            up = up.up
        return (Native(("window",)),) if up.sourceType == "script" else (Known(UNDEFINED),)


_EXPRESSIONS: dict[str, Callable[[Evaluator, Node, Env], Values]] = {
    "ArrayExpression": Evaluator._array,
    "ArrowFunctionExpression": Evaluator._function,
    "AssignmentExpression": Evaluator._assignment,
    "AwaitExpression": Evaluator._inner,
    "BinaryExpression": Evaluator._binary,
    "CallExpression": Evaluator._call,
    "ChainExpression": Evaluator._inner,
    "ClassExpression": Evaluator._class,
    "ConditionalExpression": Evaluator._conditional,
    "FunctionExpression": Evaluator._function,
    "FunctionDeclaration": Evaluator._function,
    "Identifier": Evaluator._identifier,
    "ImportExpression": Evaluator._import,
    "Literal": Evaluator._literal,
    "LogicalExpression": Evaluator._logical,
    "MemberExpression": Evaluator._member,
    "NewExpression": Evaluator._new,
    "ObjectExpression": Evaluator._object,
    "SequenceExpression": Evaluator._sequence,
    "TaggedTemplateExpression": Evaluator._tagged,
    "TemplateLiteral": Evaluator._template,
    "ThisExpression": Evaluator._this,
    "UnaryExpression": Evaluator._unary,
}


def bounded(values: Items[Value]) -> Values:
    """Drop repeats; too many possibilities are one unknown."""
    kept: dict[Any, Value] = {}
    for value in values:
        kept.setdefault(value, value)
        if len(kept) > 4 * MOST:
            return (*list(kept.values())[: 4 * MOST], UNKNOWN)
    return tuple(kept.values())


def call_sites(evaluator: Evaluator, function: Node) -> tuple[list[tuple[Node, int]], bool]:
    """Find the calls of a function.

    Returns:
        Pairs of call and shift (how many arguments stand before its own; -1 when the call hands
        it each item of an array, -2 what a promise gives), and whether it also goes where calls
        cannot be seen.
    """
    up = function.up
    uses: list[Node] = []
    if function.type == "FunctionDeclaration":
        uses = list(function.id.binding.refs) if function.id is not None else []
    elif up is not None and up.type == "VariableDeclarator" and up.id.type == "Identifier":
        uses = list(up.id.binding.refs)
    elif up is not None and up.type == "AssignmentExpression" and up.left.type == "Identifier":
        binding = up.left.binding
        uses = [ref for ref in binding.refs if ref is not up.left] if binding else []
    else:
        uses = [function]
    sites: list[tuple[Node, int]] = []
    escapes = False
    for use in uses[:200]:
        site = _site(use)
        if site is None:
            escapes = True
        else:
            sites.append(site)
    return sites, escapes or len(uses) > 200


def _site(use: Node) -> tuple[Node, int] | None:
    call = use.up
    if call is None:
        return None
    if call.type == "CallExpression":
        if call.callee is use:
            return call, 0
        callee = call.callee
        if (
            call.arguments
            and call.arguments[0] is use
            and callee.type == "MemberExpression"
            and not callee.computed
            and callee.property.name in EACH
        ):
            return call, -1
        if (
            call.arguments
            and call.arguments[0] is use
            and callee.type == "MemberExpression"
            and not callee.computed
            and callee.property.name == "then"
        ):
            return call, _SETTLED
    elif call.type == "MemberExpression" and call.object is use and not call.computed:
        outer = call.up
        if (
            call.property.name == "call"
            and outer is not None
            and outer.type == "CallExpression"
            and outer.callee is call
        ):
            return outer, 1
    return None


def _global(name: str) -> Values:
    if name == "undefined":
        return (Known(UNDEFINED),)
    if name in WINDOW_NAMES:
        return (Native(("window",)),)
    return (Native((name,)),)


def _import(specifier: Node) -> Imported:
    source = str(specifier.source)
    if specifier.type == "ImportDefaultSpecifier":
        return Imported(source, "default")
    if specifier.type == "ImportNamespaceSpecifier":
        return Imported(source, "*")
    imported = specifier.imported
    return Imported(source, imported.name if imported.type == "Identifier" else imported.value)


def _anything_in(value: Value) -> Values:
    """Return every item or property of a value."""
    found: list[Value] = []
    if isinstance(value, Sequence):
        for item in value.items[: 4 * MOST]:
            found.extend(item())
        if value.open or len(value.items) > 4 * MOST:
            found.append(UNKNOWN)
        return tuple(found) or (Known(UNDEFINED),)
    if isinstance(value, Record):
        for thunk in list(value.props.values())[: 4 * MOST]:
            found.extend(thunk())
        if value.open or len(value.props) > 4 * MOST:
            found.append(UNKNOWN)
        return tuple(found) or (Known(UNDEFINED),)
    return NOTHING


def _either(thunks: list[Thunk]) -> Thunk:
    def all_of() -> Values:
        found: list[Value] = []
        for thunk in thunks[: 4 * MOST]:
            found.extend(thunk())
        return tuple(found) + (NOTHING if len(thunks) > 4 * MOST else ())

    return all_of


def _static(value: Class, name: str) -> Node | None:
    """Return what a static field of a class is given, None when it has no such field."""
    for item in value.node.body.body:
        if (
            item.type == "PropertyDefinition"
            and item.static
            and not item.computed
            and item.key.type in {"Identifier", "Literal"}
            and _plain_key(item.key) == name
        ):
            found: Node | None = item.value
            return found
    return None


def _plain_key(key: Node) -> str:
    return key.name if key.type == "Identifier" else text_of(Known(key.value)) or ""


def _pushed(binding: Binding) -> list[Node]:
    """Return what is pushed onto the array that a name holds."""
    found: list[Node] = []
    for ref in binding.refs:
        member = ref.up
        if (
            member is not None
            and member.type == "MemberExpression"
            and member.object is ref
            and not member.computed
            and member.property.name in {"push", "unshift"}
            and member.up is not None
            and member.up.type == "CallExpression"
            and member.up.callee is member
        ):
            found.extend(member.up.arguments)
    return found


def _escapes(binding: Binding) -> bool:
    """Tell whether the object that a name holds is given to a call that may change it."""
    for ref in binding.refs:
        call = ref.up
        if call is None or call.type != "CallExpression" or call.callee is ref:
            continue
        callee = call.callee
        if callee.type == "Identifier" and callee.name in _PURE:
            continue
        if callee.type == "MemberExpression" and not callee.computed:
            base = callee.object
            if base.type == "Identifier" and (
                base.name in _PURE or callee.property.name in _PURE_METHODS
            ):
                continue
        return True
    return False


def _number(values: Values) -> float | None:
    if len(values) != 1 or not isinstance(values[0], Known):
        return None
    plain = values[0].value
    return plain if isinstance(plain, int | float) and not isinstance(plain, bool) else None


def _joined(pieces: Items[Values]) -> Values:
    """Join pieces of text, each with its possibilities."""
    combinations = 1
    for options in pieces:
        combinations *= max(1, len(options))
        if combinations > MOST:
            break
    chosen: Any = (
        product(*pieces) if combinations <= MOST else [tuple(_blur(options) for options in pieces)]
    )
    return tuple(_concatenated(choice) for choice in chosen)


def _blur(options: Values) -> Value:
    return options[0] if len(options) == 1 else UNKNOWN


def _concatenated(choice: Items[Value]) -> Value:
    parts = [""]
    for value in choice:
        if isinstance(value, Text):
            parts[-1] += value.parts[0]
            parts.extend(value.parts[1:])
            continue
        text = text_of(value)
        if text is None:
            parts.append("")
        else:
            parts[-1] += text
    if len(parts) == 1 and len(parts[0]) <= LONGEST:
        return Known(parts[0])
    return Text(tuple(part[:LONGEST] for part in parts)) if len(parts) > 1 else UNKNOWN


def _string_call(text: str, name: str, arguments: list[Values]) -> Values:
    plain: list[Any] = []
    for options in arguments:
        if len(options) != 1 or not isinstance(options[0], Known):
            return (Text(("", "")),) if name in {"concat", "padEnd", "replace"} else NOTHING
        plain.append(options[0].value)
    try:
        result = string_method(text, name, plain)
    except LookupError:
        return NOTHING
    if isinstance(result, list):
        return (Sequence(tuple(_constant(part) for part in result)),)
    return (Known(result),)


def _constant(text: str) -> Thunk:
    return lambda: (Known(text),)


def from_json(value: Any) -> Value:
    """Turn decoded JSON into a value."""
    if isinstance(value, dict):
        return Record({key: _json_thunk(inner) for key, inner in value.items()})
    if isinstance(value, list):
        return Sequence(tuple(_json_thunk(inner) for inner in value))
    return Known(value)


def _json_thunk(value: Any) -> Thunk:
    return lambda: (from_json(value),)


def parse_json_value(text: str) -> Value:
    """Return what ``JSON.parse`` gives, unknown when it throws."""
    try:
        return from_json(json.loads(text))
    except (ValueError, RecursionError):
        return UNKNOWN
