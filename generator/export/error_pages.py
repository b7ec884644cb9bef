"""Error records: a list by tool, and for each record a page with a stable address and its JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from generator.errors.records import encode, load_records
from generator.export.bundles import to_json
from generator.export.history.inline import InlineImages
from generator.export.masker import MaskedPlace, Masker
from generator.export.outputs import Output, digest
from generator.export.site import Batch, Figure, Found, Listed, Section, Site
from generator.markup.markdown import Options, render_markdown
from generator.model.failure import Failure
from generator.model.finding import Finding

_RELATED = 6
_BATCH = 100  # records whose texts stand in one file of the search


@dataclass(frozen=True, slots=True)
class _Records:
    """The records as they are exported, newest first, and what was masked in them."""

    failures: tuple[Failure, ...]
    masked: tuple[MaskedPlace, ...]

    def of_tool(self, name: str) -> list[Failure]:
        return [failure for failure in self.failures if failure.tool_name == name]


def _records(site: Site) -> _Records:
    def load() -> _Records:
        kept, masked = [], []
        since = site.choice.since
        for failure in load_records(site.workspace.home)[0]:
            if since and failure.recorded_at < since:
                continue
            masker = Masker(site.workspace.settings.site, rewrite=InlineImages(keep=False))
            kept.append(
                replace(
                    failure,
                    tool_name=masker.text(failure.tool_name),
                    keywords=tuple(map(masker.text, failure.keywords)),
                    symptom=masker.text(failure.symptom),
                    cause=masker.text(failure.cause) if failure.cause else None,
                    action=masker.text(failure.action),
                )
            )
            if masker.counts:
                masked.append(
                    MaskedPlace(
                        section="errors",
                        ref=f"error:{failure.hash}",
                        page=f"errors/{failure.hash}.html",
                        counts=dict(masker.counts),
                    )
                )
        return _Records(tuple(kept), tuple(masked))

    return site.once("errors", load)


def errors_of_tools(site: Site, names: Sequence[str]) -> list[Failure]:
    """Return the newest records of some tools, none when errors are not exported."""
    if not site.has("errors") or not names:
        return []
    return [item for item in _records(site).failures if item.tool_name in names][:_RELATED]


def error_links(failures: Sequence[Failure]) -> list[dict[str, str]]:
    """Return what a list of links to records shows."""
    return [
        {
            "path": f"errors/{item.hash}.html",
            "tool": item.tool_name,
            "title": first_line(item.symptom),
            "action": first_line(item.action),
        }
        for item in failures
    ]


def first_line(text: str, longest: int = 140) -> str:
    """Return the first line that says something, cut at a word."""
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    if len(line) <= longest:
        return line
    return line[:longest].rsplit(" ", 1)[0].rstrip(" .,;:") + " …"


def _outputs(site: Site) -> Iterator[Output]:
    records = _records(site)
    everything = digest("errors", site.shell_key, repr(records.failures), _drafts(site))
    yield Output("errors/index.html", everything, lambda: _index_page(site))
    yield Output("errors/index.md", everything, lambda: _index_text(site))
    yield Output("errors/index.json", everything, lambda: _index_record(site))
    for failure in records.failures:
        related = [item for item in records.of_tool(failure.tool_name) if item is not failure]
        key = digest("error", site.shell_key, repr(failure), repr(related[:_RELATED]))
        stem = f"errors/{failure.hash}"
        yield Output(f"{stem}.html", key, _maker(_page, site, failure, related[:_RELATED]))
        yield Output(f"{stem}.md", key, _maker(_text, site, failure, related[:_RELATED]))
        yield Output(f"{stem}.json", key, _maker(_record, failure))


def _drafts(site: Site) -> int | None:
    """Return how many drafts wait beside the records; None when they are not exported."""
    if not site.has("drafts"):
        return None
    from generator.export.draft_pages import draft_count  # its pages link back here

    return draft_count(site)


def _maker(make: Callable[..., bytes], *arguments: Any) -> Callable[[], bytes]:
    return lambda: make(*arguments)


def _index_page(site: Site) -> bytes:
    records = _records(site)
    groups: dict[str, list[dict[str, Any]]] = {}
    for failure in records.failures:
        groups.setdefault(failure.tool_name, []).append(
            {
                "path": f"errors/{failure.hash}.html",
                "hash": failure.hash,
                "title": first_line(failure.symptom),
                "action": first_line(failure.action),
                "recorded": failure.recorded_at.astimezone(site.workspace.zone),
            }
        )
    return site.page(
        "errors.html",
        "errors/index.html",
        twin="errors/index.md",
        groups=dict(sorted(groups.items())),
        drafts=_drafts(site),
    )


def _page(site: Site, failure: Failure, related: Sequence[Failure]) -> bytes:
    options = Options(
        image=_no_image, anchor_prefix=f"{failure.hash}-", labels=site.texts["markdown"]
    )
    return site.page(
        "error.html",
        f"errors/{failure.hash}.html",
        twin=f"errors/{failure.hash}.md",
        failure=failure,
        title=first_line(failure.symptom, 90),
        recorded=failure.recorded_at.astimezone(site.workspace.zone),
        action=render_markdown(failure.action, options).html,
        cause=render_markdown(failure.cause, options).html if failure.cause else "",
        related=error_links(related),
    )


def _no_image(_address: str, line: int) -> Finding:
    """Show a picture that a record names as a link: nothing is loaded from elsewhere."""
    return Finding(rule="image", severity="warning", line=line, column=1, message="", fix="")


def _text(site: Site, failure: Failure, related: Sequence[Failure]) -> bytes:
    texts, words, path = site.texts, site.texts["errors"], f"errors/{failure.hash}.md"
    lines = [f"# {_title(site, failure)}", ""]
    lines += [texts.say("errors", "ref", ref=f"error:{failure.hash}")]
    if failure.keywords:
        lines.append(texts.say("errors", "keywords", words=texts.listed(failure.keywords)))
    lines.append("")
    lines += [f"## {words['symptom']}", "", fenced(failure.symptom), ""]
    if failure.cause:
        lines += [f"## {words['cause']}", "", failure.cause, ""]
    lines += [f"## {words['action']}", "", failure.action, ""]
    if related:
        lines += [f"## {words['same_tool']}", ""]
        lines += [_listed_record(site, item).line(site, path) for item in related]
    return site.twin(path, lines)


def _title(site: Site, failure: Failure, longest: int = 140) -> str:
    about = first_line(failure.symptom, longest)
    return site.texts.say("site", "about_it", name=failure.tool_name, about=about)


def fenced(text: str) -> str:
    """Return a text as a Markdown block that nothing in it can end."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}text\n{text}\n{fence}"


def _record(failure: Failure) -> bytes:
    return to_json(encode(failure))


def _index_text(site: Site) -> bytes:
    words = site.texts["errors"]
    failures = _records(site).failures
    lines = [f"# {words['title']}", "", words["lead" if failures else "empty"], ""]
    lines += [row.line(site, "errors/index.md") for row in _listed(site)]
    drafts = _drafts(site)
    if drafts is not None:
        link = f"[{site.count(drafts, 'draft')}]({site.link('errors/index.md', 'drafts/index.md')})"
        lines += ["", site.texts.say("errors", "drafts", count=link)]
    return site.twin("errors/index.md", lines)


def _listed_record(site: Site, failure: Failure) -> Listed:
    return Listed(
        path=f"errors/{failure.hash}.md",
        title=_title(site, failure),
        text=first_line(failure.action),
    )


def _index_record(site: Site) -> bytes:
    return to_json({"errors": [encode(failure) for failure in _records(site).failures]})


def _batches(site: Site) -> Iterator[Batch]:
    failures = _records(site).failures[::-1]
    for at in range(0, len(failures), _BATCH):
        share = failures[at : at + _BATCH]
        yield Batch(
            name=f"errors-{at // _BATCH}",
            key=digest("errors", repr(share), site.texts.key),
            make=lambda share=share: [_found(site, failure) for failure in share],  # type: ignore[misc]
            size=_BATCH,
        )


def _found(site: Site, failure: Failure) -> Found:
    parts = [failure.symptom, failure.cause or "", failure.action, " ".join(failure.keywords)]
    return Found(
        path=f"errors/{failure.hash}.html",
        title=_title(site, failure, 90),
        text="\n".join(filter(None, [*parts, f"error:{failure.hash}"])),
    )


def _figures(site: Site) -> list[Figure]:
    number = len(_records(site).failures)
    return [Figure(number=number, noun="error", path="errors/index.html")]


def _listed(site: Site) -> list[Listed]:
    return [_listed_record(site, failure) for failure in _records(site).failures]


ERRORS = Section(
    name="errors",
    path="errors/index.html",
    outputs=_outputs,
    batches=_batches,
    figures=_figures,
    listed=_listed,
    masked=lambda site: _records(site).masked,
)
