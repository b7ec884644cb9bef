"""When code runs."""

from __future__ import annotations

import pytest

from generator.reports.checker import read_page
from generator.reports.javascript.moments import DEFERRED, LATER, LOADED, PARSING, READY

PHASES = [
    ("<script>here()</script>", PARSING),
    ("<script type=module>here()</script>", DEFERRED),
    ("<script>document.addEventListener('DOMContentLoaded', () => here())</script>", READY),
    ("<script>$(function () { here() })</script>", READY),
    ("<script>window.onload = () => here()</script>", LOADED),
    ("<script>addEventListener('load', run); function run() { here() }</script>", LOADED),
    ("<body onload='here()'>", LOADED),
    ("<p onclick='here()'>", LATER),
    ("<script>setTimeout(() => here(), 1)</script>", LATER),
    ("<script>fetch('x').then(() => here())</script>", LATER),
    ("<script>[1].forEach(() => here())</script>", PARSING),
    ("<script>(() => { here() })()</script>", PARSING),
    ("<script type=module>await x; here()</script>", LATER),
    ("<script>function never() { here() }</script>", LATER + 1),
    ("<script>if (false) here()</script>", LATER + 1),
    ("<script>const o = {m() { here() }}; o.m()</script>", PARSING),
]


@pytest.mark.parametrize(("page", "phase"), PHASES)
def test_phase(page: str, phase: int) -> None:
    read = read_page(page)
    [call] = [call for call in read.calls if call.names == ["here"]]
    assert read.timing.moment(call.node)[0] == phase
