"""Questions of the import sheet: doubtful columns, and marks inside of numbers."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from kpca_viewer.data.importing import Suspect
from kpca_viewer.data.importing.settings import ROLE_TITLES
from kpca_viewer.data.table import Question
from kpca_viewer.ui.controls import ElidedLabel, Segmented


class QuestionRow(QWidget):
    """“1,234” in “people”: thousands or decimals? with the answer that was taken.

    Parameters
    ----------
    questions : list of Question
        About the same mark; they have one answer.
    """

    answered = Signal(str, bool)
    """The mark, and whether it divides thousands."""

    def __init__(self, questions: list[Question]) -> None:
        super().__init__()
        first = questions[0]
        self._mark = first.mark
        more = f" and {len(questions) - 1:,} more" if len(questions) > 1 else ""
        text = f"“{first.cell}” in “{first.column}”{more}: thousands or decimals?"
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(16)
        words = ElidedLabel(text)
        words.setObjectName("marks_question")
        layout.addWidget(words)
        choice = Segmented(
            [
                ("thousands", f"Thousands: {first.value(True)}"),
                ("decimals", f"Decimals: {first.value(False)}"),
            ],
            text,
        )
        choice.setObjectName("marks_choice")
        choice.set_value("thousands" if first.thousands else "decimals")
        choice.value_changed.connect(self._on_choice_changed)
        layout.addWidget(choice)
        layout.addStretch(1)

    def _on_choice_changed(self, value: object) -> None:
        self.answered.emit(self._mark, value == "thousands")


def question_rows(questions: tuple[Question, ...]) -> list[QuestionRow]:
    """Return one row a mark."""
    marks: dict[str, list[Question]] = {}
    for question in questions:
        marks.setdefault(question.mark, []).append(question)
    return [QuestionRow(alike) for alike in marks.values()]


MOST_NAMED = 3
"""Columns that are spoken of one by one; the list of columns has all."""


class RolesQuestion(QFrame):
    """Names the columns with what they are taken for, and why."""

    answered = Signal(bool)
    """Whether the person agrees; otherwise they are all features."""

    def __init__(self, suspects: tuple[Suspect, ...]) -> None:
        super().__init__()
        self.setObjectName("roles_question")
        self.setProperty("role", "question")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 8, 12, 8)
        layout.setSpacing(8)
        words = QLabel(question(suspects))
        words.setObjectName("roles_question_text")
        words.setTextFormat(Qt.TextFormat.PlainText)
        words.setWordWrap(True)
        layout.addWidget(words, 1)
        for name, text, agrees in (
            ("agree_button", "As proposed", True),
            (
                "features_button",
                "As features" if len(suspects) > 1 else "As a feature",
                False,
            ),
        ):
            button = QPushButton(text)
            button.setObjectName(name)
            button.setAutoDefault(True)
            button.setProperty("agrees", agrees)
            button.clicked.connect(self._on_clicked)
            layout.addWidget(button)

    def ask(self) -> None:
        """Take the keys: Enter agrees."""
        button = self.findChild(QPushButton, "agree_button")
        if button is not None:
            button.setFocus()

    def _on_clicked(self) -> None:
        self.answered.emit(bool(self.sender().property("agrees")))


def question(suspects: tuple[Suspect, ...]) -> str:
    """Return which columns are taken for what, and why, in one sentence."""
    named = [
        f"“{s.column}” holds {s.reason}: {ROLE_TITLES[s.role].lower()}"
        for s in suspects[:MOST_NAMED]
    ]
    text = (
        "Perhaps no measurement: "
        if len(suspects) == 1
        else "Perhaps no measurements: "
    )
    text += "; ".join(named)
    if len(suspects) > MOST_NAMED:
        text += f"; and {len(suspects) - MOST_NAMED:,} more, marked with ? below"
    return f"{text}. Analyse {'it' if len(suspects) == 1 else 'them'} all the same?"
