"""Days include both ends and are cut in the configured zone."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from generator.exceptions import UsageError
from generator.recall.days import local, named_days, span_of_days, span_of_range
from generator.settings_edits import set_setting
from generator.timestamps import Span


@pytest.fixture
def shanghai(workspace):
    set_setting(workspace.home, "timezone", "Asia/Shanghai")
    return workspace


def test_days_are_read_as_people_name_them(shanghai):
    assert named_days("2026-05-04", shanghai, "date").first == date(2026, 5, 4)
    assert named_days("2026-05-04T10:00:00Z", shanghai, "date").first == date(2026, 5, 4)
    assert named_days("Yesterday", shanghai, "date").first == date(2026, 5, 4)
    assert named_days("上週", shanghai, "date").last == date(2026, 5, 3)


def test_a_stretch_gives_its_first_day_to_after_and_its_last_to_before(shanghai):
    span = span_of_days("last week", "last week", shanghai)
    zone = ZoneInfo("Asia/Shanghai")
    assert span.start == datetime(2026, 4, 27, tzinfo=zone)
    assert span.end == datetime(2026, 5, 4, tzinfo=zone)


def test_what_is_no_day_is_refused_by_name(shanghai):
    with pytest.raises(UsageError, match=r"after takes a day as YYYY-MM-DD.*'05/04'") as caught:
        named_days("05/04", shanghai, "after")
    assert "yesterday" in caught.value.hint


def test_both_days_are_included_in_the_configured_zone(shanghai):
    span = span_of_days("2026-05-04", "2026-05-04", shanghai)
    zone = ZoneInfo("Asia/Shanghai")
    assert span.holds(datetime(2026, 5, 4, 0, 0, tzinfo=zone))
    assert span.holds(datetime(2026, 5, 4, 15, 59, 59, tzinfo=UTC))
    assert not span.holds(datetime(2026, 5, 4, 16, 0, tzinfo=UTC))
    assert not span.holds(datetime(2026, 5, 3, 15, 59, 59, tzinfo=UTC))
    assert not span.holds(None)
    assert Span().holds(None)


def test_days_in_the_wrong_order_are_refused(shanghai):
    with pytest.raises(UsageError, match="lies before"):
        span_of_days("2026-05-04", "2026-05-03", shanghai)


def test_a_stretch_meets_a_span_when_they_share_a_moment(shanghai):
    span = span_of_days("2026-05-04", "2026-05-04", shanghai)
    noon = datetime(2026, 5, 4, 4, tzinfo=UTC)
    later = datetime(2026, 5, 9, tzinfo=UTC)
    assert span.meets(noon, later)
    assert span.meets(None, noon)
    assert not span.meets(later, None)
    assert not span.meets(None, None)
    assert Span().meets(None, None)


def test_a_range_ends_now(shanghai):
    week = span_of_range("7d", shanghai)
    assert week.holds(shanghai.now())
    assert week.start == datetime(2026, 4, 28, 4, tzinfo=UTC)
    assert span_of_range("all", shanghai).is_open


def test_moments_are_written_in_the_configured_zone(shanghai):
    assert local(datetime(2026, 5, 4, 16, 0, tzinfo=UTC), shanghai) == "2026-05-05T00:00:00+08:00"
    assert local(None, shanghai) is None
