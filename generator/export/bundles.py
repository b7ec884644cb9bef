"""The files that agents fetch: topics, named bundles, their manifest, llms.txt.

Every text here is byte for byte what ``reasoning_guide`` returns for the same topics.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from generator.export.library import Entry
from generator.export.outputs import Output, digest, sha256
from generator.export.site import Listed, Site
from generator.guides.compose import CANNOT_DISPATCH, DISPATCH_TOPIC
from generator.guides.compose import section as compose_section
from generator.tokens import METHOD, tokens_of_counts

_LISTED = 20  # lines of a section that still stand in the map of the whole site


def json_rows(before: Mapping[str, Any], lists: Mapping[str, Sequence[str]]) -> bytes:
    """Write an object whose lists hold one record a line, quick to write and to compare.

    Args:
        before: Plain values that come first.
        lists: Records, already as JSON, by the name of their list.
    """
    parts = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in before.items()]
    parts += [f"{json.dumps(name)}: [\n" + ",\n".join(rows) + "\n]" for name, rows in lists.items()]
    return ("{\n" + ",\n".join(parts) + "\n}\n").encode()


def to_json(value: Any) -> bytes:
    """Write JSON as the export does: two spaces deep, Unicode as it is, one line end."""
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()


def outputs(site: Site) -> Iterator[Output]:
    """Yield the text files of every topic and bundle."""
    for entry in site.entries.values():
        yield from _topic_outputs(entry)
    everything = tuple(entry.key for entry in site.entries.values())
    bundles = tuple(site.bundles.items())
    yield Output(
        "guides/index.json", digest("manifest", everything, bundles), lambda: manifest(site)
    )
    for name, topics in site.bundles.items():
        yield Output(
            f"bundles/{name}.md",
            digest("bundle", tuple(site.entries[topic].key for topic in topics)),
            lambda topics=topics: site.joined(topics),  # type: ignore[misc]
        )
    listed = [(section.name, tuple(section.listed(site))) for section in site.sections]
    # What stands in a map of its own is only counted in the whole one.
    mapped = [(name, rows if len(rows) <= _LISTED else len(rows)) for name, rows in listed]
    yield Output(
        "llms.txt",
        digest("llms", site.shell_key, everything, bundles, mapped),
        lambda: llms_index(site),
    )
    for name, rows in listed:
        if len(rows) > _LISTED:
            yield Output(
                f"{name}/llms.txt",
                digest("llms", site.shell_key, name, rows),
                lambda name=name, rows=rows: nested(site, name, rows),  # type: ignore[misc]
            )
    yield Output("llms-full.txt", digest("llms", site.title, everything), lambda: llms_full(site))


def _topic_outputs(entry: Entry) -> Iterator[Output]:
    topic, key = entry.topic, entry.key
    yield Output(f"guides/{topic}.md", key, lambda: entry.compiled.text.encode())  # noqa: PLW0108 - compiles late
    yield Output(f"guides/{topic}.json", key, lambda: to_json(topic_record(entry, body=True)))
    yield Output(f"data/guides/{topic}.js", key, lambda: topic_script(entry))


def joined_size(entries: Sequence[Entry]) -> tuple[int, int, int]:
    """Return bytes, characters and CJK characters of a join without making it."""
    gaps = max(len(entries) - 1, 0)
    facts = [entry.facts for entry in entries]
    return (
        sum(fact.size for fact in facts) + gaps,
        sum(fact.characters for fact in facts) + gaps,
        sum(fact.cjk for fact in facts),
    )


def joined_tokens(entries: Sequence[Entry]) -> int:
    """Return the token estimate of a join without making it."""
    _, characters, cjk = joined_size(entries)
    return tokens_of_counts(characters, cjk)


def topic_record(entry: Entry, *, body: bool) -> dict[str, Any]:
    """Return what the JSON of a topic holds; the manifest has the same without the body."""
    guide, facts = entry.guide, entry.facts
    record: dict[str, Any] = {
        "topic": guide.topic,
        "title": guide.title,
        "summary": guide.summary,
        "since": guide.since,
        "aliases": list(guide.aliases),
        "sha256": facts.sha256,
        "bytes": facts.size,
        "tokens": facts.tokens,
    }
    if body:
        record["body"] = entry.compiled.text
    return record


def topic_script(entry: Entry) -> bytes:
    """Return a topic's text as a script, which pages opened from disk can load."""
    value = {"text": entry.compiled.text}
    if entry.topic == DISPATCH_TOPIC:
        value["leg"] = compose_section(entry.topic, CANNOT_DISPATCH + "\n")
    data = json.dumps(value, ensure_ascii=False).replace("</", "<\\/")
    name = json.dumps(entry.topic)
    return f"((self.fieldguide ??= {{}}).texts ??= {{}})[{name}] = {data};\n".encode()


def manifest(site: Site) -> bytes:
    """Return ``guides/index.json``: every topic and bundle with sizes and hashes."""
    guides = [
        entry.store.derived("manifest", entry.key, lambda entry=entry: _manifest_row(entry))  # type: ignore[misc]
        for entry in site.entries.values()
    ]
    bundles = []
    for name, topics in site.bundles.items():
        entries = [site.entries[topic] for topic in topics]
        size, characters, cjk = joined_size(entries)
        record = {
            "name": name,
            "topics": list(topics),
            "md": f"bundles/{name}.md",
            "sha256": sha256(site.joined(topics)),
            "bytes": size,
            "tokens": tokens_of_counts(characters, cjk),
        }
        bundles.append(json.dumps(record, ensure_ascii=False))
    return json_rows({"tokens": METHOD}, {"guides": guides, "bundles": bundles})


def _manifest_row(entry: Entry) -> str:
    files = {kind: f"guides/{entry.topic}.{kind}" for kind in ("html", "md", "json")}
    return json.dumps(topic_record(entry, body=False) | files, ensure_ascii=False)


def llms_index(site: Site) -> bytes:
    """Return ``llms.txt``: what is here and where, for agents (https://llmstxt.org)."""
    texts, labels, link = site.texts, site.texts["sections"], partial(site.link, "llms.txt")
    words = texts["llms"]
    lines = [f"# {site.title}", "", f"> {words['lead']}", ""]
    lines += [texts.say("llms", "sizes", method=METHOD), "", f"## {labels['guides']}", ""]
    lines += [
        _sized(site, guide.topic, f"guides/{guide.topic}.md", guide.summary, entry.facts.tokens)
        for entry in site.entries.values()
        for guide in [entry.guide]
    ]
    lines += ["", f"## {labels['bundles']}", ""]
    for name, topics in site.bundles.items():
        tokens = joined_tokens([site.entries[topic] for topic in topics])
        what = words["every"] if name == "all" else texts.listed(topics)
        lines.append(_sized(site, name, f"bundles/{name}.md", what, tokens))
    overviews = [Listed(path="index.md", title=site.title)]
    for section in site.sections:
        label = labels[section.name]
        overviews.append(Listed(path=section.path.removesuffix(".html") + ".md", title=label))
        rows: Sequence[Listed] = section.listed(site)
        if len(rows) > _LISTED:
            # What would drown the map stands in a map of its own.
            count = site.count(len(rows), "text")
            rows = [Listed(path=f"{section.name}/llms.txt", title=label, text=count)]
        if rows:
            lines += ["", f"## {label}", "", *(row.line(site, "llms.txt") for row in rows)]
    # The format gives this heading its meaning: what may be left out when room is short.
    lines += ["", "## Optional", "", *(row.line(site, "llms.txt") for row in overviews)]
    manifest_link = link("guides/index.json")
    lines.append(f"- [{words['manifest']}]({manifest_link}): {words['manifest_about']}")
    skills = link(".well-known/agent-skills/index.json")
    lines.append(f"- [{words['skills']}]({skills}): {words['skills_about']}")
    return ("\n".join(lines) + "\n").encode("utf-8", "replace")


def _sized(site: Site, name: str, path: str, about: str, tokens: int) -> str:
    told = site.texts.say("llms", "sized", about=about, tokens=site.count(tokens, "token"))
    return f"- [{name}]({site.link('llms.txt', path)}): {told}"


def nested(site: Site, name: str, rows: Sequence[Listed]) -> bytes:
    """Return the ``llms.txt`` of one section."""
    label, path = site.texts["sections"][name], f"{name}/llms.txt"
    title = site.texts.say("llms", "titled", site=site.title, section=label)
    whole = f"> [{site.texts['llms']['everything']}]({site.link(path, 'llms.txt')})"
    head = [f"# {title}", "", whole, "", f"## {label}", ""]
    lines = [row.line(site, path) for row in rows]
    return ("\n".join([*head, *lines]) + "\n").encode("utf-8", "replace")


def llms_full(site: Site) -> bytes:
    """Return ``llms-full.txt``: every topic in one file."""
    return f"# {site.title}\n\n".encode() + site.joined(tuple(site.entries))
