"""CompareNumbers: the measures of two pins beside each other, and their difference."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from kpca_viewer.engine.sweep.measures import MEASURES
from kpca_viewer.engine.text.describe import components_text
from kpca_viewer.features.sweep.difference import Difference
from kpca_viewer.features.sweep.view.compare.pin import LABELLED, ROWS, Pin, compared_by
from kpca_viewer.support.numerals import percent

_Line = tuple[str, str, str, str]
"""A title, what the left and the right pin have, and a tooltip."""


class CompareNumbers(QWidget):
    """A table in two halves, as wide as the pictures above it."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("compare_numbers")
        self.setAccessibleName("Differences in numbers")
        grid = QGridLayout(self)
        grid.setContentsMargins(12, 4, 12, 10)
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(2)
        self._labels: list[list[QLabel]] = []
        count = len(compared_by()) + 3
        half = (count + 1) // 2
        self._heads: list[QLabel] = []
        for place, text in ((1, "left"), (2, "right"), (5, "left"), (6, "right")):
            head = QLabel(text)
            head.setTextFormat(Qt.TextFormat.PlainText)
            head.setProperty("role", "caption")
            head.setAlignment(Qt.AlignmentFlag.AlignRight)
            grid.addWidget(head, 0, place)
            self._heads.append(head)
        for row in range(count):
            labels = []
            for column in range(3):
                label = QLabel()
                label.setTextFormat(Qt.TextFormat.PlainText)
                if column == 0:
                    label.setProperty("role", "muted")
                else:
                    label.setAlignment(Qt.AlignmentFlag.AlignRight)
                place = column + (0 if row < half else 4)
                grid.addWidget(label, 1 + row % half, place)
                labels.append(label)
            self._labels.append(labels)
        self._measured = QLabel()
        self._measured.setObjectName("compare_measured_label")
        self._measured.setProperty("role", "caption")
        self._measured.setTextFormat(Qt.TextFormat.PlainText)
        self._measured.setWordWrap(True)
        grid.addWidget(self._measured, 1 + half, 0, 1, 8)
        grid.setColumnStretch(3, 1)
        grid.setColumnStretch(7, 2)

    @property
    def heads(self) -> list[str]:
        return [head.text() for head in self._heads]

    def show_pair(
        self, pair: tuple[Pin, Pin] | None, difference: Difference | None
    ) -> None:
        """Show what is known about two pins; nothing without them."""
        lines = [] if pair is None else _measures(pair)
        if difference is not None:
            lines += _apart(difference)
        self._measured.setText("" if pair is None else measured_text(pair))
        self._measured.setVisible(pair is not None)
        sides = ("left", "right") if pair is None else _sides(pair)
        for head, text in zip(self._heads, sides, strict=False):
            head.setText(text)
        for head in self._heads:
            head.setVisible(pair is not None)
        for row, labels in enumerate(self._labels):
            *texts, about = lines[row] if row < len(lines) else ("", "", "", "")
            for label, text in zip(labels, texts, strict=True):
                label.setText(text)
                label.setToolTip(about)
                label.setVisible(row < len(lines))


def measured_text(pair: tuple[Pin, Pin]) -> str:
    """Say on which components and how many rows the measures are."""
    left, right = (_measured(pin) for pin in pair)
    if left == right:
        return f"Measured on {left}."
    return f"Measured on {left} (left), on {right} (right)."


def _measured(pin: Pin) -> str:
    parts, rows = [components_text(pin.scored_axes)], pin.measures.get(ROWS)
    if rows is not None:
        parts.append(_counted(int(rows), pin.count))
    labelled = pin.measures.get(LABELLED)
    if labelled and labelled != rows:
        parts.append(f"classes on {_counted(int(labelled), pin.count)}")
    return ", ".join(parts)


def _counted(rows: int, count: int) -> str:
    return f"all {count:,} rows" if rows == count else f"{rows:,} of {count:,} rows"


def _sides(pair: tuple[Pin, Pin]) -> tuple[str, str]:
    """Return what stands above the measures, with what they are of if in doubt."""
    doubtful = set(pair[0].scored_axes) != set(pair[1].scored_axes) or any(
        pin.coordinates.shape[1] < len(pin.scored_axes) for pin in pair
    )
    left, right = (
        f" · {components_text(pin.scored_axes)}" if doubtful else "" for pin in pair
    )
    return f"left{left}", f"right{right}"


def _measures(pair: tuple[Pin, Pin]) -> list[_Line]:
    lines = []
    for measure in (MEASURES[key] for key in compared_by()):
        values = [pin.measures.get(measure.key) for pin in pair]
        if any(value is not None for value in values):
            left, right = (measure.text(value) for value in values)
            lines.append((measure.title, left, right, measure.tip))
    return lines


def _apart(difference: Difference) -> list[_Line]:
    return [
        ("Not explained by rotation", "", percent(difference.residual), ""),
        ("A typical row moves by", "", f"{percent(difference.moved)} of radius", ""),
        ("Common neighbours", "", percent(difference.neighbours, 0), ""),
    ]
