"""The same settings give the same picture, however it was reached."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from kpca_viewer import KernelPCA
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.analysis import run
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.settings import ViewSettings
from kpca_viewer.engine.sweep.point import oriented_along, with_point
from kpca_viewer.engine.sweep.run import run_sweep
from kpca_viewer.engine.sweep.settings import SweepSettings
from kpca_viewer.engine.text.undo_titles import describe_change

ANGLES = 2 * np.pi * np.arange(300) / 300
RINGS = Dataset(
    np.concatenate(
        [r * np.column_stack((np.cos(ANGLES), np.sin(ANGLES))) for r in (1, 0.3)]
    ),
    name="rings",
)


@pytest.fixture
def rings(request_for):
    """Return requests for two rings without noise, whose components are pairs."""
    return lambda gamma, **more: request_for(
        "rings", gamma=gamma, opened=[RINGS], **more
    )


@pytest.mark.journey
def test_history_leaves_no_trace(rings, cache):
    cold = {gamma: run(rings(gamma), StageCache()).scores for gamma in (0.5, 3.0, 20.0)}
    for gamma in (3.0, 20.0, 0.5, 3.0, 0.5, 20.0):
        scores = run(rings(gamma), cache).scores
        np.testing.assert_allclose(scores, cold[gamma], atol=1e-4)


@pytest.mark.parametrize("components", [2, 3])
def test_python_and_the_window_show_the_same(rings, components):
    shown = run(rings(3.0, analysis={"components": components}), StageCache())
    model = KernelPCA(components, kernel="rbf", gamma=3.0)
    np.testing.assert_allclose(
        model.fit_transform(RINGS.points), shown.scores, atol=1e-5
    )


@pytest.mark.journey
def test_under_the_hand_nothing_flips_and_at_rest_the_rule_holds(request_for, cache):
    """On the way, the other horn of the second component becomes the longer one."""
    path, moons = np.geomspace(0.6, 1.3, 8), {"source": "moons"}
    rest = [
        run(request_for(**moons, gamma=gamma), StageCache()).scores[:, 1]
        for gamma in path[[0, -1]]
    ]
    moved = [run(request_for(**moons, gamma=path[0]), cache).scores[:, 1]]
    for gamma in path[1:]:
        result = run(replace(request_for(**moons, gamma=gamma), moving=True), cache)
        moved.append(result.scores[:, 1])
    np.testing.assert_array_equal(moved[0], rest[0])
    steps = [a @ b / np.linalg.norm(a) / np.linalg.norm(b) for a, b in pairwise(moved)]
    assert min(steps) > 0.9
    assert not result.at_rest
    np.testing.assert_allclose(moved[-1], -rest[1], atol=1e-5)
    again = run(request_for(**moons, gamma=path[-1]), cache)
    assert again.at_rest
    np.testing.assert_allclose(again.scores[:, 1], rest[1], atol=1e-5)


@pytest.mark.parametrize("source", ["circles", "wine", "swiss_roll"])
def test_linear_pca_is_the_linear_kernel(analysed, source):
    for family in ("rbf", "poly", "linear"):
        result = analysed(source, family, analysis={"components": 2})
    np.testing.assert_allclose(
        result.linear.scores, result.scores, atol=1e-6 * np.abs(result.scores).max()
    )


def test_linear_pca_has_the_signs_of_the_embedding_beside_it(analysed, request_for):
    first = analysed("wine", scaling="standardise", gamma=0.01).linear
    for family, gamma in (("rbf", 0.1), ("laplacian", 0.5), ("rbf", 0.01)):
        result = analysed("wine", family, scaling="standardise", gamma=gamma)
        np.testing.assert_array_equal(abs(result.linear.scores), abs(first.scores))
        products = np.einsum("ij,ij->j", result.linear.scores, result.scores)
        norms = np.linalg.norm(first.scores, axis=0)
        norms *= np.linalg.norm(result.scores, axis=0)
        assert (products[:2] > 0.05 * norms[:2]).all()
        # From the settings alone, whatever was looked at before.
        request = request_for("wine", family, scaling="standardise", gamma=gamma)
        alone = run(request, StageCache())
        np.testing.assert_array_equal(alone.linear.scores, result.linear.scores)


@pytest.mark.journey
def test_linear_pca_stays_under_a_hand(request_for, cache):
    first = run(request_for("moons", gamma=0.3), cache).linear
    for gamma in np.geomspace(0.3, 30, 9):
        moved = run(request_for("moons", gamma=gamma, moving=True), cache)
        assert moved.linear is first


def test_more_components_leave_the_known_ones_as_they_are(analysed):
    few = analysed("wine", gamma=0.001, analysis={"components": 3}).linear
    many = analysed("wine", gamma=0.001, analysis={"components": 12}).linear
    np.testing.assert_allclose(many.scores[:, :3], few.scores, atol=1e-5)


def test_a_flipped_axis_is_flipped_everywhere(request_for, cache):
    plain = run(request_for(gamma=2.0), cache)
    view = ViewSettings().with_flip(1).with_flip(0, linear=True)
    request = request_for(gamma=2.0)
    request = replace(request, settings=replace(request.settings, view=view))
    result = run(request, cache)
    signs = np.ones(plain.scores.shape[1])
    signs[1] = -1
    np.testing.assert_array_equal(result.scores, plain.scores * signs)
    np.testing.assert_array_equal(result.grid.scores, plain.grid.scores * signs)
    new = np.array([[0.2, 0.4]])
    np.testing.assert_allclose(result.project(new), plain.project(new) * signs)
    # Linear PCA goes with the embedding, and its first axis is flipped itself.
    beside = -plain.linear.scores
    np.testing.assert_array_equal(result.linear.scores, beside)
    np.testing.assert_allclose(
        result.project_linearly(new), -plain.project_linearly(new)
    )
    # It is a picture at rest, and a hand goes on from there.
    assert result.at_rest
    moved = run(replace(request, moving=True), cache)
    np.testing.assert_array_equal(moved.scores, result.scores)
    (point,) = run_sweep(request, SweepSettings(low=2, high=2, steps=1), cache).points
    assert (np.einsum("ij,ij->j", point.film, result.scores[:, :3]) > 0).all()
    assert view.with_flip(1).flipped == ()
    assert describe_change(plain.settings, request.settings) == "flip of PC 2"


@pytest.mark.journey
def test_a_film_is_canonical_at_the_value_that_is_set(request_for):
    for gamma in (0.6, 1.3):
        request = request_for("moons", gamma=gamma)
        sweep = SweepSettings(low=0.6, high=1.3, steps=8)
        points = run_sweep(request, sweep, StageCache()).points
        anchor = points[0 if gamma < 1 else -1]
        shown = run(request, StageCache()).scores[:, 1]
        assert anchor.film[:, 1] @ shown > 0
        assert points[0].film[:, 1] @ points[-1].film[:, 1] > 0


def test_a_point_of_a_film_is_oriented_as_the_board(request_for):
    request = request_for("moons", gamma=0.6)
    sweep = SweepSettings(low=0.6, high=1.3, steps=3)
    point = run_sweep(request, sweep, StageCache()).points[0]
    board, signs = run(request, StageCache()), np.array([-1.0, 1.0, -1.0])
    other = point.oriented(signs)
    np.testing.assert_array_equal(other.film, point.film * [-1, 1, -1])
    np.testing.assert_array_equal(other.thumbnail, point.thumbnail * [-1, 1])
    assert not other.film.flags.writeable
    np.testing.assert_array_equal(other.signs_towards(board), signs)
    np.testing.assert_array_equal(
        replace(other, film=None).signs_towards(board), [-1, 1, 1]
    )
    assert point.oriented(np.ones(3)) is point
    for shown in (None, run(request_for("circles", gamma=2.0), StageCache())):
        fewer = replace(other, n=other.n - 1)
        np.testing.assert_array_equal(fewer.signs_towards(shown), np.ones(3))


@pytest.mark.journey
def test_a_point_of_a_film_that_is_adopted_stays_as_it_is_seen(request_for):
    request = request_for("moons", gamma=0.6)
    view = replace(request.settings.view, flipped=(1, 5))
    request = replace(request, settings=replace(request.settings, view=view))
    sweep = SweepSettings(low=0.3, high=30, steps=12)
    points = run_sweep(request, sweep, StageCache()).points
    # Later on the person flips another axis, and the film as a whole goes along.
    later = replace(request.settings, view=view.with_flip(0))
    points = [point.oriented(np.array([-1.0, 1.0, 1.0])) for point in points]
    flipped = set()
    for point in points:
        adopted = with_point(point, sweep, later)
        shown = run(replace(request, settings=adopted), StageCache())
        np.testing.assert_array_equal(point.signs_towards(shown), np.ones(3))
        assert 5 in adopted.view.flipped
        flipped.add(adopted.view.flipped)
    # By the rule alone, some would have been mirrored.
    assert len(flipped) > 1
    assert describe_change(later, adopted).startswith("γ ")


def test_points_that_were_computed_apart_are_put_in_step(request_for):
    request = request_for("moons", gamma=0.6)
    sweep = SweepSettings(low=0.6, high=1.3, steps=4)
    whole = run_sweep(request, sweep, StageCache()).points
    apart = [whole[0], whole[1].oriented(-np.ones(3)), whole[2], whole[3]]
    for expected, found in zip(whole, oriented_along(apart, 4, 0), strict=True):
        np.testing.assert_allclose(found.thumbnail, expected.thumbnail, atol=1e-6)
