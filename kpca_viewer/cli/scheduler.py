"""Which cluster a command works on, and how it proves who it is."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kpca_viewer.support.errors import DataError

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from kpca_viewer.cluster import Cluster

_FILES = {
    "tls_ca": "certificates that are believed",
    "tls_cert": "the certificate of this end",
    "tls_key": "its private key",
}


def add_scheduler_options(group: Any) -> None:
    """Add the options that name a cluster of Dask."""
    group.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="work on the cluster of Dask at tcp://host:port, or tls://host:port",
    )
    for name, what in _FILES.items():
        option = f"--{name.replace('_', '-')}"
        group.add_argument(option, metavar="FILE", type=Path, help=f"TLS: {what} (PEM)")


def asked_cluster(
    options: argparse.Namespace,
) -> "AbstractContextManager[Cluster] | None":
    """Return the connection to the cluster that was named; None without one.

    Raises
    ------
    DataError
        If only some of the files for TLS were named, or no cluster.
    """
    files = [getattr(options, name) for name in _FILES]
    if any(files) and not (all(files) and options.scheduler):
        raise DataError(
            "TLS needs all of --scheduler tls://…, --tls-ca, --tls-cert and --tls-key."
        )
    if options.scheduler is None:
        return None
    from kpca_viewer.cluster import Encryption, connected

    encryption = Encryption(*files) if any(files) else None
    return connected(options.scheduler, encryption=encryption)
