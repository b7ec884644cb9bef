"""What tokens cost: one dated data file, and the prices a person sets."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from generator.model.session import Tokens

_FILE = Path(__file__).with_name("prices.json")
_MILLION = 1_000_000
_TAIL = re.compile(r"(-\d{8}|-\d{4}-\d{2}-\d{2}|-latest|-preview(-\d{2}-\d{2})?|:latest)$")


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices by model, in US dollars a million tokens.

    Attributes:
        date: The day the shipped prices are of.
        shipped: Prices of the data file.
        own: Prices from the settings, which go first.
    """

    date: str
    shipped: Mapping[str, Mapping[str, float]]
    own: Mapping[str, Mapping[str, float]]

    def find(self, model: str | None) -> Mapping[str, float] | None:
        """Return a model's prices; None when it has none.

        Provider prefixes and dates at the end of a name are passed over, and nothing else: a
        model that only resembles a known one has no price.
        """
        if not model:
            return None
        bare = re.split(r"[/@]", model)[-1]
        short = bare
        while (cut := _TAIL.sub("", short)) != short:
            short = cut
        for prices in (self.own, self.shipped):
            for name in (model, bare, short):
                if name in prices:
                    return prices[name]
        return None

    def cost(self, model: str | None, tokens: Tokens) -> float | None:
        """Return what tokens cost; None when the model has no price.

        Counts that are unknown cost nothing here. A kind of token without a price of its own
        is charged as input.
        """
        prices = self.find(model)
        if prices is None:
            return None
        fresh = prices.get("input", 0.0)
        return (
            (tokens.input or 0) * fresh
            + (tokens.output or 0) * prices.get("output", 0.0)
            + (tokens.cache_read or 0) * prices.get("cache_read", fresh)
            + (tokens.cache_write or 0) * prices.get("cache_write", fresh)
        ) / _MILLION


def load_prices(own: Mapping[str, Mapping[str, float]]) -> Prices:
    """Read the shipped prices.

    Args:
        own: Prices from the settings.
    """
    raw = json.loads(_FILE.read_text(encoding="utf-8"))
    return Prices(date=raw["date"], shipped=raw["models"], own=own)
