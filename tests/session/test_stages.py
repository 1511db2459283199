"""Stages are reused, shown early, stopped in between, and do not flicker."""

from itertools import pairwise

import numpy as np
import pytest

from kpca_viewer.data.files import read_text
from kpca_viewer.data.importing import ImportSettings
from kpca_viewer.engine.analysis import AnalysisRequest, run
from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.support.errors import Cancelled

SMALL = {"samples": 100}

OF_THE_POINTS = ("dataset", "points", "suggestion", "base")

OF_THE_VERDICT = ("scorer of the picture", "linear quality")
"""What every verdict on the same points needs."""


@pytest.mark.parametrize("solver", ["dense", "krylov"])
def test_moving_gamma_computes_the_base_once(analysed, cache, solver):
    for gamma in (1, 2, 3, 4, 5):
        analysed(values=SMALL, gamma=gamma, analysis={"solver": solver})
    once = dict.fromkeys(
        ("dataset", "points", "suggestion", "linear", "base", *OF_THE_VERDICT), 1
    )
    each = dict.fromkeys(
        ("decomposition", "shown", "grid", "fine grid", "picture", "comparison"), 5
    )
    # A sign that agrees with the embedding is no work.
    del cache.made["linear oriented"]
    assert cache.made == {**once, **each}


def test_low_rank_needs_no_base(analysed, cache):
    for gamma in (1, 2):
        result = analysed(gamma=gamma)
    assert result.decomposition.solver == "lowrank"
    assert cache.made["base"] == 0
    for stage in ("dataset", "points", "linear"):
        assert cache.made[stage] == 1


def test_an_indefinite_kernel_keeps_its_base(analysed, cache):
    for gamma in (1, 2):
        analysed("moons", "sigmoid", values=SMALL, gamma=gamma)
    assert cache.made["base"] == 1


def test_a_large_base_is_not_kept(analysed, cache, monkeypatch):
    monkeypatch.setattr("kpca_viewer.engine.stages.BASE_UP_TO", 50)
    analysed(values=SMALL, analysis={"solver": "dense"})
    assert cache.made["base"] == 0


@pytest.mark.journey
def test_kernels_of_the_same_base_share_it(analysed, cache):
    for family in ("rbf", "rational_quadratic", "rbf"):
        analysed("moons", family, values=SMALL, analysis={"solver": "dense"})
    assert cache.made["base"] == 1
    analysed("moons", "laplacian", values=SMALL, analysis={"solver": "dense"})
    assert cache.made["base"] == 2


@pytest.mark.parametrize(
    "view",
    [
        {"color_by": "none", "point_size": 3.0, "motion": False},
        {"data_3d": True, "data_axes": (1, 0, 2)},
        {"spectrum": "log", "gram_centred": False},
    ],
)
def test_changing_only_the_view_computes_nothing(analysed, cache, request_for, view):
    before = analysed(values=SMALL)
    made, published = dict(cache.made), []
    after = run(request_for(values=SMALL, view=view), cache, publish=published.append)
    assert cache.made == made
    assert after.decomposition is before.decomposition
    assert after.comparison is before.comparison
    assert after.grid is before.grid
    # The result is complete at once: there is nothing to show before it.
    assert published == []


@pytest.mark.parametrize("view", [{"axes": (2, 1, 0)}, {"embedding_3d": True}])
def test_other_axes_need_a_new_verdict_only(analysed, cache, view):
    analysed(values=SMALL)
    made = dict(cache.made)
    analysed(values=SMALL, view=view)
    assert cache.made == {**made, "comparison": 2}


def test_the_verdict_is_on_what_is_shown(analysed):
    # At this γ the rings part along the third component only.
    flat = analysed(gamma=23)
    deep = analysed(gamma=23, view={"embedding_3d": True})
    assert flat.comparison.kernel.linear_accuracy < 0.8
    assert deep.comparison.kernel.linear_accuracy == 1


def test_hidden_isolines_are_not_computed(analysed, cache):
    assert analysed(values=SMALL, view={"isolines": False}).grid is None
    assert cache.made["grid"] == 0
    assert analysed(values=SMALL).grid is not None
    assert cache.made["grid"] == cache.made["decomposition"] == 1


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [
        ({}, {"seed": 1}, set()),
        ({}, {"scaling": "minmax"}, {"dataset"}),
        (
            {"analysis": {"solver": "dense"}},
            {"analysis": {"solver": "dense", "components": 4}},
            {*OF_THE_POINTS, OF_THE_VERDICT[0]},
        ),
        (
            {"analysis": {"solver": "dense"}},
            {"analysis": {"solver": "dense", "center": False}},
            # The mean is looked at for the first time.
            {*OF_THE_POINTS, "linear", *OF_THE_VERDICT, "mean"},
        ),
    ],
)
def test_what_a_change_leaves_as_it_was(analysed, cache, first, second, kept):
    analysed(values=SMALL, **first)
    analysed(values=SMALL, **second)
    del cache.made["linear oriented"]
    assert {stage for stage, times in cache.made.items() if times == 1} == kept


def test_going_back_finds_the_last_few_results(analysed, cache):
    first = analysed(values=SMALL, gamma=1)
    analysed(values=SMALL, gamma=2)
    again = analysed(values=SMALL, gamma=1)
    assert again.decomposition is first.decomposition
    assert np.array_equal(again.scores, first.scores)


def test_a_drawable_result_comes_before_its_quality(request_for, cache):
    published, stages = [], []

    def publish(result):
        published.append((result, list(stages)))

    def progress(stage, fraction):
        stages.append(stage)

    final = run(request_for(), cache, progress=progress, publish=publish)
    ((early, known),) = published
    assert early.comparison is None
    assert final.comparison is not None
    assert early.scores.shape == final.scores.shape
    assert early.decomposition is final.decomposition
    assert early.picture is final.picture
    # Finer isolines follow too.
    assert early.grid.is_coarse
    assert not final.grid.is_coarse
    assert early.linear is final.linear
    assert 0 < early.seconds == final.seconds
    assert known[0] == "data"
    assert "quality" not in known
    assert stages[-2:] == ["quality", "isolines"]


def stops(request, cache):
    """How many times a full run asks whether to stop, and where it was each time."""
    asked, stage = [], ["start"]

    def progress(name, fraction):
        stage[0] = name

    def should_stop():
        asked.append(stage[0])
        return False

    run(request, cache, should_stop, progress)
    return asked


@pytest.mark.journey
@pytest.mark.usefixtures("computed_anew")
def test_a_run_can_be_stopped_wherever_it_asks(request_for, cache):
    request = request_for(values=SMALL, gamma=3, analysis={"solver": "krylov"})
    asked = stops(request, type(cache)())
    stages = {stage.split(",")[0] for stage in asked}
    assert {"data", "eigenvalues", "isolines", "quality"} <= stages
    for last in {1, *range(2, len(asked), 3), len(asked)}:
        fresh, count = type(cache)(), iter(range(1, last + 1))
        with pytest.raises(Cancelled):
            run(request, fresh, lambda count=count, last=last: next(count) == last)


@pytest.mark.journey
def test_a_larger_kernel_matrix_asks_on_its_way(request_for, cache):
    request = request_for(values={"samples": 600}, analysis={"solver": "krylov"})
    assert "kernel matrix" in stops(request, cache)


def test_what_was_finished_before_a_stop_is_reused(request_for, cache):
    request = request_for(values=SMALL, gamma=3, analysis={"solver": "dense"})
    reached = []

    def publish(result):
        reached.append(result)

    with pytest.raises(Cancelled):
        run(request, cache, lambda: bool(reached), publish=publish)
    made = dict(cache.made)
    assert made["decomposition"] == 1
    result = run(request, cache)
    assert cache.made == {
        **made,
        **dict.fromkeys(("comparison", "fine grid", *OF_THE_VERDICT), 1),
    }
    assert result.decomposition is reached[0].decomposition


def changes_along(analysed, gammas, components, **chosen):
    """Relative change of every component from each γ to the next."""
    pictures = [
        analysed(gamma=g, moving=True, **chosen).scores[:, :components] for g in gammas
    ]
    return np.array(
        [
            np.linalg.norm(after - before, axis=0) / np.linalg.norm(before, axis=0)
            for before, after in pairwise(pictures)
        ]
    )


@pytest.mark.journey
@pytest.mark.parametrize("solver", ["auto", "krylov"])
def test_a_sweep_over_gamma_does_not_flicker(analysed, solver):
    change = changes_along(
        analysed,
        np.geomspace(0.5, 8, 16),
        5,
        source="moons",
        values={"samples": 150},
        analysis={"solver": solver},
    )
    # A flipped sign would be a change of about two.
    assert change.max() < 0.5


@pytest.mark.parametrize("solver", ["auto", "dense"])
def test_a_pair_of_equal_eigenvalues_does_not_spin(analysed, solver):
    # Perfect rings: the two components around the circle are free to turn.
    rings = {"noise": 0, "samples": 160}
    result = analysed(values=rings, gamma=1, analysis={"solver": solver})
    first, second = result.decomposition.eigenvalues[:2]
    assert first == pytest.approx(second, rel=1e-5)
    change = changes_along(
        analysed,
        np.linspace(1, 1.3, 4),
        2,
        values=rings,
        analysis={"solver": solver},
    )
    assert change.max() < 0.1


@pytest.mark.journey
def test_new_points_follow_the_aligned_picture(analysed):
    for solver in ("lowrank", "krylov"):
        for gamma in (1, 1.1, 1.2):
            result = analysed(
                values={"noise": 0},
                gamma=gamma,
                analysis={"solver": solver},
                moving=True,
            )
        projected = result.project(result.dataset.points)
        assert projected == pytest.approx(result.scores, abs=1e-4)


@pytest.mark.journey
def test_another_label_leaves_the_decomposition_as_it_is(cache):
    """What a person calls rows or colours them by is no reason to compute again."""
    random = np.random.default_rng(0)
    values = random.normal(size=(60, 3)).round(3)
    lines = [
        f"{a},{b},{c},{'uv'[k % 2]},{'xyz'[k % 3]}"
        for k, (a, b, c) in enumerate(values)
    ]
    table = read_text("a,b,c,one,two\n" + "\n".join(lines))
    roles = (("a", "feature"), ("b", "feature"), ("c", "feature"), ("one", "label"))
    one = ImportSettings(roles)
    results = []
    for importing in (one, one.with_role("two", "label"), one.with_role("one", "name")):
        data = DataSettings("t", importing=importing)
        settings = SessionSettings(data=data)
        results.append(run(AnalysisRequest(settings, {"t": table}), cache))
    first, second, third = results
    assert second.dataset.label_names == ("x", "y", "z")
    assert second.dataset.columns["one"].texts()[:2] == ("u", "v")
    assert third.dataset.labels is None
    assert second.decomposition is first.decomposition is third.decomposition
    assert cache.made["decomposition"] == cache.made["features"] == 1
    # The verdict and the order of the kernel matrix are about classes.
    assert cache.made["comparison"] == cache.made["picture"] == 3
    assert second.comparison.kernel.chance != first.comparison.kernel.chance
