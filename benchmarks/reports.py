"""The report check beside the parsers alone: ``justhtml`` for the page, ``esprima`` for its scripts.

A page of 200 KB with 40 KB of script is checked in one process; times are CPU time of the best of
several runs, since other work on the machine then counts least. The promise: no more than four
times ``justhtml`` plus esprima's own time, and a large inlined library costs nothing again.

Run: ``python benchmarks/reports.py``
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import esprima
from justhtml import JustHTML

from generator.reports import large_scripts
from generator.reports.checker import check_page
from generator.reports.document import Document
from generator.reports.javascript.syntax import deeply
from generator.reports.scripts import find_scripts

RUNS = 5


def make_page(page_bytes: int = 200_000, script_bytes: int = 40_000) -> str:
    """Make a report as agents write them: sections, tables, charts, helpers, data."""
    chance = random.Random(7)
    words = "sales region margin quarter trend 增长 市场 forecast actual budget".split()
    script = ["const data = {title: 'Report', rows: []};"]
    charts: list[str] = []
    while sum(map(len, script)) < script_bytes:
        number = len(charts)
        charts.append(f"chart{number}")
        points = ", ".join(str(chance.randrange(1000)) for _ in range(60))
        script.append(
            f"function total{number}(rows, key = 'v') {{\n"
            "  return rows.filter((row) => row?.[key] > 0).reduce((sum, row) => sum + row[key], 0);\n}\n"
            f"T.init('chart{number}', {{xAxis: {{type: 'category'}}, yAxis: {{}}, tooltip: {{\n"
            "  formatter: (p) => `${p.name}: ${T.fmt(p.value)}` }, series: [\n"
            f"  {{type: 'line', name: 'Series {number}', data: [{points}]}}]}});\n"
            f"document.getElementById('note{number}').textContent = String(total{number}([]));"
        )
    script.append("new QUI({id: 'app', data});")
    body = ["<div id=app><h1>{{ title }}</h1></div>"]
    for name in charts:
        body.append(f'<div id={name} style="height: 300px"></div><p id=note{name[5:]}></p>')
    size = sum(map(len, body)) + sum(map(len, script))
    while size < page_bytes:
        cells = "".join(f"<td>{chance.choice(words)} {chance.random():.3f}" for _ in range(5))
        text = " ".join(chance.choice(words) for _ in range(60))
        section = f"<section class=card><h2>{chance.choice(words)}</h2><p>{text}</p>" + (
            f"<table><tr>{cells}</table></section>\n"
        )
        body.append(section)
        size += len(section)
    return (
        "<!doctype html><html lang=en><head><meta charset=utf-8><title>Report</title>"
        "<meta name=viewport content='width=device-width'>"
        '<script src="https://cdn.jsdelivr.net/npm/echarts@6/dist/echarts.min.js"></script>'
        '<script src="https://cdn.jsdelivr.net/npm/@pardnchiu/quickui/dist/QuickUI.js"></script>'
        '<script src="t.js"></script></head><body>'
        + "\n".join(body)
        + "\n<script>\n"
        + "\n".join(script)
        + "\n</script></body></html>"
    )


def best(work: Callable[[], object], runs: int = RUNS) -> float:
    """Return the least CPU time of several runs, in milliseconds."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times) * 1000


def main() -> None:
    page = make_page()
    scripts = [script.text for script in find_scripts(Document(page)) if script.runs]

    def parse_html() -> None:
        JustHTML(page, sanitize=False, scripting_enabled=True, track_node_locations=True)

    def parse_scripts() -> None:
        for text in scripts:
            deeply(lambda text=text: esprima.parseScript(text, {"range": True}))

    findings = check_page(page)
    html, javascript = best(parse_html), best(parse_scripts)
    check = best(lambda: check_page(page))
    beyond = (check - javascript) / html
    print(
        f"page {len(page) / 1000:.0f} KB, scripts {sum(map(len, scripts)) / 1000:.0f} KB, "
        f"{len(findings)} findings"
    )
    print(f"justhtml alone        {html:8.1f} ms")
    print(f"esprima alone         {javascript:8.1f} ms")
    print(f"check                 {check:8.1f} ms")
    print(f"check / (justhtml + esprima)     {check / (html + javascript):5.2f}")
    print(f"(check - esprima) / justhtml     {beyond:5.2f}   (promise: 4 at most)")

    library = (
        "(function(){"
        + "\n".join(
            f"function f{n}(a, b) {{ const c = a[b] ?? {n}; return c ? f{n}(c, 'x{n}') : [c, {{ k: b }}]; }}"
            for n in range(12_000)
        )
        + "})();"
    )
    inlined = page.replace('<script src="t.js">', f'<script>{library}</script><script src="t.js">')
    with tempfile.TemporaryDirectory() as folder:
        memory = Path(folder)
        first = best(lambda: check_page(inlined, memory=memory), runs=1)
        second = best(lambda: check_page(inlined, memory=memory))

        def other_process() -> None:
            large_scripts._REMEMBERED.clear()
            check_page(inlined, memory=memory)

        third = best(other_process)
    print(f"\nthe same page with a library of {len(library) / 1e6:.1f} MB inlined")
    print(f"first check           {first:8.1f} ms")
    print(f"second check          {second:8.1f} ms   {second / check:5.2f} of the page without it")
    print(f"in another process    {third:8.1f} ms   {third / check:5.2f} of the page without it")


if __name__ == "__main__":
    main()
