"""Steps that are forgotten, against NumPy; and what is said about them."""

import re
from dataclasses import replace

import numpy as np
import pytest

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.analysis import analyse, run
from kpca_viewer.engine.document.files import load, save
from kpca_viewer.engine.document.model import Document
from kpca_viewer.engine.settings import AnalysisSettings, SessionSettings
from kpca_viewer.engine.sweep.run import run_sweep
from kpca_viewer.engine.sweep.settings import SweepSettings
from kpca_viewer.engine.text.remarks import forgotten, strip_of, strip_words
from tests.core.reference import centred, gram_matrix
from tests.session.derivation.conftest import kernels_with
from tests.ui.plots.results import indefinite_distances

SMALL = {"samples": 40}
NEW = np.array([[0.4, -0.3], [1.2, 0.8]])
NO_ROOT = {"normalised": False}
NO_CENTRING = {"centers_new": False}


def expected(kernel, X, k, *, normalised, center_new):
    """Return scores of the data and of `NEW` by the formulas alone."""
    K = gram_matrix(kernel, X)
    values, vectors = np.linalg.eigh(centred(K))
    values, u = values[::-1][:k], vectors[:, ::-1][:, :k]
    alpha = u / np.sqrt(values) if normalised else u
    rows = gram_matrix(kernel, np.vstack((NEW, X)))[: len(NEW), len(NEW) :]
    if center_new:
        rows = rows - K.mean(axis=1) - rows.mean(axis=1)[:, None] + K.mean()
    return centred(K) @ alpha, rows @ alpha


@pytest.mark.parametrize(
    ("kernel", "how"),
    kernels_with([(0, 1, "lowrank"), (1, 0, "dense"), (0, 0, "lowrank")]),
)
def test_scores_of_rows_and_of_new_points(analysed, kernel, how):
    normalised, center_new, solver = how
    if not kernel.psd:
        solver = "dense"
    k = 2
    analysis = {
        "normalised": bool(normalised),
        "centers_new": bool(center_new),
        "components": k,
        "solver": solver,
    }
    result = analysed(
        "moons", kernel.family.name, values=SMALL, analysis=analysis, **kernel.values
    )
    scores, new = expected(
        kernel,
        result.dataset.points,
        k,
        normalised=normalised,
        center_new=center_new,
    )
    signs = np.sign((scores * result.scores).sum(axis=0))
    size = np.abs(scores).max()
    assert result.scores * signs == pytest.approx(scores, abs=1e-4 * size)
    found = result.project(NEW) * signs
    assert found == pytest.approx(new, abs=1e-4 * max(size, np.abs(new).max()))


@pytest.mark.parametrize("family", ["rbf", "poly", "linear"])
@pytest.mark.parametrize("forgetting", [NO_ROOT, NO_CENTRING])
def test_isolines_are_scores_of_new_points(analysed, family, forgetting):
    result = analysed("moons", family, values=SMALL, analysis=forgetting)
    grid = result.grid
    nodes = np.array([[grid.x[5], grid.y[7]], [grid.x[90], grid.y[40]]])
    there = np.array([grid.scores[7, 5], grid.scores[40, 90]])
    assert there == pytest.approx(result.project(nodes), abs=1e-8)
    right = analysed("moons", family, values=SMALL)
    same = right.project(nodes)
    assert not np.allclose(there[:, 0], same[:, 0], rtol=1e-3)


def test_forgetting_takes_no_new_decomposition(request_for, cache):
    request = request_for("moons", values=SMALL)
    run(request, cache)
    made = cache.made["decomposition"]
    for changes in (NO_ROOT, NO_CENTRING, NO_ROOT | NO_CENTRING, {}):
        analysis = replace(AnalysisSettings(), **changes)
        settings = replace(request.settings, analysis=analysis)
        assert settings.needs_analysis(request.settings) is bool(changes)
        run(replace(request, settings=settings), cache)
    assert cache.made["decomposition"] == made


def test_nothing_of_a_forgotten_step_is_left_once_it_is_back(request_for, cache):
    request = request_for("moons", values=SMALL)
    before = run(request, cache)
    wrong = replace(AnalysisSettings(), **NO_ROOT | NO_CENTRING)
    run(replace(request, settings=replace(request.settings, analysis=wrong)), cache)
    after = run(request, cache)
    assert (after.scores == before.scores).all()
    assert (after.grid.scores == before.grid.scores).all()
    assert after.comparison == before.comparison
    assert after.pitfalls == ()


def test_without_the_root_it_is_measured_what_breaks(analysed):
    result = analysed("moons", values=SMALL, analysis=NO_ROOT, gamma=2)
    mu = result.decomposition.eigenvalues[0]
    (sentence,) = result.pitfalls
    length, times = map(float, re.findall(r"= (\d+\.\d+)", sentence))
    assert length == pytest.approx(mu, rel=1e-3)
    assert times == pytest.approx(mu**0.5, rel=1e-3)
    assert sentence.startswith("1/√μ is forgotten: αᵀK̃α = ")
    assert "along PC 1" in sentence
    other = analysed("moons", values=SMALL, analysis=NO_ROOT, view={"axes": (2, 0, 1)})
    assert "along PC 3" in other.pitfalls[0]


def test_without_the_centring_of_a_new_row_it_is_measured_what_breaks(analysed):
    result = analysed("moons", values=SMALL, analysis=NO_CENTRING, gamma=2)
    (sentence,) = result.pitfalls
    wrong = result.project(result.dataset.points[:1])[0, 0]
    place, own = re.search(
        r"comes to (\S+) along PC 1, not to (\S+);", sentence
    ).groups()
    assert float(place.replace("−", "-")) == pytest.approx(wrong, rel=1e-3)
    own = float(own.replace("−", "-"))
    assert own == pytest.approx(result.scores[0, 0], rel=1e-3)
    assert abs(own - wrong) > 1e-3


def test_what_changes_nothing_is_not_warned_about(analysed):
    uncentred = analysed(
        "moons", values=SMALL, analysis={"center": False} | NO_CENTRING
    )
    assert forgotten(uncentred) == ("not centred",)
    assert uncentred.pitfalls == ()
    assert uncentred.scoring.centers_new
    given = analyse(
        indefinite_distances().dataset,
        SessionSettings(analysis=AnalysisSettings(center=False, **NO_CENTRING)),
    )
    assert strip_words(given) == ""


def test_components_without_scores_have_nothing_to_stretch():
    result = analyse(
        Dataset(np.ones((2, 2))),
        SessionSettings(analysis=AnalysisSettings(**NO_ROOT)),
    )
    assert result.pitfalls == (
        "1/√μ is forgotten, but PC 1 has no scores: nothing changes.",
    )


def test_all_of_them_in_a_line(analysed):
    result = analysed("moons", values=SMALL, analysis=NO_ROOT | NO_CENTRING)
    assert strip_words(result) == "1/√μ forgotten · new points not centred"
    assert strip_of(AnalysisSettings(center=False, normalised=False)) == (
        "Not centred · 1/√μ forgotten"
    )
    assert strip_of(AnalysisSettings()) == ""


def test_a_session_keeps_them(tmp_path):
    settings = SessionSettings().with_normalisation(False).with_centred_new_rows(False)
    save(Document(settings=settings), tmp_path / "wrong.kpca")
    assert load(tmp_path / "wrong.kpca").settings == settings


def test_a_sweep_shows_what_the_window_would(request_for, cache):
    request = request_for("moons", values=SMALL, analysis=NO_ROOT, gamma=2)
    shown = run(request, cache)
    sweep = SweepSettings(parameter="gamma", low=1, high=2, steps=2, scale="linear")
    swept = run_sweep(request, sweep, cache)
    coordinates = swept.points[-1].thumbnail
    width = np.ptp(coordinates, axis=0)
    assert width == pytest.approx(np.ptp(shown.scores[:, :2], axis=0), rel=0.02)
