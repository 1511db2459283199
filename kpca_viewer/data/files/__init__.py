"""Files of every usual format, read into tables."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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

# Imported on first use: a window that opens does not wait for twenty readers.
_HOMES = {
    "FORMATS": "formats",
    "Format": "formats",
    "NA_VALUES": "options",
    "ReadOptions": "options",
    "preview_table": "read",
    "read_table": "read",
    "read_text": "read",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
