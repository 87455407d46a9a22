from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rarefind.evaluation.plots import figure
from rarefind_bench.scale.growth import Series, as_data, growth_chart, growth_grid, power


@given(
    exponent=st.floats(-1, 3),
    factor=st.floats(0.01, 100),
    sizes=st.lists(st.integers(1, 10**6), min_size=2, unique=True),
)
def test_the_power_of_a_power_is_found(exponent, factor, sizes):
    points = [(size, factor * size**exponent) for size in sizes]
    assert power(points) == pytest.approx(exponent, abs=1e-4)


def test_small_sizes_and_short_times_do_not_blur_the_exponent():
    flat_then_square = {10: 1.0, 100: 1.0, 1_000: 1.0, 10_000: 100.0, 100_000: 10_000.0}
    assert Series("tool", flat_then_square).exponent() == 2.0
    assert Series("tool", {10: 1e-5, 100: 1e-4}).exponent() is None
    assert Series("tool", {10: 1.0}).exponent() is None


def test_a_table_says_where_a_tool_was_stopped_and_how_it_grows():
    ours = Series("rarefind auto", {100: 0.5, 1_000: 5.0, 10_000: 50.0})
    slow = Series("rival", {100: 2.0}, {1_000: "> 30 s"})
    grid = growth_grid("title", "rows", [ours, slow])
    assert grid.header == ("rows", "100", "1,000", "10,000", "grows like")
    assert grid.rows == [
        ("rarefind auto", "0.50", "5.0", "50", "n^1.00"),
        ("rival", "2.0", "> 30 s", "", ""),
    ]
    assert as_data([slow]) == {
        "rival": {"seconds": {"100": 2.0}, "left out": {"1000": "> 30 s"}, "exponent": None}
    }


def test_a_chart_has_a_line_for_everybody_with_a_time_on_logarithmic_axes():
    series = [
        Series("rarefind auto", {100: 0.5, 1_000: 0.5}),
        Series("rival", {100: 2.0, 1_000: 2.0}),
        Series("stopped at once", {}, {100: "> 30 s"}),
    ]
    chart = growth_chart("title", "records", series)
    with figure() as (_, axes):
        chart.draw(axes)
        assert len(axes.lines) == 2
        assert axes.get_xscale() == axes.get_yscale() == "log"
        low, high = axes.get_ylim()
        assert high > 100 * low
        styles = {(line.get_linestyle(), line.get_marker()) for line in axes.lines}
        assert len(styles) == 2
