"""What there is to export: one value for all pages of the panel."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from kpca_viewer.engine.document.model import Document
from kpca_viewer.engine.feature import Plot
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.stage import Stages
from kpca_viewer.export.code_data import safe_name
from kpca_viewer.widgets.scene import Scene


@dataclass(frozen=True, eq=False)
class ExportContent:
    """A scene with a result, and what the window knows besides."""

    scene: Scene
    selection: NDArray[Any] | None
    """Shape (n,)."""
    document: Document
    """The session, with the settings of the moment and the file of the data."""
    hidden: Collection[int] = ()
    """Classes that are hidden."""
    stages: Stages = ()
    """What can be computed for the rows of a table."""

    @property
    def result(self) -> AnalysisResult:
        assert self.scene.result is not None
        return self.scene.result

    @property
    def selected(self) -> int:
        return 0 if self.selection is None else int(self.selection.sum())

    def title_of(self, plot: Plot) -> str:
        name = " ".join(self.result.dataset.name.split())
        return f"{name}: {plot.of_data}" if plot.of_data else name

    def file_name(self, what: str, ending: str) -> str:
        """Return a name for a file, without a folder."""
        return f"{safe_name(self.result.dataset.name)} {what}.{ending}"
