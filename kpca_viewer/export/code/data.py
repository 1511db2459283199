"""Python that makes or reads the same data again."""

from collections.abc import Mapping
from dataclasses import replace
from pprint import pformat
from typing import Any

import numpy as np

from kpca_viewer.data.dataset import Dataset, places_in
from kpca_viewer.data.generators import GENERATORS, generate
from kpca_viewer.engine.document.model import FileReference
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import DataSettings
from kpca_viewer.export.code.files import read_by_others, read_by_ourselves
from kpca_viewer.export.code.literals import Snippet, literal, quoted
from kpca_viewer.export.wording import one_line

INLINE = 2_000
"""Numbers up to which data from memory are written into the script itself."""


def data_snippet(
    result: AnalysisResult, library: str, file: FileReference | None = None
) -> Snippet:
    """Return code after which ``X`` (n, d) and ``y`` (n,) or None are the data.

    Parameters
    ----------
    library : {"kpca_viewer", "sklearn"}
    file : FileReference, optional
        Where the data came from; without it they are made by a generator, or written
        into the code, or taken from an NPZ that has to be saved first.
    """
    dataset, whole = result.dataset, result.before_exclusion or result.dataset
    found = _made_again(whole, result.settings.data, library, file)
    if found is not None and dataset.excluded:
        found = _without_some(found, whole, dataset)
    if found is not None:
        return found
    # Nobody could make them again.
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
    """Return code that holds the data, or takes them from a file of numbers.

    Parameters
    ----------
    most : int
        Numbers up to which they are written into the code.
    """
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
