"""Two groups of rows: effect sizes against plain formulas, and their intervals."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import mannwhitneyu

from kpca_viewer.core.methods.contrast import contrast
from kpca_viewer.support.errors import Cancelled, DataError


def two_groups(m, n, d, seed=0, apart=0.0):
    X = np.random.default_rng(seed).normal(size=(m + n, d))
    X[:m, 0] += apart
    return X, np.arange(m + n) < m


@pytest.mark.journey
@settings(max_examples=40, deadline=None)
@given(
    m=st.integers(1, 9),
    n=st.integers(1, 9),
    seed=st.integers(0, 10**6),
    digits=st.sampled_from([0, 3]),
)
def test_effect_sizes_are_those_of_the_formulas(m, n, seed, digits):
    X, group = two_groups(m, n, 3, seed, apart=1.0)
    X = X.round(digits)  # whole numbers have ties
    found = contrast(X, group)
    a, b = X[group], X[~group]
    pairs = np.sign(a[:, None] - b)
    assert found.cliff == pytest.approx(pairs.mean(axis=(0, 1)))
    u = mannwhitneyu(a, b, axis=0).statistic if m + n > 2 else found.auc * m * n
    assert found.auc == pytest.approx(u / (m * n))
    low, high = found.auc_interval.T
    assert ((low >= 0) & (low <= found.auc) & (found.auc <= high) & (high <= 1)).all()
    if m > 1 and n > 1:
        pooled = ((m - 1) * a.var(0, ddof=1) + (n - 1) * b.var(0, ddof=1)) / (m + n - 2)
        varying = pooled > 0
        wanted = (a.mean(0) - b.mean(0))[varying] / np.sqrt(pooled[varying])
        assert found.cohen[varying] == pytest.approx(wanted)


def test_the_telling_column_comes_first():
    X, group = two_groups(30, 50, 6, apart=3.0)
    X[:, 4] += 1.5 * group
    X[:, 2] = 7.0
    found = contrast(X, group)
    assert found.order[:2].tolist() == [0, 4]
    assert found.order[-1] == 2
    assert found.clear[[0, 4]].all()
    assert found.clear.sum() == 2
    assert found.sizes == (30, 50)
    assert found.means[0] - found.other_means[0] == pytest.approx(3, abs=0.6)
    assert found.cohen_interval[0, 0] > 1.5


def test_a_constant_column_tells_nothing():
    X, group = two_groups(5, 5, 2)
    X[:, 1] = 0.1
    found = contrast(X, group)
    assert found.constant.tolist() == [False, True]
    assert (found.auc[1], found.cohen[1]) == (0.5, 0)
    low, high = found.auc_interval[1]
    assert low < 0.5 < high


def test_groups_that_are_apart_altogether():
    X = np.array([[0.0], [0.0], [0.0], [1.0], [1.0], [1.0]])
    found = contrast(X, np.arange(6) > 2)
    assert found.auc[0] == 1
    assert found.cohen[0] == np.inf
    low, high = found.auc_interval[0]
    # Three rows each: apart, but not beyond doubt.
    assert 0.4 < low < 0.75
    assert high == 1


def test_single_rows_are_compared_by_their_order():
    found = contrast(np.array([[1.0, 2.0], [3.0, 0.0]]), np.array([True, False]))
    assert found.auc.tolist() == [0, 1]
    assert np.isnan(found.cohen).all()
    assert not found.clear.any()
    assert sorted(found.order.tolist()) == [0, 1]


def test_intervals_cover_the_truth():
    """95 of 100 samples, give or take; for unequal groups and a large effect."""
    covered = []
    for apart, truth in ((0.0, 0.5), (1.5, 0.85560)):
        random = np.random.default_rng(1)
        # Every column is one sample.
        X = random.normal(size=(35, 2000))
        X[:12] += apart
        low, high = contrast(X, np.arange(35) < 12).auc_interval.T
        covered.append(((low <= truth) & (truth <= high)).mean())
    assert min(covered) > 0.93
    assert max(covered) < 0.98


def test_many_columns_of_noise_are_not_clear():
    X, group = two_groups(30, 30, 3000)
    found = contrast(X, group)
    low, high = found.auc_interval.T
    # Some exclude 0.5 by chance, which is why all of them are asked at once.
    assert 60 < ((low > 0.5) | (high < 0.5)).sum() < 260
    assert found.clear.sum() <= 1


def test_two_groups_leave_the_other_rows_out():
    X, group = two_groups(20, 40, 2, apart=2.0)
    other = np.arange(60) >= 50
    found = contrast(X, group, other)
    part = contrast(X[group | other], group[group | other])
    assert found.auc == pytest.approx(part.auc)
    assert found.sizes == (20, 10)


def test_groups_that_cannot_be_compared():
    X, group = two_groups(3, 3, 2)
    none, everything = np.zeros(6, dtype=bool), np.ones(6, dtype=bool)
    with pytest.raises(DataError, match="No row is selected"):
        contrast(X, none)
    with pytest.raises(DataError, match="All rows are selected"):
        contrast(X, everything)
    with pytest.raises(DataError, match="3 rows are in both groups"):
        contrast(X, group, everything)
    with pytest.raises(Cancelled):
        contrast(X, group, should_stop=lambda: True)
