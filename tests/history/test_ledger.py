"""Spending: each thing once, cut by day in a zone, priced by dated prices or one's own."""

import json
import shutil
from pathlib import Path

import pytest

from generator.history.prices import load_prices
from generator.model.session import Tokens

SAMPLES = Path(__file__).parent.parent / "fixtures" / "samples"


@pytest.fixture
def usage(run, tmp_path):
    shutil.copytree(SAMPLES, tmp_path / "samples")
    run("config", "set", "timezone", "Asia/Shanghai")
    run("history", "add", tmp_path / "samples")

    def call(*options):
        return json.loads(run("usage", "--json", *options).out)

    return call


def test_the_total_is_that_of_the_status(usage, run):
    total = json.loads(run("history", "status", "--json").out)["total"]["tokens"]
    found = usage("--period", "all")
    assert found["total"]["tokens"] == total
    for group in ("by_model", "by_project", "by_day"):
        for name in ("input", "output", "cache_read", "cache_write"):
            assert sum(row["tokens"][name] or 0 for row in found[group]) == total[name]


def test_days_are_cut_in_the_configured_zone(usage, run):
    found = usage("--after", "2026-03-10", "--before", "2026-03-10")
    assert [row["name"] for row in found["by_model"]] == ["gpt-5.2-codex"]
    assert [row["name"] for row in found["by_day"]] == ["2026-03-10"]
    run("config", "set", "timezone", "America/Los_Angeles")
    assert usage("--after", "2026-03-10", "--before", "2026-03-10")["total"]["requests"] == 0
    assert usage("--after", "2026-03-09", "--before", "2026-03-09")["total"]["requests"] == 3


def test_costs_an_agent_recorded_go_first(usage):
    found = usage("--after", "2026-05-04", "--before", "2026-05-04")
    costs = {row["name"]: row["cost"] for row in found["by_model"]}
    assert costs == {"deepseek-chat": 0.0021, "qwen3:8b": 0.0}


def test_a_model_without_a_price_is_counted_and_named(usage, run, home_folder):
    config = home_folder / "config.json"
    settings = json.loads(config.read_text())
    settings["prices"] = {"gpt-5.2-codex": {"input": 1000, "output": 1000, "cache_read": 0}}
    config.write_text(json.dumps(settings))
    found = usage("--after", "2026-03-10", "--before", "2026-03-10")
    assert found["total"]["cost"] == pytest.approx(5.47)
    assert usage("--period", "all")["unpriced_models"] == []


def test_explain_shows_lines_copies_and_the_naive_sum(usage):
    explanation = usage("--period", "all", "--explain")["explanation"]
    rows = {Path(row["path"]).name: row for row in explanation["sources"]}
    codex = next(row for name, row in rows.items() if "019cb100" in name)
    assert (codex["lines"], codex["dropped"]) == (4, {"the counter had not changed": 1})
    providers = rows["deepseek.md"]
    assert providers["dropped"] == {"the same spending stands in usage/daily": 2}
    assert explanation["naive"]["total"] > explanation["right"]["total"] == 125306


def test_a_model_that_only_resembles_a_known_one_has_no_price():
    prices = load_prices({})
    tokens = Tokens(input=1_000_000)
    assert prices.cost("anthropic/claude-sonnet-4-5-20250929", tokens) == 3
    assert prices.cost("claude@claude-sonnet-4-5", tokens) == 3
    assert prices.cost("claude-sonnet-4-5-turbo", tokens) is None
    assert prices.cost(None, tokens) is None


def test_own_prices_go_first():
    prices = load_prices({"gpt-5": {"input": 7}})
    assert prices.cost("gpt-5", Tokens(input=1_000_000, cache_write=1_000_000)) == 14


def test_a_wrong_day_is_one_sentence(usage, run):
    outcome = run("usage", "--after", "moonday")
    assert outcome.code == 2
    assert "YYYY-MM-DD" in outcome.err
