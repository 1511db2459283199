"""Checks hold for what is right, and fail where a step is forgotten."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from kpca_viewer.engine.settings import (
    DataSettings,
    KernelSettings,
    SessionSettings,
    as_values,
)
from kpca_viewer.features.derivation import kernel_rows
from kpca_viewer.features.derivation.checks import checks
from kpca_viewer.features.derivation.compute import derive
from kpca_viewer.features.derivation.notes import checks_text
from tests.analyses import analysed
from tests.session.derivation.conftest import derived, kernels_with, result_of, rings


def by_step(derivation):
    found = {}
    for check in checks(derivation):
        found.setdefault(check.step, []).append(check)
    return found


@pytest.mark.parametrize(
    ("kernel", "solver"),
    [
        (kernel, solver)
        for kernel, solver in kernels_with(("auto", "lowrank", "krylov", "dense"))
        if kernel.psd or solver != "lowrank"
    ],
)
def test_all_of_them_hold_for_what_is_right(kernel, solver):
    X = np.random.default_rng(4).normal(size=(60, 2))
    found = derived(X, kernel.family.name, analysis={"solver": solver}, **kernel.values)
    measured = checks(found)
    failed = [check.text for check in measured if check.holds is False]
    definite = kernel.psd or not found.result.decomposition.complete
    assert failed == ([] if definite else ["K̃ is positive semi-definite"])
    assert any(check.holds is False for check in measured) != definite
    assert len(measured) >= 3 + 2


def test_without_centring_rows_do_not_sum_to_zero():
    found = by_step(derived(rings(1, 2), gamma=0.5, analysis={"center": False}))
    sums = found["centred"][0]
    assert (sums.text, sums.holds) == ("K·1 = 0", False)
    assert sums.value == pytest.approx(2.6529, abs=1e-4)
    count = found["eigenvalues"][1]
    assert (count.value, count.expected, count.holds) == (8, 8, True)
    assert count.text == "at most n = 8 components"
    of_components = [c for c in found["scores"] if c.component is not None]
    assert all(check.holds for check in found["coefficients"] + of_components)
    means, products = (c for c in found["scores"] if c.component is None)
    assert (means.text, means.holds) == ("Σz = 0", False)
    assert (products.text, products.holds) == ("zᵢᵀzⱼ = 0 for i ≠ j", True)


def test_without_the_root_directions_are_not_of_length_one():
    derivation = derived(rings(1, 2), gamma=0.5, analysis={"normalised": False})
    found = by_step(derivation)
    assert all(check.holds for check in found["centred"] + found["eigenvalues"])
    for check in found["coefficients"]:
        mu = derivation.eigenvalues[check.component]
        assert check.holds is False
        assert check.value == pytest.approx(mu)
    assert found["coefficients"][0].measured == "1.531 instead of 1"
    for check in found["scores"]:
        if check.component is None:
            # Other lengths are still centred, and across each other.
            assert check.holds
            continue
        assert check.holds is False
        assert check.value == pytest.approx(
            derivation.eigenvalues[check.component] ** 2
        )
    failed = [check.text for check in checks(derivation) if check.holds is False]
    assert failed[0] == "α₁ᵀK̃α₁ = 1"


@pytest.mark.journey
def test_what_part_of_the_trace_is_known(many):
    result = result_of(many, gamma=1, analysis={"solver": "krylov"})
    check = by_step(derive(result))["eigenvalues"][0]
    assert check.text == "Σμ ≤ tr K̃"
    assert check.value < check.expected == pytest.approx(result.decomposition.trace)
    assert "of 700 eigenvalues sum to" in check.measured
    assert check.holds


@pytest.mark.journey
def test_row_sums_of_too_many_rows_are_not_measured(many, monkeypatch):
    monkeypatch.setattr(kernel_rows, "MOST_ROWS", 600)
    found = checks(derive(result_of(many, gamma=1, analysis={"solver": "lowrank"})))
    sums = next(check for check in found if check.step == "centred")
    assert sums.holds is None
    assert sums.measured == "not measured: 700 rows are too many"
    assert checks_text(found).endswith("; 1 cannot be measured.")


def test_one_point_has_no_component():
    found = checks(derived(((1, 2),), gamma=1))
    assert [check.text for check in found] == [
        "K = Kᵀ",
        "Kᵢᵢ = 1",
        "K̃·1 = 0",
        "Σμ = tr K̃",
        "at most n − 1 = 0 components",
        "K̃ is positive semi-definite",
    ]
    assert all(check.holds for check in found)


def failing(derivation):
    return [check.text for check in checks(derivation) if check.holds is False]


CORNERS = ((1, 0), (0, 1), (-1, 0), (0, -1))
CUBE = tuple(product((0, 1), repeat=3))


@pytest.mark.parametrize("points", [CORNERS, CUBE], ids=["square", "cube"])
def test_eigenvalues_that_are_hardly_apart_are_not_mixed(points):
    # e⁻²⁰ tells them apart, and so do their bounds.
    found = derived(points, scaling="standardise", gamma=5)
    assert found.errors.spreads[0] < 1e-13
    assert failing(found) == []
    K, u = found.centred, found.vectors[:, 0]
    assert np.linalg.norm(K @ u - found.eigenvalues[0] * u) < 1e-14


def test_only_eigenvalues_that_count_as_one_may_be_mixed():
    result = result_of(rings(1, 2), gamma=0.5)
    # About as far apart as the corners above are close: no rule mixes these.
    turn = np.eye(len(result.decomposition.eigenvalues))
    turn[:3, :3] = np.linalg.qr(np.ones((3, 3)) - 3 * np.eye(3))[0]
    mixed = replace(result, decomposition=result.decomposition.oriented(turn))
    assert "α₁ᵀK̃α₁ = 1" in failing(derive(mixed))
    assert derive(result).errors.spreads[0] < 1e-12


def test_numbers_that_are_written_alike_say_how_far_they_are_apart(monkeypatch):
    monkeypatch.setattr("kpca_viewer.features.derivation.checks.ALLOWED", 0.0)
    result = result_of(CORNERS, scaling="standardise", gamma=5)
    # The first and the third are e⁻²⁰ apart.
    turn = np.eye(len(result.decomposition.eigenvalues))
    turn[:3:2, :3:2] = np.array([[1, -1], [1, 1]]) / 2**0.5
    found = derive(replace(result, decomposition=result.decomposition.oriented(turn)))
    told = [c.measured for c in checks(found) if c.text == "α₁ᵀK̃α₁ = 1"]
    assert told[0].startswith("0.99999999")
    assert told[0].endswith(" instead of 1")


@pytest.mark.parametrize("family", ["linear", "cosine", "paraboloid", "poly", "rbf"])
@pytest.mark.parametrize("offset", [1e4, 1e6])
def test_the_trace_is_known_as_well_as_entries_far_from_the_origin(family, offset):
    steps = np.arange(8.0)
    found = derived(np.column_stack((offset + steps, np.sin(steps))), family)
    assert failing(found) == []


@pytest.mark.parametrize(
    ("family", "n"), [("linear", 4), ("paraboloid", 30), ("cosine", 4), ("rbf", 30)]
)
def test_rows_that_are_all_equal_fail_no_check(family, n):
    assert failing(derived([(0.3, 0.7)] * n, family)) == []


def test_an_eigenvalue_that_is_left_out_is_missed():
    result = result_of(np.column_stack((1e4 + np.arange(8.0), [0, 1] * 4)), "linear")
    found = result.decomposition
    found = replace(found, spectrum=np.append(found.spectrum[:1], [0.0] * 7))
    assert failing(derive(replace(result, decomposition=found))) == ["Σμ = tr K̃"]


def test_products_of_very_many_scores_are_not_measured(monkeypatch):
    found = derived(rings(1, 2), "rbf", gamma=1)
    assert all(check.holds for check in checks(found))
    monkeypatch.setattr("kpca_viewer.features.derivation.checks.MOST_PRODUCTS", 10)
    (check,) = [check for check in checks(found) if check.holds is None]
    assert check.text == "zᵢᵀzⱼ = 0 for i ≠ j"
    assert check.measured == "not measured: 8 rows are too many"


LECTURE = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])


def test_an_eigenvalue_that_rounding_leaves_has_no_coefficients():
    """The sigmoid has a negative μ that is larger than its positive one."""
    derivation = derived(LECTURE, "sigmoid")
    first, second, third = derivation.eigenvalues
    assert abs(second) < 1e-14 < first < -third
    assert not derivation.coefficients[:, 1:].any()
    assert not derivation.scores[:, 1:].any()
    found = by_step(derivation)
    assert [check.component for check in found["coefficients"]] == [0]
    assert found["coefficients"][0].value == pytest.approx(1, abs=1e-9)


def test_a_check_that_errors_hide_is_not_ticked():
    derivation = derived(rings(1, 2), gamma=0.5)
    wide = replace(derivation.errors, eigenvalues=np.full(derivation.k, 0.1))
    found = by_step(replace(derivation, errors=wide))
    assert {check.holds for check in found["coefficients"]} == {None}
    assert "too near 0" in found["coefficients"][0].measured


def test_the_smallest_eigenvalue_is_said_where_it_is_above_zero():
    values = {"gamma": 1.0, "coef0": 1.0, "degree": 2.0}
    analysis = {"center": False}
    found = by_step(derived(LECTURE, "poly", analysis=analysis, **values))
    definite = found["eigenvalues"][2]
    assert definite.text == "K is positive semi-definite"
    assert definite.value == pytest.approx(0.1850379, abs=1e-6)
    assert definite.measured == "smallest eigenvalue 0.185"


def test_a_definite_matrix_of_the_sigmoid_says_that_others_need_not_be():
    """With small γ the matrix of these rows has no eigenvalue below 0."""
    settings = SessionSettings(
        DataSettings("three_points"),
        KernelSettings("sigmoid", as_values({"gamma": 0.1, "coef0": 0})),
    )
    derivation = derive(analysed(settings))
    (found,) = [c for c in checks(derivation) if "semi-definite" in c.text]
    assert found.holds
    assert found.measured.endswith("other rows can have negative ones")
    for_all = replace(settings, kernel=KernelSettings("rbf", (("gamma", 0.5),)))
    (found,) = [
        c for c in checks(derive(analysed(for_all))) if "semi-definite" in c.text
    ]
    assert found.holds
    assert "other rows" not in found.measured
