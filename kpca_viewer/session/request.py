"""AnalysisRequest: the whole specification of a run."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.session.settings import SessionSettings


@dataclass(frozen=True, eq=False)
class AnalysisRequest:
    """One wish: the settings and the data sets that they may refer to."""

    settings: SessionSettings
    opened: Mapping[str, Dataset] = field(default_factory=dict)
