"""``kpca-viewer lesson``: what is checked, and what is written."""

import json

import pytest

from kpca_viewer.cli.hand_out import wanted
from kpca_viewer.cli.main import main
from kpca_viewer.features.lessons.files import read_lesson
from kpca_viewer.features.lessons.proof import prove
from tests.export.report import pdf_text
from tests.session.lessons import samples
from tests.session.lessons.samples import GERMAN, LESSON, files, write_folder


def test_a_lesson_that_is_right(tmp_path, capsys):
    folder = write_folder(tmp_path / "three")
    assert main(["lesson", "check", str(folder)]) == 0
    assert capsys.readouterr().out == (
        "6 steps, 6 questions, en, de: states are computed, places filled, answers "
        "compared\n"
    )


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("{score[1,1]:.3f}", "{score[9,1]:.3f}", "same: There is no score[9,1]"),
        ("{score[1,1]:.3f}", "{kernel:.3f}", "same: “poly” is no number."),
        ('answer = "mu[1]"', 'answer = "accuracy"', "eigenvalue: There is no accuracy"),
        ("tolerance = 0.005", "", "eigenvalue: The answer is 1.333 and has no toler"),
        ("tolerance = 0.1", "", "where: A place without a tolerance"),
        ('answer = "rows 1 3"', 'answer = "rows 1 4"', "same: There is no rows 1 4"),
        ('"2 * mu[1] / mu[1]"', '"4/3"', "eigenvalue: There is a reply to “4/3”"),
        ('"[1,1] = 2"', '"[1,1] = 1"', "matrix: There is a reply to “[1,1] = 1”"),
        (
            "accuracy >= 0.95",
            "accuracy >= 0.3",
            "rings: The state that the step begins",
        ),
        ("axis.x == 1", "axis.x == 2", "rings: The solution does not fulfil “axis.x"),
        ('solution = "separated"\n', "", None),
    ],
)
def test_what_is_wrong_with_the_numbers_of_a_lesson(tmp_path, capsys, old, new, told):
    assert old in LESSON
    folder = write_folder(tmp_path / "l", files(LESSON.replace(old, new)))
    assert main(["lesson", "check", str(folder)]) == (2 if told else 0)
    said = capsys.readouterr()
    assert (told or "rings: There is no solution") in said.out
    assert said.err == ("kpca-viewer lesson: “l” has 1 fault.\n" if told else "")


def test_places_of_translations_are_filled_too(tmp_path, capsys):
    german = GERMAN.replace("{score[1,1]:.3f}", "{score[9,1]:.3f}")
    folder = write_folder(tmp_path / "l", files(german=german))
    assert main(["lesson", "check", str(folder), "--json"]) == 2
    assert len(json.loads(capsys.readouterr().out)["faults"]) == 1


def test_a_damaged_lesson_is_one_line(tmp_path, capsys):
    folder = write_folder(tmp_path / "l", files(LESSON.replace("format = 1", "")))
    assert main(["lesson", "check", str(folder)]) == 2
    err = capsys.readouterr().err
    assert err == "kpca-viewer lesson: “l/lesson.toml”, “format”: This is missing.\n"


def test_a_new_lesson_is_right(tmp_path, capsys):
    folder = tmp_path / "mine"
    assert main(["lesson", "new", str(folder)]) == 0
    assert prove(read_lesson(folder)).findings == ()
    assert main(["lesson", "new", str(folder)]) == 2
    assert "is there already" in capsys.readouterr().err


def test_a_state_that_cannot_be_computed_is_a_fault(tmp_path):
    bad = samples.document("circles", samples.kernel("rbf", gamma=-1.0))
    damaged = files() | {"states/rings.kpca": samples.state_text(bad)}
    proof = prove(read_lesson(write_folder(tmp_path / "l", damaged)))
    assert proof.faults[0].text.startswith("states/rings.kpca: ")


def is_in(part, pdf):
    """Whether a PDF shows a text; where its words are apart is not kept."""
    return "".join(part.split()) in pdf_text.text(pdf.read_bytes())


@pytest.mark.journey
def test_a_hand_out_has_blanks_or_solutions(tmp_path, capsys):
    folder = write_folder(tmp_path / "three")
    out = tmp_path / "hand-out.pdf"
    command = ["lesson", "render", str(folder), "--out", str(out)]
    assert main(command) == 0
    assert is_in("Three points A teacher · 5 min One sentence. Name", out)
    for part in (
        "1 Fill in K",
        "of 3 points.",
        "6 Separate the rings",
        "What you found",
    ):
        assert is_in(part, out)
    for part in ("1.333 (±", "The square is missing.", "row 1, 3", "accuracy ≥ 0.95"):
        assert not is_in(part, out)
    assert main(command) == 2
    assert "exists" in capsys.readouterr().err
    assert main([*command, "--solutions", "--language", "de", "--force"]) == 0
    for part in (
        "mit Lösungen",
        "1 Fülle K aus",
        "1.333 (± 0.005)",
        "Das Quadrat fehlt.",
        "Zeile 1, 3",
        "±0.94, ±0.00",
        "accuracy ≥ 0.95",
    ):
        assert is_in(part, out)


def test_a_hand_out_is_a_pdf_of_a_language_that_there_is(tmp_path, capsys):
    folder = write_folder(tmp_path / "three")
    for more, told in (
        (["--out", "a.png"], "should end with .pdf"),
        (["--out", "a.pdf", "--language", "fr"], "only in: en, de"),
    ):
        assert main(["lesson", "render", str(folder), *more]) == 2
        assert told in capsys.readouterr().err


def test_a_picture_does_not_give_the_answer_away(tmp_path):
    lesson = read_lesson(write_folder(tmp_path / "three"))
    step = lesson.steps[0]
    assert "embedding" in step.cover[0]
    assert list(wanted(lesson, step, "square", solutions=False)) == ["data", "spectrum"]
    solved = list(wanted(lesson, step, "square", solutions=True))
    assert solved == ["derivation", "embedding", "data", "spectrum"]
    assert "derivation" not in wanted(lesson, step, "square", solutions=True, few=False)
