"""Python that makes or reads the same data again, and draws the embedding."""

from collections.abc import Mapping
from dataclasses import replace
from pprint import pformat
from typing import Any

import numpy as np

from kpca_viewer.core.solvers.problem import positive_part
from kpca_viewer.data.dataset import Dataset, places_in
from kpca_viewer.data.generators import GENERATORS, generate
from kpca_viewer.engine.document.model import FileReference
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import DataSettings, ViewSettings
from kpca_viewer.export.code_files import read_by_others, read_by_ourselves
from kpca_viewer.export.text import Snippet, literal, one_line, quoted
from kpca_viewer.support.numerals import percent

INLINE = 2_000
"""Numbers up to which data from memory are written into the script itself."""


def data_snippet(
    result: AnalysisResult, library: str, file: FileReference | None = None
) -> Snippet:
    """Return code after which ``X`` (n, d) and ``y`` (n,) or None are the data.

    ``file``: where the data came from; without it they are made by a generator, or
    written into the code, or taken from an NPZ that has to be saved first.
    """
    dataset, whole = result.dataset, result.before_exclusion or result.dataset
    found = _made_again(whole, result.settings.data, library, file)
    if found is not None and dataset.excluded:
        found = _without_some(found, whole, dataset)
    if found is not None:
        return found
    # They cannot be made again.
    drawn = result.settings.data.drawn is not None
    return from_memory(dataset, most=dataset.points.size if drawn else INLINE)


def _made_again(
    dataset: Dataset, data: DataSettings, library: str, file: FileReference | None
) -> Snippet | None:
    """Return code that makes or reads all rows; None where numbers have to do."""
    if file is not None:
        if library == "kpca_viewer":
            return read_by_ourselves(file, data.importing)
        # Without our package: by a few lines that do the same, or as numbers.
        return read_by_others(dataset, file, data.importing)
    if data.source in GENERATORS and data.drawn is None:
        values = _values(data.source, dict(data.values))
        # An opened file may be called like a generator.
        made = generate(data.source, seed=data.seed, **values)
        if made.content_hash == dataset.content_hash:
            return _generated(data, values, made, library)
    return None


def _without_some(all_rows: Snippet, whole: Dataset, kept: Dataset) -> Snippet | None:
    """Return code that leaves rows out; None for too many to be listed."""
    rows = places_in(whole, kept)
    gone = np.setdiff1d(np.arange(whole.n), rows)
    by_rest = len(rows) < len(gone)
    if min(len(rows), len(gone)) > INLINE:
        return None
    if by_rest:
        lines = [f"kept = {literal(rows.tolist(), 7)}  # counted from 0"]
    else:
        lines = [
            f"left_out = {literal(gone.tolist(), 11)}",
            "kept = np.setdiff1d(np.arange(len(X)), left_out)  # counted from 0",
        ]
    lines.append(
        "X = X[kept]" if whole.kind == "points" else "X = X[np.ix_(kept, kept)]"
    )
    lines.append("y = None if y is None else y[kept]")
    if all_rows.has_position:
        lines.append("position = position[kept]")
    text = "\n".join([all_rows.body, "# Rows that were left out.", *lines])
    imports = (*all_rows.imports, "import numpy as np")
    return replace(all_rows, body=text, imports=imports)


def _values(source: str, given: Mapping[str, float]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for parameter in GENERATORS[source].parameters:
        value = given.get(parameter.name, parameter.default)
        integer = parameter.scale == "integer"
        values[parameter.name] = round(value) if integer else float(value)
    return values


# Generators


def _generated(
    data: DataSettings, values: Mapping[str, Any], made: Dataset, library: str
) -> Snippet | None:
    """Return code that makes the points: plain, or by this package where it may."""
    code = GENERATORS[data.source].code
    if code is not None:
        text = code.text.format(seed=data.seed, **values)
        return Snippet(text, code.imports, code.has_position)
    if library != "kpca_viewer":
        return None
    given = "".join(f", {name}={value!r}" for name, value in values.items())
    lines = [
        f"dataset = generate({quoted(data.source)}, seed={data.seed}{given})",
        "X, y = dataset.points, dataset.labels",
    ]
    has_position = "position" in made.columns
    if has_position:
        lines.append('position = dataset.columns["position"].values')
    imports = ("from kpca_viewer import generate",)
    return Snippet("\n".join(lines), imports, has_position)


# Memory


def from_memory(dataset: Dataset, most: int = INLINE) -> Snippet:
    """Return code that holds the data, up to ``most`` numbers, or reads a file."""
    imports = ("import numpy as np",)
    if dataset.points.size <= most and np.isfinite(dataset.points).all():
        rows = pformat(dataset.points.tolist(), width=84, compact=True)
        lines = [f"X = np.array(\n{_indented(rows)}\n)"]
        if dataset.labels is None:
            lines.append("y = None")
        else:
            codes = pformat(dataset.labels.tolist(), width=84, compact=True)
            lines.append(f"y = np.array(\n{_indented(codes)}\n)")
        return Snippet("\n".join(lines), imports)
    name = quoted(f"{safe_name(dataset.name)}.npz")
    if dataset.kind != "points":
        return Snippet(
            "# Save the data first: Export, Numbers, Kernel matrix, as NPZ.\n"
            f'X = np.load({name})["matrix"]\n'
            "y = None",
            imports,
        )
    return Snippet(
        "# Save the data first: Export, Numbers, Coordinates with features, as NPZ.\n"
        f"stored = np.load({name})\n"
        'X = stored["features"]\n'
        'y = stored["label"] if "label" in stored else None',
        imports,
    )


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())


def safe_name(name: str) -> str:
    """Return a name that every file system takes."""
    line = one_line(name, 80)
    sound = "".join(c if c.isalnum() or c in " -_.()" else "_" for c in line)
    return sound.strip(" .") or "data"


# Okabe and Ito's colours, in the order of the window.
COLORS = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#E69F00",
    "#56B4E9",
    "#CC79A7",
    "#F0E442",
    "#8A8F98",
)
MOST_NAMES = 40


def plot_snippet(
    result: AnalysisResult,
    view: ViewSettings | None = None,
    *,
    has_position: bool = False,
) -> Snippet:
    """Return code that draws ``scores`` (n, k) in the colours of ``y``.

    ``has_position``: whether ``position`` is known, which colours points without
    classes.
    """
    view = view or result.settings.view
    known = max(1, int((positive_part(result.decomposition) > 0).sum()))
    wanted = view.axes[: 3 if view.embedding_3d else 2]
    axes = [axis for axis in wanted if axis < known] or [0]
    three = len(axes) == 3
    columns = ", ".join(f"scores[{{rows}}, {axis}]" for axis in axes)
    if len(axes) == 1:
        columns += ", 0 * scores[{rows}, 0]"
    lines = [
        "try:",
        "    import matplotlib.pyplot as plt",
        "except ImportError:",
        "    plt = None",
        '    print("matplotlib is not installed, so nothing is drawn.")',
        'if plt is not None and __name__ == "__main__":',
    ]
    projection = '(subplot_kw={"projection": "3d"})' if three else "()"
    body = [f"figure, axes = plt.subplots{projection}"]
    body += _points(result, columns, has_position)
    for name, axis in zip("xyz", axes, strict=False):
        share = f"{result.mass.mark}{percent(result.shares[axis])}"
        body.append(f'axes.set_{name}label("PC {axis + 1} ({share})")')
    if not view.fills:
        how = "" if three else ', adjustable="datalim"'
        body.append(f'axes.set_aspect("equal"{how})')
    title = one_line(result.dataset.name, 80)
    body += [f"axes.set_title({quoted(title)})", "plt.show()"]
    lines += [f"    {line}" for line in body]
    return Snippet("\n".join(lines))


def _points(result: AnalysisResult, columns: str, has_position: bool) -> list[str]:
    dataset = result.dataset
    everything = columns.format(rows=":")
    if dataset.labels is None:
        color = ', c=position, cmap="viridis"' if has_position else ""
        return [f"axes.scatter({everything}, s=12{color})"]
    if len(dataset.label_names) > MOST_NAMES:
        return [f'axes.scatter({everything}, s=12, c=y, cmap="viridis")']
    half = len(COLORS) // 2
    names = [quoted(one_line(name, 60)) for name in dataset.label_names]
    return [
        "colors = [",
        f"    {', '.join(map(quoted, COLORS[:half]))},",
        f"    {', '.join(map(quoted, COLORS[half:]))},",
        "]",
        "names = [",
        *(f"    {name}," for name in names),
        "]",
        "for code, name in enumerate(names):",
        "    rows = y == code",
        "    axes.scatter(",
        f"        {columns.format(rows='rows')},",
        "        s=12, label=name, color=colors[code % len(colors)],",
        "    )",
        "axes.legend()",
    ]
