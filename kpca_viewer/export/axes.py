"""Results on the axes of matplotlib, for notebooks and figures of one's own."""

import io
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.support.errors import DataError

WHATS = ("embedding", "spectrum")
BARS = 30
"""Eigenvalues that are drawn."""


def plot(
    model: Any,
    what: str = "embedding",
    *,
    X: Any = None,
    y: Any = None,
    ax: Any = None,
    **style: Any,
) -> Any:
    """Draw a fitted model on axes of matplotlib.

    Parameters
    ----------
    model : KernelPCA, Pipeline that ends with one, or what `analyse` returns
        Fitted.
    what : {"embedding", "spectrum"}
    X : array-like of shape (m, d), optional
        Rows to draw in the embedding; by default those of the fit.
    y : array-like of shape (m,), optional
        Classes, or numbers, to colour the rows by.
    ax : matplotlib.axes.Axes, optional
        By default new ones.
    **style
        For the markers or bars of matplotlib.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ImportError
        Without matplotlib, which ``pip install 'kpca-viewer[plot]'`` brings.

    See Also
    --------
    show : the same rows in the window.

    Examples
    --------
    >>> from kpca_viewer import KernelPCA, generate, plot
    >>> rings = generate("circles")
    >>> model = KernelPCA(2, kernel="rbf", gamma=2).fit(rings.points)
    >>> plot(model, y=rings.labels).get_xlabel()
    'PC 1 (21.8 %)'
    """
    _check(what)
    if isinstance(model, AnalysisResult):
        return draw(model, what, ax=_shown_axes(ax), y=y, **style)
    estimator = model[-1] if hasattr(model, "steps") else model
    if not hasattr(estimator, "eigenvalues_"):
        raise DataError("The model is not fitted; call fit first.")
    ax = _shown_axes(ax)
    if what == "spectrum":
        shares = estimator.explained_variance_ratio_
        factor = shares[0] / estimator.eigenvalues_[0]
        bounds = np.asarray(estimator.eigenvalue_bounds_) * factor
        return _bars(shares, bounds, ax, style)
    if X is None:
        roots = np.sqrt(np.maximum(estimator.eigenvalues_, 0))
        scores = estimator.eigenvectors_ * roots
    else:
        scores = model.transform(X)
    return _points(scores, estimator.explained_variance_ratio_, y, ax, style)


def draw(
    result: AnalysisResult, what: str, *, ax: Any = None, y: Any = None, **style: Any
) -> Any:
    """Draw a result as the window shows it: its axes and its classes."""
    _check(what)
    shares = result.shares
    if what == "spectrum":
        eigenvalues = result.decomposition.eigenvalues
        factor = shares[0] / eigenvalues[0] if eigenvalues[0] else 0.0
        bounds = np.asarray(result.decomposition.bounds) * factor
        return _bars(shares[: len(bounds)], bounds, ax, style)
    if y is None and result.dataset.labels is not None:
        names = np.array([*result.dataset.label_names, "—"], dtype=object)
        y = names[result.dataset.labels]
    chosen = list(result.settings.view.shown_axes[:2])
    return _points(result.scores, shares, y, ax, style, chosen)


def embedding_png(result: AnalysisResult) -> bytes | None:
    """Return the embedding as a PNG; None without matplotlib."""
    if find_spec("matplotlib") is None:
        return None
    target = io.BytesIO()
    draw(result, "embedding").figure.savefig(target, format="png")
    return target.getvalue()


def _check(what: str) -> None:
    if what not in WHATS:
        raise DataError(f"“{what}” cannot be plotted; choose {' or '.join(WHATS)}.")


def _shown_axes(ax: Any) -> Any:
    """Return new axes that a notebook or `pyplot.show` shows."""
    if ax is not None:
        return ax
    if find_spec("matplotlib") is None:
        raise ImportError(
            "Plots need matplotlib; install it with: pip install 'kpca-viewer[plot]'"
        )
    from matplotlib import pyplot

    return pyplot.subplots(layout="constrained")[1]


def _new_axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    from matplotlib.figure import Figure

    return Figure(layout="constrained").add_subplot()


def _points(
    scores: NDArray[Any],
    shares: NDArray[Any],
    y: Any,
    ax: Any,
    style: dict[str, Any],
    chosen: list[int] | None = None,
) -> Any:
    ax = _new_axes(ax)
    i, j = chosen or [0, min(1, scores.shape[1] - 1)]
    style = {"s": 14, **style}
    if y is None:
        ax.scatter(scores[:, i], scores[:, j], **style)
    else:
        values = np.asarray(y)
        if values.dtype.kind == "f":
            drawn = ax.scatter(scores[:, i], scores[:, j], c=values, **style)
            ax.figure.colorbar(drawn, ax=ax)
        else:
            for name in dict.fromkeys(values.tolist()):
                rows = values == name
                ax.scatter(scores[rows, i], scores[rows, j], label=str(name), **style)
            ax.legend()
    for axis, component in ((ax.xaxis, i), (ax.yaxis, j)):
        axis.set_label_text(f"PC {component + 1} ({100 * shares[component]:.1f} %)")
    ax.set_aspect("equal", adjustable="datalim")
    return ax


def _bars(
    shares: NDArray[Any], bounds: NDArray[Any], ax: Any, style: dict[str, Any]
) -> Any:
    ax = _new_axes(ax)
    shares, bounds = 100 * shares[:BARS], 100 * bounds[:BARS]
    away = np.abs(bounds - shares[:, None]).T
    ax.bar(np.arange(1, len(shares) + 1), shares, yerr=away, capsize=2, **style)
    ax.set_xlabel("component")
    ax.set_ylabel("explained variance (%)")
    return ax
