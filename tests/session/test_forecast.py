"""What an analysis will need is said before it starts."""

from dataclasses import replace

import numpy as np
import pytest

from kpca_viewer.core.kernels.kernel import suggested_values
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.generators import generate
from kpca_viewer.engine.analysis import analyse
from kpca_viewer.engine.forecast import (
    LARGE_FROM,
    LARGEST_RANK,
    Trial,
    spoken,
    tolerance,
    try_out,
)
from kpca_viewer.engine.settings import (
    AnalysisSettings,
    KernelSettings,
    SessionSettings,
    as_values,
)
from kpca_viewer.support import memory

TRIAL = Trial(10, 10, "auto", True, 300, 5e-11, 2e-10, 6e-9)


def test_a_sentence_names_rows_solver_memory_and_time():
    assert str(replace(TRIAL, rank=100).forecast(100_000)) == (
        "100,000 rows × 10: low rank, about 94 MB and 1 s."
    )


def test_few_rows_are_not_worth_a_word():
    assert TRIAL.forecast(5000) is None


@pytest.mark.parametrize(
    ("changes", "solver"),
    [
        ({}, "lowrank"),
        ({"psd": False}, "krylov"),
        ({"solver": "dense"}, "dense"),
        ({"solver": "arpack"}, "krylov"),
    ],
)
def test_the_solver_is_the_one_that_will_be_used(changes, solver):
    assert replace(TRIAL, **changes).forecast(800_000).solver == solver


@pytest.mark.parametrize("changes", [{"solver": "dense"}, {"psd": False}])
def test_too_much_proposes_rows_that_are_bearable(changes):
    trial = replace(TRIAL, **changes)
    forecast = trial.forecast(800_000)
    assert f"take a sample of {forecast.proposed:,} rows." in str(forecast)
    assert 1000 <= forecast.proposed < 800_000
    fewer = trial.forecast(forecast.proposed)
    assert fewer is None or fewer.proposed is None


def test_what_exceeds_the_memory_says_so():
    rows = 2 * (memory.available() or 0) // 1000
    text = str(TRIAL.forecast(rows))
    assert "too much for the" in text
    assert "that are free; take a sample of" in text


def test_cost_grows_with_rows_and_rank():
    small, large = TRIAL.forecast(100_000), TRIAL.forecast(400_000)
    # Only the points grow with the rows, and the sample of them is always as large.
    assert large.size - small.size == 300_000 * (32 * 10 + 16 * 10)
    assert 3 * small.seconds < large.seconds <= 4 * small.seconds
    flat = replace(TRIAL, rank=800).forecast(100_000)
    assert flat.seconds > 4 * small.seconds
    assert flat.size > 2 * small.size


@pytest.mark.journey
def test_only_who_asks_for_all_digits_waits_for_many_landmarks():
    flat = replace(TRIAL, rank=LARGEST_RANK)
    patient = flat.forecast(200_000)
    refined = replace(flat, refined=True).forecast(200_000)
    assert refined.seconds > 3 * patient.seconds
    asked = SessionSettings(analysis=AnalysisSettings(refined=True))
    points = generate("swiss_roll", samples=2000).points
    plain = try_out(points, "none", SessionSettings())
    assert try_out(points, "none", asked).rank > 1.5 * plain.rank


@pytest.mark.journey
def test_a_few_rows_tell_the_rank_of_many():
    many = generate("moons", samples=60_000)
    median = as_values(suggested_values("rbf", many.points))
    settings = SessionSettings(kernel=KernelSettings("rbf", median))
    trial = try_out(many.points, "none", settings)
    found = analyse(many, settings).decomposition
    assert found.rank / 2 <= trial.rank <= 2 * found.rank
    # Loose enough for speed, and the certificate says how loose.
    error = (found.bounds[:, 1] - found.eigenvalues).max() / found.eigenvalues[0]
    assert error <= 1.01 * tolerance(many.n)
    assert trial.forecast(many.n).size < 4e8


@pytest.mark.journey
def test_the_rows_of_a_class_decide_what_is_tried():
    many = generate("circles", samples=6000)
    alone, apart = (
        try_out(many.points, "none", SessionSettings(), labels)
        for labels in (None, many.labels)
    )
    gamma = as_values(analyse(many).suggested)
    fixed = SessionSettings(kernel=KernelSettings("rbf", gamma))
    expected = try_out(many.points, "none", fixed).rank
    assert apart.rank == pytest.approx(expected, rel=0.05)
    assert alone.rank != pytest.approx(expected, rel=0.05)


@pytest.mark.journey
def test_a_flat_spectrum_is_not_mistaken_for_a_low_rank():
    noise = np.random.default_rng(0).normal(size=(600, 50))
    sharp = SessionSettings(kernel=KernelSettings("laplacian"))
    assert try_out(noise, "none", sharp).rank == LARGEST_RANK


def test_rows_that_the_kernel_cannot_take_have_no_forecast():
    huge = np.full((100, 2), 1e200) * np.arange(100)[:, None]
    poly = SessionSettings(kernel=KernelSettings("poly"))
    assert try_out(huge, "none", poly) is None


@pytest.mark.journey
def test_the_requests_of_the_person_count():
    points = generate("moons").points
    settings = SessionSettings(
        kernel=KernelSettings("sigmoid"),
        analysis=AnalysisSettings(components=3, solver="krylov"),
    )
    trial = try_out(points, "standardise", settings)
    assert (trial.components, trial.solver, trial.psd) == (3, "krylov", False)


def test_few_points_are_analysed_exactly():
    assert tolerance(LARGE_FROM - 1) == 1e-6
    result = analyse(Dataset(generate("moons").points))
    assert result.decomposition.eigenvectors.dtype == np.float64


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.2, "1 s"),
        (8.4, "8 s"),
        (100, "2 min"),
        (7200, "2 h"),
        (3e6, "35 days"),
    ],
)
def test_durations(seconds, text):
    assert spoken(seconds) == text
