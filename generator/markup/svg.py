"""Makes a drawing fit to stand in a page: harmless, with ids of its own, in the page's colours.

Drawings come from libraries, but what they draw comes from a report: labels, style statements
and links may be hostile. Only known elements and attributes stay, no address but a fragment or
a web link, and no style rule that reaches outside the drawing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree as ET

from generator.markup.palette import themed

_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"
_XML_SPACE = "{http://www.w3.org/XML/1998/namespace}space"

_ELEMENTS = frozenset(
    {
        "svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text",
        "tspan", "textPath", "defs", "marker", "clipPath", "mask", "pattern", "linearGradient",
        "radialGradient", "stop", "symbol", "use", "title", "desc", "style", "a", "image",
        "filter", "feDropShadow", "feGaussianBlur", "feOffset", "feMerge", "feMergeNode",
        "feFlood", "feComposite",
    }
)  # fmt: skip
_DATA_KEPT = frozenset({"data-look", "data-color-id"})  # style rules of diagrams ask for these
_ARIA_DROPPED = frozenset({"aria-roledescription", "role", "aria-labelledby", "aria-describedby"})
_WEB = re.compile(r"(?:https?:|mailto:)", re.IGNORECASE)
_PICTURE = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,", re.IGNORECASE)
_REFERENCE = re.compile(r"url\(\s*['\"]?#([^)'\"\s]+)['\"]?\s*\)")
_OUTSIDE = re.compile(r"url\((?!\s*#)|@import|expression\(|image-set\(", re.IGNORECASE)
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_AT_BLOCK = re.compile(r"@[^{;]+(?:;|\{(?:[^{}]*\{[^{}]*\})*[^{}]*\})")
_ID_IN_SELECTOR = re.compile(r"(#|\[id=\"?)(-?[A-Za-z_][\w-]*)")
_NOT = re.compile(r":not\([^)]*\)")
_COORDINATE = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?", re.IGNORECASE)
_NUMBER = re.compile(r"[\d.]+")


class Drawing:
    """One SVG, cleaned.

    Args:
        source: The SVG as its library wrote it.
        prefix: Put before every id, so that drawings can share a page.
        label: What a screen reader says of the whole drawing.
        theme: Write the palette's colours as variables of the page.

    Raises:
        ValueError: The source is no SVG.
    """

    def __init__(self, source: str, *, prefix: str, label: str, theme: bool = True) -> None:
        try:
            self._root = ET.fromstring(source)  # noqa: S314 - made by a library, without a DTD
        except ET.ParseError as error:
            message = f"the drawing is not well-formed: {error}"
            raise ValueError(message) from error
        self._prefix = prefix
        self._theme = theme
        self._scope = self._root.get("id") or ""
        self.width, self.height = self._size()
        self._clean()
        self._label(label)

    def _size(self) -> tuple[float, float]:
        box = [float(part) for part in _NUMBER.findall(self._root.get("viewBox", "")) if part]
        if len(box) >= 4:
            return box[-2], box[-1]
        found = [_NUMBER.match(self._root.get(name, "")) for name in ("width", "height")]
        width, height = (float(match[0]) if match else 0.0 for match in found)
        return width, height

    def _clean(self) -> None:
        for parent in list(self._root.iter()):
            for child in list(parent):
                if not isinstance(child.tag, str) or _local(child.tag) not in _ELEMENTS:
                    _remove(parent, child)
        for element in self._root.iter():
            element.tag = _local(element.tag)
            element.attrib = dict(self._attributes(element))
        used = _used_names(self._root)
        for element in self._root.iter("style"):
            element.text = self._style_sheet(element.text or "", used)

    def _attributes(self, element: ET.Element) -> Iterator[tuple[str, str]]:
        for name, raw in element.attrib.items():
            local = _local(name)
            value = raw
            if name == _XML_SPACE:
                yield "xml:space", value
            elif local == "href":
                address = self._address(element.tag, value.strip())
                if address:
                    yield "href", address
            elif self._is_dropped(element, name):
                continue
            elif name == "id":
                yield name, self._prefix + value
            elif name in ("d", "points", "transform"):
                # Flags of arcs may touch the number behind them, so those paths stay as they are.
                arcs = name == "d" and "a" in value.lower()
                yield name, value if arcs else _COORDINATE.sub(_rounded, value)
            elif not _OUTSIDE.search(value):
                yield name, self._painted(value)

    def _is_dropped(self, element: ET.Element, name: str) -> bool:
        if name.lower().startswith("on") or name.startswith("{"):
            return True
        if name.startswith("data-"):
            return name not in _DATA_KEPT
        return name in _ARIA_DROPPED and element is not self._root

    def _address(self, tag: str, value: str) -> str | None:
        if value.startswith("#"):
            return f"#{self._prefix}{value[1:]}"
        if tag == "image":
            return value if _PICTURE.match(value) else None
        return value if tag == "a" and _WEB.match(value) else None

    def _painted(self, value: str) -> str:
        value = _REFERENCE.sub(lambda found: f"url(#{self._prefix}{found[1]})", value)
        return themed(value) if self._theme and "#" in value else value

    def _style_sheet(self, css: str, used: frozenset[str]) -> str:
        """Keep the rules that stay inside the drawing and find something in it."""
        kept = []
        for found in _RULE.finditer(_AT_BLOCK.sub("", css)):
            selectors = [
                _ID_IN_SELECTOR.sub(rf"\g<1>{self._prefix}\g<2>", selector.strip())
                for selector in found[1].split(",")
                if self._scope and selector.strip().startswith(f"#{self._scope}")
                if _finds_something(selector, used)
            ]
            body = found[2].strip()
            if selectors and body and not _OUTSIDE.search(body):
                kept.append(f"{','.join(selectors)}{{{self._painted(body)}}}")
        return "".join(kept)

    def _label(self, label: str) -> None:
        root = self._root
        for name in ("style", "width", "height", *_ARIA_DROPPED):
            root.attrib.pop(name, None)
        root.set("xmlns", _SVG)
        root.set("role", "img")
        root.set("aria-label", label)
        root.set("width", f"{self.width:g}")
        root.set("height", f"{self.height:g}")
        root.set("viewBox", root.get("viewBox", f"0 0 {self.width:g} {self.height:g}"))

    def draws_something(self, marker: str) -> bool:
        """Tell whether any group whose class holds ``marker`` has something in it."""
        return any(
            len(group) > 0 for group in self._root.iter("g") if marker in group.get("class", "")
        )

    def to_svg(self) -> str:
        """Return the SVG, on one line."""
        return ET.tostring(self._root, encoding="unicode")


def _rounded(found: re.Match[str]) -> str:
    """Hundredths of a pixel are what anyone can see; the rest is half of the bytes.

    A space keeps a number apart from one that touched it, as in ``1.2345.6789``.
    """
    number = found[0]
    if len(number.partition(".")[2]) < 3:
        return number
    before = found.string[: found.start()][-1:]
    after = found.string[found.end() : found.end() + 1]
    rounded = f"{round(float(number), 2):g}"
    left = " " if before.isdigit() and not rounded.startswith("-") else ""
    return f"{left}{rounded}{' ' if after == '.' else ''}"


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def _remove(parent: ET.Element, child: ET.Element) -> None:
    """Take an element out and leave the text that followed it."""
    if child.tail:
        siblings = list(parent)
        at = siblings.index(child)
        if at:
            siblings[at - 1].tail = (siblings[at - 1].tail or "") + child.tail
        else:
            parent.text = (parent.text or "") + child.tail
    parent.remove(child)


def _used_names(root: ET.Element) -> frozenset[str]:
    names: set[str] = set()
    for element in root.iter():
        names.update(element.get("class", "").split())
        names.update(f'"{element.get(name)}"' for name in _DATA_KEPT if element.get(name))
    return frozenset(names)


def _finds_something(selector: str, used: frozenset[str]) -> bool:
    plain = _NOT.sub("", selector)
    wanted = re.findall(r"\.(-?[A-Za-z_][\w-]*)", plain)
    wanted += re.findall(r"\[(?:data-look|data-color-id)=(\"[^\"]*\")\]", plain)
    return all(name in used for name in wanted)
