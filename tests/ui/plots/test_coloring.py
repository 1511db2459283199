"""What the colour of a point means."""

from types import SimpleNamespace

import numpy as np
import pytest

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.settings import ViewSettings
from kpca_viewer.widgets.plots.coloring import coloring
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


def test_more_categories_than_shapes_are_still_told_apart():
    """Colour and shape of one column join, rather than begin again together."""
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
