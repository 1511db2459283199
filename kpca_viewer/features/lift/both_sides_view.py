"""The page Both sides: a kernel value of two points by its map and by its formula."""

from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter

import numpy as np
from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QBoxLayout,
    QFrame,
    QGridLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from kpca_viewer.core.kernels.family import Parameter
from kpca_viewer.engine.notes import Place
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import Pair
from kpca_viewer.engine.text.describe import row_name
from kpca_viewer.features.lift import text
from kpca_viewer.features.lift.both_sides import (
    BothSides,
    first_pair,
    first_rows,
    written_alike,
)
from kpca_viewer.features.lift.compute import variables_of
from kpca_viewer.features.lift.costs import taylor_words
from kpca_viewer.features.lift.own_map_view import (
    OwnMapFold,
    SizesFold,
    marked_digits,
)
from kpca_viewer.support.errors import KpcaError
from kpca_viewer.support.numerals import readable
from kpca_viewer.widgets.contributions import MarkerLayer, Plots
from kpca_viewer.widgets.controls import NumberField
from kpca_viewer.widgets.controls.behaviour import plain_tip
from kpca_viewer.widgets.controls.labels import plain_label
from kpca_viewer.widgets.page_view import PageView
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.plots.markers import Marker
from kpca_viewer.widgets.plots.text import type_scale
from kpca_viewer.widgets.scene import Changes, Scene
from kpca_viewer.widgets.theme import LIGHT, Theme

LARGEST = 1e75
"""What may be typed: squares of squares are still numbers."""

_MAP, _KERNEL = (
    (
        ("map", text.BY_MAP),
        ("phi_a", "φ(a)"),
        ("phi_b", "φ(b)"),
        ("expansion", text.PRODUCTS),
        ("product", "φ(a)·φ(b)"),
        ("map_count", ""),
        ("taylor", ""),
    ),
    (
        ("kernel", text.BY_KERNEL),
        ("value", "k(a, b)"),
        ("kernel_count", ""),
    ),
)
"""The lines of the two ways, each with what stands above it."""

_ABREAST = 480
"""Pixels from which the two ways stand side by side."""

_OF_MAP = "phi_a", "phi_b", "expansion", "map_count", "product"
"""Lines that are there only if φ can be written down."""

_ROLES = {
    "rows": "caption",
    "size": "caption",
    "said": "error",
    "map_count": "muted",
    "kernel_count": "muted",
    "product": "heading",
    "value": "heading",
}


class BothSidesView(QScrollArea):
    """Two points, φ of both, and what the two ways give. Setters emit nothing."""

    moved = Signal(int, object)
    """Which point was moved by typing (0 or 1), and where to (x, y)."""
    refused = Signal(str)
    front_changed = Signal()
    """It is seen now, or no longer."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("both_sides_view")
        self.setAccessibleName(text.PAGE_TITLE)
        self.setProperty("role", "page")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self._theme = LIGHT
        self._sides: BothSides | None = None
        self._fields: list[NumberField] = []
        self._names: list[QLabel] = []
        self.covered: set[str] = set()
        """Keys of lines that a lesson hides, as `labels` has them."""
        self.labels = {
            key: plain_label(
                f"both_sides_{key}", _ROLES.get(key, ""), title=title, selectable=True
            )
            for key, title in text.LABELS.items()
        }
        self._entered, self._ways = self._points(), self._lines()
        body = QWidget()
        layout = QVBoxLayout(body)
        layout.setContentsMargins(20, 12, 20, 12)
        layout.setSpacing(14)
        layout.addWidget(self._entered)
        for key in ("rows", "said"):
            layout.addWidget(self.labels[key])
        layout.addWidget(self._ways)
        for key in ("agreement", "cost", "size"):
            layout.addWidget(self.labels[key])
        self.own, self.sizes = OwnMapFold(), SizesFold()
        self.sizes.refused.connect(self.refused)
        for fold in (self.own, self.sizes):
            layout.addWidget(fold)
        layout.addStretch(1)
        self.setWidget(body)
        for part in (self.viewport(), body):
            part.setAutoFillBackground(False)

    def _points(self) -> QWidget:
        entered = QWidget()
        grid = QGridLayout(entered)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        for row, point in enumerate("ab"):
            title = QLabel(point)
            title.setProperty("role", "title")
            grid.addWidget(title, row, 0)
            for column, axis in enumerate("xy"):
                label = QLabel(axis)
                label.setTextFormat(Qt.TextFormat.PlainText)
                field = NumberField(
                    Parameter(axis, "", "", -10, 10, 0.0), (-LARGEST, LARGEST)
                )
                field.setObjectName(f"pair_{point}_{axis}_field")
                field.valueChanged.connect(self._on_typed)
                field.refused.connect(self.refused)
                label.setBuddy(field)
                grid.addWidget(label, row, 1 + 2 * column)
                grid.addWidget(field, row, 2 + 2 * column)
                self._fields.append(field)
                self._names.append(label)
        grid.setColumnStretch(5, 1)
        return entered

    def _lines(self) -> QWidget:
        ways = QWidget()
        self._abreast = QBoxLayout(QBoxLayout.Direction.TopToBottom, ways)
        self._abreast.setContentsMargins(0, 8, 0, 8)
        self._abreast.setSpacing(24)
        self._titles: dict[str, QLabel] = {}
        for lines in (_MAP, _KERNEL):
            column = QVBoxLayout()
            column.setSpacing(2)
            for key, name in lines:
                if name:
                    title = self._titles[key] = QLabel(name)
                    is_way = name in (text.BY_MAP, text.BY_KERNEL)
                    title.setProperty("role", "heading" if is_way else "muted")
                    title.setContentsMargins(0, 0 if is_way else 12, 0, 0)
                    column.addWidget(title)
                column.addWidget(self.labels[key])
            column.addStretch(1)
            self._abreast.addLayout(column, 1)
        for key in ("product", "value"):
            self.labels[key].setTextFormat(Qt.TextFormat.RichText)
        return ways

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._write_digits()

    def show_points(self, pair: Pair | None, names: Sequence[str], where: str) -> None:
        """Show where the points are: in fields, or in words where they are rows."""
        self._entered.setVisible(pair is not None)
        self._say("rows", where)
        if pair is None:
            return
        values = [value for place in pair for value in place]
        for index, (value, field) in enumerate(zip(values, self._fields, strict=True)):
            words = {"name": names[index % 2], "point": "ab"[index // 2]}
            self._names[index].setText(names[index % 2])
            field.setAccessibleName(text.FIELD.format(**words))
            field.setToolTip(plain_tip(text.FIELD_TIP.format(**words)))
            with QSignalBlocker(field):
                field.setValue(value)

    def show_sides(self, sides: BothSides, variables: list[str]) -> None:
        self._sides = sides
        self._say("said", "")
        self._ways.show()
        has_map = sides.product is not None
        for key in _OF_MAP:
            self.labels[key].setVisible(has_map)
            if key in self._titles:
                self._titles[key].setVisible(has_map)
        size, images = text.size_of_map(sides), ("", "")
        if has_map:
            images = text.coordinates(sides, 0), text.coordinates(sides, 1)
        counts = [
            "" if count is None else text.operations_words(count)
            for count in (sides.by_map, sides.by_kernel)
        ]
        written = f"φ(x) = {text.formula_of_map(sides, variables)}"
        lines = {
            "map": written if has_map else size,
            "phi_a": images[0],
            "phi_b": images[1],
            "expansion": text.expansion(sides),
            "map_count": counts[0],
            "kernel": sides.kernel.plain_formula(),
            "kernel_count": counts[1],
        }
        for key, words in lines.items():
            self.labels[key].setText(words)
        if has_map and not lines["expansion"]:
            self.labels["expansion"].hide()
            self._titles["expansion"].hide()
        taylor = ""
        if sides.kernel.family.gaussian:
            taylor = taylor_words(sides.kernel, sides.a, sides.b, variables)
        self._say("taylor", taylor)
        self._write_digits()
        self._say("agreement", text.agreement(sides))
        self._say("cost", text.same_cost(sides))
        self._say("size", size if has_map else "")
        for key in self.covered:
            self.labels[key].setText(text.COVERED)

    def show_more(self, sides: BothSides, own_map: str | None, n: int) -> None:
        """Show the map that was typed, None where there is no plane; and sizes."""
        self.own.setVisible(own_map is not None)
        if own_map is not None:
            self.own.show_map(sides, own_map, self._theme)
        degree = round(sides.kernel.values.get("degree", 2))
        self.sizes.show_first(len(sides.a), degree, n)

    def reveal(self, part: QWidget) -> None:
        """Scroll to a line; the map that a person types is unfolded."""
        if part is self.own:
            self.own.set_collapsed(False)
        # Until then the area does not know how far it can be scrolled.
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        self.ensureWidgetVisible(part)

    def show_why_not(self, why: str) -> None:
        self._sides = None
        self._say("said", why)
        self._ways.hide()
        self.own.hide()
        for key in ("agreement", "cost", "size"):
            self._say(key, "")

    def _say(self, key: str, words: str) -> None:
        self.labels[key].setText(words)
        self.labels[key].setVisible(bool(words))

    def _write_digits(self) -> None:
        sides = self._sides
        if sides is None:
            return
        first = sides.value if sides.product is None else sides.product
        one, other, power = written_alike(first, sides.value, sides.largest)
        self.labels["product"].setText(marked_digits(one, other, self._theme) + power)
        self.labels["value"].setText(marked_digits(other, one, self._theme) + power)

    def _on_typed(self) -> None:
        which = next(i for i, f in enumerate(self._fields) if f is self.sender()) // 2
        x, y = (field.value() for field in self._fields[2 * which : 2 * which + 2])
        self.moved.emit(which, (x, y))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        way, wide = QBoxLayout.Direction, self.width() >= _ABREAST * type_scale()
        self._abreast.setDirection(way.LeftToRight if wide else way.TopToBottom)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.front_changed.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.front_changed.emit()


class BothSidesPage(PageView):
    """Both sides of two points, which follow the kernel and the selection."""

    part = attrgetter(
        "result",
        *(f"settings.view.{name}" for name in ("pair", "own_map", "data_axes")),
    )
    is_of_kernel = True

    def __init__(self, linking: Linking, changes: Changes) -> None:
        self.view: BothSidesView = BothSidesView()
        self._linking = linking
        self._changes = changes
        self._markers: MarkerLayer | None = None
        self.view.moved.connect(self.move)
        self.view.refused.connect(changes.refused)
        self.view.own.typed.connect(self._on_map_typed)
        self.view.front_changed.connect(self._show_markers)
        linking.selection_changed.connect(self._on_selection_changed)

    def attach(self, plots: Plots) -> None:
        self._markers = plots["data"].markers.add()
        self._markers.dragged.connect(self._on_marker_dragged)

    def move(self, which: int, place: Place, gesture: str | None = None) -> None:
        pair, settings = pair_of(self.scene), self.scene.settings
        if pair is not None:
            x, y = (float(value) for value in place)
            pair = ((x, y), pair[1]) if which == 0 else (pair[0], (x, y))
            view = replace(settings.view, pair=pair)
            self._changes.request(replace(settings, view=view), gesture)

    def draw(self, result: AnalysisResult) -> None:
        self._show_markers()
        dataset, kernel = result.dataset, result.kernel
        if kernel is None:
            self.view.show_points(None, (), "")
            self.view.show_why_not(text.MATRIX)
            return
        pair, rows = pair_of(self.scene), first_rows(dataset, self._linking.selection)
        places = dataset.points[list(rows)] if pair is None else np.array(pair)
        if not result.scaler.takes(places).all():
            self.view.show_points(pair, dataset.feature_names[:2], "")
            self.view.show_why_not(text.NO_LOGARITHM)
            return
        seen = result.scaler.apply(places)
        names = [f"x{j + 1}" for j in range(dataset.d)]
        if pair is not None:
            names = list(variables_of(dataset))
        words = _where(result, rows, seen, pair)
        self.view.show_points(pair, dataset.feature_names[:2], words)
        try:
            sides = BothSides.of(kernel, *seen)
            self.view.show_sides(sides, names)
            typed = None if pair is None else self.scene.settings.view.own_map
            self.view.show_more(sides, typed, dataset.n)
        except KpcaError as error:
            self.view.show_why_not(str(error))

    def draw_nothing(self) -> None:
        self._show_markers()

    def cover(self, key: str) -> None:
        """Hide the number of a line, by a key of its labels: "side:value"."""
        self.view.covered.add(_line_of(key))
        self.refresh()

    def uncover(self, key: str) -> None:
        self.view.covered.discard(_line_of(key))
        self.refresh()

    def _show_markers(self) -> None:
        if self._markers is not None:
            seen = self.view.isVisible()
            self._markers.show(pair_markers(self.scene) if seen else ())

    def _on_map_typed(self, words: str) -> None:
        settings = self.scene.settings.with_view(own_map=words)
        self._changes.request(settings, "your φ")

    def _on_marker_dragged(self, which: int, place: Place) -> None:
        # One drag is one step of the history.
        self.move(which, place, f"point {which} of both sides")

    def _on_selection_changed(self, _rows: object) -> None:
        if self.view.isVisible() and pair_of(self.scene) is None:
            self.refresh()


def _line_of(key: str) -> str:
    line = key.removeprefix("side:")
    if line not in text.LABELS:
        raise KeyError(key)
    return line


def pair_of(scene: Scene) -> Pair | None:
    """Return the two places, at first near two rows; None where there is no plane."""
    result = scene.result
    if result is None or result.kernel is None or result.dataset.d != 2:
        return None
    return scene.settings.view.pair or first_pair(result.dataset)


def pair_markers(scene: Scene) -> list[Marker]:
    """Return the two points as the data plot shows them; none without a pair."""
    pair, result = pair_of(scene), scene.result
    if pair is None or result is None:
        return []
    if scene.settings.view.data_axes not in (None, (0, 1, 2)):
        return []
    names = result.dataset.feature_names
    return [
        Marker(
            place,
            point,
            about="\n".join(
                [
                    text.POINT_MARKER.format(point=point),
                    *(
                        f"{name} = {readable(value)}"
                        for name, value in zip(names, place, strict=True)
                    ),
                ]
            ),
        )
        for point, place in zip("ab", pair, strict=True)
    ]


def _where(
    result: AnalysisResult, rows: tuple[int, int], seen: np.ndarray, pair: Pair | None
) -> str:
    if pair is None:
        first, second = (row_name(result, row) for row in rows)
        return text.ROWS_COMPARED.format(first=first, second=second)
    if result.scaler.how == "none":
        return ""
    a, b = (f"({readable(x)}, {readable(y)})" for x, y in seen.tolist())
    return text.SCALED.format(a=a, b=b)
