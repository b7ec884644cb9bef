"""What older versions put before a message: when it was sent, by whom, where."""

from __future__ import annotations

import re

_PREFACE_LINE = re.compile(r"(sendAt|sender|channelId): *(.*)")
_PREFACE_BLOCK = re.compile(r"\s*---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|$)", re.DOTALL)
_BLOCK_LINE = re.compile(r"\s*([^:：]+)[:：]\s*(.*)")
_BLOCK_KEYS = {
    "當前時間": "time",
    "当前时间": "time",
    "傳送者": "sender",
    "传送者": "sender",
    "发送者": "sender",
    "工作目錄": "cwd",
    "工作目录": "cwd",
    "sendAt": "time",
    "sender": "sender",
    "channelId": "channel",
}


def without_preface(text: str) -> tuple[str, dict[str, str]]:
    """Strip what older versions put before a message, and return what it said."""
    block = _PREFACE_BLOCK.match(text)
    if block:
        said = {}
        for line in block.group(1).splitlines():
            found = _BLOCK_LINE.match(line)
            if found and found.group(1).strip() in _BLOCK_KEYS:
                said[_BLOCK_KEYS[found.group(1).strip()]] = found.group(2).strip()
        if said:
            return text[block.end() :].lstrip("\r\n"), said
    said = {}
    rest = text
    while found := _PREFACE_LINE.match(rest):
        said[_BLOCK_KEYS[found.group(1)]] = found.group(2).strip()
        rest = rest[found.end() :].removeprefix("\r").removeprefix("\n")
    return (rest.lstrip("\r\n").removeprefix("---\n"), said) if said else (text, said)
