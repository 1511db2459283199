"""AnalysisRequest: the whole specification of a run."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.table import Table
from kpca_viewer.session.settings import SessionSettings

if TYPE_CHECKING:
    from kpca_viewer.session.result import AnalysisResult


@dataclass(frozen=True, eq=False)
class AnalysisRequest:
    """One wish: the settings and the data that they may refer to.

    Attributes
    ----------
    settings : SessionSettings
    opened : mapping of str to Dataset or Table
        By the name under which the settings know them.
    new_rows : Dataset or None
        Rows that are projected onto the model without being part of it.
    signs : tuple of int or None
        ±1 for every component: turn them as a saved session had them, rather than
        towards the picture before.
    linear_signs : tuple of int or None
        The same for linear PCA.
    shown : AnalysisResult or None
        The picture on the board, towards which a sweep turns its own.
    """

    settings: SessionSettings
    opened: Mapping[str, Dataset | Table] = field(default_factory=dict)
    new_rows: Dataset | None = None
    signs: tuple[int, ...] | None = None
    linear_signs: tuple[int, ...] | None = None
    shown: "AnalysisResult | None" = None
