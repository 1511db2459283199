import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor

from kpca_viewer.widgets.plots.sprites import (
    DEPTHS,
    FADED,
    NORMAL,
    SELECTED,
    SHAPE_COUNT,
    STATES,
    Palette,
    SpriteAtlas,
    shape_path,
    swatch,
)
from kpca_viewer.widgets.theme import DARK, LIGHT


def sprite_alpha(atlas, column, row):
    cell = atlas.cell
    return np.array(
        [
            [
                atlas.image.pixelColor(column * cell + x, row * cell + y).alpha()
                for x in range(cell)
            ]
            for y in range(cell)
        ]
    )


def test_codes_find_their_columns(qapp):
    palette = Palette.of("class", 12, LIGHT)
    np.testing.assert_array_equal(palette.columns(np.array([0, 11, -1])), [0, 11, 12])
    assert len({tuple(color) for color in palette.colors.tolist()}) == 13


def test_classes_beyond_the_hues_share_a_grey_of_their_own(qapp):
    palette = Palette.of("class", 20, LIGHT, 0, others=[*range(3, 11)])
    columns = palette.columns(np.array([2, 11, 19, 3, 10, -1, 25]))
    np.testing.assert_array_equal(columns, [2, 3, 11, 12, 12, 13, 13])
    assert palette.colors[12].tolist() == [*QColor(LIGHT.other).getRgb()[:3]]
    # Of fewer rows, which do not reach the last class, the hues are the same.
    few = Palette.of("class", 12, LIGHT, 0, others=[*range(3, 11)])
    np.testing.assert_array_equal(few.columns(np.array([2, 11, 3])), [2, 3, 4])
    np.testing.assert_array_equal(few.colors[3], palette.colors[3])
    np.testing.assert_array_equal(few.colors[4], palette.colors[12])


def test_continuous_values_are_clipped_and_gaps_are_grey(qapp):
    palette = Palette.of("continuous", 1, LIGHT)
    columns = palette.columns(np.array([-1.0, 0.0, 0.5, 1.0, 2.0, np.nan]))
    np.testing.assert_array_equal(columns, [0, 0, 128, 255, 255, 256])
    np.testing.assert_array_equal(palette.colors[0], [68, 1, 84])
    muted = QColor(LIGHT.muted)
    assert palette.colors[256].tolist() == [muted.red(), muted.green(), muted.blue()]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_centre_of_a_sprite_has_the_colour_of_its_class(qapp, theme):
    atlas = SpriteAtlas(Palette.of("class", 12, theme), 8.0, 0.8)
    middle = atlas.cell // 2
    for code, name in enumerate(theme.class_colors):
        row = STATES.index(SELECTED)
        color = atlas.image.pixelColor(
            code * atlas.cell + middle, row * atlas.cell + middle
        )
        assert color.name().lower() == name.lower()


def test_states_differ_in_opacity(qapp):
    atlas = SpriteAtlas(Palette.of("single", 1, LIGHT), 8.0, 0.0)
    middle = atlas.cell // 2
    alphas = {
        state: sprite_alpha(atlas, 0, STATES.index(state))[middle, middle] / 255
        for state in STATES
    }
    for state in (NORMAL, FADED, SELECTED):
        assert alphas[state] == pytest.approx(state.body, abs=0.01)


def test_sprites_at_twice_the_pixels_are_twice_as_wide(qapp):
    palette = Palette.of("single", 1, LIGHT)
    row = STATES.index(SELECTED)
    areas = [
        sprite_alpha(SpriteAtlas(palette, 8.0 * ratio, 0.0), 0, row).sum()
        for ratio in (1, 2)
    ]
    assert areas[0] / 255 == pytest.approx(np.pi * 16, rel=0.03)
    assert areas[1] / areas[0] == pytest.approx(4.0, rel=0.03)


def test_deeper_levels_are_smaller_and_fainter(qapp):
    atlas = SpriteAtlas(Palette.of("single", 1, LIGHT), 10.0, 0.0, DEPTHS)
    first = STATES.index(NORMAL) * atlas.levels
    sums = [
        sprite_alpha(atlas, 0, first + level).sum() for level in range(atlas.levels)
    ]
    assert atlas.levels == len(DEPTHS.scales)
    assert sums == sorted(sums)
    assert sums[-1] > 3 * sums[0]


def test_shapes_are_all_different(qapp):
    outlines = {
        tuple(
            (element.x, element.y)
            for index in range(path.elementCount())
            for element in [path.elementAt(index)]
        )
        for path in (shape_path(shape, 5.0) for shape in range(SHAPE_COUNT))
    }
    assert len(outlines) == SHAPE_COUNT


def test_swatch_shows_the_colour_and_respects_the_screen(qapp):
    pixmap = swatch(Palette.of("class", 3, LIGHT), 2, 10.0, 2.0)
    assert pixmap.deviceIndependentSize().width() == 12
    assert pixmap.width() == 24
    color = pixmap.toImage().pixelColor(12, 12)
    assert color.name().lower() == LIGHT.class_colors[2].lower()


def test_a_scale_in_depth_has_fewer_sprites_that_look_the_same(qapp):
    palette = Palette.of("continuous", 1, LIGHT)
    atlas = SpriteAtlas(palette, 8.0, 0.0, DEPTHS)
    assert atlas.places[0] == 0
    # Gaps stay what they are, and nearest.
    assert atlas.places[-1] == atlas.places.max() == atlas.places[-2] + 1
    assert (np.diff(atlas.places) >= 0).all()
    row = (STATES.index(SELECTED) + 1) * atlas.levels - 1
    middle, cell, image = atlas.cell // 2, atlas.cell, atlas.image
    for column in (0, 100, 255, 256):
        place = atlas.places[column] * cell
        shown = image.pixelColor(place + middle, row * cell + middle).getRgb()[:3]
        np.testing.assert_allclose(shown, palette.colors[column], atol=6)


def test_sprites_of_a_state_are_made_when_it_is_drawn(qapp):
    atlas = SpriteAtlas(Palette.of("single", 1, LIGHT), 8.0, 0.0)
    middle, cell = atlas.cell // 2, atlas.cell

    def drawn(states):
        image = atlas.pixmap_of(np.array(states)).toImage()
        return [
            image.pixelColor(middle, row * cell + middle).alpha() > 0
            for row in range(len(STATES))
        ]

    assert drawn([0, 0]) == [True, False, False]
    assert drawn([0, 2]) == [True, False, True]
    assert drawn([1]) == [True, True, True]


def test_no_shape_has_a_hole_in_its_middle():
    for shape in range(SHAPE_COUNT):
        assert shape_path(shape, 5.0).contains(QPointF(0.1, 0.2)), shape
