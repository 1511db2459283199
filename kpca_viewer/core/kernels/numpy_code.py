"""How every kernel is computed in NumPy: the body of a function of two sets of points.

``A`` (m, d) and ``B`` (n, d) are given; K (m, n) is returned.
"""

from kpca_viewer.core.kernels.functions import Values

_SQUARES = "squares = np.square(A[:, None] - B).sum(axis=2)"


def _number(value: float) -> str:
    """Return a number as Python writes it; whole ones without a point."""
    return repr(int(value)) if value == int(value) else repr(value)


def _affine_code(values: Values) -> str:
    product = "A @ B.T"
    if values["gamma"] != 1:
        product = f"{_number(values['gamma'])} * ({product})"
    c = values["coef0"]
    if not c:
        return product
    sign = "+" if c > 0 else "-"
    return f"{product} {sign} {_number(abs(c))}"


def _scaled(factor: float, what: str) -> str:
    return what if factor == 1 else f"{_number(factor)} * {what}"


def linear(values: Values) -> list[str]:
    """Return the body for ``xᵀy``."""
    return ["return A @ B.T"]


def polynomial(values: Values) -> list[str]:
    """Return the body for ``(γ xᵀy + c)^p``."""
    power = "" if values["degree"] == 1 else f" ** {_number(values['degree'])}"
    inside = _affine_code(values)
    return [f"return ({inside}){power}" if power else f"return {inside}"]


def gaussian(values: Values) -> list[str]:
    """Return the body for ``exp(−γ‖x − y‖²)``."""
    return [_SQUARES, f"return np.exp(-{_scaled(values['gamma'], 'squares')})"]


def laplacian(values: Values) -> list[str]:
    """Return the body for ``exp(−γ‖x − y‖₁)``."""
    return [
        "sizes = np.abs(A[:, None] - B).sum(axis=2)",
        f"return np.exp(-{_scaled(values['gamma'], 'sizes')})",
    ]


def matern(values: Values) -> list[str]:
    """Return the body for half-integer Matérn functions."""
    nu, length = values["nu"], values["length_scale"]
    root = f"np.sqrt({_number(2 * nu)}) * " if nu != 0.5 else ""
    per = "" if length == 1 else f" / {_number(length)}"
    front = {0.5: "", 1.5: "(1 + t) * ", 2.5: "(1 + t + t**2 / 3) * "}[nu]
    return [
        _SQUARES,
        f"t = {root}np.sqrt(squares){per}",
        f"return {front}np.exp(-t)",
    ]


def rational_quadratic(values: Values) -> list[str]:
    """Return the body for ``(1 + ‖x − y‖²/(2aℓ²))^(−a)``."""
    a, length = values["mixture"], values["length_scale"]
    below = f"(2 * {_number(a)} * {_number(length)} ** 2)"
    return [_SQUARES, f"return (1 + squares / {below}) ** -{_number(a)}"]


def sigmoid(values: Values) -> list[str]:
    """Return the body for ``tanh(γ xᵀy + c)``."""
    return [f"return np.tanh({_affine_code(values)})"]


def cosine(values: Values) -> list[str]:
    """Return the body for ``xᵀy / (‖x‖ ‖y‖)``."""
    return [
        "A = A / np.linalg.norm(A, axis=1)[:, None]",
        "B = B / np.linalg.norm(B, axis=1)[:, None]",
        "return A @ B.T",
    ]


def paraboloid(values: Values) -> list[str]:
    """Return the body for ``xᵀy + ‖x‖²‖y‖²``."""
    return ["return A @ B.T + np.outer((A**2).sum(axis=1), (B**2).sum(axis=1))"]
