"""Writes what was found as SARIF 2.1.0, which code scanning reads.

Format: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import quote

from generator import __version__
from generator.checks import suppressions
from generator.checks.rules import CHECKS
from generator.checks.runner import RULE_IDS, Outcome
from generator.model.finding import Finding

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)


def to_sarif(outcome: Outcome, *, root: Path) -> dict[str, Any]:
    """Return the log of one run.

    Args:
        outcome: What was found.
        root: The folder that relative paths of findings are relative to.
    """
    seen: Counter[str] = Counter()
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "fieldguide",
                        "semanticVersion": __version__,
                        "rules": _rules(),
                    }
                },
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {"ROOT": {"uri": f"{root.as_uri().rstrip('/')}/"}},
                "invocations": [
                    {
                        "executionSuccessful": True,
                        "toolExecutionNotifications": [
                            {"level": "note", "message": {"text": text}}
                            for text in outcome.left_out
                        ],
                    }
                ],
                "results": [_result(finding, seen) for finding in outcome.findings],
            }
        ],
    }


def _rules() -> list[dict[str, Any]]:
    rules = [
        {
            "id": check.id,
            "shortDescription": {"text": check.reason},
            "help": {"text": check.fix},
            "defaultConfiguration": {"level": check.severity},
        }
        for check in CHECKS
    ]
    own = {
        "id": suppressions.RULE_ID,
        "shortDescription": {"text": suppressions.REASON},
        "help": {"text": "Give a reason, or take the comment out."},
        "defaultConfiguration": {"level": "warning"},
    }
    return [*rules, own]


def _result(finding: Finding, seen: Counter[str]) -> dict[str, Any]:
    return {
        "ruleId": finding.rule,
        "ruleIndex": RULE_IDS.index(finding.rule),
        "level": finding.severity,
        "message": {"text": f"{finding.message} {finding.fix}"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": _artifact(finding.path or ""),
                    "region": {"startLine": finding.line, "startColumn": finding.column},
                }
            }
        ],
        "partialFingerprints": {"fieldguide/v1": _fingerprint(finding, seen)},
    }


def _artifact(path: str) -> dict[str, str]:
    if Path(path).is_absolute():
        return {"uri": Path(path).as_uri()}
    return {"uri": quote(path), "uriBaseId": "ROOT"}


def _fingerprint(finding: Finding, seen: Counter[str]) -> str:
    """Tell a finding apart from others without its line, which moves."""
    key = f"{finding.rule}\n{finding.path}\n{finding.message}"
    seen[key] += 1
    return hashlib.sha256(f"{key}\n{seen[key]}".encode("utf-8", "surrogatepass")).hexdigest()[:32]
