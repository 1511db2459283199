"""The program as a process: no screen, exit codes, closing during work."""

import os
import subprocess
import sys

from PySide6.QtGui import QImage

THOROUGH = os.environ.get("KPCA_WATCHDOG") == "1"


def run(*arguments: str, folder, **environment: str) -> subprocess.CompletedProcess:
    """Run Python in a folder, with a home of its own and nobody's screen."""
    keep = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    }
    root = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={
            **keep,
            "XDG_CONFIG_HOME": str(folder / "config"),
            "XDG_STATE_HOME": str(folder / "state"),
            "PYTHONPATH": root,
            **environment,
        },
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
    times = 100 if THOROUGH else 12
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


def _complaints(done: subprocess.CompletedProcess) -> list[str]:
    excused = "This plugin does not support propagateSizeHints()"
    return [line for line in done.stderr.splitlines() if line != excused]
