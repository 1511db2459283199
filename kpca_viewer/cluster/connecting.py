"""A cluster to work on: one that runs somewhere, or this machine's cores."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import Any, TypeVar

import kpca_viewer
from kpca_viewer.support.errors import ClusterError, DataError
from kpca_viewer.support.threads import cores

T = TypeVar("T")

PATIENCE = 10.0
"""Seconds after which nobody is expected to answer any more."""

SLOW = 600.0
"""Seconds after which nobody is expected to have sent or taken large things."""

GRACE = 3.0
"""Seconds in which a client may find its scheduler again."""

LOOK_EVERY = 0.2
"""Seconds between two looks whether somebody has answered."""

NEAR = "3s"
"""How long a process of this machine is called that may have died; Dask's own half a
minute is for networks."""

LOGGERS = ("distributed", "tornado")

EXTRA = "pip install 'kpca-viewer[cluster]'"


@dataclass(frozen=True)
class Encryption:
    """Files with which both ends of a connection prove who they are (PEM)."""

    authority: Path
    """The certificates that are believed."""
    certificate: Path
    key: Path


@dataclass(frozen=True, eq=False)
class Cluster:
    """Workers that were there when somebody connected to them."""

    client: Any
    """Of `distributed`."""
    address: str
    """Empty for this machine's own processes."""

    @property
    def title(self) -> str:
        """What a person calls it."""
        return f"the cluster at {self.address}" if self.address else "this machine"

    @property
    def workers(self) -> dict[str, dict[str, Any]]:
        """What the scheduler knows of every worker, by its address.

        Raises
        ------
        ClusterError
            If it does not answer.
        """
        return workers_of(self.client, self.title)

    @property
    def threads(self) -> int:
        """How many tasks run at the same time."""
        return sum(int(worker["nthreads"]) for worker in self.workers.values())

    @property
    def dashboard(self) -> str:
        """The address of its web page; empty where it has none."""
        client = self.client
        known = answered(client, self.title, lambda: client.scheduler_info(n_workers=0))
        return str(client.dashboard_link) if "dashboard" in known["services"] else ""


@contextmanager
def connected(
    address: str | None = None,
    *,
    encryption: Encryption | None = None,
    processes: int | None = None,
    patience: float = PATIENCE,
) -> Iterator[Cluster]:
    """Connect to a cluster for as long as it is used.

    Parameters
    ----------
    address : str, optional
        Of its scheduler, ``tcp://…`` or ``tls://…``. Without one, processes of this
        machine are started, each with one thread, and ended afterwards.
    encryption : Encryption, optional
        For ``tls://…``.
    processes : int, optional
        Without an address: how many; else as many as there are cores.
    patience : float
        Seconds to wait for an answer.

    Raises
    ------
    DataError
        If the extra is not installed, or the address is none.
    ClusterError
        If nobody answers there, or there is nobody to work, or another version.
    """
    require_extra()
    if address is not None:
        _check_address(address, encryption)
    with _quiet(), _client(address, encryption, processes, patience) as client:
        cluster = Cluster(client, address or "")
        _check_workers(cluster, patience)
        yield cluster


def require_extra() -> None:
    """Refuse to go on without Dask.

    Raises
    ------
    DataError
        With what to install.
    """
    try:
        import distributed  # noqa: F401
    except ImportError as error:
        raise DataError(f"Work on a cluster needs the extra: {EXTRA}.") from error


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


def answered(
    client: Any, title: str, ask: Callable[[], T], *, within: float = PATIENCE
) -> T:
    """Return what a client says to a question, which it may never answer.

    One whose scheduler has died between two words waits for it for ever, even if it has
    found another one since.

    Parameters
    ----------
    within : float
        Seconds.

    Raises
    ------
    ClusterError
        If there is no answer in time, or nobody is there to give one.
    """
    line = client.scheduler_comm
    answer: Future[T] = Future()

    def work() -> None:
        try:
            answer.set_result(ask())
        except BaseException as error:  # noqa: BLE001  # raised where it is waited for
            answer.set_exception(error)

    Thread(target=work, name="kpca-cluster-asked", daemon=True).start()
    started = monotonic()
    while not wait([answer], LOOK_EVERY).done:
        waited = monotonic() - started
        holds = client.status == "running" and client.scheduler_comm is line
        if waited > (within if holds else GRACE):
            raise lost(title)
    return answer.result()


def lost(title: str) -> ClusterError:
    """Return what is said where a cluster does not answer any more."""
    return ClusterError(
        f"The connection to {title} was lost; check that it runs, and connect again."
    )


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


def _check_address(address: str, encryption: Encryption | None) -> None:
    scheme, _, rest = address.partition("://")
    host, _, port = rest.rpartition(":")
    if scheme not in ("tcp", "tls") or not host or not port.isdigit():
        raise DataError(
            f"“{address}” is not the address of a scheduler; write tcp://host:port, or "
            "tls://host:port."
        )
    if (scheme == "tls") != (encryption is not None):
        raise DataError(
            "An address tls://… and files for TLS belong together; give both: the "
            "authority, the certificate and its key."
        )
    for path in vars(encryption).values() if encryption is not None else ():
        if not path.is_file():
            raise DataError(f"“{path}” is not there; give the PEM file that is meant.")


@contextmanager
def _client(
    address: str | None,
    encryption: Encryption | None,
    processes: int | None,
    patience: float,
) -> Iterator[Any]:
    from distributed import Client

    if address is None:
        import dask

        from kpca_viewer.cluster.own_worker import EndedByUs

        # Collections of Dask that are computed meanwhile are nobody's business here.
        with (
            dask.config.set({"distributed.comm.timeouts.connect": NEAR}),
            _processes(processes or cores()) as started,
            Client(started, set_as_default=False) as client,
        ):
            client.register_plugin(EndedByUs())
            yield client
        return
    client = _opened(address, encryption, patience)
    try:
        yield client
    finally:
        # A scheduler that is gone has nothing to be told.
        client.close(timeout=patience)


@contextmanager
def _processes(count: int) -> Iterator[Any]:
    from distributed import LocalCluster

    try:
        cluster = LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            processes=True,
            # Else the one port that everybody takes.
            dashboard_address="localhost:0",
            silence_logs=logging.CRITICAL,
        )
    except (OSError, RuntimeError) as error:
        raise ClusterError(
            f"No worker processes could be started here ({_short(error)}); check how "
            "many processes and how much memory are allowed."
        ) from error
    with cluster:
        yield cluster


def _opened(address: str, encryption: Encryption | None, patience: float) -> Any:
    from ssl import SSLError

    from distributed import Client
    from distributed.security import Security

    security = Security()
    if encryption is not None:
        security = Security(
            tls_ca_file=str(encryption.authority),
            tls_client_cert=str(encryption.certificate),
            tls_client_key=str(encryption.key),
            require_encryption=True,
        )
    try:
        # A client waits for ever for somebody who is silent.
        told = asyncio.run(asyncio.wait_for(_asked(address, security), patience))
        if told.get("type") != "Scheduler":
            raise ValueError(f"it is a {told.get('type', 'stranger')}")
        return Client(
            address, security=security, timeout=patience, set_as_default=False
        )
    except SSLError as error:
        raise ClusterError(
            f"The certificates do not fit {address} ({_short(error)}); ask those who "
            "run it for theirs."
        ) from error
    except (OSError, TimeoutError) as error:
        raise ClusterError(
            f"No scheduler answers at {address} ({_short(error)}); check the address, "
            "and that it runs."
        ) from error
    except Exception as error:
        raise ClusterError(
            f"What answers at {address} is no scheduler of Dask, or another version of "
            f"it ({_short(error)}); check the address."
        ) from error


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
        answered(
            client,
            cluster.title,
            lambda: client.wait_for_workers(1, timeout=patience),
            within=patience + GRACE,
        )
    except OSError as error:
        raise ClusterError(
            f"{_upper(cluster.title)} has no workers; start some, as with: dask worker "
            f"{cluster.address}."
        ) from error
    found = answered(
        client, cluster.title, lambda: client.run(version, on_error="return")
    )
    for address, told in found.items():
        if isinstance(told, Exception):
            raise ClusterError(
                f"The worker {address} cannot load kpca_viewer ({_short(told)}); "
                f"install version {kpca_viewer.__version__} there."
            ) from told
        if told != kpca_viewer.__version__:
            raise ClusterError(
                f"The worker {address} has version {told} of kpca_viewer, this is "
                f"{kpca_viewer.__version__}; install the same one on both."
            )


def version() -> str:
    """Return the version of this package where it is asked."""
    return kpca_viewer.__version__


def _short(error: Exception) -> str:
    """Return the first line of an error, or its kind."""
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
