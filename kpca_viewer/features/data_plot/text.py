"""What is said in and below the plot of the data."""

from kpca_viewer.features.data_plot.compute import ClassMean

NO_POINTS = "No points yet"
NO_RAW_POINTS = {
    "kernel": "A kernel matrix has no raw points",
    "distances": "A matrix of distances has no raw points",
}
NO_THIRD_FEATURE = "These data have no third feature."
AXIS, AXIS_TIP = (
    "Feature on the {axis} axis of the data",
    "Which feature is shown on the {axis} axis.",
)
ISOLINES, ZERO_LINE = "Isolines of PC {number}.", "The thick one is 0."
FOLLOWS = "Columns by their r with PC {first} ({r}) and PC {second} ({s})."
FUNCTION = "Plane and points: k({row}, ·), from {low} to {high}."
POINT_AT_ROW = "Follows the row pointed at until H holds it; Escape ends it."
DROP_POINT = "Click to drop a new point."

NEW, FAR_FROM_DATA = "new {number}", "far from all data"
NO_SCORE = "no score here"
"""Beside a new point that the kernel has no values for."""
WHY_NO_SCORE = "No score: {why}."

MEANS_ALONE = (
    "The mean picture of each class; ⤢ in Explore adds the plot of two columns."
)
CLASS_MEANS = "Mean pictures of the classes {classes}"


def class_mean(mean: ClassMean) -> str:
    rows = f"{mean.rows:,} rows"
    if mean.rows < mean.of:
        rows = f"{rows}, a sample of {mean.of:,}"
    return f"Mean picture of class {mean.name} ({rows})."
