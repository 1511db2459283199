"""Which cluster a command works on, and how it proves who it is."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from kpca_viewer.support.errors import DataError

if TYPE_CHECKING:
    from kpca_viewer.engine.executors.dask_connection import Encryption

CLUSTER = ("scheduler", "tls_ca", "tls_cert", "tls_key")


def add_cluster_options(parser: argparse.ArgumentParser, title: str) -> None:
    """Let a command choose where it computes."""
    group = parser.add_argument_group(title)
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
    from kpca_viewer.engine.executors.dask_connection import Encryption

    files = (options.tls_ca, options.tls_cert, options.tls_key)
    if all(path is None for path in files):
        return None
    if any(path is None for path in files):
        raise DataError("--tls-ca, --tls-cert and --tls-key belong together; give all.")
    return Encryption(*files)
