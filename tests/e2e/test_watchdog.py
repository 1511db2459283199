"""The window never freezes while γ moves."""

import os
import sys

import pytest

from benchmarks import watchdog


@pytest.mark.watchdog
@pytest.mark.skipif(
    os.environ.get("KPCA_WATCHDOG") != "1", reason="takes long; KPCA_WATCHDOG=1 runs it"
)
def test_the_longest_gap_of_the_ui_thread(start, capsys):
    measured = watchdog.run()
    with capsys.disabled():
        sys.stdout.write(f"\n{measured}\n")
    assert measured["results"] >= len(watchdog.GAMMAS)
    # The work of the window itself, whatever else the machine has to do.
    assert measured["longest_work_ms"] < 50
    # A loaded machine is slower than the 50 ms that a free one has to keep.
    assert measured["longest_gap_ms"] < 150
