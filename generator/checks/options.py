"""The settings of the checks: ``fieldguide.toml``, or ``[tool.fieldguide]`` in pyproject.toml.

    [check]
    select = ["dead-link"]          # only these rules
    ignore = ["budget"]             # all but these
    fail-on = "error"               # warnings do not fail the run
    exclude = ["vendor/*"]          # paths that are not checked
    guides = ["handbook/*.md"]      # files that are guides, whatever they look like
    rules = ["notes/*.md"]          # files that are none
    site = "public"                 # the exported site, for stale-export and parity
    severity = {conflict = "error"}
    budget = {section = 1000, topic = 2000, bundle = 10000, rules = 4000}
    topics = {office = 5000}        # topics with a budget of their own
    bundles = {all = 40000}         # bundles with a budget of their own

In pyproject.toml the table is ``[tool.fieldguide.check]``. The nearest file above the working folder
counts.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal

from generator.checks.corpus import Budgets
from generator.exceptions import UsageError
from generator.model.finding import Severity

FailOn = Literal["warning", "error", "never"]
FAIL_ON: tuple[FailOn, ...] = ("warning", "error", "never")
_KEYS = (
    "select", "ignore", "fail-on", "exclude", "guides", "rules", "site", "severity", "budget",
    "topics", "bundles",
)  # fmt: skip
_BUDGETS = ("section", "topic", "bundle", "rules")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What a run is asked for.

    Attributes:
        select: Ids of the only rules to run; empty for all.
        ignore: Ids of rules not to run.
        fail_on: The least severity that makes the run fail.
        exclude: Patterns of paths that are not checked.
        guides: Patterns of files that are guides.
        rules: Patterns of files that are none.
        site: Folder of the exported site; None for ``site`` beside the settings.
        severity: Severities that differ from the rules' own.
        budgets: The budgets.
        root: The folder the patterns are relative to.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_on: FailOn = "warning"
    exclude: tuple[str, ...] = ()
    guides: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    site: Path | None = None
    severity: Mapping[str, Severity] = field(default_factory=dict)
    budgets: Budgets = field(default_factory=Budgets)
    root: Path | None = None


def load_options(cwd: Path, known_rules: tuple[str, ...]) -> Options:
    """Read the settings that hold in a folder.

    Args:
        cwd: The working folder.
        known_rules: Ids of all rules.

    Raises:
        UsageError: A settings file is broken; names the file and every wrong key.
    """
    for folder in (cwd, *cwd.parents):
        own, project = folder / "fieldguide.toml", folder / "pyproject.toml"
        if own.is_file():
            return _Reader(own, known_rules).options(_read(own))
        if project.is_file():
            tool = _read(project).get("tool")
            table = tool.get("fieldguide") if isinstance(tool, dict) else None
            if table is not None:
                return _Reader(project, known_rules).options(table)
        if (folder / ".git").exists():
            break  # settings of whatever holds this project are not ours
    return Options()


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise UsageError(f"{path} cannot be read: {error}.", hint="Correct the file.") from error


class _Reader:
    """Reads one table strictly and names all problems at once."""

    def __init__(self, path: Path, known_rules: tuple[str, ...]) -> None:
        self._path = path
        self._rules = known_rules
        self._problems: list[str] = []

    def options(self, table: Any) -> Options:
        if not isinstance(table, dict):
            table = {}
            self._problems.append("fieldguide is no table")
        for key in table:
            if key != "check":
                self._unknown(key, ("check",))
        check = table.get("check", {})
        if not isinstance(check, dict):
            self._problems.append("check is no table")
            check = {}
        for key in check:
            if key not in _KEYS:
                self._unknown(f"check.{key}", tuple(f"check.{known}" for known in _KEYS))
        site = self._value(check, "site", _is_text, "the name of a folder")
        options = Options(
            select=self._rule_names(check, "select"),
            ignore=self._rule_names(check, "ignore"),
            fail_on=self._value(check, "fail-on", FAIL_ON.__contains__, " or ".join(FAIL_ON))
            or "warning",
            exclude=self._texts(check, "exclude"),
            guides=self._texts(check, "guides"),
            rules=self._texts(check, "rules"),
            site=self._path.parent / site if site else None,
            severity=self._severities(check),
            budgets=self._budgets(check),
            root=self._path.parent,
        )
        if self._problems:
            raise UsageError(
                f"{self._path}: {'; '.join(self._problems)}.",
                hint=f"The keys of check are {', '.join(_KEYS)}.",
            )
        return options

    def _unknown(self, key: str, known: tuple[str, ...]) -> None:
        close = get_close_matches(key, known, n=1)
        hint = f" (did you mean {close[0]}?)" if close else ""
        self._problems.append(f"{key} is not a setting{hint}")

    def _value(
        self, table: Mapping[str, Any], key: str, fits: Callable[[Any], bool], takes: str
    ) -> Any:
        value = table.get(key)
        if value is None:
            return None
        try:
            right = fits(value)
        except TypeError:
            right = False
        if not right:
            self._problems.append(f"check.{key} is {value!r} and takes {takes}")
            return None
        return value

    def _texts(self, table: Mapping[str, Any], key: str) -> tuple[str, ...]:
        return tuple(self._value(table, key, _is_texts, "a list of texts") or ())

    def _rule_names(self, table: Mapping[str, Any], key: str) -> tuple[str, ...]:
        names = self._texts(table, key)
        for name in names:
            self._rule(name)
        return names

    def _rule(self, name: str) -> None:
        if name not in self._rules:
            close = get_close_matches(name, self._rules, n=1)
            hint = f" (did you mean {close[0]}?)" if close else ""
            self._problems.append(f"{name!r} is not a rule{hint}")

    def _severities(self, table: Mapping[str, Any]) -> dict[str, Severity]:
        given = self._value(table, "severity", _is_table, "a table of rule = severity") or {}
        for rule, value in given.items():
            self._rule(rule)
            if value not in ("error", "warning"):
                self._problems.append(f"check.severity.{rule} takes error or warning")
        return dict(given)

    def _budgets(self, table: Mapping[str, Any]) -> Budgets:
        budgets = Budgets()
        numbers = {key: self._numbers(table, key) for key in ("budget", "topics", "bundles")}
        for key in numbers["budget"]:
            if key not in _BUDGETS:
                self._unknown(
                    f"check.budget.{key}", tuple(f"check.budget.{name}" for name in _BUDGETS)
                )
        known = {key: value for key, value in numbers["budget"].items() if key in _BUDGETS}
        return replace(
            budgets,
            topics={**budgets.topics, **numbers["topics"]},
            bundles={**budgets.bundles, **numbers["bundles"]},
            **known,
        )

    def _numbers(self, table: Mapping[str, Any], key: str) -> dict[str, int]:
        given = self._value(table, key, _is_table, "a table of name = tokens") or {}
        for name, value in given.items():
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                self._problems.append(f"check.{key}.{name} takes a number of tokens")
        return {name: value for name, value in given.items() if isinstance(value, int)}


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(_is_text(item) for item in value)


def _is_table(value: Any) -> bool:
    return isinstance(value, dict)
