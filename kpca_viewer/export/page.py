"""One HTML page with the embedding, which any browser opens without a network.

Names from files are text in JSON, never markup; the policy of the page lets its own
script run and nothing else. `assets/page` has script, style and frame.
"""

import base64
import hashlib
import html
import io
import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kpca_viewer.data.dataset import UNLABELLED
from kpca_viewer.data.metadata import MISSING, MetaColumn
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.row_pictures import row_pictures
from kpca_viewer.engine.sweep.point import SweepResult
from kpca_viewer.export.class_colors import CLASS_COLORS, CLASS_COLORS_ON_DARK
from kpca_viewer.export.text import caption, kernel_words
from kpca_viewer.resources import asset
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import DataError, ExportError

MOST_ROWS = 200_000
"""More make a page that no browser likes to open."""

MOST_FRAMED_ROWS = 20_000
"""More make a notebook or a report that is slow to open and to save."""

MOST_WORDS = 1000
"""Different words of a column up to which it is one of categories."""

LONGEST_TEXT = 500
"""Letters of a name or cell; a longer one is cut."""

MOST_BYTES = 200_000_000
MOST_PICTURES = 5000
MOST_BARS = 60
NO_CODE = 65535
"""The code of a cell without a word, in 16 bits."""

LABEL = "class"

NAMES, CLASSES, PICTURES = "row names", "classes", "row pictures"
PARTS = NAMES, CLASSES, PICTURES
"""What a page has beside chosen columns, unless it is left out."""


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture of a sweep."""

    label: str
    """The value that it is of: "γ = 2"."""
    scores: Array
    """Shape (n, 2) or (n, 3)."""
    shares: Array = field(default_factory=lambda: np.empty(0))
    """Shape (k,)."""
    bounds: Array = field(default_factory=lambda: np.empty((0, 2)))
    """Shape (k, 2). Of the shares."""


@dataclass(frozen=True, eq=False)
class Film:
    """The frames of a sweep, and between which of them the result itself lies."""

    frames: Sequence[Frame] = ()
    start: float = 0.0
    label: str = ""
    """What the result itself is of, in the words of the frames."""
    of_kernel: bool = False
    """Whether the frames differ by their kernel."""


def film_of(swept: SweepResult | None, result: AnalysisResult) -> Film:
    """Return the row of a sweep that a result lies in; nothing where it fits none."""
    if swept is None:
        return Film()
    sweep, settings = swept.sweep, result.settings
    column, line = sweep.place_of(settings)
    row = swept.row(0 if line is None else round(line))
    view = settings.view.axes
    points = [
        point
        for point in row.points
        if point.film is not None
        and point.n == result.dataset.n
        and point.settings.view.axes == view
        and point.settings.data == settings.data
        and point.settings.analysis == sweep.apply(settings, point.index).analysis
    ]
    if len(points) < 2:
        return Film()
    places = [sweep.cell(point.index)[0] for point in points]
    place = places[len(places) // 2] if column is None else column
    nearest = min(points, key=lambda p: abs(sweep.cell(p.index)[0] - place))
    # A film as a whole is free to be either way round; it is as the picture is.
    signs = nearest.signs_towards(result)
    of_kernels, title = sweep.axes[0].is_of_kernels, ""
    if result.kernel is not None and sweep.parameter in result.kernel.values:
        title = f"{result.kernel.family.title.partition(' (')[0]} "
    frames = [
        Frame(
            f"{title}{swept.text(point)}",
            np.asarray(point.oriented(signs).film),
            *_shares(point.shares, point.eigenvalues, point.bounds),
        )
        for point in points
    ]
    start = float(np.interp(place, places, range(len(places))))
    label = kernel_words(result)
    if place in places:
        label = frames[places.index(int(place))].label
    return Film(frames, start, label, of_kernels or bool(title))


def page_html(
    result: AnalysisResult,
    *,
    columns: Iterable[str] = (),
    without: Collection[str] = (),
    film: Film | None = None,
    methods: str = "",
) -> str:
    """Return the page of a result.

    ``columns``: features and others that go into the page, no other leaves the machine;
    ``without``: those of `PARTS` that stay here too; ``film``: of a sweep over the same
    rows, for a slider; ``methods``: a paragraph on what was done. Raises `ExportError`
    if there are too many rows, or the page is too large, `DataError` if there is no
    such column.
    """
    dataset, view = result.dataset, result.settings.view
    if dataset.n > MOST_ROWS:
        raise ExportError(
            f"A page holds at most {MOST_ROWS:,} rows, and these are {dataset.n:,}; "
            "open a sample of them (--sample), and share that."
        )
    three = list(dict.fromkeys([*view.axes, *range(result.scores.shape[1])]))
    three = [axis for axis in three if axis < result.scores.shape[1]][:3]
    film = film or Film()
    shares, bounds = _shares(
        result.shares, result.decomposition.eigenvalues, result.decomposition.bounds
    )
    data = {
        "rows": dataset.n,
        "axes": three,
        "space": view.embedding_3d,
        "start": film.start,
        "label": film.label,
        "color": colored_by(result),
        "scores": _packed(_in_space(result.scores[:, three])),
        **_spectrum(shares, bounds),
        "frames": [
            {
                "label": frame.label,
                "scores": _quantised(_in_space(frame.scores)),
                **_spectrum(frame.shares, frame.bounds),
            }
            for frame in film.frames
        ],
        "names": _names(result, without),
        "columns": [*_columns(result, columns, without)],
        "palette": {"light": CLASS_COLORS, "dark": CLASS_COLORS_ON_DARK},
        "pictures": None if PICTURES in without else _pictures(result),
    }
    text = json.dumps(data, ensure_ascii=False, allow_nan=False)
    if len(text) > MOST_BYTES:
        raise ExportError(
            f"The page would have {len(text) / 1e6:,.0f} MB, more than "
            f"{MOST_BYTES / 1e6:,.0f}; choose fewer columns."
        )
    about = caption(result).removesuffix(f" · {result.certificate}")
    if film.of_kernel:
        # What the slider stands at is said beside it.
        about = about.removeprefix(f"{kernel_words(result)} · ")
    return _filled(
        TITLE=html.escape(_cut(dataset.name)),
        CAPTION=html.escape(about),
        CERTIFICATE=html.escape(_sentence(result.certificate)),
        METHODS=html.escape(methods),
        # Inside of a script element only "<" could end it.
        DATA=text.replace("<", "\\u003c"),
    )


def colored_by(result: AnalysisResult) -> str:
    """Return the column that the view is coloured by; empty for what is none."""
    kind, _, name = result.settings.view.color_by.partition(":")
    if kind == "feature" and result.dataset.kind == "points":
        return result.dataset.feature_names[int(name)]
    return {"label": label_name(result), "column": name}.get(kind, "")


def label_name(result: AnalysisResult) -> str:
    """Return what the classes are called: as their column, where no other is."""
    importing = result.settings.data.importing
    named = importing.columns("label") if importing is not None else ()
    return named[0] if named and named[0] not in page_columns(result) else LABEL


def notebook_html(result: AnalysisResult, without: Collection[str] = ()) -> str | None:
    """Return the page of a result inside of an element; None for many rows."""
    if result.dataset.n > MOST_FRAMED_ROWS:
        return None
    return (
        '<iframe sandbox="allow-scripts allow-downloads" title="Embedding" '
        'style="width:100%;height:560px;border:0" '
        f'srcdoc="{html.escape(page_html(result, without=without))}"></iframe>'
    )


def page_parts(result: AnalysisResult) -> list[str]:
    """Return which of `PARTS` there are."""
    dataset = result.dataset
    pictures = row_pictures(dataset, result.settings.view) is not None
    there = {
        NAMES: dataset.row_names is not None,
        CLASSES: dataset.labels is not None,
        PICTURES: pictures and dataset.n <= MOST_PICTURES,
    }
    return [part for part in PARTS if there[part]]


def contents(
    result: AnalysisResult, columns: Collection[str], without: Collection[str] = ()
) -> str:
    """Return what of the data is in a page, and what is not, in two sentences."""
    there, known = page_parts(result), page_columns(result)
    inside = [part for part in there if part not in without]
    outside = [part for part in there if part in without]
    inside += [f"“{_cut(name, 40)}”" for name in columns if name in known]
    left = len(set(known).difference(columns))
    if left:
        outside.append(f"{left:,} {'column' if left == 1 else 'columns'}")
    first = ", ".join([f"the scores of {result.dataset.n:,} rows", *inside])
    second = f" Not in it: {', '.join(outside)}." if outside else ""
    return f"In the page: {first}.{second}"


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}." if words else ""


def page_columns(result: AnalysisResult) -> list[str]:
    """Return the names of all columns that a page can hold."""
    dataset = result.dataset
    features = dataset.feature_names if dataset.kind == "points" else ()
    return [*dataset.columns, *(n for n in features if n not in dataset.columns)]


def _filled(**parts: str) -> str:
    folder = asset("page")
    script = (folder / "page.js").read_text(encoding="utf-8")
    style = (folder / "page.css").read_text(encoding="utf-8")
    hashes = [f"'sha256-{_hash(text)}'" for text in (script, style)]
    policy = (
        f"default-src 'none'; script-src {hashes[0]}; style-src {hashes[1]}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    page = (folder / "page.html").read_text(encoding="utf-8")
    values = {**parts, "SCRIPT": script, "STYLE": style, "POLICY": policy}
    pieces = page.split("@@")
    # Every second piece is a name; what is filled in is not looked through again.
    return "".join(
        values[piece] if index % 2 else piece for index, piece in enumerate(pieces)
    )


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _cut(text: str, most: int = LONGEST_TEXT) -> str:
    # Half of a pair of code units has no place in UTF-8.
    sound = text[:most].encode("utf-8", "replace").decode()
    return sound if len(text) <= most else f"{sound[:-1]}…"


def _packed(values: Array, dtype: str = "f4") -> dict[str, Any]:
    raw = np.ascontiguousarray(values, dtype=f"<{dtype}").tobytes()
    return {"type": dtype, "data": base64.b64encode(raw).decode()}


def _numbers(values: Array) -> dict[str, Any]:
    """Return a column in single precision, unless that changes what is read."""
    values = np.asarray(values, dtype=np.float64)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        single = values.astype(np.float32).astype(np.float64)
        near = np.abs(single - values) <= 1e-7 * np.abs(values)
        whole = np.equal(values, np.rint(values))
    same = np.where(whole, single == values, near) | ~np.isfinite(values)
    return _packed(values, "f4" if same.all() else "f8")


def _quantised(values: Array) -> dict[str, Any]:
    """Return scores (n, 3) in 16 bits an axis: a frame is only looked at."""
    low, high = values.min(axis=0), values.max(axis=0)
    step = np.where(high > low, (high - low) / 65535, 1.0)
    packed = _packed(np.rint((values - low) / step), "u2")
    return {**packed, "low": low.tolist(), "step": step.tolist()}


def _in_space(scores: Array) -> Array:
    """Return scores of two or three components as (n, 3)."""
    missing = 3 - scores.shape[1]
    if missing <= 0:
        return scores[:, :3]
    return np.column_stack((scores, np.zeros((len(scores), missing))))


def _names(result: AnalysisResult, without: Collection[str]) -> list[Any] | None:
    """Return names of rows, or their numbers where those do not count from 1."""
    dataset = result.dataset
    if dataset.row_names is not None and NAMES not in without:
        return [_cut(name) for name in dataset.row_names]
    if dataset.numbers is None and dataset.file_numbers is None:
        return None
    return [f"row {dataset.row_number(i)}" for i in range(dataset.n)]


def _columns(
    result: AnalysisResult, wanted: Iterable[str], without: Collection[str]
) -> Iterable[dict[str, Any]]:
    dataset = result.dataset
    if dataset.labels is not None and CLASSES not in without:
        codes = np.where(dataset.labels == UNLABELLED, NO_CODE, dataset.labels)
        yield _words(label_name(result), codes, dataset.label_names)
        wanted = [name for name in wanted if name != label_name(result)]
    for name in dict.fromkeys(wanted):
        if name in dataset.columns:
            yield _column(name, dataset.columns[name])
        elif name in dataset.feature_names and dataset.kind == "points":
            values = dataset.points[:, dataset.feature_names.index(name)]
            yield {"name": _cut(name), "values": _numbers(values)}
        else:
            known = ", ".join(f"“{each}”" for each in page_columns(result)[:8])
            raise DataError(f"There is no column “{name}”; choose of {known}.")


def _column(name: str, column: MetaColumn) -> dict[str, Any]:
    if column.words is None:
        return {"name": _cut(name), "values": _numbers(column.values)}
    if column.seconds is not None or len(column.words) > MOST_WORDS:
        # Dates lie on a scale. Free text is for reading and finding.
        found = {"name": _cut(name), "texts": [_cut(each) for each in column.texts()]}
        if column.seconds is None:
            return found
        return {**found, "values": _packed(column.seconds, "f8")}
    codes = np.where(column.values == MISSING, NO_CODE, column.values)
    return _words(name, codes, column.words)


def _words(name: str, codes: Array, words: Sequence[str]) -> dict[str, Any]:
    cut = [_cut(word) for word in words]
    return {"name": _cut(name), "words": cut, "values": _packed(codes, "u2")}


def _shares(shares: Array, eigenvalues: Array, bounds: Array) -> tuple[Array, Array]:
    """Return the first shares (k,) and their bounds (k, 2)."""
    count = min(len(eigenvalues), len(shares), MOST_BARS)
    shares = np.asarray(shares[:count], dtype=np.float64)
    largest = float(eigenvalues[0]) if count else 0.0
    factor = float(shares[0]) / largest if largest else 0.0
    with np.errstate(invalid="ignore"):
        return shares, np.asarray(bounds[:count], dtype=np.float64) * factor


def _spectrum(shares: Array, bounds: Array) -> dict[str, Any]:
    # What is not finite has no place in JSON: a bound that is not known is the share.
    shares = np.nan_to_num(shares, posinf=0.0, neginf=0.0)
    bounds = np.where(np.isfinite(bounds), bounds, shares[:, None])
    return {"shares": shares.tolist(), "bounds": bounds.tolist()}


def _pictures(result: AnalysisResult) -> list[str] | None:
    """Return rows that are pictures as PNG, for hovering; None where they are none."""
    dataset = result.dataset
    pictures = row_pictures(dataset, result.settings.view)
    if pictures is None or dataset.n > MOST_PICTURES:
        return None
    from PIL import Image

    found = []
    for row in dataset.points:
        target = io.BytesIO()
        Image.fromarray(pictures.shades(row)).save(target, "PNG")
        coded = base64.b64encode(target.getvalue()).decode()
        found.append(f"data:image/png;base64,{coded}")
    return found
