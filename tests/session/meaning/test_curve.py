"""The mean curve of a component against a column."""

import numpy as np

from kpca_viewer.features.columns.content import PIECES, mean_curve


def test_few_values_have_a_piece_each():
    values = np.array([2.0, 1, 2, 1, 5])
    scores = np.array([4.0, 1, 8, 3, -1])
    expected = [[1, 2], [2, 6], [5, -1]]
    np.testing.assert_allclose(mean_curve(values, scores), expected)


def test_many_values_are_cut_into_pieces_of_about_as_many_rows():
    random = np.random.default_rng(0)
    values = random.normal(size=1200)
    scores = 2 * values + 1
    curve = mean_curve(values, scores)
    assert curve.shape == (PIECES, 2)
    np.testing.assert_allclose(curve[:, 1], 2 * curve[:, 0] + 1)
    pieces = np.sort(values).reshape(PIECES, -1).mean(axis=1)
    np.testing.assert_allclose(curve[:, 0], pieces, atol=0.02)


def test_equal_values_stay_together_and_every_row_counts():
    values = np.repeat([0.0, *range(1, 40)], [500, *[1] * 39])
    scores = np.arange(len(values), dtype=float)
    curve = mean_curve(values, scores)
    assert curve[0].tolist() == [0, 249.5]
    np.testing.assert_allclose(curve[1], [20, np.arange(500, 539).mean()])
    assert len(curve) == 2


def test_one_row_and_none():
    assert mean_curve(np.array([3.0]), np.array([4.0])).tolist() == [[3, 4]]
    assert mean_curve(np.empty(0), np.empty(0)).shape == (0, 2)
