"""Mined drafts: failures of past runs with what worked afterwards, which nobody has looked through.

They are gathered as ``fieldguide errors mine`` gathers them, from the sessions that were chosen;
those that were accepted are error records and stand there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from generator.errors.mining import encode_draft
from generator.errors.records import load_records
from generator.errors.signature import telling_lines
from generator.export.bundles import to_json
from generator.export.error_pages import fenced, first_line
from generator.export.history.inline import InlineImages
from generator.export.history.places import page_of_ref
from generator.export.history.prepare import chosen_rows
from generator.export.history.wording import clean, shortened
from generator.export.masker import MaskedPlace, Masker
from generator.export.outputs import Output, digest
from generator.export.site import Batch, Figure, Found, Listed, Section, Site
from generator.model.failure import MinedFailure
from generator.recall.mined import mine_archive

_PAGE = 100  # drafts on a page
_SHOWN = 900  # characters of a failure that the page shows; JSON has what mining kept


@dataclass(frozen=True, slots=True)
class _Drafts:
    """The drafts as they are exported, by tool, the newest first; and what was masked in them."""

    records: tuple[dict[str, Any], ...]
    masked: tuple[MaskedPlace, ...]

    def pages(self) -> list[Sequence[dict[str, Any]]]:
        """Return the drafts of each page; the first one is there even when there are none."""
        starts = range(0, max(len(self.records), 1), _PAGE)
        return [self.records[at : at + _PAGE] for at in starts]


def _drafts(site: Site) -> _Drafts:
    return site.once("drafts", lambda: _load(site))


def _load(site: Site) -> _Drafts:
    settings = site.workspace.settings.site
    rows = chosen_rows(site)
    accepted = sorted(item.mined for item in load_records(site.workspace.home)[0] if item.mined)
    key = digest(
        site.base,
        [(row.path.name, row.size, row.mtime_ns) for row in rows],
        accepted,
        repr(settings),
    )
    held = site.memo.get("drafts", key)
    if held is None:
        mined = mine_archive(site.workspace, rows).failures
        fresh = sorted((item for item in mined if item.accepted is None), key=_newest)
        held = []
        for draft in fresh:
            masker = Masker(settings, rewrite=InlineImages(keep=False))
            record = encode_draft(_masked(draft, masker))
            masker.counts.update(draft.masked)
            held.append([record, dict(masker.counts)])
        site.memo.put("drafts", key, held)
    records = tuple(record for record, _ in held)
    masked = tuple(
        MaskedPlace(
            section="drafts", ref=f"draft:{record['id']}", page=_path(at // _PAGE), counts=counts
        )
        for at, (record, counts) in enumerate(held)
        if counts
    )
    return _Drafts(records, masked)


def _newest(draft: MinedFailure) -> tuple[str, float, str]:
    return draft.tool, -draft.last.timestamp() if draft.last else 0.0, draft.id


def _masked(draft: MinedFailure, masker: Masker) -> MinedFailure:
    """Mask what mining did not: it leaves what names a person."""
    fix = draft.fix
    return replace(
        draft,
        tool=masker.text(draft.tool),
        symptom=masker.text(draft.symptom),
        fix=fix
        and replace(
            fix,
            arguments=masker.text(fix.arguments),
            failed_arguments=masker.text(fix.failed_arguments),
        ),
    )


def draft_count(site: Site) -> int:
    """Return how many drafts wait to be looked through."""
    return len(_drafts(site).records)


def _path(page: int, ending: str = "html") -> str:
    """Return the path of a page, counted from 0."""
    return f"drafts/{page + 1 if page else 'index'}.{ending}"


def _outputs(site: Site) -> Iterator[Output]:
    pages = _drafts(site).pages()
    for number, records in enumerate(pages):
        rows = [_row(site, record) for record in records]
        key = digest("drafts", site.shell_key, number, len(pages), repr(rows))
        yield Output(_path(number), key, _maker(_page, site, number, rows))
        yield Output(_path(number, "md"), key, _maker(_text, site, number, rows))
    everything = digest("drafts", repr(_drafts(site).records))
    yield Output("drafts/index.json", everything, lambda: _record(site))


def _maker(make: Callable[..., bytes], *arguments: Any) -> Callable[[], bytes]:
    return lambda: make(*arguments)


def _row(site: Site, record: dict[str, Any]) -> dict[str, Any]:
    """Return what the page shows of a draft."""

    def excerpt(text: str | None) -> str:
        return shortened(clean(text or ""), site.texts, _SHOWN)[0]

    last = datetime.fromisoformat(record["last"]) if record["last"] else None
    return {
        "id": record["id"],
        "tool": clean(record["tool_name"]),
        "title": _title(record),
        "symptom": excerpt(record["symptom"]),
        "failed_with": excerpt(record["failed_with"]),
        "worked_with": excerpt(record["worked_with"]),
        "fix": _linked(site, record["fix_ref"]) if record["fix_ref"] else None,
        "seen": [_linked(site, ref) for ref in record["refs"]],
        "count": record["count"],
        "agents": list(record["agents"]),
        "last": last.astimezone(site.workspace.zone) if last else None,
        "accept": record["accept"],
    }


def _title(record: dict[str, Any]) -> str:
    telling = telling_lines(clean(record["symptom"]), most=1)
    return first_line(telling[0] if telling else record["symptom"], 110)


def _linked(site: Site, ref: str) -> tuple[str, str | None]:
    return ref, page_of_ref(site, ref)


def _page(site: Site, number: int, rows: Sequence[dict[str, Any]]) -> bytes:
    drafts = _drafts(site)
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault(row["tool"], []).append(row)
    return site.page(
        "drafts.html",
        _path(number),
        twin=_path(number, "md"),
        groups=groups,
        number=number + 1,
        pages=[_path(at) for at in range(len(drafts.pages()))],
        total=len(drafts.records),
    )


def _text(site: Site, number: int, rows: Sequence[dict[str, Any]]) -> bytes:
    texts, words = site.texts, site.texts["drafts"]
    parts = [f"# {words['title']}", words["lead"] if rows else words["empty"]]
    for row in rows:
        parts.append(f"## {texts.say('site', 'about_it', name=row['tool'], about=row['title'])}")
        parts.append(_facts(site, row))
        parts.append(fenced(row["symptom"]))
        if row["fix"]:
            parts += [f"{words['failed_with']}:", fenced(row["failed_with"])]
            parts += [texts.say("drafts", "worked_with", ref=row["fix"][0]) + ":"]
            parts.append(fenced(row["worked_with"]))
        else:
            parts.append(texts.say("drafts", "no_fix", tool=row["tool"]))
        parts.append(
            texts.say("drafts", "seen_at", refs=texts.listed(ref for ref, _ in row["seen"]))
        )
        parts.append(texts.say("drafts", "accept", command=f"`{row['accept']}`"))
    pages = len(_drafts(site).pages())
    if number + 1 < pages:
        following = site.link(_path(number, "md"), _path(number + 1, "md"))
        parts.append(f"[{texts.say('session', 'page', n=number + 2)}]({following})")
    return site.twin(_path(number, "md"), "\n\n".join(parts).split("\n"))


def _facts(site: Site, row: dict[str, Any]) -> str:
    facts = [site.texts["drafts"]["mark"], f"{row['last']:%Y-%m-%d}" if row["last"] else ""]
    facts += [site.count(row["count"], "seen"), *row["agents"]]
    return site.texts.listed(filter(None, facts))


def _record(site: Site) -> bytes:
    return to_json({"drafts": list(_drafts(site).records)})


def _batches(site: Site) -> Iterator[Batch]:
    for number, records in enumerate(_drafts(site).pages()):
        if records:
            yield Batch(
                name=f"drafts-{number}",
                key=digest("drafts", repr(records), number, site.texts.key),
                make=lambda number=number, records=records: [  # type: ignore[misc]
                    _found(site, number, record) for record in records
                ],
                size=len(records),
            )


def _found(site: Site, number: int, record: dict[str, Any]) -> Found:
    parts = [clean(record["symptom"]), clean(record["action"] or ""), *record["refs"]]
    tool = clean(record["tool_name"])
    return Found(
        path=f"{_path(number)}#{record['id']}",
        title=site.texts.say("site", "about_it", name=tool, about=_title(record)),
        text="\n".join(filter(None, [*parts, record["id"]])),
    )


def _figures(site: Site) -> list[Figure]:
    return [Figure(number=len(_drafts(site).records), noun="draft", path=_path(0))]


def _listed(site: Site) -> list[Listed]:
    title, pages = site.texts["sections"]["drafts"], _drafts(site).pages()
    return [
        Listed(path=_path(number, "md"), title=title, text=site.count(len(records), "draft"))
        for number, records in enumerate(pages)
    ]


DRAFTS = Section(
    name="drafts",
    path=_path(0),
    outputs=_outputs,
    batches=_batches,
    figures=_figures,
    listed=_listed,
    masked=lambda site: _drafts(site).masked,
)
