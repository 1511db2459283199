"""Leading eigenpairs of matrices that have fewer than are asked for."""

import numpy as np

from kpca_viewer.core.choice.leading import leading_pairs, leading_values


def test_beyond_the_rank_there_is_nothing():
    X = np.random.default_rng(0).standard_normal((200, 3))
    A = X @ X.T
    values, vectors = leading_pairs(A, 8)
    exact = np.linalg.eigvalsh(A)[::-1][:8]
    np.testing.assert_allclose(values, exact, atol=1e-9 * exact[0])
    np.testing.assert_allclose(A @ vectors, vectors * values, atol=1e-9 * exact[0])
    assert vectors.shape == (200, 8)
    np.testing.assert_allclose(leading_values(A, 8), exact, atol=1e-9 * exact[0])
