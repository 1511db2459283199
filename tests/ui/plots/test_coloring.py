"""What the colour of a point means."""

from dataclasses import replace
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.settings import ViewSettings
from kpca_viewer.widgets.composed_picture import legend_of, paper_theme
from kpca_viewer.widgets.plots.coloring import Coloring, coloring, rare_classes
from kpca_viewer.widgets.plots.point_cloud import DENSITY_LIMIT
from kpca_viewer.widgets.plots.sprites import Palette
from kpca_viewer.widgets.theme import LIGHT

POINTS = np.array([[0.0, 1.0], [2.0, np.pi], [4.0, -1.0]])


def result_of(labels=None, names=(), columns=None):
    dataset = Dataset(POINTS, labels, names, columns=columns or {}, name="some")
    scores = np.array([[0.0, 5.0], [1.0, 5.0], [2.0, 5.0]])
    return SimpleNamespace(dataset=dataset, scores=scores, joined=None, row_values=list)


def colored(by, **how):
    return coloring(result_of(**how), ViewSettings(color_by=by))


def test_classes():
    found = colored("label", labels=np.array([0, 1, 0]), names=("a", "b"))
    assert (found.kind, found.names) == ("class", ("a", "b"))
    assert found.codes.tolist() == [0, 1, 0]


def test_without_classes_the_first_column_is_meant():
    found = colored("label", columns={"position": np.array([3.0, 4.0, 7.0])})
    assert (found.kind, found.title) == ("continuous", "position")
    assert found.codes.tolist() == [0, 0.25, 1]
    assert (found.low, found.high) == (3, 7)


@pytest.mark.parametrize(
    ("dates", "ends"),
    [
        (["2024-01-01", "2024-01-11", "2024-02-20"], ("2024-01-01", "2024-02-20")),
        (["2024/01/01", "2024/01/11", "2024/02/20"], ("2024-01-01", "2024-02-20")),
        (
            ["2024-01-01 06:00", "2024-01-01T12:00:00", "2024-01-02T12:00"],
            ("01-01 06:00", "01-02 12:00"),
        ),
    ],
)
def test_dates_run_from_the_first_to_the_last(dates, ends):
    found = colored("column:day", columns={"day": dates})
    assert (found.kind, found.title, found.ends) == ("continuous", "day", ends)
    assert found.codes == pytest.approx([0, 0.2, 1])


@pytest.mark.parametrize("words", ["2024-02-31", "2024-13-01", "2024", "12:30", "May"])
def test_what_is_no_date_is_a_word(words):
    column = {"day": ["2024-01-01", words, "2024-02-20"]}
    assert colored("column:day", columns=column).kind == "class"


@pytest.mark.parametrize(
    ("by", "title", "codes"),
    [("feature:0", "x1", [0, 0.5, 1]), ("component:0", "PC 1", [0, 0.5, 1])],
)
def test_numbers_run_from_the_least_to_the_greatest(by, title, codes):
    found = colored(by)
    assert (found.kind, found.title) == ("continuous", title)
    assert found.codes.tolist() == codes


def test_equal_numbers_lie_in_the_middle():
    assert colored("component:1").codes.tolist() == [0.5, 0.5, 0.5]


def test_a_column_of_words_or_codes_has_the_colours_of_classes():
    columns = {"site": ["Wien", None, "Graz"], "ward": [7, 7, 2], "age": [1.5, 2, 3]}
    found = colored("column:site", columns=columns)
    assert (found.kind, found.names) == ("class", ("Graz", "Wien"))
    assert found.codes.tolist() == [1, -1, 0]
    assert colored("column:ward", columns=columns).names == ("2", "7")
    assert colored("column:age", columns=columns).kind == "continuous"


@pytest.mark.parametrize("by", ["none", "label", "column:gone", "feature:9"])
def test_what_there_is_not_is_one_colour(by):
    assert colored(by).kind == "single"
    assert colored("component:9").kind == "single"


def test_the_most_frequent_classes_have_colours_of_their_own():
    codes = np.repeat(np.arange(14), [9, 1, 9, 9, 9, 9, 9, 9, 9, 9, 2, 9, 3, 9])
    assert rare_classes(np.append(codes, -1)) == {1: 1, 10: 2}
    assert rare_classes(np.arange(12)) == {}
    names = tuple("abcdefghijklmn")
    dataset = Dataset(np.zeros((len(codes), 2)), codes, names)
    result = SimpleNamespace(dataset=dataset, joined=None, row_values=list)
    assert coloring(result, ViewSettings(color_by="label")).others == {1: 1, 10: 2}


def looks(palette, codes):
    columns = palette.columns(codes)
    return list(
        zip(palette.colors[columns].tolist(), palette.shapes[columns], strict=True)
    )


def test_on_paper_all_classes_are_told_apart(qapp):
    codes = np.repeat(np.arange(30), np.arange(30, 0, -1))
    names = tuple(f"class {code}" for code in range(30))
    colors = Coloring("class", codes, names, others=rare_classes(codes))
    paper = paper_theme(LIGHT, colors)
    shown, printed = (
        looks(Palette.of("class", 30, theme, 0, colors.others), np.arange(30))
        for theme in (LIGHT, paper)
    )
    assert printed[:12] == shown[:12]
    assert all(a != b for a, b in combinations(printed, 2))
    assert len({tuple(color) for color, _ in shown[12:]}) == 1
    entries = legend_of(colors, paper).entries
    assert [entry.name for entry in entries] == list(names)
    drawn = [(entry.color.getRgb()[:3], entry.shape) for entry in entries]
    assert all(a != b for a, b in combinations(drawn, 2))


def test_shapes_with_a_meaning_and_densities_keep_the_grey_of_rare_classes():
    codes = np.arange(20)
    colors = Coloring("class", codes, tuple("abcdefghijklmnopqrst"), others={19: 1})
    assert paper_theme(LIGHT, colors).shaped
    assert paper_theme(LIGHT, replace(colors, shapes=codes % 2)) is LIGHT
    many = replace(colors, codes=np.resize(codes, DENSITY_LIMIT + 1))
    assert paper_theme(LIGHT, many) is LIGHT


def test_more_categories_than_shapes_are_still_told_apart():
    dataset = Dataset(np.eye(10), columns={"digit": np.arange(10.0)})
    result = SimpleNamespace(
        dataset=dataset, scores=np.zeros((10, 2)), joined=None, row_values=list
    )
    view = ViewSettings(color_by="column:digit", shape_by="column:digit")
    found = coloring(result, view)
    palette = Palette.of(found.kind, len(found.names), LIGHT, len(found.shape_names))
    columns = palette.columns(found.codes, found.shapes)
    looks = {(*palette.colors[c].tolist(), int(palette.shapes[c])) for c in columns}
    assert len(looks) == 10
