"""Lessons are read strictly: what is wrong is one sentence with file, line, field."""

import os
import stat
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest

from kpca_viewer.engine.document.format import from_bytes
from kpca_viewer.features.lessons.files import (
    built_in_lessons,
    lesson_path,
    read_lesson,
)
from kpca_viewer.features.lessons.states import state_text
from kpca_viewer.support.errors import DataError
from tests.session.lessons import samples
from tests.session.lessons.samples import GERMAN, LESSON, files, write_folder, write_zip


@pytest.fixture
def lesson(tmp_path):
    return write_folder(tmp_path / "three")


def refused(path, language=None) -> str:
    with pytest.raises(DataError) as caught:
        read_lesson(path, language)
    told = str(caught.value)
    assert "\n" not in told
    assert told.endswith(".")
    assert len(told) < 400
    return told


def test_a_folder_and_a_zip_are_the_same_lesson(lesson, tmp_path):
    read = read_lesson(lesson)
    assert read.key == "three"
    assert [step.key for step in read.steps][:2] == ["matrix", "eigenvalue"]
    assert read.states["square"] == samples.SQUARE
    assert read.languages == ("en", "de")
    for top in ("", "three/"):
        packed = write_zip(tmp_path / "three.lesson", top=top)
        assert read_lesson(packed) == read


def test_a_translation_has_texts_of_its_own_and_shares_the_rest(lesson):
    english, german = read_lesson(lesson), read_lesson(lesson, "de")
    assert german.title == "Drei Punkte"
    assert german.language == "de"
    assert german.steps[4].question.answer == english.steps[4].question.answer
    assert german.steps[4].question.replies[0].text == "a und c sind derselbe Punkt."
    assert german.steps[5].cover == english.steps[5].cover
    assert "“three” is not there in “fr”" in refused(lesson, "fr")


def test_a_step_without_a_state_begins_in_the_one_before(lesson):
    read = read_lesson(lesson)
    assert [read.state_of(step) for step in (0, 1, 4, 5)] == [*["square"] * 3, "rings"]


def test_states_are_kept_as_what_differs_from_a_new_session():
    kept = state_text(samples.SQUARE)
    assert len(kept) < 500
    assert from_bytes(kept) == samples.SQUARE
    suggested = samples.document("moons", samples.kernel("rbf"))
    assert from_bytes(state_text(suggested)) == suggested


@pytest.mark.journey
def test_built_in_lessons_are_listed_and_found_by_their_keys():
    listed = built_in_lessons()
    for entry in listed:
        assert read_lesson(entry.path).title == entry.title
        assert lesson_path(entry.key) == entry.path
    with pytest.raises(DataError, match="There is no lesson “none_such”"):
        lesson_path("none_such")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('minutes = 5', 'minutes = 5\ncode = "1"', "“code”: There is no such key"),
        ('title = "Fill in K"', 'tittle = "Fill in K"', "“steps[1].tittle”: There is"),
        ('kind = "matrix"', 'kind = "essay"', "“steps[1].question.kind”: Invalid enum"),
        ('key = "rank"', 'key = "same"', "“steps[5].key”: “same” is there twice."),
        ('key = "rank"', 'key = "a b"', "“steps[5].key”: “a b” is not known"),
        ('state = "rings"', 'state = "plain"', "no file states/plain.kpca"),
        ('solution = "separated"', 'solution = "x"', "“steps[6].question.solution”"),
        ('answer = "mu[1]"', 'answer = "nu[1]"', "There is no value “nu”"),
        ('answer = "mu[1]"', 'answer = "mu"', "“mu” is written mu[1]."),
        ('answer = "mu[1]"', 'answer = "mu[1"', "“]” is missing before the end."),
        ('answer = "K"', 'answer = "L"', "“L” is no matrix"),
        ('answer = "rows 1 3"', 'answer = "bar 3"', "“bar 3” cannot be clicked"),
        ('"score[2,1], score[2,2]"', '"score[2,1]"', "A place has two values"),
        ("accuracy >= 0.95", "precision >= 0.95", "no value “precision”"),
        ("accuracy >= 0.95", "accuracy", "There is no comparison"),
        ("accuracy >= 0.95", "__import__('os') == 1", "There is no value"),
        ('answer = "2"', 'answer = "1"', "This is the right answer"),
        ('answer = "2"', 'answer = "4"', "“4” is no option; they have the numbers 1"),
        ('{ answer = "rows 1 2"', '{ answer = "rows 3 1"', "This is the right answer"),
        ('["1", "2", "3"]', '["1", "1", "3"]', "Two options are the same."),
        ('["1", "2", "3"]', '["1"]', "A choice has two options at least."),
        ("{n:d}", "{m:d}", "“steps[1].text”: There is no value “m”"),
        ("{n:d}", "{n:100x}", "“100x” is no format"),
        ("{n:d}", "{n", "A brace is open or closed alone"),
        ("^{n}$", "^{n}", "one of them is missing"),
        ("Count.", "word " * 61, "“steps[5].text”: 61 words; a step has 60 at most."),
        ("Count.", "", "“steps[5].text”: This is empty."),
        ("tolerance = 0.1", "tolerance = -1", "“steps[4].question.tolerance”"),
        ("tolerance = 0.1", 'tolerance = "wide"', "should be a number"),
        ('kind = "choice"', 'kind = "choice"\ntolerance = 1', "has no such key"),
        ('"panel:embedding"', '"panel:door"', "“panel:door” is not known here"),
        ('decided_by = "step:eigen"', 'decided_by = "eigen"', "“eigen” is not known"),
        ("format = 1", "format = 2", "a lesson of a newer version (2)"),
        ("format = 1", "", "“format”: This is missing."),
        ('title = "Three points"', "title = 3", "Here stands a whole number"),
        ('title = "Three points"', 'title = "Three', "line 3: "),
    ],
)  # fmt: skip
def test_a_fault_of_the_lesson_is_one_sentence(tmp_path, old, new, told):
    assert old in LESSON
    found = refused(write_folder(tmp_path / "l", files(LESSON.replace(old, new, 1))))
    assert told in found
    assert found.startswith("“l/lesson.toml”")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('key = "rank"', 'key = "same"'),
        ('answer = "mu[1]"', 'answer = "nu[1]"'),
        ('check = ["accuracy >= 0.95"', 'check = ["accuracy > "'),
        ('highlight = "step:kernel"', 'highlight = "?"'),
        ('replies = [{ answer = "2"', 'replies = [{ answer = "1"'),
        ("tolerance = 0.1", "tolerances = 0.1"),
        ('options = ["1"', "options = [1"),
        ("minutes = 5", "minutes = = 5"),
    ],
)
def test_a_fault_has_the_line_of_its_key(tmp_path, old, new):
    line = LESSON[: LESSON.index(old)].count("\n") + 1
    found = refused(write_folder(tmp_path / "l", files(LESSON.replace(old, new, 1))))
    assert f"“l/lesson.toml”, line {line}" in found


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("[steps.rank]", "[steps.ranks]", "“steps.ranks”: lesson.toml has no step"),
        ('options = ["1", "2", "3"]', 'options = ["1", "2"]', "There are 2, in lesson"),
        ('question = "Hier:"', "", "“steps.where.question”: Either lesson.toml"),
        ('question = "Hier:"', 'question = "Hier:"\nhint = "?"', "Either lesson.toml"),
        ('question = "Hier:"', 'question = "Hier:"\nkey = "?"', "There is no such key"),
        ("{score[1,1]:.3f}", "{scores}", "There is no value “scores”"),
        ('title = "Drei Punkte"', "", "“title”: This is missing."),
        ("Zähle.", "Wort " * 61, "61 words"),
        ('["Nicht diese."]', '[""]', "“steps.same.replies”: This is empty."),
    ],
)
def test_a_fault_of_a_translation_is_one_sentence(tmp_path, old, new, told):
    assert old in GERMAN
    german = GERMAN.replace(old, new, 1)
    found = refused(write_folder(tmp_path / "l", files(german=german)))
    assert told in found
    assert found.startswith("“l/lesson.de.toml”")


def test_a_translation_into_the_language_of_the_lesson_is_refused(tmp_path):
    text = LESSON.replace("minutes = 5", 'language = "de"')
    found = refused(write_folder(tmp_path / "l", files(text)))
    assert "translates into “de”" in found


STATE = state_text(samples.SQUARE).decode()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "is not a session"),
        ("[1, 2]", "is not a session"),
        (STATE[:-20], "is a damaged session, perhaps cut short"),
        (STATE.replace('"family"', '"familly"'), "the field “settings.kernel.familly”"),
        (STATE.replace("three_points", "four_points"), "no generator “four_points”"),
        (STATE.replace('"poly"', '"polly"'), "there is no kernel “polly”"),
        (STATE.replace('"kpca_viewer": 1', '"kpca_viewer": 9'), "newer version (9)"),
        (STATE.replace('"generator"', '"none"'), "has no data of its own"),
        (
            STATE.replace('"generator"', '"file", "absolute": "/etc/passwd"'),
            "has no data of its own",
        ),
        ('{"kpca_viewer": 1, "a": ' + "[" * 100_000, "is a damaged session"),
    ],
)
def test_a_state_is_read_strictly(tmp_path, content, told):
    damaged = files() | {"states/square.kpca": content.encode()}
    assert told in refused(write_folder(tmp_path / "l", damaged))


def test_what_is_no_lesson_is_refused(tmp_path):
    assert "no lesson.toml" in refused(tmp_path)
    assert "There is no lesson" in refused(tmp_path / "none")
    text = tmp_path / "text.lesson"
    text.write_text("not a zip")
    assert "the file is damaged, or no zip" in refused(text)
    whole = write_zip(tmp_path / "cut.lesson").read_bytes()
    for end in (len(whole) // 2, len(whole) - 10):
        (tmp_path / "cut.lesson").write_bytes(whole[:end])
        assert "the file is damaged, or no zip" in refused(tmp_path / "cut.lesson")


def test_damaged_bytes_of_a_zip_never_end_in_anything_but_a_sentence(tmp_path):
    path = tmp_path / "l.lesson"
    whole = write_zip(path).read_bytes()
    read = read_lesson(path)
    for place in range(0, len(whole), 37):
        damaged = bytearray(whole)
        damaged[place] ^= 0xFF
        path.write_bytes(damaged)
        with suppress(DataError):
            assert read_lesson(path).key == read.key


def test_large_files_are_refused_before_they_are_read(tmp_path):
    huge = tmp_path / "huge"
    write_folder(huge)
    for name in ("lesson.toml", "lesson.de.toml", "states/square.kpca"):
        before = (huge / name).read_bytes()
        with (huge / name).open("wb") as file:
            file.truncate(100 << 20)
        assert "larger than 1 MB" in refused(huge)
        (huge / name).write_bytes(before)
    with (tmp_path / "huge.lesson").open("wb") as file:
        file.truncate(100 << 20)
    assert "larger than 20 MB" in refused(tmp_path / "huge.lesson")
    bomb = files() | {"states/a.kpca": b" " * (900 << 10)}
    assert "would unfold" in refused(write_zip(tmp_path / "bomb.lesson", bomb))
    many = {f"states/s{i}.kpca": b"{}" for i in range(300)}
    assert "more than 200 files" in refused(write_zip(tmp_path / "m.lesson", many))
    assert "more than 200 files" in refused(
        write_folder(tmp_path / "m", files() | many)
    )


@pytest.mark.parametrize(
    "content",
    [
        b"a = " + b"[" * 200_000,
        b"a" + b".a" * 200_000 + b" = 1",
        b"a = 1" + b"0" * 200_000,
        b"a = " + b"{a = " * 50_000,
        b"\xff\xfe",
        b"a = 1\na = 2",
        b"\x00",
    ],
)
def test_hostile_toml_is_refused_quickly(tmp_path, content):
    damaged = files() | {"lesson.toml": content}
    assert "“l/lesson.toml”" in refused(write_folder(tmp_path / "l", damaged))


@pytest.mark.parametrize(
    "name", ["../lesson.toml", "/lesson.toml", "states\\a.kpca", "a/../../b"]
)
def test_names_that_lead_out_of_a_zip_are_refused(tmp_path, name):
    damaged = files() | {name: b"x"}
    assert "leads out of the lesson" in refused(
        write_zip(tmp_path / "l.lesson", damaged)
    )


def test_links_out_of_a_lesson_are_refused(tmp_path):
    outside = tmp_path / "secret"
    outside.write_bytes(state_text(samples.SQUARE))
    folder = write_folder(tmp_path / "l")
    (folder / "states/square.kpca").unlink()
    os.symlink(outside, folder / "states/square.kpca")
    assert "leads out of the lesson" in refused(folder)
    info = zipfile.ZipInfo("states/square.kpca")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    packed = tmp_path / "l.lesson"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("lesson.toml", LESSON)
        archive.writestr(info, str(outside))
    assert "leads out of the lesson" in refused(packed)


def test_a_member_that_is_there_twice_or_locked_is_refused(tmp_path):
    path = write_zip(tmp_path / "l.lesson")
    with (
        zipfile.ZipFile(path, "a") as archive,
        pytest.warns(UserWarning, match="Duplicate"),
    ):
        archive.writestr("lesson.toml", LESSON)
    assert "“lesson.toml” twice" in refused(path)
    locked = bytearray(write_zip(path).read_bytes())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        locked[locked.index(mark) + offset] |= 1
    path.write_bytes(locked)
    assert "has a password" in refused(path)


def test_other_files_of_the_folder_are_left_alone(lesson: Path):
    (lesson / "notes.txt").write_bytes(b"\xff" * 100)
    (lesson / "states" / "old.kpca~").write_bytes(b"\xff" * 100)
    assert read_lesson(lesson).key == "three"
