"""The panel whose pages belong to the workspace: one at a time, the others as tabs."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QStackedWidget, QVBoxLayout, QWidget

from kpca_viewer.engine.feature import WORKSPACES, load
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

FIRST = ("derivation",)
"""Pages that their workspace begins with, whatever number their key has."""

LEAST_PAGE = 192, 96
"""Pixels that a page has at least, in width and height."""


class PagePanel(ScenePanel):
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
    page_needed = Signal(str)
    """The key of a page that is drawn now, although another one is in front."""
    workspace_requested = Signal(str)
    """A page was requested that has its place in another workspace."""

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
        self._nothing.setObjectName("page_empty")
        self._nothing.setProperty("role", "muted")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._stack.addWidget(self._nothing)
        # Tabs keep their full names: what a page adds has a line of its own.
        self._tools = QWidget()
        tools = QHBoxLayout(self._tools)
        tools.setContentsMargins(8, 0, 8, 2)
        for page in self.views.values():
            if page.tool is not None:
                tools.addWidget(page.tool)
        tools.addStretch(1)
        body = QWidget()
        self._column = QVBoxLayout(body)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(self._tools)
        self._column.addWidget(self._stack, 1)
        super().__init__("Pages", body, changes)
        self.setObjectName("page_panel")
        for page in self.views.values():
            page.caption_changed = self._show_caption
        self.workspace = "explore"
        self._presents = self._on_one_row = False
        self._tabs: dict[str, Segmented] = {}
        for workspace, title in WORKSPACES.items():
            shown = [
                page
                for page in self.pages_by_key.values()
                if workspace in page.workspaces
            ]
            # Those that are at home here come first.
            shown.sort(key=lambda page: page.workspaces.index(workspace))
            shown.sort(key=lambda page: page.key not in FIRST)
            tabs = Segmented(
                [(page.key, page.title, page.tip) for page in shown],
                f"Pages of {title}",
                folds=True,
            )
            tabs.setObjectName(f"{workspace}_pages")
            tabs.value_changed.connect(self.show_page)
            self._tabs[workspace] = tabs
            self.add_tool(tabs)
            self.set_tool_wanted(tabs, workspace == self.workspace)
        self.set_title_optional()
        self.show_page(self.pages.value())

    @property
    def pages(self) -> Segmented:
        """The tabs of the workspace; the value is the key of the page in front."""
        return self._tabs[self.workspace]

    def pages_behind(self) -> tuple[tuple[str, str], ...]:
        """Return the page in front of every workspace but this one."""
        return tuple(
            (key, tabs.value())
            for key, tabs in self._tabs.items()
            if key != self.workspace
        )

    def set_pages_behind(self, pages: Sequence[tuple[str, str]]) -> None:
        """Let other workspaces begin with these pages. Emits nothing."""
        for workspace, key in pages:
            places = self.pages_by_key[key].workspaces if key in self.views else ()
            if workspace != self.workspace and workspace in places:
                self._tabs[workspace].set_value(key)

    def show_workspace(self, workspace: str) -> None:
        """Offer the pages of a workspace, the one in front that was there last."""
        if workspace == self.workspace:
            return
        self.workspace = workspace
        for key, tabs in self._tabs.items():
            self.set_tool_wanted(tabs, key == workspace)
        self._place_tools()
        self.show_page(self.pages.value())

    def set_presenting(self, on: bool) -> None:
        """Leave the page more height in front of a class: tabs fold for its tools."""
        self._presents = on
        self._place_tools()

    def _place_tools(self) -> None:
        # Other workspaces have no panel that is wide enough.
        on_one_row = self._presents and self.workspace == "explain"
        if on_one_row == self._on_one_row:
            return
        self._on_one_row = on_one_row
        if on_one_row:
            self.add_tool(self._tools)
        else:
            self.remove_tool(self._tools)
            self._column.insertWidget(0, self._tools)
        self._show_tools()

    def _show_tools(self) -> None:
        has_tool = self._page.tool is not None
        if self._on_one_row:
            self.set_tool_wanted(self._tools, has_tool)
        else:
            self._tools.setVisible(has_tool)

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
        """Turn to a page, in the workspace that has it."""
        page, places = self.views[key], self.pages_by_key[key].workspaces
        if self.workspace not in places:
            self._tabs[places[0]].set_value(key)
            self.workspace_requested.emit(places[0])
            return
        self.pages.set_value(key)
        self._turn()
        self.set_title(self.pages_by_key[key].title)
        self.set_about(tip(*self.pages_by_key[key].terms))
        for other in self.views.values():
            if other.tool is not None:
                other.tool.setVisible(other is page)
        self._show_tools()
        self.refresh()
        self.show_age()
        self.page_turned.emit(key)

    def update_page(self, key: str) -> None:
        """Draw the newest scene on a page that may not be in front."""
        if self.scene.result is not None:
            self.views[key].show_scene(self.scene)
            self.page_needed.emit(key)

    def show_scene(self, scene: Scene) -> None:
        """Draw a scene, unless it looks the same on the page in front."""
        super().show_scene(scene)
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
