"""A lesson that is taken: where one is, what was answered, what is handed in."""

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import msgspec

from kpca_viewer.engine.document.format import from_bytes
from kpca_viewer.features.lessons.files import (
    LessonEntry,
    built_in_lessons,
    read_lesson,
)
from kpca_viewer.features.lessons.hand_in import HandedAnswer, HandIn
from kpca_viewer.features.lessons.model import Lesson, Step


class Answered(msgspec.Struct, frozen=True):
    """What became of a question."""

    answer: str = ""
    """The last one that was checked."""
    attempts: int = 0
    right: bool = False
    state: str = ""
    """Of the window, where that is the answer; as lessons keep states."""


class Progress(msgspec.Struct, frozen=True):
    """How far a lesson has come; kept between two starts."""

    step: str = ""
    number: int = 1
    count: int = 1
    """Which step it is, of how many."""
    answers: dict[str, Answered] = {}
    """By the keys of steps."""
    done: bool = False
    """Whether its end was reached."""


@dataclass
class Walk:
    """A lesson that is taken now."""

    lesson: Lesson
    path: Path
    index: int = 0
    answers: dict[str, Answered] = field(default_factory=dict)
    is_draft: bool = False
    """Whether it is being made: nothing of it is kept."""

    @property
    def step(self) -> Step:
        return self.lesson.steps[self.index]

    @property
    def answered(self) -> Answered:
        return self.answers.get(self.step.key, Answered())

    @property
    def state(self) -> str:
        """The name of the state that the step begins in."""
        return self.lesson.state_of(self.index)

    def handed(self, name: str) -> HandIn:
        """Return answers, attempts and states under the name of a student."""
        lesson = self.lesson
        answers = tuple(
            HandedAnswer(
                step.key,
                each.answer,
                each.attempts,
                each.right,
                from_bytes(each.state.encode()) if each.state else None,
            )
            for step in lesson.steps
            if (each := self.answers.get(step.key)) is not None
        )
        return HandIn(lesson.key, name, answers, lesson.title, lesson.language)


@cache
def built_in(language: str | None) -> tuple[LessonEntry, ...]:
    """Return the lessons that come with the program; read once a language."""
    return tuple(built_in_lessons(language))


def read_in(path: Path, language: str | None) -> Lesson:
    """Read a lesson in a language, or in its own where it has not that one."""
    lesson = read_lesson(path)
    if language in lesson.languages and language != lesson.language:
        return read_lesson(path, language)
    return lesson
