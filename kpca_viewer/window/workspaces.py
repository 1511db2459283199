"""Where panels stand: three columns between splitters, arranged anew per workspace.

The embedding is the stage of every workspace. Widgets that features add have a place
in one workspace: in a column left of the stage, below it, or below the page panel.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

HANDLE = 8
"""Pixels between panels."""


@dataclass(frozen=True)
class Arrangement:
    """The panels of a workspace by their keys, and the shares that they begin with."""

    left: tuple[str, ...] = ()
    stage: tuple[str, ...] = ("embedding",)
    right: tuple[str, ...] = ("pages",)
    widths: tuple[int, int, int] = (0, 735, 265)
    heights: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Of the panels of a column, by its name."""


ARRANGEMENTS = {
    "explore": Arrangement(
        right=("data", "spectrum", "pages"), heights={"right": (38, 26, 36)}
    ),
    "sweep": Arrangement(
        right=("pages", "spectrum"),
        widths=(0, 58, 42),
        heights={"right": (66, 34), "stage": (72, 28)},
    ),
    "explain": Arrangement(
        stage=("data", "embedding"), widths=(0, 38, 62), heights={"stage": (38, 62)}
    ),
    "decide": Arrangement(widths=(225, 455, 320), heights={"right": (53, 47)}),
}

FAVOURED = 58
"""Percent of the height of a column that a panel has which is looked at most."""

PRESENTED = (0, 62, 38)
"""Shares of the columns where only stage and data are shown, for a class."""

PLACES = {"left": "left", "below": "stage", "side": "right"}
"""The columns that widgets of features stand in, by the name of their place."""

SMALLEST = {"left": 220, "stage": 300, "right": 240}
"""Pixels in width that a column has at least."""


def _spread(room: int, shares: Sequence[int]) -> list[int]:
    return [round(room * share / sum(shares)) for share in shares]


class _Column(QSplitter):
    """Panels below each other, at least so wide, and as wide as their tools need."""

    def __init__(self, least: int) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self._least = least

    def minimumSizeHint(self) -> QSize:
        return super().minimumSizeHint().expandedTo(QSize(self._least, 0))


class Columns(QWidget):
    """Three columns of panels.

    Parameters
    ----------
    panels : mapping of str to QWidget
        By the keys of `ARRANGEMENTS`.
    """

    def __init__(self, panels: Mapping[str, QWidget]) -> None:
        super().__init__()
        self.setObjectName("columns")
        self._splitter = QSplitter(Qt.Orientation.Horizontal)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._splitter)
        self._panels = dict(panels)
        self._added: dict[str, list[tuple[str, QWidget]]] = {}
        self._sizes: dict[str, dict[str, list[int]]] = {}
        self.workspace = ""
        self.swapped = ""
        self._favoured = ""
        self._only: tuple[str, ...] | None = None
        # Panels that have no place now wait here, hidden.
        self._aside = QWidget(self)
        self._aside.hide()
        self._waiting = QVBoxLayout(self._aside)
        self._columns = {}
        for name in ("left", "stage", "right"):
            column = _Column(SMALLEST[name])
            column.setObjectName(f"{name}_column")
            self._columns[name] = column
            self._splitter.addWidget(column)
        for splitter in (self._splitter, *self._columns.values()):
            splitter.setChildrenCollapsible(False)
            splitter.setHandleWidth(HANDLE)
            splitter.splitterMoved.connect(self._on_moved)

    def add(self, widget: QWidget, workspace: str, place: str) -> None:
        """Give a widget a place in one workspace; it is hidden in all others."""
        widget.installEventFilter(self)
        self._added.setdefault(workspace, []).append((place, widget))
        if workspace == self.workspace:
            self.arrange(workspace)
        else:
            self._put_aside(widget)

    def arrange(
        self, workspace: str, swapped: str = "", only: tuple[str, ...] | None = None
    ) -> None:
        """Put every panel of a workspace into its column.

        Parameters
        ----------
        swapped : str
            The panel that has changed places with the embedding; empty for none.
        only : tuple of str, optional
            Leave out all other panels.
        """
        self.workspace, self.swapped, self._only = workspace, swapped, only
        wanted = self._wanted()
        shown = [widget for column in wanted.values() for widget in column]
        for widget in self._everything():
            if widget not in shown:
                self._put_aside(widget)
        for name, widgets in wanted.items():
            for index, widget in enumerate(widgets):
                if self._columns[name].widget(index) is not widget:
                    self._columns[name].insertWidget(index, widget)
                # What a feature has hidden by itself stays so.
                if widget in self._panels.values():
                    widget.show()
            self._columns[name].setVisible(bool(widgets))
        self._restore_sizes()

    def favour(self, key: str) -> None:
        """Give a panel most of the height of its column; an empty key, none."""
        if key != self._favoured:
            self._favoured = key
            self._restore_sizes()

    def shows(self, widget: QWidget) -> bool:
        """Return whether a widget has a place in the workspace."""
        return not self._aside.isAncestorOf(widget)

    def reset(self) -> None:
        """Give every panel of every workspace its first share again."""
        self._sizes.clear()
        self._restore_sizes()

    def sizes_by_workspace(self) -> dict[str, dict[str, list[int]]]:
        """Return what was chosen for every workspace that was seen."""
        return {key: dict(sizes) for key, sizes in self._sizes.items()}

    def set_sizes_by_workspace(
        self, sizes: Mapping[str, Mapping[str, list[int]]]
    ) -> None:
        self._sizes = {key: dict(each) for key, each in sizes.items()}
        self._restore_sizes()

    def _wanted(self) -> dict[str, list[QWidget]]:
        wanted: dict[str, list[QWidget]] = {}
        for name in self._columns:
            keys = self._keys(name)
            if self._only is not None:
                keys = [key for key in keys if key in self._only]
            wanted[name] = [self._panels[key] for key in keys]
        if self._only is None:
            for place, widget in self._added.get(self.workspace, ()):
                wanted[PLACES[place]].append(widget)
        return wanted

    def _keys(self, column: str) -> list[str]:
        """Return the keys of the panels of a column."""
        trade = {self.swapped: "embedding", "embedding": self.swapped or "embedding"}
        keys = getattr(ARRANGEMENTS[self.workspace], column)
        return [trade.get(key, key) for key in keys]

    def _everything(self) -> list[QWidget]:
        added = [widget for each in self._added.values() for _, widget in each]
        return [*self._panels.values(), *added]

    def _put_aside(self, widget: QWidget) -> None:
        if widget.parent() is not self._aside:
            # A widget that was never shown is no widget that was hidden.
            explicit = Qt.WidgetAttribute.WA_WState_ExplicitShowHide
            hidden = widget.isHidden() and widget.testAttribute(explicit)
            self._waiting.addWidget(widget)
            widget.setHidden(hidden)

    @property
    def _key(self) -> str:
        """Under which sizes are kept: each set of columns has its own."""
        return self.workspace if self._only is None else f"{self.workspace}.only"

    def _on_moved(self) -> None:
        sizes = {"columns": self._splitter.sizes()}
        sizes |= {name: column.sizes() for name, column in self._columns.items()}
        self._sizes[self._key] = sizes

    def _restore_sizes(self) -> None:
        if not self.workspace:
            return
        arrangement = ARRANGEMENTS[self.workspace]
        widths = arrangement.widths if self._only is None else PRESENTED
        kept = self._sizes.get(self._key, {})
        columns = kept.get("columns") or _spread(self.width(), widths)
        self._splitter.setSizes(columns)
        for name, column in self._columns.items():
            shares = arrangement.heights.get(name, (1,) * column.count())
            keys = self._keys(name)
            if self._favoured in keys and len(keys) > 1:
                rest = round((100 - FAVOURED) / (len(keys) - 1))
                shares = tuple(FAVOURED if k == self._favoured else rest for k in keys)
            sizes = kept.get(name) or _spread(column.height(), shares)
            if len(sizes) == column.count():
                column.setSizes(sizes)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share other room out in the same way, unless splitters were moved."""
        super().resizeEvent(event)
        self._restore_sizes()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Hide a column whose widgets are all hidden."""
        kinds = (QEvent.Type.ShowToParent, QEvent.Type.HideToParent)
        if event.type() in kinds and isinstance(watched, QWidget):
            column = watched.parentWidget()
            if isinstance(column, QSplitter) and column in self._columns.values():
                parts = (column.widget(index) for index in range(column.count()))
                column.setVisible(any(part and not part.isHidden() for part in parts))
        return super().eventFilter(watched, event)
