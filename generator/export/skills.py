"""Each topic as an Agent Skill, with the index that clients discover them by.

Format: https://agentskills.io/specification; discovery: a ``.well-known`` index whose entries
carry the SHA-256 of the skill file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from generator import limits
from generator.export.bundles import json_rows
from generator.export.library import Entry
from generator.export.outputs import Output, digest, sha256
from generator.export.site import Site
from generator.guides.headings import name_guides

_INDEX = ".well-known/agent-skills/index.json"
_SCHEMA = "https://schemas.agentskills.io/discovery/0.2.0/schema.json"


def outputs(site: Site) -> Iterator[Output]:
    """Yield every skill and the index."""
    for entry in site.entries.values():
        yield Output(
            f"skills/{skill_name(entry.topic)}/SKILL.md",
            entry.key,
            lambda entry=entry: skill(entry).encode(),  # type: ignore[misc]
        )
    everything = tuple(entry.key for entry in site.entries.values())
    yield Output(_INDEX, digest("skills", everything, site.url), lambda: index(site))


def skill_name(topic: str) -> str:
    """Return the skill's name: letters, digits and hyphens, equal to its folder."""
    return topic.replace("_", "-")


def description(entry: Entry) -> str:
    """Return what the skill is and when to use it, within the format's limit."""
    text = f"{entry.guide.title}. {entry.guide.summary}"
    return text[: limits.SKILL_DESCRIPTION_CHARACTERS]


def skill(entry: Entry) -> str:
    """Return the skill file: front matter, the title, the rules as the guide has them."""
    guide = entry.guide
    body = name_guides(entry.compiled.markdown, kind="skill", name=skill_name)
    return (
        f"---\nname: {skill_name(guide.topic)}\n"
        f"description: {json.dumps(description(entry), ensure_ascii=False)}\n"
        f"metadata:\n  topic: {guide.topic}\n  since: {json.dumps(guide.since)}\n---\n\n"
        f"# {guide.title}\n\n{body}"
    )


def index(site: Site) -> bytes:
    """Return the discovery index."""
    rows = [
        _index_row(entry, site.link(_INDEX, f"skills/{skill_name(entry.topic)}/SKILL.md"))
        for entry in site.entries.values()
    ]
    return json_rows({"$schema": _SCHEMA}, {"skills": rows})


def _index_row(entry: Entry, url: str) -> str:
    hashed = entry.store.derived("skill", entry.key, lambda: sha256(skill(entry).encode()))
    record = {
        "name": skill_name(entry.topic),
        "type": "skill-md",
        "description": description(entry),
        "url": url,
        "digest": f"sha256:{hashed}",
    }
    return json.dumps(record, ensure_ascii=False)
