"""Who works on blocks: the workers of a cluster."""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic, sleep
from typing import Any
from uuid import uuid4

from kpca_viewer.core.solvers.blocks import Block, Blocks, T, Work
from kpca_viewer.engine.executors.answers import packed, unpacked
from kpca_viewer.engine.executors.time_limits import (
    MOST_LOSSES,
    answered,
    fetched,
    lost,
    sent_to_all,
    workers_of,
)
from kpca_viewer.support import errors
from kpca_viewer.support.errors import ClusterError, KpcaError, sentence_of
from kpca_viewer.support.progress import ShouldStop, check, never
from kpca_viewer.support.threads import one_blas_thread

AHEAD = 2
"""Blocks for each thread of the cluster that are given away before they are due."""

LOOK_EVERY = 0.1
"""Seconds after which whoever waits for an answer asks whether to stop."""

GLANCE_EVERY = 0.005
"""Seconds between two glances at what is known here of the answers."""

ASK_EVERY = 2.0
"""Seconds after which it asks whether there is still anybody who works."""

WORKERS_BACK = 60.0
"""Seconds in which a cluster that has lost all its workers may get new ones."""


@dataclass(eq=False)
class ClusterEach:
    """Lets a cluster work on blocks, and gives the answers in the order of the blocks.

    A worker that is lost changes nothing: what it had is done again elsewhere. Whoever
    stops iterating leaves nothing running.
    """

    client: Any
    title: str = "the cluster"
    tell: Callable[[str], None] = lambda text: None
    """Told what is waited for, where that is not the work."""
    bytes_moved: int = field(default=0, init=False)
    """Of all answers so far, and of the work that every worker was sent."""

    def __call__(
        self, work: Work[T], blocks: Blocks, should_stop: ShouldStop = never
    ) -> Iterator[T]:
        """Yield ``work(block, number)`` of every block.

        Raises
        ------
        ClusterError
            If the cluster is lost.
        KpcaError
            As the work raises it.
        Cancelled
        """
        done, losses = 0, 0
        while done < len(blocks):
            try:
                for answer in self._from(done, work, blocks, should_stop):
                    done += 1
                    yield answer
            except CancelledError as error:
                # With the last worker that held the work, it has vanished as well.
                losses += 1
                if losses > MOST_LOSSES or self.client.status != "running":
                    raise lost(self.title) from error

    def _from(
        self, start: int, work: Work[T], blocks: Blocks, should_stop: ShouldStop
    ) -> Iterator[T]:
        client = self.client
        threads = self._threads(should_stop)
        self.bytes_moved += len(packed(work)) * len(workers_of(client, self.title))
        carried = sent_to_all(client, self.title, work, should_stop)
        name = uuid4().hex
        waiting: deque[Any] = deque()
        try:
            for number in range(start, len(blocks)):
                key = f"kpca-{name}-{number}"
                block = blocks[number]
                waiting.append(client.submit(worked, carried, block, number, key=key))
                if len(waiting) > AHEAD * threads:
                    yield self._answer(waiting.popleft(), should_stop)
            while waiting:
                yield self._answer(waiting.popleft(), should_stop)
        finally:
            if waiting and client.status == "running":
                # Whoever is gone has nothing running.
                with suppress(ClusterError):
                    answered(
                        client, self.title, lambda: client.cancel(waiting, force=True)
                    )

    def _threads(self, should_stop: ShouldStop) -> int:
        """Return how many blocks are worked on at once; wait until there is one."""
        since = monotonic()
        while True:
            check(should_stop)
            workers = workers_of(self.client, self.title).values()
            if workers:
                return sum(int(worker["nthreads"]) for worker in workers)
            self._check_alone(since)
            sleep(LOOK_EVERY)

    def _check_alone(self, since: float) -> None:
        alone = monotonic() - since
        if alone > ASK_EVERY:
            left = round(max(WORKERS_BACK - alone, 0))
            self.tell(f"no workers left; waiting for others, {left} s more")
        if alone > WORKERS_BACK:
            raise ClusterError(
                f"All workers of {self.title} are gone; start some, and run the same "
                "again."
            )

    def _answer(self, future: Any, should_stop: ShouldStop) -> Any:
        self._wait(future, should_stop)
        try:
            content = fetched(self.client, self.title, future, should_stop)
        except (CancelledError, KpcaError):
            raise
        except OSError as error:
            raise lost(self.title) from error
        except Exception as error:
            raise ClusterError(
                f"{self.title[:1].upper()}{self.title[1:]} has given up a block: "
                f"{error}; its workers may lack memory."
            ) from error
        self.bytes_moved += len(content)
        return answer_in(content)

    def _wait(self, future: Any, should_stop: ShouldStop) -> None:
        check(should_stop)
        seen = looked = monotonic()
        while not future.done():
            check(should_stop)
            wait_for_one([future])
            if monotonic() - looked > ASK_EVERY:
                looked = monotonic()
                if workers_of(self.client, self.title):
                    seen = looked
                self._check_alone(seen)


def wait_for_one(futures: list[Any]) -> None:
    """Wait until one of some futures has an answer, but not for long."""
    # Dask's own `wait` may wait for ever where the scheduler dies meanwhile.
    until = monotonic() + LOOK_EVERY
    while monotonic() < until and not any(future.done() for future in futures):
        sleep(GLANCE_EVERY)


def worked(work: Work[Any], block: Block, number: int) -> bytes:
    """Work on a block where it is called; errors are answers as well."""
    try:
        with one_blas_thread():
            return packed(("", work(block, number)))
    except KpcaError as error:
        return packed((type(error).__name__, str(error)))
    except OSError as error:
        return packed(("DataError", f"{block.title} cannot be read: {error}"))
    except Exception as error:  # noqa: BLE001 — whatever it is, it is one sentence
        return packed(("KpcaError", sentence_of(error)))


def answer_in(content: bytes) -> Any:
    """Return the answer that `worked` has given.

    Raises
    ------
    KpcaError
        If it is an error.
    """
    told = unpacked(content)
    match told:
        case ("", answer):
            return answer
        case (str(kind), str(text)):
            raise _error(kind, text)
    raise ClusterError("A worker has answered what nobody can read.")


def _error(kind: str, text: str) -> KpcaError:
    made = getattr(errors, kind, KpcaError)
    known = isinstance(made, type) and issubclass(made, KpcaError)
    return made(text) if known else KpcaError(text)
