"""The session with which the next start begins."""

from dataclasses import dataclass
from pathlib import Path

from kpca_viewer.core.kernels.kernel import FAMILIES
from kpca_viewer.data.generators import GENERATORS
from kpca_viewer.session.document.model import Document
from kpca_viewer.session.document.recovery import remembered
from kpca_viewer.session.document.session_file import SessionFile
from kpca_viewer.support.errors import DataError


@dataclass(frozen=True)
class LastSession:
    """A session that was kept when the program was closed.

    Attributes
    ----------
    document : Document
    file : SessionFile or None
        The person's own file as it was known, where there is one.
    """

    document: Document
    file: SessionFile | None

    @property
    def at_hand(self) -> bool:
        """Whether its data are there without reading a file."""
        return self.document.file is None or self.document.embedded is not None


def last_session(folder: Path) -> LastSession | None:
    """Return the session that was closed last, if there is one.

    Raises
    ------
    DataError
        If it cannot be shown again, in one sentence.
    """
    kept = remembered(folder)
    if kept is None:
        return None
    document = kept.restore()
    source, family = document.settings.data.source, document.settings.kernel.family
    if family not in FAMILIES:
        raise DataError(
            f"The last session used the kernel “{family}”, which is not known here; "
            "choose another one."
        )
    found = document.file is not None or document.embedded is not None
    if not found and source not in GENERATORS:
        raise DataError(
            f"The data of the last session, {source}, came from no file and were too "
            "large to be kept; open or paste them again."
        )
    return LastSession(document, kept.file)
