"""The MCP server through the SDK's real client, in memory."""

import jsonschema
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from generator.guides.compose import compose
from generator.guides.loader import load_library
from generator.mcp_server.server import build_server
from generator.tools import TOOLS, get_tool


@pytest.fixture
def with_client(workspace, run_async):
    """Run an async function with a client that is connected to a server on the workspace."""

    def run(work, **options):
        async def session():
            async with Client(build_server(workspace), **options) as client:
                return await work(client)

        return run_async(session)

    return run


def text_of(result):
    return "\n".join(block.text for block in result.content)


def test_every_tool_is_listed_with_exact_schemas_and_hints(with_client, workspace):
    async def work(client):
        return (await client.list_tools()).tools

    listed = {tool.name: tool for tool in with_client(work)}
    assert list(listed) == [name for name in TOOLS if get_tool(name).mcp]
    for name, tool in listed.items():
        ours = get_tool(name)
        assert len(tool.description.splitlines()) == 3
        jsonschema.Draft202012Validator.check_schema(tool.input_schema)
        jsonschema.Draft202012Validator.check_schema(tool.output_schema)
        assert tool.input_schema["additionalProperties"] is False
        for field, schema in tool.input_schema["properties"].items():
            assert schema.get("description"), f"{name}.{field} is not described"
        assert tool.annotations.read_only_hint is ours.read_only
        assert tool.annotations.destructive_hint is ours.destructive
        assert tool.annotations.idempotent_hint is ours.idempotent


def test_instructions_list_every_topic_with_its_trigger(with_client, workspace):
    async def work(client):
        return client.instructions

    told = with_client(work)
    for topic, trigger in load_library(workspace).triggers():
        assert f"`{topic}`: {trigger}" in told


def test_a_call_gives_structured_output_and_the_text_an_agent_reads(with_client, workspace):
    async def work(client):
        return await client.call_tool("reasoning_guide", {"topics": ["rag_web", "recall"]})

    result = with_client(work)
    assert not result.is_error
    expected = compose(load_library(workspace), ["web_search", "recall"])
    assert text_of(result) == expected
    jsonschema.validate(
        result.structured_content,
        get_tool("reasoning_guide").result.model_json_schema(mode="serialization"),
    )


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("reasoning_guide", {"topics": ["recal"]}, "Did you mean 'recall'"),
        ("reasoning_guide", {}, "topics is required"),
        ("reasoning_guide", {"topic": "recall"}, "topic is not an argument (did you mean topics?)"),
        ("reasoning_guid", {}, "Did you mean 'reasoning_guide'"),
    ],
)
def test_bad_calls_are_tool_errors_in_our_words(with_client, workspace, name, arguments, told):
    async def work(client):
        return await client.call_tool(name, arguments)

    result = with_client(work)
    assert result.is_error
    assert told in text_of(result)
    for word in ("pydantic", "Traceback", "validation error"):
        assert word not in text_of(result)


def test_every_guide_is_a_resource_with_the_bytes_of_the_tool(with_client, workspace):
    async def work(client):
        listed = (await client.list_resources()).resources
        return {
            resource.name: (resource, (await client.read_resource(str(resource.uri))).contents[0])
            for resource in listed
        }

    read = with_client(work)
    library = load_library(workspace)
    assert list(read) == list(library.guides)
    for topic, (resource, contents) in read.items():
        assert str(resource.uri) == f"guide://{topic}"
        assert resource.description == library.guides[topic].summary
        assert contents.mime_type == "text/markdown"
        assert contents.text == compose(library, [topic])
        assert resource.size == len(contents.text.encode())


def test_an_alias_reads_and_an_unknown_resource_is_a_sentence(with_client, workspace):
    async def work(client):
        alias = (await client.read_resource("guide://rag_web")).contents[0].text
        problems = []
        for uri in ("guide://recal", "https://example.org/x", "fieldguide://secret/x"):
            with pytest.raises(MCPError) as caught:
                await client.read_resource(uri)
            problems.append(str(caught.value))
        return alias, problems

    alias, problems = with_client(work)
    assert alias.startswith("## web_search\n")
    assert "Did you mean 'recall'" in problems[0]
    assert "no resource of this server" in problems[1]
    assert "Known kind" in problems[2]


def test_named_bundles_are_prompts(with_client, workspace):
    async def work(client):
        names = [prompt.name for prompt in (await client.list_prompts()).prompts]
        return names, (await client.get_prompt("recovery")).messages[0].content.text

    names, text = with_client(work)
    assert "all" in names
    assert "recovery" in names
    assert text == compose(load_library(workspace), ["tool_error"])


def test_a_users_own_guide_appears_without_a_restart(with_client, workspace):
    async def work(client):
        before = [resource.name for resource in (await client.list_resources()).resources]
        workspace.home.guides.mkdir(parents=True)
        (workspace.home.guides / "deploys.md").write_text(
            "---\ntitle: Deploys\nsummary: Before a deploy.\nsince: '1'\n---\n## Steps\n\nWait.\n"
        )
        after = [resource.name for resource in (await client.list_resources()).resources]
        answer = await client.call_tool("reasoning_guide", {"topics": ["deploys"]})
        return before, after, text_of(answer)

    before, after, answer = with_client(work)
    assert "deploys" not in before
    assert "deploys" in after
    assert answer == "## deploys\n\n### Steps\n\nWait.\n"


def test_the_older_handshake_works_too(with_client, workspace):
    async def work(client):
        tools = (await client.list_tools()).tools
        return client.protocol_version, len(tools)

    version, count = with_client(work, mode="legacy")
    assert version < "2026"
    assert count == len([name for name in TOOLS if get_tool(name).mcp])
