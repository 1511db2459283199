"""Questions to a cluster, which may never answer: none is waited for without end."""

from collections.abc import Callable
from concurrent.futures import Future, wait
from threading import Thread
from time import monotonic, sleep
from typing import Any, TypeVar

from kpca_viewer.support.errors import ClusterError
from kpca_viewer.support.progress import ShouldStop, check, never

T = TypeVar("T")

PATIENCE = 10.0
"""Seconds after which no answer is expected any more."""

SLOW = 600.0
"""Seconds in which large things should have been sent or taken."""

GRACE = 3.0
"""Seconds in which a client may find its scheduler again."""

LOOK_EVERY = 0.2
"""Seconds between two looks for an answer."""

MOST_LOSSES = 5
"""How often the work may vanish with all who had it, before it is given up."""


def workers_of(client: Any, title: str) -> dict[str, dict[str, Any]]:
    """Return what the scheduler knows of every worker, by its address.

    Raises
    ------
    ClusterError
        If it does not answer.
    """
    # One that looks for its scheduler again would wait for half a minute.
    if client.status != "running":
        raise lost(title)
    try:
        known = answered(client, title, lambda: client.scheduler_info(n_workers=-1))
        return dict(known["workers"])
    except (OSError, RuntimeError, KeyError) as error:
        raise lost(title) from error


def fetched(
    client: Any,
    title: str,
    future: Any,
    should_stop: ShouldStop = never,
    *,
    within: float = SLOW,
) -> bytes:
    """Return the bytes that a worker has answered.

    Raises
    ------
    ClusterError
        If it has answered anything else, or the cluster is lost.
    TimeoutError
        If the answer has not come: it may have died with its worker.
    CancelledError
    """
    from kpca_viewer.engine.executors.safe_client import bytes_in

    told = answered(
        client,
        title,
        lambda: future.result(timeout=within),
        within=within + PATIENCE,
        should_stop=should_stop,
    )
    content = bytes_in(told)
    if content is None:
        raise ClusterError(
            f"A worker of {title} has answered with something that is no value; check "
            "who runs there."
        )
    return content


def sent_to_all(
    client: Any, title: str, what: Any, should_stop: ShouldStop = never
) -> Any:
    """Let all workers have something; those that die meanwhile do without it.

    Raises
    ------
    ClusterError
        If the cluster is lost.
    Cancelled
    """
    for _ in range(MOST_LOSSES):
        try:
            return answered(
                client,
                title,
                lambda: client.scatter(what, broadcast=True, hash=False),
                within=SLOW,
                should_stop=should_stop,
            )
        except (OSError, RuntimeError):
            # Its scheduler will know in a moment who is gone.
            workers_of(client, title)
            sleep(LOOK_EVERY)
    raise lost(title)


def answered(
    client: Any,
    title: str,
    ask: Callable[[], T],
    *,
    within: float = PATIENCE,
    should_stop: ShouldStop = never,
) -> T:
    """Return what a client says to a question, which it may never answer.

    One whose scheduler has died between two words waits for it for ever, even if it has
    found another one since.

    Parameters
    ----------
    within : float
        Seconds; meanwhile the scheduler has to answer other questions.

    Raises
    ------
    ClusterError
        If there is no answer in time, or the other end is gone.
    Cancelled
    """
    line, started = client.scheduler_comm, monotonic()
    heard = started
    answer = _asked(ask)
    while not wait([answer], LOOK_EVERY).done:
        check(should_stop)
        now = monotonic()
        holds = client.status == "running" and client.scheduler_comm is line
        if now - started > (within if holds else GRACE):
            raise lost(title)
        if within > PATIENCE and now - heard > PATIENCE:
            workers_of(client, title)
            heard = monotonic()
    return answer.result()


def in_time(ask: Callable[[], T], seconds: float) -> T:
    """Return what is asked for.

    Raises
    ------
    TimeoutError
        If that takes longer.
    """
    answer = _asked(ask)
    if not wait([answer], seconds).done:
        raise TimeoutError("it has fallen silent")
    return answer.result()


def lost(title: str) -> ClusterError:
    """Return what is said where a cluster does not answer any more."""
    return ClusterError(
        f"The connection to {title} was lost; check that it runs, and connect again."
    )


def _asked(ask: Callable[[], T]) -> "Future[T]":
    """Ask on a thread of its own, which may wait for ever."""
    answer: Future[T] = Future()

    def work() -> None:
        try:
            answer.set_result(ask())
        except BaseException as error:  # noqa: BLE001  # raised where it is waited for
            answer.set_exception(error)

    Thread(target=work, name="kpca-cluster-asked", daemon=True).start()
    return answer
