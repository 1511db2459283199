"""A step from one state to another, in the words of the window."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from kpca_viewer.core.kernels.kernel import FAMILIES
from kpca_viewer.core.methods.random_baseline import Null
from kpca_viewer.data.drawn import Drawn
from kpca_viewer.data.generators import GENERATORS
from kpca_viewer.data.importing import ImportSettings
from kpca_viewer.data.importing.settings import ROLE_TITLES
from kpca_viewer.data.preparation import SCALING_TITLES, column_scaling_word
from kpca_viewer.engine.lifts import LIFTS
from kpca_viewer.engine.row_numbers import COLOR, NUMERALS
from kpca_viewer.engine.rows.groups import RowGroup
from kpca_viewer.engine.settings import (
    DataSettings,
    HeldScores,
    KernelSettings,
    Pair,
    PreImageMethod,
    SessionSettings,
    source_title,
)
from kpca_viewer.support.numerals import percent, readable


def describe_change(old: SessionSettings, new: SessionSettings) -> str:
    """Name the step from one state to another: "γ 10 → 12.5"."""
    for part in ("data", "kernel", "analysis", "view"):
        before, after = getattr(old, part), getattr(new, part)
        if before != after:
            return _describe_part(before, after)
    return "nothing"


def _describe_part(before: Any, after: Any) -> str:
    changed = [
        f.name
        for f in fields(after)
        if getattr(before, f.name) != getattr(after, f.name)
    ]
    first = changed[0]
    if first == "values":
        return _describe_value(dict(before.values), dict(after.values), after)
    a, b = getattr(before, first), getattr(after, first)
    word = WORDS.get(first, first.replace("_", " "))
    if first in TITLES:
        return f"{word} {TITLES[first](a)} → {TITLES[first](b)}"
    if isinstance(b, bool):
        return f"{word} {'on' if b else 'off'}"
    if first == "drawn":
        return describe_drawing(a, b)
    if first == "column_scaling":
        return _describe_column_scaling(word, dict(a), dict(b))
    if first == "groups":
        return _describe_groups(a, b)
    if first in AXES:
        return _describe_axes(word, AXES[first], a, b)
    if first in ("flipped", "linear_flipped"):
        return f"{word} " + ", ".join(f"PC {j + 1}" for j in sorted({*a} ^ {*b}))
    if first == "importing":
        return _describe_import(word, a, b)
    return f"{word} {_text(a)} → {_text(b)}"


def _describe_axes(
    word: str, each: str, a: tuple[int, ...] | None, b: tuple[int, ...] | None
) -> str:
    """Name the one axis that has changed, or all of them; a person counts from one."""
    if a is not None and b is not None:
        changed = [j for j in range(len(b)) if a[j] != b[j]]
        if len(changed) == 1:
            j = changed[0]
            which = word.replace("axes", f"{'xyz'[j]} axis")
            return f"{which} {each} {a[j] + 1} → {each} {b[j] + 1}"
    ends = [
        "automatic"
        if axes is None
        else f"{each} " + ", ".join(str(j + 1) for j in axes)
        for axes in (a, b)
    ]
    return f"{word} {' → '.join(ends)}"


def _describe_import(
    word: str, a: ImportSettings | None, b: ImportSettings | None
) -> str:
    """Name the one column whose role has changed, or what happens to gaps."""
    if a is None or b is None:
        return word
    if a.missing != b.missing:
        return f"{word}, gaps {MISSING_WORDS[a.missing]} → {MISSING_WORDS[b.missing]}"
    before, after = dict(a.roles), dict(b.roles)
    changed = [name for name in after if before.get(name) != after[name]]
    if len(changed) != 1:
        return word
    name = changed[0]
    roles = [
        ROLE_TITLES[roles.get(name, "ignore")].lower() for roles in (before, after)
    ]
    return f"{word}, “{name}” {' → '.join(roles)}"


NULL_TITLES: dict[Null, str] = {
    "permuted": "Permuted columns",
    "gaussian": "Gaussian",
}
"""As the control calls them."""

METHOD_TITLES: dict[PreImageMethod, str] = {
    "auto": "Best method",
    "distances": "Distances",
    "fixed_point": "Fixed point",
    "ridge": "Ridge",
}

HELD_WORDS: dict[HeldScores, str] = {"row": "nearest row", "mean": "their mean"}
"""As what components are held that are not shown."""

UNIT_WORDS = {
    "spread": "one SD",
    "scaled": "one, scaled",
    "original": "one of its units",
}
ARROW_WORDS = {"point": "at a row", "mean": "of the mean", "field": "everywhere"}

AXES = {"axes": "PC", "data_axes": "feature", "lift_axes": "coordinate"}
"""What the axes of a plot show."""

MISSING_WORDS = {
    "drop": "left out",
    "columns": "left out with their columns",
    "median": "filled",
    "nearest": "filled by the nearest rows",
}

WORDS = {
    "source": "data",
    "values": "values",
    "seed": "seed",
    "scaling": "scaling",
    "column_scaling": "scaling of",
    "importing": "columns of the file",
    "excluded": "rows left out",
    "groups": "group",
    "drawn": "drawing",
    "family": "kernel",
    "kept": "values kept",
    "components": "components",
    "center": "centring",
    "solver": "solver",
    "refined": "refinement",
    "fit_full_table": "all rows",
    "normalised": "division by √μ",
    "centers_new": "centring of new points",
    "axes": "axes",
    "embedding_3d": "3-D embedding",
    "data_3d": "3-D data",
    "data_axes": "axes of the data",
    "rule": "suggestion by",
    "color_by": "colour by",
    "isolines": "isolines",
    "spectrum": "spectrum",
    "cumulative": "cumulative line",
    "gram_centred": "centred kernel matrix",
    "rebuild": "page Rebuild",
    "rebuilt_from": "parts of the matrix",
    "columns": "page Columns",
    "columns_of": "columns of",
    "column_units": "a column grows by",
    "compared": "groups",
    "column": "chosen column",
    "arrows": "arrows",
    "odd_by": "odd rows by",
    "null": "random data",
    "real": "page Is it real?",
    "null_draw": "draw of random data",
    "bootstrap": "bootstrap ellipses and whiskers",
    "point_size": "point size",
    "opacity": "opacity of points",
    "motion": "animation",
    "fills": "fill the panel",
    "shape_by": "shape by",
    "size_by": "size by",
    "label_by": "label by",
    "labels": "labels beside points",
    "flipped": "flip of",
    "linear_flipped": "flip of linear",
    "lift": "lift",
    "lift_axes": "axes of the lift",
    "raised": "height of the lift",
    "pair": "both sides",
    "own_map": "your φ",
    "line_angle": "line",
    "preimage": "pre-images",
    "held": "other components",
    "image_size": "size of pictures",
}
"""What a person calls each field, in the words of the window."""


def _describe_value(
    before: dict[str, float], after: dict[str, float], part: Any
) -> str:
    for name in (*after, *before):
        if before.get(name) != after.get(name):
            unset = _unset(name, part)
            a, b = _text(before.get(name, unset)), _text(after.get(name, unset))
            return f"{_symbol(name, part)} {a} → {b}"
    return "values"


def _unset(name: str, part: Any) -> float | str:
    """Return what holds for a parameter that is not set."""
    if isinstance(part, DataSettings) and part.source in GENERATORS:
        for parameter in GENERATORS[part.source].parameters:
            if parameter.name == name:
                return parameter.default
    return "suggested"


def _symbol(name: str, part: Any) -> str:
    if isinstance(part, KernelSettings) and part.family in FAMILIES:
        for parameter in FAMILIES[part.family].parameters:
            if parameter.name == name:
                return parameter.symbol
    return name


def _describe_column_scaling(word: str, a: dict[str, Any], b: dict[str, Any]) -> str:
    """Name the one column that is scaled in another way, or all of them together."""
    changed = [name for name in {**a, **b} if a.get(name) != b.get(name)]
    if len(changed) != 1:
        return f"{word} columns{'' if b else ' reset'}"
    name = changed[0]
    before, after = (column_scaling_word(each.get(name)) for each in (a, b))
    return f"{word} “{name}” {before} → {after}"


def _describe_groups(a: tuple[RowGroup, ...], b: tuple[RowGroup, ...]) -> str:
    """Name the group that has come, or the one that is gone."""
    come = [group for group in b if group not in a]
    gone = [group for group in a if group not in b]
    if come:
        return come[-1].describe()
    return f"{gone[-1].describe()} taken back" if gone else "groups"


def describe_drawing(a: Drawn | None, b: Drawn | None) -> str:
    """Name the step from one drawing to another: "3 drawn points"."""
    if a is None or b is None:
        return "drawing"
    more = len(b) - len(a)
    if more > 0:
        return "drawn point" if more == 1 else f"{more:,} drawn points"
    if more < 0:
        return f"removal of {_points(-more)}"
    if a.points != b.points:
        moved = sum(p != q for p, q in zip(a.points, b.points, strict=True))
        return f"move of {_points(moved)}"
    changed = [q for p, q in zip(a.classes, b.classes, strict=True) if p != q]
    if changed and len(set(changed)) == 1:
        name = b.class_name(changed[0])
        return f"class {name or 'none'} of {_points(len(changed))}"
    return "classes of points"


def _points(count: int) -> str:
    return "a point" if count == 1 else f"{count:,} points"


def _pair_title(pair: Pair | None) -> str:
    if pair is None:
        return "off"
    return " and ".join(f"({readable(x, 3)}, {readable(y, 3)})" for x, y in pair)


def _size_title(size: tuple[int, int] | None) -> str:
    if size is None:
        return "guessed"
    return f"{size[0]} × {size[1]}" if size != (0, 0) else "none"


def _compared_title(classes: tuple[int, int] | None) -> str:
    if classes is None:
        return "selection and rest"
    names = ("rest" if code < 0 else f"class {code + 1}" for code in classes)
    return " and ".join(names)


def _column_title(key: str) -> str:
    """Return what points are told apart by as the sidebar calls it."""
    kind, _, rest = key.partition(":")
    if kind in ("component", "feature") and rest.isdecimal():
        word = "PC" if kind == "component" else "feature"
        return f"{word} {int(rest) + 1}"
    if kind == "weight" and rest.isdecimal():
        return f"weight in PC {int(rest) + 1}"
    if kind == "kernel" and rest.isdecimal():
        return "k(x, ·)"
    if kind == "column" and rest:
        return rest
    if key.startswith(COLOR):
        return next((n.symbol for n in NUMERALS if n.key == rest), rest)
    return {"label": "class", "none": "nothing", "row": "row"}.get(key, key)


def _title_in(titles: Mapping[Any, str]) -> Callable[[Any], str]:
    return lambda key: _uncapitalised(titles.get(key, str(key)))


def _uncapitalised(title: str) -> str:
    """Return a title inside of a line; what is written in capitals stays so."""
    return title if title[1:2].isupper() else title[:1].lower() + title[1:]


def _text(value: Any) -> str:
    if isinstance(value, int | float) and float(value).is_integer():
        return f"{value:.0f}"
    return readable(value) if isinstance(value, int | float) else str(value)


TITLES: Mapping[str, Callable[[Any], str]] = {
    "source": source_title,
    "family": lambda key: FAMILIES[key].title if key in FAMILIES else key,
    "scaling": _title_in(SCALING_TITLES),
    "excluded": lambda rows: "none" if rows is None else rows.describe(),
    "color_by": _column_title,
    "shape_by": _column_title,
    "size_by": _column_title,
    "label_by": _column_title,
    "rebuild": _title_in({"matrix": "parts", "ways": "MDS = PCA"}),
    "odd_by": _title_in({"shown": "what is shown", "all": "all components"}),
    "lift": lambda key: LIFTS[key].word if key in LIFTS else key or "off",
    "pair": _pair_title,
    "line_angle": lambda angle: f"{angle:.0f}°",
    "columns_of": lambda j: "the picture" if j is None else f"PC {j + 1}",
    "column_units": _title_in(UNIT_WORDS),
    "compared": _compared_title,
    "column": lambda j: "none" if j is None else f"feature {j + 1}",
    "arrows": _title_in(ARROW_WORDS),
    "null": _title_in(NULL_TITLES),
    "real": _title_in({"beside": "beside", "nine": "nine pictures"}),
    "preimage": _title_in(METHOD_TITLES),
    "held": _title_in(HELD_WORDS),
    "image_size": _size_title,
    "opacity": lambda share: "automatic" if share is None else percent(share, 0),
}
"""What a person calls the value of a field, in the words of the window."""
