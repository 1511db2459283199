"""What colours, shapes, sizes and labels mean in a picture of the command line."""

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

from kpca_viewer.support.errors import DataError

if TYPE_CHECKING:
    from kpca_viewer.data.dataset import Dataset
    from kpca_viewer.engine.settings import SessionSettings

ROW = "row"
"""What `--labels` without a column writes: the name of a row, or its number."""


def add_look_options(group: "argparse._ArgumentGroup") -> None:
    """Let a command say what the looks of points mean."""
    add = group.add_argument
    add(
        "--color",
        metavar="COLUMN",
        help="of the points (default: their classes); cos2, t2 and spe say how odd a "
        "row is",
    )
    add("--shape", metavar="COLUMN", help="of the points, a column of categories")
    add(
        "--size-by",
        choices=("cos2", "t2", "spe"),
        help="of the points, by how odd a row is",
    )
    add(
        "--labels",
        nargs="?",
        const=ROW,
        metavar="COLUMN",
        help="beside points that have room (default: the names of the rows)",
    )


def asks_for_looks(options: argparse.Namespace) -> bool:
    return any((options.color, options.shape, options.size_by, options.labels))


def with_looks(
    settings: "SessionSettings", options: argparse.Namespace, dataset: "Dataset"
) -> "SessionSettings":
    """Return settings in which points look as options say, or raise `DataError`."""
    keys = _keys(settings, dataset)
    view = settings.view
    if options.color is not None:
        view = replace(view, color_by=_key(options.color, {**_odd_keys(), **keys}))
    if options.shape is not None:
        key = _key(options.shape, keys)
        column = dataset.columns.get(options.shape)
        if key != "label" and (column is None or column.categories is None):
            raise DataError(
                f"“{options.shape}” has too many values, or numbers, for shapes; "
                "choose a column of few words, or --color."
            )
        view = replace(view, shape_by=key)
    if options.size_by is not None:
        view = replace(view, size_by=_odd_keys()[options.size_by])
    if options.labels is not None:
        named = {ROW: ROW, **keys}
        view = replace(view, labels=True, label_by=_key(options.labels, named))
    return replace(settings, view=view)


def _keys(settings: "SessionSettings", dataset: "Dataset") -> dict[str, str]:
    """Return what the view calls each column of the file, by its name."""
    keys = {name: f"feature:{j}" for j, name in enumerate(dataset.feature_names)}
    keys |= {name: f"column:{name}" for name in dataset.columns}
    importing = settings.data.importing
    if dataset.labels is not None:
        names = ("class",) if importing is None else importing.columns("label")
        keys |= dict.fromkeys(names, "label")
    return keys


def _odd_keys() -> dict[str, str]:
    """Return what the view calls the numbers of odd rows; columns come first."""
    from kpca_viewer.engine.row_numbers import COLOR, NUMERALS

    return {numeral.key: f"{COLOR}{numeral.key}" for numeral in NUMERALS}


def _key(name: str, keys: dict[str, str]) -> str:
    from kpca_viewer.data.table import listed

    if name not in keys:
        raise DataError(
            f"There is no column “{name}” to tell points by; choose one of "
            f"{listed(keys)}."
        )
    return keys[name]
