"""Days as people say them: "yesterday", "last Tuesday", "3 weeks ago", 昨天, 上週三, 五月四日.

An expression names a stretch of whole days. Weeks run from Monday to Sunday. Nothing here lies
ahead: a weekday or a month without a year is the newest one that has begun, since what is asked
for is in the past. English, Chinese in both scripts and the usual Japanese words are read;
whoever takes a date shares this one parser.
"""

from __future__ import annotations

import re
import unicodedata
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta


@dataclass(frozen=True, slots=True)
class Days:
    """A stretch of days, both ends included.

    Attributes:
        first: First day.
        last: Last day.
    """

    first: date
    last: date


EXAMPLES = "yesterday, 3 days ago, last week, last Tuesday, May 4, 昨天, 上週"
"""What a message names when it says that more than YYYY-MM-DD is understood."""

_ENGLISH_NUMBERS = {
    word: number
    for number, word in enumerate(
        (
            *("zero", "one", "two", "three", "four", "five", "six"),
            *("seven", "eight", "nine", "ten", "eleven", "twelve"),
        )
    )
} | {"a": 1, "an": 1, "a couple of": 2, "a couple": 2, "couple of": 2}
_CHINESE_DIGITS = {digit: number for number, digit in enumerate("零一二三四五六七八九")} | {
    "两": 2,
    "兩": 2,
    "〇": 0,
}


def _names(words: str, first: int) -> dict[str, int]:
    """Number words that follow each other, each with its short forms after slashes."""
    return {
        form: number
        for number, forms in enumerate(words.split(), start=first)
        for form in forms.split("/")
    }


_WEEKDAYS = _names(
    "monday/mon/一 tuesday/tue/tues/二 wednesday/wed/三 thursday/thu/thur/thurs/四 friday/fri/五 "
    "saturday/sat/六 sunday/sun/日/天",
    0,
)
_MONTHS = _names(
    "january/jan february/feb march/mar april/apr may june/jun july/jul august/aug "
    "september/sep/sept october/oct november/nov december/dec",
    1,
)
_UNITS = {
    **dict.fromkeys(("hour", "小时", "小時", "钟头", "鐘頭", "時間"), "hour"),
    **dict.fromkeys(("day", "天", "日"), "day"),
    **dict.fromkeys(
        ("week", "周", "週", "星期", "礼拜", "禮拜", "週間", "周間", "個禮拜", "个礼拜", "個星期"),
        "week",
    ),
    **dict.fromkeys(("个星期", "個週", "个周", "個周"), "week"),
    **dict.fromkeys(("month", "个月", "個月", "月", "ヶ月", "か月", "ヵ月", "カ月"), "month"),
    **dict.fromkeys(("year", "年"), "year"),
}
_SHORT_UNITS = {"h": "hour", "d": "day", "w": "week", "m": "month", "mo": "month", "y": "year"}

_NAMED_OFFSETS = {
    0: "today,tonight,now,this morning,this afternoon,this evening,今天,今日,今早,今晚,今晨,"
    "今天早上,今天上午,今天下午,今天晚上,当天,當天,现在,現在,本日,今朝",
    1: "yesterday,last night,yesterday morning,yesterday afternoon,yesterday evening,昨天,昨日,"
    "昨晚,昨夜,昨早,昨天早上,昨天上午,昨天下午,昨天晚上,きのう,昨晩",
    2: "day before yesterday,ereyesterday,前天,前日,前晚,前天晚上,一昨日,おととい",
    3: "大前天,大前日,一昨昨日,さきおととい",
}
_OFFSETS = {
    word: days for days, words in _NAMED_OFFSETS.items() for word in words.split(",") if word
}

_ZH_NUMBER = r"[\d零〇一二两兩三四五六七八九十百半]+"
_UNIT = "|".join(sorted(map(re.escape, _UNITS), key=len, reverse=True))
_EN_NUMBER = "|".join(sorted(_ENGLISH_NUMBERS, key=len, reverse=True))


def read_days(text: str, now: datetime) -> Days | None:
    """Read an expression that names one day or more.

    Args:
        text: What a person or an agent wrote.
        now: The current time in the zone that cuts days.

    Returns:
        The days it names; None when it names none.
    """
    cleaned = " ".join(unicodedata.normalize("NFKC", text).lower().replace(",", " ").split())
    cleaned = cleaned.rstrip(".")
    for lead in _LEADS:
        cleaned = cleaned.removeprefix(lead)
    if not cleaned or len(cleaned) > _LONGEST:
        return None
    if cleaned in _OFFSETS:
        return _one(now.date() - timedelta(days=_OFFSETS[cleaned]))
    for pattern, reading in _READINGS:
        match = re.fullmatch(pattern, cleaned)
        if match:
            try:
                days = reading(match, now)
            except (ValueError, OverflowError, KeyError):
                return None
            # Midnights of the first and last years of the calendar fall outside it in some zones.
            return days if _YEARS[0] < days.first.year <= days.last.year < _YEARS[1] else None
    return None


_LEADS = ("since ", "until ", "from ", "on ", "the ", "in ", "during ")
_LONGEST = 60
_YEARS = (1, 9999)


def _one(day: date) -> Days:
    return Days(day, day)


def _number(text: str) -> int:
    """Read a number in digits, English words or Chinese numerals below a thousand."""
    if text.isdecimal():
        return int(text)
    if text in _ENGLISH_NUMBERS:
        return _ENGLISH_NUMBERS[text]
    total = digit = 0
    for sign in text:
        if sign in "十百":
            total += (digit or 1) * (10 if sign == "十" else 100)
            digit = 0
        else:
            digit = digit * 10 + (int(sign) if sign.isdecimal() else _CHINESE_DIGITS[sign])
    return total + digit


def _back(now: datetime, count: int, unit: str) -> date:
    """Return the day that lies so many units before now."""
    if unit == "hour":
        return (now - timedelta(hours=count)).date()
    if unit in ("day", "week"):
        return now.date() - timedelta(days=count * (7 if unit == "week" else 1))
    return _months_back(now.date(), count * (12 if unit == "year" else 1))


def _months_back(day: date, count: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 - count, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _month(year: int, month: int) -> Days:
    return Days(date(year, month, 1), date(year, month, monthrange(year, month)[1]))


def _week_of(day: date) -> Days:
    monday = day - timedelta(days=day.weekday())
    return Days(monday, monday + timedelta(days=6))


def _ago(match: re.Match[str], now: datetime) -> Days:
    unit = match["unit"]
    return _one(_back(now, _number(match["count"]), _UNITS.get(unit) or _SHORT_UNITS[unit]))


def _half_ago(match: re.Match[str], now: datetime) -> Days:
    if match["unit"] == "年":
        return _one(_months_back(now.date(), 6))
    return _one(now.date() - timedelta(days=15 if "月" in match["unit"] else 0))


def _past(match: re.Match[str], now: datetime) -> Days:
    """Read "the last 7 days": so many days up to now, today included."""
    count, unit = _number(match["count"] or "1"), _UNITS[match["unit"]]
    first = _back(now, count, unit)
    return Days(first if unit == "hour" else first + timedelta(days=1), now.date())


def _period(match: re.Match[str], now: datetime) -> Days:
    """Read "last week", 上上個月: a whole week, month or year of the calendar."""
    words, unit, today = match["which"], _UNITS[match["unit"]], now.date()
    count = _PERIODS_BACK[words]
    if unit == "week":
        return _week_of(today - timedelta(days=7 * count))
    if unit == "month":
        day = _months_back(today.replace(day=1), count)
        return _month(day.year, day.month)
    return Days(date(today.year - count, 1, 1), date(today.year - count, 12, 31))


_PERIODS_BACK = {
    **dict.fromkeys(("this", "current", "这", "這", "本", "这个", "這個", "今", "当", "當"), 0),
    **dict.fromkeys(("last", "previous", "past", "上", "上个", "上個", "先", "去", "昨"), 1),
    **dict.fromkeys(("上上", "上上个", "上上個", "先々", "前", "before last"), 2),
}


def _newest_weekday(match: re.Match[str], now: datetime) -> Days:
    """Read "Tuesday" as the newest one, today included, and "last Tuesday" as one before today."""
    today = now.date()
    back = (today.weekday() - _WEEKDAYS[match["day"]]) % 7
    if match["last"] and back == 0:
        back = 7
    return _one(today - timedelta(days=back))


def _weekday_of_week(match: re.Match[str], now: datetime) -> Days:
    """Read "Tuesday last week" and 上週二 as that day of that week."""
    weeks = _PERIODS_BACK[match["which"]]
    monday = _week_of(now.date() - timedelta(days=7 * weeks)).first
    return _one(monday + timedelta(days=_WEEKDAYS[match["day"]]))


def _weekend(match: re.Match[str], now: datetime) -> Days:
    weeks = _PERIODS_BACK[match["which"]]
    monday = _week_of(now.date() - timedelta(days=7 * weeks)).first
    return Days(monday + timedelta(days=5), monday + timedelta(days=6))


def _calendar(match: re.Match[str], now: datetime) -> Days:
    """Read a day, a month or a year of the calendar; what lacks a year is the newest begun."""
    given = {name: value for name, value in match.groupdict().items() if value}
    month = None
    if "month" in given:
        month = _MONTHS.get(given["month"]) or _number(given["month"])
    if "year" not in given:
        year = _newest_year(now.date(), month or 1, _number(given.get("day", "1")))
    elif given["year"] in _YEARS_BACK:
        year = now.year - _YEARS_BACK[given["year"]]
    else:
        year = _number(given["year"])
    if month is None:
        return Days(date(year, 1, 1), date(year, 12, 31))
    if "day" not in given:
        return _month(year, month)
    return _one(date(year, month, _number(given["day"])))


_YEARS_BACK = {"今年": 0, "this year": 0, "去年": 1, "昨年": 1, "last year": 1, "前年": 2}


def _newest_year(today: date, month: int, day: int) -> int:
    """Return the year of the newest such day that has come."""
    for year in range(today.year, today.year - 9, -1):  # the 29th of February may be 8 years ago
        if day <= monthrange(year, month)[1] and date(year, month, day) <= today:
            return year
    raise ValueError(month, day)


def _iso_week(match: re.Match[str], _: datetime) -> Days:
    return _week_of(date.fromisocalendar(int(match["year"]), int(match["week"]), 1))


_EN_MONTH = rf"(?P<month>{'|'.join(sorted(_MONTHS, key=len, reverse=True))})\.?"
_EN_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_EN_WEEKDAY = rf"(?P<day>{'|'.join(sorted((n for n in _WEEKDAYS if n.isascii()), key=len))})"
_ZH_WEEKDAY = r"(?P<day>[一二三四五六日天])"
_ZH_WHICH = r"(?P<which>上上个|上上個|上上|上个|上個|上|这个|這個|这|這|本)"
_ZH_YEAR = r"(?P<year>\d{4}|[零〇一二三四五六七八九]{4}|今年|去年|昨年|前年)年?"

_READINGS: tuple[tuple[str, Callable[[re.Match[str], datetime], Days]], ...] = (
    # 2026-05-04, with a time after it or not; 2026/5/4, 2026.5.4, 20260504
    (r"(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)(?:[t ].*)?", _calendar),
    (r"(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})", _calendar),
    (r"(?P<year>\d{4})(?P<month>\d\d)(?P<day>\d\d)", _calendar),
    (r"(?P<year>\d{4})-?w(?P<week>\d\d)", _iso_week),
    (r"(?P<year>(?:19|20)\d\d)(?:[-/.](?P<month>\d{1,2}))?", _calendar),
    # May 4, May 4th 2026, 4 May, May 2026, May
    (rf"{_EN_MONTH} {_EN_DAY}(?: (?P<year>\d{{4}}))?", _calendar),
    (rf"{_EN_DAY}(?: of)? {_EN_MONTH}(?: (?P<year>\d{{4}}))?", _calendar),
    (rf"{_EN_MONTH}(?: (?P<year>\d{{4}}|this year|last year))?", _calendar),
    # 2026年5月4日, 五月四號, 去年五月, 2026年
    (
        rf"(?:{_ZH_YEAR})?(?P<month>{_ZH_NUMBER})月(?:份|(?P<day>{_ZH_NUMBER})[日号號]?)?",
        _calendar,
    ),
    (r"(?P<year>\d{4}|[零〇一二三四五六七八九]{4})年", _calendar),
    # 3 days ago, 3d ago, 7d; 三天前, 两个月以前
    (rf"(?P<count>\d+|{_EN_NUMBER}) ?(?P<unit>hour|day|week|month|year)s? (?:ago|back)", _ago),
    (r"(?P<count>\d+) ?(?P<unit>h|d|w|mo|m|y)(?: ago)?", _ago),
    (r"半(?P<unit>年|个月|個月|天)(?:以前|之前|前)", _half_ago),
    (rf"(?P<count>{_ZH_NUMBER}) ?(?P<unit>{_UNIT})(?:以前|之前|前)", _ago),
    # the last 7 days, past week; 最近三天, 過去一週
    (
        rf"(?:last|past|previous) (?P<count>\d+|{_EN_NUMBER}) "
        r"(?P<unit>hour|day|week|month|year)s?",
        _past,
    ),
    (r"past (?P<count>)(?P<unit>hour|day|week|month|year)", _past),
    (
        rf"(?:最近|过去|過去|近|这|這)(?P<count>{_ZH_NUMBER}) ?(?P<unit>{_UNIT})(?:内|內|来|來)?",
        _past,
    ),
    # last week, the week before last; 上週, 上上个月, 去年
    (r"(?P<which>this|current|last|previous) (?P<unit>week|month|year)", _period),
    (r"(?P<unit>week|month|year) (?P<which>before last)", _period),
    (rf"{_ZH_WHICH}(?P<unit>周|週|星期|礼拜|禮拜|月|個月|个月)", _period),
    (r"(?P<which>先々|先|今)(?P<unit>週|周|月)", _period),
    (r"(?P<which>今|去|昨|前)(?P<unit>年)", _period),
    (r"(?P<which>this|last|previous) weekend", _weekend),
    (rf"{_ZH_WHICH}(?:周|週)末", _weekend),
    # Tuesday, last Tuesday, Tuesday last week; 週二, 上週二, 这周二
    (rf"(?P<last>last |previous |past )?{_EN_WEEKDAY}", _newest_weekday),
    (rf"(?P<which>this) {_EN_WEEKDAY}", _weekday_of_week),
    (rf"{_EN_WEEKDAY}(?: of)? (?P<which>this|last|previous) week", _weekday_of_week),
    (rf"(?P<which>this|last|previous) week(?: on)? {_EN_WEEKDAY}", _weekday_of_week),
    (rf"(?P<last>)(?:周|週|星期|礼拜|禮拜){_ZH_WEEKDAY}", _newest_weekday),
    (
        rf"{_ZH_WHICH}(?:周|週|星期|礼拜|禮拜)(?:的(?:周|週|星期))?{_ZH_WEEKDAY}",
        _weekday_of_week,
    ),
)
