"""The data of a document: embedded, in a file, or made on the spot."""

from dataclasses import dataclass

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.table import Table
from kpca_viewer.session.document.model import Document, FileReference
from kpca_viewer.session.document.session_file import SessionFile
from kpca_viewer.support.errors import DataError
from kpca_viewer.support.progress import Progress, ShouldStop, never, silent


class MissingDataError(DataError):
    """The file with the data of a document is gone.

    Attributes
    ----------
    document : Document
        Which can be opened with its file in another place.
    origin : SessionFile or None
        The file of the session itself, where it has one.
    """

    origin: SessionFile | None = None

    def __init__(self, document: Document) -> None:
        assert document.file is not None
        self.document = document
        super().__init__(
            f"The data of this session, {document.file.path}, are not there any more; "
            "put the file back, or beside the session."
        )


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
    expected_hash : str
        `Dataset.content_hash` of what was shown, where it is known; empty otherwise.
    """

    sources: dict[str, Dataset | Table]
    note: str = ""
    expected_hash: str = ""


def open_data(
    document: Document, should_stop: ShouldStop = never, progress: Progress = silent
) -> OpenedData:
    """Open the data of a document.

    Embedded data are taken first: they are what the person saw.

    Raises
    ------
    MissingDataError
        If its file is gone.
    DataError
        If it cannot be read.
    Cancelled
        If ``should_stop`` says so.
    """
    source = document.settings.data.source
    if document.embedded is not None:
        return OpenedData({source: document.embedded})
    if document.file is None:
        return OpenedData({})
    if not document.file.path.exists():
        raise MissingDataError(document)
    table = _read(document.file, should_stop, progress)
    note = ""
    saved = document.file.content_hash
    if saved and table.content_hash != saved:
        note = (
            f"“{document.file.path.name}” has changed since the session was saved; it "
            "is shown as it is now."
        )
    return OpenedData({source: table}, note)


def _read(file: FileReference, should_stop: ShouldStop, progress: Progress) -> Table:
    # Imported here: most sessions have no file, and the readers take a while to load.
    from kpca_viewer.data.files import read_table

    return read_table(
        file.path, options=file.reading, should_stop=should_stop, progress=progress
    )
