"""A client of Dask that unpickles nothing of what others send; imports Dask.

Dask would build whatever a worker answers, or raises, as soon as it arrives, and that
may run code. This client leaves it in its frames, which `answers` reads.
"""

from typing import Any

from distributed import Client
from distributed.protocol.compression import decompress
from distributed.protocol.serialize import Serialized

KILLED = b"KilledWorker"
"""What Dask calls the error of a task that too many workers have died of."""


class DeadlyTaskError(RuntimeError):
    """Workers have died of a task."""


class SafeClient(Client):
    """A `Client` whose connections build nothing."""

    async def _ensure_connected(self, timeout: Any = None) -> None:
        """Do so from the first word on, also where the scheduler is found again."""
        self.rpc.deserialize = False
        await super()._ensure_connected(timeout=timeout)
        if self.scheduler_comm is not None:
            self.scheduler_comm.comm.deserialize = False

    def _handle_task_erred(
        self, key: Any = None, exception: Any = None, traceback: Any = None
    ) -> None:
        """Keep the kind of an error, and nothing else of it."""
        frames = exception.frames if isinstance(exception, Serialized) else ()
        if any(KILLED in bytes(frame) for frame in frames):
            error: Exception = DeadlyTaskError("its workers have died")
        else:
            error = RuntimeError("it cannot be done there")
        super()._handle_task_erred(key, error, None)


def bytes_in(answer: Any) -> bytes | None:
    """Return the bytes that a worker has answered; None for anything else."""
    if not isinstance(answer, Serialized):
        return None
    header = answer.header
    if header.get("serializer") != "dask" or header.get("type") != "bytes":
        return None
    return b"".join(decompress(header, answer.frames))
