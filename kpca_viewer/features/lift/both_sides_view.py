"""Both sides of the kernel: two points in the data plot, and a window about them."""

from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter

import numpy as np
from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction, QCloseEvent
from PySide6.QtWidgets import QDialog, QGridLayout, QLabel, QVBoxLayout, QWidget

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
from kpca_viewer.support.errors import KpcaError
from kpca_viewer.support.numerals import readable
from kpca_viewer.widgets.controls import NumberField
from kpca_viewer.widgets.controls.behaviour import plain_tip, resize_for_type
from kpca_viewer.widgets.controls.labels import plain_label
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.plots.markers import Marker
from kpca_viewer.widgets.scatter_panel import ScatterPanel
from kpca_viewer.widgets.scene import Changes, Scene, ShowsScene
from kpca_viewer.widgets.theme import theme_of

LARGEST = 1e75
"""What may be typed: squares of squares are still numbers."""


class BothSidesWindow(QDialog):
    """Two points, φ of both, and what the two ways give. Setters emit nothing."""

    # Under a style sheet Qt tells of palettes while the window is still being made.
    _sides: BothSides | None = None

    moved = Signal(int, object)
    """Which point was moved by typing (0 or 1), and where to (x, y)."""
    refused = Signal(str)
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("both_sides_window")
        self.setWindowTitle(text.WINDOW_TITLE)
        self.setModal(False)
        # Undo may bring it back: the keys stay where they are.
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self._fields: list[list[NumberField]] = []
        self._names: list[list[QLabel]] = []
        self._where = _label("rows")
        self._phi = _label("map")
        self._images = [_label("phi_a"), _label("phi_b")]
        self._formula = _label("kernel")
        self._values = [_label("product"), _label("value")]
        self._counts = [_label("map_count"), _label("kernel_count")]
        self._agreement = _label("agreement")
        self._size = _label("size")
        self._said = _label("said")
        self._said.setProperty("role", "error")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 14, 16, 14)
        layout.setSpacing(10)
        layout.addWidget(self._points())
        for label in (self._where, self._said):
            layout.addWidget(label)
        layout.addWidget(self._ways())
        for label in (self._agreement, self._size):
            layout.addWidget(label)
        layout.addStretch(1)
        self._size.setProperty("role", "caption")
        self._where.setProperty("role", "caption")
        resize_for_type(self, 440, 320)

    def stand_beside(self, widget: QWidget) -> None:
        """Move to the right of a widget, as far as the screen has room."""
        corner = widget.mapToGlobal(widget.rect().topRight())
        room = widget.screen().availableGeometry()
        left = min(corner.x() + 12, room.right() - self.width())
        top = min(corner.y() + 12, room.bottom() - self.height())
        self.move(max(left, room.left()), max(top, room.top()))

    def show_points(self, pair: Pair | None, names: Sequence[str], where: str) -> None:
        """Show where the points are: in fields, or in words where they are rows."""
        self._entered.setVisible(pair is not None)
        self._where.setText(where)
        self._where.setVisible(bool(where))
        if pair is None:
            return
        for place, fields, labels in zip(pair, self._fields, self._names, strict=True):
            for value, name, field, label in zip(
                place, names, fields, labels, strict=True
            ):
                label.setText(name)
                point = "ab"[self._fields.index(fields)]
                field.setAccessibleName(text.FIELD.format(name=name, point=point))
                about = text.FIELD_TIP.format(name=name, point=point)
                field.setToolTip(plain_tip(about))
                with QSignalBlocker(field):
                    field.setValue(value)

    def show_sides(self, sides: BothSides, variables: list[str]) -> None:
        self._sides = sides
        self._said.hide()
        self._ways_body.show()
        self._formula.setText(sides.kernel.plain_formula())
        product = sides.product
        for label in (*self._images, self._values[0], self._counts[0]):
            self._in_row(label, product is not None)
        self._phi.setText(
            f"φ(x) = {text.formula_of_map(sides, variables)}"
            if product is not None
            else text.size_of_map(sides)
        )
        if product is not None:
            for index, label in enumerate(self._images):
                label.setText(text.coordinates(sides, index))
        self._write_digits()
        for label, count in zip(
            self._counts, (sides.by_map, sides.by_kernel), strict=True
        ):
            label.setText("" if count is None else text.operations_words(count))
        self._agreement.setText(text.agreement(sides))
        self._agreement.setVisible(product is not None)
        self._size.setText(text.size_of_map(sides))
        self._size.setVisible(product is not None)

    def show_why_not(self, why: str) -> None:
        self._said.setText(why)
        self._said.show()
        for widget in (self._ways_body, self._agreement, self._size):
            widget.hide()

    def _points(self) -> QWidget:
        self._entered = QWidget()
        grid = QGridLayout(self._entered)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        for row, point in enumerate("ab"):
            title = QLabel(point)
            title.setProperty("role", "title")
            grid.addWidget(title, row, 0)
            fields, labels = [], []
            for column, axis in enumerate("xy"):
                label = QLabel(axis)
                label.setTextFormat(Qt.TextFormat.PlainText)
                parameter = Parameter(
                    axis, "", text.FIELD.format(name=axis, point=point), -10, 10, 0.0
                )
                field = NumberField(parameter, (-LARGEST, LARGEST))
                field.setObjectName(f"pair_{point}_{axis}_field")
                field.valueChanged.connect(self._on_typed)
                field.refused.connect(self.refused)
                label.setBuddy(field)
                grid.addWidget(label, row, 1 + 2 * column)
                grid.addWidget(field, row, 2 + 2 * column)
                fields.append(field)
                labels.append(label)
            self._fields.append(fields)
            self._names.append(labels)
        grid.setColumnStretch(5, 1)
        return self._entered

    def _ways(self) -> QWidget:
        self._ways_body = QWidget()
        grid = QGridLayout(self._ways_body)
        grid.setContentsMargins(0, 4, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(5)
        grid.setColumnStretch(1, 1)
        rows: list[tuple[str, QLabel]] = [
            (text.BY_MAP, self._phi),
            ("φ(a)", self._images[0]),
            ("φ(b)", self._images[1]),
            ("", self._counts[0]),
            (text.BY_KERNEL, self._formula),
            ("", self._counts[1]),
            ("φ(a)·φ(b)", self._values[0]),
            ("k(a, b)", self._values[1]),
        ]
        self._titles: dict[QLabel, QLabel] = {}
        for row, (name, label) in enumerate(rows):
            title = QLabel(name)
            is_way = name in (text.BY_MAP, text.BY_KERNEL)
            title.setProperty("role", "title" if is_way else "muted")
            title.setAlignment(Qt.AlignmentFlag.AlignTop)
            grid.addWidget(title, row, 0)
            grid.addWidget(label, row, 1)
            self._titles[label] = title
        for count in self._counts:
            count.setProperty("role", "muted")
        for value in self._values:
            value.setTextFormat(Qt.TextFormat.RichText)
        return self._ways_body

    def _write_digits(self) -> None:
        sides = self._sides
        if sides is None:
            return
        first = sides.value if sides.product is None else sides.product
        one, other, power = written_alike(first, sides.value, sides.largest)
        for label, digits, beside in zip(
            self._values, (one, other), (other, one), strict=True
        ):
            label.setText(self._marked(digits, beside) + power)

    def _in_row(self, label: QLabel, shown: bool) -> None:
        label.setVisible(shown)
        self._titles[label].setVisible(shown)

    def _marked(self, digits: str, beside: str) -> str:
        """Return digits with those underlined that the other number has not."""
        color = theme_of(self.palette()).error
        # Both have as many decimals: one may have a sign or a digit more in front.
        width = max(len(digits), len(beside))
        pairs = zip(digits.rjust(width), beside.rjust(width), strict=True)
        return "".join(
            x if x in (y, " ") else f'<u style="color:{color}">{x}</u>'
            for x, y in pairs
        ).lstrip()

    def _on_typed(self) -> None:
        field = self.sender()
        for index, fields in enumerate(self._fields):
            if field in fields:
                x, y = (part.value() for part in fields)
                self.moved.emit(index, (x, y))

    def reject(self) -> None:
        self.close()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._write_digits()

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit()


def _label(key: str) -> QLabel:
    return plain_label(f"both_sides_{key}", title=text.LABELS[key], selectable=True)


class BothSidesTool(ShowsScene, QObject):
    """Opens the window, and lets it follow points, kernel and selection.

    In a plane the two points are places that can be dragged and typed; the window is
    there as long as they are. In other data they are two rows.

    Parameters
    ----------
    owner : QWidget
        Nothing opens before it is seen.
    panel : ScatterPanel
        Of the data; the window does not cover it.

    Attributes
    ----------
    window : BothSidesWindow or None
        None until it was wanted.
    """

    part = attrgetter("result", "settings.view.pair", "settings.view.data_axes")

    def __init__(
        self, owner: QWidget, panel: ScatterPanel, linking: Linking, changes: Changes
    ) -> None:
        super().__init__(owner)
        self._owner = owner
        self._panel = panel
        self._markers = panel.markers.add()
        self._markers.dragged.connect(self._on_marker_dragged)
        self._linking = linking
        self._changes = changes
        self._of_rows = False
        self.window: BothSidesWindow | None = None
        linking.selection_changed.connect(self._on_selection_changed)

    def open(self) -> None:
        """Compute both sides of two points."""
        result = self.scene.result
        if result is None:
            return
        if _is_plane(result):
            if self.scene.settings.view.pair is None:
                self._change(first_pair(result.dataset))
        else:
            self._of_rows = True
            self.refresh()
        if self.window is not None and self.window.isVisible():
            self.window.raise_()
            self.window.activateWindow()

    def move(self, which: int, place: Place, gesture: str | None = None) -> None:
        pair = self.scene.settings.view.pair
        if pair is not None:
            x, y = (float(value) for value in place)
            self._change(
                ((x, y), pair[1]) if which == 0 else (pair[0], (x, y)), gesture
            )

    def refresh(self) -> None:
        """Compute again while there is a pair; of an empty plane nothing is shown."""
        result = self.scene.result
        self._markers.show(pair_markers(self.scene))
        if result is None:
            self._hide()
            return
        pair = self.scene.settings.view.pair
        plane = _is_plane(result)
        self._of_rows &= not plane
        wanted = pair is not None if plane else self._of_rows
        if wanted and self._owner.isVisible():
            self._show(result, pair if plane else None)
        else:
            self._hide()

    def _hide(self) -> None:
        if self.window is not None and self.window.isVisible():
            self.window.hide()

    def _show(self, result: AnalysisResult, pair: Pair | None) -> None:
        window = self.window or self._made()
        dataset, kernel = result.dataset, result.kernel
        if kernel is None:
            window.show_points(None, (), "")
            window.show_why_not(text.MATRIX)
        else:
            rows = first_rows(dataset, self._linking.selection)
            places = dataset.points[list(rows)] if pair is None else np.array(pair)
            seen = result.scaler.apply(places)
            names = [f"x{j + 1}" for j in range(dataset.d)]
            if pair is not None:
                names = list(variables_of(dataset))
            words = _where(result, rows, seen, pair)
            window.show_points(pair, dataset.feature_names[:2], words)
            try:
                window.show_sides(BothSides.of(kernel, *seen), names)
            except KpcaError as error:
                window.show_why_not(str(error))
        if not window.isVisible():
            # The plot whose points are dragged stays in sight.
            window.stand_beside(self._panel)
            window.show()

    def _made(self) -> BothSidesWindow:
        window = self.window = BothSidesWindow(self._owner.window())
        window.moved.connect(self.move)
        window.refused.connect(self._changes.refused)
        window.closed.connect(self._on_closed)
        # What was typed or dragged is undone from either window.
        for key in ("undo", "redo"):
            action = self._owner.window().findChild(QAction, f"{key}_action")
            if action is not None:
                window.addAction(action)
        return window

    def _change(self, pair: Pair | None, gesture: str | None = None) -> None:
        settings = self.scene.settings
        view = replace(settings.view, pair=pair)
        self._changes.request(replace(settings, view=view), gesture)

    def _on_marker_dragged(self, which: int, place: Place) -> None:
        # One drag is one step of the history.
        self.move(which, place, f"point {which} of both sides")

    def _on_closed(self) -> None:
        self._of_rows = False
        if self.scene.settings.view.pair is not None:
            self._change(None)

    def _on_selection_changed(self) -> None:
        if self._of_rows:
            self.refresh()


def pair_markers(scene: Scene) -> list[Marker]:
    """Return the two points as the data plot shows them; none without a pair."""
    pair, result = scene.settings.view.pair, scene.result
    if pair is None or result is None or not _is_plane(result):
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


def _is_plane(result: AnalysisResult) -> bool:
    return result.kernel is not None and result.dataset.d == 2


def _where(
    result: AnalysisResult, rows: tuple[int, int], seen: np.ndarray, pair: Pair | None
) -> str:
    if pair is None:
        first, second = (row_name(result, row) for row in rows)
        return text.ROWS_COMPARED.format(first=first, second=second)
    if result.settings.data.scaling == "none":
        return ""
    a, b = (f"({readable(x)}, {readable(y)})" for x, y in seen.tolist())
    return text.SCALED.format(a=a, b=b)
