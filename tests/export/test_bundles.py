"""The files agents fetch are byte for byte what reasoning_guide returns, with true digests."""

import hashlib
import json

import pytest

from generator import limits, reasoning_guide
from generator.guides.bundles import BUNDLES
from generator.tokens import METHOD, estimate_tokens


@pytest.fixture
def site(build, tmp_path):
    build()
    return tmp_path / "site"


def test_topic_files_hold_what_the_tool_returns(site):
    manifest = json.loads((site / "guides" / "index.json").read_bytes())
    assert manifest["tokens"] == METHOD
    assert len(manifest["guides"]) >= 12
    for entry in manifest["guides"]:
        topic = entry["topic"]
        raw = (site / entry["md"]).read_bytes()
        assert raw.decode() == reasoning_guide([topic])
        assert entry["sha256"] == hashlib.sha256(raw).hexdigest()
        assert entry["bytes"] == len(raw)
        assert entry["tokens"] == estimate_tokens(raw.decode())
        record = json.loads((site / entry["json"]).read_bytes())
        assert list(record) == [
            "topic", "title", "summary", "since", "aliases", "sha256", "bytes", "tokens", "body",
        ]  # fmt: skip
        assert record["body"].encode() == raw
        assert record == {key: entry[key] for key in record if key != "body"} | {
            "body": record["body"]
        }


def test_named_bundles_hold_what_the_tool_returns(site):
    manifest = json.loads((site / "guides" / "index.json").read_bytes())
    bundles = {bundle["name"]: bundle for bundle in manifest["bundles"]}
    assert set(bundles) == {*BUNDLES, "all"}
    for bundle in bundles.values():
        raw = (site / bundle["md"]).read_bytes()
        assert raw.decode() == reasoning_guide(bundle["topics"])
        assert bundle["sha256"] == hashlib.sha256(raw).hexdigest()
        assert bundle["tokens"] == estimate_tokens(raw.decode())
    assert bundles["all"]["topics"] == [guide["topic"] for guide in manifest["guides"]]
    assert bundles["research"]["topics"] == list(BUNDLES["research"])


def test_the_guides_folder_holds_exactly_three_files_a_topic(site):
    topics = {path.stem for path in (site / "guides").glob("*.md")} - {"index"}
    expected = {f"{topic}.{kind}" for topic in topics for kind in ("html", "md", "json")}
    standing = {path.name for path in (site / "guides").iterdir() if path.is_file()}
    assert standing == expected | {"index.html", "index.json", "index.md"}


def test_the_command_prints_the_bytes_of_the_bundle(site, run):
    topics = BUNDLES["reporting"]
    assert run("guide", *topics).out.encode() == (site / "bundles" / "reporting.md").read_bytes()


def test_llms_txt_names_every_topic_and_its_links_resolve(site):
    text = (site / "llms.txt").read_text()
    assert text.startswith("# Fieldguide\n\n> ")
    targets = [part.split(")")[0] for part in text.split("](")[1:]]
    for target in targets:
        assert (site / target).is_file(), target
    for path in (path for path in (site / "guides").glob("*.md") if path.stem != "index"):
        assert f"guides/{path.name}" in targets
    full = (site / "llms-full.txt").read_text()
    assert "](../" not in full
    for path in (path for path in (site / "guides").glob("*.md") if path.stem != "index"):
        assert f"\n## {path.stem}\n" in full


def test_each_topic_is_a_skill_within_the_formats_limits(site):
    index = json.loads((site / ".well-known" / "agent-skills" / "index.json").read_bytes())
    topics = {path.stem for path in (site / "guides").glob("*.md")} - {"index"}
    assert {skill["name"] for skill in index["skills"]} == {t.replace("_", "-") for t in topics}
    for skill in index["skills"]:
        path = site / ".well-known" / "agent-skills" / skill["url"]
        raw = path.resolve().read_bytes()
        assert skill["digest"] == f"sha256:{hashlib.sha256(raw).hexdigest()}"
        assert path.resolve().parent.name == skill["name"]
        assert f"\nname: {skill['name']}\n" in raw.decode()
        assert 0 < len(skill["description"]) <= limits.SKILL_DESCRIPTION_CHARACTERS
        body = raw.decode().split("\n---\n", 1)[1]
        assert len(body.splitlines()) < limits.SKILL_BODY_LINES


def test_joins_are_measured_without_being_made(build, own_guides, tmp_path):
    own_guides("one", "## 部署\n\n错误重试 abc\n")
    own_guides("two", "## B\n\nab\n")
    build()
    manifest = json.loads((tmp_path / "site" / "guides" / "index.json").read_bytes())
    page = (tmp_path / "site" / "bundles" / "index.html").read_text()
    text = (tmp_path / "site" / "bundles" / "all.md").read_text()
    assert manifest["bundles"][0]["tokens"] == estimate_tokens(text)
    assert f'<span class="figure">{estimate_tokens(text)}</span>' in page


def test_a_topic_script_cannot_end_its_element(build, own_guides, tmp_path):
    own_guides("one", "## A\n\n`</script><script>alert(1)</script>`\n")
    build()
    script = (tmp_path / "site" / "data" / "guides" / "one.js").read_text()
    assert "</script" not in script
