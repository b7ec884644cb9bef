"""The one Markdown set-up, and the only module that imports markdown-it.

CommonMark with tables, strikethrough, footnotes, definition lists, task lists, admonitions
(``!!! note "Title"`` and ``> [!NOTE]``), anchors on headings in any script, formulas between
dollar signs and coloured code. Raw HTML is text: it is escaped, never passed through.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from html import escape
from itertools import pairwise
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.anchors import anchors_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.tasklists import tasklists_plugin

from generator.markup.alerts import mark_alerts
from generator.markup.formulas import FormulaError, formula_to_mathml
from generator.markup.highlight import highlight
from generator.markup.slugs import slug
from generator.model.finding import Finding

#: Blocks nested deeper are dropped by the parser, without a word; a list takes two levels. The
#: preset's 20 drops the tenth level of a list.
DEEPEST = 100


@dataclass(frozen=True, slots=True)
class Block:
    """A heading as it stands in the source.

    Attributes:
        level: 1 to 6.
        start: First line, counted from 0.
        end: Line after the last.
        markup: ``##`` and kin, or ``=``/``-`` for an underlined heading.
        text: What it says, as Markdown.
    """

    level: int
    start: int
    end: int
    markup: str
    text: str


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a rendered page: its level, its anchor, and its text without marks."""

    level: int
    anchor: str
    text: str


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced block handed to a renderer.

    Attributes:
        language: First word of its info line.
        info: The whole info line.
        code: What it holds.
        line: Line of its opening fence in the file, from 1.
        number: How many fences a renderer has been given before this one, for unique ids.
    """

    language: str
    info: str
    code: str
    line: int
    number: int


FenceRenderer = Callable[[Fence], "str | Finding"]


LABELS: Mapping[str, str] = {"table": "Table", "done": "done", "to_do": "to do"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How one document is rendered.

    Attributes:
        first_line: Line of the file at which the text starts.
        anchor_prefix: Put before every anchor, so that several texts can share a page.
        fences: Renderers by fence language. One returns HTML, or a finding, and then the block
            is shown as code.
        link: Rewrites the address of every link and image.
        image: Given an image's address and line, returns the address to show it from, or a
            finding, and then a link with the image's text stands in its place.
        code_link: Address that a code span of this text links to, None for none.
        labels: What a screen reader is told of a ``table``, of a task ``done`` and ``to_do``.
    """

    first_line: int = 1
    anchor_prefix: str = ""
    fences: Mapping[str, FenceRenderer] = field(default_factory=dict)
    link: Callable[[str], str] | None = None
    image: Callable[[str, int], str | Finding] | None = None
    code_link: Callable[[str], str | None] | None = None
    labels: Mapping[str, str] = field(default_factory=lambda: LABELS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """A document as HTML.

    Attributes:
        html: The HTML of the body.
        headings: Its headings in order.
        findings: What is wrong with it (formulas, figures), with lines of the file.
        text: What a reader sees, without marks, a line for each block; code included.
    """

    html: str
    headings: tuple[Heading, ...]
    findings: tuple[Finding, ...]
    text: str


@cache
def _block_parser() -> MarkdownIt:
    """Only blocks: where headings and code stand, at a tenth of the cost of a full parse."""
    parser = _configured()
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


def _parser(markdown: str) -> MarkdownIt:
    """Return the parser for a text: looking for bare addresses costs a seventh of a parse."""
    return _full_parser(addresses="//" in markdown or "mailto:" in markdown.lower())


@cache
def _full_parser(*, addresses: bool) -> MarkdownIt:
    return _configured(addresses=addresses)


def _configured(*, addresses: bool = False) -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "linkify": addresses, "maxNesting": DEEPEST})
    parser.enable(["table", "strikethrough"])
    if addresses:
        parser.enable("linkify")
        assert parser.linkify is not None
        parser.linkify.set({"fuzzy_link": False, "fuzzy_email": False, "fuzzy_ip": False})
    parser.use(footnote_plugin).use(deflist_plugin).use(tasklists_plugin)
    parser.use(admon_plugin).use(
        dollarmath_plugin, allow_labels=False, allow_space=False, allow_digits=False
    )
    parser.use(anchors_plugin, max_level=6, slug_func=slug)
    parser.core.ruler.after("block", "alerts", mark_alerts)
    parser.core.ruler.push("places", _remember_lines)
    for name, rule in _RULES.items():
        parser.add_render_rule(name, rule)
    return parser


def _remember_lines(state: StateCore) -> None:
    """Note the line of formulas and images, which inline tokens do not carry."""
    for token in state.tokens:
        if token.type != "inline" or not token.map:
            continue
        line = token.map[0]
        for child in token.children or ():
            if child.type in ("softbreak", "hardbreak"):
                line += 1
            elif child.type in ("math_inline", "image"):
                child.meta["line"] = line


def block_tokens(markdown: str) -> list[Token]:
    """Return the tokens of the blocks of a text; what stands inside lines is not read."""
    return _block_parser().parse(markdown)


def heading_blocks(markdown: str) -> list[Block]:
    """Return the headings of a text in order, those inside quotes and lists included."""
    return headings_of(block_tokens(markdown))


def headings_of(tokens: Sequence[Token]) -> list[Block]:
    """Return the headings among the tokens of a text."""
    return [
        Block(int(token.tag[1]), token.map[0], token.map[1], token.markup, tokens[at + 1].content)
        for at, token in enumerate(tokens)
        if token.type == "heading_open" and token.map
    ]


def verbatim_lines(markdown: str) -> set[int]:
    """Return the lines, from 0, that are code or formulas."""
    lines: set[int] = set()
    for token in block_tokens(markdown):
        if token.type in ("fence", "code_block", "math_block") and token.map:
            lines.update(range(*token.map))
    return lines


def fence_tokens(markdown: str) -> list[Token]:
    """Return the fenced blocks of a text in order, those inside quotes and lists included."""
    return [token for token in block_tokens(markdown) if token.type == "fence"]


def parse_tokens(markdown: str) -> list[Token]:
    """Return the full token stream, for rooms that judge Markdown."""
    return _parser(markdown).parse(markdown)


def render_markdown(markdown: str, options: Options | None = None) -> Rendered:
    """Render a document to HTML.

    Args:
        markdown: The text, without front matter.
        options: How; the defaults render plainly.

    Returns:
        The HTML with headings, findings and plain text. Nothing in it comes from raw HTML.
    """
    options = options or Options()
    parser = _parser(markdown)
    env: dict[str, Any] = {"options": options, "findings": [], "fences": 0}
    # Footnotes of texts on one page are kept apart; the capital, from headings such as "fn1".
    env["docId"] = options.anchor_prefix.rstrip("-") or "Note"
    tokens = parser.parse(markdown, env)
    env["findings"].extend(_dropped(tokens, options.first_line))
    headings = tuple(_headings(tokens, options.anchor_prefix))
    html = parser.renderer.render(tokens, parser.options, env)
    return Rendered(
        html=html, headings=headings, findings=tuple(env["findings"]), text=_plain(tokens)
    )


def _dropped(tokens: Sequence[Token], first_line: int) -> list[Finding]:
    """Report the first block whose inside the parser dropped, as nested too deep."""
    for token, following in pairwise(tokens):
        if token.level + 1 >= DEEPEST and token.nesting == 1 and following.nesting == -1:
            return [
                Finding(
                    rule="nesting",
                    severity="error",
                    line=(token.map[0] if token.map else 0) + first_line,
                    column=1,
                    message=f"Lists and quotes are nested more than {DEEPEST} deep here, so what "
                    "stands inside would be lost.",
                    fix="Write it flatter: a list takes two levels, a quote one.",
                )
            ]
    return []


def _headings(tokens: Sequence[Token], prefix: str) -> list[Heading]:
    headings = []
    for at, token in enumerate(tokens):
        if token.type != "heading_open":
            continue
        anchor = prefix + str(token.attrGet("id") or "")
        token.attrSet("id", anchor)
        headings.append(Heading(int(token.tag[1]), anchor, _inline_text(tokens[at + 1])))
    return headings


def _inline_text(token: Token) -> str:
    parts = []
    for child in token.children or ():
        if child.type in ("softbreak", "hardbreak"):
            parts.append(" ")
        elif child.content:
            parts.append(child.content)
    return "".join(parts)


def _plain(tokens: Sequence[Token]) -> str:
    lines = []
    for token in tokens:
        if token.type == "inline":
            lines.append(_inline_text(token))
        elif token.type in ("fence", "code_block", "math_block"):
            lines.append(token.content.rstrip("\n"))
    return "\n".join(lines)


# Render rules. markdown-it calls each as rule(renderer, tokens, index, options, env).


def _fence(_self: Any, tokens: Sequence[Token], at: int, _options: Any, env: Any) -> str:
    token = tokens[at]
    options: Options = env["options"]
    info = token.info.strip()
    language = re.split(r"[\s{]", info, maxsplit=1)[0]
    line = (token.map[0] if token.map else 0) + options.first_line
    renderer = options.fences.get(language)
    if renderer is not None:
        made = renderer(Fence(language, info, token.content, line, env["fences"]))
        env["fences"] += 1
        if isinstance(made, str):
            return made
        env["findings"].append(made)
    return code_block(token.content, language)


def code_block(code: str, language: str = "") -> str:
    """Return a block of code as the site shows it, reachable by keyboard when it scrolls."""
    name = f' data-language="{escape(language)}"' if language else ""
    return f'<pre class="code"{name} tabindex="0"><code>{highlight(code, language)}</code></pre>\n'


def _code_block(_self: Any, tokens: Sequence[Token], at: int, _options: Any, _env: Any) -> str:
    return code_block(tokens[at].content)


def _code_inline(_self: Any, tokens: Sequence[Token], at: int, _options: Any, env: Any) -> str:
    text = tokens[at].content
    html = f"<code>{escape(text, quote=False)}</code>"
    link = env["options"].code_link
    inside_link = at > 0 and tokens[at - 1].type == "link_open"
    target = link(text) if link is not None and not inside_link else None
    return f'<a href="{escape(target)}">{html}</a>' if target else html


def _formula(_self: Any, tokens: Sequence[Token], at: int, _options: Any, env: Any) -> str:
    token = tokens[at]
    display = token.type != "math_inline"
    try:
        mathml = formula_to_mathml(token.content.strip(), display=display)
    except FormulaError as error:
        line = token.map[0] if token.map else token.meta.get("line", 0)
        opening = len(token.content) - len(token.content.lstrip())
        before = token.content[: opening + error.offset]
        env["findings"].append(
            Finding(
                rule="formula",
                severity="error",
                line=line + env["options"].first_line + before.count("\n"),
                column=1,
                message=f"The formula {token.content.strip()!r} is not valid TeX: {error.reason}.",
                fix="Correct the formula, or write a dollar sign that is money as \\$.",
            )
        )
        mathml = f"<code>{escape(token.content.strip())}</code>"
    tag = "div" if display else "span"
    focus = ' tabindex="0"' if display else ""
    return f'<{tag} class="math"{focus}>{mathml}</{tag}>' + ("\n" if display else "")


def _table_open(_self: Any, _tokens: Any, _at: int, _options: Any, env: Any) -> str:
    # Many may have the one name, so that none is a landmark.
    label = escape(env["options"].labels["table"])
    return f'<div class="table" role="group" aria-label="{label}" tabindex="0"><table>\n'


def _table_close(_self: Any, _tokens: Any, _at: int, _options: Any, _env: Any) -> str:
    return "</table></div>\n"


def _cell_open(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    """Say the alignment by class: the site's content policy refuses style attributes."""
    style = str(tokens[at].attrs.pop("style", ""))
    if style:
        tokens[at].attrSet("class", "align-" + style.partition(":")[2])
    return str(self.renderToken(tokens, at, options, env))


def _checkbox(_self: Any, tokens: Sequence[Token], at: int, _options: Any, env: Any) -> str:
    """Name the box of a task; the parser makes no other HTML of its own."""
    html = tokens[at].content
    name = escape(env["options"].labels["done" if "checked" in html else "to_do"])
    return html.replace("<input ", f'<input aria-label="{name}" ', 1)


def _link_open(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    link = env["options"].link
    if link is not None:
        tokens[at].attrSet("href", link(str(tokens[at].attrGet("href") or "")))
    return str(self.renderToken(tokens, at, options, env))


def _image(self: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    token = tokens[at]
    link = env["options"].link
    if link is not None:
        token.attrSet("src", link(str(token.attrGet("src") or "")))
    alt = self.renderInlineAsText(token.children or [], options, env)
    show = env["options"].image
    if show is not None:
        source = str(token.attrGet("src") or "")
        made = show(source, token.meta.get("line", 0) + env["options"].first_line)
        if not isinstance(made, str):
            env["findings"].append(made)
            return f'<a href="{escape(source)}">{escape(alt or source, quote=False)}</a>'
        token.attrSet("src", made)
    token.attrSet("alt", alt)
    token.attrSet("loading", "lazy")
    return str(self.renderToken(tokens, at, options, env))


_RULES: dict[str, Callable[..., str]] = {
    "fence": _fence,
    "code_block": _code_block,
    "code_inline": _code_inline,
    "math_inline": _formula,
    "math_inline_double": _formula,
    "math_block": _formula,
    "table_open": _table_open,
    "table_close": _table_close,
    "th_open": _cell_open,
    "td_open": _cell_open,
    "html_inline": _checkbox,
    "link_open": _link_open,
    "image": _image,
}
