"""The picture as a script or notebook: Python that gives the same numbers."""

import json
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from kpca_viewer import __version__
from kpca_viewer.core.estimator.keywords import as_keywords
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.solvers.choice import DENSE_BELOW
from kpca_viewer.core.solvers.problem import positive_part, score_bounds
from kpca_viewer.core.spectrum import angle_bounds
from kpca_viewer.data.preparation import ColumnScaling, Scaler
from kpca_viewer.engine.document.model import FileReference
from kpca_viewer.engine.forecast import tolerance
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import ViewSettings
from kpca_viewer.engine.text.describe import component_words
from kpca_viewer.export.code_data import data_snippet, plot_snippet
from kpca_viewer.export.text import Snippet, caption, one_line, quoted
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.numerals import upper_bound

Library = Literal["kpca_viewer", "sklearn"]

DENSE_UP_TO = 2_000
"""Points up to which scikit-learn's exact solver is quick enough."""

_SCALERS = {
    "standardise": "StandardScaler",
    "minmax": "MinMaxScaler",
    "unit": "Normalizer",
}

_PREPROCESSING = "from sklearn.preprocessing import "
_OF_LOGARITHMS = (
    "import numpy as np",
    "from sklearn.pipeline import make_pipeline",
    f"{_PREPROCESSING}FunctionTransformer, StandardScaler",
)
_COLUMN_SCALERS: dict[ColumnScaling, tuple[str, tuple[str, ...]]] = {
    "none": ('"passthrough"', ()),
    "standardise": ("StandardScaler()", (f"{_PREPROCESSING}StandardScaler",)),
    "minmax": ("MinMaxScaler()", (f"{_PREPROCESSING}MinMaxScaler",)),
    "robust": ("RobustScaler()", (f"{_PREPROCESSING}RobustScaler",)),
    "log": (
        "make_pipeline(FunctionTransformer(np.log), StandardScaler())",
        _OF_LOGARITHMS,
    ),
    "log1p": (
        "make_pipeline(FunctionTransformer(np.log1p), StandardScaler())",
        _OF_LOGARITHMS,
    ),
}
"""By the scaling of a column: code and imports."""


def as_python(
    result: AnalysisResult,
    library: Library = "kpca_viewer",
    *,
    file: FileReference | None = None,
    view: ViewSettings | None = None,
) -> str:
    """Return a script that computes the embedding again and draws it.

    ``library``: whose estimator is used; ``file``: where the data came from, if from a
    file; ``view``: which components are drawn; by default those of the result.
    """
    parts = snippets(result, library, file=file, view=view)
    imports = _sorted_imports(part for _, snippet in parts for part in snippet.imports)
    sections = [f"# {title}\n{snippet.body}" for title, snippet in parts]
    head = f'"""{_head(result)}"""'
    return "\n\n".join([head, "\n".join(imports), *sections]) + "\n"


def snippets(
    result: AnalysisResult,
    library: Library,
    *,
    file: FileReference | None = None,
    view: ViewSettings | None = None,
) -> list[tuple[str, Snippet]]:
    """Return the parts of the script, each with a title."""
    every, result = result.full_fit, result.of_sample or result
    dataset = result.dataset
    data = data_snippet(result, library, file)
    parts = [(f"The data: {one_line(dataset.name)}.", data)]
    if dataset.kind == "points" and result.scaler.how != "none":
        title = "Scaled as in the window." if every is None else "Scaled by these rows."
        parts.append((title, _scaling(result.scaler)))
    fit = _ours(result) if library == "kpca_viewer" else _theirs(result)
    parts.append(("Kernel PCA. The sign of a component has no meaning.", fit))
    k = result.scores.shape[1]
    if library == "sklearn" and _live(result):
        k = _live(result)
    flipped = [j for j in result.settings.view.flipped if j < k]
    if flipped:
        turn = Snippet(f"scores[:, {flipped}] *= -1")
        parts.append(("Turned round as in the window.", turn))
    if not result.scoring.normalised:
        stretch = Snippet(
            "scores = scores * np.linalg.norm(scores, axis=0)", ("import numpy as np",)
        )
        parts.append(("1/√μ is forgotten, as in the window.", stretch))
    parts.append(("The numbers.", _printed(result, library)))
    plot = plot_snippet(result, view, has_position=data.has_position)
    parts.append(("The picture, if matplotlib is installed.", plot))
    return parts


def _head(result: AnalysisResult) -> str:
    line = one_line(
        f"Kernel PCA of {result.dataset.name}, made with kpca_viewer {__version__}."
    )
    text = f"{line}\n\n{_about(result)}\n"
    # A name must not end the text, nor be read as an escape.
    return text.replace("\\", "/").replace('"', "'")


def score_agreement(result: AnalysisResult) -> Array:
    """Bound by how much a score of the script differs from that of the window (k,).

    Both miss the true ones: the window by what its bounds say, the script by what its
    tolerance allows. Infinite where that does not tell a component from its neighbours.
    """
    found = result.decomposition
    values, k = found.eigenvalues, len(found.eigenvalues)
    off = _script_error(result) * float(np.abs(values).max(initial=0.0))
    bounds = found.bounds + np.array([-off, off])
    following = float(found.spectrum[k]) + off if len(found.spectrum) > k else np.inf
    angles = angle_bounds(values, bounds, np.full(k, off), following)
    loose = replace(found, bounds=bounds, angles=angles)
    return score_bounds(found) + score_bounds(loose)


def _script_error(result: AnalysisResult) -> float:
    """Return the error of the eigenvalues that the script may have, of the largest."""
    found = result.decomposition
    if found.n < DENSE_BELOW:
        return found.error
    return tolerance(found.n, refined=result.settings.analysis.refined)


def _agreement(result: AnalysisResult) -> str:
    """Say how closely the numbers of the window come out again."""
    result = result.of_sample or result
    found = result.decomposition
    off = _script_error(result) + found.error
    text = (
        f"The eigenvalues are those of the window to {upper_bound(off)} of the largest"
    )
    axes = result.settings.view.judged_axes(len(found.eigenvalues))
    away = score_agreement(result)[axes].max()
    if not np.isfinite(away):
        return (
            f"{text}.\nAxes that this does not tell apart may be turned in their plane."
        )
    if not result.scoring.normalised:
        return f"{text}."
    return (
        f"{text},\nscores along {component_words(tuple(axes))} to "
        f"{upper_bound(float(away))}, signs apart."
    )


def _about(result: AnalysisResult) -> str:
    """Return what is computed; of a table in parts, only the rows that are here."""
    text = f"{caption(result.of_sample or result)}\n\n{_agreement(result)}"
    if result.full_fit is None:
        return text
    kernel = result.kernel
    assert kernel is not None
    values = "".join(
        f" {parameter.option} {kernel.values[parameter.name]!r}"
        for parameter in kernel.family.parameters
    )
    return (
        f"{text}\n\nThe window shows the model of {result.full_fit.words}; this is "
        "that of the rows\ndrawn. The command\nkpca-viewer embed PARTS --out FOLDER "
        f"--kernel {kernel.family.name}{values}\nwith --missing, --scaling "
        "and --scale-column as here computes all of them."
    )


def _scaling(scaler: Scaler) -> Snippet:
    if scaler.how != "columns":
        name = _SCALERS[scaler.how]
        imported = f"{_PREPROCESSING}{name}"
        return Snippet(f"X = {name}().fit_transform(X)", (imported,))
    lines, imports = [], ["from sklearn.compose import make_column_transformer"]
    for how in dict.fromkeys(scaler.by_feature):
        code, needed = _COLUMN_SCALERS[how]
        places = [j for j, one in enumerate(scaler.by_feature) if one == how]
        lines.append(f"    ({code}, {places}),\n")
        imports += needed
    return Snippet(
        "# Columns come out in another order, which is the same to every kernel.\n"
        f"X = make_column_transformer(\n{''.join(lines)}).fit_transform(X)",
        tuple(dict.fromkeys(imports)),
    )


def _sorted_imports(lines: Any) -> list[str]:
    """Return every import once, the plain ones first."""
    merged: dict[str, set[str]] = {}
    plain = set()
    for line in lines:
        if line.startswith("from "):
            module, _, names = line.removeprefix("from ").partition(" import ")
            merged.setdefault(module, set()).update(names.split(", "))
        else:
            plain.add(line)
    return [
        *sorted(plain),
        *(f"from {m} import {', '.join(sorted(n))}" for m, n in sorted(merged.items())),
    ]


def _estimator(options: dict[str, Any]) -> str:
    inner = "".join(f"    {name}={quoted(value)},\n" for name, value in options.items())
    return f"model = KernelPCA(\n{inner})"


def _ours(result: AnalysisResult) -> Snippet:
    analysis, dataset = result.settings.analysis, result.dataset
    options: dict[str, Any] = {
        "n_components": len(result.shares),
        "kernel": _given_kind(result) or _family(result),
    }
    if result.kernel is not None:
        options.update(as_keywords(result.kernel.values))
    if not analysis.center:
        options["center"] = False
    if analysis.solver != "auto":
        options["eigen_solver"] = analysis.solver
    options["tol"] = tolerance(dataset.n, refined=analysis.refined)
    imports: tuple[str, ...] = ("from kpca_viewer import KernelPCA",)
    lines, given = [], "X"
    if dataset.kind == "distances" and not analysis.center:
        # The estimator centres distances whatever it is told.
        matrix, needed = _matrix(result)
        options["kernel"], given = "precomputed", "K"
        lines, imports = [matrix], (*imports, *needed)
    lines += [_estimator(options), f"scores = model.fit_transform({given})"]
    return Snippet("\n".join(lines), imports)


def _theirs(result: AnalysisResult) -> Snippet:
    dataset, center = result.dataset, result.settings.analysis.center
    # scikit-learn refuses negative eigenvalues and keeps those that are just noise.
    k, wanted = _live(result), result.scores.shape[1]
    if k == 0:
        return Snippet(
            "# No eigenvalue is above 0: scikit-learn refuses such a matrix, and the\n"
            f"# scores are 0, as in the window.\nscores = np.zeros((len(X), {wanted}))",
            ("import numpy as np",),
        )
    imports = ["from sklearn.decomposition import KernelPCA"]
    lines = []
    if k < wanted:
        lines.append(
            f"# Components in the window: {wanted}; the scores of {wanted - k} are 0,"
            f"\n# and are left out here. Columns of scores: {k}."
        )
    if dataset.n > 20_000:
        gigabytes = 8 * dataset.n**2 / 1e9
        lines.append(f"# scikit-learn needs about {gigabytes:,.0f} GB for this.")
    solver = "dense" if dataset.n <= DENSE_UP_TO else "arpack"
    options: dict[str, Any] = {"n_components": k}
    kernel = result.kernel
    known = None if kernel is None else kernel.family.sklearn
    if kernel is not None and known is not None and known.estimator and center:
        options["kernel"] = kernel.family.name
        options.update(kernel.values)
        options["eigen_solver"] = solver
        lines.append(f"{_estimator(options)}\nscores = model.fit_transform(X)")
        return Snippet("\n".join(lines), tuple(imports))
    matrix, needed = _matrix(result)
    lines.append(matrix)
    if center:
        options.update(kernel="precomputed", eigen_solver=solver)
        lines.append(f"{_estimator(options)}\nscores = model.fit_transform(K)")
        return Snippet("\n".join(lines), (*imports, *needed))
    lines.append(
        "# Without centring, as in the window; scikit-learn always centres.\n"
        "values, vectors = np.linalg.eigh(K)\n"
        f"values, vectors = values[::-1][:{k}], vectors[:, ::-1][:, :{k}]\n"
        "scores = vectors * np.sqrt(np.maximum(values, 0))"
    )
    return Snippet("\n".join(lines), (*needed, "import numpy as np"))


def _live(result: AnalysisResult) -> int:
    """Return how many components have scores other than 0."""
    return int((positive_part(result.decomposition) > 0).sum())


def _printed(result: AnalysisResult, library: Library) -> Snippet:
    """Return code that prints what a script without a picture has to say."""
    if library == "kpca_viewer":
        lines = ["shares = model.explained_variance_ratio_"]
    else:
        eigenvalues, shares = result.decomposition.eigenvalues, result.shares
        # Scores of unit directions have the squared length μ, others the length μ.
        eigenvalues_code = "np.square(scores).sum(axis=0)"
        if not result.scoring.normalised:
            eigenvalues_code = "np.linalg.norm(scores, axis=0)"
        known = len(shares) > 0 and shares[0] > 0
        total = float(eigenvalues[0] / shares[0]) if known else 1.0
        lines = [
            "# The sum of all eigenvalues, of which scikit-learn knows the first ones.",
            f"total = {total!r}",
            f"shares = {eigenvalues_code} / total",
        ]
    lines += [
        'print("Explained shares:", np.round(shares, 4))',
        'print("Coordinates of the first rows:")',
        "print(scores[:5])",
    ]
    return Snippet("\n".join(lines), ("import numpy as np",))


def _matrix(result: AnalysisResult) -> tuple[str, tuple[str, ...]]:
    """Return code for the kernel matrix K by scikit-learn's own functions."""
    if result.kernel is None:
        if result.dataset.kind == "kernel":
            return "K = X", ()
        return "K = -0.5 * np.square(X)", ("import numpy as np",)
    family, values = result.kernel.family, result.kernel.values
    known = family.sklearn
    if known is None:
        return _by_ourselves(result.kernel)
    arguments = [
        f"{known.renamed.get(name, name)}={value!r}" for name, value in values.items()
    ]
    if known.of_process:
        call, module = f"({', '.join(arguments)})(X)", "gaussian_process.kernels"
    else:
        call, module = f"({', '.join(['X', *arguments])})", "metrics.pairwise"
    return f"K = {known.name}{call}", (f"from sklearn.{module} import {known.name}",)


def _by_ourselves(kernel: Kernel) -> tuple[str, tuple[str, ...]]:
    """Return code for a kernel matrix that scikit-learn has no function for."""
    arguments = [f"{name}={value!r}" for name, value in kernel.values.items()]
    lines = (
        f"# scikit-learn has no {one_line(kernel.family.title)} kernel.",
        f"kernel = Kernel({', '.join([quoted(kernel.family.name), *arguments])})",
        "points = kernel.points(X)",
        "K = kernel.block(points, points)",
    )
    return "\n".join(lines), ("from kpca_viewer.core.kernels.kernel import Kernel",)


def _family(result: AnalysisResult) -> str:
    return "" if result.kernel is None else result.kernel.family.name


def _given_kind(result: AnalysisResult) -> str:
    kinds = {"kernel": "precomputed", "distances": "precomputed_distances"}
    return kinds.get(result.dataset.kind, "")


def as_notebook(
    result: AnalysisResult,
    library: Library = "kpca_viewer",
    *,
    file: FileReference | None = None,
    view: ViewSettings | None = None,
) -> str:
    """Return a notebook (format 4.5) of the same as `as_python`."""
    name = one_line(result.dataset.name).replace("<", "‹").replace(">", "›")
    head = (
        f"# Kernel PCA of {name}\n\n{_about(result)}\n\n"
        f"Made with kpca_viewer {__version__}."
    )
    cells = [_cell(0, "markdown", head)]
    for title, snippet in snippets(result, library, file=file, view=view):
        lines = [f"# {title}", *snippet.imports]
        if snippet.imports:
            lines.append("")
        cells.append(_cell(len(cells), "code", "\n".join([*lines, snippet.body])))
    notebook = {
        "cells": cells,
        "metadata": {
            "kernelspec": {
                "display_name": "Python 3",
                "language": "python",
                "name": "python3",
            },
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def _cell(number: int, kind: str, source: str) -> dict[str, Any]:
    cell: dict[str, Any] = {
        "cell_type": kind,
        "id": f"cell-{number}",
        "metadata": {},
        "source": source.splitlines(keepends=True),
    }
    if kind == "code":
        cell |= {"execution_count": None, "outputs": []}
    return cell
