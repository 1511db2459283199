"""Leading eigenpairs of small matrices, one by one and several at once."""

import numpy as np

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg.eigenpairs import leading_pairs, leading_values
from kpca_viewer.core.linalg.gram import STACKED, kernel_matrices, kernel_stacks
from kpca_viewer.core.linalg.products import double_center


def test_beyond_the_rank_there_is_nothing():
    X = np.random.default_rng(0).standard_normal((200, 3))
    A = X @ X.T
    values, vectors = leading_pairs(A, 8)
    exact = np.linalg.eigvalsh(A)[::-1][:8]
    np.testing.assert_allclose(values, exact, atol=1e-9 * exact[0])
    np.testing.assert_allclose(A @ vectors, vectors * values, atol=1e-9 * exact[0])
    assert vectors.shape == (200, 8)
    assert not values[3:].any()
    np.testing.assert_allclose(leading_values(A, 8), exact, atol=1e-9 * exact[0])


def test_a_stack_has_the_pairs_of_its_matrices():
    random = np.random.default_rng(0)
    # A flat spectrum, a steep one, and two different eigenvalues in all.
    roots = random.standard_normal((3, 150, 150))
    roots[1] /= np.arange(1, 151) ** 2
    roots[2, :, 2:] = 0
    stack = double_center(roots @ roots.transpose(0, 2, 1))
    values, vectors = leading_pairs(stack, 4)
    np.testing.assert_array_equal(leading_values(stack, 4).shape, (3, 4))
    for A, mu, V in zip(stack, values, vectors, strict=True):
        exact = np.linalg.eigvalsh(A)[::-1][:4]
        np.testing.assert_allclose(mu, exact, atol=1e-2 * exact[0])
        np.testing.assert_allclose(V.T @ V, np.eye(4), atol=1e-12)
        alone, alone_vectors = leading_pairs(A, 4)
        np.testing.assert_allclose(mu, alone, atol=1e-12 * exact[0])
        np.testing.assert_allclose(leading_values(A, 4), mu, atol=1e-12 * exact[0])
        live = mu > 0
        np.testing.assert_allclose(
            np.abs((V * alone_vectors).sum(axis=0))[live], 1, atol=1e-9
        )


def test_small_kernel_matrices_come_several_at_once():
    X = np.random.default_rng(0).standard_normal((200, 2))
    curved = [Kernel("rbf", gamma=gamma) for gamma in np.geomspace(0.1, 10, 9)]
    kernels = [*curved, Kernel("sigmoid", gamma=0.5), Kernel("linear")]
    alone = [K for _, K in kernel_matrices(X, kernels, center=True)]
    places = []
    for stack_places, stack in kernel_stacks(X, kernels, center=True):
        assert stack.size <= STACKED
        assert len({kernels[place].psd for place in stack_places}) == 1
        places.append(stack_places)
        for place, K in zip(stack_places, stack, strict=True):
            np.testing.assert_array_equal(K, alone[place])
    assert places == [[0, 1, 2, 3, 4, 5, 6], [7, 8], [9], [10]]
