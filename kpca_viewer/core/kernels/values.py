"""Kernels as values: ``KernelPCA(kernel=rbf(0.5) + 0.1 * linear())``."""

from kpca_viewer.core.kernels.kernel import Kernel


def linear() -> Kernel:
    """xᵀy: linear PCA.

    See Also
    --------
    Kernel : what can be done with it.

    Examples
    --------
    >>> from kpca_viewer import KernelPCA, linear
    >>> KernelPCA(2, kernel=linear()).fit_transform([[0, 1], [1, 0], [2, 2]]).shape
    (3, 2)
    """
    return Kernel("linear")


def poly(degree: float = 3, gamma: float = 1, coef0: float = 1) -> Kernel:
    """(γ xᵀy + c)ᵈ.

    See Also
    --------
    Kernel : what can be done with it.

    Examples
    --------
    >>> from kpca_viewer import KernelPCA, poly
    >>> KernelPCA(2, kernel=poly()).fit_transform([[0, 1], [1, 0], [2, 2]]).shape
    (3, 2)
    """
    return Kernel("poly", degree=degree, gamma=gamma, coef0=coef0)


def rbf(gamma: float = 1) -> Kernel:
    """exp(−γ ‖x − y‖²).

    See Also
    --------
    Kernel : what can be done with it.

    Examples
    --------
    >>> from kpca_viewer import KernelPCA, rbf
    >>> KernelPCA(2, kernel=rbf()).fit_transform([[0, 1], [1, 0], [2, 2]]).shape
    (3, 2)
    """
    return Kernel("rbf", gamma=gamma)


def laplacian(gamma: float = 1) -> Kernel:
    """exp(−γ ‖x − y‖₁).

    See Also
    --------
    Kernel : what can be done with it.

    Examples
    --------
    >>> from kpca_viewer import KernelPCA, laplacian
    >>> KernelPCA(2, kernel=laplacian()).fit_transform([[0, 1], [1, 0], [2, 2]]).shape
    (3, 2)
    """
    return Kernel("laplacian", gamma=gamma)


def matern(length_scale: float = 1, nu: float = 1.5) -> Kernel:
    """Of smoothness ν, with length ℓ.

    See Also
    --------
    Kernel : what can be done with it.

    Examples
    --------
    >>> from kpca_viewer import KernelPCA, matern
    >>> KernelPCA(2, kernel=matern()).fit_transform([[0, 1], [1, 0], [2, 2]]).shape
    (3, 2)
    """
    return Kernel("matern", length_scale=length_scale, nu=nu)


def rational_quadratic(length_scale: float = 1, mixture: float = 1) -> Kernel:
    """RBF kernels of many lengths, mixed.

    See Also
    --------
    Kernel : what can be done with it.

    Examples
    --------
    >>> from kpca_viewer import KernelPCA, rational_quadratic
    >>> X = [[0, 1], [1, 0], [2, 2]]
    >>> KernelPCA(2, kernel=rational_quadratic()).fit_transform(X).shape
    (3, 2)
    """
    return Kernel("rational_quadratic", length_scale=length_scale, mixture=mixture)


def sigmoid(gamma: float = 1, coef0: float = 1) -> Kernel:
    """tanh(γ xᵀy + c), which may be indefinite.

    See Also
    --------
    Kernel : what can be done with it.

    Examples
    --------
    >>> from kpca_viewer import KernelPCA, sigmoid
    >>> KernelPCA(2, kernel=sigmoid()).fit_transform([[0, 1], [1, 0], [2, 2]]).shape
    (3, 2)
    """
    return Kernel("sigmoid", gamma=gamma, coef0=coef0)


def cosine() -> Kernel:
    """xᵀy / (‖x‖ ‖y‖).

    See Also
    --------
    Kernel : what can be done with it.

    Examples
    --------
    >>> from kpca_viewer import KernelPCA, cosine
    >>> KernelPCA(2, kernel=cosine()).fit_transform([[0, 1], [1, 0], [2, 2]]).shape
    (3, 2)
    """
    return Kernel("cosine")


def paraboloid() -> Kernel:
    """xᵀy + ‖x‖²‖y‖².

    See Also
    --------
    Kernel : what can be done with it.

    Examples
    --------
    >>> from kpca_viewer import KernelPCA, paraboloid
    >>> KernelPCA(2, kernel=paraboloid()).fit_transform([[0, 1], [1, 0], [2, 2]]).shape
    (3, 2)
    """
    return Kernel("paraboloid")
