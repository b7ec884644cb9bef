"""Runs the table of checks over files and puts what they find in order."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from generator.catalog.loader import Catalogs
from generator.checks import suppressions
from generator.checks.corpus import Corpus
from generator.checks.discovery import documents_at, library_documents, shown_path
from generator.checks.document import Document
from generator.checks.exported import ExportedSite, find_site
from generator.checks.options import Options
from generator.checks.rules import CHECKS, Check
from generator.checks.rules.base import Edit, Problem
from generator.exceptions import UnknownNameError
from generator.masking import mask
from generator.model.finding import Finding
from generator.workspace import Workspace

RULE_IDS = (*(check.id for check in CHECKS), suppressions.RULE_ID)
_DEFAULT_SITE = "site"

Recompile = Callable[[Path], Mapping[str, str] | None]
"""Compares a site with a fresh export: what is wrong, by file; None when it cannot tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a run found.

    Attributes:
        findings: Every finding, by path, line, column and rule.
        checked: How many files were checked.
        left_out: What was not checked and why, as sentences.
        sources: The text of each file that has findings, by the path the findings show.
        edits: Safe changes by file, for ``--fix``; of findings that no comment switches off.
    """

    findings: tuple[Finding, ...]
    checked: int
    left_out: tuple[str, ...]
    sources: Mapping[str, str]
    edits: Mapping[Path, tuple[Edit, ...]]

    def fails(self, options: Options) -> bool:
        """Tell whether a run with these options fails."""
        if options.fail_on == "never":
            return False
        return any(
            options.fail_on == "warning" or finding.severity == "error" for finding in self.findings
        )


def run_checks(
    workspace: Workspace,
    paths: Sequence[Path],
    options: Options,
    *,
    catalogs: Catalogs,
    recompile: Recompile | None = None,
) -> Outcome:
    """Check files.

    Args:
        workspace: Home, working folder, progress.
        paths: Files and folders; none for the shipped and the user's guides.
        options: What to run and how.
        catalogs: The tools that exist, our own among them.
        recompile: Compares the exported site with a fresh export, when the shipped and the user's
            guides are checked.

    Raises:
        UsageError: A path does not exist.
        UnknownNameError: A rule does not exist.
        StorageError: A file cannot be read.
    """
    checks = choose_checks(options)
    library = library_documents(workspace)
    shared = {document.topic: document for document in library}
    documents = library
    if paths:
        documents = documents_at(
            paths,
            cwd=workspace.cwd,
            exclude=options.exclude,
            guides=options.guides,
            rules=options.rules,
        )
        own = {document.path: document for document in documents}
        shared = {topic: own.get(guide.path, guide) for topic, guide in shared.items()}
    site = _site(workspace, options, checks, whole=not paths, recompile=recompile)
    corpus = Corpus(
        documents=documents,
        shared=shared,
        catalogs=catalogs,
        site=site,
        budgets=options.budgets,
        whole=not paths,
    )
    problems = _problems(workspace, corpus, checks)
    return _outcome(workspace, corpus, checks, options, problems)


def choose_checks(options: Options) -> list[Check]:
    """Return the checks that options ask for, in table order.

    Raises:
        UnknownNameError: A rule does not exist.
    """
    for name in (*options.select, *options.ignore):
        if name not in RULE_IDS:
            raise UnknownNameError("rule", name, RULE_IDS)
    return [
        check
        for check in CHECKS
        if (not options.select or check.id in options.select) and check.id not in options.ignore
    ]


def _site(
    workspace: Workspace,
    options: Options,
    checks: Iterable[Check],
    *,
    whole: bool,
    recompile: Recompile | None,
) -> ExportedSite | None:
    """Return the site to compare with: the one that was named, else the one beside the guides.

    Given paths have a site only when one is named: any other may be of other guides.
    """
    if not any(check.needs_site for check in checks) or not (whole or options.site):
        return None
    site = find_site(options.site or workspace.cwd / _DEFAULT_SITE)
    wanted = any(check.id == "stale-export" for check in checks)
    if site is not None and whole and recompile is not None and wanted:
        return replace(site, stale=recompile(site.root))
    return site


def _problems(
    workspace: Workspace, corpus: Corpus, checks: Sequence[Check]
) -> list[tuple[Check, Problem]]:
    found: list[tuple[Check, Problem]] = []
    total = len(corpus.documents)
    for number, document in enumerate(corpus.documents):
        workspace.progress("checking guides", number, total)
        for check in checks:
            if document.kind == "guide" or not check.guides_only:
                found += [(check, problem) for problem in check.document(document, corpus)]
    for check in checks:
        if not check.needs_site or corpus.site is not None:
            found += [(check, problem) for problem in check.corpus(corpus)]
    return found


def _outcome(
    workspace: Workspace,
    corpus: Corpus,
    checks: Sequence[Check],
    options: Options,
    problems: Iterable[tuple[Check, Problem]],
) -> Outcome:
    documents = {document.path: document for document in corpus.documents}
    by_path: dict[Path, list[Finding]] = defaultdict(list)
    edits: dict[Finding, tuple[Edit, ...]] = {}
    for check, problem in problems:
        finding = _finding(workspace, documents, check, problem, options)
        by_path[problem.place.path].append(finding)
        if problem.edits and problem.place.path in documents:
            edits[finding] = problem.edits
    kept: list[Finding] = []
    changes: dict[Path, tuple[Edit, ...]] = {}
    for path in sorted({*documents, *by_path}):
        found = list(dict.fromkeys(by_path.get(path, ())))
        document = documents.get(path)
        if document is not None:
            found = _without_disabled(document, found, checks, options)
            changed = [edit for finding in found for edit in edits.get(finding, ())]
            if changed:
                changes[path] = tuple(changed)
        kept += sorted(found, key=lambda item: (item.line, item.column, item.rule, item.message))
    kept.sort(key=lambda item: item.path or "")
    return Outcome(
        findings=tuple(kept),
        checked=len(corpus.documents),
        left_out=tuple(_left_out(corpus, checks)),
        sources=_sources(workspace, documents, by_path),
        edits=changes,
    )


def _finding(
    workspace: Workspace,
    documents: Mapping[Path, Document],
    check: Check,
    problem: Problem,
    options: Options,
) -> Finding:
    path = problem.place.path
    document = documents.get(path)
    # A message may quote the file: what it quotes must not hold a secret.
    return Finding(
        rule=check.id,
        severity=options.severity.get(check.id, problem.severity or check.severity),
        line=problem.place.line,
        column=problem.place.column,
        message=mask(problem.message).text,
        fix=mask(problem.fix or check.fix).text,
        path=document.name if document else shown_path(path, workspace.cwd),
    )


def _without_disabled(
    document: Document, found: list[Finding], checks: Sequence[Check], options: Options
) -> list[Finding]:
    if "fieldguide-" not in document.source:
        return found
    active = {check.id for check in checks if document.kind == "guide" or not check.guides_only}
    if suppressions.RULE_ID in options.ignore or (
        options.select and suppressions.RULE_ID not in options.select
    ):
        active = set()
    disables, wrong = suppressions.read_comments(document, RULE_IDS)
    kept = list(suppressions.apply(document, found, disables, active))
    return [*kept, *wrong] if active else kept


def _sources(
    workspace: Workspace, documents: Mapping[Path, Document], found: Iterable[Path]
) -> dict[str, str]:
    sources = {}
    for path in found:
        document = documents.get(path)
        if document is not None:
            sources[document.name] = document.source
        elif os.path.isfile(path):  # noqa: PTH113 - a passage or an exported file, only shown
            text = path.read_bytes()[:1_000_000].decode("utf-8", errors="replace")
            sources[shown_path(path, workspace.cwd)] = text
    return sources


def _left_out(corpus: Corpus, checks: Sequence[Check]) -> Iterable[str]:
    sites = [check.id for check in checks if check.needs_site]
    if sites and corpus.site is None:
        yield (
            f"{' and '.join(sites)} left out: there is no exported site "
            "(name one with --site, or run 'fieldguide build')."
        )
    others = [document.name for document in corpus.rules_files()]
    needing = [check.id for check in checks if check.guides_only]
    if others and needing:
        shown = ", ".join(others[:5]) + (f" and {len(others) - 5} more" if len(others) > 5 else "")
        yield (
            f"{', '.join(needing)} left out for files without our front matter and catalog: {shown}."
        )
    for problem in corpus.catalogs.problems:
        yield f"A tool catalog was left out: {problem}"
