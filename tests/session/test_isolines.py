"""Isolines are where the component has their value, to less than a pixel."""

from dataclasses import replace

import numpy as np
import pytest

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.drawn import SOURCE, Drawn
from kpca_viewer.engine.analysis import run
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.settings import DataSettings, KernelSettings, SessionSettings
from kpca_viewer.support.errors import KernelError
from kpca_viewer.widgets.plots.underlay import contours, nice_levels

PIXELS = 500
"""Of a high panel."""


def lines_of(result, component=0):
    grid = result.grid
    levels = nice_levels(grid.near_data(component))
    values = grid.scores[:, :, component]
    return contours(values, grid.x, grid.y, levels, curved=True)


def zero_line(result):
    return np.concatenate(dict(lines_of(result))[0.0])


@pytest.fixture
def example(request_for):
    """Analyse the three points (1, 0), (0, 1), (−1, 0) by (xᵀy + c)ᵖ."""

    def analysed(degree, coef0, center=True, moving=False):
        request = request_for(
            "three_points",
            "poly",
            gamma=1.0,
            degree=degree,
            coef0=coef0,
            analysis={"center": center},
            moving=moving,
        )
        return run(request, StageCache())

    return analysed


@pytest.mark.parametrize("moving", [False, True])
@pytest.mark.parametrize("degree", [1, 2, 3, 4, 5])
def test_symmetry_puts_the_zero_line_into_the_middle(example, degree, moving):
    line = zero_line(example(degree, 1, moving=moving))
    assert np.abs(line[:, 0]).max() < 1.5 / PIXELS / 4


def test_the_zero_line_of_squared_products_is_a_hyperbola(example):
    line = zero_line(example(2, 0))
    x, y = line[np.abs(line[:, 1] - 0.5) < 0.8].T
    # x² − y² = 1/3, and the gradient is the way to the line.
    away = (x**2 - y**2 - 1 / 3) / (2 * np.hypot(x, y))
    assert np.abs(away).max() < 1.5 / PIXELS / 4


def test_a_field_without_a_sign_has_levels_where_it_is_seen(example):
    """Not centred, (xᵀy)² has x₁² as its first component: 1 at the data, not 19."""
    lines = lines_of(example(2, 0, center=False))
    seen = [
        level
        for level, polylines in lines
        if any((np.abs(line[:, 0]) < 1.13).any() for line in polylines)
    ]
    assert len(seen) == len(lines) >= 4
    for level, polylines in lines:
        for line in polylines:
            np.testing.assert_allclose(line[:, 0] ** 2, level, atol=1e-3)


@pytest.mark.parametrize(
    ("source", "family", "gamma"),
    [("circles", "rbf", 10.0), ("circles", "rbf", 100.0), ("moons", "laplacian", 3.0)],
)
def test_lines_are_right_to_a_pixel(request_for, source, family, gamma):
    request = request_for(source, family, gamma=gamma, values={"samples": 120})
    result = run(request, StageCache())
    low, high = result.grid.low, result.grid.high
    pixel = (high[1] - low[1]) / PIXELS
    steps = pixel / 20 * np.array([[1, 0], [-1, 0], [0, 1], [0, -1]])
    right_ones = []
    for level, polylines in lines_of(result):
        for line in polylines:
            line = line[((line > low) & (line < high)).all(axis=1)]
            error = result.project(line)[:, 0] - level
            right, left, up, down = (result.project(line + s)[:, 0] for s in steps)
            slope = np.hypot(right - left, up - down) / (pixel / 10)
            right_ones.append(np.abs(error) <= pixel * slope + 1e-9)
    # A narrow kernel has corners as sharp as a pixel.
    assert np.concatenate(right_ones).mean() > 0.985


def test_the_fine_grid_comes_after_the_picture(request_for, cache):
    published = []
    request = request_for(gamma=2.0)
    moved = run(replace(request, moving=True), cache, publish=published.append)
    assert moved.grid.is_coarse
    assert not moved.at_rest
    result = run(request, cache, publish=published.append)
    assert result.at_rest
    assert not result.grid.is_coarse
    assert [found.grid.is_coarse for found in published] == [True, True]
    assert published[1].comparison is moved.comparison
    # It is there from then on.
    assert run(request, cache, publish=published.append).grid is result.grid
    assert len(published) == 2


@pytest.mark.parametrize("scaling", ["none", "standardise"])
def test_a_node_at_the_origin_does_not_refuse_the_cosine(scaling):
    drawn = Drawn().added([(1, 2), (3, 4)], 0)
    settings = SessionSettings(
        DataSettings(SOURCE, drawn=drawn, scaling=scaling), KernelSettings("cosine")
    )
    grid = run(AnalysisRequest(settings), StageCache()).grid
    assert np.isfinite(grid.scores).all()


def test_a_row_without_length_is_called_as_in_the_window():
    drawn = Drawn().added([(1, 2), (0, 0), (3, 4)], 0)
    settings = SessionSettings(
        DataSettings(SOURCE, drawn=drawn), KernelSettings("cosine")
    )
    with pytest.raises(KernelError, match="not defined for row 2, which is all zeros;"):
        run(AnalysisRequest(settings), StageCache())
    moved = Drawn().added([(1, 2), (2, 3), (3, 4)], 0)
    data = DataSettings(SOURCE, drawn=moved, scaling="standardise")
    with pytest.raises(KernelError, match="row 2, which is all zeros after scaling"):
        run(AnalysisRequest(replace(settings, data=data)), StageCache())


def test_a_new_row_without_length_is_called_as_in_its_file():
    data = DataSettings(SOURCE, drawn=Drawn().added([(1, 2), (3, 4)], 0))
    settings = SessionSettings(data, KernelSettings("cosine"))
    new = Dataset(np.array([[1.0, 1.0], [0.0, 0.0]]))
    with pytest.raises(KernelError, match="row 2 of the new rows"):
        run(AnalysisRequest(settings, new_rows=new), StageCache())
