"""Marks are computed from what was handed in, and not read from it."""

import csv
import io
import json
import os
from dataclasses import replace

import pytest

from kpca_viewer.cli.main import main
from kpca_viewer.engine.document.format import to_bytes
from kpca_viewer.engine.document.model import DocumentData
from kpca_viewer.engine.settings import DataSettings
from kpca_viewer.features.lessons.files import read_lesson
from kpca_viewer.features.lessons.grade import (
    Grader,
    grade_class,
    marks_csv,
    read_class,
    usual_lesson,
)
from kpca_viewer.features.lessons.hand_in import (
    HandedAnswer,
    HandIn,
    from_content,
    hand_in_bytes,
    read_hand_in,
)
from kpca_viewer.support.errors import DataError
from tests.analyses import analysed
from tests.session.lessons import samples

RIGHT = {
    "matrix": "1 0 1; 0 1 0; 1 0 1",
    "eigenvalue": "1,333",
    "same": "rows 1 3",
    "where": "0.94, 0",
    "rank": "1",
}


def handed(name="Ada", state=samples.SEPARATED, right=True, **answers):
    given = {**RIGHT, **answers}
    found = [
        HandedAnswer(key, answer, 2, right, samples.SQUARE)
        for key, answer in given.items()
    ]
    found.append(HandedAnswer("rings", "", 3, right, state))
    return HandIn("three", name, tuple(found), "Three points")


@pytest.fixture(scope="module")
def lesson(tmp_path_factory):
    return read_lesson(samples.write_folder(tmp_path_factory.mktemp("l") / "three"))


@pytest.fixture(scope="module")
def grader(lesson):
    return Grader(lesson)


def test_a_hand_in_is_a_readable_text_and_comes_back():
    content = hand_in_bytes(handed())
    assert from_content(content, "It") == handed()
    text = content.decode()
    assert '"name": "Ada"' in text
    assert '"answer": "1,333"' in text
    assert len(content) < 20_000


def test_what_an_editor_of_texts_has_saved_again_is_read():
    content = b"\xef\xbb\xbf" + hand_in_bytes(handed())
    assert from_content(content, "It") == handed()


def test_a_name_holds_letters_that_can_be_seen():
    content = hand_in_bytes(replace(handed(), name="A\x00d\u202ea"))
    assert from_content(content, "It").name == "Ada"


def test_all_right_is_a_point_for_each_question(grader):
    mark = grader.grade("ada", handed())
    assert mark.points == dict.fromkeys([*RIGHT, "rings"], 1)
    assert mark.attempts["rings"] == 3
    assert mark.remark == ""


def test_wrong_answers_have_no_points(grader):
    mark = grader.grade(
        "bob", handed(right=False, rank="2", eigenvalue="?", state=samples.RINGS)
    )
    assert sum(mark.points.values()) == 3
    assert mark.remark == ""


def test_forged_marks_are_noticed(grader):
    mark = grader.grade("eve", handed(rank="2", state=samples.RINGS))
    assert mark.points["rank"] == mark.points["rings"] == 0
    assert mark.remark.count("The file says that it is right; it is not.") == 2
    nothing = HandIn("three", "Eve", (HandedAnswer("rank", "", 1, True),))
    assert sum(grader.grade("eve", nothing).points.values()) == 0


@pytest.mark.parametrize(
    "data",
    [
        DataSettings.of_source("blobs"),
        DataSettings.of_source("circles", seed=7),
        DataSettings.of_source("circles").with_value("noise", 0.0),
        DataSettings.of_source("circles").with_value("samples", 10_000_000),
        DataSettings("/etc/passwd"),
    ],
)
def test_a_state_of_other_data_is_worth_nothing(grader, data):
    forged = replace(
        samples.SEPARATED, settings=replace(samples.SEPARATED.settings, data=data)
    )
    mark = grader.grade("eve", handed(state=forged))
    assert mark.points["rings"] == 0
    assert "rings: The state is about other data than the lesson's." in mark.remark


def test_states_that_cannot_be_computed_are_worth_nothing(grader):
    for family, values in (("none", {}), ("rbf", {"gamma": -1.0})):
        forged = samples.document("circles", samples.kernel(family, **values))
        mark = grader.grade("eve", handed(state=forged))
        assert mark.points["rings"] == 0
        assert mark.remark.startswith("rings: ")


def test_numbers_are_those_of_the_lesson_whatever_the_state_says(grader):
    moved = samples.document("three_points", samples.kernel("poly", gamma=9.0))
    answers = tuple(
        replace(each, state=moved, answer=RIGHT.get(each.step, ""))
        for each in handed().answers
    )
    mark = grader.grade("ada", replace(handed(), answers=answers))
    assert [mark.points[key] for key in RIGHT] == [1] * 5


def test_data_of_the_lesson_are_taken_where_it_keeps_them(lesson):
    settings = samples.SEPARATED.settings
    dataset = analysed(settings).dataset
    settings = replace(settings, data=DataSettings("mine"))
    kept = DocumentData(embedded=replace(dataset, name="mine"))
    own = replace(samples.RINGS, settings=settings, data=kept)
    mine = replace(lesson, states={**lesson.states, "rings": own})
    content = hand_in_bytes(handed(state=own))
    assert b"embedded" not in content
    mark = Grader(mine).grade("ada", from_content(content, "It"))
    assert mark.points["rings"] == 1
    again = replace(settings, data=DataSettings("mine (2)"))
    renamed = handed(state=replace(own, settings=again))
    assert Grader(mine).grade("ada", renamed).points["rings"] == 1


def damaged():
    """Yield files that are no hand-in, and what is said of them."""
    good = hand_in_bytes(handed())
    text = good.decode()
    yield "empty", b"", "was not handed in from a lesson"
    yield "binary", bytes(range(256)), "was not handed in from a lesson"
    yield "zip", b"PK\x03\x04" + bytes(100), "was not handed in from a lesson"
    yield "session", to_bytes(samples.SQUARE), "was not handed in from a lesson"
    yield "list", b"[]", "was not handed in from a lesson"
    yield "cut", good[: len(good) // 2], "is damaged"
    yield "letter", text.replace('"Ada"', '"Ada').encode(), "is damaged"
    yield "utf16", text.encode("utf-16"), "was not handed in"
    yield "format", text.replace('hand_in": 1', 'hand_in": 2').encode(), "format 2"
    yield "extra", text.replace('"name"', '"mark": 6, "name"').encode(), "is damaged"
    yield "nameless", text.replace('"name": "Ada",', "").encode(), "is damaged"
    yield "number", text.replace('"Ada"', "7").encode(), "is damaged"
    yield "long", text.replace("Ada", "A" * 500).encode(), "is damaged"
    yield (
        "attempts",
        text.replace('"attempts": 3', '"attempts": -3').encode(),
        "damaged",
    )
    yield "twice", text.replace('"step": "rank"', '"step": "same"').encode(), "twice"
    yield "huge", b" " * (5 << 20), "larger than 4 MB"
    yield "deep", b'{"kpca_viewer_hand_in": ' + b"[" * 100_000, "is damaged"
    poly = '"family": "poly"'
    yield "strange", text.replace(poly, '"family": 7').encode(), "damaged session"
    file = '"kind": "file", "absolute": "/etc/passwd"'
    yield "file", text.replace('"kind": "generator"', file).encode(), "holds data"
    packed = '"embedded": {"points": "eA=="}, "settings"'
    yield "data", text.replace('"settings"', packed).encode(), "holds data"
    rows = '"selection": {"rows": 2000000000, "bits": ""}, "settings"'
    yield "rows", text.replace('"settings"', rows).encode(), "holds data"


DAMAGED = list(damaged())


@pytest.mark.parametrize(
    ("name", "content", "told"), DAMAGED, ids=[each[0] for each in DAMAGED]
)
def test_what_is_no_hand_in_is_one_sentence(tmp_path, name, content, told):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(DataError) as caught:
        read_hand_in(path)
    assert told in str(caught.value)
    assert f"“{name}”" in str(caught.value)
    assert str(caught.value).endswith(".")


def test_files_of_100_mb_are_not_read(tmp_path):
    with (tmp_path / "large").open("wb") as file:
        file.truncate(100 << 20)
    with pytest.raises(DataError, match="larger than 4 MB"):
        read_hand_in(tmp_path / "large")


def write_class(folder):
    folder.mkdir()
    for name, answers in (("ada", handed()), ("bob", handed("Bob", rank="3"))):
        (folder / f"{name}.answers.json").write_bytes(hand_in_bytes(answers))
    (folder / "eve").mkdir()
    formula = handed('=HYPERLINK("http://x")', right=False, matrix="")
    (folder / "eve" / "e.json").write_bytes(hand_in_bytes(formula))
    other = replace(handed("Dan"), lesson="four")
    (folder / "dan.json").write_bytes(hand_in_bytes(other))
    (folder / "photo.jpg").write_bytes(b"\xff\xd8")
    (folder / ".hidden").write_bytes(b"")
    os.symlink("/etc/passwd", folder / "link.json")
    return folder


def test_a_class_is_a_table_of_marks(tmp_path, lesson):
    read, faults = read_class(write_class(tmp_path / "class"))
    assert usual_lesson(read.values()) == "three"
    marks = grade_class(lesson, read, faults)
    table = marks_csv(lesson, marks).decode("utf-8-sig")
    rows = {row["file"]: row for row in csv.DictReader(io.StringIO(table))}
    assert list(rows) == [
        *("ada.answers.json", "bob.answers.json", "dan.json", "eve/e.json"),
        *("link.json", "photo.jpg"),
    ]
    assert (rows["ada.answers.json"]["points"], rows["ada.answers.json"]["of"]) == (
        "6",
        "6",
    )
    assert rows["bob.answers.json"]["rank"] == "0"
    assert rows["bob.answers.json"]["rings attempts"] == "3"
    assert "it is not" in rows["bob.answers.json"]["remark"]
    assert rows["dan.json"]["points"] == ""
    assert rows["dan.json"]["remark"] == "This is of the lesson “four”."
    assert rows["eve/e.json"]["name"].startswith("'=HYPERLINK")
    assert rows["photo.jpg"]["remark"].endswith("was not handed in from a lesson.")
    assert rows["link.json"]["remark"] == "A link is not read."


def test_the_command_writes_the_table(tmp_path, capsys):
    folder = write_class(tmp_path / "class")
    own = samples.write_folder(tmp_path / "three")
    out = tmp_path / "marks.csv"
    command = ["grade", str(folder), "--lesson", str(own), "--out", str(out)]
    assert main([*command, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["files"] == 6
    assert out.read_text(encoding="utf-8-sig").count("\n") == 7
    assert main(command) == 2
    assert "exists" in capsys.readouterr().err
    assert main(["grade", str(tmp_path / "none"), "--out", str(out), "--force"]) == 2
    assert "is no folder" in capsys.readouterr().err
    # Without a lesson, the one that most name is looked for among those built in.
    assert main([*command[:2], "--out", str(out), "--force"]) == 2
    assert "There is no lesson “three”" in capsys.readouterr().err
