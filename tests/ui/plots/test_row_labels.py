"""Labels stand beside their points, cover nothing, and are more the closer one is."""

from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import QRectF

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.settings import ViewSettings
from kpca_viewer.widgets.plots.row_labels import (
    MOST_PLACED,
    MOST_SELECTED,
    MOST_TRIED,
    RowLabels,
    place_labels,
    row_labels,
)

AREA = QRectF(40, 20, 300, 200)
DIAMETER = 10.0


def placed(pixels, labels, area=AREA):
    pixels = np.asarray(pixels, dtype=float)
    return place_labels(labels, np.arange(len(pixels)), pixels, DIAMETER, area)


def name(row):
    return f"row {row}"


@pytest.mark.parametrize(
    "pixels",
    [
        [(190.0, 120.0)],
        [(335.0, 120.0), (45.0, 25.0), (335.0, 215.0)],
        [(190.0, 120.0), (205.0, 120.0), (220.0, 120.0), (205.0, 132.0)],
    ],
    ids=["middle", "edges", "close together"],
)
@pytest.mark.usefixtures("qapp")
def test_labels_cover_neither_points_nor_each_other(pixels):
    first = RowLabels(name, tuple(range(len(pixels))))
    found = placed(pixels, first)
    assert sorted(text for _, text in found) == [name(r) for r in range(len(pixels))]
    # Letters leave some room above and below their line.
    boxes = [box.adjusted(0, 3, 0, -3) for box, _ in found]
    points = [QRectF(x - 5, y - 5, DIAMETER, DIAMETER) for x, y in pixels]
    for box in boxes:
        assert AREA.contains(box)
        assert not any(box.intersects(point) for point in points)
    assert not any(a.intersects(b) for a, b in combinations(boxes, 2))


@pytest.mark.usefixtures("qapp")
def test_in_a_crowd_only_those_that_are_wanted_have_a_label():
    crowd = [(x, y) for x in range(40, 340, 8) for y in range(20, 220, 8)]
    assert placed(crowd, RowLabels(name, others=True)) == []
    chosen = np.zeros(len(crowd), dtype=bool)
    chosen[[400, 700]] = True
    found = placed(crowd, RowLabels(name, (500,), chosen, others=True))
    assert {text for _, text in found} == {"row 400", "row 500", "row 700"}


@pytest.mark.usefixtures("qapp")
def test_the_closer_the_more():
    random = np.random.default_rng(0)
    points = random.uniform(0, 1, size=(400, 2))
    labels, shares = RowLabels(name, others=True), []
    for zoom in (1, 4, 16):
        pixels = (points - 0.5) * zoom * (300, 200) + (190, 120)
        inside = ((pixels > (40, 20)) & (pixels < (340, 220))).all(axis=1)
        boxes = [box for box, _ in placed(pixels[inside], labels)]
        assert not any(a.intersects(b) for a, b in combinations(boxes, 2))
        shares.append(len(boxes) / inside.sum())
    assert shares == sorted(shares)
    assert shares[0] < 0.2 < 0.9 < shares[-1]


@pytest.mark.usefixtures("qapp")
def test_no_more_are_written_than_a_frame_has_time_for():
    pixels = np.random.default_rng(0).uniform(0, 4000, size=(4000, 2))
    asked = []

    def text(row):
        asked.append(row)
        return name(row)

    found = placed(pixels, RowLabels(text, others=True), QRectF(0, 0, 4000, 4000))
    assert len(found) == MOST_PLACED
    assert len(asked) <= MOST_TRIED


def test_a_low_plot_below_a_high_legend_has_no_labels():
    low = QRectF(0, 0, 400, 30)
    assert placed([[20, 20]], RowLabels(name, others=True, top=50), low) == []


def test_many_selected_rows_have_no_labels():
    dataset, view = Dataset(np.zeros((40, 2))), ViewSettings()
    for count, labelled in ((MOST_SELECTED, True), (MOST_SELECTED + 1, False)):
        labels = row_labels(dataset, view, {}, np.arange(40) < count)
        assert (labels.chosen is not None) == labelled
        assert not labels.others
