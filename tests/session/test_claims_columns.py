"""Sentences about columns that were false on plain data."""

import re
from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.datasets import make_circles

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
from kpca_viewer.features.columns import stages
from kpca_viewer.features.columns.stages import find_columns
from kpca_viewer.features.columns.text import MORE, TOLD, noise_words, what_moves
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


@pytest.mark.journey
@pytest.mark.parametrize(
    ("family", "values"), [("linear", {}), ("rbf", {"gamma": 0.02})]
)
def test_a_component_that_is_noise_does_not_hide_the_other(family, values):
    ranked = told(factor(), family, **values)
    assert ranked.components == (0,)
    ((left_out, nearest, r),) = ranked.left_out
    assert left_out == 1
    more = {c.column for c in ranked.columns if c.stands_out}
    assert more == set(range(6))
    claim = what_moves(ranked)
    assert claim.key == TOLD
    first = ranked.columns[0]
    assert first.strength == max(c.strength for c in ranked.columns)
    assert claim.text.startswith(
        f"PC 1: the largest influence is that of “{first.name}” ("
    )
    assert f"6 of 9 columns have {MORE}." in claim.text
    assert f"r = {first.correlations[0]:.2f}".replace("-", "−") in claim.text
    # Among related columns nothing is said of noise.
    said = f"PC 2: the largest correlation is that of “{nearest}” (r = {r:.2f})."
    assert claim.text.endswith(said.replace("-", "−"))


@pytest.mark.journey
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


def test_where_columns_are_unrelated_none_has_more_than_in_random_order():
    ranked = told(np.random.default_rng(0).normal(size=(60, 5)), "linear")
    assert ranked.components == (0, 1)
    first = ranked.columns[0]
    text = what_moves(ranked).text
    assert text.startswith(
        f"PC 1 and PC 2: the largest influence is that of “{first.name}” ("
    )
    assert f" No column has {MORE}, in which |r| of “" in text


@pytest.mark.journey
def test_a_large_correlation_stands_beside_what_random_orders_have():
    """Rings: both columns follow PC 2, as either would in random order."""
    X, _ = make_circles(200, factor=0.3, noise=0.05, random_state=0)
    ranked = told(X, "rbf", gamma=1.0)
    text = what_moves(ranked).text
    named = re.search(r"r = −?(0\.\d\d) with PC", text)
    by_chance = re.search(r"in which \|r\| of “x.” is up to (0\.\d\d)\.", text)
    assert float(named[1]) > 0.5
    assert float(by_chance[1]) > 0.9 * float(named[1])


def test_a_column_that_random_orders_say_nothing_of_is_undecided():
    ranked = told(factor(), "linear")
    noisy = next(c for c in ranked.columns if not c.stands_out)
    follows = replace(noisy, strength=9.0, share=0.5, correlations=(-0.94,))
    rest = tuple(c for c in ranked.columns if c is not noisy)
    ranked = replace(ranked, columns=(follows, *rest), left_out=(), equal=1)
    assert what_moves(ranked).text == (
        f"PC 1: the largest influence is that of “{noisy.name}” (50.0 %, r = −0.94). 6 "
        f"of 9 columns have {MORE}; of “{noisy.name}” that is undecided."
    )
    assert noise_words(follows, ranked) == "undecided"
    # Where no column has to do with another, each is correlated with what it makes.
    alone = (follows, *(replace(c, beyond=()) for c in rest))
    ranked = replace(ranked, columns=alone, are_related=False)
    assert f" No column has {MORE}, in which |r| of “" in what_moves(ranked).text
    assert noise_words(follows, ranked) == "no"


def test_the_largest_correlation_is_named_however_short_its_bar_is():
    ranked = told(factor(), "linear")
    first, *rest = ranked.columns
    near = replace(rest[4], correlations=(0.99,))
    text = what_moves(replace(ranked, columns=(first, *rest[:4], near, *rest[5:]))).text
    assert f"; the largest correlation is that of “{near.name}” (" in text


def test_a_long_name_leaves_room_for_the_bars():
    ranked = told(factor(), "linear")
    first, *rest = ranked.columns
    long = replace(first, name="Pressure at sea level, before calibration, of x (hPa)")
    text = what_moves(replace(ranked, columns=(long, *rest))).text
    assert "“Pressure at sea l…ation, of x (hPa)” (" in text


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


def test_a_report_draws_no_components_that_it_does_not_show(monkeypatch):
    drawn = []

    class Draws(stages.Comparison):
        def __init__(self, result, components):
            drawn.append(components)
            super().__init__(result, components)

    monkeypatch.setattr(stages, "Comparison", Draws)
    result = analyse(Dataset(factor(n=30)[:, 5:]))
    assert result.scores.shape[1] > 2
    stages.report_section(result, StageCache(), never, silent)
    assert drawn == [(0, 1)]
