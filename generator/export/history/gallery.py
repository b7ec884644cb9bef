"""The images of this export: made once each, put into pages where a session marks them.

A rendered session holds a mark for each image, because whether and how large an image is shown
is not the session's own: it may be gone from the archive, or left out of the export.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

from generator.export.history import pictures
from generator.export.history.blocks import IMAGE_MARK
from generator.export.history.pictures import Unshown, picture_of
from generator.export.history.prepare import each, shelf
from generator.export.outputs import Output, digest
from generator.export.site import Site
from generator.export.texts import fill
from generator.history.images import ImageStore

_FOLDER = "history/images"


class Gallery:
    """What is shown of each image of the chosen sessions.

    Args:
        site: The export.
    """

    def __init__(self, site: Site) -> None:
        self._site = site
        self._store = ImageStore(site.workspace.home.history)
        names = {name for session in shelf(site).sessions for name in session.facts["images"]}
        self._shown = self._look(sorted(names)) if site.images else {}

    def _look(self, names: Sequence[str]) -> dict[str, Any]:
        memo, base = self._site.memo, pictures.manner()
        found: dict[str, Any] = {}
        missing = []
        for name in names:
            if not self._store.has(name):
                found[name] = "image_gone"
                continue
            found[name] = memo.get("image", digest(base, name))
            if found[name] is None:
                missing.append(name)
        work = partial(_made, history=self._site.workspace.home.history)
        for done, (name, made) in enumerate(each(work, missing), start=1):
            facts, files = made
            key = digest(base, name)
            memo.put("image", key, facts)
            found[name] = facts
            for number, data in enumerate(files):
                memo.put_packed("image-file", f"{key}-{number}", data)
            self._site.workspace.progress("Scaling images", done, len(missing))
        return found

    @property
    def number(self) -> int:
        """How many images are shown."""
        return sum(isinstance(facts, dict) for facts in self._shown.values())

    def key(self, names: Sequence[str]) -> str:
        """Return a digest of what a page with these images depends on."""
        return digest([(name, self._shown.get(name)) for name in names]) if names else ""

    def outputs(self) -> Iterator[Output]:
        """Yield the files of the images."""
        for name, facts in self._shown.items():
            if isinstance(facts, dict):
                key = digest(pictures.manner(), name)
                for number in range(facts["files"]):
                    yield Output(
                        f"{_FOLDER}/{_file(name, number)}", key, partial(self._file, name, number)
                    )

    def _file(self, name: str, number: int) -> bytes:
        held = self._site.memo.take("image-file", f"{digest(pictures.manner(), name)}-{number}")
        if held is not None:
            return held
        made = picture_of(self._store.read(name) or b"")
        return b"" if isinstance(made, Unshown) else made.files[number]

    def html(self, page: str) -> str:
        """Put the images of a page in the place of their marks."""
        return IMAGE_MARK.sub(lambda match: self._figure(match[1], match[2]), page)

    def _figure(self, name: str, alt: str) -> str:
        facts, words = self._shown.get(name, "image_left_out"), self._site.texts["session"]
        if not isinstance(facts, dict):
            told = fill(
                escape(self._site.texts["site"]["about_it"]),
                name=f'<span translate="no">{escape(alt)}</span>',
                about=escape(words[facts]),
            )
            return f'<figure class="picture unshown"><figcaption>{told}</figcaption></figure>'
        width, height = facts["small"]
        across, down = facts["original"]
        small = _file(name, facts["files"] - 1)
        return (
            f'<figure class="picture" translate="no"><a href="../images/{_file(name, 0)}">'
            f'<img src="../images/{small}" width="{width}" height="{height}" '
            f'alt="{escape(alt)}" loading="lazy" decoding="async"></a>'
            f"<figcaption>{escape(alt)} <span>{across}×{down}</span></figcaption></figure>"
        )

    def markdown(self, page: str) -> str:
        """Put links to the images of a Markdown twin in the place of their marks."""
        texts, words = self._site.texts, self._site.texts["session"]

        def linked(match: re.Match[str]) -> str:
            alt = re.sub(r"([\[\]\\])", r"\\\1", match[2])
            facts = self._shown.get(match[1], "image_left_out")
            if isinstance(facts, dict):
                image = f"history/images/{_file(match[1], 0)}"
                return f"![{alt}]({self._site.link('history/sessions/index.md', image)})"
            told = texts.listed([match[2], words[facts]])
            return texts.say("session", "attached", name=told)

        return IMAGE_MARK.sub(linked, page)


def _file(name: str, number: int) -> str:
    return f"{Path(name).stem[:24]}{'-small' if number else ''}.webp"


def _made(name: str, history: Path) -> tuple[Any, tuple[bytes, ...]]:
    """Make what is shown of an image; runs in a helper process when there are many."""
    data = ImageStore(history).read(name)
    made = picture_of(data) if data is not None else Unshown("image_gone")
    if isinstance(made, Unshown):
        return str(made), ()
    facts = {"original": made.original, "large": made.large, "small": made.small}
    return {**facts, "files": len(made.files)}, made.files


def gallery(site: Site) -> Gallery:
    """Return the images of this export."""
    return site.once("gallery", lambda: Gallery(site))
