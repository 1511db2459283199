"""Python that makes or reads the same data again."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pprint import pformat
from textwrap import dedent
from typing import Any

import numpy as np

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.generators import GENERATORS, generate
from kpca_viewer.data.importing import ImportSettings
from kpca_viewer.export.code_literals import literal, quoted
from kpca_viewer.export.wording import one_line
from kpca_viewer.session.document_model import FileReference
from kpca_viewer.session.result import AnalysisResult

INLINE = 2_000
"""Numbers up to which data from memory are written into the script itself."""


@dataclass(frozen=True)
class Snippet:
    """Lines of Python and the imports that they need."""

    body: str
    imports: tuple[str, ...] = ()


def data_snippet(
    result: AnalysisResult, library: str, file: FileReference | None = None
) -> Snippet:
    """Return code after which ``X`` (n, d) and ``y`` (n,) or None are the data.

    Parameters
    ----------
    result : AnalysisResult
    library : {"kpca_viewer", "sklearn"}
    file : FileReference, optional
        Where the data came from; without it they are made by a generator, or written
        into the code, or taken from an NPZ that has to be saved first.
    """
    data, dataset = result.settings.data, result.dataset
    if file is not None:
        if library == "sklearn" and _is_plain(dataset, file, data.importing):
            return _read_by_pandas(dataset, file, data.importing)
        return _read_by_ourselves(file, data.importing)
    if data.source in GENERATORS:
        values = _values(data.source, dict(data.values))
        # An opened file may be called like a generator.
        made = generate(data.source, seed=data.seed, **values)
        if made.content_hash == dataset.content_hash:
            return _GENERATED[data.source](data.source, values, data.seed)
    return _from_memory(dataset)


def _values(source: str, given: Mapping[str, float]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for parameter in GENERATORS[source].parameters:
        value = given.get(parameter.name, parameter.default)
        integer = parameter.scale == "integer"
        values[parameter.name] = round(value) if integer else float(value)
    return values


# Generators


def _sklearn(function: str, template: str) -> Callable[..., Snippet]:
    def make(source: str, values: Mapping[str, Any], seed: int) -> Snippet:
        body = template.format(seed=seed, **values)
        return Snippet(body, (f"from sklearn.datasets import {function}",))

    return make


def _loader(source: str, values: Mapping[str, Any], seed: int) -> Snippet:
    return Snippet(
        f"X, y = load_{source}(return_X_y=True)",
        (f"from sklearn.datasets import load_{source}",),
    )


def _numpy(template: str) -> Callable[..., Snippet]:
    def make(source: str, values: Mapping[str, Any], seed: int) -> Snippet:
        return Snippet(
            dedent(template).strip().format(seed=seed, **values),
            ("import numpy as np",),
        )

    return make


_GENERATED: dict[str, Callable[..., Snippet]] = {
    "circles": _sklearn(
        "make_circles",
        "X, y = make_circles("
        "{samples}, factor={factor!r}, noise={noise!r}, random_state={seed})",
    ),
    "moons": _sklearn(
        "make_moons",
        "X, y = make_moons({samples}, noise={noise!r}, random_state={seed})",
    ),
    "s_curve": _sklearn(
        "make_s_curve",
        "X, position = make_s_curve({samples}, noise={noise!r}, random_state={seed})\n"
        "y = None",
    ),
    "swiss_roll": _sklearn(
        "make_swiss_roll",
        "# The roll is ten times as large as the other shapes, and so is its noise.\n"
        "X, position = make_swiss_roll(\n"
        "    {samples}, noise=10 * {noise!r}, random_state={seed}\n"
        ")\n"
        "y = None",
    ),
    "spirals": _numpy(
        """
        random = np.random.default_rng({seed})
        y = np.arange({samples}) * {classes} // {samples}
        position = np.sqrt(random.uniform(0.02, 1.0, {samples}))
        angle = 2 * np.pi * ({turns!r} * position + y / {classes})
        X = position[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
        X = X + {noise!r} * random.standard_normal(X.shape)
        """
    ),
    "blobs": _numpy(
        """
        random = np.random.default_rng({seed})
        y = np.arange({samples}) * {classes} // {samples}
        angle = (
            2 * np.pi
            * (np.arange({classes}) + random.uniform(0.2, 0.8, {classes}))
            / {classes}
        )
        distance = random.uniform(0.8, 1.0, {classes})
        centres = distance[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
        X = centres[y] + {noise!r} * random.standard_normal(({samples}, 2))
        """
    ),
    "gaussian_quantiles": _numpy(
        """
        random = np.random.default_rng({seed})
        X = random.standard_normal(({samples}, 2))
        rank = np.argsort(np.argsort(np.linalg.norm(X, axis=1), kind="stable"))
        y = (np.arange({samples}) * {classes} // {samples})[rank]
        X = X + {noise!r} * random.standard_normal(X.shape)
        """
    ),
    "torus": _numpy(
        """
        random = np.random.default_rng({seed})
        around, tube = random.uniform(0, 2 * np.pi, (2, {samples}))
        radius = 1 + {factor!r} * np.cos(tube)
        X = np.column_stack(
            [
                radius * np.cos(around),
                radius * np.sin(around),
                {factor!r} * np.sin(tube),
            ]
        )
        X = X + {noise!r} * random.standard_normal(X.shape)
        position, y = around, None
        """
    ),
    "helix": _numpy(
        """
        random = np.random.default_rng({seed})
        y = np.arange({samples}) * {classes} // {samples}
        position = random.uniform(0, 1, {samples})
        angle = 2 * np.pi * ({turns!r} * position + y / {classes})
        X = np.column_stack([np.cos(angle), np.sin(angle), 4 * position - 2])
        X = X + {noise!r} * random.standard_normal(X.shape)
        """
    ),
    "three_points": _numpy(
        """
        X = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])
        y = None
        """
    ),
    "iris": _loader,
    "wine": _loader,
    "breast_cancer": _loader,
    "digits": _loader,
}


# Files


def _is_plain(
    dataset: Dataset, file: FileReference, chosen: ImportSettings | None
) -> bool:
    """Whether a few lines of pandas read what was read here."""
    reading = file.reading
    if chosen is not None:
        same = chosen.columns("feature") == dataset.feature_names
        odd_cells = chosen.treat_text_as_missing or chosen.missing_words
        if not same or chosen.sample is not None or odd_cells:
            return False
    return (
        dataset.kind == "points"
        and reading.header is not False
        and reading.sample is None
        and reading.max_rows is None
        and reading.arrays is None
        and not reading.decimals
        and file.path.suffix.lower() in (".csv", ".tsv", ".txt", ".xlsx", ".parquet")
        and _has_header(dataset, file)
    )


def _has_header(dataset: Dataset, file: FileReference) -> bool:
    """Whether a text names its columns; names that were made up are not in it."""
    if file.path.suffix.lower() in (".xlsx", ".parquet"):
        return True
    try:
        with open(file.path, encoding="utf-8", errors="replace") as text:
            head = text.read(1 << 16)
    except OSError:
        return True
    return all(name in head for name in dataset.feature_names)


def _read_by_pandas(
    dataset: Dataset, file: FileReference, chosen: ImportSettings | None
) -> Snippet:
    path, reading = file.path, file.reading
    suffix = path.suffix.lower()
    options: dict[str, Any] = {}
    if suffix == ".parquet":
        reader = "read_parquet"
    elif suffix == ".xlsx":
        reader = "read_excel"
        options = {"sheet_name": reading.sheet} if reading.sheet else {}
    else:
        reader = "read_csv"
        options["sep"] = reading.delimiter or (None if suffix != ".tsv" else "\t")
        if options["sep"] in (None, " "):
            options["sep"] = r"\s+" if reading.delimiter == " " else None
            options["engine"] = "python"
        if reading.decimal:
            options["decimal"] = reading.decimal
        if reading.encoding:
            options["encoding"] = reading.encoding
    arguments = "".join(f", {name}={quoted(value)}" for name, value in options.items())
    lines = [f"table = pd.{reader}({quoted(str(path))}{arguments})"]
    lines.append(f"features = {literal(list(dataset.feature_names), 11)}")
    if chosen is not None and chosen.missing == "median":
        lines.append(
            "table[features] = table[features].fillna(table[features].median())"
        )
    else:
        lines.append("table = table.dropna(subset=features)")
    lines.append("X = table[features].to_numpy(dtype=float)")
    label = chosen.columns("label") if chosen is not None else ()
    if label and dataset.labels is not None:
        codes = {name: code for code, name in enumerate(dataset.label_names)}
        lines.append(f"codes = {literal(codes, 8)}")
        lines.append(
            f"y = table[{quoted(label[0])}].astype(str).map(codes).fillna(-1)"
            ".to_numpy(int)"
        )
    else:
        lines.append("y = None")
    lines.append(
        f"assert X.shape == ({dataset.n}, {dataset.d}), "
        '"the file is not the one that was shown"'
    )
    return Snippet("\n".join(lines), ("import pandas as pd",))


def _read_by_ourselves(file: FileReference, chosen: ImportSettings | None) -> Snippet:
    imports = ["from kpca_viewer.data.files import ReadOptions, read_table"]
    reading = _call("ReadOptions", file.reading)
    lines = [f"table = read_table({quoted(str(file.path))}, options={reading})"]
    if chosen is None:
        imports.append(
            "from kpca_viewer.data.importing import guess_import, to_dataset"
        )
        lines.append("dataset = to_dataset(table, guess_import(table))")
    else:
        imports.append(
            "from kpca_viewer.data.importing import ImportSettings, to_dataset"
        )
        lines.append(f"chosen = {_call('ImportSettings', chosen)}")
        lines.append("dataset = to_dataset(table, chosen)")
    lines.append("X, y = dataset.points, dataset.labels")
    return Snippet("\n".join(lines), tuple(imports))


def _call(name: str, value: Any) -> str:
    """Return the call that makes a value of a dataclass, without what is default."""
    plain = type(value)()
    given = {
        field.name: getattr(value, field.name)
        for field in fields(value)
        if getattr(value, field.name) != getattr(plain, field.name)
    }
    arguments = ", ".join(f"{key}={quoted(item)}" for key, item in given.items())
    if len(arguments) < 60:
        return f"{name}({arguments})"
    inner = "".join(
        f"    {key}={literal(item, len(key) + 1, 4)},\n" for key, item in given.items()
    )
    return f"{name}(\n{inner})"


# Memory


def _from_memory(dataset: Dataset) -> Snippet:
    imports = ("import numpy as np",)
    if dataset.points.size <= INLINE and np.isfinite(dataset.points).all():
        rows = pformat(dataset.points.tolist(), width=84, compact=True)
        lines = [f"X = np.array(\n{_indented(rows)}\n)"]
        if dataset.labels is None:
            lines.append("y = None")
        else:
            codes = pformat(dataset.labels.tolist(), width=84, compact=True)
            lines.append(f"y = np.array(\n{_indented(codes)}\n)")
        return Snippet("\n".join(lines), imports)
    name = f"{safe_name(dataset.name)}.npz"
    return Snippet(
        "# Save the data first: Export, Numbers, Coordinates with features, as NPZ.\n"
        f"stored = np.load({quoted(name)})\n"
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
