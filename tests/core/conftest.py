"""What all tests of the mathematics share."""

import pytest
from threadpoolctl import threadpool_limits


@pytest.fixture(scope="package", autouse=True)
def one_thread():
    """Small matrices: the threads of BLAS would only wait for each other."""
    with threadpool_limits(1, user_api="blas"):
        yield
