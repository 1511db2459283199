"""What the tests of exports have in common."""

import os

# Before the first import of Qt: tests never open a window on somebody's screen.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from threadpoolctl import threadpool_limits


def pytest_configure(config: pytest.Config) -> None:
    """Excuse the offscreen platform, which says so for every window that is shown."""
    config.addinivalue_line("qt_log_ignore", "does not support propagateSizeHints")


@pytest.fixture(scope="package", autouse=True)
def one_blas_thread():
    """Matrices this small gain nothing from threads that wait for each other."""
    with threadpool_limits(1, user_api="blas"):
        yield
