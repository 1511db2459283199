"""The components of an analysis, and which way round they are shown.

At rest the settings alone decide; while a slider moves, components follow those before.
"""

from collections.abc import Callable, Hashable
from dataclasses import replace

import numpy as np

from kpca_viewer.core.kernels.bases import Points
from kpca_viewer.core.orientation import flips, is_same, towards
from kpca_viewer.core.solvers import Decomposition, Problem, WarmStart, solve
from kpca_viewer.core.solvers.problem import EachRows
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.forecast import (
    LARGE_TOLERANCE,
    MOVING_FROM,
    Forecast,
    asked,
    is_missed,
    try_out,
)
from kpca_viewer.engine.settings import (
    KernelSettings,
    SessionSettings,
    as_values,
)
from kpca_viewer.engine.stage import StageInputs
from kpca_viewer.engine.stages import (
    Prepared,
    centred,
    counts,
    find_gram,
)
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import ClusterError


def decompose(
    inputs: StageInputs,
    publish: Callable[[Decomposition], None],
    each_rows: EachRows | None,
    begin: Callable[[], None],
) -> Decomposition:
    """Return the components, some to spare, as they are after a drag.

    That is the canonical orientation, but for those that the person has flipped.
    ``begin``: called where nothing is known yet that could be shown.
    """
    prepared, request, cache = inputs.prepared, inputs.request, inputs.cache
    settings = request.settings
    analysis = settings.analysis.of_decomposition()
    points, kernel = prepared.points, prepared.kernel
    shape = None if kernel is None else (kernel.family.name, *kernel.values.items())
    rough = request.moving and prepared.dataset.n >= MOVING_FROM

    def make() -> Decomposition:
        previous = cache.peek("previous", rows_key(points, settings))
        turned = known is not previous and not rough
        if known is not None and known.is_oriented and turned:
            # What the hand has left is there at once as the rule puts it.
            publish(known)
        elif known is None:
            begin()
        center = centred(prepared.dataset, settings)
        watched = inputs.should_stop, inputs.progress
        gram = find_gram(prepared, analysis.solver, cache, *watched, center=center)
        problem = Problem(
            gram,
            counts(prepared, settings)[1],
            center=center,
            start=_warm(cache.peek("previous", points)),
            # Isolines are the scores of a grid of them.
            for_new_points=prepared.dataset.d == 2,
            publish=publish_better,
            should_stop=inputs.should_stop,
            progress=inputs.progress,
        )
        problem = asked(problem, refined=analysis.refined, moving=request.moving)
        found = _solve(replace(problem, each_rows=each_rows), analysis.solver)
        if analysis.refined and not rough and is_missed(found):
            # No number of landmarks will do; passes over all of K will, in their time.
            found = solve(replace(problem, start=found.warm_start), "krylov")
        return _follow_draft(found, refined)

    key = points, shape, analysis
    plain = points, shape, replace(analysis, refined=False)
    known: Decomposition | None = cache.peek("decomposition", plain)
    known = known or cache.peek("rough decomposition", plain)
    refined = known

    def publish_better(draft: Decomposition) -> None:
        nonlocal refined
        # What is shown of the same settings may be better than a draft.
        if known is None or draft.error < known.error:
            refined = _follow_draft(draft, refined)
            publish(refined)

    found: Decomposition | None = cache.peek("decomposition", key) if rough else None
    if found is None:
        stage = "rough decomposition" if rough else "decomposition"
        found = cache.get(stage, key, make)
    if settings.view.flipped:
        found = cache.get(
            "flipped",
            (found, settings.view.flipped),
            lambda: flip(found, settings),
        )
    return found


def _solve(problem: Problem, solver: str) -> Decomposition:
    """Solve a problem; here, where those who pass over its rows are gone."""
    try:
        return solve(problem, solver)
    except ClusterError:
        return solve(replace(problem, each_rows=None), solver)


def forecast_refinement(
    prepared: Prepared,
    found: Decomposition,
    settings: SessionSettings,
    cache: StageCache,
) -> Forecast | None:
    """Return what all digits would cost, where few are shown for the time they take."""
    analysis, n = settings.analysis.of_decomposition(), prepared.dataset.n
    if analysis.refined or not is_missed(found):
        return None
    refined = replace(settings, analysis=replace(analysis, refined=True))
    points, family = prepared.points, settings.kernel.family
    # By what suits the data, not by what a hand moves: it is asked once for a kernel.
    kernel = KernelSettings(family, as_values(dict(prepared.suggestion.values)))
    refined = replace(refined, kernel=kernel)

    def forecast() -> Forecast | None:
        trial = try_out(points.dense(), "none", refined)
        return None if trial is None else trial.forecast(n)

    told: Forecast | None = cache.get(
        "refinement", (points, family, analysis), forecast
    )
    return told


def flip(found: Decomposition, settings: SessionSettings) -> Decomposition:
    """Return the components as the person wants them, which is as they are mostly."""
    flipped = settings.view.flipped
    if not flipped:
        return found
    return found.oriented(flips(flipped, len(found.eigenvalues)))


def rows_key(points: Points, settings: SessionSettings) -> Hashable:
    """Return what tells rows from others: a drawn point that moves is the same one."""
    return points if settings.data.drawn is None else "drawn"


def follow_previous(
    prepared: Prepared,
    settings: SessionSettings,
    resting: Decomposition,
    cache: StageCache,
) -> Decomposition:
    """Return components aligned with the picture before, during a drag."""
    key = rows_key(prepared.points, settings)
    previous: Decomposition | None = cache.peek("previous", key)
    if previous is None:
        return resting
    before = previous.eigenvectors
    more = prepared.dataset.n - len(before)
    if more > 0:
        # Points that were drawn since stand behind the others, and know no way round.
        before = np.vstack([before, np.zeros((more, before.shape[1]))])
    R = _orientation_towards(resting, before)
    if is_same(R):
        return resting
    found: Decomposition = cache.get(
        "moving", (resting, R.tobytes()), lambda: resting.oriented(R)
    )
    return found


def _follow_draft(found: Decomposition, refined: Decomposition | None) -> Decomposition:
    """Return components aligned with a picture of them that had fewer digits.

    Only where the first landmarks have decided for both: later ones could turn a
    component round that these knew badly. All others have their orientation by the
    rule, whatever was seen before.
    """
    if refined is None or not (refined.is_oriented and found.is_oriented):
        return found
    R = _orientation_towards(found, refined.eigenvectors)
    return found if is_same(R) else found.oriented(R)


def _orientation_towards(found: Decomposition, before: Array) -> Array:
    """Orthogonal (k, k) matrix that aligns components with eigenvectors (n, k')."""
    # Bounds that are wide tie what belongs to different components.
    bounds = found.bounds if found.error <= LARGE_TOLERANCE else None
    return towards(found.eigenvectors, found.eigenvalues, before, bounds)


def shown_components(
    decomposition: Decomposition,
    prepared: Prepared,
    settings: SessionSettings,
    cache: StageCache,
) -> Decomposition:
    shown = counts(prepared, settings)[0]
    found: Decomposition = cache.get(
        "shown", (decomposition, shown), lambda: decomposition.leading(shown)
    )
    return found


def _warm(previous: Decomposition | None) -> WarmStart | None:
    return None if previous is None else previous.warm_start
