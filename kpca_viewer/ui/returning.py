"""How the first picture of an opened session has to look: as the last one did."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.session.document.files import Document


@dataclass(frozen=True)
class Returning:
    """What is awaited of the next result; nothing, unless a session was opened.

    Attributes
    ----------
    poses : mapping or None
        Of the plots; see `take_poses`.
    content_hash : str
        Of the numbers that were shown, if they are known.
    """

    poses: Mapping[str, Any] | None = None
    content_hash: str = ""

    @classmethod
    def of(cls, document: Document, content_hash: str) -> Self:
        """Return what a session awaits."""
        views = document.views if isinstance(document.views, dict) else {}
        return cls(
            None if document.preset else views,
            content_hash,
        )

    def finds_others(self, dataset: Dataset) -> bool:
        """Return whether the data are not those that were shown."""
        return self.content_hash not in ("", dataset.content_hash)
