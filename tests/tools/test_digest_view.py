"""The digest: what was asked, what came of it, nothing twice, every line with a ref that reads."""

from datetime import UTC, datetime, timedelta

import pytest

from generator import limits
from generator.exceptions import UsageError
from generator.knowledge.facts import save_fact
from generator.model.session import Head, Message, ToolCall
from generator.recall.days import span_of_days
from generator.recall.digest import make_digest
from generator.recall.store import open_recall
from generator.settings_edits import set_setting
from generator.tools.memory import TOOL
from generator.tools.memory_get import TOOL as GET

START = datetime(2026, 5, 4, 2, 0, tzinfo=UTC)
WEEK = ("2026-04-27", "2026-05-05")


def at(minutes):
    return START + timedelta(minutes=minutes)


def say(n, role, text="", minutes=0, **more):
    return Message(n=n, id=f"m{n}", role=role, text=text, ts=at(minutes), **more)


def digest(workspace, focus="", **more):
    recall = open_recall(workspace)
    return make_digest(recall, span_of_days(*WEEK, workspace), focus, **more)


def every_line(found):
    for day in found.days:
        yield from day.facts
        for session in day.sessions:
            for told in session.told:
                yield from (line for line in (told.asked, told.outcome) if line)
            yield from (*session.more, *session.failures, *session.files, *session.links)
            yield from session.tools


def test_days_sessions_requests_outcomes_and_tools_are_told(archived):
    save_fact(archived, "Wind speeds are given in metres a second", "decisions")
    found = digest(archived)
    assert [day.day.isoformat() for day in found.days] == ["2026-05-04", "2026-05-05"]
    assert [line.text for line in found.days[1].facts] == [
        "Wind speeds are given in metres a second"
    ]
    boat = next(
        item for day in found.days for item in day.sessions if item.ref.endswith("boat-0001")
    )
    assert boat.told[0].asked.text == "请给 paperboat 项目加一个风速换算函数"
    assert boat.told[0].outcome.text == "我先查看现有的单位换算代码。"
    assert {tool.name: (tool.calls, tool.failed) for tool in boat.tools} == {
        "Grep": (1, 0),
        "Task": (1, 0),
        "Bash": (1, 1),
    }
    assert [line.text for line in boat.failures] == ["Bash: exit 2"]
    assert [line.text for line in boat.files] == ["src"]
    assert "rewound" not in str(found)
    assert found.tokens == 102


def test_every_line_has_a_ref_that_reads_back(archived):
    save_fact(archived, "Wind speeds are given in metres a second", "decisions")
    lines = list(every_line(digest(archived)))
    assert len(lines) > 10
    for line in lines:
        assert GET.call({"ref": line.ref}, archived)


def test_secrets_are_masked_before_anything_is_cut(archived):
    found = digest(archived)
    assert "ghp_" not in str(found)
    assert "[masked:" in str([line.text for line in every_line(found) if hasattr(line, "text")])


def test_a_focus_leaves_the_rest_out_and_says_how_much(archived):
    found = digest(archived, "teapots")
    assert [item.ref for day in found.days for item in day.sessions] == ["conversation:tea-0002"]
    assert found.off_focus > 3
    assert digest(archived, "submarine").days == ()


def test_the_length_holds_and_nothing_is_said_twice(workspace, keep):
    set_setting(workspace.home, "timezone", "Asia/Shanghai")
    for number in range(60):
        records = [Head(id=f"s{number}", agent="codex", created=at(0), updated=at(50))]
        for n in range(1, 20, 2):
            records.append(
                say(n, "user", f"Request {number} {n}: mend part {n * number} please.", n)
            )
            records.append(
                say(
                    n + 1,
                    "assistant",
                    f"Part {n * number} of machine {number} is mended now. The build is green "
                    f"again. See https://example.org/{number}/{n} for it. " * 5,
                    n,
                    calls=(
                        ToolCall(id=f"c{n}", name="edit", arguments={"path": f"src/{n}.py"}),
                        ToolCall(id=f"d{n}", name="run", result="error: no", status="error"),
                    ),
                )
            )
        keep("codex", f"s{number}", *records)
    found = digest(workspace)
    assert found.characters <= limits.DIGEST_CHARACTERS
    shown = [item for day in found.days for item in day.sessions]
    assert len(shown) + len(found.untold) == found.sessions == 60
    texts = [line.text for line in every_line(found) if getattr(line, "terms", None)]
    assert len(texts) == len(set(texts))
    assert sum("build is green" in text for text in texts) == 1
    small = digest(workspace, characters=1500)
    assert small.characters <= 1500
    assert small.untold


def test_long_lines_are_cut(workspace, keep):
    keep(
        "codex",
        "long",
        Head(id="long", agent="codex", created=at(0), updated=at(9)),
        say(1, "user", "why " * 400, 0),
    )
    (line,) = every_line(digest(workspace))
    assert len(line.text) == limits.DIGEST_LINE_CHARACTERS


def test_the_tool_needs_both_days_and_takes_words(archived):
    with pytest.raises(UsageError, match="needs since and until"):
        TOOL.call({"mode": "summarize", "since": "yesterday"}, archived)
    result = TOOL.call({"since": "yesterday", "until": "today", "focus": "teapots"}, archived)
    text = TOOL.render(result)
    assert text.startswith("Lines behind")
    assert "2026-05-04 to 2026-05-05 about 'teapots'" in text
    assert "> asked: Count the teapots in stock.csv  conversation:tea-0002#1" in text
    assert "> => There are 12 teapots.  conversation:tea-0002#2" in text
    assert f"keeps to {limits.DIGEST_CHARACTERS}" in text


def test_days_without_anything_say_so(archived):
    result = TOOL.call({"since": "2020-01-01", "until": "2020-01-02"}, archived)
    assert "Nothing is recorded of these days" in TOOL.render(result)
