"""From a table to a data set: what the columns mean, and what to do about gaps."""

from kpca_viewer.data.importing.complete import (
    GapCounter,
    filled_text,
    filling_text,
    without_gaps,
)
from kpca_viewer.data.importing.convert import (
    check_worth,
    converted,
    is_quantity,
    may_be_noise,
    new_data,
    read_features,
    taken,
    to_dataset,
)
from kpca_viewer.data.importing.features import OddCellError
from kpca_viewer.data.importing.guess import (
    Proposals,
    guess_import,
    guess_missing,
    matrix_report,
    propose,
    recognised_matrix,
)
from kpca_viewer.data.importing.settings import ImportSettings, Missing, Role
from kpca_viewer.data.importing.suspects import Suspect

__all__ = [
    "GapCounter",
    "ImportSettings",
    "Missing",
    "OddCellError",
    "Proposals",
    "Role",
    "Suspect",
    "check_worth",
    "converted",
    "filled_text",
    "filling_text",
    "guess_import",
    "guess_missing",
    "is_quantity",
    "matrix_report",
    "may_be_noise",
    "new_data",
    "propose",
    "read_features",
    "recognised_matrix",
    "taken",
    "to_dataset",
    "without_gaps",
]
