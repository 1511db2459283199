"""Points that a person draws, and those that are pasted."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.drawn import MOST, MOST_CLASSES, Drawn, places_without
from kpca_viewer.data.generators import generate
from kpca_viewer.data.pasted import read_points
from kpca_viewer.support.errors import DataError

SQUARE = Drawn().added([(0, 0), (1, 0), (1, 1), (0, 1)], [0, 0, 1, -1])


def mask(*rows, n=4):
    found = np.zeros(n, dtype=bool)
    found[list(rows)] = True
    return found


def test_a_drawing_is_data():
    data = SQUARE.dataset()
    assert data.points.tolist() == [[0, 0], [1, 0], [1, 1], [0, 1]]
    assert data.labels.tolist() == [0, 0, 1, -1]
    assert data.label_names == ("1", "2")
    assert data.feature_names == ("x1", "x2")
    assert data.name == "Drawn points"


def test_points_without_classes_have_no_labels():
    assert Drawn().added([(0, 0)], -1).dataset().labels is None


def test_nothing_is_no_data_yet():
    with pytest.raises(DataError, match="click into the plane"):
        Drawn().dataset()


def test_every_change_is_another_value():
    assert SQUARE.moved(1, (5, 6)).points[1] == (5, 6)
    assert SQUARE.without(mask(0, 2)).points == ((1, 0), (0, 1))
    assert SQUARE.without(mask(0, 2)).classes == (0, -1)
    assert SQUARE.classed(mask(3), 4).classes == (0, 0, 1, 4)
    assert SQUARE.shifted(mask(1, 2), (1, -1)).points == (
        (0, 0),
        (2, -1),
        (2, 0),
        (0, 1),
    )
    assert SQUARE.points[1] == (1, 0)
    assert hash(SQUARE) == hash(Drawn().added(SQUARE.points, SQUARE.classes))
    assert SQUARE.classed(mask(3), 4).dataset().label_names == ("1", "2", "3", "4", "5")


def test_rows_are_found_where_others_were_removed():
    assert places_without(mask(1, 2)).tolist() == [0, -1, -1, 1]


def test_an_open_set_is_taken_with_classes_and_names():
    moons = generate("moons", samples=10)
    drawn = Drawn.of(moons)
    again = drawn.dataset()
    assert np.array_equal(again.points, moons.points)
    assert np.array_equal(again.labels, moons.labels)
    assert again.label_names == moons.label_names
    assert again.name == "Moons, edited"
    assert Drawn.of(again).name == "Moons, edited"
    assert drawn.class_name(0) == moons.label_names[0]


@pytest.mark.parametrize(
    ("dataset", "why"),
    [
        (Dataset(np.zeros((MOST + 1, 2))), "at most 5,000"),
        (Dataset(np.zeros((3, 11))), "11 features"),
        (Dataset(np.array([[0.0, np.nan]])), "gaps"),
        (Dataset(np.eye(3), kind="kernel"), "without points"),
    ],
)
def test_what_cannot_be_changed_by_hand_is_refused(dataset, why):
    with pytest.raises(DataError, match=why):
        Drawn.of(dataset)


def test_limits_are_said():
    with pytest.raises(DataError, match="too many to draw"):
        SQUARE.added([(0, 0)] * MOST, 0)
    with pytest.raises(DataError, match="too far away"):
        SQUARE.moved(0, (1e200, 0))
    with pytest.raises(DataError, match="3 numbers instead of 2"):
        SQUARE.added([(0, 0, 0)], 0)
    crowded = Drawn(class_names=tuple(f"c{j}" for j in range(MOST_CLASSES)))
    with pytest.raises(DataError, match="class 51"):
        crowded.with_class_named("one more")


def test_classes_are_known_by_name_or_number():
    assert SQUARE.with_class_named("2") == (SQUARE, 1)
    assert SQUARE.with_class_named("7") == (SQUARE, 6)
    assert SQUARE.with_class_named(" ") == (SQUARE, -1)
    named, code = SQUARE.with_class_named("cat")
    assert (named.class_names, code) == (("1", "2", "cat"), 2)


@pytest.mark.journey
@given(
    st.lists(st.sampled_from("12345abc"), unique=True, max_size=5), st.integers(0, 9)
)
def test_no_two_classes_have_one_name(names, last):
    drawn = Drawn(class_names=tuple(names)).added([(0, 0)], last)
    found = drawn.dataset().label_names
    assert len(set(found)) == len(found) == last + 1
    assert found[: len(names)] == tuple(names)[: last + 1]
    for code, name in enumerate(found):
        assert drawn.with_class_named(name) == (drawn, code)


def test_a_class_is_called_by_its_number_unless_another_one_is():
    drawn = Drawn(class_names=("2", "4")).added([(0, 0)] * 2, [1, 3])
    assert drawn.dataset().label_names == ("2", "4", "3", "5")
    assert drawn.with_class_named("6") == (drawn, 4)


@pytest.mark.parametrize(
    "drawn",
    [
        Drawn(((0.0, 0.0),), ()),
        Drawn(((0.0,),), (0,)),
        Drawn(((0.0, float("nan")),), (0,)),
        Drawn(((0.0, 0.0),), (-2,)),
        Drawn(features=()),
    ],
)
def test_a_damaged_drawing_is_refused(drawn):
    with pytest.raises(DataError):
        drawn.check()
    SQUARE.check()


@pytest.mark.parametrize(
    "text",
    [
        "(1,2),(3,4),(5,6)",
        "(1, 2); (3, 4); (5, 6)",
        "[[1, 2], [3, 4], [5, 6]]",
        "1 2; 3 4; 5 6",
        "1,2 3,4 5,6",
        "1 2\n3 4\n5 6\n",
        "1\t2\r\n3\t4\r\n5\t6\r\n",
        "1, 2\n3, 4\n5, 6",
        "x\ty\n1\t2\n3\t4\n5\t6",
        "np.array([[1., 2.], [3., 4.], [5., 6.]])",
    ],
)
def test_points_are_read_however_they_are_written(text):
    assert read_points(text).points == ((1, 2), (3, 4), (5, 6))


@pytest.mark.parametrize(
    "text",
    [
        "X = np.array([[1, 2], [3, 4]], dtype=float)",
        "array([[1., 2.],\n       [3., 4.]], dtype=float32)",
        "points: (1, 2), (3, 4);",
        "{{1, 2}, {3, 4}}",
        "((1,2),(3,4))",
        "01,02\n03,04",
    ],
)
def test_what_stands_around_points_is_no_point(text):
    assert read_points(text).points == ((1, 2), (3, 4))


def test_a_class_behind_commas_may_stand_behind_a_blank():
    assert read_points("1,2 a\n3,4 b").classes == ("a", "b")
    assert read_points("1, 2, a\n3, 4, b").classes == ("a", "b")
    assert read_points("1,234 5,678").points == ((1, 234), (5, 678))


def test_a_class_may_stand_behind_the_numbers():
    assert read_points("1 2 a; 3 4 b").classes == ("a", "b")
    assert read_points("1 2 5; 3 4 6").d == 3
    joined = read_points("1 2 5; 3 4 6", 2)
    assert (joined.d, joined.classes) == (2, ("5", "6"))
    drawn = joined.onto(SQUARE, 0)
    assert drawn.classes[-2:] == (4, 5)
    assert read_points("1 2", 2).onto(SQUARE, 3).classes[-1] == 3


def test_decimals_signs_and_titles():
    assert read_points("1,5\t−2,5").points == ((1.5, -2.5),)
    assert read_points("a\tb\n1\t2").features == ("a", "b")
    assert read_points("a b\n1 2").onto(Drawn(), 0).features == ("a", "b")
    assert read_points("1;2;3").onto(Drawn(), 0).features == ("x1",)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no points on the clipboard"),
        ("hello", "“hello” in point 1 is no number"),
        ("1 2; 3", "Point 2 has 1 number, but the first has 2"),
        ("1 2; 3 x4", "“x4” in point 2 is no number"),
        ("(1,2),(3", "bracket of point 2 is not closed"),
        ("nan 1", "“nan” in point 1"),
        ("nan nan\n1 2", "“nan” in point 1"),
        ("-inf\n1", "“-inf” in point 1"),
        ("(1,2), 3,4", "“3,4” behind point 1 stands in no bracket"),
        ("1 2 (3 4)", "“1 2” before point 1 stands in no bracket"),
        ("A(1,2) B(3,4)", "“B” behind point 1 stands in no bracket"),
        ("[5, (1,2)]", "“5” before point 1 stands in no bracket"),
        ("nan (1,2)", "“nan” before point 1 stands in no bracket"),
        ("(1,2],(3,4)", "“1,2” before point 1 stands in no bracket"),
        ("1,000.5 2", "“1,000.5” in point 1 is .* comma"),
        ("x y\n1 2\n1,000 2,000", "“1,000” in point 2 is .* comma"),
        ("(1,000.5, 2)", "“1,000.5” in point 1 is .* comma"),
        ("1,5 2", "“1,5 2” in point 1 has both blanks and commas"),
        ("1 2, 3 4", "“1 2, 3 4” in point 1 has both blanks and commas"),
        (" ".join("1" * 11), "at most 10 can be drawn"),
        ("1;" * (MOST + 1), "at most 5,000"),
        ("1" * 2_000_001, "too long"),
    ],
)
def test_a_text_without_points_is_refused_in_one_sentence(text, why):
    with pytest.raises(DataError, match=why):
        read_points(text, 2 if "x4" in text else None)


def test_points_of_another_dimension_do_not_join():
    with pytest.raises(DataError, match="have 4 numbers, those of Drawn points have 2"):
        read_points("1 2 3 4").onto(SQUARE, 0)


@given(st.text(alphabet="0123456789.,;()[]-e \t\nax", max_size=60))
def test_any_text_gives_points_or_is_refused(text):
    try:
        found = read_points(text)
    except DataError:
        return
    assert len({len(point) for point in found.points}) == 1
