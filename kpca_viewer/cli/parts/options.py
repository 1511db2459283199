"""What ``kpca-viewer embed`` is asked for where a table comes in parts."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kpca_viewer.cli.common import option_names
from kpca_viewer.cli.output import is_pipe
from kpca_viewer.cli.scheduler import CLUSTER
from kpca_viewer.support.errors import DataError

IN_ONE_PIECE = ("new", "out_new", "model", "onto", "sample", "seed")
"""Options that have no meaning for a table in parts."""


def comes_in_parts(words: Sequence[str]) -> bool:
    """Whether data are several files, or one that is larger than memory."""
    if len(words) == 1 and (is_pipe(words[0]) or not _may_be_file(words[0])):
        return False
    from kpca_viewer.data.parts import are_parts, is_beyond_memory

    return are_parts(words) or is_beyond_memory(Path(words[0]))


def _may_be_file(word: str) -> bool:
    return Path(word).exists() or any(mark in word for mark in "*?[")


def refuse_cluster_options(options: argparse.Namespace) -> None:
    """Refuse a cluster for what is computed here at once.

    Raises
    ------
    DataError
    """
    for name in CLUSTER:
        if getattr(options, name) is not None:
            raise DataError(
                f"--{name.replace('_', '-')} is for a folder, a pattern or several "
                "files; one table that fits into memory is computed here."
            )


def refuse_in_parts(options: argparse.Namespace) -> None:
    """Refuse what needs all rows at once.

    Raises
    ------
    DataError
    """
    given = [name for name in IN_ONE_PIECE if getattr(options, name) is not None]
    if options.diagnostics:
        given.append("diagnostics")
    if given:
        raise DataError(
            f"--{given[0].replace('_', '-')} is for one table in memory; leave it out "
            "for a table in parts."
        )
    if isinstance(options.components, float):
        raise DataError(
            "A table in parts needs --components as a whole number; a share of the "
            "variance would need all of them."
        )


def asked(options: argparse.Namespace) -> dict[str, Any]:
    """Return the options by which one result differs from another."""
    names = [name for name in (*option_names(), "text_missing") if name != "data"]
    return {name: getattr(options, name, None) for name in names}
