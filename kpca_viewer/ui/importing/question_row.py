"""QuestionRow: what a mark inside of numbers means, where the file does not say."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

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
