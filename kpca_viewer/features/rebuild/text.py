"""What the page Rebuild says: norms digit by digit, and how far three ways differ."""

from collections.abc import Sequence
from dataclasses import dataclass

from kpca_viewer.core.methods.classical_scaling import ThreeWays
from kpca_viewer.core.methods.matrix_parts import MatrixParts
from kpca_viewer.data.dataset import Kind
from kpca_viewer.features.rebuild.compute import Rebuilding
from kpca_viewer.support.numerals import (
    counted,
    lowered,
    percent,
    readable,
    small_percent,
    ungrouped,
)

ROUNDING = 1e-12
"""Part of a norm below which nothing is left of it."""


COMPUTED_NOW = "All parts of the matrix are computed for this page …"
AFTER_SLIDER = "It follows as soon as the slider rests."
WAYS_FOLLOW = "The three ways are compared …"
NO_WAYS = (
    "A given kernel matrix has no points for PCA and no distances for classical MDS."
)
OF_DISTANCES = (
    "There are no points but those that classical MDS finds, in all their dimensions: "
    "PCA and the linear kernel are those of them."
)
IN_ONE_PLACE = "All rows are in one place: every score is 0 in all three ways."


WAYS = ("classical MDS", "PCA", "linear kernel")


@dataclass(frozen=True)
class Line:
    """A quantity and its value."""

    what: str
    value: str


def symbol_of(found: Rebuilding) -> str:
    return "K̃" if found.center else "K"


def matrix_titles(found: Rebuilding, p: int) -> tuple[str, str]:
    """Return what stands above the matrix and above the one of p parts."""
    K, part = symbol_of(found), "part" if p == 1 else "parts"
    sample = ""
    if len(found.shown) < found.total:
        sample = f", {len(found.shown):,} of {found.total:,} rows"
    return f"{K}{sample}", f"{K}{lowered(p)}, from {p} {part}"


def pair_text(K: str, names: Sequence[str], value: float, rebuilt: float) -> str:
    """Say what the cell of two rows holds, and what its parts make of it."""
    return (
        f"{K}({', '.join(names)}) = {ungrouped(value, 4)}\n"
        f"rebuilt {ungrouped(rebuilt, 4)}, {ungrouped(rebuilt - value, 2)} off"
    )


def same_digits(one: float, other: float, most: int) -> int:
    """Return to how many digits, at most, two numbers are written alike; 0 for none."""
    alike = (
        digits
        for digits in range(most, 0, -1)
        if ungrouped(one, digits) == ungrouped(other, digits)
    )
    return next(alike, 0)


def norm_lines(found: Rebuilding, p: int, residual: float | None) -> list[Line]:
    """Return what p parts leave, measured and by the theorem, and what they hold."""
    parts, K = found.parts, symbol_of(found)
    theorem = parts.theorem(p)
    left, by_theorem = f"‖{K} − {K}{lowered(p)}‖", f"√Σ μⱼ², j > {p}"
    if parts.digits(p) == 0:
        # Everything is rebuilt: what is left of it is rounding.
        texts = ["…" if residual is None else _zero(residual), _zero(theorem)]
        alike = ""
    elif residual is None:
        texts, alike = ["…", ungrouped(theorem, parts.digits(p))], ""
    else:
        digits = same_digits(residual, theorem, parts.digits(p)) or parts.digits(p)
        texts = [ungrouped(value, digits) for value in (residual, theorem)]
        apart = readable(abs(residual - theorem), 1)
        alike = f"{apart} apart"
    lines = [
        Line(f"{left} by entries", texts[0]),
        Line(by_theorem, texts[1]),
    ]
    if alike:
        lines.append(Line("the two are", alike))
    if parts.rank:
        share = percent(parts.share(p))
        if parts.digits(p) and share == percent(1.0):
            # Something is left, however little.
            share = f"over {percent(0.999)}"
        lines.append(Line(f"{K}{lowered(p)} holds", f"{share} of ‖{K}‖²"))
    return lines


def _zero(value: float) -> str:
    return "0" if value == 0 else f"0 (rounding {readable(value, 1)})"


def matrix_caption(found: Rebuilding, p: int) -> str:
    """Say what the matrix is rebuilt from, and what the theorem says about it."""
    parts, K = found.parts, symbol_of(found)
    if parts.rank == 0:
        why = "one row has no differences" if parts.n == 1 else "no two rows differ"
        start = f"Every entry of {K} is 0, for {why}: there is nothing to rebuild."
    elif p >= parts.rank:
        start = (
            f"{K} from all of its {_parts(parts.rank)}: nothing but rounding is left."
        )
    else:
        start = (
            f"{K} from {p} of its {_parts(parts.rank)}; no matrix of rank {p} comes "
            "nearer."
        )
    return " ".join(filter(None, (start, _by_size(parts, p), _sample(found))))


def _parts(count: int) -> str:
    return "1 part" if count == 1 else f"{counted(count)} parts μⱼuⱼuⱼᵀ"


def _by_size(parts: MatrixParts, p: int) -> str:
    """Say that parts are taken by size, where that is not the order of the μ."""
    if parts.definite:
        return ""
    p = min(p, parts.rank)
    negative = parts.negative(p)
    return (
        f"The largest |μ| are taken: {negative} of these {p} "
        f"{'is' if negative == 1 else 'are'} negative."
        if p
        else "The largest |μ| are taken, negative ones too."
    )


def _sample(found: Rebuilding) -> str:
    if not found.sampled:
        return ""
    return (
        f"This is about a sample of {counted(len(found.rows))} of "
        f"{counted(found.total)} rows."
    )


def ways_caption(found: Rebuilding, kind: Kind, plane: int) -> str:
    """Say how far the three ways differ, and what strain the picture leaves."""
    ways = found.ways
    if ways is None:
        return NO_WAYS
    if not ways.count:
        return f"{IN_ONE_PLACE} {_sample(found)}".strip()
    p = min(plane, ways.count)
    which = "PC 1" if ways.count == 1 else f"PC 1–{ways.count}"
    largest = max(float(abs(scores).max()) for scores in (ways.mds, ways.pca))
    parts = [
        f"The three ways differ by {readable(ways.difference, 1)} at most "
        f"({which}, scores up to {readable(largest, 3)}).",
        _strain(ways, p),
    ]
    if kind == "distances":
        parts.append(_distances(ways))
    parts.append(_sample(found))
    return " ".join(filter(None, parts))


def _strain(ways: ThreeWays, p: int) -> str:
    which = "PC 1" if p == 1 else f"PC 1–{p}"
    strain = float(ways.strain[p])
    if strain <= ROUNDING * ways.norm:
        return f"Strain ‖K̃ − ZZᵀ‖ with {which}: 0 but for rounding."
    share = small_percent(strain / ways.norm)
    return f"Strain ‖K̃ − ZZᵀ‖ with {which}: {readable(strain, 4)}, {share} of ‖K̃‖."


def _distances(ways: ThreeWays) -> str:
    """Say whether any points have the given distances."""
    off = ways.distance_error or 0.0
    if not ways.negative:
        return f"The points that MDS finds have these distances to {readable(off, 1)}."
    negative = "1 eigenvalue is" if ways.negative == 1 else f"{ways.negative} are"
    return (
        f"No points have these distances: {negative} negative (down to "
        f"{readable(ways.smallest, 3)}), and one is off by {readable(off, 3)}."
    )
