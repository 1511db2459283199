"""The tables of README and of the page on speed, as Markdown, from kept results."""

from collections.abc import Iterator
from typing import Any

ONE_THREAD = ("digits 1,797 × 64",)
"""Cases that README tells with one BLAS thread as well."""


def tables(kept: dict[str, Any]) -> str:
    """Return both tables of the results of one mode, and when they were measured."""
    lines = []
    for name in ("compare", "corners", "flights"):
        if name in kept:
            part = kept[name]
            where = f"{part['cores']} cores, load {part['load']:g}"
            lines.append(f"{name}: {part['date']}, {where}, {part['seconds']:g} s")
    compared = kept.get("compare", {}).get("results", [])
    lines += ["", "| case | ours | scikit-learn's default | its fastest setting |"]
    lines += ["|---|---|---|---|", *map(_cells, _compared(compared))]
    corners = [
        row
        for name in ("corners", "flights")
        for row in kept.get(name, {}).get("results", [])
    ]
    lines += ["", "| corner | against | ours | theirs | ratio | × floor |"]
    lines += ["|---|---|---|---|---|---|", *map(_cells, _cornered(compared, corners))]
    return "\n".join(lines)


def _compared(rows: list[dict[str, Any]]) -> Iterator[list[str]]:
    for row in rows:
        if row["threads"] == 1 and row["case"] not in ONE_THREAD:
            continue
        theirs = row["scikit_learn_s"]
        default = theirs.get("default")
        yield [
            row["case"] + (", one BLAS thread" if row["threads"] == 1 else ""),
            _time(row["ours_s"]),
            f"{_time(default)} ({_times(row['vs_default'])})" if default else "–",
            f"{_time(theirs[row['fastest']])} ({_times(row['vs_fastest'])})",
        ]


def _cornered(compared: Any, corners: Any) -> Iterator[list[str]]:
    for row in compared:
        if row["threads"] == 1:
            theirs, ratio = row["scikit_learn_s"][row["fastest"]], row["vs_fastest"]
            told = _time(row["ours_s"]), _time(theirs), _ratio(ratio), "–"
            yield [row["case"], row["fastest"], *told]
    for row in corners:
        if "ours_s" not in row:
            continue
        known = "theirs_s" in row
        # Where there is nothing to compare with, what counts is how long one waits.
        yield [
            row["case"],
            row["against"],
            _time(row["ours_s" if known else "ours_wall_s"]),
            _time(row["theirs_s"]) if known else "–",
            _ratio(row["ratio"]) if known else "–",
            _times(row["floor_ratio"], "") if "floor_ratio" in row else "–",
        ]


def _cells(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _time(told: dict[str, Any]) -> str:
    seconds = told["median"]
    return f"{1e3 * seconds:.3g} ms" if seconds < 0.9995 else f"{seconds:.2g} s"


def _times(told: dict[str, Any], sign: str = " ×") -> str:
    number = (
        f"{told['median']:.0f}" if told["median"] >= 10 else f"{told['median']:.2g}"
    )
    return number + sign + (", once" if told["runs"] == 1 else "")


def _ratio(told: dict[str, Any]) -> str:
    """Return a ratio with its quartiles, in bold where one waits longer with ours."""
    spread = (
        "{:.3g} … {:.3g}".format(*told["quartiles"]) if told["runs"] > 1 else "once"
    )
    words = f"{told['median']:.3g} × ({spread})"
    return f"**{words}**" if told["median"] < 1 else words
