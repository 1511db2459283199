"""Programs of their own that read what a library may not survive, within limits."""

import os
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic

import psutil

from kpca_viewer.data.files.source import TICK, Reading
from kpca_viewer.support.errors import DataError
from kpca_viewer.support.programs import command

MEMORY = 512 << 20
SECONDS = 60
"""What any file may take of memory and processor time, beside its size."""
STANDSTILL = 30.0
"""Seconds without any processor time after which a child will not come back."""


def run_child(
    reading: Reading, program: str | None, words: Sequence[object], size: int, why: str
) -> None:
    """Run one and wait; it ends if reading is cancelled.

    ``program``: its file; ``words``: what it is told, behind the limits of memory and
    processor time; ``size``: bytes that it may have to hold many times; ``why``: what
    is said of a file where it fails.
    """
    limits = MEMORY + 100 * size, SECONDS + size // 1_000_000
    child = subprocess.Popen(
        command(program or "", *limits, *words),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        # Out of memory, Rust waits for itself for ever while it writes a backtrace.
        env=os.environ | {"RUST_BACKTRACE": "0"},
    )
    try:
        used, since = -1.0, monotonic()
        while child.poll() is None:
            reading.step(None)
            with suppress(psutil.Error):  # it may have ended just now
                if (now := sum(psutil.Process(child.pid).cpu_times()[:2])) > used:
                    used, since = now, monotonic()
            if monotonic() - since > STANDSTILL:
                break
            try:
                child.wait(TICK)
            except subprocess.TimeoutExpired:
                continue
    finally:
        child.kill()
        child.wait()
    if child.returncode:
        raise DataError(f"{reading.title} {why}.")
