"""Every piece of script in a page: blocks, event handlers, ``javascript:`` addresses, data blocks.

What counts as a script is what the HTML standard lets run
(https://html.spec.whatwg.org/#prepare-the-script-element): a block without an end tag does not
run, a ``type`` with parameters does not run, an unknown type is data.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote

from generator.reports.document import Document, Element

Kind = Literal["classic", "module", "handler", "url", "json", "importmap", "data", "external"]

_JAVASCRIPT = (
    frozenset(
        f"{top}/{sub}"
        for top in ("text", "application")
        for sub in ("javascript", "ecmascript", "x-javascript", "x-ecmascript")
    )
    | {"text/jscript", "text/livescript"}
    | {f"text/javascript1.{n}" for n in range(6)}
)
_ADDRESSES = frozenset(
    {"href", "src", "action", "formaction", "xlink:href", "data", ":href", ":src"}
)
_IGNORED_IN_ADDRESS = re.compile(r"[\t\n\r]")
_DATA_ADDRESS = re.compile(r"\s*data:([^,]*),(.*)\Z", re.IGNORECASE | re.DOTALL)

#: Event handler attributes of HTML and SVG elements; other ``on...`` names run nothing.
_HANDLER_NAMES = (
    "onabort onafterprint onanimationcancel onanimationend onanimationiteration onanimationstart "
    "onauxclick onbeforeinput onbeforematch onbeforeprint onbeforetoggle onbeforeunload onbegin "
    "onblur oncancel oncanplay oncanplaythrough onchange onclick onclose oncommand oncontextlost "
    "oncontextmenu oncontextrestored oncopy oncuechange oncut ondblclick ondrag ondragend "
    "ondragenter ondragleave ondragover ondragstart ondrop ondurationchange onemptied onend "
    "onended onerror onfocus onfocusin onfocusout onformdata onfullscreenchange "
    "onfullscreenerror ongotpointercapture onhashchange oninput oninvalid onkeydown onkeypress "
    "onkeyup onlanguagechange onload onloadeddata onloadedmetadata onloadstart "
    "onlostpointercapture onmessage onmessageerror onmousedown onmouseenter onmouseleave "
    "onmousemove onmouseout onmouseover onmouseup onmousewheel onoffline ononline onpagehide "
    "onpagereveal onpageshow onpageswap onpaste onpause onplay onplaying onpointercancel "
    "onpointerdown onpointerenter onpointerleave onpointermove onpointerout onpointerover "
    "onpointerrawupdate onpointerup onpopstate onprogress onratechange onrejectionhandled "
    "onrepeat onreset onresize onscroll onscrollend onsearch onsecuritypolicyviolation onseeked "
    "onseeking onselect onselectionchange onselectstart onslotchange onstalled onstorage "
    "onsubmit onsuspend ontimeupdate ontoggle ontouchcancel ontouchend ontouchmove ontouchstart "
    "ontransitioncancel ontransitionend ontransitionrun ontransitionstart "
    "onunhandledrejection onunload onvolumechange onwaiting onwheel"
)
HANDLERS = frozenset(_HANDLER_NAMES.split())


@dataclass(slots=True, eq=False)
class Script:
    """One piece of script or data block.

    Attributes:
        kind: ``classic`` and ``module`` blocks, ``handler`` and ``url`` attributes, ``json`` and
            ``importmap`` blocks, ``data`` for blocks that nobody parses, ``external`` for blocks
            that are loaded by address.
        text: The script itself; "" when external.
        element: The element it belongs to.
        attribute: The attribute it stands in, "" for a block.
        address: Where it is loaded from, when external.
        module: It runs as a module.
        order: Position among all scripts.
        locate: Turns a character of ``text`` into an offset in the page.
    """

    kind: Kind
    text: str
    element: Element
    attribute: str
    address: str
    module: bool
    order: int
    locate: Callable[[int], int]

    @property
    def runs(self) -> bool:
        """Its text is run as a script."""
        return self.kind in {"classic", "module", "handler", "url"}

    @property
    def place(self) -> int:
        """Offset where the element with it starts."""
        return self.element.place


def find_scripts(document: Document) -> list[Script]:
    """Return every script and data block of a page, in document order."""
    scripts: list[Script] = []
    for element in document.elements:
        if element.inert:
            continue
        if element.name == "script":
            block = _block(document, element, len(scripts))
            if block is not None:
                scripts.append(block)
        for found in _attributes(document, element, len(scripts)):
            scripts.append(found)
    return scripts


def _block(document: Document, element: Element, order: int) -> Script | None:
    if _unclosed(document, element):
        return None
    attributes = element.attributes
    kind = _kind(attributes)
    address = attributes.get("src")
    if address is None and element.svg:
        address = attributes.get("href", attributes.get("xlink:href"))
    module = kind == "module"
    if address is not None:
        if kind not in {"classic", "module"}:
            return Script("data", "", element, "", address, False, order, lambda _: element.place)
        inlined = _data_address(address)
        if inlined is not None:
            place = document.attribute_offset(element, "src")
            return Script(kind, inlined, element, "src", "", module, order, lambda _: place)
        return Script("external", "", element, "", address, module, order, lambda _: element.place)
    text = "".join(part.data for part in element.texts)
    return Script(kind, text, element, "", "", module, order, _block_places(document, element))


def _unclosed(document: Document, element: Element) -> bool:
    """Tell whether a block has no end tag: browsers then drop it without running it."""
    if document.cut is None or element.svg or element.start is None:
        return False
    end = element.texts[-1].start + len(element.texts[-1].data) if element.texts else None
    end = document.tag(element).end if end is None else end
    return end >= len(document.source)


def _block_places(document: Document, element: Element) -> Callable[[int], int]:
    def locate(index: int) -> int:
        for text in element.texts:
            if index <= len(text.data):
                return document.in_text(text, index)
            index -= len(text.data)
        return element.place

    return locate


def _kind(attributes: dict[str, str]) -> Kind:
    if "type" in attributes:
        given = attributes["type"]
        word = given.strip(" \t\n\f\r").lower() if given else "text/javascript"
    elif attributes.get("language"):
        word = f"text/{attributes['language'].lower()}"
    else:
        word = "text/javascript"
    if word in _JAVASCRIPT:
        # A browser that knows modules skips what is meant for those that do not.
        return "data" if "nomodule" in attributes else "classic"
    if word == "module":
        return "module"
    if word in {"importmap", "speculationrules"}:
        return "importmap" if word == "importmap" else "json"
    essence = word.partition(";")[0].strip()
    if essence.endswith(("/json", "+json")):
        return "json"
    return "data"


def _data_address(address: str) -> str | None:
    """Return the script that a ``data:`` address holds, None when it is none."""
    matched = _DATA_ADDRESS.match(address)
    if matched is None:
        return None
    body = unquote(matched.group(2))
    if matched.group(1).strip().lower().endswith(";base64"):
        try:
            return base64.b64decode(body, validate=False).decode("utf-8", errors="replace")
        except (binascii.Error, ValueError):
            return ""
    return body


def _attributes(document: Document, element: Element, order: int) -> Iterator[Script]:
    for name, value in element.attributes.items():
        if name in HANDLERS:
            if value.strip():
                yield _attribute(
                    document, element, name, text=value, begin=0, kind="handler", order=order
                )
                order += 1
        elif name in _ADDRESSES and ":" in value:
            plain = value.lstrip("".join(map(chr, range(33))))
            squeezed = _IGNORED_IN_ADDRESS.sub("", plain[:64])
            if squeezed[:11].lower() == "javascript:":
                begin = value.index(":") + 1
                yield _attribute(
                    document,
                    element,
                    name,
                    text=value[begin:],
                    begin=begin,
                    kind="url",
                    order=order,
                )
                order += 1


def _attribute(
    document: Document,
    element: Element,
    name: str,
    *,
    text: str,
    begin: int,
    kind: Literal["handler", "url"],
    order: int,
) -> Script:
    decoded = unquote(text) if kind == "url" and "%" in text else text
    exact = decoded == text

    def locate(index: int) -> int:
        return document.in_attribute(element, name, begin + (index if exact else 0))

    return Script(kind, decoded, element, name, "", False, order, locate)
