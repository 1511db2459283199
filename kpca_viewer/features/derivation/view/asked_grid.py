"""AskedGrid: numbers, and where each of them comes from."""

from collections.abc import Callable
from dataclasses import dataclass

from kpca_viewer.features.derivation.explanations import Explanation
from kpca_viewer.features.derivation.view.grid_content import Cell, GridContent


@dataclass(frozen=True, eq=False)
class AskedGrid:
    """A grid whose numbers can be explained."""

    content: GridContent
    explained: Callable[[Cell], Explanation]
