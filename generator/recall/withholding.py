"""Which long runs are left out of a reading because a model judged them unrelated.

A run is withheld at most once in a session, so that asking again returns it whole. What was
withheld is remembered beside the index: losing it costs one more withholding, nothing else.
"""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Sequence

from generator import limits
from generator.exceptions import FieldguideError, StorageError, UndecidedError
from generator.history.runs import Run
from generator.recall.decision import judge
from generator.recall.quoting import one_line
from generator.recall.session import current_session
from generator.recall.store import Recall
from generator.storage import file_lock, read_text, write_atomic

_FILE = "withheld.json"
_SESSIONS_KEPT = 200
_REQUEST_CHARACTERS = 2000
_REPLY_CHARACTERS = 1000
_LOCK_SECONDS = 2.0


def withheld_runs(runs: Sequence[Run], recall: Recall) -> tuple[dict[str, float], list[str]]:
    """Decide which runs are withheld, and remember them.

    Args:
        runs: The runs that were asked for.
        recall: The home; without a decision model in its settings nothing is withheld.

    Returns:
        The confidence for each withheld run by its task id, and what the caller should know.
    """
    workspace = recall.workspace
    settings = workspace.settings.decision_model
    long = [run for run in runs if run.characters >= limits.WITHHOLD_MIN_CHARACTERS]
    if settings is None or not long:
        return {}, []
    try:
        session, request, current = _request(recall)
    except FieldguideError as error:
        return {}, [_given(f"this session is not known: {error.message}")]
    if not request:
        return {}, [_given("this session has no request to compare with")]
    seen = _load(recall).get(session, [])
    withheld: dict[str, float] = {}
    notes: list[str] = []
    end = time.monotonic() + limits.DECISION_TIMEOUT_SECONDS
    for run in long:
        if run.task_id in seen or run.task_id == current:
            continue
        left = max(0.0, end - time.monotonic())
        try:
            verdict = judge(settings, workspace.environ, request, _parts(run, recall), left)
        except UndecidedError as error:
            notes.append(_given(error.message))
            break
        if not verdict.related and verdict.confidence >= limits.WITHHOLD_MIN_CONFIDENCE:
            withheld[run.task_id] = verdict.confidence
    if withheld:
        try:
            _remember(recall, session, list(withheld))
        except StorageError as error:
            # What cannot be remembered would be withheld for ever.
            return {}, [_given(error.message)]
    return withheld, notes


def _given(reason: str) -> str:
    return f"long runs are given whole, the decision model was not heard: {reason}"


def _request(recall: Recall) -> tuple[str, str, str]:
    """Return the current session, what was asked last in it, and the run of that."""
    current = current_session(recall.reader, recall.workspace, None)
    if current is None:
        return "", "", ""
    runs = [run for run in recall.reader.runs(current.row) if run.thread == "active"]
    if not runs:
        return current.row.id, "", ""
    text = recall.veil.window(runs[-1].objective, 0, _REQUEST_CHARACTERS)
    return current.row.id, text.strip(), runs[-1].task_id


def _parts(run: Run, recall: Recall) -> dict[str, str]:
    tools = list(dict.fromkeys(item.call.name for item in run.calls))
    return {
        "asked": recall.veil.window(run.objective, 0, _REQUEST_CHARACTERS),
        "tools": one_line(", ".join(tools), 300),
        "ended_on": recall.veil.window(run.reply, 0, _REPLY_CHARACTERS),
    }


def _load(recall: Recall) -> dict[str, list[str]]:
    path = recall.workspace.home.index / _FILE
    with contextlib.suppress(OSError, ValueError, StorageError):
        raw = json.loads(read_text(path))
        if isinstance(raw, dict):
            return {
                str(session): [str(item) for item in ids]
                for session, ids in raw.items()
                if isinstance(ids, list)
            }
    return {}


def _remember(recall: Recall, session: str, task_ids: list[str]) -> None:
    path = recall.workspace.home.index / _FILE
    with file_lock(path.with_suffix(".lock"), timeout=_LOCK_SECONDS):
        held = _load(recall)
        held[session] = list(dict.fromkeys([*held.pop(session, []), *task_ids]))
        while len(held) > _SESSIONS_KEPT:
            del held[next(iter(held))]
        write_atomic(path, json.dumps(held, ensure_ascii=False))
