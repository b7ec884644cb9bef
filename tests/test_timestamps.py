"""Times: every unit and zone agents write, days cut where people live."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from generator.timestamps import days_between, parse_time

SHANGHAI = ZoneInfo("Asia/Shanghai")
EXPECTED = datetime(2026, 3, 2, 2, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    "value",
    [
        "2026-03-02T02:00:00Z",
        "2026-03-02T02:00:00.000Z",
        "2026-03-02T02:00:00.000000000Z",
        "2026-03-02T10:00:00+08:00",
        "2026-03-02T02:00:00.000000+00:00",
        "2026-03-02 10:00:00.000",
        "2026-03-02T10:00:00",
        1772416800,
        1772416800.0,
        1772416800000,
        1772416800000000,
        1772416800000000000,
        "1772416800000",
    ],
)
def test_every_shape_is_the_same_moment(value):
    assert parse_time(value, SHANGHAI) == EXPECTED


@pytest.mark.parametrize(
    "value",
    [None, "", "soon", True, [], {}, float("nan"), float("inf"), 10**30, "2026-13-01", "12"],
)
def test_what_is_no_time_is_none(value):
    assert parse_time(value, UTC) is None


def test_fractions_of_a_second_are_kept():
    assert parse_time(1772416800.25, UTC).microsecond == 250_000
    assert parse_time(1772416800123456789, UTC).microsecond == 123_456


def test_both_days_belong_to_a_span_in_their_zone():
    span = days_between(date(2026, 3, 1), date(2026, 3, 2), SHANGHAI)
    assert span.holds(datetime(2026, 3, 2, 15, 59, 59, tzinfo=UTC))
    assert not span.holds(datetime(2026, 3, 2, 16, 0, tzinfo=UTC))
    assert span.holds(datetime(2026, 2, 28, 16, 0, tzinfo=UTC))
    assert not span.holds(None)
    assert days_between(None, None, SHANGHAI).holds(None)
