"""The page that tells what lies at a place, joined to the scene."""

from dataclasses import replace
from typing import Any

from kpca_viewer.session.result import AnalysisResult
from kpca_viewer.ui.board.page_view import PageView
from kpca_viewer.ui.board.preimages.place_view import PlaceView
from kpca_viewer.ui.look.theme import Theme
from kpca_viewer.ui.plots.linking import Linking
from kpca_viewer.ui.scene import Wishes


class PreImagePage(PageView):
    """Values and pictures of a place in the embedding; the tools of the board fill it.

    Attributes
    ----------
    let_go_wished : callable or None
        Forgets the place that is kept; returns whether there was one.
    """

    is_of_kernel = True

    def __init__(self, _linking: Linking, wishes: Wishes) -> None:
        self.view: PlaceView = PlaceView()
        self._wishes = wishes
        self.let_go_wished: Any = None
        self.view.method_chosen.connect(self._on_method_chosen)
        self.view.held_chosen.connect(self._on_held_chosen)

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme: those of the style sheet."""
        self.view.update()

    def draw(self, _result: AnalysisResult) -> None:
        """Show the choices."""
        self.view.show_choices(self.scene.settings.view)

    def let_go(self) -> bool:
        """Forget the place that is kept; returns whether there was one."""
        return self.let_go_wished is not None and bool(self.let_go_wished())

    def _on_method_chosen(self, method: str) -> None:
        self._wish(preimage=method)

    def _on_held_chosen(self, held: str) -> None:
        self._wish(held=held)

    def _wish(self, **changes: object) -> None:
        settings = self.scene.settings
        view = replace(settings.view, **changes)  # type: ignore[arg-type]
        self._wishes.wish(replace(settings, view=view))
