"""A file is the old or the new one at every moment, whatever goes wrong."""

import errno
import os
import re
import stat
import subprocess
import sys

import pytest

from kpca_viewer.support import atomic
from kpca_viewer.support.atomic import write_atomically
from kpca_viewer.support.errors import KpcaError


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "a.kpca"
    path.write_bytes(b"old")
    return path


def names(path):
    return sorted(entry.name for entry in path.parent.iterdir())


def test_new_content_takes_the_place_of_the_old(path):
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"
    assert names(path) == ["a.kpca"]


def test_a_file_that_was_not_there_is_made(tmp_path):
    write_atomically(str(tmp_path / "b.kpca"), b"")
    assert (tmp_path / "b.kpca").read_bytes() == b""


def test_rights_are_kept(path):
    path.chmod(0o640)
    write_atomically(path, b"new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_new_file_has_the_rights_of_any_other(path):
    other, plain = path.with_name("b"), path.with_name("c")
    plain.write_bytes(b"")
    write_atomically(other, b"new")
    assert other.stat().st_mode == plain.stat().st_mode


def test_a_link_stays_a_link(path):
    link = path.with_name("link.kpca")
    link.symlink_to(path.name)
    write_atomically(link, b"new")
    assert link.is_symlink()
    assert path.read_bytes() == b"new"


@pytest.mark.parametrize(
    ("function", "code", "says"),
    [
        ("fsync", errno.ENOSPC, "the disk is full"),
        ("fsync", errno.EDQUOT, "share of the disk"),
        ("fsync", errno.EIO, "the system says “broken”"),
        ("replace", errno.EACCES, "may not be written"),
        ("replace", errno.EROFS, "read-only"),
        ("replace", errno.ENOENT, "does not exist any more"),
    ],
)
def test_a_failure_leaves_the_old_file_alone(path, monkeypatch, function, code, says):
    def fail(*_):
        raise OSError(code, "broken")

    monkeypatch.setattr(atomic.os, function, fail)
    with pytest.raises(KpcaError, match=says) as caught:
        write_atomically(path, b"new")
    monkeypatch.undo()
    assert str(caught.value).startswith("“a.kpca” was not saved: ")
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == b"old"
    assert names(path) == ["a.kpca"]


def test_an_interruption_leaves_nothing_behind(path, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(atomic.os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(path, b"new")
    monkeypatch.undo()
    assert path.read_bytes() == b"old"
    assert names(path) == ["a.kpca"]


def test_a_disk_that_really_takes_no_more(path):
    resource = pytest.importorskip("resource", reason="only POSIX limits files")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, hard))
    try:
        with pytest.raises(KpcaError, match="too large for this disk"):
            write_atomically(path, bytes(50_000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_bytes() == b"old"
    assert names(path) == ["a.kpca"]


def test_what_is_no_plain_file_is_never_replaced(path):
    pipe = path.with_name("pipe.kpca")
    os.mkfifo(pipe)
    with pytest.raises(KpcaError, match="this is a device or a pipe"):
        write_atomically(pipe, b"new")
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert names(path) == ["a.kpca", "pipe.kpca"]


def test_a_folder_that_vanished(tmp_path):
    with pytest.raises(KpcaError, match="its folder does not exist any more"):
        write_atomically(tmp_path / "gone" / "a.kpca", b"new")


def test_a_folder_that_is_a_file(path):
    with pytest.raises(KpcaError, match="its folder is a file"):
        write_atomically(path / "b.kpca", b"new")


def test_a_folder_in_place_of_a_file(tmp_path):
    with pytest.raises(KpcaError, match="this is a folder"):
        write_atomically(tmp_path, b"new")


def test_a_file_that_is_read_only_stays(path, monkeypatch):
    # The super-user may write everything, so the answer is given here.
    monkeypatch.setattr(atomic.os, "access", lambda *_: False)
    with pytest.raises(KpcaError, match="may not be written"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"


@pytest.mark.parametrize("name", ["a\0b", "\udce4" * 300, "x" * 300])
def test_a_name_that_cannot_be(tmp_path, name):
    with pytest.raises(KpcaError, match=r"cannot be the name|too long"):
        write_atomically(tmp_path / name, b"new")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["x" * 250, "ä" * 120, "\udce4.kpca"])
def test_the_longest_names_work(tmp_path, name):
    write_atomically(tmp_path / name, b"new")
    assert (tmp_path / name).read_bytes() == b"new"


def test_what_a_killed_process_left_is_cleared_later(path):
    old, young, foreign = (
        path.with_name(name)
        for name in (".a.kpca.x1.kpca-tmp", ".a.kpca.x2.kpca-tmp", ".b.x3.kpca-tmp")
    )
    for left in (old, young, foreign):
        left.write_bytes(b"half")
    for left in (old, foreign):
        os.utime(left, (1e9, 1e9))
    write_atomically(path, b"new")
    assert names(path) == sorted([path.name, young.name, foreign.name])


def test_what_an_ended_process_left_is_cleared_by_the_next_save(path):
    """Of every name in the folder, but of no process that still runs."""
    code = f"""
import os, signal
from kpca_viewer.support.atomic import write_atomically
write_atomically({str(path.with_name("b.csv"))!r}, lambda file: os.kill(os.getpid(), 9))
"""
    subprocess.run([sys.executable, "-c", code], check=False)
    (ended,) = path.parent.glob(".b.csv.*.kpca-tmp")
    running = ended.with_name(re.sub(r"-\d+\.", f"-{os.getpid()}.", ended.name))
    running.write_bytes(b"half")
    write_atomically(path, b"new")
    assert ended.exists(), "too young to be sure"
    for left in (ended, running):
        os.utime(left, (1e9, 1e9))
    write_atomically(path, b"new")
    assert names(path) == sorted([path.name, running.name])


def test_a_folder_that_cannot_be_synced_is_no_trouble(path, monkeypatch):
    def fail(*_):
        raise OSError(errno.EINVAL, "not here")

    monkeypatch.setattr(atomic.os, "open", fail)
    atomic.sync_folder(path.parent)
    monkeypatch.undo()
    monkeypatch.setattr(atomic.os, "name", "nt")
    atomic.sync_folder(path.parent)
