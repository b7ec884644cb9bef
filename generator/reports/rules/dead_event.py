"""``dead-event``: ``@click`` and kin name a function of the mount's ``event``.

QuickUI looks the text up as one name. A call, inline code, a name that ``event`` lacks, and an
``@`` attribute outside every mount do nothing, without an error. Where the mount's ``event`` does
not stand in the page nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.reports.javascript.values import UNDEFINED, Known, Record
from generator.reports.mounts import Mount
from generator.reports.page import Page
from generator.reports.rules.base import Problem, Rule
from generator.reports.rules.bindings import Bindings

_NAME = re.compile(r"\s*([\w$]+)\s*\Z")
_LONGEST_SHOWN = 60


def _check(page: Page) -> Iterator[Problem]:
    bindings: Bindings | None = None
    for element in page.document.elements:
        if element.inert or element.in_code:
            continue
        for name, value in element.attributes.items():
            if name[0] != "@" or len(name) == 1:
                continue
            bindings = bindings or Bindings(page)
            mounts = bindings.reach(element).mounts
            if not mounts and bindings.mount_missing:
                continue  # missing-quickui says so
            reason = _dead(value, mounts)
            if reason is not None:
                yield Problem(
                    offset=page.document.attribute_offset(element, name),
                    message=f'{name}="{value[:_LONGEST_SHOWN]}" does nothing: {reason}.',
                )


def _dead(value: str, mounts: list[Mount]) -> str | None:
    """Return why an event attribute does nothing, None when it works or cannot be known."""
    if not mounts:
        return "it stands outside every mount"
    matched = _NAME.match(value)
    if matched is None:
        return "QuickUI takes the bare name of a function, no call and no code"
    if all(_lacks(mount, matched.group(1)) for mount in mounts):
        return f"the mount's event has no {matched.group(1)[:_LONGEST_SHOWN]}"
    return None


def _lacks(mount: Mount, name: str) -> bool:
    """Tell whether the ``event`` of a mount surely has no function of a name."""
    events = mount.option("event")
    return bool(events) and all(
        value == Known(UNDEFINED)
        or (isinstance(value, Record) and not value.open and name not in value.props)
        for value in events or ()
    )


RULE = Rule(
    id="dead-event",
    severity="error",
    reason="A button whose @click QuickUI cannot look up does nothing, without an error.",
    fix='Write @click="name" in the mount and event: { name() {...} } in its options.',
    bad='<button @click="show(1)">More</button>',
    good='<button @click="show">More</button>',
    check=_check,
)
