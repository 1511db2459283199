"""Columns beside noise: no more draws than it takes, and the same answer."""

import numpy as np
import pytest

from kpca_viewer.core.methods.null_influence import DRAWS, FEWEST, NullDraws, is_beyond
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.features.columns.compute import measure_columns
from kpca_viewer.features.columns.evidence import Comparison
from kpca_viewer.support.errors import Cancelled
from tests.core.test_cancellation import StopAfter


def lumps():
    """Two of them along the first four of eight columns."""
    random = np.random.default_rng(0)
    X = random.normal(size=(40, 8))
    X[:, :4] += random.choice([-2, 2], (40, 1))
    X /= X.std(axis=0)
    return Dataset(X, name="table")


@pytest.fixture
def result(analysed):
    return analysed("table", "rbf", opened=[lumps()], gamma=0.05)


@pytest.mark.parametrize("units", ["scaled", "spread"])
def test_few_draws_answer_as_all_of_them_would(result, units):
    measured = measure_columns(result, [0, 1], units=units)
    comparison = Comparison(result, [0, 1])
    for column in range(8):
        comparison.settle(measured, column)
    null = comparison.null()
    found = {c.column: c for c in measured.ranked(None, null).columns}
    everything = NullDraws(result.points.dense(), result.kernel, [0, 1])
    for column, some in zip(null.columns, null.draws, strict=True):
        draws = np.array(list(everything.of_column(column)))
        assert (some == draws[: len(some)]).all()
        beyond = np.flatnonzero(is_beyond(measured.evidence(column), draws, 8))
        assert found[column].beyond == tuple(beyond)
        assert found[column].draws == len(some) >= FEWEST
    assert found[0].stands_out
    assert found[0].draws == DRAWS
    assert sum(c.draws for c in found.values()) < 6 * DRAWS


def test_another_component_goes_on_where_the_first_has_stopped(analysed):
    result = analysed("table", "linear", opened=[lumps()], scaling="none")
    both = measure_columns(result, [0, 3])
    comparison = Comparison(result, [0, 3])
    first, second = (both.of_components([j]) for j in (3, 0))
    comparison.settle(first, 0)
    before = comparison.null().draws[0]
    assert comparison.is_settled(first, 0)
    assert not comparison.is_settled(second, 0)
    # What is not known is not said.
    of_second = comparison.null().of_places([0])
    assert {c.noise for c in second.ranked(None, of_second).columns} == {None}
    comparison.settle(second, 0)
    after = comparison.null().draws[0]
    assert len(before) < len(after) == DRAWS
    assert (after[: len(before)] == before).all()


def test_who_is_stopped_keeps_what_was_drawn(result):
    measured, comparison = measure_columns(result, [0]), Comparison(result, [0])
    with pytest.raises(Cancelled):
        comparison.settle(measured, 0, StopAfter(30))
    kept = len(comparison.null().draws[0])
    assert 0 < kept < DRAWS
    assert not comparison.is_settled(measured, 0)


def test_a_kernel_that_noise_has_no_value_for_leaves_the_column_alone(analysed):
    """A fractional power of a number that is negative once the column is noise."""
    X = np.random.default_rng(0).uniform(size=(30, 3))
    X[:, 1:] = 0.1 * (X[:, 1:] + 1)
    options = {"gamma": 1.0, "degree": 1.5, "coef0": 0.0}
    data = Dataset(X, name="table")
    result = analysed("table", "poly", opened=[data], scaling="none", **options)
    measured, comparison = measure_columns(result, [0]), Comparison(result, [0])
    comparison.settle(measured, 1)
    assert comparison.is_settled(measured, 1)
    assert measured.ranked(0, comparison.null()).columns[0].noise is None
