"""``stand-alone``: a guide makes sense wherever its parts are read.

A section may be cut out, joined with others or folded away, so it does not point "above"; and a
picture that the reader cannot see needs its words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.checks.corpus import Corpus
from generator.checks.document import Document
from generator.checks.inline import blank
from generator.checks.rules.base import Check, Problem, guide_example

_SAID = (
    r"(?:described|mentioned|noted|shown|stated|discussed|explained|said|defined|listed|seen|"
    r"outlined|introduced|covered|given|specified)"
)
_PART = (
    r"(?:section|table|list|figure|example|sample|chapter|guide|step|steps|rule|rules|paragraph|"
    r"heading|diagram|chart|code|snippet|instructions?|notes?)"
)
_POINTING = re.compile(
    rf"\b(?:see|refer[ \n]+to|as[ \n]+in)[ \n]+(?:(?:the|what[ \n]+is)[ \n]+)?(?:{_PART}[ \n]+)?"
    r"(?:above|below|earlier)\b"
    rf"|\bsee[ \n]+(?:the[ \n]+)?(?:previous|preceding|next|following)[ \n]+{_PART}\b"
    rf"|\bas[ \n]+(?:was[ \n]+|were[ \n]+|already[ \n]+)?{_SAID}[ \n]+(?:above|below|earlier|before|previously)\b"
    rf"|\b(?:above|below|previously|earlier)[- ]mentioned\b|\baforementioned\b"
    rf"|\b{_SAID}[ \n]+(?:above|earlier)\b"
    rf"|\bthe[ \n]+above[ \n]+(?:\w+[ \n]+)?{_PART}\b|\bthe[ \n]+{_PART}[ \n]+above\b"
    r"|\bas[ \n]+above\b"
    r"|[如见見][上下]文?(?:所述|所示|[图圖表文])|[见見][上下]文|上述|前述|前文|同上",
    re.IGNORECASE,
)
# One of these stands in whatever the pattern finds; looking for them first is ten times faster.
_WORDS = (
    "above", "below", "earlier", "previous", "preceding", "next", "following", "before",
    "aforementioned", "上", "下", "前", "同",
)  # fmt: skip
_HTML_IMAGE = re.compile(r"<img\b[^<>]{0,2000}>", re.IGNORECASE)
_HTML_ALT = re.compile(
    r"\balt\s*=\s*(?:\"\s*[^\s\"][^\"]*\"|'\s*[^\s'][^']*'|[^\s\"'>]+)", re.IGNORECASE
)
_QUOTES = "\"'“‘«「『"


def _check(document: Document, _: Corpus) -> Iterator[Problem]:
    for prose in document.prose:
        text = blank(prose.text, prose.spans)
        lowered = text.lower()
        pointing = any(word in lowered for word in _WORDS)
        for found in _POINTING.finditer(text) if pointing else ():
            if found.start() and text[found.start() - 1] in _QUOTES:
                continue  # it is spoken of, not used
            words = " ".join(found[0].split())
            yield Problem(
                place=document.place(prose.start + found.start()),
                message=f"'{words}' points at a place that may not be there.",
                fix="Name the section or topic, with a link.",
            )
        for link in prose.links:
            if link.image and not link.text.strip():
                yield _without_alt(document, prose.start + link.start)
        for image in _HTML_IMAGE.finditer(text) if "<" in text else ():
            if not _HTML_ALT.search(image[0]):
                yield _without_alt(document, prose.start + image.start())


def _without_alt(document: Document, index: int) -> Problem:
    return Problem(
        place=document.place(index),
        message="The image has no text for those who cannot see it.",
        fix="Write what it shows, with its numbers, between the square brackets (or in alt).",
    )


CHECK = Check(
    id="stand-alone",
    severity="error",
    reason="Guides are read in parts and joined with others; agents read text, not pictures.",
    fix="Name what is meant, with a link.",
    bad={"lending.md": guide_example("## Lending\n\nFor the fees, see above.\n")},
    good={
        "lending.md": guide_example(
            "## Lending\n\nFor the fees, see [Fees](#fees).\n\n## Fees\n\nTwo euros a day.\n"
        )
    },
    document=_check,
)
