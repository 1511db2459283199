"""Lessons in the window: one step after the other, questions, and the way back."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QInputDialog, QMenu

from kpca_viewer.engine.document.files import open_data
from kpca_viewer.engine.document.model import DocumentData
from kpca_viewer.engine.messages import exported, failure
from kpca_viewer.engine.runner import Task
from kpca_viewer.features.lessons import text
from kpca_viewer.features.lessons.answers import (
    AnswerField,
    ChoiceAnswer,
    ClickAnswer,
    MatrixAnswer,
    field_for,
)
from kpca_viewer.features.lessons.checks import Judgement, judge
from kpca_viewer.features.lessons.clicks import Clicks
from kpca_viewer.features.lessons.files import LessonEntry, lesson_path
from kpca_viewer.features.lessons.marks import Marks
from kpca_viewer.features.lessons.model import Lesson, Question
from kpca_viewer.features.lessons.states import state_text
from kpca_viewer.features.lessons.strip import LessonStrip
from kpca_viewer.features.lessons.values import LessonValues, fill, places_in
from kpca_viewer.features.lessons.walk import (
    Answered,
    Progress,
    Walk,
    built_in,
    read_in,
)
from kpca_viewer.support.atomic import write_atomically
from kpca_viewer.support.errors import DataError, KpcaError
from kpca_viewer.support.paths import with_ending
from kpca_viewer.widgets.workbench import Workbench

if TYPE_CHECKING:
    from kpca_viewer.features.lessons.authoring import Authoring

FAVOURED = {"panel:data": "data", "panel:spectrum": "spectrum"}
"""Panels that are small without help, by the keys of highlights."""


class Lessons(QObject):
    """Takes a person through lessons, and gives the person's own session back."""

    began = Signal()
    """A lesson has begun."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._workbench = workbench
        self._window = window = workbench.window
        self._board = board = window.board
        self._preferences = workbench.preferences
        self.walk: Walk | None = None
        self.strip = LessonStrip()
        self.marks = Marks(workbench)
        window.add_below(self.strip)
        self._prepared: LessonValues | None = None
        self._waits: Callable[[], object] | None = None
        self._staged = False
        self._reading: Task | None = None
        self._actions = window.actions_table
        self._menu = QMenu(text.LESSONS, window)
        self._menu.setObjectName("lessons_menu")
        self._menu.aboutToShow.connect(self._fill_menu)
        self._actions.insert_menus("help", self._menu)
        self.strip.menu.addActions(
            [self._actions[k] for k in ("restart_lesson", "hand_in", "edit_lesson")]
        )
        for key in ("lesson_next", "lesson_back"):
            self._actions[key].setAutoRepeat(False)
        self._show_running()
        strip = self.strip
        strip.back_requested.connect(self.back)
        strip.next_requested.connect(self.next)
        strip.check_requested.connect(self.check)
        strip.hint_requested.connect(self._on_hint_requested)
        strip.restore_requested.connect(self.restore)
        strip.leave_requested.connect(self.leave)
        strip.hand_in_requested.connect(self.hand_in)
        strip.language_chosen.connect(self._on_language_chosen)
        workbench.lesson_requested.connect(self.open)
        workbench.more_entries.append(self._entries)
        workbench.runner.busy_changed.connect(self._on_rest)
        board.shown.connect(self._on_rest)
        Clicks(window, self.clicks, self)

    # Beginning and leaving

    @Slot(object)
    def open(self, path: Path, language: str | None = None) -> None:
        """Read a lesson and begin it where it was left."""
        language = language or self._preferences.lesson_language()
        self._read(path, language, partial(self._begin, path))

    def open_named(self, name: str) -> None:
        """Begin a lesson that the command line names, once there is a picture."""
        try:
            self.open(lesson_path(name))
        except KpcaError as error:
            self._workbench.messages.show(failure(error))

    def open_first(self) -> None:
        """Begin the first of the lessons that come with the program."""
        for entry in self._known()[:1]:
            self.open(entry.path)

    @Slot()
    def choose(self) -> None:
        start = str(self._preferences.folder("open"))
        chosen, _ = QFileDialog.getOpenFileName(
            self._window, text.OPEN_TITLE, start, text.FILTER
        )
        if chosen:
            self._preferences.keep_folder("open", Path(chosen))
            path = Path(chosen)
            self.open(path.parent if path.name == "lesson.toml" else path)

    def _read(
        self, path: Path, language: str | None, then: Callable[[Lesson], object]
    ) -> None:
        """Read a lesson beside the window; one that is read already is forgotten."""
        self._reading = task = Task(partial(read_in, path, language))

        def on_ended(error: Exception | None) -> None:
            if self._reading is not task:
                return
            self._reading = None
            if error is not None:
                self._workbench.messages.show(failure(error))
            else:
                assert isinstance(task.result, Lesson)
                then(task.result)

        task.ended.connect(on_ended)
        task.begin()

    def _begin(self, path: Path, lesson: Lesson) -> None:
        if not self._is_at_rest():
            # The person's own session is kept as a whole, with its picture.
            self._waits = partial(self._begin, path, lesson)
            return
        kept = self._kept(path)
        keys = [step.key for step in lesson.steps]
        index = keys.index(kept.step) if kept.step in keys else 0
        self._sessions.set_aside()
        self._workbench.messages.set_aside()
        self.walk = Walk(lesson, path, index, dict(kept.answers))
        self._preferences.put_hint_away()
        self.began.emit()
        self.strip.show_languages(lesson.languages, lesson.language)
        self._show_running()
        self.go_to(index, anew=True)

    @Slot()
    def leave(self) -> None:
        """Give the person's own session back."""
        if self.walk is None:
            return
        self._clear()
        self.walk = None
        self._show_running()
        self._sessions.bring_back()
        self._workbench.messages.bring_back()

    @property
    def _sessions(self) -> Any:
        return self._workbench.controllers["sessions"]

    @property
    def _derivation(self) -> Any:
        """The view of another feature's page."""
        return self._board.compare.views["derivation"].view

    def _show_running(self) -> None:
        runs = self.walk is not None
        self.strip.setVisible(runs)
        while_running = "lesson_next lesson_back leave_lesson restart_lesson hand_in"
        for key in while_running.split():
            self._actions[key].setEnabled(runs)
        self._actions["edit_lesson"].setEnabled(runs)
        # A presenter's remote goes through the lesson.
        self._derivation.set_page_keys(not runs)

    def _clear(self) -> None:
        self._waits = None
        self.marks.uncover()
        self.marks.highlight("")
        self._favour("")
        self._board.embedding.view.set_probes([])

    # Steps

    @Slot()
    def next(self) -> None:
        walk = self.walk
        if walk is None:
            return
        if walk.index + 1 < len(walk.lesson.steps):
            self.go_to(walk.index + 1)
        else:
            self._keep(done=True)
            self.leave()

    @Slot()
    def back(self) -> None:
        if self.walk is not None and self.walk.index:
            self.go_to(self.walk.index - 1, anew=True)

    @Slot()
    def restore(self) -> None:
        """Bring the prepared state of this step back."""
        if self.walk is not None:
            self.go_to(self.walk.index, anew=True)

    def go_to(self, index: int, *, anew: bool = False) -> None:
        """Show a step."""
        walk = self.walk
        assert walk is not None
        self._clear()
        walk.index = index
        self._keep()
        step = walk.step
        state = walk.state if anew else step.state
        if state:
            self._prepared = None
        self._show_step()
        self._focus_field()
        if state:
            self._show_state(state)
        if walk.answered.attempts:
            self._cover_later()
        else:
            self._mark(self.marks.cover, step.cover)
        self._highlight(step.highlight)
        self._on_rest()

    def _mark(self, mark: Callable[[Any], object], what: object) -> None:
        """Cover or frame parts of the window; say which of them there is not."""
        try:
            mark(what)
        except DataError as error:
            self._workbench.messages.show(failure(error))

    def _highlight(self, key: str) -> None:
        """Frame what a step is about, and give it room."""
        self._mark(self.marks.highlight, key)
        if key.startswith("step:"):
            self._derivation.reveal(key)
        self._favour(key)

    def _favour(self, highlight: str) -> None:
        """Give the data the room that is of no use to a covered embedding."""
        board, covered = self._board, "panel:embedding" in self.marks.covered
        key = FAVOURED.get(highlight, "data" if covered else "")
        board.favour(key)
        stage = covered and key == "data" and board.workspace == "explore"
        if stage and board.on_stage == "embedding":
            board.bring_to_stage("data")
            self._staged = True
        elif self._staged and not stage:
            board.restore()
            self._staged = False

    def _show_state(self, name: str) -> None:
        walk, board = self.walk, self._board
        assert walk is not None
        document = walk.lesson.states[name]
        views = document.views
        if views.workspace is None:
            views = replace(views, workspace="explore")
        board.restore()
        data = self._workbench.presenter.data
        try:
            sources = open_data(document).sources
        except KpcaError as error:
            self._workbench.messages.show(failure(error))
            return
        data.open_document(replace(document, views=views), sources)

    def _show_step(self) -> None:
        """Show title, texts and question of the present step."""
        walk, strip = self.walk, self.strip
        assert walk is not None
        step, answered = walk.step, walk.answered
        right = [
            walk.answers.get(each.key, Answered()).right for each in walk.lesson.steps
        ]
        strip.show_step(walk.index, right, step.title)
        strip.show_attempts(answered.attempts)
        strip.show_feedback(
            text.right_after(answered.attempts) if answered.right else "", "accent"
        )
        question = step.question
        has_hint = question is not None and bool(question.hint)
        strip.show_field(self._field(question), hint=has_hint)
        if strip.field is not None:
            strip.field.set_answer(answered.answer)
        self._show_texts()

    def _focus_field(self) -> None:
        """Let digits be typed; in the rest of the window they choose a kernel."""
        if self.strip.field is not None and self.strip.field.focusProxy() is not None:
            # As Tab does it: what stood there is typed over.
            self.strip.field.setFocus(Qt.FocusReason.TabFocusReason)

    def _field(self, question: Question | None) -> AnswerField | None:
        if question is None:
            return None
        return field_for(question, self._rows())

    def _rows(self) -> int:
        """Return how many rows the prepared state has, or none before it is there."""
        return 0 if self._prepared is None else self._prepared.result.dataset.n

    def _show_texts(self) -> None:
        """Fill the texts with the numbers of the prepared state, once it is there."""
        walk = self.walk
        assert walk is not None
        question = walk.step.question
        self.strip.show_texts(
            self._filled(walk.step.text),
            "" if question is None else self._filled(question.text),
        )
        if question is not None and isinstance(self.strip.field, ChoiceAnswer):
            self.strip.field.set_options(tuple(map(self._filled, question.options)))

    def _filled(self, words: str) -> str:
        if not any(places_in(words)):
            return words
        if self._prepared is None:
            return text.PREPARES
        try:
            return fill(words, self._prepared)
        except DataError as error:
            self._workbench.messages.show(failure(error))
            return words

    # Rest

    def _is_at_rest(self) -> bool:
        """Whether what is set is computed and shown."""
        presenter = self._workbench.presenter
        busy = self._workbench.runner.busy or not self._board.has_shown()
        return not busy and (presenter.is_complete() or presenter.scene.is_empty)

    def _values(self) -> LessonValues | None:
        """Return the values of the window as it is now."""
        scene = self._workbench.presenter.scene
        if scene.result is None:
            return None
        document = self._workbench.document()
        return LessonValues.of(
            scene.result, document.views, document.notes, scene.settings
        )

    @Slot()
    def _on_rest(self, *_: object) -> None:
        """Go on with what had to wait for a computation."""
        if not self._is_at_rest():
            return
        if self.walk is not None and self._prepared is None:
            self._prepared = self._values()
            cells = self.strip.field
            if isinstance(cells, MatrixAnswer) and cells.rows != self._rows():
                self._show_step()
                self._focus_field()
            self._show_texts()
            # The page may have been drawn just now.
            self._highlight(self.walk.step.highlight)
        waits, self._waits = self._waits, None
        if waits is not None:
            waits()

    # Questions

    @Slot()
    def check(self) -> None:
        """Judge the answer; what is covered is shown as soon as there is one."""
        walk, question_field = self.walk, self.strip.field
        question = None if walk is None else walk.step.question
        if walk is None or question is None or question_field is None:
            return
        if not self._is_at_rest():
            self._waits = self.check
            self.strip.show_feedback(text.WAITS)
            return
        now = self._values()
        values = now if question.kind == "state" else self._prepared
        if values is None or now is None:
            return
        if question.answer == "yours" and values.view.null_draw != now.view.null_draw:
            self.strip.show_feedback(text.OTHER_ROUND, "warning")
            return
        answer = question_field.answer()
        try:
            judgement = judge(question, answer, values)
        except KpcaError as error:
            self._workbench.messages.show(failure(error))
            return
        question_field.mark(judgement.cells)
        if judgement.verdict == "unreadable":
            self.strip.show_feedback(judgement.text, "warning")
            return
        self._take(answer, judgement)

    def _take(self, answer: str, judgement: Judgement) -> None:
        walk = self.walk
        assert walk is not None
        assert walk.step.question is not None
        before = walk.answered
        attempts = before.attempts + (not before.right)
        if judgement.is_right or not before.right:
            state = self._state() if walk.step.question.kind == "state" else ""
            answered = Answered(answer, attempts, judgement.is_right, state)
            walk.answers[walk.step.key] = answered
            self._keep()
        self._cover_later()
        self._favour(walk.step.highlight)
        if judgement.is_right:
            self._show_step()
            return
        opened = self._open_deciding()
        words = self._filled(judgement.text) or text.WRONG
        self.strip.show_attempts(attempts)
        self.strip.show_feedback(
            f"{words} {text.DECIDED}" if opened else words, "warning"
        )

    def _cover_later(self) -> None:
        self._mark(partial(self.marks.cover, words=text.COVERED_LATER), self._later())

    def _later(self) -> list[str]:
        """Return what stays covered: the next step asks for it, of the same state."""
        walk = self.walk
        assert walk is not None
        question, steps = walk.step.question, walk.lesson.steps[walk.index + 1 :]
        if not steps or walk.lesson.state_of(walk.index + 1) != walk.state:
            return []
        answered = walk.answers.get(steps[0].key, Answered())
        decided = "" if question is None else question.decided_by
        shown = {decided, "panel:page" if decided.startswith("page:") else decided}
        later = () if answered.attempts else steps[0].cover
        return [key for key in walk.step.cover if key in later and key not in shown]

    def _state(self) -> str:
        """Return the window as lessons keep states, without its data."""
        document = replace(self._workbench.document(), data=DocumentData())
        return state_text(document).decode()

    def _open_deciding(self) -> bool:
        """Open what decides the question; returns whether there is anything."""
        assert self.walk is not None
        question = self.walk.step.question
        key = "" if question is None else question.decided_by
        kind, _, name = key.partition(":")
        if kind == "page" and name in self._board.compare.views:
            self._board.compare.show_page(name)
            self.marks.highlight("panel:page")
        elif kind == "step":
            self._board.compare.show_page("derivation")
            self._mark(self.marks.highlight, key)
            self._derivation.reveal(key)
        return bool(key)

    @Slot()
    def _on_hint_requested(self) -> None:
        question = None if self.walk is None else self.walk.step.question
        if question is not None:
            self.strip.show_feedback(self._filled(question.hint))

    def clicks(self, kind: str) -> ClickAnswer | None:
        """Return where a click is noted, if the question is about such clicks."""
        answer_field = self.strip.field
        if self.walk is None or self._prepared is None:
            return None
        question = self.walk.step.question
        if question is None or not isinstance(answer_field, ClickAnswer):
            return None
        wanted = "place" if question.kind == "place" else question.answer.split()[0]
        return answer_field if wanted.removesuffix("s") == kind else None

    # Languages, menus, progress

    @Slot(str)
    def _on_language_chosen(self, language: str) -> None:
        if self.walk is not None:
            self._preferences.set_lesson_language(language)
            self._read(self.walk.path, language, self._show_language)

    def _show_language(self, lesson: Lesson) -> None:
        walk = self.walk
        if walk is None or len(lesson.steps) != len(walk.lesson.steps):
            return
        answer = self.strip.field.answer() if self.strip.field is not None else ""
        walk.lesson = lesson
        self._show_step()
        if self.strip.field is not None:
            self.strip.field.set_answer(answer)

    def _kept(self, path: Path) -> Progress:
        try:
            return msgspec.json.decode(self._preferences.lesson(path), type=Progress)
        except msgspec.MsgspecError:
            return Progress()

    def _keep(self, *, done: bool = False) -> None:
        walk = self.walk
        assert walk is not None
        if walk.is_draft:
            return
        done = done or self._kept(walk.path).done
        count = len(walk.lesson.steps)
        index = 0 if done and walk.index + 1 == count else walk.index
        key = walk.lesson.steps[index].key
        progress = Progress(key, index + 1, count, walk.answers, done)
        kept = msgspec.json.encode(progress).decode()
        self._preferences.keep_lesson(walk.path, kept)

    def _known(self) -> Sequence[LessonEntry]:
        return built_in(self._preferences.lesson_language())

    def _done(self, path: Path) -> str:
        kept = self._kept(path)
        if kept.done:
            return text.DONE
        return text.at_step(kept.number, kept.count) if kept.number > 1 else ""

    def _entries(self) -> Iterator[tuple[str, str, str, Callable[[], object]]]:
        """Yield what the palette finds: title, kind, more words, and what it does."""
        for number, entry in enumerate(self._known()):
            first = "" if number else text.FIRST_WORD
            words = f"{entry.key} {entry.summary} {text.LESSON_WORDS} {first}"
            yield entry.title, text.KIND, words, partial(self.open, entry.path)

    @Slot()
    def _fill_menu(self) -> None:
        self._menu.clear()
        for entry in self._known():
            words = text.entry(entry.title, entry.minutes, self._done(entry.path))
            action = QAction(words.replace("&", "&&"), self._menu)
            action.setObjectName(f"lesson_{entry.key}")
            action.setToolTip(entry.summary)
            action.triggered.connect(partial(self._on_entry_triggered, entry.path))
            self._menu.addAction(action)
        self._menu.addSeparator()
        for key in (
            "open_lesson",
            "new_lesson",
            "edit_lesson",
            "hand_in",
            "leave_lesson",
        ):
            self._menu.addAction(self._actions[key])

    def _on_entry_triggered(self, path: Path, _checked: bool = False) -> None:
        self.open(path)

    @Slot()
    def restart(self) -> None:
        """Forget the answers, and begin with the first step."""
        if self.walk is not None:
            self.walk.answers.clear()
            self.go_to(0, anew=True)

    # Handing in

    @Slot()
    def hand_in(self) -> None:
        """Ask for the name, then for a file."""
        if self.walk is None:
            return
        dialog = QInputDialog(self._window)
        dialog.setObjectName("hand_in_dialog")
        dialog.setWindowTitle(text.HAND_IN_TITLE)
        dialog.setLabelText(text.NAME_QUESTION)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.textValueSelected.connect(self._on_name_given)
        dialog.open()

    @Slot(str)
    def _on_name_given(self, name: str) -> None:
        walk = self.walk
        if walk is None:
            return
        if not name.strip():
            self._workbench.messages.show(text.NOT_HANDED_IN)
            return
        from kpca_viewer.features.lessons.hand_in import ENDING, hand_in_bytes

        # A class hands in to one folder: every file has a name of its own.
        own = "".join(c if c.isalnum() else "_" for c in name.strip())[:40]
        start = self._preferences.folder("save") / f"{walk.lesson.key}-{own}{ENDING}"
        chosen, _ = QFileDialog.getSaveFileName(
            self._window, text.HAND_IN_TITLE, str(start)
        )
        if not chosen:
            return
        path = with_ending(chosen, ".json")
        self._preferences.keep_folder("save", path)
        try:
            write_atomically(path, hand_in_bytes(walk.handed(name.strip())))
        except KpcaError as error:
            self._workbench.messages.show(failure(error))
        else:
            self._workbench.messages.show(exported(path))

    # Making lessons

    @cached_property
    def authoring(self) -> "Authoring":
        # Made by those who use it, with all of its fields.
        from kpca_viewer.features.lessons.authoring import Authoring

        return Authoring(self._workbench, self)

    @Slot()
    def author_new(self) -> None:
        self.authoring.begin()

    @Slot()
    def author_this(self) -> None:
        if self.walk is None or self.walk.is_draft:
            return
        self.authoring.edit(self.walk.path, self.walk.index)

    def show_draft(self, lesson: Lesson, index: int) -> None:
        """Show what was edited, where that lesson is the one that runs."""
        walk = self.walk
        if walk is not None and walk.is_draft and lesson.steps:
            same = walk.lesson.state_of(walk.index)
            walk.lesson, walk.index = lesson, index
            if lesson.state_of(index) != same:
                self.go_to(index, anew=True)
            else:
                self._show_step()

    def try_draft(self, lesson: Lesson, index: int) -> None:
        """Take a lesson that is being made, from one of its steps on."""
        self._sessions.set_aside()
        self.walk = Walk(lesson, Path(lesson.key), index, is_draft=True)
        self.strip.show_languages((lesson.language,), lesson.language)
        self._show_running()
        self.go_to(index, anew=True)
