"""Files of every usual format, read into tables."""

from kpca_viewer.data.files.formats import FORMATS, Format
from kpca_viewer.data.files.options import NA_VALUES, ReadOptions
from kpca_viewer.data.files.read import preview_table, read_table, read_text

__all__ = [
    "FORMATS",
    "NA_VALUES",
    "Format",
    "ReadOptions",
    "preview_table",
    "read_table",
    "read_text",
]
