"""Days in words: each names the days a person would mean, and what names none is refused."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.spoken_days import EXAMPLES, Days, read_days

NOW = datetime(2026, 5, 5, 1, 30, tzinfo=ZoneInfo("Asia/Shanghai"))  # a Tuesday

# What is said, the first day and the last (the same when left out), as month-day of 2026.
CASES = """
today | 05-05
Today. | 05-05
this morning | 05-05
yesterday | 05-04
last night | 05-04
since yesterday | 05-04
day before yesterday | 05-03
the day before yesterday | 05-03
1 day ago | 05-04
3 days ago | 05-02
three days ago | 05-02
a couple of days ago | 05-03
a week ago | 04-28
2 weeks ago | 04-21
two months ago | 03-05
a year ago | 2025-05-05
2 hours ago | 05-04
an hour ago | 05-05
3d | 05-02
2w ago | 04-21
24h | 05-04
this week | 05-04 | 05-10
last week | 04-27 | 05-03
previous week | 04-27 | 05-03
the week before last | 04-20 | 04-26
last weekend | 05-02 | 05-03
this month | 05-01 | 05-31
last month | 04-01 | 04-30
last year | 2025-01-01 | 2025-12-31
the last 7 days | 04-29 | 05-05
past 2 weeks | 04-22 | 05-05
past week | 04-29 | 05-05
past month | 04-06 | 05-05
last 24 hours | 05-04 | 05-05
tuesday | 05-05
last Tuesday | 04-28
Mon | 05-04
on Friday | 05-01
last friday | 05-01
wednesday last week | 04-29
last week on Wednesday | 04-29
this Thursday | 05-07
May 4 | 05-04
May 4th, 2025 | 2025-05-04
4 May | 05-04
the 4th of May | 05-04
Dec 24 | 2025-12-24
Feb. 29 | 2024-02-29
May | 05-01 | 05-31
in December | 2025-12-01 | 2025-12-31
March 2025 | 2025-03-01 | 2025-03-31
2026-05-04 | 05-04
2026-05-04T10:00:00Z | 05-04
2026-05-04 10:00 | 05-04
2026/5/4 | 05-04
20260504 | 05-04
2026-05 | 05-01 | 05-31
2025 | 2025-01-01 | 2025-12-31
2026-W18 | 04-27 | 05-03
今天 | 05-05
昨天 | 05-04
昨天晚上 | 05-04
昨晚 | 05-04
前天 | 05-03
大前天 | 05-02
三天前 | 05-02
３天前 | 05-02
3 天之前 | 05-02
兩天前 | 05-03
两周前 | 04-21
十二天前 | 04-23
二十天前 | 04-15
一個月前 | 04-05
两个月以前 | 03-05
半年前 | 2025-11-05
半個月前 | 04-20
兩小時前 | 05-04
上週 | 04-27 | 05-03
上周 | 04-27 | 05-03
上个星期 | 04-27 | 05-03
上禮拜 | 04-27 | 05-03
上上週 | 04-20 | 04-26
這週 | 05-04 | 05-10
本周 | 05-04 | 05-10
上週末 | 05-02 | 05-03
上個月 | 04-01 | 04-30
上月 | 04-01 | 04-30
上上个月 | 03-01 | 03-31
本月 | 05-01 | 05-31
去年 | 2025-01-01 | 2025-12-31
前年 | 2024-01-01 | 2024-12-31
週二 | 05-05
星期三 | 04-29
上週三 | 04-29
上周日 | 05-03
上個禮拜天 | 05-03
上上周五 | 04-24
這週一 | 05-04
最近三天 | 05-03 | 05-05
過去七天 | 04-29 | 05-05
近一周 | 04-29 | 05-05
最近一個月 | 04-06 | 05-05
5月4日 | 05-04
五月四號 | 05-04
五月 | 05-01 | 05-31
12月25日 | 2025-12-25
2026年5月4日 | 05-04
二〇二五年五月 | 2025-05-01 | 2025-05-31
去年五月 | 2025-05-01 | 2025-05-31
2025年 | 2025-01-01 | 2025-12-31
先週 | 04-27 | 05-03
一昨日 | 05-03
先月 | 04-01 | 04-30
"""


def _day(text):
    return date.fromisoformat(text if len(text) > 5 else f"2026-{text}")


def _cases():
    for line in CASES.strip().splitlines():
        said, first, *last = (part.strip() for part in line.split("|"))
        yield pytest.param(said, Days(_day(first), _day((last or [first])[0])), id=said)


@pytest.mark.parametrize(("said", "days"), list(_cases()))
def test_words_name_the_days_a_person_means(said, days):
    assert read_days(said, NOW) == days


@pytest.mark.parametrize(
    "said",
    [
        *("", " ", "05/04", "someday", "the other day", "yesterdays", "last", "ago", "mayonnaise"),
        *("monkey", "2026-13-01", "2026-02-30", "February 30", "13月1日", "99999999999 days ago"),
        *("5000 years ago", "上", "天前", "-3 days ago", "0001-01-01", "9999-12-31", "x" * 9999),
    ],
)
def test_what_names_no_day_is_none(said):
    assert read_days(said, NOW) is None


def test_the_zone_decides_which_day_yesterday_is():
    moment = NOW.astimezone(UTC)  # still the 4th in London
    assert read_days("yesterday", moment) == Days(date(2026, 5, 3), date(2026, 5, 3))


def test_months_end_where_the_month_does():
    assert read_days("1 month ago", datetime(2026, 3, 31, tzinfo=UTC)).first == date(2026, 2, 28)


def test_every_example_in_messages_is_understood():
    for said in EXAMPLES.split(", "):
        assert read_days(said, NOW), said


@given(st.text(alphabet="0123456789 adeghklmnorstuwy-/.上下前週周三天月日年半個", max_size=24))
def test_no_text_raises_and_days_are_in_order(text):
    days = read_days(text, NOW)
    assert days is None or days.first <= days.last
