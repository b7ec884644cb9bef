"""The canonical form: schema, page and code say the same, and real archives follow them."""

import json
import shutil
from dataclasses import fields
from pathlib import Path

import jsonschema
import pytest

from generator.exceptions import RecordError
from generator.history.canonical import SCHEMA_VERSION, TYPES, decode, encode
from generator.model.session import Attachment, Message, SubagentInfo, Tokens, ToolCall

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "generator/history/canonical.schema.json").read_text("utf-8"))
PARTS = {"tokens": Tokens, "call": ToolCall, "attachment": Attachment, "subagent": SubagentInfo}


@pytest.mark.parametrize(("name", "kind"), [*TYPES.items(), *PARTS.items()])
def test_schema_and_page_name_every_field(name, kind):
    described = set(SCHEMA["$defs"][name]["properties"]) - {"type", "schema"}
    assert described == {item.name for item in fields(kind)}
    page = (ROOT / "generator/handbook/pages/canonical-format.md").read_text("utf-8")
    for field in described:
        assert f"| `{field}` |" in page


def test_every_line_of_an_archive_follows_the_schema(source):
    shutil.copytree(ROOT / "tests/fixtures/samples", source.folder)
    source.take_in()
    validator = jsonschema.Draft202012Validator(SCHEMA)
    kinds = set()
    for path in source.home.history.rglob("*.jsonl"):
        for line in path.read_bytes().splitlines():
            record = json.loads(line)
            kinds.add(record["type"])
            assert not list(validator.iter_errors(record)), record
            assert encode(decode(line)) == line + b"\n"
    assert kinds == set(TYPES)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("[]", "not a JSON object"),
        ("{", "not JSON"),
        ('{"type": "dream"}', "unknown record type 'dream'"),
        ('{"type": ["message"]}', "unknown record type"),
        ('{"type": "message", "n": 1, "role": "user"}', "'id' is missing"),
        ('{"type": "message", "n": "1", "id": "a", "role": "user"}', "'n' must be a whole number"),
        ('{"type": "message", "n": 1, "id": "a", "role": "system"}', "'role' must be one of"),
        ('{"type": "message", "n": 1, "id": "a", "role": "user", "ts": "soon"}', "'ts' must be"),
        ('{"type": "message", "n": 1, "id": "a", "role": "user", "calls": [1]}', "an object"),
        ('{"type": "head", "schema": 99, "id": "a", "agent": "x"}', "newer than this version"),
    ],
)
def test_a_wrong_line_says_which_field(line, reason):
    with pytest.raises(RecordError, match=reason):
        decode(line)


def test_unknown_fields_are_passed_over():
    found = decode('{"type": "message", "n": 1, "id": "a", "role": "user", "mood": "good"}')
    assert found == Message(n=1, id="a", role="user")
    assert SCHEMA_VERSION == 1


def test_half_a_surrogate_pair_is_written_as_a_question_mark():
    assert decode(encode(Message(n=1, id="a", role="user", text="\ud83d"))).text == "?"
