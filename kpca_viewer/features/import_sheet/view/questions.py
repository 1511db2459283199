"""Questions of the import sheet: proposals to agree with, and marks in numbers."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from kpca_viewer.data.importing import Suspect
from kpca_viewer.data.importing.settings import ROLE_TITLES
from kpca_viewer.data.importing.suspects import Sentinel, Totals
from kpca_viewer.data.table import Question
from kpca_viewer.widgets.controls import ElidedLabel, Segmented


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


class ProposalRow(QWidget):
    """One thing that was decided without a question, why, and the other way.

    Parameters
    ----------
    key : str
        By which the row, its text and its choice are found.
    agree, other : str
        What to press for the proposal, and against it.
    """

    answered = Signal(bool)
    """Whether the person agrees."""

    def __init__(self, key: str, text: str, agree: str, other: str) -> None:
        super().__init__()
        self.setObjectName(f"{key}_proposal")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(16)
        words = QLabel(text)
        words.setObjectName(f"{key}_text")
        words.setTextFormat(Qt.TextFormat.PlainText)
        words.setWordWrap(True)
        layout.addWidget(words, 1)
        self._agree = f"{key}_agree"
        options = [(self._agree, agree), (f"{key}_other", other)]
        self._choice = Segmented(options, text)
        self._choice.value_changed.connect(self._on_choice_changed)
        layout.addWidget(self._choice, 0, Qt.AlignmentFlag.AlignTop)

    def set_agrees(self, agrees: bool) -> None:
        key = self._agree
        self._choice.set_value(key if agrees else key.replace("_agree", "_other"))

    def _on_choice_changed(self, value: object) -> None:
        self.answered.emit(value == self._agree)


def roles_text(suspects: tuple[Suspect, ...]) -> str:
    """Return which columns are taken for what, and why, in one sentence."""
    named = [
        f"“{s.column}” holds {s.reason}: {ROLE_TITLES[s.role].lower()}"
        for s in suspects[:MOST_NAMED]
    ]
    text = f"Perhaps no measurement{'' if len(suspects) == 1 else 's'}: "
    return text + _joined(named, len(suspects), ", marked with ? below")


def sentinels_text(sentinels: tuple[Sentinel, ...]) -> str:
    """Return which numbers count as missing, and why, in one sentence."""
    named = [f"“{s.column}” holds {s.reason}" for s in sentinels[:MOST_NAMED]]
    return "Perhaps gaps: " + _joined(named, len(sentinels))


def totals_text(totals: Totals) -> str:
    """Return which row is left out, and why, in one sentence."""
    return f"Perhaps no data: the last row {totals.reason}."


def _joined(named: list[str], count: int, where: str = "") -> str:
    more = count - len(named)
    return "; ".join(named) + (f"; and {more:,} more{where}." if more else ".")
