"""The written cases of tests/fixtures/masking, both directions, and what masking promises."""

from __future__ import annotations

import random
import re
import string
from itertools import pairwise
from pathlib import Path

import pytest

from generator.masking import Secret, find_secrets, mask

FIXTURES = Path(__file__).parent.parent / "fixtures" / "masking"

_ALPHABETS = {
    "alnum": string.ascii_letters + string.digits,
    "hex": "0123456789abcdef",
    "digits": "123456789",
    "upper": string.ascii_uppercase + string.digits,
    "base32": string.ascii_uppercase + "234567",
}


def make_up(template: str) -> str:
    """Fill ``{alphabet:length}`` marks, the same way each time, and write ``\\n`` as line ends."""
    source = random.Random(template)

    def fill(mark: re.Match[str]) -> str:
        return "".join(source.choices(_ALPHABETS[mark.group(1)], k=int(mark.group(2))))

    return re.sub(r"\{(\w+):(\d+)\}", fill, template)


def _lines(name: str) -> list[str]:
    text = (FIXTURES / name).read_text(encoding="utf-8")
    return [line for line in text.split("\n") if line and not line.startswith("#")]


def secret_cases() -> list[tuple[str, str, str]]:
    """Return (kind, text, secret) of every written secret."""
    cases = []
    for line in _lines("secrets.txt"):
        kind, marked = line.split(" :: ", 1)
        filled = make_up(marked)
        if kind == "private-key" and '"' not in filled:
            filled = filled.replace("\\n", "\n")
        before, rest = filled.split("«", 1)
        secret, after = rest.split("»", 1)
        cases.append((kind, before + secret + after, secret))
    return cases


def clean_cases() -> list[str]:
    """Return every written text that holds no secret."""
    return _lines("clean.txt")


SECRETS = secret_cases()
CLEAN = clean_cases()


@pytest.mark.parametrize(
    ("kind", "text", "secret"), SECRETS, ids=[case[1][:50] for case in SECRETS]
)
def test_a_secret_is_found_whole_and_named(kind: str, text: str, secret: str) -> None:
    start = text.index(secret)
    assert find_secrets(text) == [Secret(kind, start, start + len(secret))]


@pytest.mark.parametrize("text", CLEAN)
def test_what_only_looks_like_a_secret_is_left_alone(text: str) -> None:
    found = [(found.kind, text[found.start : found.end]) for found in find_secrets(text)]
    assert found == []


@pytest.mark.parametrize(
    ("kind", "text", "secret"), SECRETS, ids=[case[1][:50] for case in SECRETS]
)
def test_masking_leaves_nothing_of_the_secret_and_twice_is_once(
    kind: str, text: str, secret: str
) -> None:
    masked = mask(text)
    assert secret not in masked.text
    assert masked.text == text.replace(secret, f"[masked:{kind}]")
    assert masked.counts == {kind: 1}
    assert mask(masked.text).text == masked.text


def test_all_cases_in_one_text_are_found_in_order_without_overlap() -> None:
    text = "\n\n".join(text for _, text, _ in SECRETS[:-1])
    found = find_secrets(text)
    assert len(found) == len(SECRETS) - 1
    assert all(left.end <= right.start for left, right in pairwise(found))


def test_the_allow_list_takes_a_value_or_the_text_round_it() -> None:
    text = "postgres://demo:demo-2026@localhost/demo and redis://:other9@cache"
    assert mask(text, allow=["demo-2026"]).counts == {"url-password": 1}
    assert mask(text, allow=["postgres://demo:demo-2026@localhost"]).counts == {"url-password": 1}
    assert mask(text, allow=["demo"]).counts == {"url-password": 2}


def test_emails_and_homes_are_masked_by_choice_only() -> None:
    text = (
        "mia@example.org works in /home/mia/app, C:\\Users\\Mia\\app and /Users/mia; git@host.org"
    )
    assert mask(text).text == text
    masked = mask(text, emails=True, homes=True)
    assert masked.text == "[masked:e-mail] works in ~/app, ~\\app and ~; git@host.org"
    assert masked.counts == {"home-folder": 3, "e-mail": 1}


def test_home_folders_inside_longer_paths_stay() -> None:
    text = "/data/home/x ./home/y ~/home/z /Users/Shared/app"
    assert mask(text, homes=True).text == text


def test_a_secret_is_found_beside_chinese_text_and_a_letter_that_grows_in_lower_case() -> None:
    text = "İ伺服器密碼是這個：" + "DB_PASSWORD=hunter22x" + "。請勿外傳"
    assert mask(text).text == "İ伺服器密碼是這個：DB_PASSWORD=[masked:password]。請勿外傳"


@pytest.mark.parametrize(
    "piece",
    [
        "sk-", "eyJ", "eyJhbGciOi.", "-----BEGIN RSA PRIVATE KEY-----", "://a:", "password=", "token: ",
        "Bearer ", "ghp_", "AKIA", ":AA", "@", "/home/", "a.b@c.", "密码：", "curl -u ", "password\\\"",
        "sig=&sig=", "secret\"\"''==", "M" * 24 + ".", "x" * 32 + "-us", "p" * 8,
    ],
)  # fmt: skip
def test_hostile_text_is_gone_through(piece: str) -> None:
    # A quadratic search would need hours here; benchmarks/masking.py has the numbers.
    text = piece * (1_000_000 // len(piece))
    found = find_secrets(text, emails=True, homes=True)
    assert all(left.end <= right.start for left, right in pairwise(found))


def test_finding_names_places_never_values() -> None:
    secret = make_up("ghp_{alnum:36}")
    assert secret not in repr(find_secrets(f"x {secret}"))
    assert secret not in repr(mask(f"x {secret}"))
