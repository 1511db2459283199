"""Writing lessons: a folder with texts and states that git can compare."""

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path

from kpca_viewer.features.lessons.files import read_lesson
from kpca_viewer.features.lessons.members import MAIN
from kpca_viewer.features.lessons.model import Lesson, Question, Step
from kpca_viewer.features.lessons.states import state_text
from kpca_viewer.support.atomic import write_atomically

_PLAIN = Question("choice", "")


def write_lesson(
    lesson: Lesson, folder: Path, translations: Sequence[Lesson] = ()
) -> None:
    """Write a lesson; what can be read back is all that is ever written."""
    contents = dict(_files(lesson, translations))
    with tempfile.TemporaryDirectory() as place:
        trial = Path(place) / folder.name
        _write(contents, trial)
        read_lesson(trial)
    _write(contents, folder)
    for old in folder.glob("states/*.kpca"):
        if f"states/{old.name}" not in contents:
            old.unlink()


def _write(contents: Mapping[str, bytes], folder: Path) -> None:
    for name, content in contents.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, content)


def _files(
    lesson: Lesson, translations: Sequence[Lesson]
) -> Iterator[tuple[str, bytes]]:
    used = {step.state for step in lesson.steps}
    used |= {step.question.solution for step in lesson.steps if step.question}
    for name in sorted(used & set(lesson.states)):
        yield f"states/{name}.kpca", state_text(lesson.states[name])
    yield MAIN, lesson_text(lesson).encode()
    for other in translations:
        content = translation_text(lesson, other).encode()
        yield f"lesson.{other.language}.toml", content


def lesson_text(lesson: Lesson) -> str:
    """Return a lesson as TOML."""
    lines = ["format = 1"]
    for name in ("title", "author", "language", "minutes", "order", "summary"):
        if value := getattr(lesson, name):
            lines.append(f"{name} = {_toml(value)}")
    for step in lesson.steps:
        lines += ["", "[[steps]]", *_assigned(step, Step("", "", ""))]
        if step.question is not None:
            kind = f'kind = "{step.question.kind}"'
            lines += ["", "[steps.question]", kind, *_assigned(step.question, _PLAIN)]
    return "\n".join(lines) + "\n"


def _assigned(part: Step | Question, plain: Step | Question) -> Iterator[str]:
    """Yield the fields that are not as they are without being written."""
    for each in fields(part):
        value = getattr(part, each.name)
        if each.name in ("question", "kind") or value == getattr(plain, each.name):
            continue
        if each.name == "replies":
            yield "replies = ["
            for reply in value:
                answer, words = _toml(reply.answer), _toml(reply.text)
                yield f"  {{ answer = {answer}, text = {words} }},"
            yield "]"
        else:
            yield f"{each.name} = {_toml(value)}"


def translation_text(lesson: Lesson, other: Lesson) -> str:
    """Return the texts of a lesson in another language as TOML."""
    lines = [f"title = {_toml(other.title)}", f"summary = {_toml(other.summary)}"]
    known = {step.key: step for step in other.steps}
    for step in lesson.steps:
        found = known.get(step.key, step)
        told = found if _is_alike(found.question, step.question) else step
        lines += ["", f"[steps.{step.key}]"]
        lines += [f"title = {_toml(told.title)}", f"text = {_toml(told.text)}"]
        question = told.question
        if question is not None:
            lines.append(f"question = {_toml(question.text)}")
            if question.options:
                lines.append(f"options = {_toml(question.options)}")
            if question.hint:
                lines.append(f"hint = {_toml(question.hint)}")
            if question.replies:
                replies = tuple(reply.text for reply in question.replies)
                lines.append(f"replies = {_toml(replies)}")
    return "\n".join(lines) + "\n"


def _is_alike(one: Question | None, other: Question | None) -> bool:
    """Return whether two questions have texts in the same places."""

    def places(question: Question | None) -> tuple[object, ...]:
        if question is None:
            return ()
        parts = question.options, question.replies
        return (question.kind, *map(len, parts), bool(question.hint))

    return places(one) == places(other)


def _toml(value: object) -> str:
    if isinstance(value, str):
        if "\n" in value:
            inner = json.dumps(value, ensure_ascii=False)[1:-1]
            inner = inner.replace("\\n", "\n").replace('\\"', '"')
            return '"""\n' + inner.replace('"""', '\\"\\"\\"') + '\n"""'
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, tuple | list):
        return f"[{', '.join(_toml(each) for each in value)}]"
    return repr(value)
