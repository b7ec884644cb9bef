"""Where in the exported history a ref stands."""

from __future__ import annotations

import re
from typing import Any

from generator.export.history.blocks import anchor
from generator.export.history.prepare import shelf
from generator.export.site import Site
from generator.history.refs import Place, conversation_places, parse_ref

_FIRST = re.compile(r"(?:(.*)/)?(\d+)(?:\.(\d+))?")


def page_of_ref(site: Site, ref: str) -> str | None:
    """Return the page with the anchor that shows what a ref names.

    Args:
        site: The export.
        ref: A ref as a tool printed it.

    Returns:
        The path in the site; None when no session of this export holds it.
    """
    parsed = parse_ref(ref)
    if parsed.kind != "conversation" or not site.has("history"):
        return None
    known = shelf(site).by_id
    for place in conversation_places(parsed):
        session = known.get(place.session)
        if session is not None and place.message is not None:
            page = _page(session.facts, place, place.message)
            return f"{session.page(page)}#{anchor(place.message, place.agent, place.call)}"
    return None


def _page(facts: dict[str, Any], place: Place, message: int) -> int:
    """Return the page of a session that a place is on, from 1: each knows what it begins with."""
    found = 1
    if place.agent:
        found = next((side["page"] for side in facts["sides"] if side["id"] == place.agent), 1)
    for number, first in enumerate(facts["pages"], start=1):
        begins = _FIRST.fullmatch(first)
        if begins is None or begins[1] != place.agent or number < found:
            continue
        if (int(begins[2]), int(begins[3] or 0)) <= (message, place.call or 0):
            found = number
    return int(found)
