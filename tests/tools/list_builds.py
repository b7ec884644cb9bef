"""Writes ``generator/reports/known_builds.json``: sha256 of library builds as npm ships them.

Run by hand when a library is added or has a new version, with npm on the path:
``python tests/tools/list_builds.py``. Builds are fetched into a temporary folder; nothing of them
is kept but their hashes.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from generator.reports.libraries import digest

TARGET = Path(__file__).parents[2] / "generator" / "reports" / "known_builds.json"
# package: (versions, globals, files in it)
LIBRARIES: dict[str, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {
    "echarts": (
        ("4.9.0", "5.3.3", "5.4.3", "5.5.0", "5.5.1", "5.6.0", "6.0.0", "6.1.0"),
        ("echarts",),
        (
            "dist/echarts.js",
            "dist/echarts.min.js",
            "dist/echarts.common.min.js",
            "dist/echarts.simple.min.js",
        ),
    ),
    "chart.js": (
        ("2.9.4", "3.9.1", "4.4.0", "4.4.4", "4.4.9", "4.5.0"),
        ("Chart",),
        (
            "dist/Chart.js",
            "dist/Chart.min.js",
            "dist/chart.js",
            "dist/chart.min.js",
            "dist/chart.umd.js",
            "dist/chart.umd.min.js",
        ),
    ),
    "d3": (("5.16.0", "6.7.0", "7.8.5", "7.9.0"), ("d3",), ("dist/d3.js", "dist/d3.min.js")),
    "vega": (("5.30.0", "5.33.0", "6.1.2"), ("vega",), ("build/vega.js", "build/vega.min.js")),
    "vega-lite": (
        ("5.21.0", "5.23.0", "6.1.0"),
        ("vegaLite",),
        ("build/vega-lite.js", "build/vega-lite.min.js"),
    ),
    "vega-embed": (
        ("6.26.0", "6.29.0", "7.0.2"),
        ("vegaEmbed",),
        ("build/vega-embed.js", "build/vega-embed.min.js"),
    ),
    "jquery": (
        ("3.6.0", "3.6.4", "3.7.0", "3.7.1"),
        ("$", "jQuery"),
        ("dist/jquery.js", "dist/jquery.min.js", "dist/jquery.slim.min.js"),
    ),
    "mermaid": (
        ("10.9.3", "11.4.1", "11.6.0"),
        ("mermaid",),
        ("dist/mermaid.js", "dist/mermaid.min.js"),
    ),
    "katex": (
        ("0.16.11", "0.16.22"),
        ("katex",),
        ("dist/katex.js", "dist/katex.min.js", "dist/contrib/auto-render.min.js"),
    ),
    "marked": (("12.0.2", "15.0.7"), ("marked",), ("marked.min.js", "lib/marked.umd.js")),
    "leaflet": (("1.9.4",), ("L",), ("dist/leaflet.js",)),
    "highlight.js": (("11.9.0",), ("hljs",), ("lib/core.js",)),
    "plotly.js-dist-min": (("2.35.2", "3.0.1"), ("Plotly",), ("plotly.min.js",)),
}


def main() -> None:
    builds: dict[str, dict[str, object]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for package, (versions, names, files) in LIBRARIES.items():
            for version in versions:
                fetched = subprocess.run(
                    ["npm", "pack", "--silent", f"{package}@{version}"],
                    cwd=folder,
                    capture_output=True,
                    text=True,
                    check=False,
                )
                if fetched.returncode:
                    print(f"{package}@{version}: not to be had", file=sys.stderr)
                    continue
                archive = Path(folder) / fetched.stdout.strip().splitlines()[-1]
                subprocess.run(["tar", "-xzf", archive.name], cwd=folder, check=True)
                for file in files:
                    path = Path(folder) / "package" / file
                    if path.is_file():
                        key = digest(path.read_text(encoding="utf-8"))
                        builds[key] = {
                            "name": f"{package}@{version} {file}",
                            "globals": list(names),
                        }
                subprocess.run(["rm", "-rf", "package", archive.name], cwd=folder, check=True)
    rows = sorted(builds.items(), key=lambda item: str(item[1]["name"]))
    head = json.loads(TARGET.read_text())["what"]
    TARGET.write_text(json.dumps({"what": head, "builds": dict(rows)}, indent=1) + "\n")
    print(f"{len(rows)} builds listed")


if __name__ == "__main__":
    main()
