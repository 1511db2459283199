"""Rows that are pictures."""

import numpy as np
import pytest
from sklearn.datasets import load_digits, load_wine

from kpca_viewer.data.image_rows import ImageSize, guess_image_size
from kpca_viewer.support.errors import DataError

DIGITS = load_digits()


def numbered(pattern, d):
    return [pattern.format(i) for i in range(d)]


@pytest.mark.parametrize("pattern", ["pixel{}", "pixel_{}", "x{}", "{}", "p {}"])
def test_digits_are_square(pattern):
    names = numbered(pattern, 64)
    assert guess_image_size(DIGITS.data, names) == ImageSize(8, 8)


def test_names_with_two_numbers_tell_width_and_height():
    assert guess_image_size(DIGITS.data, DIGITS.feature_names) == ImageSize(8, 8)
    names = [f"px {i}x{j}" for i in range(1, 5) for j in range(1, 7)]
    points = np.full((3, 24), -1.0)
    assert guess_image_size(points, names) == ImageSize(width=6, height=4)


@pytest.mark.parametrize(
    ("points", "names"),
    [
        (load_wine().data, load_wine().feature_names),
        (DIGITS.data - 1, numbered("pixel{}", 64)),
        (DIGITS.data + 1, numbered("pixel{}", 64)),
        (DIGITS.data[:, :60], numbered("pixel{}", 60)),
        (DIGITS.data[:, :9], numbered("x{}", 9)),
        (DIGITS.data, [f"gene {chr(97 + i % 26)}{i}q" for i in range(64)]),
        # One place twice, and another order.
        (DIGITS.data, ["pixel_0_0", *DIGITS.feature_names[:63]]),
        (DIGITS.data, DIGITS.feature_names[::-1]),
        (DIGITS.data[:, :63], DIGITS.feature_names[:63]),
        (DIGITS.data, ["gene_0_0", *DIGITS.feature_names[1:]]),
        (np.empty((0, 64)), numbered("pixel{}", 64)),
        (np.full((2, 16), np.nan), numbered("pixel{}", 16)),
        (np.empty((3, 0)), []),
    ],
    ids=str,
)
def test_other_tables_are_no_pictures(points, names):
    assert guess_image_size(points, names) is None


def test_gaps_do_not_hide_a_picture():
    points = DIGITS.data[:5].copy()
    points[0, 3] = np.nan
    assert guess_image_size(points, numbered("pixel{}", 64)) == ImageSize(8, 8)


def test_a_row_becomes_rows_of_pixels():
    picture = ImageSize(3, 2).picture(np.arange(6.0))
    np.testing.assert_array_equal(picture, [[0, 1, 2], [3, 4, 5]])
    with pytest.raises(DataError, match="4 × 2 has 8 pixels, but a row has 6 columns"):
        ImageSize(4, 2).picture(np.arange(6.0))
    with pytest.raises(DataError, match="no pixels"):
        ImageSize(0, 6).check(6)
