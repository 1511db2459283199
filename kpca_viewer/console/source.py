"""What a command draws or tells of: a session or data by name, or what options say."""

import argparse
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from kpca_viewer.console.looks import asks_for_looks, with_looks
from kpca_viewer.console.options import Chosen, asks_for_anything, chosen, dataset_of
from kpca_viewer.support.errors import DataError

if TYPE_CHECKING:
    from kpca_viewer.engine.document.model import Document
    from kpca_viewer.support.progress import Progress


def add_source(parser: argparse.ArgumentParser) -> None:
    """Let a command take a session or data as its first word."""
    parser.add_argument(
        "source",
        nargs="?",
        metavar="FILE",
        help="a session (.kpca), or data as for --data",
    )
    parser.add_argument(
        "--allow-outside",
        action="store_true",
        help="let a session read data that are not in its folder or below",
    )


def refuse_two(source: str | None, options: argparse.Namespace) -> None:
    """Refuse options that say something else than what is named first."""
    if source is None:
        return
    if is_session(source):
        if asks_for_anything(options):
            raise DataError(
                "A session says itself what is analysed; leave out the options for "
                "data and kernel, or the session."
            )
    elif options.data is not None:
        raise DataError(
            f"“{source}” and --data {options.data} are two sets of data; give one of "
            "them."
        )


def is_session(source: str) -> bool:
    from kpca_viewer.engine.document.files import SUFFIX

    return Path(source).suffix.lower() == SUFFIX


def read_to_draw(
    options: argparse.Namespace, watch: "Progress"
) -> tuple[Chosen, "Document"]:
    """Return the same for a picture, with points that look as the options say."""
    # Both before Qt is loaded: no display server, and no other binding.
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    os.environ["PYQTGRAPH_QT_LIB"] = "PySide6"
    request, document = read_source(options, watch)
    if asks_for_looks(options):
        looks = with_looks(request.settings, options, dataset_of(request))
        request = replace(request, settings=looks)
    kept = replace(document.notes, pins=())
    return request, replace(document, settings=request.settings, notes=kept, unread=0)


def read_source(
    options: argparse.Namespace, watch: "Progress"
) -> tuple[Chosen, "Document"]:
    """Return what is meant: a session or data in ``options.source``, or the options."""
    from kpca_viewer.engine.document.files import load, open_data, refuse_outside
    from kpca_viewer.engine.document.model import Document, DocumentData
    from kpca_viewer.engine.initial_session import first_session

    source = options.source
    if source is None and not asks_for_anything(options):
        # As the window begins.
        request = Chosen(first_session())
        return request, Document(request.settings)
    refuse_two(source, options)
    if source is None or not is_session(source):
        if source is not None:
            options = argparse.Namespace(**{**vars(options), "data": source})
        request = chosen(options, watch)
        return request, Document(request.settings, data=DocumentData(request.file))
    document = load(source)
    if not options.allow_outside:
        refuse_outside(document, Path(source).absolute().parent, ())
    opened = open_data(document, progress=watch)
    notes = (opened.note,) if opened.note else ()
    request = Chosen(document.settings, opened.sources, document.data.file, notes)
    return request, document
