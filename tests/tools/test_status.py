"""What is recorded and how the agents fare."""

from generator.tools.status import TOOL


def ask(workspace, mode):
    return TOOL.call({"mode": mode}, workspace)


def test_the_overview_says_what_is_indexed_and_since_when(archived):
    result = ask(archived, "overview")
    sources = {item.name: item for item in result.sources}
    assert set(sources) == {"conversation", "task", "episode", "feedback", "artifact"}
    assert sources["episode"].count == 2
    assert sources["episode"].oldest == "2026-05-04T09:15:00+08:00"
    agents = {item.name: item.count for item in result.agents}
    assert agents == {"codex": 2, "claude-code": 1, "wolffish": 1, "agenvoy": 1}
    assert result.home == str(archived.home.root)


def test_performance_counts_how_calls_ended(archived):
    result = ask(archived, "performance")
    tools = {tool.name: (tool.calls, tool.success) for tool in result.tools}
    assert tools["Bash"] == (1, 0.0)
    assert tools["fetch_page"] == (1, 1.0)
    assert (result.sessions, result.sessions_total) == (5, 5)
    assert "Bash: 1 call, 0% went well" in TOOL.render(result)


def test_memory_names_recent_topics_without_secrets(archived, keep):
    result = ask(archived, "memory")
    assert [topic.topic for topic in result.topics][:2] == [
        "Count the teapots in stock.csv",
        "Wind speed",
    ]
    assert {item.name for item in result.sources} == {"episode"}


def test_files_and_channels(archived):
    files = ask(archived, "files")
    assert (files.archive_files, files.sessions_total) == (6, 5)
    assert files.artifacts[0].ref == "file:uploads/conv-04/balcony.txt#1"
    channels = {item.name: item.newest for item in ask(archived, "channels").channels}
    assert channels["telegram"] == "2026-05-04T09:16:00+08:00"


def test_a_file_in_the_archive_that_is_none_is_told(archived):
    (archived.home.history / "stray.jsonl").write_text("not a record\n", encoding="utf-8")
    assert "stray.jsonl" in ask(archived, "files").problems[0]


def test_an_empty_home_says_how_to_fill_it(workspace):
    assert "history add" in TOOL.render(ask(workspace, "channels"))
    assert ask(workspace, "performance").tools == []
