"""A small table in which single columns get a scaling of their own."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from kpca_viewer.data.preparation import (
    COLUMN_SCALING_TITLES,
    ColumnScaling,
    outside_domain,
)
from kpca_viewer.support.numerals import readable
from kpca_viewer.widgets.controls import ElidedLabel
from kpca_viewer.widgets.controls.combos import (
    FindField,
    SearchCombo,
    fill_combo,
    named_combo,
)
from kpca_viewer.widgets.plots.text import elided_apart

MOST_ROWS = 20
"""Columns that have a row at once; of more, which may be thousands, they are found."""

HIGHEST = 200
"""Pixels, beyond which the rows scroll."""

Column = tuple[str, float, float]
"""Name, smallest and largest value."""


class _NameLabel(ElidedLabel):
    """A name that stays different from those of the other columns."""

    def __init__(self, names: Sequence[str], at: int) -> None:
        self._names, self._at = names, at
        super().__init__(names[at])

    def shown_text(self) -> str:
        room = self.contentsRect().width()
        return elided_apart(self._names, self.font(), room)[self._at]


class ColumnScalingTable(QWidget):
    """Name, range and scaling of every column, the ones of their own way first."""

    scaling_chosen = Signal(str, object)
    """A column, and how it is to be scaled; None is as all others."""
    refused = Signal(str)
    """Why a column cannot be scaled so."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("column_scaling")
        self._columns: tuple[Column, ...] = ()
        self._own: Mapping[str, ColumnScaling] = {}
        self._combos: dict[str, SearchCombo] = {}
        self._find = FindField("column_scaling_find", "Find a column")
        self._find.textChanged.connect(self._fill)
        self._more = QLabel()
        self._more.setObjectName("column_scaling_more")
        self._more.setProperty("role", "caption")
        self._more.setWordWrap(True)
        self._area = QScrollArea()
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setWidgetResizable(True)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        for widget in (self._find, self._area, self._more):
            layout.addWidget(widget)

    def show_columns(
        self, columns: Sequence[Column], own: Mapping[str, ColumnScaling]
    ) -> None:
        """Show these columns, of which some have a scaling of their own."""
        if tuple(columns) != self._columns:
            self._columns, self._own = tuple(columns), own
            self._find.setVisible(len(columns) > MOST_ROWS)
            self._fill()
        self._own = own
        for name, combo in self._combos.items():
            _choose(combo, own.get(name))

    def _fill(self) -> None:
        wanted = self._find.text().casefold()
        found = [column for column in self._columns if wanted in column[0].casefold()]
        found.sort(key=lambda column: column[0] not in self._own)
        shown = found[:MOST_ROWS]
        page = QWidget()
        grid = QGridLayout(page)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(2)
        grid.setHorizontalSpacing(8)
        # Both halves give way to the width of the card.
        grid.setColumnStretch(0, 2)
        grid.setColumnStretch(1, 3)
        self._combos = {}
        names = [name for name, _, _ in shown]
        for row, (name, low, high) in enumerate(shown):
            label = _NameLabel(names, row)
            extent = ElidedLabel(f"{readable(low, 3)} … {readable(high, 3)}")
            extent.setProperty("role", "caption")
            combo = self._combo(name, low)
            grid.addWidget(label, 2 * row, 0)
            grid.addWidget(extent, 2 * row + 1, 0)
            grid.addWidget(combo, 2 * row, 1, 2, 1)
            self._combos[name] = combo
        self._area.setWidget(page)
        page.setAutoFillBackground(False)
        self._area.viewport().setAutoFillBackground(False)
        self._area.setFixedHeight(min(HIGHEST, page.sizeHint().height()))
        self._more.setVisible(len(found) > len(shown) or not found)
        self._more.setText(
            f"{len(found) - len(shown):,} more; type a part of their names."
            if found
            else "No column is called so."
        )

    def _combo(self, name: str, low: float) -> SearchCombo:
        combo = named_combo(
            f"column_scaling_{name}",
            f"Scaling of {name}",
            "How this column is scaled. A logarithm is natural, and then standardised.",
        )
        combo.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        _choose(combo, self._own.get(name))

        def on_chosen(index: int) -> None:
            how = combo.itemData(index)
            why = "" if how is None else outside_domain(name, low, how)
            if why:
                _choose(combo, self._own.get(name))
                self.refused.emit(why)
            else:
                self.scaling_chosen.emit(name, how)

        combo.currentIndexChanged.connect(on_chosen)
        return combo


def _choose(combo: SearchCombo, how: ColumnScaling | None) -> None:
    titles: list[tuple[str, object]] = [("As above", None)]
    titles += [(title, key) for key, title in COLUMN_SCALING_TITLES.items()]
    fill_combo(combo, titles, how)
