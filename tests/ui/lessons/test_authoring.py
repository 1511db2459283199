"""Lessons are made in the window, and are read back as they were made."""

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLineEdit, QPlainTextEdit, QPushButton

from kpca_viewer.features.lessons.files import read_lesson
from kpca_viewer.features.lessons.writer import write_lesson
from tests.e2e.program import Program
from tests.ui.controls.rows import turn_wheel
from tests.ui.lessons.samples import write
from tests.ui.lessons.walking import Walker


def test_what_is_written_is_read_back_the_same(tmp_path):
    lesson = read_lesson(write(tmp_path / "rings"))
    german = read_lesson(tmp_path / "rings", "de")
    copy = tmp_path / "copy" / "rings"
    write_lesson(lesson, copy, (german,))
    assert read_lesson(copy) == lesson
    assert read_lesson(copy, "de") == german
    first = (copy / "lesson.toml").read_bytes()
    write_lesson(lesson, copy, (german,))
    assert (copy / "lesson.toml").read_bytes() == first


class Author:
    """Makes a lesson by mouse and keyboard."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.walker = Walker(program)
        self.sheet = self.walker.lessons.authoring.sheet

    def press(self, name: str) -> None:
        button = self.sheet.findChild(QPushButton, f"author_{name}")
        self.program.click(button)
        self.walker.program.settle()

    def type(self, name: str, words: str) -> None:
        field = self.sheet.findChild(QLineEdit, f"author_{name}")
        if field is None:
            field = self.sheet.findChild(QPlainTextEdit, f"author_{name}")
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, words)

    def choose(self, kind: str) -> None:
        combo = self.sheet.fields["question.kind"]
        combo.setCurrentIndex(combo.findData(kind))
        combo.activated.emit(combo.currentIndex())


def test_a_lesson_is_made_tried_saved_and_taken(program, tmp_path, monkeypatch):
    program.action("new_lesson").trigger()
    author = Author(program)
    author.type("lesson_title", "Mine")
    author.type("lesson_author", "Me")
    program.drag_slider("gamma_slider", 0.3)
    program.settle()
    first = program.settings
    author.press("add")
    author.type("step_title", "Mixed")
    author.type("step_text", "Here n is {n}.")
    program.drag_slider("gamma_slider", 0.54)
    program.settle()
    second = program.settings
    author.press("add")
    author.type("step_title", "Apart")
    author.choose("choice")
    author.type("question_text", "Which?")
    author.type("question_options", "PC 1\rPC 2")
    author.type("question_answer", "1")
    author.type("step_cover", "panel:embedding verdict")
    step = author.sheet.lesson.steps[1]
    assert step.question.options == ("PC 1", "PC 2")
    assert step.cover == ("panel:embedding", "verdict")
    assert [step.title for step in author.sheet.lesson.steps] == ["Mixed", "Apart"]
    # A wheel that scrolls the sheet chooses nothing.
    kind = author.sheet.fields["question.kind"]
    turn_wheel(kind, -1)
    assert author.sheet.lesson.steps[1].question.kind == "choice"
    # What was typed is tried without being saved.
    author.press("try")
    walker = author.walker
    walker.settle()
    assert program.settings == second
    assert walker.strip.title.text() == "Apart"
    assert walker.covers()
    author.type("step_title", "Well apart")
    assert walker.strip.title.text() == "Well apart"
    author.press("up")
    assert [step.title for step in author.sheet.lesson.steps] == ["Well apart", "Mixed"]
    author.press("down")
    walker.lessons.leave()
    program.settle()
    # A fault is one sentence, and nothing is written.
    folder = tmp_path / "mine"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(folder), ""))
    author.type("question_answer", "7")
    author.press("save")
    assert "answer" in program.message()
    assert not folder.exists()
    author.type("question_answer", "1")
    author.press("save")
    assert str(folder) in program.message()
    # What is not saved is not given up without being asked.
    author.type("step_title", "Best")
    author.sheet.close()
    program.action("new_lesson").trigger()
    assert author.sheet.isVisible()
    assert author.sheet.lesson.steps[1].title == "Best"
    program.click(program.buttons()["Give it up"])
    assert author.sheet.lesson.steps == ()
    lesson = read_lesson(folder)
    assert [step.title for step in lesson.steps] == ["Mixed", "Well apart"]
    assert lesson.title == "Mine"
    states = [lesson.states[step.state].settings for step in lesson.steps]
    assert states == [first, second]
    walker.begin(folder)
    assert walker.strip.text.text() == "Here n is 400."
    assert program.settings == first


def test_a_lesson_is_edited_where_it_is(program, tmp_path):
    folder = write(tmp_path / "rings")
    walker = Walker(program)
    walker.begin(folder)
    program.action("edit_lesson").trigger()
    author = Author(program)
    assert author.sheet.steps.count() == 9
    author.type("step_title", "Which one?")
    author.sheet.steps.setCurrentRow(1)
    author.press("delete")
    author.press("add")
    author.press("save")
    lesson, german = read_lesson(folder), read_lesson(folder, "de")
    assert lesson.steps[0].title == "Which one?"
    keys = [step.key for step in lesson.steps]
    assert keys[:3] == ["choice", "step1", "matrix"]
    # What was translated stays so; what is new has the words of the original.
    assert german.steps[0].title == "Welche Komponente?"
    assert german.steps[1].title == lesson.steps[1].title
