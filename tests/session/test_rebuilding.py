"""What the page Rebuild shows of a result, and what it says about it."""

from dataclasses import replace

import numpy as np
import pytest

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.analysis import run
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.settings import (
    AnalysisSettings,
    DataSettings,
    KernelSettings,
    SessionSettings,
    as_values,
)
from kpca_viewer.features import registry
from kpca_viewer.features.rebuild import compute
from kpca_viewer.features.rebuild.compute import (
    MOST_ROWS,
    MOVING_ROWS,
    PAGE,
    REBUILDING,
)
from kpca_viewer.features.rebuild.text import (
    matrix_caption,
    norm_lines,
    same_digits,
    ways_caption,
)
from tests.analyses import analysed

SMALL = SessionSettings(data=DataSettings("circles", as_values({"samples": 60})))
INDEFINITE = np.array([[0.0, 1, 10], [1, 0, 1], [10, 1, 0]])


def rebuilt(dataset=None, settings=SMALL, cache=None, **values):
    return analysed(settings, dataset, cache, page=PAGE, **values)


def test_it_costs_nothing_for_nobody():
    assert (
        run(AnalysisRequest(SMALL, stages=registry.stages()), StageCache()).get(
            REBUILDING
        )
        is None
    )
    assert (
        run(
            AnalysisRequest(SMALL, page="gram", stages=registry.stages()), StageCache()
        ).get(REBUILDING)
        is None
    )


@pytest.mark.parametrize("center", [True, False])
def test_all_parts_of_the_matrix_of_the_kernel_in_use(center):
    settings = replace(SMALL, analysis=AnalysisSettings(center=center))
    result = rebuilt(settings=settings)
    found, X = result.get(REBUILDING), result.dataset.points
    gamma = result.kernel.values["gamma"]
    K = np.exp(-gamma * np.square(X[:, None] - X).sum(axis=2))
    H = np.eye(60) - 1 / 60 if center else np.eye(60)
    np.testing.assert_allclose(found.parts.matrix, H @ K @ H, atol=1e-12)
    assert found.center is center
    assert not found.sampled
    np.testing.assert_allclose(
        found.parts.values[:10], result.decomposition.eigenvalues, rtol=1e-6
    )
    np.testing.assert_array_equal(found.shown_rows, result.picture.rows)
    np.testing.assert_array_equal(
        found.shown_matrix, found.parts.matrix[np.ix_(found.shown, found.shown)]
    )


@pytest.mark.journey
def test_it_is_published_after_the_picture_and_remembered():
    cache, published = StageCache(), []
    request = AnalysisRequest(SMALL, page=PAGE, stages=registry.stages())
    first = run(request, cache, publish=published.append)
    assert published[0].get(REBUILDING) is None
    assert first.get(REBUILDING) is not None
    again = run(replace(request, moving=True), cache)
    assert again.get(REBUILDING) is first.get(REBUILDING)
    other = replace(SMALL, kernel=KernelSettings("rbf", as_values({"gamma": 3.0})))
    moved = run(AnalysisRequest(other, page=PAGE, stages=registry.stages()), cache)
    assert moved.get(REBUILDING) is not first.get(REBUILDING)
    # The kernel has nothing to do with distances of the points.
    assert moved.get(REBUILDING).ways is first.get(REBUILDING).ways


def test_parts_are_published_before_the_ways_are_compared(monkeypatch):
    published, known_before = [], []
    compared = compute.ways_from_points

    def compare(*given):
        known_before.append(published[-1].get(REBUILDING))
        return compared(*given)

    monkeypatch.setattr(compute, "ways_from_points", compare)
    request = AnalysisRequest(SMALL, page=PAGE, stages=registry.stages())
    last = run(request, StageCache(), publish=published.append).get(REBUILDING)
    (early,) = known_before
    assert early.ways is None
    assert early.ways_follow
    assert early.parts is last.parts
    assert last.ways is not None
    assert not last.ways_follow


def test_while_a_slider_moves_it_follows_for_few_rows_only():
    assert rebuilt(moving=True).get(REBUILDING) is not None
    many = as_values({"samples": MOVING_ROWS + 50})
    settings = replace(SMALL, data=DataSettings("circles", many))
    moving = rebuilt(settings=settings, moving=True)
    assert moving.get(REBUILDING) is None
    assert not moving.at_rest


@pytest.mark.journey
def test_of_many_rows_it_is_about_a_sample(monkeypatch):
    monkeypatch.setattr("kpca_viewer.features.rebuild.compute.MOST_ROWS", 40)
    assert MOST_ROWS == 2000
    found = rebuilt().get(REBUILDING)
    assert found.sampled
    assert len(found.rows) == 40 == found.parts.n
    words = "This is about a sample of 40 of 60 rows."
    assert matrix_caption(found, 2).endswith(words)
    assert ways_caption(found, "points", 2).endswith(words)


def test_both_norms_are_written_alike():
    found = rebuilt().get(REBUILDING)
    parts = found.parts
    for p in range(parts.rank):
        lines = norm_lines(found, p, parts.residual(p))
        measured, theorem = lines[0], lines[1]
        assert measured.value == theorem.value
        sizes = np.sort(np.abs(np.linalg.eigvalsh(parts.matrix)))[::-1]
        expected = np.sqrt(np.square(sizes[p:]).sum())
        if p < 10:
            assert float(theorem.value) == pytest.approx(expected, rel=1e-8)
            assert len(measured.value) >= 8
    lines = norm_lines(found, 2, None)
    assert lines[0].value == "…"
    assert lines[-1].what == "K̃₂ holds"
    share = np.square(parts.values[:2]).sum() / np.square(parts.values).sum()
    assert lines[-1].value == f"{100 * share:.1f} % of ‖K̃‖²"


def test_nearly_all_is_not_all():
    found = rebuilt().get(REBUILDING)
    rank = found.parts.rank
    assert norm_lines(found, 25, None)[-1].value == "over 99.9 % of ‖K̃‖²"
    assert norm_lines(found, rank, None)[-1].value == "100.0 % of ‖K̃‖²"


def test_digits_that_differ_are_not_written():
    assert same_digits(1.23456, 1.23474, 6) == 4
    assert same_digits(1.0, 2.0, 6) == 0
    assert same_digits(0.5, 0.5, 12) == 12


def test_distances_that_no_points_have():
    found = rebuilt(Dataset(INDEFINITE, kind="distances", name="three")).get(REBUILDING)
    np.testing.assert_allclose(found.parts.values, [50, -16, 0], atol=1e-12)
    assert [line.value for line in norm_lines(found, 1, found.parts.residual(1))][
        :2
    ] == ["16", "16"]
    assert "1 of these 2 is negative" in matrix_caption(found, 2)
    words = ways_caption(found, "distances", 2)
    assert "1 eigenvalue is negative (down to −16), and one is off by 4." in words
    assert "Strain ‖K̃ − ZZᵀ‖ with PC 1: 16, 30.5 % of ‖K̃‖." in words


def test_distances_that_points_have():
    X = np.array([[0.0, 0], [3, 0], [0, 4], [3, 4]])
    D = np.sqrt(np.square(X[:, None] - X).sum(axis=2))
    found = rebuilt(Dataset(D, kind="distances", name="four")).get(REBUILDING)
    words = ways_caption(found, "distances", 2)
    assert "The points that MDS finds have these distances to " in words
    assert found.ways.distance_error < 1e-14
    one = ways_caption(found, "distances", 1)
    assert "Strain ‖K̃ − ZZᵀ‖ with PC 1: 9, " in one


def test_a_given_kernel_matrix_has_parts_and_no_ways():
    matrix = np.array([[9.0, -9.0], [-9.0, 9.0]])
    found = rebuilt(Dataset(matrix, kind="kernel", name="two")).get(REBUILDING)
    np.testing.assert_allclose(found.parts.values, [18, 0], atol=1e-12)
    assert found.ways is None
    assert "no points for PCA" in ways_caption(found, "kernel", 2)


@pytest.mark.parametrize(
    ("points", "why"),
    [([[1.0, 2.0]], "one row has no differences"), (np.ones((4, 2)), "no two rows")],
)
def test_rows_without_differences_leave_nothing_to_rebuild(points, why):
    data = Dataset(np.asarray(points), name="same")
    found = rebuilt(data).get(REBUILDING)
    assert found.parts.rank == 0
    assert why in matrix_caption(found, 0)
    assert "in one place" in ways_caption(found, "points", 2)
    assert norm_lines(found, 0, 0.0)[0].value == "0"
