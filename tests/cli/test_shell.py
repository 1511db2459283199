"""What a shell can do to a command: locked folders, full and closed streams, Ctrl+C."""

import os
import resource
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from kpca_viewer.cli import main as cli

UNPRIVILEGED = ("setpriv", "--bounding-set=-dac_override,-dac_read_search")
TABLE = "a,b,kind\n1,2,x\n3,4,y\n5,6,x\n2,9,y\n8,1,x\n4,4,y\n"

LOCKED = """\
embed lock/t.csv --out a.csv
embed t.csv --out lock/a.csv
embed t.csv --out a.csv --model lock/m.npz
embed t.csv lock/t.csv --out o
embed lock --out o
embed parts --out lock/o
render lock/t.csv --out a.png
render lock/s.kpca --out a.png
report t.csv --out lock/a.html
sweep t.csv --gamma 1:2:2 --out lock/s
choose lock/t.csv
lock/t.csv"""

# One process for all: most of the time is spent on loading modules.
RUN_ALL = """
import sys
from kpca_viewer.cli.main import main
for line in sys.stdin.read().splitlines():
    print(main(line.split()), flush=True)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text(TABLE)
    Path("parts").mkdir()
    Path("parts/1.csv").write_text(TABLE)
    return tmp_path


@pytest.mark.journey
def test_a_folder_that_may_not_be_entered_is_one_sentence(folder):
    is_root = os.geteuid() == 0
    if is_root and shutil.which("setpriv") is None:
        pytest.skip("the super-user may enter every folder")
    Path("lock").mkdir(mode=0)
    command = [*(UNPRIVILEGED if is_root else ()), sys.executable, "-c", RUN_ALL]
    done = subprocess.run(
        command, input=LOCKED, capture_output=True, text=True, check=False
    )
    lines = done.stderr.splitlines()
    assert done.stdout.split() == ["2"] * len(LOCKED.splitlines()), done.stderr
    assert len(lines) == len(LOCKED.splitlines()), done.stderr
    assert all("may not be" in line for line in lines), done.stderr


FULL = "os.dup2(os.open('/dev/full', os.O_WRONLY), {})"
CLOSED = "os.close({})"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has it")
@pytest.mark.parametrize(
    ("words", "spoil", "code", "told"),
    [
        ("embed t.csv --out a.csv", FULL.format(1), 2, "output takes no more"),
        ("embed t.csv --out -", FULL.format(1), 2, "output takes no more"),
        ("--help", FULL.format(1), 2, "output takes no more"),
        ("embed t.csv --out a.csv", CLOSED.format(1), 2, "output is closed"),
        ("embed t.csv --out a.csv --quiet", CLOSED.format(1), 0, ""),
        ("embed no.csv --out a.csv", FULL.format(2), 2, ""),
        ("embed no.csv --out a.csv", CLOSED.format(2), 2, ""),
        ("embed - --out a.csv", CLOSED.format(0), 2, "is empty"),
        ("embed t.csv --out a.csv", "os.rmdir(os.getcwd())", 2, "folder is gone"),
    ],
)
def test_streams_and_folders_that_are_of_no_use(
    programs, folder, words, spoil, code, told
):
    gone = folder / "gone"
    gone.mkdir()
    place = gone if "gone" in told else folder
    done = programs(*words.split(), folder=place, spoil=spoil)
    assert (done.code, told in done.err) == (code, True), done.err
    assert done.err.count("\n") == bool(told)


@pytest.mark.parametrize("out", ["-", "c.npy"])
def test_a_reader_that_has_seen_enough_is_no_trouble(programs, folder, out):
    words = ["embed", "t.csv", "--out", out, *(["--quiet"] if out == "-" else [])]
    unread = "r, w = os.pipe(); os.close(r); os.dup2(w, 1)"
    done = programs(*words, folder=folder, spoil=unread)
    assert (done.code, done.err) == (0, "")
    assert out == "-" or (folder / out).exists()


INTERRUPTED_IMPORT = """
import os, signal, sys
from importlib.abc import MetaPathFinder
class Interrupt(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == MODULE:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupt())
sys.argv = ["kpca-viewer", "render", "circles", "--out", "a.png"]
from kpca_viewer.__main__ import main
sys.exit(main())
"""


@pytest.mark.journey
@pytest.mark.parametrize("module", ["argparse", "PySide6.QtWidgets"])
def test_an_interrupted_import_is_one_sentence(folder, module):
    code = INTERRUPTED_IMPORT.replace("MODULE", repr(module))
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 130, done.stderr
    assert done.stderr.endswith("stopped.\n")
    assert done.stderr.count("\n") == 1


@pytest.mark.journey
def test_an_interrupt_before_anything_can_be_said_is_silent(folder):
    module = "kpca_viewer.console.terminal"
    code = INTERRUPTED_IMPORT.replace("MODULE", repr(module))
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (-signal.SIGINT, "")


INTERRUPTED_WRITING = """
import os, signal
import PySide6.QtCore
from kpca_viewer.console.terminal import stop_on_interrupt
from kpca_viewer.support.atomic import write_atomically
stop_on_interrupt()
write_atomically("half.csv", lambda file: os.kill(os.getpid(), signal.SIGINT))
"""


def test_an_interrupt_beside_qt_leaves_no_half_file(folder):
    before = set(os.listdir(folder))
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_WRITING], capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (130, b"kpca-viewer: stopped.\n")
    assert set(os.listdir(folder)) == before


@pytest.fixture
def program(folder, capsys, qapp):
    def program(*words):
        try:
            code = cli.main(words)
        except SystemExit as end:
            code = end.code
        return code, capsys.readouterr().err

    return program


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("embed circles --samples 1e12 --out a.csv", "1·10¹² samples needs"),
        ("embed circles --samples 1.5 --out a.csv", "“1.5” is not a whole number"),
        ("embed circles --seed 99999999999 --out a.csv", "at most 4,294,967,295"),
        ("embed circles --gamma 1e308 --out a.csv", "overflows with"),
        ("embed circles --gamma x --out a.csv", "“x” is not a number"),
        ("embed missing[1].csv --out a.csv", "“missing[1].csv” does not exist"),
        ("sweep missing[1].csv --out s", "“missing[1].csv” does not exist"),
        ("embed loop.csv --out a.csv", "leads back to itself"),
        ("embed t.csv --out loop.csv", "leads back to itself"),
        ("embed t.csv --out= ", "An argument is empty"),
        ("render circles --what data --mm 9x9 --dpi 0 --out a.png", "0 dpi is no"),
        ("render circles --size 99999x99999 --out a.png", "are too many"),
        ("render circles --size 1x1 --out a.png", "show nothing"),
        ("render circles --what preimage --at nan 0 --out a.png", "two finite numbers"),
        ("embed parts --scheduler tcp://host:99999 --out o", "not the address"),
    ],
)
def test_what_makes_no_sense_is_one_sentence(program, words, told):
    Path("loop.csv").symlink_to("loop.csv")
    code, err = program(*words.split())
    assert code == 2
    assert told in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("room", [0, 4096])
def test_a_sweep_without_room_for_a_point_leaves_nothing(program, room):
    """The second one has room for what the sweep is, and for half of a point."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        code, err = program(*["sweep", "circles", "--gamma", "1:2:2", "--out", "new/s"])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert code == 2
    assert "was not saved" in err
    assert not Path("new").exists()
