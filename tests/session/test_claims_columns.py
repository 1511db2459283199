"""Sentences about columns that were false on plain data."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from kpca_viewer.core.estimator.kernel_pca import KernelPCA
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.analysis import analyse
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.settings import (
    DataSettings,
    KernelSettings,
    SessionSettings,
    as_values,
)
from kpca_viewer.features.columns.stages import find_columns
from kpca_viewer.features.columns.text import what_moves
from kpca_viewer.support.progress import never, silent


def told(X, family, **values):
    kernel = KernelSettings(family, as_values(values))
    settings = SessionSettings(DataSettings(scaling="standardise"), kernel)
    result = analyse(Dataset(X), settings)
    *_, found = find_columns(result, StageCache(), never, silent)
    return found.ranked(result.settings.view)


def factor(seed=0, n=60):
    """Six columns of one factor, three of noise."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 9))
    X[:, :6] += 1.5 * random.normal(size=(n, 1))
    return X


@pytest.mark.parametrize(
    ("family", "values"), [("linear", {}), ("rbf", {"gamma": 0.02})]
)
def test_a_component_that_is_noise_does_not_hide_the_other(family, values):
    ranked = told(factor(), family, **values)
    assert (ranked.components, ranked.left_out) == ((0,), (1,))
    more = {c.column for c in ranked.columns if c.stands_out}
    assert more == set(range(6))
    claim = what_moves(ranked)
    assert claim.key == "more than noise"
    first = ranked.columns[0]
    assert first.strength == max(c.strength for c in ranked.columns)
    assert claim.text.startswith(f"PC 1 is moved most by “{first.name}” (")
    assert f"r = {first.correlations[0]:.2f}".replace("-", "−") in claim.text
    assert claim.text.endswith(
        "PC 2: no single column has more influence or correlation than noise in its "
        "place."
    )


def test_a_column_that_goes_with_a_component_is_not_called_noise():
    """Three lumps in four columns, as bills, flippers and masses of penguins have."""
    random = np.random.default_rng(1)
    centres = [(-0.9, 0.6, -0.8, -0.7), (0.9, 0.6, -0.4, -0.6), (0.6, -1.1, 1.1, 1.1)]
    X = np.array(centres)[random.integers(0, 3, 120)]
    ranked = told(X + 0.5 * random.normal(size=X.shape), "rbf", gamma=0.274)
    flipper = next(c for c in ranked.columns if c.column == 2)
    assert abs(flipper.correlations[0]) > 0.8
    assert flipper.beyond == (0,)
    assert "“x3”" in what_moves(ranked).text


def test_the_picture_is_noise_only_if_all_of_its_components_are():
    ranked = told(np.random.default_rng(0).normal(size=(60, 5)), "linear")
    assert ranked.components == (0, 1)
    assert what_moves(ranked).text == (
        "PC 1 and PC 2: no single column has more influence or correlation than noise "
        "in its place."
    )


def test_a_longest_bar_that_is_noise_is_named_as_such():
    ranked = told(factor(), "linear")
    noisy = next(c for c in ranked.columns if not c.stands_out)
    longest = replace(noisy, strength=9.0, share=0.5)
    rest = tuple(c for c in ranked.columns if c is not noisy)
    claim = what_moves(replace(ranked, columns=(longest, *rest), left_out=()))
    assert claim.text.startswith(
        f"PC 1: “{noisy.name}” has the longest bar, as noise may have; more than noise "
        f"are 6 columns, first “{rest[0].name}” ("
    )


@pytest.mark.parametrize("sparse", [False, True])
def test_correlations_stand_beside_influence_in_python(sparse):
    X = factor()
    X[:, 8] = 3.0
    model = KernelPCA(3, kernel="rbf", gamma=0.02).fit(csr_matrix(X) if sparse else X)
    found = model.influence(components=[2, 0]).correlations
    scores = model.transform(X)[:, [2, 0]]
    wanted = np.corrcoef(scores.T, X[:, :8].T)[:2, 2:]
    assert found[:, :8] == pytest.approx(wanted, abs=1e-6)
    assert (found[:, 8] == 0).all()
