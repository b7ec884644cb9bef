"""Texts that agents give: half a surrogate pair is mended, and what must not be empty is not."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator


def mended(value: Any) -> Any:
    """Replace lone surrogates, which JSON can carry and no file can hold; leave the rest alone."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return value


def _not_empty(value: str) -> str:
    if not value.strip():
        message = "must not be empty"
        raise ValueError(message)
    return value


def _listed(value: Any) -> Any:
    # A single text is what agents write for a list of one, with commas for more.
    if isinstance(value, str):
        value = [part for part in value.replace("，", ",").split(",") if part.strip()]
    return [mended(item) for item in value] if isinstance(value, list | tuple) else value


def _some(value: list[str]) -> list[str]:
    kept = [item.strip() for item in value if item.strip()]
    if not kept:
        message = "must not be empty"
        raise ValueError(message)
    return kept


Text = Annotated[str, BeforeValidator(mended)]
FilledText = Annotated[str, BeforeValidator(mended), AfterValidator(_not_empty)]
FilledTexts = Annotated[list[str], BeforeValidator(_listed), AfterValidator(_some)]


def masked_line(counts: dict[str, int]) -> str:
    """Say what was masked, without the values."""
    listed = ", ".join(f"{kind} ({count})" for kind, count in counts.items())
    return f"Masked before it was kept: {listed}."
