"""Judges an Office file as a package: its parts, their types, relationships and ids.

The rules are those of the Open Packaging Conventions (ECMA-376 part 2), as far as breaking
them makes Word, Excel or PowerPoint offer a repair.
"""

from __future__ import annotations

import posixpath
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

_TYPES = "[Content_Types].xml"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
# Elements whose ``id`` must be unique within one part, by local name.
_UNIQUE = ("docPr", "cNvPr", "sldId", "sheet", "bookmarkStart")


def package_problems(path: Path) -> list[str]:
    """Return what is wrong with the package, as sentences; none when it is sound."""
    try:
        with zipfile.ZipFile(path) as package:
            broken = package.testzip()
            if broken:
                return [f"{broken} is damaged."]
            names = package.namelist()
            parts = {name: package.read(name) for name in names}
    except (OSError, zipfile.BadZipFile) as error:
        return [f"It is not a zip: {error}."]
    twice = [name for name, count in Counter(map(str.lower, names)).items() if count > 1]
    problems = [f"{name} stands in it twice." for name in twice]
    trees: dict[str, ET.Element] = {}
    for name, content in parts.items():
        if name.endswith((".xml", ".rels")):
            try:
                trees[name] = ET.fromstring(content)  # noqa: S314 - written a moment ago
            except ET.ParseError as error:
                problems.append(f"{name} does not parse: {error}.")
    if _TYPES not in trees:
        return [*problems, f"{_TYPES} is missing."]
    problems += _type_problems(trees[_TYPES], names)
    for name, tree in trees.items():
        if name != _TYPES and not name.endswith(".rels"):
            problems += _reference_problems(name, tree, trees)
            problems += _id_problems(name, tree)
    problems += _target_problems(trees, set(names))
    return problems


def _local(tag: str) -> str:
    return tag.rsplit("}", 1)[-1]


def _type_problems(types: ET.Element, names: list[str]) -> Iterator[str]:
    defaults = {
        item.get("Extension", "").lower() for item in types if _local(item.tag) == "Default"
    }
    overrides = {item.get("PartName", "") for item in types if _local(item.tag) == "Override"}
    for name in names:
        extension = name.rsplit(".", 1)[-1].lower()
        if name != _TYPES and f"/{name}" not in overrides and extension not in defaults:
            yield f"{name} has no content type."
    for part in sorted(overrides):
        if part.lstrip("/") not in names:
            yield f"{part} has a content type and is not there."


def _rels_of(name: str) -> str:
    folder, _, file = name.rpartition("/")
    return f"{folder}/_rels/{file}.rels".lstrip("/")


def _reference_problems(name: str, tree: ET.Element, trees: dict[str, ET.Element]) -> Iterator[str]:
    rels = trees.get(_rels_of(name))
    known = {item.get("Id") for item in rels} if rels is not None else set()
    for element in tree.iter():
        for attribute, value in element.attrib.items():
            if attribute.startswith(_R) and value and value not in known:
                yield f"{name} refers to {value}, which its relationships do not have."


def _id_problems(name: str, tree: ET.Element) -> Iterator[str]:
    for kind in _UNIQUE:
        ids = [
            value
            for element in tree.iter()
            if _local(element.tag) == kind
            for attribute, value in element.attrib.items()
            if _local(attribute) in ("id", "sheetId") and not attribute.startswith(_R)
        ]
        for value, count in Counter(ids).items():
            # A picture in Word carries its number twice, in docPr and in cNvPr: two kinds.
            if count > 1:
                yield f"{name} has {count} {kind} with the id {value}."


def _target_problems(trees: dict[str, ET.Element], names: set[str]) -> Iterator[str]:
    for name, tree in trees.items():
        if not name.endswith(".rels"):
            continue
        folder = posixpath.dirname(posixpath.dirname(name))
        ids = Counter(item.get("Id") for item in tree)
        for twice in (value for value, count in ids.items() if count > 1):
            yield f"{name} has the id {twice} twice."
        for item in tree:
            target = item.get("Target", "")
            if item.get("TargetMode") == "External":
                continue
            absolute = target.lstrip("/") if target.startswith("/") else f"{folder}/{target}"
            if posixpath.normpath(absolute.lstrip("/")) not in names:
                yield f"{name} points to {target}, which is not there."
