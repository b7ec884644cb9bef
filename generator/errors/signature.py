"""What a failure says without what changes from run to run, so that two runs can be compared.

Numbers, times, hexadecimal, ids, temporary and home folders, line numbers and quoted values
become marks; error codes, exit statuses and the names of exceptions stay, because they are what
the failure is. The exact text is always kept beside the signature.
"""

from __future__ import annotations

import re
import unicodedata

_HEAD, _TAIL = 20_000, 20_000  # of a very long text, what is looked at: both ends
_LINE = 2_000  # of a very long line, what is looked at: a message says early what it is

_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07]{0,200}\x07")
_RULES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), mark)
    for pattern, mark in (
        (
            r"\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:[.,]\d+)?(?:Z|[+-]\d{2}:?\d{2})?)?",
            "<time>",
        ),
        (r"\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? \d{1,2} [a-z]{3} \d{4}\b", "<time>"),
        (r"\b\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?\b", "<time>"),
        (r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", "<id>"),
        (r"\b0x[0-9a-f]+\b", "<hex>"),
        (r"\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}\b", "<hex>"),
        (r"(?:/private)?/var/folders/[^\s'\"`:,;)]+", "<tmp>"),
        (r"(?<![\w.])/tmp(?:/[^\s'\"`:,;)]+)+", "<tmp>"),
        (r"[a-z]:\\(?:users\\[^\\\s]+\\appdata\\local\\)?temp\\[^\s'\"`:,;)]+", "<tmp>"),
        (r"(?:/home|/users)/[^/\\\s'\"`:,;)]+|[a-z]:\\users\\[^\\\s'\"`:,;)]+|/root(?=/)", "~"),
        (r"\bline \d+(?:, column \d+)?", "line <n>"),
        (r"(?<=[\w)\]>]):\d+(?::\d+)?\b", ":<n>"),
        (r"\(\d+,\s?\d+\)", "(<n>)"),
    )
)
# A number after one of these is what the failure is.
_KEPT_NUMBER = re.compile(
    r"(?:exit(?:ed)?|status|code|errno|error|http(?:/[\d.]+)?|signal|狀態碼|状态码|代碼|代码|退出碼|退出码|錯誤碼|错误码|結束碼)"
    r"[\s:=#(\[]{0,3}(?:with\s|code\s|status\s|of\s|was\s|is\s|為\s?|为\s?){0,3}-?\d{1,10}\b",
    re.IGNORECASE,
)
_PRIVATE = 0xE000  # stands for a kept number while the others become marks
_QUOTED = re.compile(
    r"(?<!\w)([\"'`‘“「『])(?=\S)([^\"'`‘’“”「」『』\n]{1,200}?)[\"'`’”」』](?!\w)"
)
_NUMBER = re.compile(
    r"(?<![\w<])[-+]?\d+(?:[.,]\d+)*(?:%|\s?(?:[kmgt]i?b|[nmµu]?s|bytes|px)\b)?(?![\w>])",
    re.IGNORECASE,
)
_TRAILING_DIGITS = re.compile(r"(?<=[A-Za-z][-_])\d+\b")

CODE = re.compile(
    r"\b(?:E[A-Z]{3,}[A-Z0-9]*|[A-Z]{1,5}-?\d{2,6}|ERR_[A-Z0-9_]+|[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+|"
    r"SIG[A-Z]{3,6}|0x[0-9a-fA-F]{8})\b"
)
EXCEPTION = re.compile(
    r"\b[A-Z]\w*(?:Error|Exception|Warning|Failure|Fault|Timeout|Interrupt|Denied|NotFound)\b"
)
_SAYS_ERROR = re.compile(
    r"error|exception|fail|fatal|panic|denied|refused|not found|no such|cannot|can't|could not|"
    r"unable|invalid|unexpected|timed? ?out|timeout|unknown|missing|undefined|traceback|abort|killed|"
    r"错误|錯誤|失败|失敗|异常|異常|拒绝|拒絕|找不到|无法|無法|超时|逾時|不存在|未定义|未定義|不合法",
    re.IGNORECASE,
)
_FRAME = re.compile(
    r"^\s*(?:at\s|Traceback \(|During handling|The above exception|File \"|\.{3} \d+ more|from\s\S+:\d+:in|#\d+\s|\d+:\s+0x|goroutine \d|\|)"
)


def both_ends(text: str) -> str:
    """Return a text, or both ends of a very long one: failures say what they are at an end."""
    if len(text) <= _HEAD + _TAIL:
        return text
    return f"{text[:_HEAD]}\n{text[-_TAIL:]}"


def normalise(text: str) -> str:
    """Replace what changes from run to run by marks.

    Args:
        text: Any text; of a very long one both ends are taken.
    """
    return "\n".join(line for line in map(normalise_line, both_ends(text).splitlines()) if line)


def normalise_line(line: str) -> str:
    """Normalise one line; empty when nothing is left of it."""
    line = unicodedata.normalize("NFKC", _ANSI.sub("", line[:_LINE]))
    for pattern, mark in _RULES:
        line = pattern.sub(mark, line)
    kept: list[str] = []

    def keep(match: re.Match[str]) -> str:
        kept.append(match.group())
        return chr(_PRIVATE + len(kept) - 1)

    line = _KEPT_NUMBER.sub(keep, line)
    line = _QUOTED.sub(_keep_code, line)
    line = _NUMBER.sub("<n>", line)
    line = _TRAILING_DIGITS.sub("<n>", line)
    for number, text in enumerate(kept):
        line = line.replace(chr(_PRIVATE + number), text)
    return " ".join(line.casefold().split())


def _keep_code(match: re.Match[str]) -> str:
    value = match.group(2)
    last = value.rpartition(".")[2]
    return value if CODE.fullmatch(value) or EXCEPTION.fullmatch(last) else "<value>"


def telling_lines(text: str, most: int = 8) -> list[str]:
    """Return the lines of a failure that say what it is, stack frames left out.

    Args:
        text: What came back.
        most: How many lines at most.
    """
    lines = [
        line.strip()[:_LINE]
        for line in _ANSI.sub("", both_ends(text)).splitlines()
        if line.strip() and not _FRAME.match(line)
    ]
    telling = [
        line
        for line in lines
        if _SAYS_ERROR.search(line) or CODE.search(line) or EXCEPTION.search(line)
    ]
    if len(telling) > most:
        # A traceback ends on what it is about, a compiler begins with it.
        telling = telling[: most // 2] + telling[-(most - most // 2) :]
    if telling:
        return telling
    return lines if len(lines) <= most else lines[: most // 2] + lines[-most // 2 :]


def signature(text: str) -> str:
    """Return what a failure says in one normalised text; equal for two runs of one failure."""
    lines = [normalise_line(line) for line in telling_lines(text)]
    return "\n".join(dict.fromkeys(line for line in lines if line))


def codes(text: str) -> set[str]:
    """Return error codes, exception names and statuses in a text, in lower case."""
    found = {match.group().casefold() for match in CODE.finditer(text)}
    for match in EXCEPTION.finditer(text):
        found.add(match.group().casefold())
    for match in _KEPT_NUMBER.finditer(text):
        number = re.search(r"-?\d+$", match.group())
        if number:
            found.add(f"status {number.group()}")
    return found
