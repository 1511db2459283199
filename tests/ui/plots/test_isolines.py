import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QImage, QPainter, QPainterPath

from kpca_viewer.widgets.plots.underlay import (
    contours,
    fill_bands,
    fill_image,
    image_rect,
    nice_levels,
)
from kpca_viewer.widgets.theme import DARK, LIGHT

X, Y = np.linspace(-2.0, 2.0, 64), np.linspace(-1.0, 1.0, 48)
PLANE_X, PLANE_Y = np.meshgrid(X, Y)


def test_circle_is_one_closed_line_at_its_radius():
    [(level, lines)] = contours(np.hypot(PLANE_X, PLANE_Y), X, Y, [0.7])
    assert level == 0.7
    [line] = lines
    np.testing.assert_array_equal(line[0], line[-1])
    np.testing.assert_allclose(np.hypot(*line.T), 0.7, atol=2e-3)
    steps = np.hypot(*np.diff(line, axis=0).T)
    assert steps.max() < 0.1  # neighbours follow each other, nothing jumps across


def test_plane_gives_straight_open_lines():
    found = contours(2 * PLANE_X + 1, X, Y, [0.0, 2.0])
    assert [level for level, _ in found] == [0.0, 2.0]
    for level, [line] in found:
        np.testing.assert_allclose(line[:, 0], (level - 1) / 2, atol=1e-12)
        assert {line[0, 1], line[-1, 1]} == {-1.0, 1.0}
        assert len(line) == len(Y)


def test_every_line_is_separate_and_levels_without_lines_stay():
    hills = np.exp(-40 * ((PLANE_X - 1) ** 2 + PLANE_Y**2)) + np.exp(
        -40 * ((PLANE_X + 1) ** 2 + PLANE_Y**2)
    )
    [(_, lines), (_, none)] = contours(hills, X, Y, [0.5, 3.0])
    assert len(lines) == 2
    assert sorted(round(float(np.mean(line[:, 0]))) for line in lines) == [-1, 1]
    assert none == []


@pytest.mark.parametrize(("corner", "joined"), [(0.4, False), (1.6, True)])
def test_saddle_follows_the_centre(corner, joined):
    # High corners bottom left and top right; the centre decides whether they meet.
    grid = np.array([[corner, -0.6], [-0.6, corner]])
    [(_, lines)] = contours(grid, [0.0, 1.0], [0.0, 1.0], [0.0])
    assert len(lines) == 2
    # A line that cuts off the bottom left corner has both its ends close to it.
    cuts = [bool((line.sum(axis=1) < 1).all()) for line in lines]
    assert any(cuts) is not joined


def test_missing_values_leave_a_gap_and_no_warning():
    grid = np.hypot(PLANE_X, PLANE_Y)
    grid[:, :32] = np.nan
    [(_, lines)] = contours(grid, X, Y, [0.7])
    points = np.concatenate(lines)
    assert np.isfinite(points).all()
    assert points[:, 0].min() >= X[32]


def test_nothing_to_draw():
    assert contours(np.ones((3, 3)), [0, 1, 2], [0, 1, 2], [1.0]) == [(1.0, [])]
    assert contours(np.ones((3, 3)), [0, 1, 2], [0, 1, 2], []) == []
    assert contours(np.ones((1, 3)), [0, 1, 2], [0], [0.5]) == [(0.5, [])]
    with pytest.raises(ValueError, match="grid"):
        contours(np.ones((3, 3)), [0, 1], [0, 1, 2], [1.0])


@pytest.mark.parametrize("scale", [1e-9, 0.37, 1.0, 12345.0])
def test_levels_are_round_inside_and_contain_zero(scale):
    values = scale * np.linspace(-0.7, 1.3, 1000)
    levels = nice_levels(values)
    assert 0.0 in levels
    assert 5 <= len(levels) <= 14
    assert values.min() < min(levels)
    assert max(levels) < values.max()
    np.testing.assert_allclose(np.diff(levels), np.diff(levels)[0])


def test_levels_of_nothing():
    assert nice_levels([]) == []
    assert nice_levels([np.nan, np.inf]) == []
    assert nice_levels(np.full(9, 0.1) + 1e-17) == []
    assert 0.0 not in nice_levels([2.0, 3.0])


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_picture_is_clear_at_zero_faint_at_the_ends_and_upside_up(theme):
    grid = np.array([[-1.0, 0.0, 1.0], [0.0, 0.0, 0.25]])
    image = fill_image(grid, theme)
    assert (image.width(), image.height()) == (3, 2)
    low, zero, high = (image.pixelColor(x, 1) for x in range(3))
    assert zero.alpha() == 0
    assert 20 <= low.alpha() <= 60
    assert low.alpha() == high.alpha()
    assert low.hue() != high.hue()
    weak = image.pixelColor(2, 0)
    assert 0 < weak.alpha() < high.alpha()


def test_picture_of_missing_values_is_clear():
    image = fill_image(np.array([[np.nan, np.inf, 1.0]]), LIGHT)
    assert image.pixelColor(0, 0).alpha() == 0
    assert image.pixelColor(1, 0).alpha() == 0
    assert image.pixelColor(2, 0).alpha() > 0


def test_picture_reaches_half_a_pixel_beyond_the_nodes():
    rect = image_rect([0.0, 1.0, 2.0], [10.0, 14.0])
    assert (rect.left(), rect.right()) == (-0.5, 2.5)
    assert (rect.top(), rect.bottom()) == (8.0, 16.0)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_bands_look_like_the_picture(theme):
    field = np.sin(2 * PLANE_X) * np.cos(1.5 * PLANE_Y) + 0.3 * PLANE_X
    bands = fill_bands(field, X, Y, theme)
    for _, lines in bands:
        for line in lines:
            np.testing.assert_array_equal(line[0], line[-1])  # closed, at the edge too
    image = fill_image(field, theme)
    size, scale = (len(X) * 8, len(Y) * 8), 8
    painted = QImage(*size, QImage.Format.Format_ARGB32)
    painted.fill(0)
    painter = QPainter(painted)
    for color, lines in bands:
        path = QPainterPath()
        for line in lines:
            columns = (line[:, 0] - X[0]) / (X[1] - X[0]) + 0.5
            rows = (Y[-1] - line[:, 1]) / (Y[1] - Y[0]) + 0.5
            path.addPolygon(
                [QPointF(*at) * scale for at in zip(columns, rows, strict=True)]
            )
        painter.fillPath(path, color)
    painter.end()
    for row, column in ((5, 5), (5, 50), (24, 10), (24, 32), (40, 55), (46, 62)):
        wanted = image.pixelColor(column, row)
        found = painted.pixelColor(column * scale + 4, row * scale + 4)
        assert found.alphaF() == pytest.approx(wanted.alphaF(), abs=0.04)
        if wanted.alphaF() > 0.1:
            assert (found.red() > found.green()) == (wanted.red() > wanted.green())


def test_a_field_of_nothing_has_no_bands():
    assert fill_bands(np.zeros_like(PLANE_X), X, Y, LIGHT) == []


# Where the field is smooth

FEW_X, FEW_Y = np.linspace(-2.0, 2.0, 40), np.linspace(-1.2, 1.2, 25)
# A bell is what most kernels make of a point.
BELL = np.exp(-3 * np.add.outer(FEW_Y**2, FEW_X**2))


def sagging(line, radius):
    """How far a polyline leaves its circle, in the middle of its sides too."""
    dense = np.vstack((line, (line[:-1] + line[1:]) / 2))
    return np.abs(np.hypot(*dense.T) - radius).max()


def corners(line):
    """The angles by which a line turns from side to side."""
    sides = np.diff(line, axis=0)
    sides = sides[np.hypot(*sides.T) > 0]
    angle = np.unwrap(np.arctan2(sides[:, 1], sides[:, 0]))
    return np.abs(np.diff(angle))


@pytest.mark.parametrize("radius", [0.3, 0.55, 0.9])
def test_isolines_of_a_smooth_field_are_truer_and_rounder(radius):
    level = np.exp(-3 * radius**2)
    [(_, [straight])] = contours(BELL, FEW_X, FEW_Y, [level])
    [(_, [curved])] = contours(BELL, FEW_X, FEW_Y, [level], curved=True)
    np.testing.assert_array_equal(curved[0], curved[-1])
    assert sagging(curved, radius) < sagging(straight, radius) / 3
    assert corners(curved).max() < corners(straight).max() / 2


@pytest.mark.parametrize("radius", np.linspace(0.3, 0.9, 7))
def test_a_round_line_has_no_jogs_where_it_passes_a_node(radius):
    [(_, [line])] = contours(BELL, FEW_X, FEW_Y, [np.exp(-3 * radius**2)], curved=True)
    steps = np.hypot(*np.diff(line, axis=0).T)
    # A circle turns by as much as its arc is long.
    arcs = (steps[1:] + steps[:-1]) / 2 / radius
    assert np.abs(corners(line) - arcs).max() < 0.03


def test_a_smooth_field_has_its_zero_line_where_it_is():
    cubic = np.broadcast_to(FEW_X**3 + FEW_X, BELL.shape)
    [(_, [line])] = contours(cubic, FEW_X, FEW_Y, [0.0], curved=True)
    np.testing.assert_allclose(line[:, 0], 0, atol=1e-9)
    assert {line[0, 1], line[-1, 1]} == {FEW_Y[0], FEW_Y[-1]}


@pytest.mark.parametrize("hole", [np.nan, np.inf])
def test_lines_beside_missing_values_are_straight_there_and_stay(hole):
    bell = BELL.copy()
    bell[12, 20] = hole
    [(_, lines)] = contours(bell, FEW_X, FEW_Y, [0.8], curved=True)
    assert lines
    assert all(np.isfinite(line).all() for line in lines)
    [(_, near)] = contours(bell, FEW_X, FEW_Y, [0.97], curved=True)
    assert all(np.isfinite(line).all() for line in near)


def test_a_flat_place_moves_nothing_away():
    # Along the middle the slope is nothing: the level is touched, not crossed.
    trough = np.broadcast_to(FEW_X**2, BELL.shape)
    for _, lines in contours(trough, FEW_X, FEW_Y, [1e-12, 1e-3], curved=True):
        for line in lines:
            assert np.abs(line[:, 0]).max() < FEW_X[1] - FEW_X[0]
