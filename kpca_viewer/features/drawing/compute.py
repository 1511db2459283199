"""From points of any kind to points that a person draws, with all that is noted."""

from dataclasses import replace

import numpy as np

from kpca_viewer.data.dataset import IntArray
from kpca_viewer.data.drawn import SOURCE, Drawn
from kpca_viewer.engine.notes import Notes, kernel_in_use, renumbered
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.rows.groups import RowGroup
from kpca_viewer.engine.settings import (
    DataSettings,
    SessionSettings,
    ViewSettings,
)
from kpca_viewer.features.drawing import text
from kpca_viewer.support.errors import DataError


def editable_points(
    settings: SessionSettings, result: AnalysisResult | None
) -> Drawn | None:
    """Return the points that a hand would change now; None while they are awaited."""
    data = settings.data
    if data.drawn is not None and data.excluded is None:
        return data.drawn
    if result is None or result.settings.data != data:
        return None
    found = Drawn.of(result.dataset)
    if data.drawn is not None:
        found = replace(found, name=data.drawn.name, class_names=data.drawn.class_names)
    return found


def editable_plane(
    settings: SessionSettings, result: AnalysisResult | None
) -> Drawn | None:
    """Return `editable_points`; raises a `DataError` unless they lie in a plane."""
    drawn = editable_points(settings, result)
    if drawn is not None and drawn.d != 2:
        features = "1 feature" if drawn.d == 1 else f"{drawn.d} features"
        name = drawn.title.removesuffix(", edited")
        raise DataError(text.NO_PLANE.format(name=name, features=features))
    return drawn


def change_points(
    settings: SessionSettings,
    notes: Notes,
    result: AnalysisResult | None,
    drawn: Drawn,
    places: IntArray | None = None,
) -> tuple[SessionSettings, Notes]:
    """Return the state in which points are drawn otherwise."""
    old = settings.data
    before = editable_points(settings, result)
    count = 0 if before is None else len(before)
    if places is None:
        places = np.arange(count)
    data = DataSettings(
        SOURCE,
        seed=old.seed,
        scaling=old.scaling,
        column_scaling=old.column_scaling if old.drawn is not None else (),
        groups=() if old.excluded is not None else _moved(old.groups, places),
        drawn=drawn,
    )
    view = settings.view
    if old.drawn is None:
        view = _without_columns(view)
    settings = replace(
        settings, data=data, kernel=kernel_in_use(settings, result), view=view
    )
    if len(drawn) != count or not np.array_equal(places, np.arange(count)):
        notes = renumbered(notes, places, len(drawn))
    return settings, notes


def start_drawing(
    settings: SessionSettings,
    notes: Notes,
    result: AnalysisResult | None,
    drawn: Drawn | None = None,
) -> tuple[SessionSettings, Notes]:
    """Return the state in which other points take the place of all rows."""
    data = replace(DataSettings.of_source(SOURCE), drawn=drawn or Drawn())
    settings = replace(
        settings,
        data=data,
        kernel=kernel_in_use(settings, result),
        view=settings.view.for_source(SOURCE),
    )
    fresh = replace(notes, row_names=(), selected=None, new_points=(), anchor=None)
    return settings, fresh


class Stroke:
    """What one gesture of the pencil has changed, while other changes may come in."""

    def __init__(self, settings: SessionSettings, notes: Notes) -> None:
        self._settings = settings
        self._notes = notes
        self._made: list[SessionSettings] = []

    def go_to(self, settings: SessionSettings) -> None:
        """Note what the gesture has made; one between two other changes is enough."""
        if self._made and replace(self._made[-1], data=settings.data) == settings:
            self._made.pop()
        self._made.append(settings)

    def is_in(self, settings: SessionSettings) -> bool:
        """Return whether settings have points as this gesture has made them."""
        if settings.data == self._settings.data:
            return False
        return any(settings.data == made.data for made in self._made)

    def taken_from(self, settings: SessionSettings) -> tuple[SessionSettings, Notes]:
        """Return settings with the data of before, and what was noted about those."""
        return replace(settings, data=self._settings.data), self._notes


def _moved(groups: tuple[RowGroup, ...], places: IntArray) -> tuple[RowGroup, ...]:
    return tuple(replace(g, rows=g.rows.renumbered(places)) for g in groups)


def _without_columns(view: ViewSettings) -> ViewSettings:
    """Return a view that looks at nothing which drawn points do not have."""
    first, own = ViewSettings(), ("column:class", "column:group")
    changes = {
        name: getattr(first, name)
        for name in ("color_by", "shape_by", "label_by")
        if getattr(view, name).startswith("column:") and getattr(view, name) not in own
    }
    return replace(view, data_axes=None, **changes)
