"""From a request to a result: every source, every kernel, every way to go wrong."""

import re
from itertools import cycle

import numpy as np
import pytest
from sklearn.decomposition import KernelPCA

from kpca_viewer.core.kernels.kernel import FAMILIES
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.generators import GENERATORS, generate
from kpca_viewer.engine.analysis import AnalysisRequest, analyse, run
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.support.errors import DataError, KernelError, KpcaError, SolverError

CERTIFICATE = re.compile(r"eigenvalues exact( to [1-9]·10⁻[⁰¹²³⁴⁵⁶⁷⁸⁹]+)?")


def assert_sound(result, components=10):
    n, k = result.dataset.n, min(components, result.dataset.n - 1)
    assert result.scores.shape == (n, k)
    assert np.isfinite(result.scores).all()
    assert not result.scores.flags.writeable
    assert result.shares.shape == (k,)
    assert result.shares.sum() <= 1 + 1e-9
    assert result.shares[0] == result.shares.max() > 0
    assert CERTIFICATE.fullmatch(result.certificate)
    assert result.effective_rank >= 1 - 1e-9
    assert result.seconds > 0
    assert result.comparison is not None
    m = min(n, 400)
    assert result.picture.raw.shape == result.picture.centred.shape == (m, m)
    assert result.picture.sampled == (n > m)
    assert result.picture.centred.sum(axis=0) == pytest.approx(np.zeros(m), abs=1e-6)


@pytest.mark.journey
@pytest.mark.parametrize("source", list(GENERATORS))
def test_every_source(source):
    settings = SessionSettings(data=DataSettings.of_source(source))
    result = run(AnalysisRequest(settings), StageCache())
    assert_sound(result)
    assert result.settings is settings
    assert result.suggested["gamma"] == result.kernel.values["gamma"] > 0
    assert result.linear.scores.shape == (result.dataset.n, min(10, result.dataset.d))
    assert (result.grid is None) == (result.dataset.d != 2)


@pytest.mark.parametrize(
    ("family", "source"), list(zip(FAMILIES, cycle(["moons", "iris"]), strict=False))
)
def test_every_kernel(family, source, analysed):
    result = analysed(source, family, values={"samples": 120})
    assert_sound(result)
    assert result.kernel.family.name == family
    assert result.mass.low >= 0
    assert (result.mass.low > 0) == (family == "sigmoid")
    projected = result.project(result.dataset.points)
    assert projected == pytest.approx(result.scores, abs=1e-6)


def test_the_scores_are_those_of_scikit_learn(analysed):
    result = analysed(values={"samples": 100}, gamma=2)
    reference = KernelPCA(10, kernel="rbf", gamma=2).fit_transform(
        result.dataset.points
    )
    assert np.abs(result.scores) == pytest.approx(np.abs(reference), abs=1e-9)


def test_without_centring_the_scores_are_those_of_the_raw_matrix(analysed):
    result = analysed(values={"samples": 60}, gamma=2, analysis={"center": False})
    values = np.linalg.eigvalsh(result.kernel.block(result.points, result.points))
    assert result.decomposition.eigenvalues == pytest.approx(values[::-1][:10])
    projected = result.project(result.dataset.points)
    assert projected == pytest.approx(result.scores, abs=1e-9)


def test_a_value_that_was_set_is_used_and_the_rest_is_suggested(analysed):
    assert analysed(gamma=12.5).kernel.values["gamma"] == 12.5
    result = analysed("iris", "rational_quadratic", mixture=3)
    assert result.kernel.values["mixture"] == 3
    assert result.kernel.values["length_scale"] == result.suggested["length_scale"]


def test_the_suggestion_follows_the_scaling(analysed):
    plain, scaled = analysed("wine"), analysed("wine", scaling="standardise")
    assert plain.suggested["gamma"] < scaled.suggested["gamma"]
    assert scaled.points.dense().std(axis=0) == pytest.approx(np.ones(13))
    assert np.array_equal(scaled.dataset.points, plain.dataset.points)


def test_opened_data_come_before_a_generator_of_the_same_name(analysed):
    mine = Dataset(np.random.default_rng(0).normal(size=(30, 3)), name="circles")
    assert analysed("circles", opened=[mine]).dataset is mine


def test_analyse_needs_nothing_but_the_data():
    result = analyse(generate("iris"))
    assert result.settings.data.source == "Iris"
    assert_sound(result)
    settings = SessionSettings(data=DataSettings(scaling="standardise"))
    result = analyse(generate("iris"), settings)
    assert result.points.dense().std(axis=0) == pytest.approx(np.ones(4))


@pytest.mark.parametrize("center", [True, False])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_very_few_points(n, center, analysed):
    data = Dataset(np.eye(3)[:n], name="few")
    result = analysed("few", opened=[data], analysis={"center": center})
    # Around their mean, n points leave one dimension empty.
    assert result.scores.shape == (n, max(1, n - 1) if center else n)
    assert np.isfinite(result.scores).all()


@pytest.mark.parametrize("n", [20, 400])
def test_identical_points_have_no_components(n, analysed):
    data = Dataset(np.ones((n, 2)), np.arange(n) % 2, name="one place")
    result = analysed("one place", opened=[data])
    assert result.suggested == {}
    assert np.abs(result.scores).max() < 1e-6
    assert not result.linear.shares.any()


@pytest.mark.parametrize("components", [0, 1, 2])
def test_fewer_components_than_axes(components, analysed):
    result = analysed(
        "moons",
        values={"samples": 50},
        analysis={"components": components},
        view={"axes": (1, 2, 0)},
    )
    assert result.scores.shape == (50, max(1, components))
    assert 0 <= result.comparison.kernel.linear_accuracy <= 1


def test_the_verdict_is_on_the_shown_axes(analysed):
    first = analysed(gamma=2, view={"axes": (0, 1, 2)})
    other = analysed(gamma=2, view={"axes": (4, 3, 2)})
    assert first.comparison.kernel.linear_accuracy > 0.95
    assert other.comparison.kernel.linear_accuracy < 0.9
    assert other.comparison.linear == first.comparison.linear


def test_unlabelled_data_are_judged_by_neighbourhoods(analysed):
    points = generate("s_curve", samples=60).points
    data = Dataset(points, np.full(60, -1), ("unused",), name="unlabelled")
    comparison = analysed("unlabelled", opened=[data]).comparison
    assert comparison.kernel.linear_accuracy is None
    assert 0.5 < comparison.kernel.trustworthiness <= 1


@pytest.mark.parametrize(
    ("error", "message", "chosen"),
    [
        (DataError, "“gone” is not open; open it again", {"source": "gone"}),
        (DataError, "Noise is 7", {"values": {"noise": 7}}),
        (DataError, "“odd” is not a way to scale", {"scaling": "odd"}),
        (KernelError, "no kernel “odd”; choose one of linear", {"family": "odd"}),
        (KernelError, "greater than 0", {"gamma": 0}),
        (KernelError, "has no parameter 'nu'", {"nu": 1.5}),
        (SolverError, "no solver 'odd'", {"analysis": {"solver": "odd"}}),
        (
            SolverError,
            "low-rank solver needs a positive semi-definite kernel",
            {"family": "sigmoid", "analysis": {"solver": "lowrank"}},
        ),
    ],
)
def test_impossible_requests(error, message, chosen, analysed):
    with pytest.raises(error, match=message) as caught:
        analysed(**chosen)
    assert isinstance(caught.value, KpcaError)


@pytest.mark.parametrize(
    ("family", "scaling"),
    [
        ("rbf", "none"),
        ("poly", "standardise"),
        ("cosine", "minmax"),
        ("rbf", "unit"),
    ],
)
def test_values_whose_squares_overflow(family, scaling, analysed):
    data = Dataset([[1e200, 0], [0, -1e200], [1, 2]], name="huge")
    with pytest.raises(DataError, match=r"values reach 1e\+200, too large"):
        analysed("huge", family, scaling=scaling, opened=[data])


def test_a_high_degree_on_large_values(analysed):
    data = Dataset([[1e20, 0], [0, 1e20], [1, 2]], name="large")
    with pytest.raises(KernelError, match=r"overflows.*10\^400.*smaller degree"):
        analysed("large", "poly", opened=[data], degree=10, gamma=1)
    # With the suggested γ the same data are no problem.
    assert np.isfinite(analysed("large", "poly", opened=[data], degree=10).scores).all()


def test_missing_values(analysed):
    data = Dataset([[1, 0], [np.nan, 1], [1, 2]], name="gaps")
    with pytest.raises(KernelError, match=r"NaN.*fill or drop"):
        analysed("gaps", opened=[data])


def test_a_row_without_direction(analysed):
    data = Dataset([[1, 0], [0, 0], [1, 2]], name="zero")
    with pytest.raises(KernelError, match="cosine kernel is not defined for row 2"):
        analysed("zero", "cosine", opened=[data])


def test_a_failure_does_not_spoil_the_cache(analysed):
    before = analysed(gamma=2)
    with pytest.raises(KernelError):
        analysed(gamma=-1)
    assert analysed(gamma=2).decomposition is before.decomposition
