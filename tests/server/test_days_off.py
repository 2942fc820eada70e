"""Days off over calendars: leap years, New Year, chains of extensions, holidays that end early, and the deadlines of turns."""

from __future__ import annotations

import datetime as dt
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from bridgehead.server.tables import days_off
from bridgehead.server.tables.days_off import DAY, ROUNDING, STOCK, Holidays

UTC = dt.UTC
# Any moment, most of them near a New Year or the end of a February, in years with and without a leap day.
NEAR = st.builds(
    lambda year, turn, off: dt.datetime(year, turn[0], turn[1], tzinfo=UTC).timestamp() + off,
    st.sampled_from([2023, 2024, 2025, 2027, 2028, 2038, 2099, 2100, 2101]),
    st.sampled_from([(1, 1), (3, 1)]),
    st.floats(-40 * DAY, 40 * DAY),
)
BEGINS = NEAR | st.floats(1.6e9, 4.2e9)
# Seconds until each wish, and its days; 0 days: the person is back.
CHAINS = st.lists(st.tuples(st.floats(0, 20 * DAY) | st.sampled_from([0.0, DAY, 28 * DAY]), st.integers(0, 28)), max_size=12)


def at(year: int, month: int, day: int, hour: int = 0) -> float:
    return dt.datetime(year, month, day, hour, tzinfo=UTC).timestamp()


def counted(holidays: Holidays) -> Counter[int]:
    """The days of each year, counted anew: with a calendar, day by day, in whole microseconds."""
    found: Counter[int] = Counter()
    for start, end in holidays:
        day, length = dt.datetime.fromtimestamp(start, UTC), dt.timedelta(seconds=end - start - ROUNDING)
        found.update((day + dt.timedelta(i)).year for i in range(-(-length // dt.timedelta(1))))
    return found


def wished(begin: float, chain: list[tuple[float, int]]) -> tuple[Holidays, float]:
    """The holidays after a chain of wishes of which each is granted if every year has days left; and the time then."""
    holidays: Holidays = ()
    now = begin
    for passed, days in chain:
        now += passed
        if days_off.lacking(holidays, now, days) is None:
            holidays = days_off.take_days_off(holidays, now, days)
    return holidays, now


@given(BEGINS, CHAINS)
def test_no_chain_of_wishes_gives_a_year_more_days_than_its_stock(begin: float, chain: list[tuple[float, int]]) -> None:
    holidays, now = wished(begin, chain)
    assert all(one.start < one.end <= other.start for one, other in zip(holidays, holidays[1:], strict=False))
    years = days_off.years(holidays)
    assert years == counted(holidays) and all(count <= STOCK for count in years.values())
    assert days_off.count_days_left(holidays, now) == STOCK - years[dt.datetime.fromtimestamp(now, UTC).year]


@given(BEGINS, CHAINS, st.integers(1, 28))
def test_a_wish_is_refused_only_if_a_year_lacks_days(begin: float, chain: list[tuple[float, int]], days: int) -> None:
    holidays, now = wished(begin, chain)
    after = days_off.take_days_off(holidays, now, days)
    year = days_off.lacking(holidays, now, days)
    over = sorted(each for each, count in counted(after).items() if count > STOCK)
    assert year == (over[0] if over else None)
    assert sum(counted(after).values()) == sum(counted(holidays).values()) + days, "each day off is one day of one year"


@given(BEGINS, CHAINS, st.floats(0, 30 * DAY))
def test_who_comes_back_early_pays_for_the_days_that_have_begun(
    begin: float, chain: list[tuple[float, int]], late: float
) -> None:
    holidays, now = wished(begin, chain)
    back = days_off.take_days_off(holidays, now + late, 0)
    assert days_off.running(back, now + late) is None
    if holiday := days_off.running(holidays, now + late):
        used = (now + late - holiday.start) / DAY
        paid = sum(counted(back).values()) - sum(counted(holidays[:-1]).values())
        assert used - 1e-6 <= paid < used + 1 + 1e-6
    else:
        assert back == holidays


@given(BEGINS, CHAINS, st.integers(1, 14), st.floats(0, 400 * DAY))
def test_a_turn_has_its_days_besides_all_holidays(begin: float, chain: list[tuple[float, int]], days: int, into: float) -> None:
    holidays, _ = wished(begin, chain)
    begun = begin + into
    due = days_off.deadline(begun, days, holidays)
    off = sum(max(0.0, min(end, due) - max(start, begun)) for start, end in holidays)
    assert abs(due - begun - off - days * DAY) < 1e-3
    assert all(not start < due < end for start, end in holidays), "no deadline lies in a holiday"


def test_a_day_on_the_last_of_december_opens_no_second_stock() -> None:
    """Extended on New Year's Day again and again, it gave 28 more days each time, until 21 May."""
    holidays = days_off.take_days_off((), at(2026, 12, 31, 10), 1)
    new_year = at(2027, 1, 1, 1)
    assert (days_off.count_days_left(holidays, at(2026, 12, 31, 11)), days_off.count_days_left(holidays, new_year)) == (27, 28)
    assert days_off.lacking(holidays, new_year, 28) is None
    holidays = days_off.take_days_off(holidays, new_year, 28)
    assert days_off.years(holidays) == {2026: 1, 2027: 28} and days_off.count_days_left(holidays, new_year) == 0
    assert days_off.lacking(holidays, new_year, 1) == 2027 and holidays[-1].end == at(2027, 1, 29, 10)


def test_a_holiday_over_new_year_takes_from_both_years() -> None:
    holidays = days_off.take_days_off((), at(2027, 12, 18), 28)
    assert days_off.years(holidays) == {2027: 14, 2028: 14} and days_off.count_days_left(holidays, at(2027, 12, 19)) == 14
    assert days_off.lacking(holidays, at(2027, 12, 19), 15) == 2028, "the extension lies in the new year"
    leap = days_off.take_days_off((), at(2028, 2, 28, 12), 3)
    assert leap[0].end == at(2028, 3, 2, 12)
