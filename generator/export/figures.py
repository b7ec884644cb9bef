"""Shows the committed drawing of a sample under its source, so that the site needs no extra.

A fence with ``figure=NAME`` has its drawing in ``figures/NAME.svg`` beside the guide. It is shown
as an image: a drawing carries styles of its own, which the site's policy forbids inside a page,
and the one of a user's guide may carry anything.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape
from pathlib import Path

from generator.export.outputs import sha256
from generator.markup.markdown import Fence, FenceRenderer, code_block
from generator.model.guide import Guide

# Fence language: the language its source is coloured as.
_LANGUAGES = {"vega-lite": "json", "mermaid": ""}
_FIGURE = re.compile(r"(?:^|\s)figure=([a-z0-9]+(?:-[a-z0-9]+)*)(?:\s|$)")
_ROOT = re.compile(r"<svg\b[^>]*>")
_ATTRIBUTE = re.compile(r' (aria-label|width|height)="([^"<>]*)"')


def drawn_fences(guide: Guide) -> Mapping[str, FenceRenderer]:
    """Return the renderers of fences that may have a drawing, by language."""

    def render(fence: Fence) -> str:
        source = code_block(fence.code, _LANGUAGES[fence.language])
        path = drawing_of(guide, fence.info)
        if path is None:
            return source
        root = _ROOT.search(path.read_text(encoding="utf-8", errors="replace"))
        found = dict(_ATTRIBUTE.findall(root[0])) if root else {}
        alt = found.pop("aria-label", escape(path.stem))
        # HTML takes whole pixels only.
        whole = {name: value.partition(".")[0] for name, value in found.items()}
        size = "".join(f' {name}="{value}"' for name, value in whole.items())
        image = f'<img src="figures/{path.name}" alt="{alt}"{size}>'
        return f'{source}<figure class="drawing">{image}</figure>\n'

    return dict.fromkeys(_LANGUAGES, render)


def drawing_of(guide: Guide, info: str) -> Path | None:
    """Return the drawing that the info line of a fence names, None when there is none."""
    named = _FIGURE.search(info)
    path = guide.path.parent / "figures" / f"{named[1]}.svg" if named else None
    return path if path is not None and path.is_file() and not path.is_symlink() else None


def drawings_key(guide: Guide) -> tuple[tuple[str, str], ...]:
    """Return what changes when a drawing beside the guide does."""
    if "figure=" not in guide.body:
        return ()
    folder = guide.path.parent / "figures"
    if not folder.is_dir():
        return ()
    return tuple((path.name, sha256(path.read_bytes())) for path in sorted(folder.glob("*.svg")))
