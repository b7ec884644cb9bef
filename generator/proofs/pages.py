"""Judges HTML samples as what they become: reports, or parts of one."""

from __future__ import annotations

import re

from generator.model.finding import Finding
from generator.proofs.samples import Sample
from generator.reports.checker import check_page

_WHOLE = re.compile(r"\s*<!doctype html", re.IGNORECASE)
_SHELL = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sample</title>
<script src="https://cdn.jsdelivr.net/npm/@pardnchiu/quickui@0.6.17/dist/QuickUI.js"></script></head>
<body><div id="sample">
{sample}
</div><script>
const data = window.reportData;
new QUI({{ id: "sample", data }});
</script></body></html>
"""


def is_whole_page(code: str) -> bool:
    """Tell whether a sample is a page and not a part of one."""
    return bool(_WHOLE.match(code))


def page_of(sample: Sample) -> str:
    """Return the page a sample is, or one that holds it inside a mount whose data is not known."""
    return sample.code if is_whole_page(sample.code) else _SHELL.format(sample=sample.code)


def page_findings(sample: Sample) -> list[Finding]:
    """Check an HTML sample as ``write_result`` would."""
    return check_page(page_of(sample))


def page_problems(sample: Sample) -> list[str]:
    """Return why an HTML sample is not what its guide says it is.

    A right sample must pass. A wrong one must be rejected, by every rule it names.
    """
    errors = [found for found in page_findings(sample) if found.severity == "error"]
    if not sample.wrong:
        return [f"{found.rule} at {found.line}:{found.column}: {found.message}" for found in errors]
    if not errors:
        return ["It is marked wrong, and it passes."]
    seen = {found.rule for found in errors}
    return [
        f"It is marked wrong, and {rule} does not find it."
        for rule in sample.rules
        if rule not in seen
    ]
