"""Settings in config.json: read strictly, changed one key at a time.

Unknown keys are reported by name with the nearest known one, wrong values with what the key
takes, and all problems of a file at once.
"""

from __future__ import annotations

import json
import re
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo

from generator import limits
from generator.exceptions import SettingsError, StorageError, UnknownNameError
from generator.expectations import expectation, seen
from generator.paths import Home
from generator.storage import read_text


def _known_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        message = "takes a zone of the IANA list, such as Europe/Berlin or Asia/Taipei"
        raise ValueError(message) from error
    return name


def _web_address(text: str) -> str:
    """Return an address of a site with its last slash; empty stays empty."""
    message = "takes the address of the site, such as https://example.org/guides/, or nothing"
    try:
        parts = urlsplit(text.strip())
        sound = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError as error:
        raise ValueError(message) from error
    if not text:
        return ""
    if (
        not sound
        or "@" in parts.netloc
        or not text.isprintable()
        or re.search(r'[?#\s"<>\\]', text)
    ):
        raise ValueError(message)
    return f"{parts.scheme}://{parts.netloc.lower()}{parts.path.rstrip('/')}/"


class _Section(BaseModel):
    # Only the whole is ever validated, so only the whole is built, on first use.
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class ReportSettings(_Section):
    """How reports are judged and saved."""

    interpolation: Literal["paths", "none"] = Field(
        "paths", description="'none' rejects plain data paths in {{ }} as well"
    )
    inline_runtime: bool = Field(
        False, description="replace the QuickUI address by the shipped file when saving"
    )
    allowed_hosts: tuple[str, ...] = Field(
        ("cdn.jsdelivr.net",), description="hosts that scripts may come from without a warning"
    )


class DecisionModelSettings(_Section):
    """An OpenAI-compatible endpoint that judges whether an old run matters now."""

    base_url: str = Field(description="address up to and including /v1")
    model: str = Field(description="name of the model")
    key_env: str | None = Field(None, description="environment variable that holds the key")


class HistorySettings(_Section):
    """What the archive of history keeps."""

    images: bool = Field(True, description="keep the images of sessions, in history/images")


class SiteSettings(_Section):
    """How the site is exported."""

    title: str = Field("Fieldguide", description="name in the masthead")
    url: Annotated[str, AfterValidator(_web_address)] = Field(
        "",
        description="address the site is published at: texts for agents then link with whole "
        "addresses, and sitemap.xml, robots.txt and canonical links are written",
    )
    language: str = Field(
        "en",
        description="language of the interface: a file in templates/texts or in texts of the home",
    )
    mask_emails: bool = Field(False, description="mask e-mail addresses in exported text")
    mask_home: bool = Field(True, description="write home folders as ~ in exported text")
    images: bool = Field(True, description="show the images of sessions, as they are")
    allow_secrets: tuple[str, ...] = Field(
        (), description="texts that look like secrets and are not"
    )


class Settings(_Section):
    """Everything config.json may hold; every key has a default."""

    output_dir: str | None = Field(None, description="folder that reports are saved in")
    sources: tuple[str, ...] = Field((), description="files and folders history is taken from")
    exclude: tuple[str, ...] = Field((), description="glob patterns that history leaves out")
    timezone: Annotated[str, AfterValidator(_known_zone)] | None = Field(
        None, description="zone that cuts days and reads local times; the system's when null"
    )
    referent_context_rounds: int = Field(
        limits.REFERENT_CONTEXT_ROUNDS, ge=1, le=50, description="rounds a referent may point at"
    )
    memory_search_default_limit: int = Field(
        limits.MEMORY_MODE_SEARCH_DEFAULT, ge=1, le=1000, description="hits of memory(mode=search)"
    )
    semantic_messages: int = Field(
        limits.SEMANTIC_MESSAGES, ge=0, description="newest messages that semantic match covers"
    )
    report: ReportSettings = ReportSettings()
    decision_model: DecisionModelSettings | None = Field(
        None, description="endpoint that judges old runs; off when null"
    )
    history: HistorySettings = HistorySettings()
    site: SiteSettings = SiteSettings()
    prices: dict[str, dict[str, float]] = Field(
        default_factory=dict,
        description="prices by model in USD a million tokens: input, output, cache_read, cache_write",
    )


def known_keys(section: type[BaseModel] = Settings, prefix: str = "") -> dict[str, FieldInfo]:
    """Return every settable key in dotted form with its field, in file order."""
    keys: dict[str, FieldInfo] = {}
    for name, field in section.model_fields.items():
        inner = _section_of(field)
        if inner is None:
            keys[prefix + name] = field
        else:
            keys.update(known_keys(inner, f"{prefix}{name}."))
    return keys


def _section_of(field: FieldInfo) -> type[_Section] | None:
    candidates = [field.annotation, *getattr(field.annotation, "__args__", ())]
    for candidate in candidates:
        if isinstance(candidate, type) and issubclass(candidate, _Section):
            return candidate
    return None


def load_settings(home: Home) -> Settings:
    """Read config.json.

    Args:
        home: The folder whose settings are wanted.

    Returns:
        The settings; defaults where the file is missing or silent.

    Raises:
        SettingsError: The file is no JSON object, has unknown keys or wrong values; the message
            names every problem.
        StorageError: The file exists and cannot be read, or the home is a file.
    """
    if home.root.exists() and not home.root.is_dir():
        raise StorageError(
            f"{home.root} is a file, so it cannot be the folder with your data.",
            hint="Move it, or set --home.",
        )
    return parse_settings(read_object(home.config), home.config)


def parse_settings(raw: dict[str, Any], path: Path) -> Settings:
    """Judge the content of a settings file.

    Raises:
        SettingsError: See :func:`load_settings`.
    """
    try:
        return Settings.model_validate(raw)
    except ValidationError as error:
        problems = [word_problem(item) for item in error.errors(include_url=False)]
        raise SettingsError(
            f"{path} is not usable: {'; '.join(problems)}.",
            hint="'fieldguide config set KEY VALUE' mends a value, 'fieldguide config unset KEY' takes "
            "a key out.",
        ) from error


def word_problem(item: Any) -> str:
    """Turn one of pydantic's error items into a clause of ours."""
    key = ".".join(str(part) for part in item["loc"])
    if item["type"] == "extra_forbidden":
        close = get_close_matches(key, known_keys(), n=1)
        tail = f" (did you mean {close[0]!r}?)" if close else ""
        return f"unknown key {key!r}{tail}"
    if item["type"] == "missing":
        return f"{key!r} is required"
    return f"{key!r} {expectation(item)} (it holds {seen(item)})"


def read_object(path: Path) -> dict[str, Any]:
    """Read the settings file as the object it holds; none where it is missing.

    Raises:
        SettingsError: It is no JSON object.
        StorageError: It cannot be read.
    """
    if not path.exists():
        return {}
    try:
        raw = json.loads(read_text(path) or "{}")
    except json.JSONDecodeError as error:
        raise SettingsError(
            f"{path} is not JSON: line {error.lineno}, column {error.colno}: {error.msg}.",
            hint="Mend the file by hand; nothing was changed.",
        ) from error
    except RecursionError as error:
        raise SettingsError(f"{path} is nested too deep to be settings.") from error
    if not isinstance(raw, dict):
        raise SettingsError(f"{path} must hold one JSON object, with a key for each setting.")
    return raw


def get_setting(settings: Settings, key: str) -> Any:
    """Return the value behind a dotted key, as JSON types.

    Raises:
        UnknownNameError: The key does not exist.
    """
    value: Any = settings.model_dump(mode="json")
    for part in key.split("."):
        if not isinstance(value, dict) or part not in value:
            if key in known_keys():
                return None
            raise UnknownNameError("setting", key, list(known_keys()))
        value = value[part]
    return value
