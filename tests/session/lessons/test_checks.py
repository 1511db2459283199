"""Answers are judged by the program's own numbers."""

from dataclasses import replace

import numpy as np
import pytest

from kpca_viewer.engine.notes import Notes, Selected
from kpca_viewer.engine.settings import AnalysisSettings
from kpca_viewer.engine.views import Views
from kpca_viewer.features.lessons.checks import (
    judge,
    matrix_answer,
    right_answer,
)
from kpca_viewer.features.lessons.expressions import (
    Name,
    parse,
    parse_comparison,
    readings,
)
from kpca_viewer.features.lessons.files import read_lesson
from kpca_viewer.features.lessons.model import Question, Reply
from kpca_viewer.features.lessons.states import computed_values
from kpca_viewer.features.lessons.values import NAMES, LessonValues, fill, places_in
from kpca_viewer.support.errors import DataError
from tests.analyses import analysed
from tests.session.lessons import samples


def values(document, **more):
    result = analysed(document.settings)
    return LessonValues.of(result, document.views, document.notes, **more)


def uncentred(document):
    settings = document.settings.with_center(False)
    return values(replace(document, settings=settings))


@pytest.fixture
def square():
    return values(samples.SQUARE)


def value(values, name):
    parsed = parse(name)
    assert isinstance(parsed, Name)
    return values.lookup(parsed)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("4/3", 4 / 3),
        ("sqrt(2)", 2**0.5),
        ("sqrt 2", 2**0.5),
        ("√2", 2**0.5),
        ("2√2", 8**0.5),
        ("2*sqrt(2)", 8**0.5),
        ("2 · √(2)", 8**0.5),
        ("√2/2", 0.5**0.5),
        ("1.33", 1.33),
        ("1,33", 1.33),
        ("-1", -1),
        ("−1", -1),
        ("–1,5", -1.5),
        ("(1+2)*3", 9),
        ("10^8", 1e8),
        ("10⁸", 1e8),
        ("1e8", 1e8),
        ("100,000,000", 1e8),
        ("100.000.000", 1e8),
        ("100 000 000", 1e8),
        ("μ = 3", 3),
        ("≈ 0.5", 0.5),
        (" .5 ", 0.5),
        ("50 %", 0.5),
    ],
)
def test_numbers_are_read_as_people_type_them(typed, meant):
    assert any(abs(read - meant) < 1e-12 for read in readings(typed))


def test_a_single_comma_or_point_is_read_both_ways():
    assert set(readings("2,500")) == set(readings("2.500")) == {2.5, 2500.0}
    assert readings("2,50") == (2.5,)


@pytest.mark.parametrize(
    "typed",
    ["", " ", "x", "1 1/3", "1/0", "√-1", "2+", "(2", "9^9^9^9", "1,2,3", "two", "²",
     "()", "K[1,1]", "1" * 300, "(" * 100 + "1" + ")" * 100, "√" * 150 + "2",
     "__import__('os').system('true')", "1;2", "½½", "1e999", "\0", "nan", "inf"],
)  # fmt: skip
def test_what_is_no_number_is_one_sentence(typed):
    with pytest.raises(DataError) as caught:
        readings(typed)
    told = str(caught.value)
    assert told.endswith(".")
    assert len(told) < 250
    question = Question("number", "?", answer="mu[1]")
    assert judge(question, typed, values(samples.SQUARE)).text == told


def test_the_golden_numbers_of_three_points(square):
    assert value(square, "mu[1]") == pytest.approx(4 / 3)
    assert [value(square, f"mu[{j}]") for j in (2, 3)] == [0, 0]
    assert value(square, "rank") == 1
    assert value(square, "share[1]") == pytest.approx(1)
    scores = [value(square, f"score[{i},1]") for i in (1, 2, 3)]
    assert np.abs(scores) == pytest.approx([0.4714, 0.9428, 0.4714], abs=1e-4)
    assert square.matrix("K").tolist() == [[1, 0, 1], [0, 1, 0], [1, 0, 1]]
    assert value(square, "Kc[2,2]") == pytest.approx(8 / 9)
    plain = uncentred(samples.SQUARE)
    assert [value(plain, f"mu[{j}]") for j in (1, 2, 3)] == pytest.approx([2, 1, 0])
    assert value(plain, "centred") == 0


def test_the_golden_numbers_of_other_examples():
    cube = samples.document(
        "three_points", samples.kernel("poly", gamma=1, degree=3, coef0=1)
    )
    found = values(cube)
    assert [value(found, f"mu[{j}]") for j in (1, 2, 3)] == pytest.approx(
        [8, 20 / 3, 0]
    )
    assert value(found, "features") == 10
    rising = samples.document(
        "rising_points", samples.kernel("poly", gamma=1, degree=2, coef0=1)
    )
    found = values(rising)
    assert value(found, "K[2,3]") == 1600
    assert value(found, "K[3,3]") == 3844
    assert value(found, "mu[1]") == pytest.approx(1657.431, abs=1e-3)
    assert value(uncentred(rising), "mu[1]") == pytest.approx(4539.357, abs=1e-3)
    rings = values(samples.document("two_rings", samples.kernel("rbf", gamma=0.5)))
    assert [value(rings, f"mu[{j}]") for j in range(1, 9)] == pytest.approx(
        [1.5314, 1.5314, 1.2157, 0.6722, 0.3329, 0.3329, 0.1476, 0], abs=1e-4
    )
    assert value(rings, "rank") == 7
    # Rows of two classes are sorted in the picture of the matrix, and not here.
    points = rings.result.dataset.points
    gram = np.exp(-0.5 * np.square(points[:, None] - points).sum(axis=2))
    assert rings.matrix("K") == pytest.approx(gram)


def test_values_of_the_window():
    selected = Selected.of(np.array([True, False, True]))
    state = replace(
        samples.SQUARE,
        notes=Notes(selected=selected, new_points=((5.0, 5.0), (0.5, 0.25))),
        views=Views(page="derivation", workspace="explain"),
    )
    settings = state.settings.with_view(axes=(2, 0, 1), lift="square")
    found = values(state, settings=settings)
    assert value(found, "selection") == 2
    assert value(found, "page") == "derivation"
    assert value(found, "workspace") == "explain"
    assert value(found, "source") == "three_points"
    assert value(found, "lift") == "square"
    assert (value(found, "axis.x"), value(found, "axis.y")) == (3, 1)
    assert (value(found, "new_place[1]"), value(found, "new_place[2]")) == (0.5, 0.25)
    # By hand: α = u/√μ and the new row of K less the means of the rows.
    u = np.array([1, -2, 1]) / 6**0.5
    new = np.square([0.5, 0.25, -0.5]) - [2 / 3, 1 / 3, 2 / 3]
    score = abs(float(new @ u)) / (4 / 3) ** 0.5
    assert abs(value(found, "new_point[1]")) == pytest.approx(score)


def test_accuracies_are_the_balanced_ones_of_the_verdict():
    found = values(samples.SEPARATED)
    assert value(found, "accuracy") == 1
    assert value(found, "linear_accuracy") < 0.6


def test_every_name_is_documented_and_says_where_it_is_not_there(square):
    from tests.test_docs import ROOT

    document = (ROOT / "docs" / "lessons.md").read_text(encoding="utf-8")
    for name in NAMES:
        assert f"`{name}`" in document or f"`{name}[" in document
    for name in ("accuracy", "new_point[1]", "mu[9]", "score[9,1]", "K[1,9]"):
        with pytest.raises(DataError, match=r"There is no .* in this state"):
            value(square, name)


def test_places_are_filled_and_formulas_left_alone(square):
    text = r"$\frac{n}{2}$, {n:d} rows, {mu[1]:.3f}, $\mu_{n}={mu[2]:.2f}$, {kernel}"
    assert fill(text, square) == r"$\frac{n}{2}$, 3 rows, 1.333, $\mu_{n}=0.00$, poly"
    assert fill("{x[3,1]:.1f} {x[3,1]} {share[1]:.0%} {mu[1]:g}", square) == (
        "−1.0 −1 100\N{NO-BREAK SPACE}% 1.33333"
    )
    assert fill("${x[3,1]:.1f}$", square) == "$-1.0$"
    assert len(list(places_in(text))) == 4
    with pytest.raises(DataError, match=r"There is no mu\[9\] in this state"):
        fill("{mu[9]}", square)
    with pytest.raises(DataError, match="“poly” is no number"):
        fill("{kernel:.3f}", square)


@pytest.mark.parametrize(
    ("comparison", "holds"),
    [
        ("mu[1] > 1.3", True),
        ("mu[1] == 4/3", True),
        ("mu[1] == 1.33", False),
        ("mu[1] == 1.33 ± 0.01", True),
        ("mu[1] != 1.33 ± 0.01", False),
        ("abs(score[2,1]) >= sqrt(8/9)", True),
        ("abs(score[2,1]) <= 2√2/3", True),
        ("kernel == 'poly'", True),
        ('kernel != "poly"', False),
        ("n < d", False),
        ("K[1,2] + Kc[2,2] ≤ 0.5 * n", True),
    ],
)
def test_comparisons(square, comparison, holds):
    assert parse_comparison(comparison).holds(square.lookup) is holds


@pytest.mark.parametrize("comparison", ["kernel > 'a'", "kernel == 1", "n / 0 == 1"])
def test_comparisons_that_mean_nothing(square, comparison):
    with pytest.raises(DataError):
        parse_comparison(comparison).holds(square.lookup)


@pytest.fixture
def lesson(tmp_path):
    return read_lesson(samples.write_folder(tmp_path / "three"))


def question_of(lesson, key):
    return next(step.question for step in lesson.steps if step.key == key)


@pytest.mark.parametrize("language", ["en", "de"])
def test_right_wrong_and_unreadable_answers(tmp_path, square, language):
    folder = samples.write_folder(tmp_path / "three")
    lesson = read_lesson(folder, language)
    known = {
        "matrix": ("1 0 1; 0 1 0; 1 0 1", "1 0 -1; 0 1 0; -1 0 1", "1 0; 0 1"),
        "eigenvalue": ("4/3", "2", "two"),
        "same": ("rows 3 1", "rows 1 2", ""),
        "where": ("-0.95, 0.01", "0.4, 0.01", ""),
        "rank": ("1", "2", ""),
    }
    for key, (right, wrong, unreadable) in known.items():
        question = question_of(lesson, key)
        assert judge(question, right, square).verdict == "right"
        assert judge(question, right_answer(question, square), square).is_right
        found = judge(question, wrong, square)
        assert found.verdict == "wrong"
        if question.replies:
            assert found.text == question.replies[0].text
        found = judge(question, unreadable, square)
        assert found.verdict == "unreadable"
        assert found.text.endswith((".", "example."))


def test_signs_of_axes_do_not_matter_for_a_place(square):
    question = Question("place", "?", answer="score[2,1], 0", tolerance=0.01)
    for place in ("0.9428, 0", "-0.9428, -0.001"):
        assert judge(question, place, square).is_right
    assert not judge(question, "0.93, 0", square).is_right


def test_wrong_cells_are_named(lesson, square):
    question = question_of(lesson, "matrix")
    found = judge(question, "1 0 1; 0 1 1/2; 1 0 1", square)
    assert found.cells == ((2, 3),)
    assert found.text == "Row 2, column 3 is another number."
    found = judge(question, "2 0 1; 0 1 0; 1 0 1", square)
    assert found.text == "One and no more."
    found = judge(question, "1 0 1; 0 ? 0; 1 0 !", square)
    assert found.verdict == "unreadable"
    assert found.cells == ((2, 2), (3, 3))
    assert found.text.startswith("Row 2, column 2: “?” cannot be read")


def test_a_matrix_answer_survives_blanks_in_its_cells():
    assert matrix_answer([["2 √2", " 1"], ["", "0"]]) == "2√2 1;  0"


def test_a_state_is_judged_by_the_window(lesson):
    question = question_of(lesson, "rings")
    assert judge(question, "", values(samples.SEPARATED)).is_right
    found = judge(question, "", values(samples.RINGS))
    assert found.verdict == "wrong"
    assert found.text == "That is almost linear."
    waits = Question("state", "?", check=("abs(new_point[1]) < 0.02",))
    assert judge(waits, "", values(samples.SQUARE)).verdict == "wrong"


def test_a_reply_may_name_values(square):
    question = Question(
        "number", "?", answer="mu[1]", replies=(Reply("n * mu[1]", "Not times n."),)
    )
    assert judge(question, "4", square).text == "Not times n."


def test_values_of_a_state_are_those_of_the_window(square):
    found = computed_values(samples.SQUARE)
    for name in ("mu[1]", "score[2,1]", "accuracy", "K[1,3]", "page"):
        try:
            true = value(square, name)
        except DataError:
            with pytest.raises(DataError):
                value(found, name)
        else:
            assert value(found, name) == true


def test_forgotten_steps_are_values_too():
    settings = replace(
        samples.SQUARE.settings,
        analysis=AnalysisSettings(normalised=False, centers_new=False),
    )
    found = values(replace(samples.SQUARE, settings=settings))
    assert value(found, "normalised") == value(found, "centred_new") == 0
