"""When scripts run, against when elements are parsed and other scripts run.

A moment is a pair: a phase and a place in it. While the page is parsed the place is an offset: an
element is there when it starts before the script. Deferred scripts and modules run in page order
once everything is parsed, then come ``DOMContentLoaded``, ``load`` and whatever comes later
(clicks, timers, promises).
"""

from __future__ import annotations

from generator.reports.scripts import Script

Moment = tuple[int, int]

PARSING, DEFERRED, READY, LOADED, LATER = range(5)
#: After everything that can be ordered.
SOME_TIME: Moment = (LATER, 0)
#: Code that nothing calls.
NEVER: Moment = (LATER + 1, 0)


def script_moment(script: Script) -> Moment:
    """Return when a script runs."""
    place = script.place
    attributes = script.element.attributes
    if script.kind == "handler":
        name = script.element.name
        if script.attribute == "onload" and name in {"body", "frameset"}:
            return (LOADED, 0)
        return SOME_TIME
    if script.kind == "url":
        return SOME_TIME
    if script.module:
        return (DEFERRED, place)
    if script.kind == "external":
        if "async" in attributes:
            return (DEFERRED, place)
        if "defer" in attributes:
            return (DEFERRED, place)
    return (PARSING, place)
