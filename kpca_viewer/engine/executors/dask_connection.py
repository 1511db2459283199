"""The connection to a Dask cluster, which may never answer.

No question is waited for without end: a client whose scheduler has died between two
words waits for it for ever, even if it has found another one since.
"""

import asyncio
import logging
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import Any, TypeVar
from uuid import uuid4

import kpca_viewer
from kpca_viewer.engine.executors.answers import packed, unpacked
from kpca_viewer.support import paths
from kpca_viewer.support.errors import ClusterError, DataError, shorten
from kpca_viewer.support.progress import ShouldStop, check, never

E = TypeVar("E", bound=BaseException)
T = TypeVar("T")

LOGGERS = ("distributed", "tornado")

EXTRA = "pip install 'kpca-viewer[cluster]'"

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


@dataclass(frozen=True)
class Encryption:
    """Files with which both ends of a connection prove who they are (PEM)."""

    authority: Path
    """The certificates that are believed."""
    certificate: Path
    key: Path


@dataclass(frozen=True, eq=False)
class Cluster:
    """A connected cluster; every question raises a ClusterError once it is lost."""

    client: Any
    """Of `distributed`."""
    address: str
    """Of its scheduler."""

    @property
    def title(self) -> str:
        return f"the cluster at {self.address}"

    def lost(self) -> ClusterError:
        """Return what is said where it does not answer any more."""
        return ClusterError(
            f"The connection to {self.title} was lost; check that it runs, and connect "
            "again."
        )

    @property
    def workers(self) -> dict[str, dict[str, Any]]:
        """What the scheduler knows of every worker, by its address."""
        client = self.client
        # One that looks for its scheduler again would wait for half a minute.
        if client.status != "running":
            raise self.lost()
        try:
            # What the client keeps of it, a timer empties of workers at any moment.
            known = self.answered(lambda: client.sync(client.scheduler.identity))
            return dict(known["workers"])
        except (OSError, RuntimeError, KeyError) as error:
            raise self.lost() from error

    @property
    def threads(self) -> int:
        return sum(int(worker["nthreads"]) for worker in self.workers.values())

    @property
    def dashboard(self) -> str:
        """The address of its web page; empty where it has none."""
        client = self.client
        known = self.answered(lambda: client.scheduler_info(n_workers=0))
        return str(client.dashboard_link) if "dashboard" in known["services"] else ""

    def fetched(
        self, future: Any, should_stop: ShouldStop = never, *, within: float = SLOW
    ) -> bytes:
        """Return the bytes that a worker has answered.

        Raises `ClusterError` if it has answered anything else, `TimeoutError` if the
        answer has not come: it may have died with its worker.
        """
        from kpca_viewer.engine.executors.safe_client import bytes_in

        told = self.answered(
            lambda: future.result(timeout=within),
            within=within + PATIENCE,
            should_stop=should_stop,
        )
        content = bytes_in(told)
        if content is None:
            raise ClusterError(
                f"A worker of {self.title} has answered with something that is no "
                "value; check who runs there."
            )
        return content

    def send_to_all(self, what: Any, should_stop: ShouldStop = never) -> Any:
        """Let all workers have something; those that die meanwhile do without it."""
        client = self.client
        for _ in range(MOST_LOSSES):
            try:
                return self.answered(
                    lambda: client.scatter(what, broadcast=True, hash=False),
                    within=SLOW,
                    should_stop=should_stop,
                )
            except (OSError, RuntimeError):
                # Its scheduler will know in a moment who is gone.
                _ = self.workers
                sleep(LOOK_EVERY)
        raise self.lost()

    def answered(
        self,
        ask: Callable[[], T],
        *,
        within: float = PATIENCE,
        should_stop: ShouldStop = never,
    ) -> T:
        """Return what the client says to a question.

        ``within``: seconds; meanwhile the scheduler has to answer other questions.
        """
        client = self.client
        line, started = client.scheduler_comm, monotonic()
        heard = started
        answer = _asked_on_thread(ask)
        while not wait([answer], LOOK_EVERY).done:
            check(should_stop)
            now = monotonic()
            holds = client.status == "running" and client.scheduler_comm is line
            if now - started > (within if holds else GRACE):
                raise self.lost()
            if within > PATIENCE and now - heard > PATIENCE:
                _ = self.workers
                heard = monotonic()
        return answer.result()


def _asked_on_thread(ask: Callable[[], T]) -> "Future[T]":
    """Ask on a thread of its own, which may wait for ever."""
    answer: Future[T] = Future()

    def work() -> None:
        try:
            answer.set_result(ask())
        except BaseException as error:  # noqa: BLE001  # raised where it is waited for
            answer.set_exception(error)

    Thread(target=work, name="kpca-cluster-asked", daemon=True).start()
    return answer


@contextmanager
def connected(
    address: str,
    *,
    encryption: Encryption | None = None,
    patience: float = PATIENCE,
) -> Iterator[Cluster]:
    """Connect to a cluster for as long as it is used.

    ``address``: of its scheduler, ``tcp://…`` or, with encryption, ``tls://…``;
    ``patience``: seconds to wait for an answer.
    """
    require_extra()
    _check_address(address, encryption)
    with _quiet():
        client = _opened(address, encryption, patience)
        try:
            cluster = Cluster(client, address)
            _check_workers(cluster, patience)
            yield cluster
        finally:
            # A scheduler that is gone has nothing to be told.
            client.close(timeout=patience)


def require_extra() -> None:
    """Raise a `DataError` where there is no Dask, with what to install."""
    try:
        import distributed  # noqa: F401
    except ImportError as error:
        raise DataError(f"Work on a cluster needs the extra: {EXTRA}.") from error


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep to ourselves what Dask writes to stderr: it is said in one sentence."""
    before = {name: logging.getLogger(name).level for name in _loggers()}
    for name in before:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)


def _loggers() -> list[str]:
    known = logging.root.manager.loggerDict
    return [name for name in known if name.split(".")[0] in LOGGERS]


def _is_port(text: str) -> bool:
    return text.isdecimal() and len(text) < 6 and 0 < int(text) < 2**16


def _check_address(address: str, encryption: Encryption | None) -> None:
    scheme, _, rest = address.partition("://")
    host, _, port = rest.rpartition(":")
    if scheme not in ("tcp", "tls") or not host or not _is_port(port):
        raise DataError(
            f"“{shorten(address)}” is not the address of a scheduler; write "
            "tcp://host:port, or tls://host:port."
        )
    if (scheme == "tls") != (encryption is not None):
        raise DataError(
            "An address tls://… and files for TLS belong together; give both: the "
            "authority, the certificate and its key."
        )
    for path in vars(encryption).values() if encryption is not None else ():
        if not paths.is_file(path):
            raise DataError(f"“{path}” is not there; give the PEM file that is meant.")


def _opened(address: str, encryption: Encryption | None, patience: float) -> Any:
    from ssl import SSLError

    from distributed.security import Security

    from kpca_viewer.engine.executors.safe_client import SafeClient

    security = Security()
    if encryption is not None:
        security = Security(
            tls_ca_file=str(encryption.authority),
            tls_client_cert=str(encryption.certificate),
            tls_client_key=str(encryption.key),
            require_encryption=True,
        )
    try:
        # A client waits for ever for an end that is silent.
        told = asyncio.run(asyncio.wait_for(_asked(address, security), patience))
        if told.get("type") != "Scheduler":
            raise ValueError(f"it is a {told.get('type', 'stranger')}")
        how = {"security": security, "timeout": patience, "set_as_default": False}
        # Its own patience ends with the first word.
        answer = _asked_on_thread(lambda: SafeClient(address, **how))
        return answer.result(patience + GRACE)
    except (OSError, TimeoutError) as error:
        if (reason := _cause(error, SSLError)) is not None:
            raise ClusterError(
                f"The certificates do not fit {address} ({_short(reason)}); ask those "
                "who run it for theirs."
            ) from error
        raise ClusterError(
            f"No scheduler answers at {address} ({_refusal(address, patience)}); check "
            "the address, and that it runs."
        ) from error
    except Exception as error:
        raise ClusterError(
            f"What answers at {address} is no scheduler of Dask, or another version of "
            f"it ({_short(error)}); check the address."
        ) from error


def _refusal(address: str, patience: float) -> str:
    """Return why there is no answer: Dask only says how long it has tried."""
    host, _, port = address.partition("://")[2].rpartition(":")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), patience):
            return "what listens there is silent, or hangs up"
    except ConnectionRefusedError:
        return "the connection is refused"
    except socket.gaierror:
        return "its host is not known here"
    except TimeoutError:
        return f"nothing within {patience:.0f} s"
    except OSError as error:
        return error.strerror or "the network does not lead there"


async def _asked(address: str, security: Any) -> dict[str, Any]:
    """Return who answers; nothing of what it says is unpickled."""
    from distributed.core import connect

    arguments = security.get_connection_args("client")
    comm = await connect(address, deserialize=False, **arguments)
    try:
        await comm.write({"op": "identity", "reply": True})
        return dict(await comm.read())
    finally:
        comm.abort()


def _check_workers(cluster: Cluster, patience: float) -> None:
    """Refuse a cluster without workers, or with another version on one of them."""
    client = cluster.client
    try:
        cluster.answered(
            lambda: client.wait_for_workers(1, timeout=patience),
            within=patience + GRACE,
        )
    except OSError as error:
        _ = cluster.workers  # One that does not answer has perhaps some.
        raise ClusterError(
            f"The cluster at {cluster.address} has no workers; start some, as with: "
            f"dask worker {cluster.address}."
        ) from error
    for address, told in _versions(cluster, patience).items():
        if told is None:
            raise ClusterError(
                f"The worker {address} does not answer; stop it, or start it again."
            )
        here = kpca_viewer.__version__
        if not told:
            raise ClusterError(
                f"The worker {address} cannot load kpca_viewer; install version {here} "
                "there."
            )
        if told != here:
            raise ClusterError(
                f"The worker {address} has version {told} of kpca_viewer, this is "
                f"{here}; install the same one on both."
            )


def _versions(cluster: Cluster, patience: float) -> dict[str, str | None]:
    """Return the version on every worker: empty for none, None without an answer."""
    client = cluster.client
    asked = {
        address: client.submit(
            version,
            key=f"kpca-version-{uuid4().hex}",
            workers=[address],
            allow_other_workers=False,
        )
        for address in cluster.workers
    }
    until = monotonic() + patience
    while monotonic() < until and not all(f.done() for f in asked.values()):
        sleep(LOOK_EVERY)
    found: dict[str, str | None] = dict.fromkeys(asked)
    for address, future in asked.items():
        if future.status == "finished":
            found[address] = str(unpacked(cluster.fetched(future)))
        elif future.status == "error":
            found[address] = ""
    return {
        address: told for address, told in found.items() if address in cluster.workers
    }


def version() -> bytes:
    """Return the version of this package where it is asked, as answers travel."""
    return packed(kpca_viewer.__version__)


def _cause(error: BaseException | None, kind: type[E]) -> E | None:
    """Return what of this kind an error comes from."""
    while error is not None and not isinstance(error, kind):
        error = error.__cause__ or error.__context__
    return error


def _short(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else "it does not say why"
