"""AnalysisRequest: the whole specification of a run."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.table import Table
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.engine.stage import Stages


@dataclass(frozen=True, eq=False)
class AnalysisRequest:
    """The settings, and the data that they may refer to."""

    settings: SessionSettings
    opened: Mapping[str, Dataset | Table] = field(default_factory=dict)
    """By the name under which the settings know them."""
    new_rows: Dataset | None = None
    """Rows that are projected onto the model without being part of it."""
    moving: bool = False
    """Whether a slider is being dragged: the picture follows the one before rather than
    the rule, so that no axis flips during the drag."""
    page: str = ""
    """Key of the page in front, which may show what is computed for it alone."""
    stages: Stages = ()
    """What is computed after the picture, where something shows it."""
