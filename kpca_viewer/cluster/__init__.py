"""Work on other processes and machines, by Dask; all that imports it is here."""

from kpca_viewer.cluster.connecting import Cluster, Encryption, connected
from kpca_viewer.cluster.each import ClusterEach

__all__ = ["Cluster", "ClusterEach", "Encryption", "connected"]
