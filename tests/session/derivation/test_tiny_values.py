"""Values next to the smallest number that there is are data like any others."""

import numpy as np
import pytest

from kpca_viewer.core.kernels.kernel import FAMILIES, suggested_values
from kpca_viewer.core.kernels.pair_values import PairValues
from kpca_viewer.features.derivation import explanations
from kpca_viewer.features.derivation.checks import checks
from kpca_viewer.features.derivation.compute import derive
from kpca_viewer.features.derivation.primal import primal_beside_dual, why_not
from kpca_viewer.support.numerals import upper_bound
from tests.session.derivation.conftest import result_of

FOUR = np.array([(1.0, 2), (3, 0), (0, 1), (-2, 3)])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("size", [1e-60, 1e-153, 1e-162])
@pytest.mark.parametrize("family", FAMILIES)
def test_every_kernel_with_its_suggestion(family, size):
    if family == "cosine" and size < 1e-160:
        pytest.skip("the squared length of a row is 0")
    result = result_of(size * FOUR, family)
    assert result.kernel is not None
    assert all(np.isfinite(value) for value in result.kernel.values.values())
    pairs = PairValues.of(result.kernel, result.points)
    assert pairs.counts.sum() == 6
    found = derive(result, new_points=(size * FOUR[0] / 2,))
    checks(found)
    if not why_not(found):
        primal_beside_dual(found)
    explanations.of_entry(found, 0, 1)
    for mu in range(found.k):
        explanations.of_eigenvalue(found, mu)
    assert np.isfinite(found.kernel_block).all()


@pytest.mark.parametrize("family", ["rbf", "poly", "sigmoid"])
def test_squares_without_an_inverse_suggest_nothing(family):
    assert suggested_values(family, 1e-160 * FOUR) == {}
    typical = suggested_values(family, 1e-140 * FOUR)
    assert all(np.isfinite(100 * value) for value in typical.values())


def test_a_bound_below_all_numbers_is_still_a_bound():
    assert upper_bound(5e-324) == "1·10⁻³⁰⁰"


def test_a_map_whose_weights_overflow_is_not_written():
    found = derive(result_of(1e-110 * FOUR, "poly"))
    assert why_not(found).startswith("The weights of φ are too large")
    assert not why_not(derive(result_of(1e-60 * FOUR, "poly")))
