"""The worked examples of lectures, read from the derivation."""

import numpy as np
import pytest

from kpca_viewer.features.derivation.checks import checks
from kpca_viewer.features.derivation.numbers import plain_table
from tests.session.derivation.conftest import GUIDE, SQUARE, THREE, derived, rings


def table(derivation, step):
    errors = getattr(derivation.errors, "kernel" if step == "kernel_block" else step)
    return plain_table(getattr(derivation, step), errors)


def test_three_points_not_centred():
    found = derived(THREE, "poly", analysis={"center": False}, **SQUARE)
    assert table(found, "kernel_block") == [
        ["1", "0", "1"],
        ["0", "1", "0"],
        ["1", "0", "1"],
    ]
    assert plain_table(found.eigenvalues, found.errors.eigenvalues) == [["2", "1", "0"]]
    assert table(found, "scores") == [["1", "0", "0"], ["0", "1", "0"], ["1", "0", "0"]]
    assert [row[:2] for row in table(found, "vectors")] == [
        ["1/√2", "0"],
        ["0", "1"],
        ["1/√2", "0"],
    ]
    assert [row[:2] for row in table(found, "coefficients")] == [
        ["1/2", "0"],
        ["0", "1"],
        ["1/2", "0"],
    ]


def test_three_points_centred():
    found = derived(THREE, "poly", **SQUARE)
    assert table(found, "centred") == [
        ["2/9", "−4/9", "2/9"],
        ["−4/9", "8/9", "−4/9"],
        ["2/9", "−4/9", "2/9"],
    ]
    assert plain_table(found.row_means, found.errors.means) == [["2/3", "1/3", "2/3"]]
    assert found.grand_mean == pytest.approx(5 / 9)
    mu, nothing = plain_table(found.eigenvalues, found.errors.eigenvalues)[0]
    assert (mu, nothing) == ("4/3", "0")
    assert found.variances[0] == pytest.approx(4 / 9)
    first = [row[0] for row in table(found, "scores")]
    assert first == ["−√2/3", "2√2/3", "−√2/3"]
    assert np.abs(found.scores[:, 0]) == pytest.approx([0.4714, 0.9428, 0.4714], 1e-4)
    assert not found.scores[:, 1].any()


def test_the_matrix_that_a_popular_guide_prints_wrong():
    found = derived(GUIDE, "poly", gamma=1, degree=2, coef0=1)
    assert table(found, "kernel_block") == [
        ["36", "144", "324"],
        ["144", "676", "1600"],
        ["324", "1600", "3844"],
    ]


def test_two_rings_of_four_points():
    found = derived(rings(1, 2), gamma=0.5)
    known = [1.5314, 1.5314, 1.2157, 0.6722, 0.3329, 0.3329, 0.1476]
    assert found.eigenvalues == pytest.approx(known, abs=5e-5)
    assert len(found.rows) == 8
    assert found.is_whole


def test_a_given_kernel_matrix():
    found = derived([[9, -9], [-9, 9]], kind="kernel")
    assert found.points is None
    assert found.d == 0
    assert table(found, "kernel_block") == [["9", "−9"], ["−9", "9"]]
    assert plain_table(found.eigenvalues, found.errors.eigenvalues) == [["18", "0"]]
    assert [row[0] for row in table(found, "scores")] in (["3", "−3"], ["−3", "3"])


def test_a_given_distance_matrix():
    found = derived(
        [[0, 1, 10], [1, 0, 1], [10, 1, 0]],
        kind="distances",
        analysis={"center": False},
    )
    assert found.center
    assert table(found, "kernel_block")[0] == ["0", "−1/2", "−50"]
    mu = plain_table(found.eigenvalues, found.errors.eigenvalues)[0]
    assert mu == ["50", "0", "−16"]
    assert not found.coefficients[:, 1:].any()
    assert not found.scores[:, 1:].any()
    failed = [check.text for check in checks(found) if not check.holds]
    assert failed == ["K̃ is positive semi-definite"]
