"""What is said of a line through plane data."""

from kpca_viewer.features.turned_line.compute import PlaneRows
from kpca_viewer.support.numerals import percent

NAME = "A line through the data, and the rows projected onto it"
NOT_A_PLANE = "A line is turned in a plane: choose data with two features, as Circles."
PCA = "PC 1 of linear PCA"
CUT = "best threshold"
ANGLE = "{angle:.0f}°"
ALONG = "Along the line at {angle:.0f}° lies {share} of the variance (PC 1: {best})."
TOLD = "One threshold is right for {rate} of the rows, the largest class {largest}."
AT_BEST = "No direction is better than {rate}."
IS_BEST = "No direction is better."
SAMPLE = "{shown:,} of {n:,} rows."
TURN = "Drag the line, or turn it by arrow keys; Home takes it to PC 1."


def caption(rows: PlaneRows, angle: float, best: float) -> str:
    """Say what the line holds of the variance, and of the classes."""
    parts = [
        ALONG.format(
            angle=angle,
            share=percent(rows.share(angle)),
            best=percent(rows.share(rows.pca_angle)),
        )
    ]
    found = rows.threshold(angle)
    if found is not None:
        rate = percent(found.accuracy)
        told = TOLD.format(rate=rate, largest=percent(rows.largest))
        # Between whole degrees one may be a little better than all of these.
        is_best = found.accuracy >= best
        parts += [told, IS_BEST if is_best else AT_BEST.format(rate=percent(best))]
    if rows.n < rows.total and found is None:
        parts.append(SAMPLE.format(shown=rows.n, n=rows.total))
    return " ".join([*parts, TURN])
