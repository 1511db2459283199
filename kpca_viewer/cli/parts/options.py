"""What ``kpca-viewer embed`` is asked for where a table comes in parts."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kpca_viewer.cli.common import option_names
from kpca_viewer.cli.output import is_pipe
from kpca_viewer.support.errors import DataError

if TYPE_CHECKING:
    from kpca_viewer.cluster import Encryption

CLUSTER = ("scheduler", "tls_ca", "tls_cert", "tls_key")

IN_ONE_PIECE = ("new", "out_new", "model", "onto", "sample", "matrix", "seed")
"""Options that have no meaning for a table in parts."""


def add_cluster_options(parser: argparse.ArgumentParser) -> None:
    """Let a command choose where it computes."""
    group = parser.add_argument_group("cluster, for a table in parts")
    add = group.add_argument
    add(
        "--scheduler",
        metavar="ADDRESS",
        help="of Dask: tcp://host:port, or tls://host:port (default: this machine)",
    )
    for name, what in (
        ("ca", "the authority that is believed"),
        ("cert", "the certificate of this end"),
        ("key", "its key"),
    ):
        add(f"--tls-{name}", metavar="FILE", type=Path, help=f"of tls://…: {what}")


def encryption_of(options: argparse.Namespace) -> "Encryption | None":
    """Return the files for TLS, if they were given.

    Raises
    ------
    DataError
        If one of them is missing.
    """
    from kpca_viewer.cluster import Encryption

    files = (options.tls_ca, options.tls_cert, options.tls_key)
    if all(path is None for path in files):
        return None
    if any(path is None for path in files):
        raise DataError("--tls-ca, --tls-cert and --tls-key belong together; give all.")
    return Encryption(*files)


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
