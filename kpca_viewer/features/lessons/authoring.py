"""Making lessons in the window: states become steps, their texts are edited beside."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QDockWidget,
    QFileDialog,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QMainWindow,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from kpca_viewer.engine.document.model import Document, DocumentData
from kpca_viewer.engine.messages import exported, failure
from kpca_viewer.features.lessons import text
from kpca_viewer.features.lessons.files import ENDING, read_lesson
from kpca_viewer.features.lessons.model import MOST_WORDS, Lesson, Question, Step
from kpca_viewer.features.lessons.writer import write_lesson
from kpca_viewer.resources import asset
from kpca_viewer.support.errors import KpcaError
from kpca_viewer.widgets.controls import IconButton, WheelGuard, parse_number
from kpca_viewer.widgets.workbench import Workbench

if TYPE_CHECKING:
    from kpca_viewer.features.lessons.controller import Lessons

WIDTH = 350
_LINES = {"text": 5, "options": 3, "check": 2}
"""How many lines fields have that hold several."""


class AuthoringSheet(QDockWidget):
    """Edits a lesson beside the plots. Setters never emit."""

    changed = Signal()
    add_requested = Signal()
    state_requested = Signal()
    try_requested = Signal()
    save_requested = Signal()

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(text.AUTHORING, window)
        self.setObjectName("authoring_sheet")
        self.setFeatures(QDockWidget.DockWidgetFeature.DockWidgetClosable)
        self.lesson = Lesson("", "", "", ())
        self.fields: dict[str, QLineEdit | QPlainTextEdit | QComboBox] = {}
        self.steps = QListWidget()
        self.steps.setObjectName("author_steps")
        self.steps.setAccessibleName(text.STEPS)
        self.steps.currentRowChanged.connect(self._show_step)
        self.words = QLabel()
        self.words.setProperty("role", "caption")
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(10, 4, 10, 10)
        column.setSpacing(6)
        column.addLayout(self._form("lesson", text.LESSON_FIELDS))
        column.addWidget(self._button("add", text.ADD, self.add_requested.emit))
        column.addWidget(self.steps)
        column.addLayout(
            self._row(
                ("up", text.UP, lambda: self._move(-1)),
                ("down", text.DOWN, lambda: self._move(1)),
                ("delete", text.DELETE, self._delete),
            )
        )
        take = self._button("state", text.TAKE_STATE, self.state_requested.emit)
        column.addWidget(take)
        column.addLayout(self._form("step", text.STEP_FIELDS))
        column.addWidget(self.words)
        column.addLayout(self._form("question", text.QUESTION_FIELDS))
        column.addLayout(
            self._row(
                ("try", text.TRY, self.try_requested.emit),
                ("save", text.SAVE, self.save_requested.emit),
            )
        )
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(body)
        self.setWidget(area)
        self.setTitleBarWidget(self._title_bar())
        self.setMinimumWidth(WIDTH)
        window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self)

    def _title_bar(self) -> QWidget:
        bar, title = QWidget(), QLabel(text.AUTHORING)
        title.setProperty("role", "title")
        close = IconButton("close", text.CLOSE_AUTHORING, 18)
        close.setObjectName("author_close")
        close.clicked.connect(self.close)
        layout = QHBoxLayout(bar)
        layout.setContentsMargins(12, 6, 8, 4)
        layout.addWidget(title, 1)
        layout.addWidget(close)
        return bar

    def _button(
        self, key: str, title: str, clicked: Callable[[], object]
    ) -> QPushButton:
        button = QPushButton(title)
        button.setObjectName(f"author_{key}")
        button.setAutoDefault(False)
        button.clicked.connect(lambda: clicked())
        return button

    def _row(self, *buttons: tuple[str, str, Callable[[], object]]) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(4)
        for key, title, clicked in buttons:
            row.addWidget(self._button(key, title, clicked))
        return row

    def _form(self, part: str, titles: dict[str, str]) -> QFormLayout:
        form = QFormLayout()
        form.setVerticalSpacing(4)
        growth = QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow
        form.setFieldGrowthPolicy(growth)
        for key, title in titles.items():
            field: QLineEdit | QPlainTextEdit | QComboBox
            if key == "kind":
                field = QComboBox()
                WheelGuard(field)
                for kind, name in text.KINDS.items():
                    field.addItem(name, kind)
                field.activated.connect(self._on_kind_chosen)
            elif key in _LINES and not (part == "question" and key == "text"):
                field = QPlainTextEdit()
                field.setTabChangesFocus(True)
                height = _LINES[key] * field.fontMetrics().lineSpacing() + 14
                field.setFixedHeight(height)
                field.textChanged.connect(self._on_edited)
            else:
                field = QLineEdit()
                field.textEdited.connect(self._on_edited)
            field.setObjectName(f"author_{part}_{key}")
            field.setAccessibleName(title)
            field.setToolTip(text.AUTHOR_TIPS.get(key, ""))
            self.fields[f"{part}.{key}"] = field
            form.addRow(title, field)
        return form

    # What is shown

    @property
    def index(self) -> int:
        return self.steps.currentRow()

    def show_lesson(self, lesson: Lesson, index: int) -> None:
        self.lesson = lesson
        for key in text.LESSON_FIELDS:
            self._set(f"lesson.{key}", str(getattr(lesson, key)))
        with QSignalBlocker(self.steps):
            self.steps.clear()
            self.steps.addItems([step.title for step in lesson.steps])
            self.steps.setCurrentRow(min(index, len(lesson.steps) - 1))
        self._show_step()

    def _show_step(self, _row: int = 0) -> None:
        has_step = 0 <= self.index < len(self.lesson.steps)
        step = self.lesson.steps[self.index] if has_step else Step("", "", "")
        question = step.question or Question("choice", "")
        values = {
            "step.title": step.title,
            "step.text": step.text,
            "step.cover": " ".join(step.cover),
            "step.highlight": step.highlight,
            "question.kind": question.kind if step.question else "",
            "question.text": question.text,
            "question.options": "\n".join(question.options),
            "question.answer": question.answer,
            "question.tolerance": f"{question.tolerance:g}",
            "question.check": "\n".join(question.check),
            "question.decided_by": question.decided_by,
            "question.hint": question.hint,
        }
        for key, value in values.items():
            self._set(key, value)
            part = key.partition(".")[0]
            asked = step.question is not None or key == "question.kind"
            self.fields[key].setEnabled(has_step and (part == "step" or asked))
        self._count_words(step)

    def _count_words(self, step: Step) -> None:
        self.words.setText(text.words_of(len(step.text.split()), MOST_WORDS))

    def _set(self, key: str, value: str) -> None:
        field = self.fields[key]
        if self._get(key) == value:
            return
        with QSignalBlocker(field):
            if isinstance(field, QComboBox):
                field.setCurrentIndex(max(field.findData(value), 0))
            elif isinstance(field, QLineEdit):
                field.setText(value)
            else:
                field.setPlainText(value)

    def _get(self, key: str) -> str:
        field = self.fields[key]
        if isinstance(field, QComboBox):
            return str(field.currentData() or "")
        return field.text() if isinstance(field, QLineEdit) else field.toPlainText()

    # What is edited

    def _on_edited(self, *_: object) -> None:
        get, lesson = self._get, self.lesson
        minutes = parse_number(get("lesson.minutes"), integer=True)
        lesson = replace(
            lesson,
            title=get("lesson.title"),
            author=get("lesson.author"),
            summary=get("lesson.summary"),
            minutes=int(minutes) if minutes else lesson.minutes,
        )
        if 0 <= self.index < len(lesson.steps):
            steps = list(lesson.steps)
            step = steps[self.index] = self._edited(steps[self.index])
            lesson = replace(lesson, steps=tuple(steps))
            self.steps.item(self.index).setText(step.title)
            self._count_words(step)
        # The fields keep what is typed, also a line that is empty so far.
        self.lesson = lesson
        self.changed.emit()

    def _on_kind_chosen(self, _index: int) -> None:
        self._on_edited()
        self._show_step()

    def _edited(self, step: Step) -> Step:
        get, kind = self._get, self._get("question.kind")
        step = replace(
            step,
            title=get("step.title"),
            text=get("step.text"),
            cover=tuple(get("step.cover").split()),
            highlight=get("step.highlight").strip(),
        )
        if not kind:
            return replace(step, question=None)
        known: Any = step.question or Question("choice", "")
        question = replace(
            known,
            kind=kind,
            text=get("question.text"),
            options=_lines(get("question.options")) if kind == "choice" else (),
            answer="" if kind == "state" else get("question.answer").strip(),
            tolerance=_tolerance(kind, get("question.tolerance")),
            check=_lines(get("question.check")) if kind == "state" else (),
            solution=known.solution if kind == "state" else "",
            decided_by=get("question.decided_by").strip(),
            hint=get("question.hint"),
            replies=known.replies if kind == known.kind else (),
        )
        return replace(step, question=question)

    def _move(self, way: int) -> None:
        here, steps = self.index, list(self.lesson.steps)
        there = here + way
        if here >= 0 and 0 <= there < len(steps):
            steps[here], steps[there] = steps[there], steps[here]
            self._take(steps, there)

    def _delete(self) -> None:
        if self.index >= 0:
            steps = list(self.lesson.steps)
            del steps[self.index]
            self._take(steps, max(self.index - 1, 0))

    def _take(self, steps: list[Step], index: int) -> None:
        self.show_lesson(replace(self.lesson, steps=tuple(steps)), index)
        self.changed.emit()


def _lines(content: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in content.splitlines() if line.strip())


def _tolerance(kind: str, content: str) -> float:
    found = parse_number(content) if kind in ("number", "matrix", "place") else None
    return max(found or 0.0, 0.0)


class Authoring(QObject):
    """Connects the sheet to the window and to the lesson that is tried."""

    def __init__(self, workbench: Workbench, lessons: "Lessons") -> None:
        super().__init__(lessons)
        self._workbench, self._lessons = workbench, lessons
        self._path: Path | None = None
        self._is_saved = True
        self._translations: tuple[Lesson, ...] = ()
        self.sheet = AuthoringSheet(workbench.window)
        self.sheet.hide()
        self.sheet.add_requested.connect(self._on_add_requested)
        self.sheet.state_requested.connect(self._on_state_requested)
        self.sheet.changed.connect(self._on_changed)
        self.sheet.try_requested.connect(self._on_try_requested)
        self.sheet.save_requested.connect(self.save)

    def _keeps_draft(self, then: Callable[[], object]) -> bool:
        """Open a lesson that is not saved yet again, and offer to give it up."""
        if self._is_saved or not self.sheet.lesson.steps:
            return False

        def give_up() -> None:
            self._is_saved = True
            then()

        self._open(self.sheet.lesson, self.sheet.index)
        self._workbench.messages.show(text.unsaved(self.sheet.lesson.title), give_up)
        return True

    def begin(self) -> None:
        """Make a new lesson."""
        if self._keeps_draft(self.begin):
            return
        self._path, self._translations = None, ()
        self._open(Lesson("lesson", text.NEW_TITLE, text.NEW_AUTHOR, ()), 0)

    def edit(self, path: Path, index: int) -> None:
        """Edit a lesson in the language that it was written in."""
        if self._keeps_draft(partial(self.edit, path, index)):
            return
        try:
            lesson = read_lesson(path)
            others = [code for code in lesson.languages if code != lesson.language]
            self._translations = tuple(read_lesson(path, code) for code in others)
        except KpcaError as error:
            self._workbench.messages.show(failure(error))
            return
        built_in = path.is_relative_to(asset())
        in_place = not built_in and path.is_dir()
        self._path = path if in_place else None
        self._open(lesson, index)

    def _open(self, lesson: Lesson, index: int) -> None:
        self.sheet.show_lesson(lesson, index)
        self.sheet.show()
        self._workbench.window.resizeDocks(
            [self.sheet], [WIDTH], Qt.Orientation.Horizontal
        )

    def _document(self) -> Document:
        """Return the window as a state of a lesson: its data are inside."""
        sessions = self._workbench.controllers["sessions"]
        document: Document = sessions.document_with_data()
        embedded = document.data.embedded
        return replace(document, data=DocumentData(embedded=embedded), unknown={})

    def _with_state(self, name: str) -> Lesson:
        lesson = self.sheet.lesson
        return replace(lesson, states={**lesson.states, name: self._document()})

    @Slot()
    def _on_add_requested(self) -> None:
        """Put a step behind the present one that sets the window as it is."""
        steps = list(self.sheet.lesson.steps)
        known = {step.key for step in steps} | set(self.sheet.lesson.states)
        number = next(n for n in range(1, 1000) if f"step{n}" not in known)
        key, index = f"step{number}", self.sheet.index + 1
        lesson = self._with_state(key)
        steps.insert(index, Step(key, text.step_of_number(number), text.NEW_TEXT, key))
        self.sheet.show_lesson(replace(lesson, steps=tuple(steps)), index)
        self._on_changed()

    @Slot()
    def _on_state_requested(self) -> None:
        """Let the present step begin in the window as it is."""
        index, steps = self.sheet.index, list(self.sheet.lesson.steps)
        if index < 0:
            return
        step = steps[index]
        shared = [each for each in steps if each.state == step.state != ""]
        name = step.state if len(shared) == 1 else step.key
        lesson = self._with_state(name)
        steps[index] = replace(step, state=name)
        self.sheet.show_lesson(replace(lesson, steps=tuple(steps)), index)
        self._on_changed()

    @Slot()
    def _on_changed(self) -> None:
        """Show the lesson that is tried with what was edited."""
        self._is_saved = False
        self._lessons.show_draft(self.sheet.lesson, self.sheet.index)

    @Slot()
    def _on_try_requested(self) -> None:
        if self.sheet.lesson.steps:
            self._lessons.try_draft(self.sheet.lesson, self.sheet.index)

    @Slot()
    def save(self) -> None:
        """Save where the lesson is, or ask."""
        messages = self._workbench.messages
        path = self._path or self._ask()
        if path is None:
            return
        try:
            lesson = replace(self.sheet.lesson, key=path.name)
            write_lesson(lesson, path, self._translations)
        except (KpcaError, OSError) as error:
            messages.show(failure(error))
            return
        self._path, self._is_saved = path, True
        messages.show(exported(path))

    def _ask(self) -> Path | None:
        preferences = self._workbench.preferences
        name = re.sub(r"[^a-z0-9]+", "_", self.sheet.lesson.title.lower()).strip("_")
        start = str(preferences.folder("save") / (name or "lesson"))
        chosen, _ = QFileDialog.getSaveFileName(
            self._workbench.window, text.SAVE_TITLE, start
        )
        if not chosen:
            return None
        preferences.keep_folder("save", Path(chosen))
        return Path(chosen.removesuffix(ENDING))
