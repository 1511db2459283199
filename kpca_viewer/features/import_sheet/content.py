"""What goes to the import sheet, and what comes back from it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kpca_viewer.data.files.options import ReadOptions
from kpca_viewer.data.importing import ImportSettings, Proposals
from kpca_viewer.data.preparation import Scaling
from kpca_viewer.data.table import Table
from kpca_viewer.support.errors import DataError

if TYPE_CHECKING:
    # Loaded by the worker: it brings all of scipy.
    from kpca_viewer.engine.forecast import Trial


@dataclass(frozen=True, eq=False)
class SheetContent:
    """A table with everything that the sheet shows about it."""

    table: Table
    """The whole file, or the first rows of a large one (its ``total`` is set then)."""
    importing: ImportSettings
    """The guess, or what was chosen before."""
    scaling: Scaling = "none"
    matrix_words: str = ""
    """A sentence about the square matrix that the file may be; empty if it is none."""
    trial: "Trial | None" = None
    """For the forecast."""
    error: DataError | None = None
    """Why what was chosen last is impossible."""
    text: str = ""
    """What was pasted, so that it can be read in another way."""
    proposals: Proposals | None = None
    """What the columns are taken for, where nothing was chosen before."""
    remembered: ImportSettings | None = None
    """What was chosen for the last file of the same columns; `importing` then."""
    reading_key: str = ""
    """By which it is remembered how the file is read; empty where that is not."""
    read_as_before: bool = False
    """Whether the last file of the same columns says how this one was read."""

    @property
    def whole(self) -> bool:
        """Whether the file has been read to its end."""
        return self.table.total is None

    @property
    def rows(self) -> int:
        """Rows of the file, as far as they are known."""
        return self.table.n if self.table.total is None else self.table.total

    @property
    def options(self) -> ReadOptions:
        return self.table.options or ReadOptions()


@dataclass(frozen=True, eq=False)
class ImportRequest:
    """What the person accepted on the sheet."""

    content: SheetContent
    """What was asked about."""
    importing: ImportSettings
    scaling: Scaling
    options: ReadOptions | None = None
    """How the file is to be read, where only its first rows are known yet."""
