"""Where a command writes and what it says: files, pipes, words or JSON.

No output may be an input, and what is there already is replaced only by ``--force``.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kpca_viewer.console.terminal import say, stream_errors
from kpca_viewer.support import paths
from kpca_viewer.support.errors import DataError, ExportError
from kpca_viewer.support.numerals import percent, readable

if TYPE_CHECKING:
    from kpca_viewer.console.options import Chosen
    from kpca_viewer.core.estimator.kernel_pca import KernelPCA
    from kpca_viewer.data.dataset import Dataset
    from kpca_viewer.data.preparation import Scaler


PIPE = "-"
"""What stands for standard input or output in the place of a file."""


def add_output_options(group: Any) -> None:
    group.add_argument(
        "--force", action="store_true", help="replace what is there already"
    )
    add_speech_options(group)


def add_speech_options(group: Any) -> None:
    """Let a command speak to scripts, or not at all."""
    add = group.add_argument
    add("--json", action="store_true", help="say what was done as JSON, for scripts")
    add("--quiet", action="store_true", help="say nothing unless something is wrong")


def is_pipe(path: object) -> bool:
    return str(path) == PIPE


def check_outputs(
    outputs: Iterable[Path], inputs: Iterable[object], *, force: bool
) -> None:
    """Refuse outputs that would destroy data, before any work is done.

    ``inputs``: what is read; words that are no files, such as ``circles``, do no harm;
    ``force``: whether files that are no input may be replaced.
    """
    files = [path for path in outputs if not is_pipe(path)]
    if len({paths.real(path) for path in files}) < len(files):
        raise DataError("Two outputs have the same name; give each its own.")
    read = [Path(str(name)) for name in inputs if name is not None]
    for path in files:
        if not paths.is_dir(paths.real(path).parent):
            raise ExportError(
                f"The folder of “{path.name}” does not exist; make it first."
            )
        if any(_is_same(path, other) for other in read):
            into = ", or add --force to put the scores into it"
            raise DataError(
                f"“{path}” is what is read; writing there would replace it: choose "
                f"another name for the output{into if path.suffix == '.h5ad' else ''}."
            )
        if paths.is_file(path) and not force:
            raise ExportError(
                f"“{path}” exists; choose another name, or add --force to replace it."
            )


def _is_same(one: Path, other: Path) -> bool:
    """Return whether two names, links among them, mean one file."""
    try:
        return os.path.samefile(one, other)
    except OSError:
        return paths.real(one) == paths.real(other)


@contextmanager
def opened_input(name: str) -> Iterator[Path]:
    """Give the file to read; standard input is one for as long as it is read."""
    if not is_pipe(name):
        yield Path(name)
        return
    with tempfile.TemporaryDirectory(prefix="kpca_viewer_") as folder:
        path = Path(folder, "standard input")
        with path.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        yield path


@contextmanager
def written(path: Path, ending: str) -> Iterator[Path]:
    """Give the name to write to; what stands for a pipe goes there afterwards."""
    if not is_pipe(path):
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="kpca_viewer_") as folder:
        target = Path(folder, f"standard output{ending}")
        yield target
        with target.open("rb") as file, stream_errors(sys.stdout):
            sys.stdout.flush()
            shutil.copyfileobj(file, sys.stdout.buffer)
            sys.stdout.buffer.flush()


class Report:
    """What a command says at its end: lines for a person, or JSON for a script.

    ``options``: with what `add_output_options` added; ``pipes``: whether standard
    output carries the result; the words then go to stderr.
    """

    def __init__(self, options: argparse.Namespace, *, pipes: bool = False) -> None:
        if options.json and pipes:
            raise DataError(
                "--json and the result cannot both go to standard output; give a file "
                "in the place of “-”."
            )
        self._json = options.json
        self._silent = options.json or options.quiet
        self._stream = sys.stderr if pipes else sys.stdout
        self._facts: dict[str, Any] = {}

    def say(self, text: str) -> None:
        if not self._silent:
            say(text, self._stream)

    def note(self, **facts: Any) -> None:
        self._facts.update(facts)

    def saved(self, path: Path, text: str = "") -> None:
        if is_pipe(path):
            return
        self._facts.setdefault("saved", []).append(str(path))
        self.say(f"Saved {path}{text}")

    def finish(self) -> None:
        if self._json:
            say(json.dumps(self._facts, ensure_ascii=False, indent=1), self._stream)


def describe_model(
    report: Report,
    request: "Chosen",
    dataset: "Dataset",
    model: "KernelPCA",
    scaler: "Scaler",
) -> None:
    """Say what was read, prepared and computed."""
    from kpca_viewer.core.estimator.parameters import kernel_of
    from kpca_viewer.core.spectrum import NegativeMass

    features = f"{dataset.d:,} feature{'' if dataset.d == 1 else 's'}"
    report.say(f"{dataset.name}: {dataset.n:,} rows × {features}")
    for note in request.notes:
        report.say(f"  {note}")
    if dataset.kind == "points":
        kernel = kernel_of(model)
        values = ", ".join(
            f"{parameter.symbol} = {readable(kernel.values[parameter.name], 6)}"
            for parameter in kernel.family.parameters
        )
        report.say(f"  scaling: {scaler.describe()}")
        report.say(f"  kernel: {kernel.family.title}{', ' if values else ''}{values}")
    else:
        report.say(f"  a given matrix of {dataset.kind}")
    report.say(f"  solver: {model.solver_}, {model.solver_reason_}")
    if model.negative_mass_ > 0:
        low, high = model.negative_mass_bounds_
        mass = NegativeMass(low, high, 0.0, model.negative_mass_, bool(low < high))
        report.say(f"  negative eigenvalues hold {mass.in_words} of the sum of all |μ|")
        if not mass.exact:
            report.say("  that sum is an estimate, and with it are the shares")
    report.note(
        data=dataset.name,
        rows=dataset.n,
        features=dataset.d,
        notes=[*request.notes, *request.remarks],
        **scaling_facts(scaler),
        solver=model.solver_,
        negative_mass=json_number(model.negative_mass_),
        **model_facts(model),
    )
    report.say("")
    for line in spectrum_table(model):
        report.say(line)
    report.say("")


def spectrum_table(model: "KernelPCA") -> list[str]:
    """Return eigenvalues, bounds, shares, and what the bounds are worth, as lines."""
    from kpca_viewer.core.spectrum import EQUAL_TO_THE_KERNEL, ROUNDING_ALONE, in_words

    lines = [
        f"{'':>5} {'eigenvalue':>13} {'at least':>13} {'at most':>13} "
        f"{'share':>9} {'total':>9}"
    ]
    shares = model.explained_variance_ratio_
    for j, value in enumerate(model.eigenvalues_):
        low, high = model.eigenvalue_bounds_[j]
        share, cumulative = shares[j], shares[: j + 1].sum()
        lines.append(
            f"PC{j + 1:<3} {value:>13.7g} {low:>13.7g} {high:>13.7g} "
            f"{percent(share, 2):>9} {percent(cumulative, 2):>9}"
        )
    found = model._found  # without the eigenvectors of all rows
    told = in_words(found.error, found.probability)
    grade = "Bounds by a sample of rows" if found.probability else "Proven bounds"
    lines.append(f"{grade}: {told}.")
    if not found.has_variance:
        rounded = found.trace or found.bounds.any()
        lines.append(f"{ROUNDING_ALONE if rounded else EQUAL_TO_THE_KERNEL}.")
    return lines


def json_number(value: float) -> float | None:
    return float(value) if isfinite(value) else None


def scaling_facts(scaler: "Scaler", sample: int | None = None) -> dict[str, Any]:
    """Return how features are scaled, for a script; each one where they differ.

    ``sample``: rows from which quartiles and logarithms were learnt, where not from
    all.
    """
    facts: dict[str, Any] = {"scaling": scaler.how}
    if scaler.by_feature:
        each = zip(scaler.names, scaler.by_feature, strict=True)
        facts["column_scaling"] = dict(each)
        if sample is not None:
            facts["scaling_sample"] = sample
    return facts


def model_facts(model: "KernelPCA") -> dict[str, Any]:
    """Return what is known of a fitted model, for a script."""
    from kpca_viewer.core.estimator.parameters import kernel_of
    from kpca_viewer.core.kernels.kernel import FAMILIES

    kernel = str(model.kernel)
    return {
        "kernel": kernel,
        "parameters": dict(kernel_of(model).values) if kernel in FAMILIES else {},
        "centred": bool(model.center),
        "eigenvalues": model.eigenvalues_.tolist(),
        "eigenvalue_bounds": model.eigenvalue_bounds_.tolist(),
        "component_angle_bounds": list(map(json_number, model.component_angle_bounds_)),
        "score_bounds": list(map(json_number, model.score_bounds_)),
        "certificate": model.certificate_,
        "shares": list(map(json_number, model.explained_variance_ratio_)),
    }
