"""What is said where no cluster is, or none that can be used."""

import shutil
import socket
import subprocess
import sys
from contextlib import closing, suppress
from threading import Thread

import pytest

import kpca_viewer
from kpca_viewer.engine.executors.answers import packed, unpacked
from kpca_viewer.engine.executors.dask_connection import Encryption, connected
from kpca_viewer.support.errors import ClusterError, DataError

pytestmark = pytest.mark.cluster


def refused(address, match, kind=ClusterError, **options):
    with pytest.raises(kind, match=match) as caught, connected(address, **options):
        pass
    assert "\n" not in str(caught.value)


def test_a_running_cluster_is_used_and_left_running(two_workers):
    address = two_workers.client.scheduler.address
    for _ in range(2):
        with connected(address) as cluster:
            assert len(cluster.workers) == 2
            assert cluster.threads == 2
            assert cluster.title == f"the cluster at {address}"


def test_workers_are_known_while_dask_counts_them_anew(two_workers):
    client = two_workers.client
    for _ in range(50):
        # Its own timer does this, and forgets who they are.
        for _ in range(20):
            client.loop.add_callback(client._update_scheduler_info)
        assert len(two_workers.workers) == 2


def test_nobody_is_there():
    # Bound and not listening: nothing else takes the port meanwhile.
    with closing(socket.socket()) as bound:
        bound.bind(("127.0.0.1", 0))
        port = bound.getsockname()[1]
        refused(f"tcp://127.0.0.1:{port}", "the connection is refused", patience=1)
    refused("tcp://nosuch.invalid:8786", "its host is not known here", patience=1)


def test_somebody_is_there_who_hangs_up():
    """Whatever Dask calls that, and however often it tries again."""
    with closing(socket.create_server(("127.0.0.1", 0))) as server:

        def hang_up():
            with suppress(OSError):
                while True:
                    server.accept()[0].close()

        Thread(target=hang_up, daemon=True).start()
        port = server.getsockname()[1]
        refused(f"tcp://127.0.0.1:{port}", "silent, or hangs up", patience=1)
        server.shutdown(socket.SHUT_RDWR)


def test_somebody_is_there_who_says_nothing():
    with closing(socket.create_server(("127.0.0.1", 0))) as silent:
        port = silent.getsockname()[1]
        refused(f"tcp://127.0.0.1:{port}", "No scheduler answers at", patience=1)


def test_somebody_is_there_who_talks_rubbish():
    with closing(socket.create_server(("127.0.0.1", 0))) as server:

        def answer():
            connection, _ = server.accept()
            connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n" * 3)
            connection.close()

        Thread(target=answer).start()
        port = server.getsockname()[1]
        refused(f"tcp://127.0.0.1:{port}", "no scheduler of Dask")


def test_a_worker_is_no_scheduler(two_workers):
    refused(next(iter(two_workers.workers)), "it is a Worker")


@pytest.mark.parametrize(
    "address", ["host", "http://host:80", "tcp://host", "tcp://:1"]
)
def test_what_is_no_address_is_refused(address):
    refused(address, "is not the address of a scheduler", DataError)


def test_a_cluster_without_workers():
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=0, processes=False, protocol="tcp", dashboard_address="localhost:0"
    ) as empty:
        refused(empty.scheduler_address, "has no workers; start some", patience=3)


def test_another_version_on_the_workers(two_workers, monkeypatch):
    monkeypatch.setattr(kpca_viewer, "__version__", "0.0.1")
    address = two_workers.client.scheduler.address
    refused(address, "has version .* of kpca_viewer, this is 0.0.1")


def test_an_address_with_tls_needs_its_files(tmp_path):
    refused("tls://host:8786", "belong together", DataError)
    missing = Encryption(*(tmp_path / name for name in ("ca", "cert", "key")))
    refused("tcp://host:8786", "belong together", DataError, encryption=missing)
    refused("tls://host:8786", "is not there", DataError, encryption=missing)


def certificates(folder):
    """Make an authority and a certificate that it has signed."""
    ca, cert, key = (folder / name for name in ("ca.pem", "cert.pem", "key.pem"))
    ca_key, request = folder / "ca.key", folder / "request.pem"
    common = ["openssl", "req", "-newkey", "rsa:2048", "-nodes", "-subj"]
    signing = ["openssl", "x509", "-req", "-CAcreateserial", "-in"]
    for command in (
        [*common, "/CN=authority", "-x509", "-keyout", ca_key, "-out", ca],
        [*common, "/CN=localhost", "-keyout", key, "-out", request],
        [*signing, request, "-CA", ca, "-CAkey", ca_key, "-out", cert],
    ):
        subprocess.run(command, check=True, capture_output=True)
    return Encryption(ca, cert, key)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the files")
def test_a_cluster_with_tls(tmp_path):
    from distributed import LocalCluster
    from distributed.security import Security

    (tmp_path / "theirs").mkdir()
    ours, theirs = certificates(tmp_path), certificates(tmp_path / "theirs")
    roles = ("client", "scheduler", "worker")
    security = Security(
        tls_ca_file=str(ours.authority),
        require_encryption=True,
        **{f"tls_{role}_cert": str(ours.certificate) for role in roles},
        **{f"tls_{role}_key": str(ours.key) for role in roles},
    )
    with LocalCluster(
        n_workers=1,
        threads_per_worker=1,
        processes=False,
        protocol="tls",
        security=security,
        dashboard_address="localhost:0",
    ) as server:
        address = server.scheduler_address
        assert address.startswith("tls://")
        with connected(address, encryption=ours) as cluster:
            future = cluster.client.submit(packed, 3)
            assert unpacked(cluster.fetched(future)) == 3
        refused(address, address, encryption=theirs, patience=2)
        refused(address.replace("tls", "tcp"), "tcp://", patience=2)


HIDDEN = """
import sys

class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("dask", "distributed"):
            raise ImportError(name)

sys.meta_path.insert(0, Hidden())
from kpca_viewer.cli.main import main
code = main({words!r})
assert "dask" not in sys.modules
sys.exit(code)
"""


def without_dask(*words):
    program = HIDDEN.format(words=[str(word) for word in words])
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True
    )


def test_without_the_extra_one_file_is_embedded(tmp_path):
    done = without_dask("embed", "circles", "--out", tmp_path / "rings.csv")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "rings.csv").exists()


def test_without_the_extra_a_folder_is_embedded(tmp_path):
    folder = tmp_path / "measured"
    folder.mkdir()
    for number in range(3):
        lines = [f"{i % 7 + number},{(i * i) % 11}" for i in range(40)]
        (folder / f"{number}.csv").write_text("\n".join(["x,y", *lines]) + "\n")
    done = without_dask("embed", folder, "--out", tmp_path / "scores")
    assert done.returncode == 0, done.stderr
    assert len(list((tmp_path / "scores").glob("*.parquet"))) == 3


def test_without_the_extra_a_cluster_says_what_to_install(tmp_path):
    where = "--scheduler", "tcp://localhost:1"
    done = without_dask("embed", tmp_path, "--out", tmp_path / "scores", *where)
    assert done.returncode == 2
    assert "needs the extra: pip install 'kpca-viewer[cluster]'" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "scores").exists()
