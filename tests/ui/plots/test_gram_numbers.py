"""Numbers in the cells of a small kernel matrix."""

import numpy as np
import pytest

from kpca_viewer.widgets.plots.matrix import written_values
from kpca_viewer.widgets.plots.text import plot_font, set_type_scale, text_width

pytestmark = pytest.mark.usefixtures("qapp")

CENTRED_VALUES = np.array([[0.52477, -0.46412], [-0.46412, 0.36974]])


def test_cells_have_as_many_digits_as_fit():
    texts, font = written_values(CENTRED_VALUES, 60)
    assert texts == [["0.525", "−0.464"], ["−0.464", "0.37"]]
    assert font.pixelSize() >= plot_font().pixelSize()
    seen = {}
    for room in range(60, 5, -1):
        written = written_values(CENTRED_VALUES, room)
        if written is not None:
            (_, (value, _)), font = written
            seen.setdefault(value, []).append(font.pixelSize())
            assert text_width("−0.46", font) <= room
    # The type shrinks first, then a digit goes; one digit alone would say 0.5.
    assert list(seen) == ["−0.464", "−0.46"]
    assert min(seen["−0.464"]) == min(seen["−0.46"]) == 9


def test_small_numbers_are_written_where_two_digits_fit():
    small = plot_font()
    small.setPixelSize(9)
    room = text_width("−0.00044", small) + 1
    texts, _ = written_values(np.array([[0.00221823, -0.00044444]]), room)
    assert texts == [["0.0022", "−0.00044"]]


def test_rounding_takes_no_room_from_the_other_numbers():
    texts, _ = written_values(np.array([[0.525, -1.2345e-17], [np.nan, 0.0]]), 60)
    assert texts[0] == ["0.525", "0"]


def test_in_front_of_a_class_small_type_is_better_than_no_numbers():
    set_type_scale(1.5)
    try:
        texts, font = written_values(CENTRED_VALUES, 60)
        assert texts[0][1] == "−0.464"
        assert font.pixelSize() >= 13
        texts, font = written_values(CENTRED_VALUES, 32)
        assert texts[0][1] == "−0.46"
        assert 9 <= font.pixelSize() < 13
    finally:
        set_type_scale(1.0)
