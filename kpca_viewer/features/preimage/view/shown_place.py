"""All that is shown of one place, on the screen and on paper."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtGui import QImage

from kpca_viewer.features.preimage.text import ComparedColumn


@dataclass(frozen=True, eq=False)
class ShownPlace:
    """All that is shown of one place."""

    columns: Sequence[ComparedColumn]
    row_name: str
    words: str
    warns: bool
    """Whether nothing lies there."""
    image: QImage | None = None
    row_image: QImage | None = None
    """The place and the nearest row as pictures; None where rows are none."""
