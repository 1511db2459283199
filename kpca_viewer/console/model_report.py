"""What ``kpca-viewer embed`` says of a model, to a person or to a script."""

from math import isfinite
from typing import TYPE_CHECKING, Any

from kpca_viewer.console.options import Chosen
from kpca_viewer.console.output import Report
from kpca_viewer.support.numerals import percent, readable

if TYPE_CHECKING:
    from kpca_viewer.core.estimator.kernel_pca import KernelPCA
    from kpca_viewer.data.dataset import Dataset
    from kpca_viewer.data.preparation import Scaler


def describe_model(
    report: Report,
    request: Chosen,
    dataset: "Dataset",
    model: "KernelPCA",
    scaler: "Scaler",
) -> None:
    """Say what was read, prepared and computed."""
    from kpca_viewer.core.estimator.kernel_values import kernel_of
    from kpca_viewer.core.spectrum import NegativeMass
    from kpca_viewer.data.preparation import SCALING_TITLES

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
        report.say(f"  scaling: {SCALING_TITLES[scaler.how].lower()}")
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
    report.note(**_facts(request, dataset, model, scaler))
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
    found = model._decomposition
    told = in_words(found.error, found.probability)
    grade = "Bounds by a sample of rows" if found.probability else "Proven bounds"
    lines.append(f"{grade}: {told}.")
    if not found.has_variance:
        lines.append(f"{ROUNDING_ALONE if found.trace else EQUAL_TO_THE_KERNEL}.")
    return lines


def json_number(value: float) -> float | None:
    """Return a number as JSON has it: None where there is none."""
    return float(value) if isfinite(value) else None


def _facts(
    request: Chosen, dataset: "Dataset", model: "KernelPCA", scaler: "Scaler"
) -> dict[str, Any]:
    """Return the same for a script."""
    from kpca_viewer.core.estimator.kernel_values import kernel_of
    from kpca_viewer.core.kernels.kernel import FAMILIES

    kernel = str(model.kernel)
    return {
        "data": dataset.name,
        "rows": dataset.n,
        "features": dataset.d,
        "notes": [*request.notes, *request.remarks],
        "scaling": scaler.how,
        "kernel": kernel,
        "parameters": dict(kernel_of(model).values) if kernel in FAMILIES else {},
        "centred": bool(model.center),
        "solver": model.solver_,
        "eigenvalues": model.eigenvalues_.tolist(),
        "eigenvalue_bounds": model.eigenvalue_bounds_.tolist(),
        "component_angle_bounds": list(map(json_number, model.component_angle_bounds_)),
        "score_bounds": list(map(json_number, model.score_bounds_)),
        "certificate": model.certificate_,
        "shares": [json_number(share) for share in model.explained_variance_ratio_],
        "negative_mass": json_number(model.negative_mass_),
    }
