"""All features: what the window, the command line and Python hand to the engine."""

from kpca_viewer.engine.stage import Stages
from kpca_viewer.features.columns import drawn_arrows
from kpca_viewer.features.columns import stages as columns
from kpca_viewer.features.outliers import stages as outliers
from kpca_viewer.features.random_baseline import compute as random_baseline
from kpca_viewer.features.random_baseline import moves
from kpca_viewer.features.rebuild import compute as rebuild

STAGES: Stages = (
    drawn_arrows.STAGE,
    *rebuild.STAGES,
    columns.STAGE,
    outliers.ROWS_STAGE,
    outliers.LIST_STAGE,
    moves.STAGE,
    random_baseline.STAGE,
)
"""In the order in which they are computed."""
