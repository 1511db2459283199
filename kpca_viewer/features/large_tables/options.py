"""Options of ``kpca-viewer embed`` where a table comes in parts."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kpca_viewer.console.options import CLUSTER, option_names
from kpca_viewer.console.output import is_pipe
from kpca_viewer.features.large_tables import text
from kpca_viewer.support import paths
from kpca_viewer.support.errors import DataError

IN_ONE_PIECE = ("new", "out_new", "model", "onto", "sample", "seed", "diagnostics")
"""Options that have no meaning for a table in parts."""

SOLVERS = ("auto", "lowrank")
"""Of one."""


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


NOT_FOR_PARTS = f"""\
Not for a table in parts: {", ".join(map(_option, IN_ONE_PIECE))},
a share as --components, and solvers other than {" and ".join(SOLVERS)}."""
"""The same for a person."""


def comes_in_parts(words: Sequence[str]) -> bool:
    """Whether data are several files, or one that is larger than memory."""
    if len(words) == 1 and (is_pipe(words[0]) or not _may_be_file(words[0])):
        return False
    from kpca_viewer.data.parts.pieces import are_parts, find_parts, is_beyond_memory

    if not are_parts(words):
        return is_beyond_memory(Path(words[0]))
    if len(words) == 1 and not paths.is_dir(words[0]):
        find_parts(words)  # Refuses a name that is no pattern, before all else.
    return True


def _may_be_file(word: str) -> bool:
    return paths.exists(word) or any(mark in word for mark in "*?[")


def refuse_cluster_options(options: argparse.Namespace) -> None:
    """Refuse a cluster for what is computed here at once."""
    for name in CLUSTER:
        if getattr(options, name) is not None:
            raise DataError(text.ONLY_FOR_PARTS.format(option=_option(name)))


def refuse_in_parts(options: argparse.Namespace) -> None:
    """Refuse what needs all rows at once."""
    for name in IN_ONE_PIECE:
        if getattr(options, name) not in (None, False):
            raise DataError(text.NOT_FOR_PARTS.format(option=_option(name)))
    if isinstance(options.components, float):
        raise DataError(text.WHOLE_COMPONENTS)
    if options.solver not in (None, *SOLVERS):
        raise DataError(text.other_solver(SOLVERS, options.solver))


def identifying_options(options: argparse.Namespace) -> dict[str, Any]:
    """Return the options by which one result differs from another."""
    names = [name for name in (*option_names(), "text_missing") if name != "data"]
    found = {name: getattr(options, name, None) for name in names}
    # A folder that was begun without this option goes on.
    return found if options.tol is None else found | {"tol": options.tol}
