"""What the processes of a cluster are and do."""

import os
from time import monotonic, sleep

from distributed import Client

from tests.cluster.deadly import PATIENCE


def process_ids(cluster) -> list[int]:
    """Return the numbers of the processes in which its workers are.

    They are read by a client that unpickles what it is sent.
    """
    address = cluster.client.scheduler.address
    with Client(address, set_as_default=False) as believing:
        return list(believing.run(os.getpid).values())


def comes_to_rest(cluster) -> bool:
    """Whether the scheduler knows of no work any more, in time."""
    until = monotonic() + PATIENCE
    while any(cluster.client.processing().values()):
        if monotonic() > until:
            return False
        sleep(0.05)
    return True
