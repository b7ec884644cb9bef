"""Reads the words of the interface, one file a language: ``templates/texts/<language>.toml``.

English is the base: what a language leaves out, or has in a way that cannot be shown, is said in
English. A file in the ``texts`` folder of the home adds a language, or changes words of a shipped
one. The reference page "Add a translation" says how such a file is written.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from generator.exceptions import SettingsError, TemplateRenderError, UnknownNameError
from generator.export.texts import Texts
from generator.paths import Home, shipped
from generator.storage import read_text
from generator.templating import PLACEHOLDER, condition

_BASE = "en"
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|[0-9]{3}))?")
_TRIED = (0, 1, 2, 5, 11, 21, 100)  # numbers that a rule of forms is tried with
FORMS = ("zero", "one", "two", "few", "many", "other")
"""Forms of a noun beside a number, as Unicode CLDR names them; ``Intl.PluralRules`` does too."""


def languages(home: Home) -> dict[str, list[Path]]:
    """Return the files of each language there is, the shipped one first."""
    found: dict[str, list[Path]] = {}
    for folder in (shipped("templates") / "texts", home.texts):
        for path in sorted(folder.glob("*.toml")) if folder.is_dir() else ():
            if _LANGUAGE.fullmatch(path.stem):
                found.setdefault(path.stem, []).append(path)
    return found


def english() -> dict[str, Any]:
    """Read the shipped English words, by table and name."""
    return _read(shipped("templates") / "texts" / f"{_BASE}.toml")


def load_texts(language: str, home: Home) -> Texts:
    """Read the words of a language, English where it says nothing.

    Args:
        language: Name of a file in ``templates/texts`` or in the home's ``texts``.
        home: Whose own files count as well.

    Raises:
        UnknownNameError: There is no such language; the message lists those there are.
        SettingsError: A file is no TOML.
        StorageError: A file cannot be read.
    """
    known = languages(home)
    if language not in known:
        raise UnknownNameError("language", language, list(known))
    words = english()
    problems: list[str] = []
    for path in known[language]:
        if path.stem != _BASE or path.parent == home.texts:
            problems += [f"{path}: {problem}" for problem in _take(words, _read(path))]
    return Texts(language, words, tuple(problems))


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(
            f"{path} is not TOML: {error}.",
            hint="Mend that line, or take the file away; English is shown without it.",
        ) from error


def _take(words: dict[str, Any], given: Mapping[str, Any]) -> Iterator[str]:
    """Put what a file says over the words; yield what of it cannot be used."""
    for table, own in given.items():
        if table not in words:
            yield f"there is no table [{table}]{_meant(table, words)}, so it was passed over."
        elif not isinstance(own, dict):
            yield f"{table} must be a table, [{table}], so it was passed over."
        elif table == "plural":
            problem = _wrong_rules(own)
            if problem:
                yield f"{problem}, so the English rule counts."
            else:
                words[table] = own
        else:
            for name, word in own.items():
                place = f"{name} in [{table}]"
                if name not in words[table]:
                    yield f"nothing is called {place}{_meant(name, words[table])}."
                elif problem := _misfit(words[table][name], word):
                    yield f"{place} {problem}, so it is shown in English."
                else:
                    plain = isinstance(words[table][name], dict) and isinstance(word, str)
                    words[table][name] = {"other": word} if plain else word


def _meant(name: str, known: Mapping[str, Any]) -> str:
    close = get_close_matches(name, known, n=1)
    return f" (did you mean {close[0]}?)" if close else ""


def _wrong_rules(rules: Mapping[str, Any]) -> str:
    for name, rule in rules.items():
        if name not in FORMS[:-1] or not isinstance(rule, str):
            return f"[plural] takes rules for {', '.join(FORMS[:-1])}, and not {name}"
        try:
            for number in _TRIED:
                condition(rule, number)
        except TemplateRenderError as error:
            return f"the rule for {name} in [plural] does not work: {error.reason}"
    return ""


def _misfit(english: Any, word: Any) -> str:
    """Say why a word cannot stand in the place of the English one; empty when it can."""
    if isinstance(english, str):
        if not isinstance(word, str):
            return "must be one text"
        return _wrong_names(PLACEHOLDER.findall(english), word)
    if isinstance(word, str):
        word = {"other": word}
    if not isinstance(word, dict) or "other" not in word:
        return f'must be a table of forms with "other": {", ".join(FORMS)}'
    for form, text in word.items():
        if form not in FORMS or not isinstance(text, str):
            return f"has a form that is none: {form}"
    strange = set(PLACEHOLDER.findall(" ".join(word.values()))) - {"n"}
    return _wrong_names(["n"], word["other"]) if not strange else f"has {{{min(strange)}}}"


def _wrong_names(wanted: list[str], word: str) -> str:
    found = PLACEHOLDER.findall(word)
    if strange := sorted(set(found) - set(wanted)):
        return f"has {{{strange[0]}}}, which nothing fills"
    if missing := sorted(set(wanted) - set(found)):
        return f"leaves out {{{missing[0]}}}"
    return ""
