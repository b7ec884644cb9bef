"""``script-host``: scripts come from hosts that the settings allow.

``report.allowed_hosts`` names them, exactly. Scripts by address, ESM imports and import maps
count; addresses without a host do not leave the page's own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from generator.reports.libraries import host
from generator.reports.page import Page
from generator.reports.rules.base import Problem, Rule


def _check(page: Page) -> Iterator[Problem]:
    allowed = {name.lower() for name in page.settings.allowed_hosts}
    for offset, address in _addresses(page):
        name = host(address)
        if name is not None and name.lower() not in allowed:
            yield Problem(
                offset=offset,
                message=f"A script comes from {name[:80]}, which report.allowed_hosts does not name.",
            )


def _addresses(page: Page) -> Iterator[tuple[int, str]]:
    for script in page.scripts:
        if script.kind == "external":
            yield page.document.attribute_offset(script.element, "src"), script.address
        elif script.kind == "importmap" and script not in page.failures:
            try:
                imports = json.loads(script.text).get("imports", {}).values()
            except (ValueError, AttributeError):
                continue
            for address in imports:
                if isinstance(address, str):
                    yield script.place, address
    for program in page.programs:
        for node in program.nodes:
            if node.type == "ImportDeclaration":
                yield program.offset(node), str(node.source.value)
            elif node.type == "ImportExpression":
                for text in page.evaluator.texts(node.source):
                    yield program.offset(node), text


RULE = Rule(
    id="script-host",
    severity="warning",
    reason="A script from elsewhere can change, vanish or read what the page holds.",
    fix="Load it from an allowed host, inline it, or add the host to report.allowed_hosts.",
    bad='<script src="https://example.com/lib.js"></script>',
    good='<script src="https://cdn.jsdelivr.net/npm/echarts@6/dist/echarts.min.js"></script>',
    check=_check,
)
