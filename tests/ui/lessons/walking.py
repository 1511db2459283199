"""The hands of a person who takes a lesson."""

from PySide6.QtCore import QPoint, QPointF, QRectF, QSizeF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPushButton, QRadioButton, QWidget

from kpca_viewer.features.lessons.controller import Lessons
from kpca_viewer.features.lessons.model import Question
from kpca_viewer.features.lessons.walk import Answered
from kpca_viewer.features.sweep.curve import x_of
from tests.e2e.program import LEFT, NO_KEY, SHIFT, Program
from tests.ui.plots.spectrum import over_bar


class Walker:
    """Takes a lesson by mouse and keyboard."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.lessons: Lessons = program.viewer.controllers["lessons"]
        self.strip = self.lessons.strip

    def begin(self, path) -> None:
        """Drop a lesson onto the window, and wait for its first step."""
        self.program.window.files_dropped.emit([path])
        self.program.until(lambda: self.lessons.walk is not None)
        self.settle()

    def settle(self) -> None:
        """Wait until the step has the numbers of its state."""
        self.program.settle()
        self.program.until(
            lambda: self.lessons.walk is None or self.lessons._prepared is not None
        )
        self.program.board.embedding.view.glide.finish()

    @property
    def key(self) -> str:
        assert self.lessons.walk is not None
        return self.lessons.walk.step.key

    @property
    def answered(self) -> Answered:
        assert self.lessons.walk is not None
        return self.lessons.walk.answered

    @property
    def feedback(self) -> str:
        return self.strip.feedback.text() if self.strip.feedback.isVisible() else ""

    def press(self, name: str) -> None:
        """Click a button of the strip."""
        button = self.strip.findChild(QPushButton, f"lesson_{name}")
        assert button.isVisible(), name
        self.program.click(button)
        self.settle()

    def page_down(self) -> None:
        self.program.press(Qt.Key.Key_PageDown)
        self.settle()

    def page_up(self) -> None:
        self.program.press(Qt.Key.Key_PageUp)
        self.settle()

    def covers(self) -> list[QWidget]:
        """Return what covers a panel that is seen."""
        found = self.program.window.findChildren(QWidget, "lesson_cover")
        return [cover for cover in found if cover.isVisible()]

    # Answers

    def give(self, question: Question, answer: str) -> None:
        """Give an answer the way a person does, without checking it."""
        if question.kind == "choice":
            self.program.click(self.find(QRadioButton, f"lesson_option_{answer}"))
        elif question.kind == "number":
            self.type_into(self.find(QLineEdit, "lesson_number"), answer)
        elif question.kind == "matrix":
            for i, line in enumerate(answer.split(";"), start=1):
                for j, cell in enumerate(line.split(), start=1):
                    self.type_into(self.find(QLineEdit, f"lesson_cell_{i}_{j}"), cell)
        elif question.kind == "place":
            self.click_place(*map(float, answer.split(",")))
        elif question.kind == "click":
            kind, *numbers = answer.split()
            for count, number in enumerate(numbers):
                keys = SHIFT if count else NO_KEY
                getattr(self, f"click_{kind.removesuffix('s')}")(int(number), keys)
        self.settle()

    def find(self, kind, name: str):
        found = self.strip.findChild(kind, name)
        assert found is not None, name
        return found

    def type_into(self, field: QLineEdit, words: str) -> None:
        self.program.click(field)
        field.selectAll()
        QTest.keyClicks(field, words)

    def click_place(self, x: float, y: float) -> None:
        self.program.click_plot(self.program.board.embedding.view, x, y)

    def click_row(self, number: int, keys) -> None:
        """Click a point in the first plot that shows it alone."""
        board = self.program.board
        if keys == NO_KEY:
            board.linking.clear()
        for view in (board.embedding.view, board.data.view):
            if not view.isVisible() or view.point_count < number:
                continue
            at = QPointF(*view.pixels()[number - 1]).toPoint()
            if view.area.row_at(QPointF(at)) == number - 1:
                QTest.mouseClick(view.canvas.viewport(), LEFT, keys, at)
                return
        raise AssertionError(f"Row {number} can be clicked in no plot.")

    def click_component(self, number: int, _keys) -> None:
        view = self.program.board.spectrum.view
        QTest.mouseClick(view, LEFT, NO_KEY, over_bar(view, number - 1))

    def click_frame(self, number: int, _keys) -> None:
        """Click the curve of a film above a value."""
        film = self.program.window.sweep_strip.film
        self.program.until(lambda: film.points.at(number - 1) is not None)
        rect = QRectF(QPointF(0, 0), QSizeF(film.size()))
        x = x_of(number - 1, film.points.count, rect)
        QTest.mouseClick(film, LEFT, NO_KEY, QPoint(round(x), 20))
