"""Keys and tokens whose makers gave them a prefix, as their own documentation shows them.

One pass finds every place where some prefix stands; only there the patterns of its makers are
tried.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from generator.masking.anchors import compile_anchors, shortest
from generator.masking.plausible import is_placeholder, looks_random

# kind: (prefix, what follows it). `R` marks prefixes so short that what follows must look random.
_EXACT: tuple[tuple[str, str, str], ...] = (
    ("anthropic-key", "sk-ant-", r"[a-z0-9]{3,12}-[\w-]{20,200}"),
    ("openrouter-key", "sk-or-", r"v1-[0-9a-f]{40,80}"),
    ("github-token", "ghp_", r"[A-Za-z0-9]{36,255}"),
    ("github-token", "gho_", r"[A-Za-z0-9]{36,255}"),
    ("github-token", "ghu_", r"[A-Za-z0-9]{36,255}"),
    ("github-token", "ghs_", r"[A-Za-z0-9]{36,255}"),
    ("github-token", "ghr_", r"[A-Za-z0-9]{36,255}"),
    ("github-token", "github_pat_", r"\w{22,255}"),
    ("gitlab-token", "glpat-", r"[\w.-]{20,100}"),
    ("gitlab-token", "gldt-", r"[\w.-]{20,100}"),
    ("gitlab-token", "glrt-", r"[\w.-]{20,100}"),
    ("gitlab-token", "glcbt-", r"[\w.-]{20,100}"),
    ("gitlab-token", "glptt-", r"[\w.-]{20,100}"),
    ("slack-token", "xoxb-", r"[0-9A-Za-z-]{20,250}"),
    ("slack-token", "xoxp-", r"[0-9A-Za-z-]{20,250}"),
    ("slack-token", "xoxa-", r"[0-9A-Za-z-]{20,250}"),
    ("slack-token", "xoxr-", r"[0-9A-Za-z-]{20,250}"),
    ("slack-token", "xoxs-", r"[0-9A-Za-z-]{20,250}"),
    ("slack-token", "xoxe.", r"[0-9A-Za-z.-]{20,250}"),
    ("slack-token", "xapp-", r"\d-[0-9A-Za-z-]{20,250}"),
    ("slack-webhook", "https://hooks.slack.com/", r"(?:services|workflows)/[A-Za-z0-9+/]{30,120}"),
    ("discord-webhook", "https://discord.com/api/webhooks/", r"\d{15,22}/[\w-]{50,100}"),
    ("discord-webhook", "https://discordapp.com/api/webhooks/", r"\d{15,22}/[\w-]{50,100}"),
    ("google-key", "AIza", r"[\w-]{35}"),
    ("google-token", "ya29.", r"[\w.-]{20,400}"),
    ("google-client-secret", "GOCSPX-", r"[\w-]{24,40}"),
    ("aws-key-id", "AKIA", r"[A-Z2-7]{16}"),
    ("aws-key-id", "ASIA", r"[A-Z2-7]{16}"),
    ("aws-key-id", "ABIA", r"[A-Z2-7]{16}"),
    ("aws-key-id", "ACCA", r"[A-Z2-7]{16}"),
    ("aws-key", "ABSK", r"[A-Za-z0-9+/]{100,200}={0,2}"),
    ("stripe-key", "sk_live_", r"[0-9A-Za-z]{16,250}"),
    ("stripe-key", "sk_test_", r"[0-9A-Za-z]{16,250}"),
    ("stripe-key", "rk_live_", r"[0-9A-Za-z]{16,250}"),
    ("stripe-key", "rk_test_", r"[0-9A-Za-z]{16,250}"),
    ("stripe-webhook-secret", "whsec_", r"[0-9A-Za-z+/=]{24,100}"),
    ("npm-token", "npm_", r"[A-Za-z0-9]{36}"),
    ("pypi-token", "pypi-AgE", r"[\w-]{40,300}"),
    ("rubygems-key", "rubygems_", r"[0-9a-f]{48}"),
    ("crates-token", "cio", r"[A-Za-z0-9]{32}"),
    ("docker-token", "dckr_pat_", r"[\w-]{20,60}"),
    ("huggingface-token", "hf_", r"[A-Za-z0-9]{30,60}"),
    ("replicate-token", "r8_", r"[A-Za-z0-9]{36,44}"),
    ("groq-key", "gsk_", r"[A-Za-z0-9]{40,80}"),
    ("xai-key", "xai-", r"[A-Za-z0-9]{60,100}"),
    ("perplexity-key", "pplx-", r"[A-Za-z0-9]{32,64}"),
    ("nvidia-key", "nvapi-", r"[\w-]{40,100}"),
    ("tavily-key", "tvly-", r"[\w-]{24,60}"),
    ("langsmith-key", "lsv2_", r"(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}"),
    ("sendgrid-key", "SG.", r"[\w-]{16,32}\.[\w-]{32,64}"),
    ("mailgun-key", "key-", r"[0-9a-f]{32}"),
    ("twilio-key", "SK", r"[0-9a-f]{32}"),
    ("shopify-token", "shpat_", r"[0-9a-fA-F]{32}"),
    ("shopify-token", "shpca_", r"[0-9a-fA-F]{32}"),
    ("shopify-token", "shppa_", r"[0-9a-fA-F]{32}"),
    ("shopify-token", "shpss_", r"[0-9a-fA-F]{32}"),
    ("square-token", "sq0atp-", r"[\w-]{22}"),
    ("square-token", "sq0csp-", r"[\w-]{43}"),
    ("digitalocean-token", "dop_v1_", r"[0-9a-f]{64}"),
    ("digitalocean-token", "doo_v1_", r"[0-9a-f]{64}"),
    ("digitalocean-token", "dor_v1_", r"[0-9a-f]{64}"),
    ("heroku-key", "HRKU-", r"[\w-]{36,70}"),
    ("databricks-token", "dapi", r"[0-9a-f]{32}(?:-\d)?"),
    ("vault-token", "hvs.", r"[\w-]{24,200}"),
    ("vault-token", "hvb.", r"[\w-]{24,300}"),
    ("age-key", "AGE-SECRET-KEY-1", r"[0-9A-Z]{58}"),
    ("grafana-token", "glsa_", r"[A-Za-z0-9]{32}_[0-9a-fA-F]{8}"),
    ("grafana-token", "glc_", r"[A-Za-z0-9+/]{32,400}={0,2}"),
    ("newrelic-key", "NRAK-", r"[A-Z0-9]{27}"),
    ("sentry-token", "sntrys_", r"[A-Za-z0-9+/=_-]{40,400}"),
    ("sentry-token", "sntryu_", r"[0-9a-f]{64}"),
    ("linear-key", "lin_api_", r"[A-Za-z0-9]{32,64}"),
    ("notion-token", "ntn_", r"[A-Za-z0-9]{40,60}"),
    ("figma-token", "figd_", r"[\w-]{36,60}"),
    ("postman-key", "PMAK-", r"[0-9a-f]{24}-[0-9a-f]{34}"),
    ("atlassian-token", "ATATT3", r"[\w=-]{100,300}"),
    ("supabase-key", "sbp_", r"[0-9a-f]{40}"),
    ("supabase-key", "sb_secret_", r"[\w-]{20,60}"),
    ("tailscale-key", "tskey-", r"[a-z]{2,10}-[A-Za-z0-9]{8,24}-[A-Za-z0-9]{20,50}"),
    ("planetscale-token", "pscale_tkn_", r"[\w.-]{32,64}"),
    ("doppler-token", "dp.pt.", r"[A-Za-z0-9]{40,48}"),
    ("airtable-token", "pat", r"[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    ("onepassword-token", "ops_eyJ", r"[A-Za-z0-9_=-]{200,1500}"),
    ("jwt", "eyJ", r"[\w-]{8,4000}\.eyJ[\w-]{8,8000}\.[\w-]{16,2000}"),
)

# Makers of models share this prefix with page classes and package names, so the rest must look
# random: long, with digits, not words joined by hyphens.
_MODEL_KIND = "model-key"
_MODEL_KEY = r"(?:proj-|svcacct-|admin-|kimi-)?[A-Za-z0-9_-]{20,250}"

# kind, and the pattern's source: it is compiled where its prefix is first met.
_Maker = tuple[str, str]
_ALL: list[tuple[str, _Maker]] = [
    *((prefix, (kind, re.escape(prefix) + rest)) for kind, prefix, rest in _EXACT),
    ("sk-", (_MODEL_KIND, f"sk-{_MODEL_KEY}")),
]
_ANCHORS = shortest(prefix for prefix, _ in _ALL)
_ANCHOR = compile_anchors(_ANCHORS)
_MAKERS: dict[str, list[_Maker]] = {
    anchor: [maker for prefix, maker in _ALL if prefix.startswith(anchor)] for anchor in _ANCHORS
}

_TELEGRAM = re.compile(r":AA[\w-]{33}(?![\w-])", re.ASCII)
_TELEGRAM_ID = re.compile(r"(?<!\d)\d{8,10}\Z")
_DISCORD = re.compile(
    r"[MNO](?<![\w.-].)[A-Za-z\d]{23,27}\.[\w-]{6}\.[\w-]{27,40}(?![\w-])", re.ASCII
)
_MAILCHIMP = re.compile(r"(?<![0-9a-f])[0-9a-f]{32}\Z")
_MAILCHIMP_END = re.compile(r"-us\d{1,2}(?!\w)", re.ASCII)


def find_made(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield (kind, start, end) of every key or token known by its maker's prefix."""
    anchor = _ANCHOR.search(text)
    while anchor:
        start, after = anchor.span()
        # A run of word characters is tried at its start only: that is right, and linear.
        if start == 0 or not _continues(text, start):
            for kind, pattern in _MAKERS[anchor.group()]:
                end = _end_of_key(text, start, kind, pattern)
                if end:
                    yield kind, start, end
                    after = end
                    break
        anchor = _ANCHOR.search(text, after)
    yield from _telegram(text)
    yield from _mailchimp(text)
    for match in _DISCORD.finditer(text):
        if looks_random(match.group()):
            yield "discord-token", match.start(), match.end()


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.ASCII)


def _end_of_key(text: str, start: int, kind: str, pattern: str) -> int | None:
    match = _compiled(pattern).match(text, start)
    if match is None or _goes_on(text, match.end()) or is_placeholder(match.group()):
        return None
    if kind == _MODEL_KIND and not looks_random(text[start + 3 : match.end()]):
        return None
    return match.end()


def _continues(text: str, at: int) -> bool:
    r"""Tell whether the word at ``at`` began earlier; ``\n`` written out does not count."""
    before = text[at - 1]
    if not (before.isascii() and (before.isalnum() or before in "_-")):
        return False
    return not (before in "nrt" and at >= 2 and text[at - 2] == "\\")


def _goes_on(text: str, end: int) -> bool:
    """Tell whether a longer word holds the match, so that it is something else."""
    return end < len(text) and text[end].isascii() and text[end].isalnum()


def _telegram(text: str) -> Iterator[tuple[str, int, int]]:
    at = text.find(":AA")
    while at >= 0:
        match = _TELEGRAM.match(text, at)
        bot = _TELEGRAM_ID.search(text[max(0, at - 11) : at]) if match else None
        if match and bot:
            yield "telegram-token", at - len(bot.group()), match.end()
        at = text.find(":AA", at + 3)


def _mailchimp(text: str) -> Iterator[tuple[str, int, int]]:
    at = text.find("-us")
    while at >= 0:
        end = _MAILCHIMP_END.match(text, at)
        body = _MAILCHIMP.search(text[max(0, at - 33) : at]) if end else None
        if end and body:
            yield "mailchimp-key", at - 32, end.end()
        at = text.find("-us", at + 3)
