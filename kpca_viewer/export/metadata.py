"""The session inside a picture: the text of a session file, and what was shown.

A picture therefore opens like a session. The data are not inside, only where they are
and the hash of their numbers.
"""

import json
from dataclasses import dataclass, replace
from pathlib import Path

from kpca_viewer.session.document_format import from_bytes, to_bytes
from kpca_viewer.session.document_model import Document
from kpca_viewer.session.result import AnalysisResult

SHOWN = "shown"
"""The field of the session in which a picture names its data."""


@dataclass(frozen=True)
class Shown:
    """Which data a picture shows.

    Attributes
    ----------
    name : str
    rows, columns : int
    content_hash : str
        `Dataset.content_hash`: SHA-256 of the numbers, whatever file they were in.
    """

    name: str
    rows: int
    columns: int
    content_hash: str


def metadata_of(
    result: AnalysisResult,
    document: Document | None = None,
    folder: Path | None = None,
) -> str:
    """Describe a picture of a result.

    Parameters
    ----------
    result : AnalysisResult
    document : Document, optional
        The session of the window; by default just the settings of the result.
    folder : Path, optional
        Where the picture will be; data beside it are then found relative to it.

    Returns
    -------
    str
        JSON in ASCII, which every format can hold.
    """
    document = document or Document(settings=result.settings)
    dataset = result.dataset
    shown = {
        "name": dataset.name,
        "rows": dataset.n,
        "columns": dataset.d,
        "content_hash": dataset.content_hash,
    }
    described = replace(
        document, embedded=None, unknown={**document.unknown, SHOWN: shown}
    )
    return json.dumps(json.loads(to_bytes(described, folder)))


def document_of(
    text: str, folder: Path | None = None, title: str = "This picture"
) -> tuple[Document, Shown | None]:
    """Read the session of a picture, from what `read_metadata` found.

    Parameters
    ----------
    text : str
    folder : Path, optional
        Where the picture is.
    title : str
        Names the picture in messages.

    Raises
    ------
    DataError
        If it is no session, or one of a newer version.
    """
    document = from_bytes(text.encode("utf-8", "replace"), folder, title)
    unknown = dict(document.unknown)
    found = unknown.pop(SHOWN, None)
    try:
        shown = None if found is None else Shown(**found)
    except TypeError:
        shown = None
    return replace(document, unknown=unknown), shown
