"""The page *Is it real?*, joined to the scene."""

from dataclasses import replace
from typing import Any

import numpy as np

from kpca_viewer.core.methods.random_baseline import NINE, Null, Reality, Round
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.text.describe import axis_title
from kpca_viewer.engine.text.glossary import tip
from kpca_viewer.engine.text.undo_titles import NULL_TITLES
from kpca_viewer.features.random_baseline.compute import REALITY, new_round
from kpca_viewer.features.random_baseline.text import (
    NULL_SHORT,
    NULL_WORDS,
    explanation,
    guess_words,
    headline,
    summary,
)
from kpca_viewer.features.random_baseline.view import Picture, RealityView
from kpca_viewer.support.arrays import Array
from kpca_viewer.widgets.controls import Segmented
from kpca_viewer.widgets.page_view import CaptionWords, PageView
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.scene import Changes

WAITING = "The same kernel is applied to random data …"
FIND = "One of nine is the data: which?"


class RealityPage(PageView):
    """The picture beside random data, or among eight of them."""

    is_of_kernel = True

    def __init__(self, _linking: Linking, changes: Changes) -> None:
        self.view: RealityView = RealityView()
        self._changes = changes
        self._guess: int | None = None
        self._about: tuple[Reality, int] | None = None
        self._drawn: AnalysisResult | None = None
        self.tool: Segmented = Segmented(
            [
                ("permuted", NULL_TITLES["permuted"], _tip("permuted"), "Perm."),
                ("gaussian", NULL_TITLES["gaussian"], _tip("gaussian"), "Gauss"),
            ],
            "Random data",
        )
        self.tool.setObjectName("reality_null")
        self.tool.value_changed.connect(self._on_null_changed)
        self.view.what.value_changed.connect(self._on_what_changed)
        self.view.draw_requested.connect(self._on_draw_requested)
        self.view.resized.connect(self.refresh)
        self.view.plot.picture_chosen.connect(self._on_picture_chosen)

    def draw(self, result: AnalysisResult) -> None:
        """Draw what was compared; while a slider moves, what was before."""
        view, found = self.scene.settings.view, result.get(REALITY)
        self.tool.set_value(view.null)
        self.view.show_what(view.real)
        compared = None if found is None else found.compared
        self.view.again.setEnabled(compared is not None)
        if found is None or compared is None:
            self._forget_round(unless_of=result)
            if found is not None or not self.view.plot.pictures:
                self.view.plot.show_nothing(WAITING if found is None else found.refusal)
                self.view.say("")
            return
        about = compared, view.null_draw
        if about != self._about:
            self._about, self._guess = about, None
            self.view.plot.point_at_none()
        self._drawn = result
        if view.real == "nine":
            self._show_nine(result, compared)
        else:
            self._show_beside(result, compared, headline(found))

    def _forget_round(self, unless_of: AnalysisResult) -> None:
        """Take away pictures of other rows: what was guessed is about these."""
        if not unless_of.has_rows_of(self._drawn):
            self.view.plot.show_nothing(WAITING)
            self.view.say("")

    def draw_nothing(self) -> None:
        self.view.plot.show_nothing("")
        self.view.say("")

    def is_late(self) -> bool:
        """Return whether other random data than those shown are on their way."""
        result = self.scene.result
        waits = result is not None and result.get(REALITY) is None
        return waits and bool(self.view.plot.pictures)

    def caption(self, result: AnalysisResult) -> CaptionWords:
        """Return what was measured; not before a guess."""
        found, view = result.get(REALITY), self.scene.settings.view
        if found is None:
            words = "" if result.at_rest else "It follows as soon as the slider rests."
            return CaptionWords(words, more_follows=True)
        compared = found.compared
        if compared is None or (view.real == "nine" and self._guess is None):
            return CaptionWords()
        text = summary(found, view.null, result.dataset.n)
        return CaptionWords(text, f"{explanation(compared)}\n{tip('random_data')}")

    def _show_beside(self, result: AnalysisResult, found: Reality, said: str) -> None:
        view, count = self.scene.settings.view, self.view.beside()
        against = found.by(view.null)
        colors = self.scene.colors
        codes = None if colors is None else colors.codes[found.rows]
        data = _plane(result.scores[found.rows][:, found.axes])
        pictures = [Picture(data, "Your data", codes)]
        title = NULL_SHORT[against.null]
        for draw in range(view.null_draw, view.null_draw + count - 1):
            place = draw % len(against.drawn)
            pictures.append(
                Picture(_plane(against.drawn[place]), f"{title}, draw {place + 1}")
            )
        self.view.say("")
        self.view.plot.show_pictures(
            pictures,
            count,
            self._axis_names(result, found),
            colors,
            below=said,
        )

    def _show_nine(self, result: AnalysisResult, found: Reality) -> None:
        view = self.scene.settings.view
        drawn = found.by(view.null).drawn
        dealt = Round.of(view.null_draw, len(drawn))
        pictures = []
        for place in range(NINE):
            draw = dealt.draw_at(place)
            scores = found.picture if draw is None else drawn[draw]
            mark = ""
            if self._guess is not None and draw is None:
                mark = "right"
            elif self._guess == place:
                mark = "wrong"
            pictures.append(Picture(_plane(scores), str(place + 1), mark=mark))
        words = FIND if self._guess is None else guess_words(self._guess, dealt.place)
        self.view.say(words)
        self.view.plot.show_pictures(
            pictures,
            _columns_of_nine(self.view.plot.width(), self.view.plot.height()),
            self._axis_names(result, found),
            None,
            can_choose=True,
        )

    def _axis_names(self, result: AnalysisResult, found: Reality) -> tuple[str, str]:
        names = [axis_title(result, axis) for axis in found.axes[:2]]
        return names[0], names[1] if len(names) > 1 else ""

    def _change(self, **changes: Any) -> None:
        settings = self.scene.settings
        view = replace(settings.view, **changes)
        self._changes.request(replace(settings, view=view))

    def _on_null_changed(self, key: str) -> None:
        self._change(null=key)

    def _on_what_changed(self, key: str) -> None:
        if key == "nine":
            self._change(real=key, null_draw=new_round())
        else:
            self._change(real=key)

    def _on_draw_requested(self) -> None:
        view = self.scene.settings.view
        if view.real == "nine":
            self._change(null_draw=new_round())
        else:
            self._change(null_draw=view.null_draw + self.view.beside() - 1)

    def _on_picture_chosen(self, place: int) -> None:
        if self._guess is None:
            self._guess = place
            self.refresh()
            self.caption_changed()


def _tip(null: Null) -> str:
    return f"Random data: {NULL_WORDS[null]}"


def _plane(scores: Array) -> Array:
    """Return the first two columns of scores (m, k); a second one of zeros for one."""
    if scores.shape[1] > 1:
        return np.asarray(scores[:, :2], dtype=np.float64)
    return np.column_stack([scores[:, 0], np.zeros(len(scores))])


def _columns_of_nine(width: int, height: int) -> int:
    """Return how many of nine stand in a line: all, five or three."""
    return 3 if width < 2.4 * height else 5
