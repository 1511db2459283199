"""Settings that come from outside: the right types are not yet the right values."""

import math
import re
from dataclasses import fields, is_dataclass
from typing import Any

from kpca_viewer.data.drawn import SOURCE
from kpca_viewer.engine.choice_note import ChoiceNote, RowNote
from kpca_viewer.engine.lifts import LIFTS
from kpca_viewer.engine.row_numbers import COLOR, NUMERALS
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.support.errors import DataError, KernelError

_ODD = "".join(f"|{COLOR}{numeral.key}" for numeral in NUMERALS)
_COLUMNS = {
    "color_by": r"label|none|column:.+|(feature|component|kernel|weight):[0-9]{1,9}"
    + _ODD,
    "shape_by": r"label|none|column:.+",
    "size_by": f"none{_ODD}",
    "label_by": r"label|row|column:.+|feature:[0-9]{1,9}",
}

MOST = 2**31 - 1
"""The largest count or index: Qt's widgets hold no more."""

LARGEST_SEED = 2**32 - 1
"""What numpy takes."""


def check_settings(settings: SessionSettings) -> None:
    """Refuse values that no window could have made.

    What depends on the data (too many components, an unknown kernel) is said by the
    analysis, which knows them.

    Raises `DataError` that names the first such value.
    """
    _check_numbers("settings", settings)
    data, analysis, view = settings.data, settings.analysis, settings.view
    _check("seed", data.seed, 0 <= data.seed <= LARGEST_SEED)
    if data.drawn is not None:
        _check("source", data.source, data.source == SOURCE)
        data.drawn.check()
    if data.excluded is not None:
        data.excluded.rows.check()
    for group in data.groups:
        group.rows.check()
    _check("components", analysis.components, 1 <= analysis.components <= MOST)
    for axes in (view.axes, view.data_axes or (), view.lift_axes):
        _check("axes", list(axes), all(0 <= axis <= MOST for axis in axes))
    _check("rebuilt_from", view.rebuilt_from, 0 <= view.rebuilt_from <= MOST)
    _check("null_draw", view.null_draw, 0 <= view.null_draw <= MOST)
    for place in (view.columns_of, view.column):
        _check("column", place, place is None or 0 <= place <= MOST)
    for code in view.compared or ():
        _check("compared", code, -1 <= code <= MOST)
    _check("lift", view.lift, view.lift in ("", *LIFTS))
    _check("own_map", view.own_map, len(view.own_map) <= 400)
    _check("line_angle", view.line_angle, 0 <= view.line_angle < 180)
    _check("raised", view.raised, 0 <= view.raised <= 1)
    _check("point_size", view.point_size, 0 < view.point_size <= 1000)
    if view.opacity is not None:
        _check("opacity", view.opacity, 0 < view.opacity <= 1)
    for name, known in _COLUMNS.items():
        value = getattr(view, name)
        _check(name, value, re.fullmatch(known, value, re.DOTALL) is not None)


def check_choice(note: ChoiceNote) -> None:
    """Refuse a choice that no search could have found."""
    _check_numbers("choice", note)
    check_settings(SessionSettings(data=note.data))
    _check("rows", len(note.rows), bool(note.rows))
    for name, place in (("best", note.best), ("taken", note.taken or 0)):
        _check(name, place, 0 <= place < len(note.rows))
    for row in note.rows:
        _check_row(row)


def _check_row(row: RowNote) -> None:
    try:
        row.line.kernel(row.value)
    except KernelError as error:
        raise DataError(str(error)) from error
    curve = len(row.values) == len(row.scores) == len(row.errors)
    _check("values", row.values, curve and list(row.values) == sorted(row.values))
    counts = len(row.counted), len(row.counted_errors)
    _check("counted", row.counted, counts[0] == counts[1])
    _check("components", row.components, 1 <= row.components <= counts[0])


def _check(name: str, value: object, sound: bool) -> None:
    if not sound:
        raise DataError(f"The value {value!r} of “{name}” makes no sense.")


def _check_numbers(name: str, value: Any) -> None:
    """Refuse infinities and NaN anywhere: JSON has no word for them."""
    if is_dataclass(value):
        for field in fields(value):
            _check_numbers(field.name, getattr(value, field.name))
    elif isinstance(value, tuple):
        for item in value:
            _check_numbers(name, item)
    elif isinstance(value, float):
        _check(name, value, math.isfinite(value))
