"""What the plot of the kernel over distance says."""

from dataclasses import dataclass

import numpy as np

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.kernels.pair_values import PairAxis, PairValues, curve
from kpca_viewer.support.numerals import counted, ungrouped


@dataclass(frozen=True)
class MarkedPair:
    """Two rows on the curve."""

    names: tuple[str, str]
    at: float
    """Along the axis."""
    value: float
    """Of the kernel."""


NO_CURVE = "This kernel takes several numbers of a pair: no curve"
"""Where parts of a kernel see distances and others dot products."""


def pair_text(axis: PairAxis, marked: MarkedPair) -> str:
    at = f"{axis.symbol} = {ungrouped(marked.at, 3)}{axis.unit}"
    return f"{' and '.join(marked.names)}: {at}, k = {ungrouped(marked.value, 4)}"


def median_text(kernel: Kernel, pairs: PairValues) -> str:
    """Say where half of the pairs are on the curve."""
    axis = pairs.axis
    if pairs.median is None:
        return "One row has no pairs"
    value = float(curve(kernel, axis, np.array([pairs.median]))[0])
    at = f"{axis.symbol} = {ungrouped(pairs.median, 3)}{axis.unit}"
    return f"Median pair: {at}, k = {ungrouped(value, 3)}"


def about(pairs: PairValues) -> str:
    title = pairs.axis.title
    of = f"{counted(pairs.pairs)} pairs of {counted(pairs.rows)} rows"
    sample = " (a sample)" if pairs.sampled else ""
    return (
        f"Line: the kernel against the {title} of two rows, for the values above.\n"
        f"Bars: the {title}s of {of}{sample}. Where the line is flat over them, "
        "the kernel cannot tell pairs apart.\n"
        "Point at a cell of the kernel matrix to see its pair here."
    )
