"""What must be true whenever the window has come to rest, whatever was done to it."""

from PySide6.QtWidgets import QLabel

from kpca_viewer.features import registry
from kpca_viewer.window.app import Viewer


def restless(viewer: Viewer) -> list[str]:
    """Return what is still computed, read, swept, shown by turns or moving."""
    board, choosing = viewer.window.board, viewer.controllers["kernel_search"].runner
    found = {
        "analysis": viewer.runner.busy,
        "file": viewer.controllers["import_sheet"].runner.busy,
        "sweep": viewer.controllers["sweep"].runner.busy,
        "choice": choosing is not None and choosing.busy,
        "panels": not board.is_settled(),
        "points": board.embedding.view.glide.running,
    }
    return [name for name, moves in found.items() if moves]


def broken(viewer: Viewer) -> list[str]:
    """Return what is wrong with a window at rest, in words."""
    found = [*_of_picture(viewer), *_of_words(viewer)]
    return [f"{words} ({viewer.store.settings.data.source})" for words in found]


def _of_picture(viewer: Viewer) -> list[str]:
    presenter, board = viewer.presenter, viewer.window.board
    result, settings = presenter.result, viewer.store.settings
    if result is None:
        return []
    found, n = [], result.dataset.n
    if not board.columns.shows(board.embedding) and not board.is_presenting:
        found.append(f"{board.workspace} has no embedding")
    card = viewer.controllers["selection"].card
    if not card.isHidden() and board.linking.selection is None:
        found.append("the card tells of a selection that there is not")
    if (
        settings.needs_analysis(result.settings, registry.stages())
        and not board.embedding.is_dimmed()
    ):
        found.append("the picture is not of the settings, and does not say so")
    selection = board.linking.selection
    if selection is not None and len(selection) != n:
        found.append(f"{len(selection)} rows are selected or not, of {n}")
    if (
        not board.embedding.is_dimmed()
        and not viewer.controllers["sweep"].strip.playing
    ):
        # What has no place in the workspace is drawn when it gets one.
        shown = filter(board.columns.shows, (board.data, board.embedding))
        for panel in shown:
            count = panel.view.point_count
            if count not in (0, n, n + _new_rows(result)):
                found.append(f"{panel.title()} shows {count} points of {n}")
    return found


def _new_rows(result) -> int:
    return 0 if result.new_scores is None else len(result.new_scores)


def _of_words(viewer: Viewer) -> list[str]:
    """Look at the labels that have a name; others are cells of tables."""
    return [
        f"{label.objectName()} is empty"
        for label in viewer.window.findChildren(QLabel)
        if label.isVisible()
        and label.objectName() not in ("", "selection_label")
        and not label.text()
        and label.pixmap().isNull()
    ]
