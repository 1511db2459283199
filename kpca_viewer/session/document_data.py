"""The data of a document: embedded, in a file, or made on the spot."""

from dataclasses import dataclass

from kpca_viewer.core.errors import DataError
from kpca_viewer.core.progress import Progress, ShouldStop, never, silent
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.table import Table
from kpca_viewer.session.document_model import Document, FileReference


@dataclass(frozen=True, eq=False)
class OpenedData:
    """What a document needs to be shown.

    Attributes
    ----------
    sources : dict of str to Dataset or Table
        By the name under which the settings know them; empty for a generator. A table
        becomes a data set in the analysis, as the settings say.
    note : str
        What the person should know, for example that the file has changed.
    """

    sources: dict[str, Dataset | Table]
    note: str = ""


def open_data(
    document: Document, should_stop: ShouldStop = never, progress: Progress = silent
) -> OpenedData:
    """Open the data of a document.

    Embedded data are taken first: they are what the person saw.

    Raises
    ------
    DataError
        If its file is gone or cannot be read.
    Cancelled
        If ``should_stop`` says so.
    """
    source = document.settings.data.source
    if document.embedded is not None:
        return OpenedData({source: document.embedded})
    if document.file is None:
        return OpenedData({})
    table = _read(document.file, should_stop, progress)
    note = ""
    saved = document.file.content_hash
    if saved and table.content_hash != saved:
        note = f"“{document.file.path.name}” has changed since the session was saved."
    return OpenedData({source: table}, note)


def _read(file: FileReference, should_stop: ShouldStop, progress: Progress) -> Table:
    # Imported here: most sessions have no file, and the readers take a while to load.
    from kpca_viewer.data.files import read_table

    if not file.path.exists():
        raise DataError(
            f"The data of this session, {file.path}, are not there any more; put the "
            "file back, or beside the session."
        )
    return read_table(
        file.path, options=file.reading, should_stop=should_stop, progress=progress
    )
