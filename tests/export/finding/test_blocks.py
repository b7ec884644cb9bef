"""Blocks of places: cut by what they hold, so that a change stays where it is."""

from generator.export.finding.blocks import encode_number, plan_blocks
from generator.export.site import Batch


def batch(name, size=1, key="k"):
    return Batch(name=name, key=key, make=list, size=size)


def plans(batches):
    return {plan.id: tuple(item.name for item in plan.batches) for plan in plan_blocks(batches)}


def test_every_batch_stands_in_one_block_in_order():
    batches = [(0, batch(f"a{n}")) for n in range(500)] + [(2, batch(f"b{n}")) for n in range(9)]
    planned = plan_blocks(batches)
    assert [item.name for plan in planned for item in plan.batches] == [b.name for _, b in batches]
    assert 4 < len(planned) < 20
    assert len({plan.id for plan in planned}) == len(planned)
    assert {plan.section for plan in planned} == {0, 2}


def test_a_batch_that_comes_changes_the_block_it_comes_to():
    batches = [(0, batch(f"a{n:03}")) for n in range(500)]
    before = plans(batches)
    for at in range(0, 500, 50):
        after = plans([*batches[:at], (0, batch(f"new{at}")), *batches[at:]])
        assert len(before.items() - after.items()) <= 1


def test_a_large_batch_starts_a_block():
    assert len(plan_blocks([(0, batch("a")), (0, batch("b", size=100))])) == 2


def test_numbers_are_written_short():
    assert [encode_number(number) for number in (0, 31, 32, 1055)] == [
        "A",
        "*",
        "1A",
        "10*",
    ]
