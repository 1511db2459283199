"""After a crash little is lost, and nothing is thrown away unasked."""

from dataclasses import replace

from PySide6.QtCore import QTimer

from kpca_viewer.engine.document.model import Document
from kpca_viewer.engine.document.recovery import (
    Owner,
    Swap,
    abandoned_copies,
    this_process,
)
from kpca_viewer.window import session_saver
from tests.e2e.program import SMALL, with_kernel

GONE = Owner(2**22 + 1, "1", this_process().machine, "an earlier one")
"""A process of a run of this computer that is over."""


def leave(state, *families) -> None:
    for family in families:
        path = state.parent / f"{family}.kpca"
        Swap(state, GONE).write(Document(with_kernel(family)), path)


def test_all_that_is_left_is_offered_and_only_the_restored_one_goes(start, state):
    leave(state, "cosine", "laplacian", "linear")
    program = start(SMALL)
    assert "“linear.kpca” ended without being closed" in program.message()
    program.click(program.buttons()["Restore"])
    program.until(lambda: program.settings.kernel.family == "linear")
    program.settle()
    assert {orphan.path.stem for orphan in abandoned_copies(state)} == {
        "cosine",
        "laplacian",
    }
    # Its data came with it, and the others are still offered.
    assert "“laplacian.kpca” ended without being closed" in program.message()
    program.click(program.buttons()["Forget it"])
    assert [orphan.path.stem for orphan in abandoned_copies(state)] == ["cosine"]
    # Closing a message is no answer: it is asked again at the next start.
    program.click(program.window.message_bar.findChild(object, "message_close"))
    assert program.message() == ""
    program.window.close()
    assert "“cosine.kpca” ended" in start(SMALL).message()


def copies(state) -> list:
    return list(state.glob("*swap"))


def steadily(program, interval=5) -> QTimer:
    """Let somebody work without a pause, as a hand on a slider does."""
    timer = QTimer(program.window, interval=interval)
    store = program.viewer.store

    def change() -> None:
        gamma = dict(store.settings.kernel.values).get("gamma", 1.0) * 1.0001
        kernel = store.settings.kernel.with_value("gamma", gamma)
        store.update(replace(store.settings, kernel=kernel), "drag")

    timer.timeout.connect(change)
    timer.start()
    return timer


def test_steady_work_does_not_put_the_copy_off(start, state, monkeypatch):
    monkeypatch.setattr(session_saver, "SWAP_AFTER", 100)
    program = start(SMALL)
    timer = steadily(program)

    program.until(lambda: bool(copies(state)))
    first = copies(state)[0].stat().st_mtime_ns
    program.until(lambda: copies(state)[0].stat().st_mtime_ns > first)
    timer.stop()


def test_the_copy_is_never_older_than_five_seconds():
    assert session_saver.SWAP_AFTER <= 5000


def test_after_a_full_disk_the_copy_is_made_again(start, state, monkeypatch):
    monkeypatch.setattr(session_saver, "SWAP_AFTER", 20)
    monkeypatch.setattr(session_saver, "AGAIN_AFTER", 20)
    state.write_bytes(b"a file where the folder should be")
    program = start(SMALL)
    program.viewer.store.update(with_kernel("cosine"))
    program.until(lambda: "No copy against a crash" in program.message())
    state.unlink()
    # By itself, without another change.
    program.until(lambda: bool(copies(state)))
    program.until(lambda: "No copy" not in program.message())
