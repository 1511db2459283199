"""Reading lessons: a folder, or the same folder as a zip; strict, and within limits."""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import msgspec

from kpca_viewer.engine.document.model import Document
from kpca_viewer.features.lessons import text
from kpca_viewer.features.lessons.checks import cells_of, clicked
from kpca_viewer.features.lessons.expressions import (
    names_in,
    no_names,
    number,
    parse,
    parse_comparison,
    parse_list,
)
from kpca_viewer.features.lessons.members import (
    MAIN,
    STATE,
    TRANSLATION,
    in_folder,
    in_zip,
)
from kpca_viewer.features.lessons.model import (
    MOST_WORDS,
    Kind,
    Lesson,
    Question,
    Reply,
    Step,
)
from kpca_viewer.features.lessons.states import read_state
from kpca_viewer.features.lessons.toml_text import Place, Toml
from kpca_viewer.features.lessons.values import MATRICES, check_name, places_in
from kpca_viewer.resources import asset
from kpca_viewer.support import paths
from kpca_viewer.support.errors import DataError, excerpt

ENDING = ".lesson"
FORMAT = 1

MOST_STEPS = 60

_KEY = re.compile(r"[A-Za-z0-9_-]{1,60}")
_MARK = re.compile(
    r"panel:(embedding|data|spectrum|linear|film|page|explanation)|verdict|kernel"
    r"|side:[a-z_]+|step:[a-z_]+|grid:[a-z_]+(:[0-9]+)?|entry:[a-z_]+:[0-9]+:[0-9]+"
)
"""What can be covered and highlighted."""

_DECIDED_BY = re.compile(r"step:[a-z_]+|page:[a-z_]+")

Text = Annotated[str, msgspec.Meta(max_length=4000)]
Word = Annotated[str, msgspec.Meta(max_length=300)]
T = TypeVar("T")


class _Reply(msgspec.Struct, forbid_unknown_fields=True):
    answer: Word
    text: Text


class _Question(msgspec.Struct, forbid_unknown_fields=True):
    kind: Kind
    text: Text
    options: list[Word] = []
    answer: Word = ""
    tolerance: Annotated[float, msgspec.Meta(ge=0.0)] = 0.0
    check: list[Word] = []
    solution: Word = ""
    decided_by: Word = ""
    hint: Text = ""
    replies: list[_Reply] = []


class _Step(msgspec.Struct, forbid_unknown_fields=True):
    key: Word
    title: Word
    text: Text
    state: Word = ""
    cover: list[Word] = []
    highlight: Word = ""
    question: _Question | None = None


class _Lesson(msgspec.Struct, forbid_unknown_fields=True):
    format: Literal[1]
    title: Word
    author: Word
    steps: list[_Step]
    language: Word = "en"
    minutes: Annotated[int, msgspec.Meta(ge=1, le=600)] = 10
    summary: Text = ""
    order: Annotated[int, msgspec.Meta(ge=0, le=10_000)] = 0


class _StepTexts(msgspec.Struct, forbid_unknown_fields=True):
    title: Word
    text: Text
    question: Text = ""
    options: list[Word] = []
    hint: Text = ""
    replies: list[Text] = []


class _Translation(msgspec.Struct, forbid_unknown_fields=True):
    title: Word
    summary: Text = ""
    steps: dict[str, _StepTexts] = {}


@dataclass(frozen=True)
class LessonEntry:
    """A lesson in a list, before it is opened."""

    key: str
    title: str
    summary: str
    minutes: int
    languages: tuple[str, ...]
    path: Path


def read_lesson(path: str | os.PathLike[str], language: str | None = None) -> Lesson:
    """Read a lesson, all translations and states included."""
    found = _Files.read(Path(path))
    lesson = found.lesson()
    translated = {lesson.language: lesson}
    for name, code in found.translations(lesson.language):
        translated[code] = found.translation(name, code, lesson)
    if language is not None and language not in translated:
        raise DataError(text.no_language(lesson.key, language, list(translated)))
    chosen = translated[language or lesson.language]
    return replace(chosen, languages=tuple(translated))


def built_in_lessons(language: str | None = None) -> list[LessonEntry]:
    """Return the lessons that come with the program, in their order."""
    try:
        folders = [path for path in asset("lessons").iterdir() if path.is_dir()]
    except FileNotFoundError:
        return []
    found = []
    for folder in folders:
        files = _Files.read(folder, states=False)
        raw = files.parsed(MAIN, _Lesson)
        codes = dict(files.translations(raw.language))
        languages = (raw.language, *codes.values())
        title, summary = raw.title, raw.summary
        for name, code in codes.items():
            if code == language:
                other = files.parsed(name, _Translation)
                title, summary = other.title, other.summary
        entry = LessonEntry(folder.name, title, summary, raw.minutes, languages, folder)
        found.append((raw.order, folder.name, entry))
    return [entry for *_, entry in sorted(found, key=lambda each: each[:2])]


def lesson_path(name: str | os.PathLike[str]) -> Path:
    """Return where a lesson is: a built-in one by its key, any other by its path."""
    if paths.exists(name):
        return Path(name)
    known = {entry.key: entry.path for entry in built_in_lessons()}
    if str(name) in known:
        return known[str(name)]
    raise DataError(text.no_lesson(excerpt(name), list(known)))


# Files within limits


@dataclass(frozen=True)
class _Files:
    """The files of a lesson, all of which are small enough."""

    key: str
    contents: Mapping[str, bytes]

    @classmethod
    def read(cls, path: Path, *, states: bool = True) -> "_Files":
        key = path.resolve().name.removesuffix(ENDING)
        try:
            if paths.is_dir(path):
                contents = dict(in_folder(path, key, states=states))
            elif paths.exists(path):
                contents = dict(in_zip(path, key))
            else:
                raise DataError(text.no_such_lesson(excerpt(path, 200)))
        except (OSError, MemoryError) as error:
            reason = getattr(error, "strerror", None) or type(error).__name__
            raise DataError(text.unreadable_lesson(key, reason)) from error
        if MAIN not in contents:
            raise DataError(text.no_main(key))
        return cls(key, contents)

    def title(self, name: str) -> str:
        return f"“{self.key}/{name}”"

    def translations(self, original: str) -> Iterator[tuple[str, str]]:
        """Yield the names of files and the languages that they are in."""
        for name in sorted(self.contents):
            found = TRANSLATION.fullmatch(name)
            if found and found[1] == original:
                raise DataError(text.own_language(self.title(name), original))
            if found:
                yield name, found[1]

    def parsed(self, name: str, kind: type[T]) -> T:
        """Return the content of a TOML file as a value of some type."""
        return Toml.of(self.contents[name], self.title(name)).converted(kind)

    def lesson(self) -> Lesson:
        toml = Toml.of(self.contents[MAIN], self.title(MAIN))
        version = toml.raw.get("format")
        newer = isinstance(version, int) and version > FORMAT
        toml.expect(not newer, ("format",), text.newer(excerpt(version)))
        raw = toml.converted(_Lesson)
        toml.check(raw.language, ("language",), r"[a-z]{2}(-[A-Z]{2})?")
        toml.expect(
            0 < len(raw.steps) <= MOST_STEPS, ("steps",), text.steps(MOST_STEPS)
        )
        states = dict(self._states())
        steps, seen = [], set()
        for index, step in enumerate(raw.steps):
            here = ("steps", index)
            toml.check(step.key, (*here, "key"), _KEY.pattern)
            toml.expect(step.key not in seen, (*here, "key"), text.twice(step.key))
            seen.add(step.key)
            steps.append(_step(step, toml, here, states))
        return Lesson(
            key=self.key,
            title=raw.title,
            author=raw.author,
            steps=tuple(steps),
            states=states,
            minutes=raw.minutes,
            summary=raw.summary,
            language=raw.language,
            languages=(raw.language,),
            order=raw.order,
        )

    def _states(self) -> Iterator[tuple[str, Document]]:
        for name, content in self.contents.items():
            if found := STATE.fullmatch(name):
                yield found[1], read_state(content, self.title(name))

    def translation(self, name: str, code: str, lesson: Lesson) -> Lesson:
        toml = Toml.of(self.contents[name], self.title(name))
        raw = toml.converted(_Translation)
        known = {step.key for step in lesson.steps}
        for key in raw.steps:
            toml.expect(key in known, ("steps", key), text.no_step(excerpt(key)))
        steps = []
        for step in lesson.steps:
            toml.expect(step.key in raw.steps, ("steps",), text.untranslated(step.key))
            here = ("steps", step.key)
            steps.append(_translated(step, raw.steps[step.key], toml, here))
        return replace(
            lesson,
            title=raw.title,
            summary=raw.summary,
            steps=tuple(steps),
            language=code,
        )


# What a step may say


def _step(raw: _Step, toml: Toml, here: Place, states: Mapping[str, Document]) -> Step:
    _check_texts(toml, here, raw.title, raw.text)
    if raw.state:
        toml.expect(
            raw.state in states, (*here, "state"), text.no_state(excerpt(raw.state))
        )
    for mark in raw.cover:
        toml.check(mark, (*here, "cover"), _MARK.pattern)
    if raw.highlight:
        toml.check(raw.highlight, (*here, "highlight"), _MARK.pattern)
    question = None
    if raw.question is not None:
        question = _question(raw.question, toml, (*here, "question"), states)
    return Step(
        key=raw.key,
        title=raw.title,
        text=raw.text.strip(),
        state=raw.state,
        cover=tuple(raw.cover),
        highlight=raw.highlight,
        question=question,
    )


def _check_texts(toml: Toml, here: Place, title: str, body: str) -> None:
    for name, content in (("title", title), ("text", body)):
        toml.expect(bool(content.strip()), (*here, name), text.EMPTY)
        _check_places(toml, (*here, name), content)
    words = len(re.sub(r"\$[^$]*\$", " x ", body).split())
    toml.expect(words <= MOST_WORDS, (*here, "text"), text.words(words, MOST_WORDS))


def _check_places(toml: Toml, where: Place, content: str) -> None:
    toml.expect(content.count("$") % 2 == 0, where, text.LONE_DOLLAR)
    toml.sound(where, lambda: list(places_in(content)))


_ONLY_OF: Mapping[str, tuple[Kind, ...]] = {
    "options": ("choice",),
    "answer": ("choice", "number", "matrix", "click", "place"),
    "tolerance": ("number", "matrix", "place"),
    "check": ("state",),
    "solution": ("state",),
}
"""The kinds of questions that have a key."""


def _question(
    raw: _Question, toml: Toml, here: Place, states: Mapping[str, Document]
) -> Question:
    for name, kinds in _ONLY_OF.items():
        given = bool(getattr(raw, name))
        toml.expect(
            raw.kind in kinds or not given, (*here, name), text.not_of_kind(raw.kind)
        )
    needed = {"choice": "options", "state": "check"}.get(raw.kind, "answer")
    toml.expect(bool(getattr(raw, needed)), (*here, needed), text.MISSING_KEY)
    for name in ("text", "hint"):
        _check_places(toml, (*here, name), getattr(raw, name))
    toml.expect(bool(raw.text.strip()), (*here, "text"), text.EMPTY)
    if raw.decided_by:
        toml.check(raw.decided_by, (*here, "decided_by"), _DECIDED_BY.pattern)
    if raw.solution:
        known = raw.solution in states
        toml.expect(known, (*here, "solution"), text.no_state(excerpt(raw.solution)))
    question = Question(
        kind=raw.kind,
        text=raw.text.strip(),
        options=tuple(raw.options),
        answer=raw.answer,
        tolerance=raw.tolerance,
        check=tuple(raw.check),
        solution=raw.solution,
        decided_by=raw.decided_by,
        hint=raw.hint,
        replies=tuple(Reply(reply.answer, reply.text) for reply in raw.replies),
    )
    if raw.kind == "choice":
        toml.expect(len(raw.options) > 1, (*here, "options"), text.FEW_OPTIONS)
        toml.expect(
            len(set(raw.options)) == len(raw.options),
            (*here, "options"),
            text.SAME_OPTIONS,
        )
        for option in raw.options:
            _check_places(toml, (*here, "options"), option)
    for comparison in raw.check:
        toml.sound((*here, "check"), _check_comparison, comparison)
    if raw.kind != "state":
        toml.sound((*here, "answer"), check_answer, question, raw.answer)
    _check_replies(question, toml, (*here, "replies"))
    return question


def check_answer(question: Question, answer: str) -> None:
    """Raise a `DataError` unless a question could have such an answer."""
    if question.kind == "choice":
        if not answer.isdecimal() or not 1 <= int(answer) <= len(question.options):
            raise DataError(text.no_option(excerpt(answer), len(question.options)))
    elif question.kind == "number":
        _check_names(parse(answer))
    elif question.kind == "click":
        clicked(answer)
    elif question.kind == "matrix":
        if answer not in MATRICES:
            raise DataError(text.no_matrix(excerpt(answer)))
    elif question.kind == "place":
        parts = parse_list(answer)
        if len(parts) != 2:
            raise DataError(text.NO_PLACE)
        for part in parts:
            _check_names(part)
    else:
        _check_comparison(answer)


def _check_comparison(comparison: str) -> None:
    _check_names(parse_comparison(comparison))


def _check_names(expression: Any) -> None:
    for name in names_in(expression):
        check_name(name)


def _check_replies(question: Question, toml: Toml, here: Place) -> None:
    seen: set[str] = set()
    for index, reply in enumerate(question.replies):
        where = (*here, index, "answer")
        if question.kind == "matrix":
            toml.sound(where, cells_of, reply.answer)
        else:
            toml.sound(where, check_answer, question, reply.answer)
        toml.expect(not _is_right(question, reply.answer), where, text.REPLY_TO_RIGHT)
        toml.expect(reply.answer not in seen, where, text.twice(excerpt(reply.answer)))
        seen.add(reply.answer)
        toml.expect(bool(reply.text.strip()), (*here, index, "text"), text.EMPTY)
        _check_places(toml, (*here, index, "text"), reply.text)


def _is_right(question: Question, answer: str) -> bool:
    """Whether a reply is to the right answer, as far as no state is needed to see."""
    if question.kind == "click":
        return clicked(answer) == clicked(question.answer)
    if question.kind == "number":
        both = parse(answer), parse(question.answer)
        if any(True for each in both for _ in names_in(each)):
            return both[0] == both[1]
        given, true = (number(each, no_names) for each in both)
        return abs(given - true) <= question.tolerance
    if question.kind == "state":
        return question.check == (answer,)
    return answer == question.answer


def _translated(step: Step, raw: _StepTexts, toml: Toml, here: Place) -> Step:
    _check_texts(toml, here, raw.title, raw.text)
    question = step.question
    if question is None:
        for name in ("question", "options", "hint", "replies"):
            toml.expect(not getattr(raw, name), (*here, name), text.NO_QUESTION)
    else:
        for name, own in (("question", question.text), ("hint", question.hint)):
            given = getattr(raw, name)
            toml.expect(
                bool(given.strip()) == bool(own), (*here, name), text.NOT_AS_ORIGINAL
            )
            _check_places(toml, (*here, name), given)
        for name, count in (
            ("options", len(question.options)),
            ("replies", len(question.replies)),
        ):
            texts = getattr(raw, name)
            toml.expect(
                len(texts) == count, (*here, name), text.other_count(len(texts), count)
            )
            for each in texts:
                toml.expect(bool(each.strip()), (*here, name), text.EMPTY)
                _check_places(toml, (*here, name), each)
        question = replace(
            question,
            text=raw.question.strip(),
            options=tuple(raw.options),
            hint=raw.hint,
            replies=tuple(
                replace(reply, text=other)
                for reply, other in zip(question.replies, raw.replies, strict=True)
            ),
        )
    return replace(step, title=raw.title, text=raw.text.strip(), question=question)
