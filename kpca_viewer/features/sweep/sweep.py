"""``kpca_viewer.sweep``: the same rows for many values of a parameter."""

from dataclasses import replace
from typing import Any

from kpca_viewer.data.frames import of_arrays, scaling_of
from kpca_viewer.data.importing import Missing
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.initial_session import begun_with
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.engine.stages import suggested_for
from kpca_viewer.engine.sweep.point import SweepResult
from kpca_viewer.engine.sweep.run import run_sweep
from kpca_viewer.engine.sweep.settings import (
    SweepAxis,
    SweepScale,
    SweepSettings,
    default_axis,
)
from kpca_viewer.support.progress import Progress, ShouldStop, never, silent


def sweep(
    X: Any,
    y: Any = None,
    parameter: str = "gamma",
    low: float | None = None,
    high: float | None = None,
    *,
    steps: int | None = None,
    scale: SweepScale | None = None,
    kernel: Any = None,
    model: Any = None,
    missing: Missing | None = None,
    should_stop: ShouldStop = never,
    progress: Progress = silent,
) -> SweepResult:
    """Compute kernel PCA for many values of one parameter, as the window sweeps.

    Parameters
    ----------
    X, y, missing
        As for `show`.
    parameter : str
        ``"gamma"``, ``"degree"``, ``"components"``, …, or ``"kernel"`` for all kernels.
    low, high : float, optional
        By default two decades around the value that suits the data, or all there is.
    steps : int, optional
    scale : {"log", "linear"}, optional
    kernel, model
        What all values share, as for `show`; RBF by default.

    Returns
    -------
    SweepResult
        ``frame()`` has a row a value; ``points`` have scores too, ``best(measure)``
        is one of them.

    Raises
    ------
    DataError, KernelError
        A sentence about what is wrong with the data or the options.

    See Also
    --------
    choose : which kernel and value held-out rows defend.

    Examples
    --------
    >>> import kpca_viewer
    >>> from sklearn.datasets import make_circles
    >>> X, y = make_circles(100, factor=0.3, noise=0.05, random_state=0)
    >>> swept = kpca_viewer.sweep(X, y, "gamma", 0.1, 10, steps=3)
    >>> [point.value for point in swept.points]
    [0.1, 1.0, 10.0]
    """
    SweepAxis(parameter)  # refused before anything is computed
    dataset = of_arrays(X, y, missing=missing)
    data = DataSettings(source=dataset.name, scaling=scaling_of(X, dataset))
    settings = begun_with(SessionSettings(data=data), model, kernel)
    cache = StageCache()
    axis = default_axis(settings, parameter, suggested_for(dataset, settings, cache))
    given: dict[str, Any] = {
        "low": low,
        "high": high,
        "steps": steps,
        "scale": scale,
    }
    told = {name: value for name, value in given.items() if value is not None}
    return run_sweep(
        AnalysisRequest(settings, {dataset.name: dataset}),
        SweepSettings.along(replace(axis, **told)),
        cache,
        should_stop,
        progress,
    )
