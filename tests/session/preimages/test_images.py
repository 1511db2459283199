"""Rows as pictures."""

import numpy as np

from kpca_viewer import generate
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.row_pictures import (
    image_sizes,
    may_be_pictures,
    row_pictures,
)
from kpca_viewer.engine.settings import ViewSettings


def test_digits_are_pictures_and_wine_is_none():
    digits = generate("digits")
    pictures = row_pictures(digits, ViewSettings())
    assert (pictures.size.width, pictures.size.height) == (8, 8)
    shades = pictures.shades(digits.points[0])
    assert shades.shape == (8, 8)
    expected = np.rint(digits.points[0].reshape(8, 8) / 16 * 255)
    np.testing.assert_array_equal(shades, expected)
    assert row_pictures(generate("wine"), ViewSettings()) is None


def test_a_size_that_was_chosen_counts_if_it_fits():
    data = Dataset(np.arange(24.0).reshape(2, 12))
    assert row_pictures(data, ViewSettings()) is None
    chosen = row_pictures(data, ViewSettings(image_size=(4, 3)))
    assert chosen.shades(data.points[0]).shape == (3, 4)
    assert row_pictures(data, ViewSettings(image_size=(5, 3))) is None
    digits = generate("digits")
    assert row_pictures(digits, ViewSettings(image_size=(0, 0))) is None
    assert row_pictures(digits, ViewSettings(image_size=(16, 4))).size.width == 16


def test_values_beyond_the_data_are_as_bright_as_can_be():
    digits = generate("digits")
    pictures = row_pictures(digits, ViewSettings())
    odd = np.full(64, 99.0)
    odd[0] = -5
    shades = pictures.shades(odd)
    assert shades[0, 0] == 0
    assert shades[7, 7] == 255


def test_sizes_are_offered_where_rows_may_be_pictures():
    digits = generate("digits")
    assert image_sizes(64)[:3] == [(8, 8), (4, 16), (16, 4)]
    assert image_sizes(13) == []
    assert may_be_pictures(digits, ViewSettings())
    assert may_be_pictures(digits, ViewSettings(image_size=(0, 0)))
    assert not may_be_pictures(generate("breast_cancer"), ViewSettings())
    assert not may_be_pictures(generate("circles"), ViewSettings())
