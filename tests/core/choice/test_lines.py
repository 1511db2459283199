"""Which kernels are tried, and on which values."""

import numpy as np
import pytest

from kpca_viewer.core.kernels.kernel import FAMILIES, suggested_values
from kpca_viewer.core.methods.kernel_ranking import (
    Line,
    between,
    coarse_values,
    lines,
    simplicity,
)
from kpca_viewer.support.errors import KernelError

X = np.random.default_rng(0).standard_normal((80, 3))


def test_every_family_has_a_line_and_what_makes_another_kernel_has_its_own():
    found = lines()
    assert found[0] == Line("linear")
    assert {line.family for line in found} == set(FAMILIES)
    assert [dict(line.fixed) for line in lines(["matern"])[1:]] == [
        {"nu": 0.5},
        {"nu": 1.5},
        {"nu": 2.5},
    ]
    polynomials = lines(["poly"])[1:]
    assert [dict(line.fixed)["degree"] for line in polynomials] == [2, 3]
    assert {line.scanned for line in polynomials} == {"gamma"}


def test_linear_pca_is_a_candidate_whoever_is_asked_for():
    assert [line.family for line in lines(["rbf"])] == ["linear", "rbf"]


def test_a_kernel_that_is_not_there_is_refused():
    with pytest.raises(KernelError, match="no kernel “gauss”"):
        lines(["gauss"])


def test_values_lie_around_the_suggestion_as_far_as_a_slider_reaches():
    line = Line("rbf", scanned="gamma")
    values = coarse_values(line, X, 7)
    suggested = suggested_values("rbf", X)["gamma"]
    assert len(values) == 7
    assert values[3] == pytest.approx(suggested, rel=0.01)
    assert values[0] == pytest.approx(suggested / 100, rel=0.01)
    assert values[-1] == pytest.approx(suggested * 100, rel=0.01)
    assert between(line, 1.0, 4.0) == 2.0


def test_a_kernel_without_parameters_has_one_value():
    assert coarse_values(Line("cosine"), X, 7) == (None,)


def test_a_longer_length_is_simpler_and_so_is_a_smaller_rate():
    rate, length = Line("rbf", scanned="gamma"), Line("matern", (), "length_scale")
    assert simplicity(rate, 1.0) < simplicity(rate, 2.0)
    assert simplicity(length, 2.0) < simplicity(length, 1.0)
