"""Without centring: the cosine of the first component and the mean, measured."""

import numpy as np
import pytest

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.uncentred import MOST, MeanDirection

OFF = {"center": False}


@pytest.mark.parametrize(
    ("family", "values"),
    [("linear", {}), ("rbf", {"gamma": 20}), ("poly", {"degree": 2, "coef0": 0})],
)
def test_the_cosine_is_that_of_the_explicit_vectors(analysed, family, values):
    result = analysed(family=family, analysis=OFF, **values)
    X = result.points.dense()
    known = result.kernel.points(X)
    K = result.kernel.block(known, known)
    eigenvalues, V = np.linalg.eigh(K)
    # u₁ = Σ v_i φ_i / √μ₁ and φ̄ = Σ φ_i / n, both as coefficients of the φ_i.
    u, mean = V[:, -1] / eigenvalues[-1] ** 0.5, np.full(len(K), 1 / len(K))
    cosine = abs(u @ K @ mean) / (mean @ K @ mean) ** 0.5
    assert result.mean.cosine == pytest.approx(cosine, abs=1e-5)


def test_the_first_component_of_rings_is_not_their_mean(analysed):
    mean = analysed(family="linear", analysis=OFF).mean
    assert mean.cosine == pytest.approx(0.11, abs=0.005)
    assert mean.sentence.startswith("Not centred: PC 1 is not the mean of the points")


def test_it_is_said_why_rings_separate_without_centring(analysed):
    wide = analysed(gamma=1.2).comparison.kernel.linear_accuracy
    result = analysed(gamma=1.2, analysis=OFF)
    assert wide < 0.6
    assert result.comparison.kernel.linear_accuracy == 1
    assert result.mean.cosine > 0.98
    (inner, most), (outer, least) = result.mean.alike
    assert (inner, outer) == ("inner ring", "outer ring")
    K = result.kernel.block(result.points, result.points)
    rings = result.dataset.labels
    names = result.dataset.label_names
    for name, value in ((inner, most), (outer, least)):
        assert value == pytest.approx(K[rings == names.index(name)].mean())
    assert f"{most:.2g} for inner ring, {least:.2g} for outer ring" in (
        result.mean.sentence
    )


@pytest.mark.journey
def test_a_sample_of_many_rows_gives_the_same_cosine(analysed):
    result = analysed(values={"samples": 3 * MOST}, gamma=1.2, analysis=OFF)
    X = result.points
    K = Kernel("rbf", gamma=1.2).block(X, X)
    exact = abs(result.scores[:, 0].mean()) / K.mean() ** 0.5
    assert result.mean.cosine == pytest.approx(exact, abs=0.01)


def test_where_the_mean_is_zero_centring_changes_nothing(analysed):
    X = np.random.default_rng(0).normal(size=(40, 3))
    data = Dataset(X - X.mean(axis=0), name="given")
    result = analysed("given", "linear", opened=[data], analysis=OFF)
    assert result.mean == MeanDirection(None)
    assert "nothing changes" in result.mean.sentence


def test_centred_there_is_nothing_to_say(analysed):
    assert analysed().mean is None
