"""The page that derives the picture, joined to scene and linking."""

from collections.abc import Collection, Mapping, Sequence
from operator import attrgetter

import numpy as np
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.stages import SameArray
from kpca_viewer.engine.text.describe import about_mean
from kpca_viewer.features.derivation import text
from kpca_viewer.features.derivation.checks import Check, checks
from kpca_viewer.features.derivation.compute import WHOLE_UP_TO, Derivation, derive
from kpca_viewer.features.derivation.content import (
    DerivationContent,
    PageContent,
    PitfallState,
)
from kpca_viewer.features.derivation.notes import (
    checks_text,
    new_points_note,
    notes_of,
    why_no_new_points,
)
from kpca_viewer.features.derivation.steps_column import MOST_SHOWN
from kpca_viewer.features.derivation.view import DerivationView
from kpca_viewer.widgets.page_view import CaptionWords, PageView
from kpca_viewer.widgets.plots.linking import Linking, Mask
from kpca_viewer.widgets.scene import Changes, Scene

CHECKED_AGAIN = 20_000
"""Rows up to which checks are measured anew for every selection and new point; with
more, only for every result."""


def page_content(
    scene: Scene,
    result: AnalysisResult,
    selection: Mask | None,
    names: Mapping[int, str],
    before: PageContent | None = None,
) -> PageContent:
    """Derive a result, and say what is to be said about it."""
    rows = _selected_rows(result, selection)
    positions = scene.notes.new_points
    impossible = why_no_new_points(result)
    if impossible:
        positions = ()
    last = positions[-MOST_SHOWN:]
    derivation = derive(result, rows[:WHOLE_UP_TO].tolist(), last)
    before_last = len(positions) - len(last)
    notes = notes_of(derivation, len(rows))
    notes["new"] = impossible or new_points_note(result, last, before_last)
    content = DerivationContent(derivation, names, before_last)
    hints = {} if derivation.is_whole or len(rows) else {"points": text.SELECT_OTHERS}
    if not impossible and not positions:
        hints["new"] = text.NO_NEW_POINTS
    return PageContent(
        content,
        notes,
        hints,
        _checks(derivation, before),
        _pitfalls(scene, result),
        positions,
        can_drop=not impossible,
    )


def _checks(derivation: Derivation, before: PageContent | None) -> Sequence[Check]:
    known = None if before is None else before.content.derivation.result
    if (
        before is None
        or known is not derivation.result
        or derivation.n <= CHECKED_AGAIN
    ):
        return checks(derivation)
    return before.checks


def _selected_rows(result: AnalysisResult, selection: Mask | None) -> np.ndarray:
    if selection is None or len(selection) != result.dataset.n:
        # None, or of data that are gone.
        return np.empty(0, dtype=np.intp)
    return np.flatnonzero(selection)


def _pitfalls(scene: Scene, result: AnalysisResult) -> dict[str, PitfallState]:
    """Return what is set of every pitfall, and what the result says about it."""
    wanted, sentences = scene.settings.analysis, list(result.pitfalls)
    is_given = result.dataset.kind == "distances"
    # Distances are always centred, that is what makes products of them.
    done = {
        "center": wanted.center or is_given,
        "normalised": wanted.normalised,
        "centers_new": wanted.centers_new,
    }
    possible = {
        "center": not is_given,
        "normalised": True,
        "centers_new": wanted.center and result.kernel is not None,
    }
    shown = result.settings.analysis
    words = {
        "center": about_mean(result),
        "normalised": sentences.pop(0) if sentences and not shown.normalised else "",
        "centers_new": sentences.pop(0) if sentences and not shown.centers_new else "",
    }
    return {key: PitfallState(done[key], possible[key], words[key]) for key in done}


class DerivationPage(PageView):
    """Every step of kernel PCA, on the rows that are selected or on the first."""

    part = attrgetter("result", "settings.analysis", "notes.new_points")
    is_of_kernel = True

    def __init__(self, linking: Linking, changes: Changes) -> None:
        self.view: DerivationView = DerivationView()
        self.fold = _FoldButton(text.STEP_BY_STEP)
        _set_up(self.fold, "derivation_fold_button")
        self.next = QPushButton(text.NEXT)
        _set_up(self.next, "derivation_next_button")
        self.next.setToolTip(text.NEXT_TIP)
        self.fold.clicked.connect(self._on_fold_clicked)
        self.next.clicked.connect(self.view.show_next)
        self.view.folded_changed.connect(self._show_fold)
        self.tool: QWidget = QWidget()
        row = QHBoxLayout(self.tool)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for button in (self.fold, self.next, self.view.copy_button):
            row.addWidget(button)
        self._show_fold()
        self._linking = linking
        self._changes = changes
        self._drawn: tuple[object, ...] = ()
        self.view.rows_pointed.connect(linking.set_hovered)
        self.view.pitfall_requested.connect(self._on_pitfall_requested)
        self.view.refused.connect(changes.refused)
        self.view.points_requested.connect(changes.points_requested)
        self.view.point_requested.connect(changes.point_requested)
        self.view.copy_button.copied.connect(changes.text_copied)
        linking.hovered_changed.connect(self._on_hovered_changed)
        linking.partner_changed.connect(self._on_hovered_changed)
        linking.selection_changed.connect(self._on_rows_changed)
        linking.names_changed.connect(self._on_rows_changed)

    def show_scene(self, scene: Scene) -> None:
        """Show a scene, unless it and the selected rows are the same here."""
        super().show_scene(scene)
        if self._drawn != self._rows():
            self.refresh()

    def draw(self, result: AnalysisResult) -> None:
        self._drawn = self._rows()
        linking = self._linking
        self.view.show_derivation(
            page_content(
                self.scene, result, linking.selection, linking.names, self.view.shown
            )
        )

    def caption(self, _result: AnalysisResult) -> CaptionWords:
        shown = self.view.shown
        return CaptionWords("" if shown is None else checks_text(shown.checks))

    def let_go(self) -> bool:
        return self.view.let_go()

    def folded(self) -> tuple[str, ...]:
        return self.view.folded()

    def set_folded(self, folded: Collection[str]) -> None:
        self.view.set_folded(folded)
        self._show_fold()

    def cover(self, key: str) -> None:
        """Hide a step, a matrix, a number or the explanation; see `DerivationView`."""
        self.view.set_covered(key, True)

    def uncover(self, key: str) -> None:
        self.view.set_covered(key, False)

    def highlight(self, key: str) -> None:
        """Draw a frame around what has a key; an empty one takes it away."""
        self.view.set_highlighted(key)

    def _show_fold(self) -> None:
        folded = bool(self.view.folded())
        self.fold.setText(text.ALL_STEPS if folded else text.STEP_BY_STEP)
        self.fold.setAccessibleName(self.fold.text())
        self.fold.setToolTip(text.ALL_STEPS_TIP if folded else text.STEP_BY_STEP_TIP)
        self.next.setEnabled(folded)

    def _on_fold_clicked(self) -> None:
        self.set_folded(() if self.view.folded() else tuple(text.LINES)[1:])

    def _rows(self) -> tuple[object, ...]:
        return SameArray(self._linking.selection), dict(self._linking.names)

    def _on_rows_changed(self, _rows: object) -> None:
        # Behind another page it waits until it is turned to.
        if self.view.isVisible():
            self.show_scene(self.scene)

    def _on_hovered_changed(self, _row: object) -> None:
        self.view.mark_rows(self._linking.hovered, self._linking.partner)

    def _on_pitfall_requested(self, key: str, done: bool) -> None:
        settings = self.scene.settings
        with_step = {
            "center": settings.with_center,
            "normalised": settings.with_normalisation,
            "centers_new": settings.with_centred_new_rows,
        }
        self._changes.request(with_step[key](done))


class _FoldButton(QPushButton):
    """As wide with either of its texts: the button beside it stays in its place."""

    def sizeHint(self) -> QSize:
        hint, metrics = super().sizeHint(), self.fontMetrics()
        texts = self.text(), text.STEP_BY_STEP, text.ALL_STEPS
        shown, *widths = map(metrics.horizontalAdvance, texts)
        return QSize(hint.width() + max(widths) - shown, hint.height())


def _set_up(button: QPushButton, name: str) -> None:
    button.setObjectName(name)
    button.setAccessibleName(button.text())
    button.setProperty("role", "link")
