"""What a question is answered with, by its kind: buttons, fields, clicks in plots."""

from collections.abc import Collection

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from kpca_viewer.features.lessons import text
from kpca_viewer.features.lessons.checks import LARGEST_MATRIX, matrix_answer
from kpca_viewer.features.lessons.model import Question
from kpca_viewer.widgets.controls import FormulaText

SHORT, LONG = 14, 34
"""Letters of an option up to which three stand side by side, and two."""


class AnswerField(QWidget):
    """Holds an answer as a text, the way `judge` takes it; empty before there is."""

    changed = Signal()
    submitted = Signal()
    """Enter was pressed."""

    def answer(self) -> str:
        return ""

    def set_answer(self, answer: str) -> None:
        pass

    def mark(self, cells: Collection[tuple[int, int]]) -> None:
        """Show which parts of an answer are not right."""


class ChoiceAnswer(AnswerField):
    """One of a few options, by its number from 1."""

    def __init__(self, options: tuple[str, ...]) -> None:
        super().__init__()
        self._group = QButtonGroup(self)
        longest = max((len(option) for option in options), default=0)
        columns = 3 if longest <= SHORT else 2 if longest <= LONG else 1
        layout = _grid(self)
        for column in range(columns):
            layout.setColumnStretch(column, 1)
        self._texts = []
        for number, option in enumerate(options, start=1):
            button, words = QRadioButton(), FormulaText(option)
            button.setObjectName(f"lesson_option_{number}")
            button.setAccessibleName(option)
            words.setObjectName(f"lesson_option_text_{number}")
            words.clicked.connect(button.click)
            self._group.addButton(button, number)
            self._texts.append(words)
            row = QHBoxLayout()
            row.setSpacing(2)
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
            row.addWidget(words, 1)
            layout.addLayout(row, *divmod(number - 1, columns))
        self._group.idClicked.connect(self._on_clicked)

    def buttons(self) -> list[QAbstractButton]:
        return self._group.buttons()

    def set_options(self, options: tuple[str, ...]) -> None:
        """Write the same options in other words, for example with their numbers."""
        for button, words, option in zip(
            self.buttons(), self._texts, options, strict=True
        ):
            button.setAccessibleName(option)
            words.set_text(option)

    def answer(self) -> str:
        number = self._group.checkedId()
        return str(number) if number > 0 else ""

    def set_answer(self, answer: str) -> None:
        button = self._group.button(int(answer)) if answer.isdecimal() else None
        if button is not None:
            button.setChecked(True)

    def _on_clicked(self, _number: int) -> None:
        self.changed.emit()


class NumberAnswer(AnswerField):
    """A number, typed as a fraction, a root or a decimal."""

    def __init__(self) -> None:
        super().__init__()
        self.field = _line("lesson_number", text.NUMBER_NAME)
        self.field.setPlaceholderText(text.NUMBER_EXAMPLE)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.field, 2)
        layout.addStretch(1)
        self.setFocusProxy(self.field)
        self.field.textEdited.connect(self.changed)
        self.field.returnPressed.connect(self.submitted)

    def answer(self) -> str:
        return self.field.text().strip()

    def set_answer(self, answer: str) -> None:
        self.field.setText(answer)


class MatrixAnswer(AnswerField):
    """A grid of cells."""

    def __init__(self, rows: int) -> None:
        super().__init__()
        self.rows = rows
        numbers = range(1, min(rows, LARGEST_MATRIX) + 1)
        layout = _grid(self)
        self.cells = [
            [_line(f"lesson_cell_{i}_{j}", text.cell_name(i, j)) for j in numbers]
            for i in numbers
        ]
        for i, line in enumerate(self.cells):
            for j, cell in enumerate(line):
                cell.setAlignment(Qt.AlignmentFlag.AlignRight)
                cell.textEdited.connect(self.changed)
                cell.returnPressed.connect(self.submitted)
                layout.addWidget(cell, i, j)
        layout.setColumnStretch(len(self.cells), 1)
        if self.cells:
            self.setFocusProxy(self.cells[0][0])
        self._size_cells()

    def _size_cells(self) -> None:
        width = self.fontMetrics().horizontalAdvance("−00.000") + 18
        for cell in (cell for line in self.cells for cell in line):
            cell.setFixedWidth(width)

    def answer(self) -> str:
        texts = [[cell.text() for cell in line] for line in self.cells]
        return matrix_answer(texts) if any(map(any, texts)) else ""

    def set_answer(self, answer: str) -> None:
        for line, numbers in zip(self.cells, answer.split(";"), strict=False):
            for cell, number in zip(line, numbers.split(), strict=False):
                cell.setText(number)

    def mark(self, cells: Collection[tuple[int, int]]) -> None:
        """Show which cells are not right, by their rows and columns from 1."""
        for i, line in enumerate(self.cells, start=1):
            for j, cell in enumerate(line, start=1):
                cell.setProperty("invalid", (i, j) in cells)
                cell.style().unpolish(cell)
                cell.style().polish(cell)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._size_cells()


class ClickAnswer(AnswerField):
    """What was clicked in the plots."""

    def __init__(self, nothing: str) -> None:
        super().__init__()
        self._answer, self._nothing = "", nothing
        self.label = QLabel(nothing)
        self.label.setObjectName("lesson_clicked")
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        self.label.setProperty("role", "muted")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.label)

    def answer(self) -> str:
        return self._answer

    def set_answer(self, answer: str) -> None:
        self._answer = answer
        self.label.setText(text.clicked(answer) if answer else self._nothing)

    def take(self, answer: str) -> None:
        """Take what the person has just clicked."""
        if answer != self._answer:
            self.set_answer(answer)
            self.changed.emit()


class StateAnswer(AnswerField):
    """Nothing to fill in: the window itself is the answer."""

    def __init__(self) -> None:
        super().__init__()
        label = QLabel(text.STATE)
        label.setProperty("role", "muted")
        label.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(label)


def field_for(question: Question, rows: int) -> AnswerField:
    """Return what a question is answered with."""
    if question.kind == "choice":
        return ChoiceAnswer(question.options)
    if question.kind == "number":
        return NumberAnswer()
    if question.kind == "matrix":
        return MatrixAnswer(rows)
    if question.kind == "state":
        return StateAnswer()
    what = question.answer.split()[:1]
    nothing = text.PLACE if question.kind == "place" else text.CLICK[_singular(what)]
    return ClickAnswer(nothing)


def _singular(words: list[str]) -> str:
    return words[0].removesuffix("s") if words else "row"


def _line(name: str, title: str) -> QLineEdit:
    line = QLineEdit()
    line.setObjectName(name)
    line.setAccessibleName(title)
    return line


def _grid(host: QWidget) -> QGridLayout:
    layout = QGridLayout(host)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setHorizontalSpacing(8)
    layout.setVerticalSpacing(3)
    return layout
