"""Files of postings: the same whatever way led to them, and few change with a line."""

import random

from generator.export.finding.shards import Shards


def state(shards):
    return [(shard, shards.text(shard.first)) for shard in shards.files()]


def clean(lines):
    shards = Shards()
    shards.change(lines)
    return shards


def lines_of(count, chance):
    letters = "abcxyz错误重试\U00020000\uff21"
    return {
        "".join(chance.choices(letters, k=chance.randint(1, 6))): ".0000A" * chance.randint(1, 900)
        for _ in range(count)
    }


def test_changes_lead_where_a_clean_start_does():
    chance = random.Random(5)
    lines = lines_of(400, chance)
    shards = clean(lines)
    for round_ in range(60):
        changes = dict.fromkeys(chance.sample(sorted(lines), chance.randint(0, 9)), "")
        changes |= lines_of(chance.choice([0, 1, 5, 200 if round_ % 20 == 0 else 2]), chance)
        changes["never there"] = ""
        shards.change(changes)
        lines = {token: line for token, line in (lines | changes).items() if line}
        assert state(shards) == state(clean(lines))


def test_the_order_is_that_of_javascript():
    shards = clean({"\uff21": ".0000A", "\U00020000": ".0000A", "b": ".0000A"})
    tokens = [line.split()[0] for _, text in state(shards) for line in text.split("\n")]
    assert tokens == ["b", "\U00020000", "\uff21"]


def test_one_line_changes_one_file():
    lines = {f"word{number}": ".0000A" * 60 for number in range(3000)}
    shards = clean(lines)
    before = dict(state(shards))
    assert len(before) > 5
    shards.change({"word1500": ".0000A" * 59})
    after = dict(state(shards))
    assert len(before.keys() - after.keys()) == 1


def test_nothing_at_all_makes_no_file():
    shards = clean({"a": ".0000A"})
    shards.change({"a": ""})
    assert shards.files() == []
