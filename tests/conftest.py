"""What holds for every test."""

import gc
from collections.abc import Iterator

import pytest

# As in the program: a worker that collects garbage would destroy widgets of tests that
# have ended long ago, on the wrong thread.
gc.disable()


@pytest.fixture(autouse=True)
def garbage_of_this_thread() -> Iterator[None]:
    """Collect between two tests, on the main thread."""
    yield
    gc.collect(1)
