"""``kpca-viewer embed``: a file in, coordinates out; runs where there is no Qt."""

import argparse
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kpca_viewer.console.file_columns import doubts, read_options
from kpca_viewer.console.options import (
    Chosen,
    add_cluster_options,
    add_data_options,
    add_kernel_options,
    asks_for_anything,
    check_source,
    chosen,
    dataset_of,
    number,
)
from kpca_viewer.console.output import (
    Report,
    add_output_options,
    check_outputs,
    describe_model,
    is_pipe,
    opened_input,
    written,
)
from kpca_viewer.console.terminal import Watch, guarded
from kpca_viewer.data.generators import GENERATORS
from kpca_viewer.features.large_tables.options import (
    NOT_FOR_PARTS,
    comes_in_parts,
    refuse_cluster_options,
)
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.atomic import write_atomically
from kpca_viewer.support.errors import DataError, shorten

if TYPE_CHECKING:
    from kpca_viewer.core.estimator.kernel_pca import KernelPCA
    from kpca_viewer.data.dataset import Dataset
    from kpca_viewer.data.preparation import Scaler
    from kpca_viewer.export.result_tables import ExportTable


Columns = tuple[tuple[str, Array], ...]

FORMATS = (".csv", ".tsv", ".xlsx", ".npy", ".npz", ".parquet", ".h5ad")

EXAMPLES = f"""\
examples:
  kpca-viewer embed wine --out coords.csv
      guesses the label column, the scaling and γ, and says what it guessed
  kpca-viewer embed wine --gamma 0.05 \\
      --components 3 --out coords.parquet
  kpca-viewer embed train.csv --out train.npz --new test.csv --out-new test.npz
      the rows of test.csv are projected onto the model of train.csv
  kpca-viewer embed train.csv --out train.npz --model model.npz
  kpca-viewer embed test.csv --onto model.npz --out test.npz
      the same in two steps; the model knows columns, words, gaps and scaling
  kpca-viewer embed wine --diagnostics --out coords.csv
      with three columns that say how odd every row is
  kpca-viewer embed wine --components 0.95 --out coords.csv
      as few components as are proven to hold 95 % of the variance
  kpca-viewer embed circles --samples 1000 --gamma 2 --out rings.npy
      made-up data, for a first try
  kpca-viewer embed measured/ --out scores/
      a folder, a pattern or several files, in blocks on all cores: one Parquet file
      of scores for each, model.npz and summary.json; run again after it was stopped,
      it goes on with the parts that are missing, once there is a model
  kpca-viewer embed "measured/*.parquet" --out scores/ --scheduler tcp://host:8786
      the same on a cluster of Dask that reads and writes the same folders
  cat wine.csv | kpca-viewer embed - --components 2 --out - | head
      as one step of many

The ending of --out chooses the format: csv, tsv, xlsx, parquet, npz, or npy for the
numbers alone; h5ad is a copy of an .h5ad file with the scores in obsm["X_kpca"] (the
file itself only with --force). “-” in the place of DATA reads standard input.
{NOT_FOR_PARTS}
What is there already is replaced only with --force.
The exit code is 0, or 2 with one line on stderr."""


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Add the command to the program."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "embed",
        help="coordinates of a file, and of new data, without a window",
        description="Compute kernel PCA and write the coordinates of all rows.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_data_options(parser, several=True)
    add_kernel_options(parser, shares=True)
    parser.add_argument(
        "--tol",
        type=_tolerance,
        metavar="X",
        help="error of the eigenvalues to allow, relative to the largest (default: "
        "1e-3 from 20,000 rows on, 1e-6 or less below)",
    )
    group = parser.add_argument_group("output")
    add = group.add_argument
    add(
        "--out",
        type=Path,
        metavar="FILE",
        required=True,
        help="for the coordinates; - writes them to standard output, as CSV; for a "
        "table in parts, a folder",
    )
    add("--new", type=Path, metavar="FILE", help="rows to project onto the model")
    add("--out-new", type=Path, metavar="FILE", help="for the coordinates of --new")
    add(
        "--diagnostics",
        action="store_true",
        help="with columns that say how odd a row is: cos2 (share of its feature-space "
        "length in the components), t2 (how far out along them) and spe (squared "
        "distance to the model)",
    )
    add(
        "--model",
        type=Path,
        metavar="FILE",
        help="keep the model, for --onto, and for kpca_viewer.load in Python",
    )
    add(
        "--onto",
        type=Path,
        metavar="MODEL",
        help="project the rows onto a model that was kept, and compute none",
    )
    add_output_options(group)
    add_cluster_options(parser, "cluster, for a table in parts")
    parser.set_defaults(run=run)
    return parser


def _tolerance(text: str) -> float:
    value = number(text)
    if 0 < value < 1:
        return value
    raise argparse.ArgumentTypeError(f"“{shorten(text)}” is not between 0 and 1")


def run(options: argparse.Namespace) -> int:
    return guarded("embed", lambda watch: _embed(options, watch))


def _embed(options: argparse.Namespace, watch: Watch) -> None:
    if comes_in_parts(options.data):
        from kpca_viewer.features.large_tables.command import embed_parts

        embed_parts(options, watch)
        return
    (options.data,) = options.data
    check_source(options.data)
    refuse_cluster_options(options)
    _check_outputs(options)
    report = Report(options, pipes=is_pipe(options.out))
    if options.onto is not None:
        _project(options, watch, report)
    else:
        _compute(options, watch, report)
    report.finish()


def _compute(options: argparse.Namespace, watch: Watch, report: Report) -> None:
    request = chosen(options, watch)
    dataset = dataset_of(request)
    if options.new is not None and dataset.kind != "points":
        raise DataError(
            "New rows cannot be placed beside a matrix of kernel values or distances; "
            "give the points themselves."
        )
    new = None
    if options.new is not None:
        new = _new_rows(options.new, request, dataset, watch, report)
    watch(f"decomposing {dataset.n:,} rows")
    model, scaler = _model(request, dataset, options.components, options.tol)
    scores = model.fit_transform(scaler.apply(dataset.points))
    from kpca_viewer.data.raw_rows import RawRows
    from kpca_viewer.export.model import save_prepared

    odd = row_columns(options, model, None)
    new_scores = None
    new_odd: Columns = ()
    if new is not None:
        watch(f"projecting {new.n:,} new rows")
        new_points = scaler.apply(new.points)
        new_scores = model.transform(new_points)
        new_odd = row_columns(options, model, new_points)
    watch("writing")
    write_coordinates(options.out, dataset, scores, model, odd, Path(options.data))
    if new is not None and new_scores is not None:
        write_coordinates(options.out_new, new, new_scores, model, new_odd, options.new)
    if options.model is not None:
        rows = None
        if dataset.kind == "points":
            rows = RawRows.of(dataset, request.settings.data.importing, scaler)
        save_prepared(model, options.model, rows)
    watch.clear()
    describe_model(report, request, dataset, model, scaler)
    describe_columns(report, odd, model)
    report.saved(options.out, _size(scores))
    if new_scores is not None:
        report.saved(options.out_new, f": {len(new_scores):,} new rows")
    if options.model is not None:
        kept = "" if dataset.kind != "points" else "; it prepares raw rows as above"
        report.saved(options.model, kept)


def _size(scores: Array) -> str:
    return f": {len(scores):,} rows × {scores.shape[1]} components"


def _project(options: argparse.Namespace, watch: Watch, report: Report) -> None:
    """Project raw rows onto a model of an earlier run."""
    from kpca_viewer.data.files import read_table
    from kpca_viewer.export.model import load_prepared

    if options.new is not None or options.model is not None:
        raise DataError(
            "--onto computes no model; leave out --new and --model, or --onto."
        )
    if options.tol is not None or asks_for_anything(options, besides_data=True):
        raise DataError(
            "The model says itself how rows are prepared and which kernel it has; "
            "leave out the options for columns and kernel, or --onto."
        )
    model, rows = load_prepared(options.onto)
    if rows is None:
        raise DataError(
            f"“{options.onto.name}” does not say how raw rows are prepared; write it "
            "again with embed --model, or use KernelPCA.load in Python."
        )
    if options.data in GENERATORS:
        dataset = dataset_of(chosen(options))
        if dataset.feature_names != rows.feature_names:
            raise DataError(
                f"“{options.data}” has other features than those of the model; give "
                "rows with its features."
            )
    else:
        with opened_input(options.data) as path:
            table = read_table(path, options=read_options(options), progress=watch)
        for doubt in doubts(table):
            report.say(f"  {path.name}: {doubt}")
        dataset = rows.dataset(table)
    watch(f"projecting {dataset.n:,} rows")
    points = rows.points(dataset)
    scores = model.transform(points)
    odd = row_columns(options, model, points)
    watch("writing")
    write_coordinates(options.out, dataset, scores, model, odd, Path(options.data))
    watch.clear()
    describe_columns(report, odd, model)
    report.note(rows=len(scores), components=scores.shape[1])
    report.saved(options.out, _size(scores))


def _check_outputs(options: argparse.Namespace) -> None:
    """Say what is wrong with the names before anything is computed."""
    if (options.new is None) != (options.out_new is None):
        raise DataError("--new and --out-new belong together; give both.")
    for path in (options.out, options.out_new):
        if path is None or (is_pipe(path) and path is options.out):
            continue
        if path.suffix.lower() not in FORMATS:
            raise DataError(
                f"“{path.name}” does not end in one of {', '.join(FORMATS)}; the "
                "ending chooses the format."
            )
        if path.suffix.lower() == ".h5ad":
            from kpca_viewer.export.anndata_file import check_anndata

            check_anndata(
                Path(options.data if path is options.out else options.new), path
            )
    outputs = (options.out, options.out_new, options.model)
    read = [options.data, options.new, options.onto]
    if options.force and options.out.suffix.lower() == ".h5ad":
        read[0] = None  # scores come to what is there
    check_outputs(
        [path for path in outputs if path is not None],
        read,
        force=options.force,
    )


def _new_rows(
    path: Path, request: Chosen, dataset: "Dataset", watch: Watch, report: Report
) -> "Dataset":
    from kpca_viewer.data.files import ReadOptions, read_table
    from kpca_viewer.data.importing import ImportSettings, new_data
    from kpca_viewer.data.reading import read_like
    from kpca_viewer.data.table import Table

    imported = request.settings.data.importing
    if imported is None:
        # Generators have no file: their features are known by their names.
        imported = ImportSettings(
            tuple((name, "feature") for name in dataset.feature_names)
        )
    known = next(iter(request.opened.values()), None)
    reading = read_like(known) if isinstance(known, Table) else ReadOptions()
    table = read_table(path, options=reading, progress=watch)
    for doubt in doubts(table):
        report.say(f"  {path.name}: {doubt}")
    return new_data(table, imported, dataset)


def _model(
    request: Chosen,
    dataset: "Dataset",
    components: float | None,
    tol: float | None,
) -> tuple["KernelPCA", "Scaler"]:
    """Return the estimator that the options ask for, and the scaling before it."""
    from kpca_viewer.core.estimator.kernel_pca import KernelPCA
    from kpca_viewer.core.estimator.keywords import as_keywords
    from kpca_viewer.core.methods.kernel_suggestion import suggested
    from kpca_viewer.data.preparation import Scaler
    from kpca_viewer.engine.forecast import usual_tolerance

    settings = request.settings
    analysis, points = settings.analysis, dataset.points
    matrices = {"kernel": "precomputed", "distances": "precomputed_distances"}
    values: dict[str, Any] = {}
    if dataset.kind in matrices:
        kernel = matrices[dataset.kind]
        scaler = Scaler.learn(points, "none")
    else:
        kernel = settings.kernel.family
        scaling, columns = settings.data.scaling, settings.data.column_scaling
        scaler = Scaler.learn(points, scaling, columns, dataset.feature_names)
        found = suggested(kernel, scaler.apply(points), dataset.labels, dataset.target)
        values = {**found.values, **dict(settings.kernel.values)}
    model = KernelPCA(
        components
        if isinstance(components, float)
        else min(analysis.components, dataset.n),
        kernel=kernel,
        eigen_solver=analysis.solver,
        tol=tol or usual_tolerance(dataset.n),
        center=analysis.center,
        **as_keywords(values),
    )
    return model, scaler


# What is written


def write_coordinates(
    path: Path,
    dataset: "Dataset",
    scores: Array,
    model: "KernelPCA",
    odd: Columns = (),
    source: Path | None = None,
) -> None:
    """Write scores (n, k) with the names and classes of their rows.

    ``odd``: columns about every row that follow the scores; ``source``: the file of the
    rows, of which an .h5ad is a copy.
    """
    from kpca_viewer.export.table_files import csv_bytes, save_table

    if path.suffix.lower() == ".h5ad" and source is not None:
        from kpca_viewer.data.dataset import source_rows
        from kpca_viewer.export.anndata_file import settings_text, write_scores

        about = {
            "eigenvalues": model.eigenvalues_,
            "explained_variance_ratio": model.explained_variance_ratio_,
            "settings": settings_text(model.get_params()),
            **dict(odd),
        }
        write_scores(source, path, scores, source_rows(dataset), about)
        return
    with written(path, ".csv") as target:
        kind = target.suffix.lower().removeprefix(".")
        if kind == "npy":
            beside = [values for _, values in odd]
            write_atomically(target, _npy(np.column_stack([scores, *beside])))
            return
        table = _table(dataset, scores, model, odd)
        if kind == "tsv":
            write_atomically(target, csv_bytes(table, "\t"))
        else:
            save_table(target, table, kind)  # type: ignore[arg-type]  # checked before


def _table(
    dataset: "Dataset", scores: Array, model: "KernelPCA", odd: Columns
) -> "ExportTable":
    """Return the columns that the export of the window has, without a selection."""
    from kpca_viewer.export.result_tables import (
        ExportTable,
        distinct,
        metadata,
        row_names,
    )

    rows = row_names(dataset, np.arange(dataset.n))
    described, described_arrays = metadata(dataset, np.arange(dataset.n))
    columns: list[tuple[str, Any]] = [("row", rows)]
    arrays = {
        "row": np.array(rows),
        "scores": scores,
        "eigenvalues": model.eigenvalues_,
        "eigenvalue_bounds": model.eigenvalue_bounds_,
        "explained_variance_ratio": model.explained_variance_ratio_,
        "component_angle_bounds": model.component_angle_bounds_,
        "score_bounds": model.score_bounds_,
    }
    if dataset.labels is not None:
        names = dataset.label_names
        codes = dataset.labels.tolist()
        columns.append(("label", tuple(names[c] if c >= 0 else "" for c in codes)))
        arrays["label"] = dataset.labels
        arrays["label_names"] = np.array(names)
    columns += described
    columns += [(f"PC{j + 1}", scores[:, j]) for j in range(scores.shape[1])]
    columns += odd
    arrays |= described_arrays
    arrays |= dict(odd)
    return ExportTable("coordinates", distinct(columns), arrays)


def _npy(array: Array) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, np.ascontiguousarray(array), allow_pickle=False)
    return buffer.getvalue()


def row_columns(
    options: argparse.Namespace, model: "KernelPCA", points: Array | None
) -> Columns:
    """Return cos2, t2 and spe of rows; none unless they are asked for.

    ``points`` (m, d): new rows as the model takes them; None for its training rows.
    """
    if not options.diagnostics:
        return ()
    found = model.diagnostics(points)
    if found.cos2 is None or found.spe is None:
        return (("t2", found.t2),)
    return (("cos2", found.cos2), ("t2", found.t2), ("spe", found.spe))


def describe_columns(report: Report, columns: Columns, model: "KernelPCA") -> None:
    """Say why columns are missing that were asked for."""
    from kpca_viewer.core.projection import no_lengths

    if len(columns) == 1:
        report.say(f"  only t2 is written: {no_lengths(model._decomposition)}")
