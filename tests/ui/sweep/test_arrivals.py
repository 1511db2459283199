"""Points that come in quick succession are handed over together."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QObject

from kpca_viewer.features.sweep.runner import PointBatches


@pytest.fixture
def arrivals(qapp):
    owner = QObject()
    yield PointBatches(owner)
    owner.deleteLater()


def test_the_newest_version_of_each_point_comes_once(arrivals, swept, qtbot):
    groups = []
    arrivals.came.connect(groups.append)
    newer = replace(swept.points[0], error="newer")
    with qtbot.waitSignal(arrivals.came):
        for point in (*swept.points[:3], newer):
            arrivals.add(point)
        assert not groups
    assert groups == [[newer, *swept.points[1:3]]]


def test_at_the_end_nothing_is_waited_for(arrivals, swept):
    groups = []
    arrivals.came.connect(groups.append)
    arrivals.add(swept.points[0])
    arrivals.flush()
    assert groups == [[swept.points[0]]]
    arrivals.add(swept.points[1])
    arrivals.clear()
    arrivals.flush()
    assert len(groups) == 1
