"""The program as a process: no screen, exit codes, closing during work."""

import os
import signal
import subprocess
import sys

import pytest
from PySide6.QtGui import QImage

from kpca_viewer.engine.document.recovery import abandoned_copies
from tests.e2e.closing import MOMENTS

THOROUGH = os.environ.get("KPCA_WATCHDOG") == "1"


def alone(folder, **environment: str) -> dict[str, str]:
    """Return an environment with a home of its own and nobody's screen."""
    keep = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    }
    root = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
    return {
        **keep,
        "XDG_CONFIG_HOME": str(folder / "config"),
        "XDG_STATE_HOME": str(folder / "state"),
        "PYTHONPATH": root,
        **environment,
    }


def run(*arguments: str, folder, **environment: str) -> subprocess.CompletedProcess:
    """Run Python in a folder and wait for its end."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=alone(folder, **environment),
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


def test_without_a_screen_the_session_becomes_a_picture(tmp_path):
    done = run("-m", "kpca_viewer", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert done.stdout.startswith("There is no screen here")
    assert "Saved kpca_viewer.png" in done.stdout
    picture = QImage(str(tmp_path / "kpca_viewer.png"))
    assert (picture.width(), picture.height()) == (1366, 768)
    # A picture is nobody's last session.
    assert not list(tmp_path.rglob("*.ini"))


def test_a_bad_option_is_one_line_and_exit_code_2(tmp_path):
    done = run("-m", "kpca_viewer", "--sampels", "7", folder=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "--sampels" in done.stderr


def test_show_without_a_screen_is_an_exception(tmp_path):
    code = "import kpca_viewer; kpca_viewer.show([[0, 1], [1, 0], [2, 3]])"
    done = run("-c", code, folder=tmp_path)
    assert done.returncode == 1, done.stderr
    last = done.stderr.splitlines()[-1]
    assert last.startswith("RuntimeError: There is no screen here")
    assert "kpca-viewer render" in last


def test_show_works_again_and_inside_a_loop_that_runs(tmp_path):
    done = run(
        "-m",
        "tests.e2e.showing",
        str(tmp_path),
        folder=tmp_path,
        QT_QPA_PLATFORM="offscreen",
    )
    assert done.returncode == 0, done.stderr
    assert _complaints(done) == []
    assert done.stdout.splitlines() == [
        "first – kpca_viewer",
        "second – kpca_viewer",
        "cell – kpca_viewer",
        "theirs is open",
    ]


def test_closing_during_work_again_and_again(tmp_path):
    times = 100 if THOROUGH else MOMENTS
    done = run(
        "-m",
        "tests.e2e.closing",
        str(times),
        str(tmp_path),
        folder=tmp_path,
        QT_QPA_PLATFORM="offscreen",
    )
    assert done.returncode == 0, done.stderr
    assert _complaints(done) == []
    closed, busy = (int(word) for word in done.stdout.split() if word.isdigit())
    assert closed == times
    assert busy > times / 2, "the work was over before the window was closed"


def working(folder, how: str, said: str) -> subprocess.Popen:
    """Start the program and wait until somebody works in it."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.e2e.signalled", str(folder), how],
        cwd=folder,
        env=alone(folder, QT_QPA_PLATFORM="offscreen"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Whoever runs the tests by nohup has not meant the program in them.
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),
    )
    assert process.stdout.readline() == f"{said}\n", process.communicate()
    return process


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
@pytest.mark.parametrize(
    ("number", "how", "code"),
    [
        (signal.SIGINT, "busy", 130),
        (signal.SIGTERM, "idle", 143),
        (signal.SIGHUP, "idle", 129),
        (signal.SIGKILL, "killed", -signal.SIGKILL),
    ],
)
def test_work_survives_a_signal(tmp_path, number, how, code):
    process = working(tmp_path, how, "kept" if how == "killed" else "working")
    process.send_signal(number)
    _, errors = process.communicate(timeout=240)
    assert process.returncode == code, errors
    assert "Traceback" not in errors
    (orphan,) = abandoned_copies(tmp_path / "state" / "kpca_viewer")
    kernel = orphan.restore().settings.kernel
    assert kernel.family == "laplacian"


def _complaints(done: subprocess.CompletedProcess) -> list[str]:
    excused = "This plugin does not support propagateSizeHints()"
    return [line for line in done.stderr.splitlines() if line != excused]
