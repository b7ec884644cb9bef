"""Columns of time: every step of the calendar has its place, whether something happened or not."""

from generator.export.history.columns import calendar_columns, columns


def shown(days):
    step, found = calendar_columns(days)
    return step, [(column.name, column.value) for column in found]


def test_days_without_anything_keep_their_place():
    assert shown({"2026-03-02": 5, "2026-03-05": 2}) == (
        "day",
        [("2026-03-02", 5), ("2026-03-03", 0), ("2026-03-04", 0), ("2026-03-05", 2)],
    )


def test_a_quarter_is_shown_by_week_and_adds_up():
    days = {"2026-03-02": 70, "2026-03-08": 1, "2026-03-09": 4, "2026-06-01": 6}
    step, found = shown(days)
    assert step == "week"
    assert len(found) == 14
    assert found[:2] == [("2026-03-02", 71), ("2026-03-09", 4)]
    assert found[-1] == ("2026-06-01", 6)
    assert sum(value for _, value in found) == sum(days.values())


def test_years_are_shown_by_month_and_the_newest_are_kept():
    step, found = shown({"2020-01-31": 9, "2024-12-31": 3, "2026-02-28": 1})
    assert step == "month"
    assert (found[0][0], found[-1], len(found)) == ("2021-03-01", ("2026-02-01", 1), 60)
    assert ("2024-12-01", 3) in found


def test_the_step_changes_with_the_sixty_first_day():
    assert shown({"2026-01-01": 1, "2026-03-01": 1})[0] == "day"  # 60 days
    assert shown({"2026-01-01": 1, "2026-03-02": 1})[0] == "week"


def test_what_is_no_day_is_left_out():
    assert shown({"unknown": 5}) == ("day", [])
    assert shown({"unknown": 5, "2026-03-02": 1}) == ("day", [("2026-03-02", 1)])


def test_the_largest_fills_the_height():
    assert [column.height for column in columns([("a", 3), ("b", 12), ("c", 0)])] == [25, 100, 0]
    assert [column.height for column in columns([("a", 0)])] == [0]
