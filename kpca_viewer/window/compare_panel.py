"""The panel beside the spectrum: one page at a time."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QStackedWidget

from kpca_viewer.engine.feature import load
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.text.describe import NOTHING_DRAWN
from kpca_viewer.engine.text.glossary import tip
from kpca_viewer.features.registry import pages
from kpca_viewer.widgets.controls import Segmented
from kpca_viewer.widgets.joined_scatter import JoinedScatter
from kpca_viewer.widgets.page_view import PageView
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.scene import Changes, Scene
from kpca_viewer.widgets.scene_panel import ScenePanel
from kpca_viewer.widgets.theme import Theme

LEAST_PAGE = 192, 96
"""Pixels that a page has at least, in width and height."""


class ComparePanel(ScenePanel):
    """Several ways to look at the same rows beside the embedding.

    Attributes
    ----------
    views : dict of str to PageView
        By the keys of their pages.
    pages_by_key : mapping of str to Page
        What there is, in the order of the buttons.
    """

    page_turned = Signal(str)
    """The key of the page that is shown now."""

    def __init__(self, linking: Linking, changes: Changes) -> None:
        self.pages_by_key = pages()
        self.views: dict[str, PageView] = {
            key: load(page.view)(linking, changes)
            for key, page in self.pages_by_key.items()
        }
        self._stack = QStackedWidget()
        # Pages behind the one in front must not ask a small window for room.
        self._stack.setMinimumSize(*LEAST_PAGE)
        for page in self.views.values():
            self._stack.addWidget(page.view)
        self._nothing = QLabel(NOTHING_DRAWN)
        self._nothing.setObjectName("compare_empty")
        self._nothing.setProperty("role", "muted")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._stack.addWidget(self._nothing)
        super().__init__("Compare", self._stack, changes)
        self.setObjectName("compare_panel")
        for page in self.views.values():
            page.caption_changed = self._show_caption
            if page.tool is not None:
                self.add_tool(page.tool, 1)
        self.pages = Segmented(
            [
                (p.key, p.title, p.tip, p.short or p.title)
                for p in self.pages_by_key.values()
            ],
            "Compare",
            folds=True,
        )
        self.pages.setObjectName("compare_pages")
        self.pages.value_changed.connect(self.show_page)
        self.add_tool(self.pages)
        self.set_title_optional()
        self.show_page(self.pages.value())

    @property
    def pca(self) -> JoinedScatter:
        """The plot of linear PCA."""
        view = self.views["pca"].view
        assert isinstance(view, JoinedScatter)
        return view

    def close_asides(self) -> None:
        """End what pages compute for themselves."""
        for page in self.views.values():
            if page.aside is not None:
                page.aside.close()

    def let_go(self) -> bool:
        """Forget what the page in front keeps; returns whether there was anything."""
        return self._page.let_go()

    def set_theme(self, theme: Theme) -> None:
        for page in self.views.values():
            page.set_theme(theme)

    def show_page(self, key: str) -> None:
        """Turn to a page."""
        page = self.views[key]
        self.pages.set_value(key)
        self._turn()
        self.set_title(self.pages_by_key[key].title)
        self.set_about(tip(*self.pages_by_key[key].terms))
        for other in self.views.values():
            if other.tool is not None:
                self.set_tool_wanted(other.tool, other is page)
        self.refresh()
        self.show_age()
        self.page_turned.emit(key)

    def show_scene(self, scene: Scene) -> None:
        """Draw a scene, unless it looks the same on the page in front."""
        super().show_scene(scene)
        for page in self.views.values():
            # Changes of its tool start from the newest.
            page.scene = scene
        if scene.result is not None:
            # It may show more of the scene than other panels.
            self._page.show_scene(scene)

    def draw(self, _result: AnalysisResult) -> None:
        """Draw the page in front; the others follow when they are turned to."""
        self._turn()
        self._page.show_scene(self.scene)
        self._show_caption()

    def _show_caption(self) -> None:
        if self.scene.result is not None:
            result = self.scene.result
            words = self._page.caption(result)
            text = words.text
            if result.full_fit is not None:
                # Pages need their points, which are those of the sample.
                drawn = f"Of the {result.dataset.n:,} rows drawn"
                text = f"{drawn}: {text}" if text else f"{drawn}."
            self.set_caption(text, tip=words.tip, more_follows=words.more_follows)

    def draw_nothing(self) -> None:
        """Show on every page that there are no rows."""
        for page in self.views.values():
            page.show_empty(self.scene)
        self._turn()

    def _turn(self) -> None:
        """Bring the page to the front, or that there is nothing on it."""
        empty = self.scene.is_empty
        self._stack.setCurrentWidget(self._nothing if empty else self._page.view)

    def is_behind(self) -> bool:
        """Return whether a film plays of other data or another matrix, or a page waits.

        What a page alone shows may be on its way.
        """
        behind = self.scene.played is not None and self._page.is_of_kernel
        return behind or self.scene.plays_other_data or self._page.is_late()

    def has_caption_behind(self) -> bool:
        """Return whether a film plays; linear PCA knows no kernel, its verdict does."""
        return self.scene.played is not None

    @property
    def _page(self) -> PageView:
        return self.views[self.pages.value()]
