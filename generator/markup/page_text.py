"""What a reader of an HTML page of ours sees, as text. The only user of BeautifulSoup."""

from __future__ import annotations

import re
import warnings

_UNSEEN = ("script", "style", "template", "noscript", "head", "title")
_BLOCKS = re.compile(
    r"^(address|article|aside|blockquote|br|caption|dd|details|div|dl|dt|fieldset|figcaption|figure|"
    r"footer|form|h[1-6]|header|hr|li|main|nav|ol|option|p|pre|section|summary|table|td|th|tr|ul)$"
)
_GAPS = re.compile(r"[ \t\r\f\v]*\n\s*")


def page_text(html: str) -> str:
    """Return the visible text of a page: its title, then a line a block.

    Args:
        html: A page; broken markup is read as far as it goes.
    """
    from bs4 import BeautifulSoup

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # remarks on what the text resembles are of no use here
        soup = BeautifulSoup(html, "html.parser")
    title = soup.title.get_text(" ", strip=True) if soup.title else ""
    for unseen in soup(_UNSEEN):
        unseen.decompose()
    for block in soup.find_all(_BLOCKS):
        block.insert_before("\n")
        block.insert_after("\n")
    body = _GAPS.sub("\n", soup.get_text("")).strip()
    return f"{title}\n{body}".strip()
