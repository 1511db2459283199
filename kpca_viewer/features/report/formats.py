"""What a report is written as."""

from pathlib import Path

from kpca_viewer.support.errors import ExportError
from kpca_viewer.support.picture_formats import either

FORMATS = {"html": "HTML", "pdf": "PDF"}
"""Titles by the endings of files."""


def report_format(path: Path) -> str:
    """Return the format that the ending of a file stands for.

    Raises
    ------
    ExportError
        If it stands for none.
    """
    ending = path.suffix.lower().removeprefix(".")
    if ending not in FORMATS:
        known = either([f".{key}" for key in FORMATS])
        raise ExportError(
            f"“{path.name}” does not end in {known}; the ending chooses the format of "
            "a report."
        )
    return ending
