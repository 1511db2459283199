"""``kpca-viewer render --out page.html``: the embedding as a page to share."""

from collections.abc import Collection
from pathlib import Path

from kpca_viewer.cli.drawing import Computed
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.sweep.run import run_sweep
from kpca_viewer.export.page import contents, film_of, page_html
from kpca_viewer.features.report.methods import methods_paragraph
from kpca_viewer.features.report.subject import Subject
from kpca_viewer.support.atomic import write_atomically


def save_page(
    target: Path, shown: Computed, columns: Collection[str], without: Collection[str]
) -> str:
    """Save the page of a session, its sweep a slider; return in words what is in it."""
    result, note = shown.result, shown.scene.notes.sweep
    swept = None
    if note is not None:
        request = AnalysisRequest(note.base, dict(shown.opened))
        swept = run_sweep(request, note.sweep, StageCache())
    subject = Subject(result, shown.scene.settings.view, shown.document.data.file)
    page = page_html(
        result,
        columns=columns,
        without=without,
        film=film_of(swept, result),
        methods=methods_paragraph(subject),
    )
    write_atomically(target, page.encode())
    return contents(result, columns, without)
