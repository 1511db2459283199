"""What is said in and below the plot of the data."""

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
DROP_POINT = "Click to drop a new point."

NEW, FAR_FROM_DATA = "new {number}", "far from all data"
NO_SCORE = "no score with this kernel"
"""Beside a new point that the kernel has no values for."""
WHY_NO_SCORE = "No score: {why}."
