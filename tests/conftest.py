"""What holds for every test."""

import gc
from collections.abc import Iterator

import pytest
from hypothesis import settings

# How long an example takes is the machine's business, not a property of the code.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")

# As in the program: a worker that collects garbage would destroy widgets of tests that
# have ended long ago, on the wrong thread.
gc.disable()


@pytest.fixture(autouse=True)
def garbage_of_this_thread() -> Iterator[None]:
    """Collect between two tests, on the main thread."""
    yield
    gc.collect(1)
