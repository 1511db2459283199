"""A program of its own: replaces a matrix in a file by its eigenvectors and values."""

import sys

import numpy as np
from threadpoolctl import threadpool_limits


def main(n: int, path: str) -> None:
    K = np.memmap(path, dtype=np.float64, mode="r+", shape=(n + 1, n))
    # As everywhere: threads that other programs keep from running wait for each other.
    threadpool_limits(1, user_api="blas")
    K[n], K[:n] = np.linalg.eigh(K[:n])
    K.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
