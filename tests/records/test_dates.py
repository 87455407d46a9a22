from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rarefind.features.cells.dates import read_dates
from rarefind.features.encoders import Dates
from rarefind.records.columns.kinds import detect_kinds
from rarefind.records.table import Table, word_array

MOMENTS = st.datetimes(datetime(1800, 1, 1), datetime(2200, 1, 1)).map(
    lambda moment: moment.replace(microsecond=0, tzinfo=UTC)
)


@pytest.mark.parametrize("form", ["%Y-%m-%d %H:%M:%S", "%Y/%m/%dT%H:%M:%SZ", "%d.%m.%Y %H:%M:%S"])
def test_dates_are_read_as_the_calendar_says(form):
    @given(st.lists(MOMENTS, min_size=1))
    def check(moments):
        words = [moment.strftime(form).zfill(19) for moment in moments]
        expected = [moment.timestamp() for moment in moments]
        if "." in form and not any(moment.day > 12 for moment in moments):
            words.append("31.01.2000")
            expected.append(datetime(2000, 1, 31, tzinfo=UTC).timestamp())
        np.testing.assert_array_equal(read_dates(words), expected)

    check()


def test_zones_halves_of_the_day_and_the_order_of_months():
    assert read_dates(["1970-01-01T01:00:00+01:00"])[0] == 0
    assert read_dates(["1970-01-01 00:00 -0130"])[0] == 5400
    assert read_dates(["1/2/1970 12:00 AM"])[0] == 86_400
    assert read_dates(["1/2/1970 1:00 PM"])[0] == 86_400 + 13 * 3600
    assert read_dates(["1.2.1970"])[0] == 31 * 86_400
    assert read_dates(["1/2/1970", "13/1/1970"])[0] == 31 * 86_400  # the column shows the order


@pytest.mark.parametrize("word", ["2024-13-01", "2024-02-30", "2024", "soon", "1-2-3", "1" * 50])
def test_what_is_no_date_is_none(word):
    assert read_dates(["2024-01-01", word]) is None


def test_dates_become_when_and_circles_where_they_differ():
    day = 86_400.0
    seconds = np.arange(0, 3 * 365) * day + (np.arange(3 * 365) % 24) * 3600
    dates = Dates.learnt("when", seconds)
    made = dates(seconds)
    assert made.shape == (len(seconds), len(dates.names)) == (1095, 7)
    clock = made[:, 1:3]
    assert np.linalg.norm(clock[0] - clock[12]) == pytest.approx(1.0)  # midnight and noon
    week = made[:, 3:5]
    np.testing.assert_allclose(week[0], week[7], atol=1e-12)
    plain = Dates.learnt("when", np.arange(10) * day)
    assert plain.names == ("when",)
    gaps = Dates.learnt("when", np.r_[seconds, np.nan])
    last = gaps(np.array([np.nan]))[0]
    assert gaps.names[1] == "when is missing"
    assert last[1] == 1.0
    np.testing.assert_array_equal(last[2:], 0.0)
    assert Dates.learnt("when", np.array([np.nan])) is None


@pytest.mark.parametrize(
    ("days", "why"),
    [
        (["01/03/2025", "07/03/2025"], "dates, the month first, though the day would fit as well"),
        (["01.03.2025", "07.03.2025"], "dates, the day first, though the month would fit as well"),
        (["01/03/2025", "17/03/2025"], "dates"),
        (["2025-03-01", "2025-03-07"], "dates"),
        (["03/03/2025", "07/07/2025"], "dates"),
    ],
)
def test_an_order_of_day_and_month_that_nothing_tells_is_said(days, why):
    (kind,) = detect_kinds(Table({"day": word_array(days * 15)}, "t"))
    assert (kind.kind, kind.why) == ("date", why)
