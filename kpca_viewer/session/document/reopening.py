"""What is shown when a document is opened over a session that goes on."""

from collections.abc import Mapping
from dataclasses import replace

from kpca_viewer.session.document.model import Document
from kpca_viewer.session.notes import Notes, anchor_in, read_notes
from kpca_viewer.session.settings import SessionSettings
from kpca_viewer.session.sources import Source, Sources


def reopened(
    document: Document,
    settings: SessionSettings,
    notes: Notes,
    opened: Sources,
    sources: Mapping[str, Source],
) -> tuple[SessionSettings, Notes, int]:
    """Return settings and notes of a document, and how many notes could not be read.

    Parameters
    ----------
    document : Document
    settings, notes
        Of the present session. A preset is a way to look at any data: what was noted
        about these stays.
    opened : Sources
        Takes the data of the document in; where other data have their name, which
        somebody may go back to, under another one.
    sources : mapping of str to Dataset or Table
        The data of the document.
    """
    settings, lost = document.applied_to(settings), 0
    if not document.preset:
        notes, lost = read_notes(
            document.row_names,
            document.pins,
            document.sweep,
            document.selection,
            document.new_points,
            anchor_in(document),
        )
    for key, source in sources.items():
        free = opened.free_key(key, source)
        opened[free] = source
        if free != key:
            data = replace(settings.data, source=free)
            settings, notes = replace(settings, data=data), notes.with_source(key, free)
    return settings, notes, lost
