"""Every sentence about tables in parts, their folder of results, and clusters."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.data.preparation import scaling_words
from kpca_viewer.engine.forecast import spoken
from kpca_viewer.engine.messages import Message
from kpca_viewer.support.errors import sentence_of
from kpca_viewer.support.numerals import byte_size, readable

ABOUT_CLUSTER = (
    "Data from 50,000 rows on, and all sweeps, are computed by the workers of a Dask "
    "cluster that runs already. What a slider drags stays on this machine."
)
CONNECT_AGAIN = "Connect again"
NO_CLUSTER = Message(
    "info",
    "Computing on a cluster needs the extra: pip install 'kpca-viewer[cluster]'.",
)
NOT_CONNECTED = "Not connected."
CONNECT_BUTTONS = {"connecting": "Cancel", "on": "Disconnect"}
"""By the phase of the connection; "Connect" in others."""

STOPPED_EARLY = "stopped before the model was there; the next run begins again."
WHOLE_COMPONENTS = (
    "A table in parts needs --components as a whole number; a share of the variance "
    "would need all of them."
)
FILLED_BY_SAMPLE = "  gaps are filled by the medians of a sample of rows"
OTHER_RESULTS = "other options or other parts"


def capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


# Clusters


def cluster_lost(error: Exception) -> Message:
    text = f"{sentence_of(error)} Until then, this machine computes everything."
    return Message("warning", text, (CONNECT_AGAIN,), topic="cluster", lasting=True)


CONNECTING = "Connecting to {scheduler} …"


def workers_text(count: int) -> str:
    return f"{count} worker{'' if count == 1 else 's'}"


def connected(workers: int, threads: int, used: int, memory: int) -> str:
    """Return what computes: "Connected: 2 workers, 4 threads, 1 of 8 GB in use."."""
    counted = f"{threads} thread{'' if threads == 1 else 's'}"
    in_use = f"{byte_size(used)} of {byte_size(memory)} in use"
    return f"Connected: {workers_text(workers)}, {counted}, {in_use}."


# Options and the run


ONLY_FOR_PARTS = (
    "{option} is for a folder, a pattern or several files; one table that fits "
    "into memory is computed here."
)
NOT_FOR_PARTS = (
    "{option} is for one table in memory; leave it out for a table in parts."
)


def other_solver(solvers: Sequence[str], solver: str) -> str:
    return (
        f"A table in parts has the solvers {' and '.join(solvers)}; the {solver} "
        "solver would need all rows at once."
    )


NO_FOLDER = (
    "“{path}” is no folder; the scores of a table in parts, or of one that is "
    "larger than memory, go to a folder, such as --out scores."
)
BEYOND_MEMORY = "“{path}” is larger than memory: block by block."


def empty_part(title: str) -> str:
    return f"{capitalised(title)} has no rows and is passed over."


def pace(
    stage: str, done: int, blocks: int, speed: float, seconds: float, left: float
) -> str:
    """Return how far work is; ``speed`` in bytes of files a second."""
    when = f"{spoken(left)} left" if done < blocks else f"in {spoken(seconds)}"
    speed_text = f"{byte_size(round(speed))} of files a second"
    return f"{stage}: {done:,} of {blocks:,} blocks, {speed_text}, {when}"


STOPPED = (
    "stopped; {done:,} of {parts:,} parts are finished, run the same command "
    "again to go on."
)
PARTS_THERE = "{done:,} of {parts:,} parts are there already."
ROW_OF_TOTALS = (
    "The last row of {title} is perhaps one of totals; of parts, all rows are kept."
)
FEATURES_TOO = "Features too, though without variety in {title}: {names}"
NO_FEATURES = "No features, without variety: {names}"
GAPPY = (
    "Filled in more than {limit} of a sample of all rows: {names}; --metadata COLUMN "
    "leaves one out"
)
OTHER_ROWS = (
    "The scores are of {scored:,} rows, the model is of {fitted:,}; begin again "
    "in another folder, once no program writes to the parts."
)


def _scaling(summary: Mapping[str, Any]) -> str:
    each = summary.get("column_scaling", {})
    words = scaling_words(summary["scaling"], each, each.values())
    if {"robust", "log", "log1p"}.isdisjoint(each.values()):
        return words
    return f"{words} (quartiles and logarithms by {summary['scaling_sample']:,} rows)"


def summary_lines(summary: Mapping[str, Any], kernel: Kernel) -> list[str]:
    """Return what was read and computed, without the spectrum."""
    lines = [f"{summary['rows']:,} rows × {summary['features']:,} features"]
    if summary["left_out"]:
        lines.append(f"  {summary['left_out']:,} rows left out: gaps")
    values = [
        f"{parameter.symbol} = {readable(kernel.values[parameter.name], 6)}"
        for parameter in kernel.family.parameters
    ]
    passes, sent = summary["passes"], summary["bytes_moved"]
    moved = f", {byte_size(sent)} moved" if sent else ""
    return [
        *lines,
        f"  scaling: {_scaling(summary)}",
        f"  kernel: {', '.join([kernel.family.title, *values])}",
        f"  rank {summary['rank']:,}, {passes} pass{'' if passes == 1 else 'es'} "
        f"after the first look{moved}",
    ]


FILES_TEXT = ": {blocks:,} Parquet files, model.npz, summary.json"
# The folder of results


UNUSABLE = "“{folder}” cannot be used: {reason}; choose another folder."
LOCKED = (
    "Another run writes into “{lock.parent}” (process {process} on {host}); wait "
    "for it, or choose another folder. If it is gone, remove “{lock}”."
)


def no_room(folder: Path, needed: int, free: int) -> str:
    return (
        f"The scores need up to {byte_size(needed)}, but only {byte_size(free)} of the "
        f"disk of “{folder}” are free; choose another folder, or fewer components."
    )


IS_INPUT = "“{folder}” is what is read; choose another folder for the results."
OTHER_FILES = "“{folder}” holds other files; choose another folder."
HOLDS_RESULTS = (
    "“{folder}” holds results of {difference}; choose another folder, or add "
    "--force to replace them."
)


def other_options(before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """Return which options differ, and how; empty if none does."""
    changes = [
        f"--{name.replace('_', '-')} {_given(before.get(name))} then, "
        f"{_given(now.get(name))} now"
        for name in sorted({*before, *now})
        if before.get(name) != now.get(name)
    ]
    return f"other options ({'; '.join(changes)})" if changes else ""


def _given(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "not given" if value is None else str(value)
