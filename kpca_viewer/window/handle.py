"""What a person has done in the window, for the Python that opened it."""

import atexit
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.estimator.keywords import as_keywords
from kpca_viewer.data.dataset import source_rows
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.support.errors import DataError
from kpca_viewer.window.app import Viewer

if TYPE_CHECKING:
    import pandas
    from sklearn.pipeline import Pipeline

Mask = NDArray[np.bool_]


class ViewerHandle:
    """The window that `show` has opened: live while it is open, its end afterwards.

    Rows are those that were given to `show`, in their order, whether the window shows
    all of them or not.
    """

    def __init__(self, viewer: Viewer, rows: int) -> None:
        self._viewer: Viewer | None = viewer
        self._rows = rows
        self._last: tuple[AnalysisResult | None, Mask | None] = (None, None)
        viewer.window.closing.connect(self._keep)
        # Qt would abort a process that ends while a thread of the window still runs.
        atexit.register(self.close)

    @property
    def is_open(self) -> bool:
        return self._viewer is not None

    @property
    def selection(self) -> Mask:
        """Which rows are selected: an array of bool of shape (n,)."""
        result, selected = self._state()
        if selected is None:
            return np.zeros(self._rows, dtype=bool)
        return self._of_all(result, selected)

    @property
    def selected_index(self) -> NDArray[np.intp]:
        """The positions of the selected rows, ascending from 0."""
        return np.flatnonzero(self.selection)

    @property
    def groups(self) -> dict[str, Mask]:
        """The rows of every group that was named, in the order of their names."""
        result, _ = self._state()
        column = result.dataset.columns.get("group")
        if column is None or column.words is None or not result.settings.data.groups:
            return {}
        return {
            name: self._of_all(result, column.values == code)
            for code, name in enumerate(column.words)
        }

    @property
    def kernel(self) -> dict[str, Any]:
        """The kernel as `KernelPCA` takes it: ``{"kernel": "rbf", "gamma": 2.0}``."""
        result, _ = self._state()
        if result.kernel is None:
            return {"kernel": "precomputed"}
        if result.kernel.family.split is not None:
            return {"kernel": result.kernel}
        family = result.kernel.family.name
        return {"kernel": family, **as_keywords(result.kernel.values)}

    @property
    def model(self) -> "Pipeline":
        """The fitted pipeline behind the picture, which takes rows as they were given.

        Its last step is a `KernelPCA`.
        """
        from kpca_viewer.export.model import fitted_pipeline

        return fitted_pipeline(self._state()[0])

    @property
    def embedding(self) -> "pandas.DataFrame":
        """The scores of the rows that are shown, with their names as the index."""
        import pandas as pd

        result, _ = self._state()
        names = result.dataset.row_names
        index = source_rows(result.dataset) if names is None else list(names)
        columns = [f"PC {j + 1}" for j in range(result.scores.shape[1])]
        return pd.DataFrame(np.array(result.scores), index=index, columns=columns)

    def figure(self, what: str = "embedding") -> Any:
        """Return a matplotlib figure of the embedding or the spectrum."""
        from kpca_viewer.export.axes import plot

        found = plot(self._state()[0], what).figure
        from matplotlib import pyplot

        # What is returned is shown as that, and not once more by pyplot.
        pyplot.close(found)
        return found

    def close(self) -> None:
        if self._viewer is not None:
            self._viewer.window.close()

    def __repr__(self) -> str:
        state = "open" if self.is_open else "closed"
        result = self._now()[0]
        if result is None:
            return f"<kpca_viewer window, {state}, without a picture>"
        count = int(self.selection.sum())
        kernel = ", ".join(f"{key}={value!r}" for key, value in self.kernel.items())
        data = result.dataset
        return (
            f"<kpca_viewer window, {state}: “{data.name}”, {data.n} × {data.d}, "
            f"{kernel}, {count} selected>"
        )

    def _now(self) -> tuple[AnalysisResult | None, Mask | None]:
        if self._viewer is None:
            return self._last
        board = self._viewer.window.board
        return self._viewer.presenter.result, board.linking.selection

    def _state(self) -> tuple[AnalysisResult, Mask | None]:
        result, selected = self._now()
        if result is None:
            raise DataError(
                "The window has no picture yet; it gets one while Qt’s event loop "
                "runs: by %gui qt in IPython and Jupyter, or by block=True."
            )
        return result, selected

    def _of_all(self, result: AnalysisResult, shown: Mask) -> Mask:
        """Return a mask over the rows that are shown as one over all that were given.

        New rows behind them were not given.
        """
        mask = np.zeros(self._rows, dtype=bool)
        rows = source_rows(result.dataset)
        mask[rows[shown[: len(rows)]]] = True
        return mask

    def _keep(self) -> None:
        """Let go of the window, and keep what it was."""
        viewer, self._last = self._viewer, self._now()
        self._viewer = None
        atexit.unregister(self.close)
        if viewer is not None:
            viewer.window.deleteLater()
            viewer.deleteLater()
