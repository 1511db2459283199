"""Copied code runs by itself and gives the numbers of the window; LaTeX balances."""

from dataclasses import replace

import numpy as np
import pytest

from kpca_viewer.engine.analysis import analyse
from kpca_viewer.features.derivation.code import (
    LITERAL_UP_TO,
    as_latex,
    as_numpy,
)
from kpca_viewer.features.derivation.compute import derive
from tests.scripts import executed
from tests.session.derivation.conftest import (
    GUIDE,
    SQUARE,
    THREE,
    derived,
    kernels_with,
)

PITFALLS = [
    {},
    {"center": False},
    {"normalised": False},
    {"centers_new": False},
    {"center": False, "normalised": False, "centers_new": False},
]


@pytest.mark.parametrize(("kernel", "analysis"), kernels_with(PITFALLS))
def test_the_script_gives_the_numbers_of_the_window(kernel, analysis, capsys):
    X = np.random.default_rng(8).normal(size=(9, 2)) * 2 + 0.3
    found = derived(
        X,
        kernel.family.name,
        scaling="standardise",
        analysis=analysis,
        new_points=((0.5, 1), (2, -1)),
        **kernel.values,
    )
    names = executed(as_numpy(found))
    assert names["mu"] == pytest.approx(found.eigenvalues, abs=1e-9)
    scores = found.result.scores
    signs = np.sign((names["z"] * scores).sum(axis=0))
    assert np.abs(names["z"]) == pytest.approx(np.abs(scores), abs=1e-6)
    new = np.array([row.scores for row in found.new_rows])
    live = found.eigenvalues > 1e-6
    assert (names["z_new"] * signs)[:, live] == pytest.approx(new[:, live], abs=1e-5)
    assert "mu = [" in capsys.readouterr().out


def test_given_matrices_run_too():
    K = executed(as_numpy(derived([[9, -9], [-9, 9]], kind="kernel")))
    assert K["mu"] == pytest.approx([18, 0])
    distances = [[0, 1, 10], [1, 0, 1], [10, 1, 0]]
    D = executed(as_numpy(derived(distances, kind="distances")))
    assert D["mu"] == pytest.approx([50, 0, -16])
    assert not D["alpha"][:, 1:].any()


def test_many_points_are_to_be_loaded(tmp_path, monkeypatch):
    X = np.random.default_rng(0).normal(size=(LITERAL_UP_TO + 1, 2))
    found = derived(X, gamma=1)
    code = as_numpy(found)
    assert "51 × 2 numbers, too many to stand here" in code
    np.savetxt(tmp_path / "data.csv", X, delimiter=",")
    monkeypatch.chdir(tmp_path)
    assert executed(code)["mu"] == pytest.approx(found.eigenvalues)


def test_a_component_is_turned_round_in_the_script_too():
    result = derived(GUIDE, gamma=0.1).result
    view = result.settings.view.with_flip(0)
    turned = derive(analyse(result.dataset, replace(result.settings, view=view)))
    assert executed(as_numpy(turned))["z"] == pytest.approx(turned.scores)


def test_latex_of_the_three_points():
    text = as_latex(derived(THREE, "poly", **SQUARE))
    assert "X = \\begin{pmatrix}\n1 & 0 \\\\\n0 & 1 \\\\\n-1 & 0\n" in text
    assert r"\frac{2}{9} & -\frac{4}{9} & \frac{2}{9}" in text
    assert r"k(x,y)=(x^\top y)^{2}" in text
    assert r"\mu = \begin{pmatrix}" + "\n" + r"\frac{4}{3} & 0" in text


def test_what_is_left_out_is_dots():
    X = np.random.default_rng(0).normal(size=(20, 9))
    found = derived(X, gamma=1, selected=(3, 7))
    text = as_latex(found)
    assert text.startswith("% rows 4, 8 of 20\n")
    assert r"\vdots & \vdots & \ddots" in text
    points, kernel, *_ = text.split("\\]")
    assert points.count(r"\dots") == kernel.count(r"\dots") == 2
    assert text.count("{") == text.count("}")
    assert text.count(r"\begin{pmatrix}") == text.count(r"\end{pmatrix}") > 0


def test_pitfalls_stand_in_the_formulas():
    wrong = {"center": False, "normalised": False}
    text = as_latex(derived(THREE, "poly", analysis=wrong, **SQUARE))
    assert "is not centred" in text
    assert "tilde" not in text
    assert "is forgotten" in text
    found = derived(GUIDE, analysis={"centers_new": False}, new_points=((1, 1),))
    assert "(its centring is forgotten)" in as_latex(found)
    uncentred = derived(GUIDE, analysis={"center": False}, new_points=((1, 1),))
    assert "forgotten" not in as_latex(uncentred)


def test_latex_of_given_matrices():
    assert "K = \\begin{pmatrix}\n9 & -9" in as_latex(
        derived([[9, -9], [-9, 9]], kind="kernel")
    )
    distances = as_latex(derived([[0, 3], [3, 0]], kind="distances"))
    assert r"-\tfrac12 D^2" in distances


def test_what_is_not_there_is_left_out():
    text = as_latex(derived([[9, -9], [-9, 9]], kind="kernel"))
    assert "X = " not in text
    assert "x^*" not in text
