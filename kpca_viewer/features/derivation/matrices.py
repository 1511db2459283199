"""The same in matrices: (I − 1ₙ)K(I − 1ₙ), D and V, and VᵀK̃ as a product."""

import numpy as np

from kpca_viewer.features.derivation import text
from kpca_viewer.features.derivation.compute import EPS, Derivation
from kpca_viewer.features.derivation.grid_content import (
    Cell,
    ExplainedGrid,
    Explanation,
    GridContent,
)
from kpca_viewer.features.derivation.numbers import adding_up, plain_table
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.numerals import as_it_is, lowered, upper_bound

KEYS = ("projector", "half", "both", "diagonal", "eigenvectors", "projected")
OF_CENTRING = ("projector", "half", "both")


def projector(n: int) -> Array:
    """Return ``I − 1ₙ``, where every entry of 1ₙ is 1/n."""
    return np.eye(n) - 1 / n


def matrix_of(derivation: Derivation, key: str) -> Array:
    """Return a matrix by its key, as the product that it is."""
    H, K = projector(derivation.n), derivation.kernel_block
    if key == "projector":
        return H
    if key in ("half", "both"):
        return H @ K if key == "half" else H @ K @ H
    if key == "diagonal":
        return np.diag(derivation.eigenvalues)
    known = np.where(derivation.without_direction, np.nan, derivation.vectors)
    if key == "eigenvectors":
        return np.asarray(known)
    # Where μ is 0 any vector is a right u, and its product is 0.
    return np.asarray(np.nan_to_num(known).T @ derivation.centred)


def matrices_grid(
    derivation: Derivation, key: str, names: tuple[str, ...]
) -> ExplainedGrid | None:
    """Return a matrix with its numbers; None where it is not written out."""
    if not derivation.is_whole or (key in OF_CENTRING and not derivation.center):
        return None
    values, rows = matrix_of(derivation, key), tuple(derivation.rows.tolist())
    components = tuple(text.COMPONENT.format(number=j + 1) for j in range(derivation.k))
    by_component = {"diagonal": (True, True), "eigenvectors": (False, True)}
    by_component["projected"] = (True, False)
    lines, columns = by_component.get(key, (False, False))
    error: float | Array = derivation.errors.centred + 8 * EPS
    if key in ("diagonal", "eigenvectors"):
        of_step = "eigenvalues" if key == "diagonal" else "vectors"
        error = getattr(derivation.errors, of_step)
    written = plain_table(values, error)
    if key == "eigenvectors":
        written = [
            [text.ANY if np.isnan(v) else x for x, v in zip(*line, strict=True)]
            for line in zip(written, values, strict=True)
        ]
    content = GridContent(
        text.SYMBOLS[key].format(matrix=derivation.matrix),
        text.GRIDS[key],
        values,
        tuple(map(tuple, written)),
        components if lines else names,
        components if columns else names,
        () if lines else rows,
        () if columns else rows,
        is_tinted=key != "diagonal",
    )
    return ExplainedGrid(
        content, lambda cell: _explained(derivation, key, values, cell)
    )


def matrices_note(derivation: Derivation) -> str:
    """Say how far the products agree, and what the null space changes."""
    if not derivation.is_whole:
        return text.MATRICES_OF_FEW
    K, values = derivation.centred, derivation.eigenvalues
    vectors, live = derivation.vectors, ~derivation.without_direction
    sentences = []
    if derivation.center:
        apart = float(np.abs(matrix_of(derivation, "both") - K).max(initial=0.0))
        sentences.append(text.PROJECTED_TWICE.format(difference=upper_bound(apart)))
    built = vectors[:, live] * values[live] @ vectors[:, live].T
    missing = float(np.abs(built - K).max(initial=0.0))
    sentences.append(
        text.DECOMPOSED.format(
            matrix=derivation.matrix, difference=upper_bound(missing)
        )
    )
    solved = K @ K @ vectors[:, live] - values[live] * (K @ vectors[:, live])
    empty = derivation.n - int(live.sum())
    sentences.append(
        text.NULL_SPACE.format(
            matrix=derivation.matrix,
            difference=upper_bound(float(np.abs(solved).max(initial=0.0))),
            size=empty,
            n=derivation.n,
        )
    )
    return "\n".join(sentences)


def _explained(
    derivation: Derivation, key: str, values: Array, cell: Cell
) -> Explanation:
    i, j = cell
    place = f"{lowered(i + 1)}{lowered(j + 1)}"
    symbol = text.SYMBOLS[key].format(matrix=derivation.matrix)
    value = float(values[cell])
    title = f"({symbol}){place} = {as_it_is(value) if value == value else text.ANY}"
    left, right = _factors(derivation, key)
    if left is None or right is None:
        about = text.ABOUT_MATRICES[key].format(n=derivation.n)
        return Explanation(title, (about,))
    scale = float(np.abs(right).max(initial=0.0))
    products = (left[i] * right[:, j]).tolist()
    terms, total = adding_up(products, value, derivation.errors.centred, scale)
    lines = [f"{' + '.join(terms)} = {total}".replace("+ −", "− ")]
    if key == "projected" and derivation.eigenvalues[i] > 0 and derivation.normalised:
        root = float(np.sqrt(derivation.eigenvalues[i]))
        score = derivation.scores[j, i]
        lines.append(text.OVER_ROOT.format(root=as_it_is(root), score=as_it_is(score)))
    return Explanation(title, (text.ABOUT_MATRICES[key], *lines))


def _factors(derivation: Derivation, key: str) -> tuple[Array | None, Array | None]:
    """Return the two matrices whose product one is; None for one that is none."""
    H, K = projector(derivation.n), derivation.kernel_block
    if key == "half":
        return H, K
    if key == "both":
        return H @ K, H
    if key == "projected":
        known = matrix_of(derivation, "eigenvectors")
        return np.nan_to_num(known).T, derivation.centred
    return None, None
