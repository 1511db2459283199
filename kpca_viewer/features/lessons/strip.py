"""The strip below the board: one step of a lesson, its question, and the way on."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from kpca_viewer.features.lessons import text
from kpca_viewer.features.lessons.answers import AnswerField, MatrixAnswer
from kpca_viewer.widgets.controls import (
    ElidedLabel,
    FittingCombo,
    FormulaText,
    IconButton,
)
from kpca_viewer.widgets.theme import theme_of

LINES = 7.6
"""Lines of text that are seen at once; more of them scroll."""

NARROW = 110
"""Letters in width below which the buttons have shorter words."""

MOST = 0.4
"""Of the height of the window, the strip has no more."""


class Progress(QWidget):
    """A line of steps: answered right, here, and the others."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("lesson_progress")
        self.setFixedHeight(4)
        self._here, self._right = 0, [False]

    def show_steps(self, here: int, right: Sequence[bool]) -> None:
        self._here, self._right = here, list(right) or [False]
        words = text.progress_name(here + 1, len(self._right), sum(self._right))
        self.setAccessibleName(words)
        self.setToolTip(words)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, count = theme_of(self.palette()), len(self._right)
        with QPainter(self) as painter:
            for step, right in enumerate(self._right):
                left = round(step * self.width() / count)
                end = round((step + 1) * self.width() / count) - 2
                name = "text" if step == self._here else "accent" if right else "groove"
                painter.fillRect(
                    left, 0, end - left, self.height(), QColor(getattr(theme, name))
                )


class LessonStrip(QFrame):
    """Shows a step; everything that is asked for goes to the controller."""

    back_requested = Signal()
    next_requested = Signal()
    check_requested = Signal()
    hint_requested = Signal()
    restore_requested = Signal()
    leave_requested = Signal()
    hand_in_requested = Signal()
    language_chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("lesson_strip")
        self.setAccessibleName(text.STRIP_NAME)
        self.setProperty("role", "card")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.field: AnswerField | None = None
        self._last = False
        self.progress = Progress()
        self.step = QLabel()
        self.step.setObjectName("lesson_step")
        self.step.setProperty("role", "muted")
        self.title = ElidedLabel("")
        self.title.setObjectName("lesson_title")
        self.title.setProperty("role", "small_verdict")
        policies = QSizePolicy.Policy
        self.title.setSizePolicy(policies.Expanding, policies.Preferred)
        self.hint = self._button("hint", text.HINT, "", self.hint_requested, "link")
        self.restore = self._button(
            "restore", text.RESTORE, text.RESTORE_TIP, self.restore_requested, "link"
        )
        words = text.LANGUAGE
        self.language = FittingCombo("lesson_language", words, words)
        self.language.activated.connect(self._on_language_activated)
        self.menu = QMenu(self)
        self.more = IconButton("more", text.MORE, 18)
        self.more.setObjectName("lesson_more")
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setProperty("arrow", False)
        self.more.setMenu(self.menu)
        self.back = self._button("back", text.BACK, text.BACK_TIP, self.back_requested)
        self.check = self._button(
            "check", text.CHECK, text.CHECK_TIP, self.check_requested
        )
        self.next = self._button("next", text.NEXT, text.NEXT_TIP, self.next_requested)
        self.hand_in = self._button(
            "hand_in", text.HAND_IN_BUTTON, "", self.hand_in_requested
        )
        self.leave = IconButton("close", text.LEAVE, 18)
        self.leave.setObjectName("lesson_leave")
        self.leave.clicked.connect(self.leave_requested)
        self.text, self.question = FormulaText(), FormulaText()
        self.feedback = FormulaText()
        for name in ("text", "question", "feedback"):
            getattr(self, name).setObjectName(f"lesson_{name}")
        self.attempts = QLabel()
        self.attempts.setObjectName("lesson_attempts")
        self.attempts.setProperty("role", "muted")
        self._lay_out()

    def _button(
        self, key: str, title: str, tip: str, signal: object, role: str = ""
    ) -> QPushButton:
        button = QPushButton(title)
        button.setObjectName(f"lesson_{key}")
        button.setAccessibleName(title)
        button.setToolTip(tip)
        button.setAutoDefault(False)
        if role:
            button.setProperty("role", role)
        button.clicked.connect(signal)
        return button

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(6)
        head.addWidget(self.step)
        head.addWidget(self.title, 1)
        for widget in (
            self.attempts,
            self.hint,
            self.restore,
            self.language,
            self.back,
            self.check,
            self.hand_in,
            self.next,
            self.more,
            self.leave,
        ):
            head.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)
        self._left = _scrolled(self.text)
        asked = QWidget()
        self._asked = QGridLayout(asked)
        self._asked.setContentsMargins(0, 0, 6, 0)
        self._asked.setSpacing(5)
        self._asked.setRowStretch(3, 1)
        self._asked.addWidget(self.question, 0, 0, 1, 2)
        self._right = _scrolled(asked)
        body = QHBoxLayout()
        body.setSpacing(20)
        body.addWidget(self._left, 11)
        body.addWidget(self._right, 10)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 5, 8, 6)
        layout.setSpacing(4)
        layout.addWidget(self.progress)
        layout.addLayout(head)
        layout.addLayout(body, 1)

    # What is shown

    def show_languages(self, languages: Sequence[str], chosen: str) -> None:
        """Offer the languages of a lesson. Emits nothing."""
        with QSignalBlocker(self.language):
            self.language.clear()
            self.language.addItems([each.upper() for each in languages])
            self.language.setCurrentIndex(list(languages).index(chosen))
        self.language.setVisible(len(languages) > 1)

    def show_step(self, here: int, right: Sequence[bool], title: str) -> None:
        count = len(right)
        self.progress.show_steps(here, right)
        self.step.setText(text.step_of(here + 1, count))
        self.title.set_text(title)
        self.back.setEnabled(here > 0)
        last = here + 1 == count
        self._last = last
        self._fit()
        self.next.setText(text.FINISH if last else text.NEXT)
        self.next.setAccessibleName(self.next.text())
        self.next.setToolTip(text.FINISH_TIP if last else text.NEXT_TIP)
        for area in (self._left, self._right):
            area.verticalScrollBar().setValue(0)

    def show_texts(self, step: str, question: str) -> None:
        self.text.set_text(step)
        self.question.set_text(question)

    def show_field(self, field: AnswerField | None, *, hint: bool) -> None:
        """Show what a question is answered with; None where there is none."""
        if self.field is not None:
            self._asked.removeWidget(self.field)
            self.field.hide()
            self.field.setParent(None)
            self.field.deleteLater()
        self.field = field
        # A grid leaves room beside it, and little below.
        grid = isinstance(field, MatrixAnswer)
        place = (1, 1, 1, 1) if grid else (2, 0, 1, 2)
        self._asked.addWidget(self.feedback, *place)
        self._asked.setColumnStretch(1, 1)
        if field is not None:
            self._asked.addWidget(field, 1, 0, 1, 1 if grid else 2)
            field.submitted.connect(self.check_requested)
            field.show()
        self._right.setVisible(field is not None)
        self.check.setVisible(field is not None)
        self.hint.setVisible(field is not None and hint)

    def show_feedback(self, words: str, color: str | None = None) -> None:
        """Say something below the question, in a colour of the theme by its name."""
        self.feedback.set_color(color)
        self.feedback.set_text(words)
        self.feedback.setVisible(bool(words))
        if words:
            # Once it has its place.
            QTimer.singleShot(0, self, self._show_end)

    def _show_end(self) -> None:
        self._right.ensureWidgetVisible(self.feedback, 0, 0)

    def show_attempts(self, count: int) -> None:
        self.attempts.setText(text.attempts(count) if count else "")

    def _on_language_activated(self, _index: int) -> None:
        self.language_chosen.emit(self.language.currentText().lower())

    # How wide and how high it is

    def _fit(self) -> None:
        """Leave out what does not fit; the menu has it as well."""
        letters = self.width() / self.fontMetrics().averageCharWidth()
        narrow = letters < NARROW
        self.restore.setText(text.RESTORE_SHORT if narrow else text.RESTORE)
        self.hand_in.setVisible(self._last and not narrow)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def sizeHint(self) -> QSize:
        lines = round(LINES * self.fontMetrics().lineSpacing())
        head = self.next.sizeHint().height() + self.progress.height() + 24
        most = round(MOST * self.window().height())
        return QSize(super().sizeHint().width(), min(head + lines, most))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.updateGeometry()


def _scrolled(widget: QWidget) -> QScrollArea:
    area = QScrollArea()
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(widget)
    area.viewport().setAutoFillBackground(False)
    widget.setAutoFillBackground(False)
    return area
