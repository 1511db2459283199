"""A sweep from request to points: order, reuse, alignment, failures, cancelling."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from kpca_viewer.core.methods.quality import Scorer
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.generators import generate
from kpca_viewer.engine.analysis import run
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.sweep import point_maker as module
from kpca_viewer.engine.sweep import run as sharing
from kpca_viewer.engine.sweep.measures import MEASURES
from kpca_viewer.engine.sweep.point import ranked
from kpca_viewer.engine.sweep.point_maker import PointMaker
from kpca_viewer.engine.sweep.run import Sweeper, run_sweep
from kpca_viewer.engine.sweep.settings import SweepAxis, SweepSettings, default_axis
from kpca_viewer.support import memory
from kpca_viewer.support.errors import Cancelled, DataError


def small(**values):
    return {"values": {"samples": 120, **values}}


@pytest.fixture
def swept(request_for, cache):
    """Run a sweep and collect what it publishes."""

    def go(sweep, *args, should_stop=lambda: False, **kwargs):
        published, told = [], []
        result = run_sweep(
            request_for(*args, **kwargs),
            sweep,
            cache,
            should_stop,
            lambda stage, share: told.append(share),
            published.append,
        )
        return result, published, told

    return go


def test_every_value_has_a_picture(swept):
    sweep = SweepSettings(low=0.1, high=10, steps=9)
    result, published, told = swept(sweep, **small())
    assert [p.value for p in result.points] == list(sweep.values())
    assert {p.index for p in published[:9]} == set(range(9))
    for point in result.points:
        assert not point.error
        assert point.thumbnail.shape == (120, 2)
        assert point.thumbnail.dtype == np.float32
        assert not point.thumbnail.flags.writeable
        assert point.film.shape == (120, 3)
        assert set(point.measures) == set(MEASURES)
        assert np.all(point.bounds[:, 0] <= point.bounds[:, 1])
    assert told == sorted(told)
    assert told[-1] == 1


def test_the_current_value_comes_first(swept):
    sweep = SweepSettings(low=0.1, high=10, steps=5)
    _, published, _ = swept(sweep, gamma=10.0, **small())
    assert published[0].value == 10
    assert published[1].value == 0.1


def test_a_point_is_what_adopting_it_would_show(swept, request_for):
    result, _, _ = swept(SweepSettings(low=0.5, high=8, steps=4), **small())
    for point in result.points:
        whole = run(request_for(gamma=float(point.value), **small()), StageCache())
        assert point.settings == whole.settings
        width = whole.decomposition.eigenvalues[0]
        np.testing.assert_allclose(
            point.eigenvalues, whole.decomposition.eigenvalues, atol=2e-3 * width
        )
        ours, theirs = point.film[:, :2], whole.scores[:, :2]
        signs = np.sign((ours * theirs).sum(axis=0))
        span = np.ptp(theirs)
        np.testing.assert_allclose(ours * signs, theirs, atol=0.02 * span)
        assert point.measures["effective_rank"] == pytest.approx(
            whole.effective_rank, rel=0.01
        )


def test_what_gamma_does_not_change_is_made_once(swept, cache):
    swept(SweepSettings(steps=6), **small())
    for stage in ("dataset", "points", "suggestion", "scorer"):
        assert cache.made[stage] == 1


@pytest.mark.journey
def test_a_flat_spectrum_shares_the_base_and_float32(swept, cache):
    sweep = SweepSettings(low=50, high=400, steps=4)
    result, _, _ = swept(sweep, values={"samples": 1300, "noise": 0.2})
    assert {p.solver for p in result.points} == {"krylov"}
    assert cache.made["base"] == 1


def test_neighbours_are_in_step(swept):
    result, _, _ = swept(SweepSettings(low=0.1, high=30, steps=25), **small())
    for a, b in zip(result.points, result.points[1:], strict=False):
        for axis in (0, 1):
            assert a.film[:, axis] @ b.film[:, axis] >= -1e-3 * np.square(b.film).sum()


def test_a_failing_value_is_a_point_with_a_sentence(swept):
    sweep = SweepSettings("degree", 1, 10, 10, "linear")
    result, published, _ = swept(sweep, "wine", "poly", gamma=1e14)
    assert len(result.points) == 10
    failed = [p for p in result.points if p.error]
    assert failed
    assert all("Scale the data" in p.error for p in failed)
    assert [bool(p.error) for p in result.points] == [False] * 7 + [True] * 3
    assert len(published) >= 10
    assert np.isnan(result.curve("linear_accuracy")[-1])
    assert not ranked(result.points, "linear_accuracy")[0].error


def test_a_kernel_without_the_parameter_is_no_failure(swept):
    kernels = SweepAxis("kernel", kernels=("linear", "rbf"))
    sweep = SweepSettings("gamma", 0.1, 10, 3, second=kernels)
    result, published, _ = swept(sweep, **small())
    linear, rbf = result.points[:3], result.points[3:]
    assert not any(point.applies or point.failed for point in linear)
    assert {point.error for point in linear} == {"Linear has no γ."}
    assert all(point.applies and not point.error for point in rbf)
    assert {point.index for point in published} == set(range(6))
    assert ranked(result.points, "linear_accuracy")[0] in rbf
    # Whatever a kernel has nothing to do with can be swept along with it.
    sweep = SweepSettings("components", 2, 3, 2, "linear", second=kernels)
    assert all(not point.error for point in swept(sweep, **small())[0].points)


def test_a_bug_in_one_value_is_not_the_end(swept, monkeypatch):
    real = module.training_scores
    calls = []

    def now_and_then(found, how):
        calls.append(found)
        if len(calls) == 2:
            raise ZeroDivisionError("oh")
        return real(found, how)

    monkeypatch.setattr(module, "training_scores", now_and_then)
    result, _, _ = swept(SweepSettings(steps=4), **small())
    assert [bool(p.error) for p in result.points].count(True) == 1


def test_without_data_there_is_no_sweep(swept):
    with pytest.raises(DataError, match="not open"):
        swept(SweepSettings(steps=3), "gone.csv")


@pytest.mark.usefixtures("computed_anew")
def test_cancelling_stops_between_values(swept):
    count = iter(range(1000))
    with pytest.raises(Cancelled):
        swept(SweepSettings(steps=9), should_stop=lambda: next(count) > 8, **small())


@pytest.mark.journey
@pytest.mark.parametrize("parameter", ["kernel", "components", "noise", "samples"])
def test_every_parameter_can_be_swept(swept, request_for, parameter):
    settings = request_for("moons", **small()).settings
    axis = default_axis(settings, parameter)
    sweep = SweepSettings.along(replace(axis, steps=min(axis.steps, 4)))
    result, _, _ = swept(sweep, "moons", **small())
    assert not [p.error for p in result.points if p.error]
    assert len(result.points) == len(sweep.values())
    assert result.text(result.points[0])


@pytest.mark.journey
def test_samples_change_the_rows_but_not_the_sides(swept):
    sweep = SweepSettings("samples", 60, 240, 4)
    result, _, _ = swept(sweep, "moons", "rbf")
    assert [len(p.rows) for p in result.points] == [60, 95, 151, 240]
    sides = []
    for point in result.points:
        first = generate("moons", samples=point.n).labels == 0
        sides.append(np.sign(point.film[first, 0].mean()))
    assert len(set(sides)) == 1


def test_a_grid(swept):
    second = SweepAxis("coef0", 0, 2, 2, "linear")
    sweep = SweepSettings("gamma", 0.1, 10, 3, second=second)
    result, _, _ = swept(sweep, "circles", "poly", **small())
    assert [p.values for p in result.points] == list(sweep.cells())
    assert not [p.error for p in result.points if p.error]


def test_given_matrices_have_components_only(swept):
    rng = np.random.default_rng(0)
    A = rng.normal(size=(30, 4))
    data = Dataset(A @ A.T, kind="kernel", name="K")
    result, _, _ = swept(
        SweepSettings("components", 1, 3, 3, "linear"), "K", opened=[data]
    )
    assert [len(p.eigenvalues) for p in result.points] == [1, 2, 3]
    assert result.points[0].measures["trustworthiness"] is None
    assert not result.points[0].thumbnail[:, 1].any()


def _steps(pictures, column):
    """Correlation of an axis from each picture to the next."""
    axes = [
        picture[:, column] / np.linalg.norm(picture[:, column]) for picture in pictures
    ]
    return [float(a @ b) for a, b in pairwise(axes)]


@pytest.mark.journey
@pytest.mark.parametrize("samples", [200])
def test_a_tied_pair_that_is_cut_in_two_does_not_jump(
    swept, request_for, cache, samples
):
    # On perfect rings, the second and the third component are sine and cosine.
    values = {"samples": samples, "noise": 0.0}
    two = {"components": 2}
    sweep = SweepSettings(low=2.5, high=6, steps=8)
    result, _, _ = swept(sweep, values=values, analysis=two)
    assert min(_steps([p.film for p in result.points], 1)) > 0.98
    for point in result.points:
        assert len(point.eigenvalues) == len(point.bounds) == len(point.shares) == 2
        assert not point.film[:, 2].any()
    live = [
        run(request_for(values=values, analysis=two, gamma=g, moving=True), cache)
        for g in sweep.values()
    ]
    assert min(_steps([shown.scores for shown in live], 1)) > 0.98
    for shown in live:
        assert shown.scores.shape == (samples, 2)
        assert shown.project(shown.dataset.points).shape == (samples, 2)


@pytest.mark.journey
@pytest.mark.parametrize("gamma", [0.3, 1.0])
def test_other_samples_are_not_mirrored(swept, gamma):
    source = "moons"
    sweep = SweepSettings("samples", 60, 400, 7)
    result, _, _ = swept(sweep, source, gamma=gamma)
    # The same places of the data stay on the same side of every axis.
    clouds = [generate(source, samples=point.n).points for point in result.points]
    for (a, b), (X, Y) in zip(pairwise(result.points), pairwise(clouds), strict=True):
        near = np.linalg.norm(X[:, None] - Y, axis=2).argmin(axis=1)
        for axis in (0, 1):
            ours, theirs = a.film[:, axis], b.film[near, axis]
            assert np.corrcoef(ours, theirs)[0, 1] > 0.5


@pytest.mark.journey
def test_spare_components_change_no_number(request_for, monkeypatch):
    shown = {}
    for spare in (0, 2):
        monkeypatch.setattr("kpca_viewer.engine.stages.SPARE", spare)
        request = request_for(analysis={"components": 3}, gamma=4.0)
        found = run(request, StageCache())
        (point,) = run_sweep(
            request, SweepSettings(low=4, high=4, steps=1), StageCache()
        ).points
        shown[spare] = (
            found.decomposition.eigenvalues,
            found.decomposition.bounds,
            found.decomposition.spectrum,
            found.shares,
            [found.effective_rank, found.decomposition.error],
            point.eigenvalues,
            point.bounds,
            list(point.measures.values()),
        )
    for without, with_two in zip(shown[0], shown[2], strict=True):
        np.testing.assert_allclose(with_two, without, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("center", [True, False])
def test_distances_are_centred_as_their_picture_is(swept, request_for, center):
    X = np.random.default_rng(0).normal(size=(30, 2)) + 3
    D = np.linalg.norm(X[:, None] - X, axis=2)
    distances = Dataset(D, name="roads", kind="distances")
    asked = {"opened": [distances], "analysis": {"center": center}}
    sweep = SweepSettings("components", 3, 3, 1, "linear")
    result, _, _ = swept(sweep, "roads", **asked)
    found = run(request_for("roads", **asked), StageCache())
    np.testing.assert_allclose(
        result.points[0].eigenvalues, found.decomposition.eigenvalues[:3]
    )


def test_large_data_are_sampled_and_have_no_film(request_for, monkeypatch):
    monkeypatch.setattr(module, "FILM_ROWS", 50)
    monkeypatch.setattr(module, "THUMBNAIL_ROWS", 40)
    result = run_sweep(request_for(**small()), SweepSettings(steps=5), StageCache())
    assert all(p.film is None for p in result.points)
    assert all(p.thumbnail.shape == (40, 2) for p in result.points)
    assert all(len(p.rows) == 40 for p in result.points)


def test_points_in_any_order_and_only_some(request_for):
    sweeper = Sweeper(request_for(**small()), SweepSettings(steps=9), StageCache())
    for index in (7, 2):
        sweeper.place(sweeper.maker.make(index))
    sweeper.orient()
    assert [p.index for p in sweeper.result().points] == [2, 7]


@pytest.mark.journey
def test_a_value_is_the_same_whatever_was_computed_before_it(request_for):
    """Where the spectrum is flat, another start would end in another mixture."""
    X = np.random.default_rng(0).normal(size=(1050, 8))
    cloud = Dataset(X, name="cloud", labels=(X[:, 0] > 0).astype(int))
    asked = request_for("cloud", opened=[cloud])
    sweep = SweepSettings("gamma", 0.05, 0.5, 4)

    def last_of(order):
        maker = PointMaker(asked, sweep, StageCache())
        return [maker.whole(index) for index in order][-1]

    alone, after = last_of([2]), last_of([3, 2])
    np.testing.assert_array_equal(after.eigenvalues, alone.eigenvalues)
    np.testing.assert_array_equal(after.thumbnail, alone.thumbnail)


@pytest.mark.journey
@pytest.mark.parametrize("source", ["cloud", "rings"])
def test_no_digit_depends_on_the_number_of_threads(request_for, source):
    X = np.random.default_rng(0).normal(size=(1050, 8))
    cloud = Dataset(X, name="cloud", labels=(X[:, 0] > 0).astype(int))
    # Of perfect rings, every second pair of components is tied.
    rings = generate("circles", samples=400, noise=0.0)
    rings = replace(rings, name="rings")
    asked = request_for(source, opened=[cloud, rings])
    sweep = SweepSettings("gamma", 0.05, 5, 4)
    alone, three = [
        run_sweep(asked, sweep, StageCache(), threads=count).points for count in (1, 3)
    ]
    for a, b in zip(alone, three, strict=True):
        assert (a.index, a.solver) == (b.index, b.solver)
        np.testing.assert_array_equal(a.eigenvalues, b.eigenvalues)
        np.testing.assert_array_equal(a.bounds, b.bounds)
        np.testing.assert_array_equal(a.film, b.film)
        assert a.measures == b.measures


def test_a_point_has_one_blas_thread_whoever_makes_it(request_for):
    seen = []

    def look():
        infos = [i for i in threadpool_info() if i["user_api"] == "blas"]
        seen.append({i["num_threads"] for i in infos})
        return False

    maker = PointMaker(request_for(**small()), SweepSettings(steps=3), StageCache())
    with threadpool_limits(2, user_api="blas"):
        maker.whole(1, look)
    assert seen
    assert all(counts == {1} for counts in seen)


def test_as_many_threads_as_cores_and_memory(request_for, monkeypatch):
    asked, sweep = request_for(**small(samples=1000)), SweepSettings(steps=9)
    monkeypatch.setattr(sharing, "cores", lambda: 4)

    def count(free, request=asked, sweep=sweep, beside_window=False):
        monkeypatch.setattr(memory, "available", lambda: free)
        return sharing.thread_count(
            request, sweep, StageCache(), beside_window=beside_window
        )

    assert count(10**9) == 4
    assert count(10**9, beside_window=True) == 3
    # A sixteenth of a gigabyte for two matrices of 1,000 rows, and 70 % may be taken.
    assert count(50 * 10**6) == 2
    assert count(10**6) == 1
    assert count(None) == 4
    assert count(10**9, sweep=SweepSettings(steps=2)) == 2
    more = SweepSettings("samples", 1000, 20_000, 5)
    assert count(10**9, sweep=more) == 1
    dense = request_for(**small(samples=1000), analysis={"solver": "dense"})
    assert count(50 * 10**6, dense) == 1
    monkeypatch.setattr(sharing, "cores", lambda: 2)
    assert count(10**9, beside_window=True) == 2


def test_the_meter_of_a_point(swept):
    result, _, _ = swept(SweepSettings(low=1e-3, high=1e4, steps=3), **small())
    words = [point.meter for point in result.points]
    assert words[0] == "almost linear"
    assert words[-1] == "every point for itself"


@pytest.mark.parametrize("in_space", [False, True])
@pytest.mark.parametrize("axes", [(0, 1, 2), (3, 1, 0)])
def test_a_sweep_scores_the_components_that_are_shown(
    request_for, cache, axes, in_space
):
    view = {"axes": axes, "embedding_3d": in_space}
    request = request_for(**small(), view=view)
    sweep = SweepSettings(low=1.2, high=1.2, steps=1)
    (point,) = run_sweep(request, sweep, cache).points
    shown = run(replace(request, settings=point.settings), cache).comparison.kernel
    for key in ("linear_accuracy", "knn_accuracy", "silhouette", "trustworthiness"):
        assert point.measures[key] == pytest.approx(getattr(shown, key), abs=1e-3)


def test_pictures_come_before_what_takes_longer_to_measure(swept):
    sweep = SweepSettings(low=0.1, high=10, steps=4)
    result, published, _ = swept(sweep, **small())
    assert not any(point.is_measured for point in published[:4])
    quick = {"linear_accuracy", "linear_agreement", "share_2", "effective_rank"}
    assert quick <= set(published[0].measures)
    assert all(point.is_measured for point in published[-4:])
    assert result.points == tuple(sorted(published[-4:], key=lambda p: p.index))
    for early in published[:4]:
        late = result.points[early.index]
        assert {key: late.measures[key] for key in early.measures} == early.measures


def test_more_components_are_scored_on_all_of_them(swept, request_for):
    """Each number of components has its own scores: those of the first k."""
    sweep = SweepSettings("components", 1, 4, 4, "linear")
    result, _, _ = swept(sweep, "iris", gamma=0.3)
    whole = run(request_for("iris", gamma=0.3), StageCache())
    scorer = Scorer(150, whole.dataset.labels, whole.points.dense())
    for k, point in enumerate(result.points, start=1):
        assert point.yardstick.axes == tuple(range(k))
        known = scorer.score(whole.scores[:, :k])
        for key in ("linear_accuracy", "trustworthiness"):
            assert point.measures[key] == pytest.approx(getattr(known, key), abs=5e-3)
    assert len(set(result.curve("trustworthiness"))) == 4
