"""Takes secrets out of everything that is exported, and counts what was masked where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from generator.masking import mask
from generator.settings import SiteSettings

# Masked by choice: they name a person, they open no door.
PERSONAL = frozenset({"e-mail", "home-folder"})


@dataclass(frozen=True, slots=True, kw_only=True)
class MaskedPlace:
    """What was masked in one record.

    Attributes:
        section: The section of the site.
        ref: The record: ``conversation:<id>``, ``error:<hash>``, ``report:<name>``.
        page: Its page in the site.
        counts: Places by kind, never their values.
    """

    section: str
    ref: str
    page: str
    counts: Mapping[str, int]

    @property
    def secrets(self) -> int:
        """How many of them are secrets, what names a person left aside."""
        return sum(count for kind, count in self.counts.items() if kind not in PERSONAL)


@dataclass(slots=True)
class Masker:
    """Masks the texts of one record.

    Attributes:
        settings: The allow list, and what else is masked by choice.
        rewrite: Applied to each text first.
        counts: Places that were masked so far, by kind.
    """

    settings: SiteSettings
    rewrite: Callable[[str], str] | None = None
    counts: Counter[str] = field(default_factory=Counter)

    def text(self, text: str) -> str:
        """Return a text without its secrets."""
        if not text:
            return text
        if self.rewrite is not None:
            text = self.rewrite(text)
        masked = mask(
            text,
            allow=self.settings.allow_secrets,
            emails=self.settings.mask_emails,
            homes=self.settings.mask_home,
        )
        self.counts.update(masked.counts)
        return masked.text

    def value(self, value: Any) -> Any:
        """Return a JSON value whose texts hold no secrets; a key names what stands under it."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {self.text(str(key)): self._under(str(key), item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.value(item) for item in value]
        return value

    def _under(self, key: str, item: Any) -> Any:
        """Mask a value that only its key gives away: ``password: hunter2``."""
        if not isinstance(item, str) or len(item) > 500 or "\n" in item:
            return self.value(item)
        plain = self.text(item)
        lead = f"{key}: "
        named = mask(lead + plain, allow=self.settings.allow_secrets)
        if named.counts and named.text.startswith(lead):
            self.counts.update(named.counts)
            return named.text.removeprefix(lead)
        return plain
