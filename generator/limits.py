"""Limits and defaults that tools and guides share.

A guide states a limit through the template context (``{{ limits.error_history_max }}``), so
what it says cannot drift from what the tools do. Sources: the specification sections named
in the comments.
"""

from __future__ import annotations

# Errors (section 5).
ERROR_HISTORY_DEFAULT = 4
ERROR_HISTORY_MAX = 16
ERROR_HASH_LENGTH = 8

# Chat history (section 4).
CHAT_HISTORY_LIST_DEFAULT = 10
CHAT_HISTORY_LIST_MAX = 100
CHAT_HISTORY_TOOL_RUNS = 16
CHAT_HISTORY_SEARCH_DEFAULT = 15
CHAT_HISTORY_SEARCH_MAX = 50
WITHHOLD_MIN_CHARACTERS = 4096
WITHHOLD_MIN_CONFIDENCE = 0.7
DECISION_TIMEOUT_SECONDS = 5
SEMANTIC_MESSAGES = 20_000
SEMANTIC_BEFORE = 2
SEMANTIC_AFTER = 1
SEMANTIC_SECONDS = 3

# Memory and retrieval (section 4).
MEMORY_MODE_SEARCH_DEFAULT = 200
MEMORY_MODE_SEARCH_MAX = 1000
MEMORY_READ_DEFAULT = 50
MEMORY_READ_MAX = 500
REFERENT_CONTEXT_ROUNDS = 3
REFERENT_ROUNDS_MAX = 50
DIGEST_CHARACTERS = 12_000
DIGEST_LINE_CHARACTERS = 240
DIGEST_SESSIONS = 500
MEMORY_SEARCH_DEFAULT = 15
MEMORY_SEARCH_MAX = 50
MEMORY_GET_DEFAULT = 50
MEMORY_GET_MAX = 500
FILE_EXCERPT_CHARACTERS = 12_000
CONVERSATION_LIST_DEFAULT = 20
CONVERSATION_LIST_MAX = 100
CONVERSATION_READ_DEFAULT = 15
CONVERSATION_READ_MAX = 200
WOLFFISH_RECALL_DEFAULT = 8
WOLFFISH_RECALL_MAX = 30
FIND_NOTE_MAX = 20
FACT_CHARACTERS = 2_000
ANSWER_CHARACTERS = 48_000
HITS_CHARACTERS = 96_000
BRIEF_TEXT_CHARACTERS = 1_500
BRIEF_CALL_CHARACTERS = 500
STATUS_MESSAGES = 20_000
STATUS_ROWS = 20
LOG_TAIL_BYTES = 16 * 1024
# The most that a chat service takes for one image (ChatGPT and Gemini, 20 MB).
IMAGE_BYTES_MAX = 20 * 1024 * 1024
RECALL_WORDINGS = 2

# Limits of the built-in tools that guides rely on (the seeds).
FIND_FILES_KIB = 100
FIND_FILES_MATCHES = 100
READ_FILES_MB = 1
SEARCH_WEB_SECONDS = 90
SEARCH_NEWS_DAYS = 7
STORE_SECRET_ROUNDS = 2
SUBAGENTS_PARALLEL = 3
SUBAGENT_TIMEOUT_MINUTES = 30

# Reports (section 3). A tag costs 20 to 50 microseconds and 1 KB to judge, a character of script
# 5 to 10 microseconds and 250 bytes: a page at all three limits takes about a minute and 1 GB.
REPORT_BYTES_MAX = 50_000_000
REPORT_TAGS_MAX = 500_000
REPORT_SCRIPT_CHARACTERS_MAX = 5_000_000

# Working rules that guides state (our own, so that two guides cannot disagree).
TOOL_ATTEMPTS_MAX = 3
TOOL_REUSE_MIN = 2
WEB_PAGES_MIN = 2
MARKET_REGIONS_MIN = 2
READ_WHOLE_LINES = 200
READ_CONTEXT_LINES = 20
ASK_QUESTIONS_MAX = 3
ASK_OPTIONS_MIN = 2
ASK_OPTIONS_MAX = 4
DISPATCH_LOOKUPS_MIN = 3
DISPATCH_PAGES_MIN = 5
TODO_STEPS_MIN = 3
TODO_STEPS_MAX = 9
REPORT_WORDS_MIN = 500

# Templates of guides: far above any real guide, far below what would be felt.
TEMPLATE_STEPS_MAX = 100_000
TEMPLATE_CHARACTERS_MAX = 1_000_000
GUIDE_BYTES_MAX = 1_000_000
GUIDE_SUMMARY_CHARACTERS = 300
GUIDE_TITLE_CHARACTERS = 100

# Agent Skills (section 2).
SKILL_DESCRIPTION_CHARACTERS = 1024
SKILL_BODY_LINES = 500

# Token budgets of guides (section 2, checks).
TOPIC_TOKENS_MAX = 2_500
LARGE_TOPIC_TOKENS_MAX = 5_000
LARGE_TOPICS = ("office", "html_render", "figure", "tool_generate")
SECTION_TOKENS_MAX = 1_500
BUNDLE_TOKENS_MAX = 15_000
ALL_BUNDLE_TOKENS_MAX = 30_000
RULES_FILE_TOKENS_MAX = 5_000


def template_context() -> dict[str, int | float]:
    """Return every numeric limit under its lower-case name, for the template context."""
    return {
        name.lower(): value
        for name, value in globals().items()
        if name.isupper() and isinstance(value, int | float)
    }
