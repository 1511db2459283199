"""A derivation as lines: what their grids show and how each number is explained."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from kpca_viewer.engine.notes import Place
from kpca_viewer.features.derivation import explanations as explain
from kpca_viewer.features.derivation import text
from kpca_viewer.features.derivation.checks import Check
from kpca_viewer.features.derivation.compute import Derivation
from kpca_viewer.features.derivation.grid_content import (
    Cell,
    ExplainedGrid,
    Explanation,
    GridContent,
)
from kpca_viewer.features.derivation.matrices import KEYS as MATRICES
from kpca_viewer.features.derivation.matrices import matrices_grid, matrices_note
from kpca_viewer.features.derivation.numbers import plain_table
from kpca_viewer.features.derivation.primal import (
    PrimalDual,
    primal_beside_dual,
    primal_grid,
    primal_note,
)
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.numerals import data_value

MOST_COMPONENTS = 8
"""Components that are written out: as many as there can be of eight rows."""


class DerivationContent:
    """Makes the grids of a derivation."""

    def __init__(
        self, derivation: Derivation, names: Mapping[int, str], first_new: int = 0
    ) -> None:
        self.derivation = derivation
        self._names = tuple(
            " ".join((names.get(row) or derivation.name(row)).split())
            for row in derivation.rows.tolist()
        )
        self._rows: tuple[int | None, ...] = tuple(derivation.rows.tolist())
        self._new = tuple(
            text.NEW.format(number=first_new + row.number + 1)
            for row in derivation.new_rows
        )
        self._more = not derivation.is_whole
        self._k = min(derivation.k, MOST_COMPONENTS)
        self._components = tuple(
            text.COMPONENT.format(number=j + 1) for j in range(self._k)
        )
        self._makers: dict[str, Callable[[], ExplainedGrid]] = {
            "points": self._points,
            "kernel": self._kernel,
            "means": self._means,
            "grand_mean": self._grand_mean,
            "centred": self._centred,
            "eigenvalues": self._eigenvalues,
            "vectors": self._vectors,
            "coefficients": self._coefficients,
            "scores": self._scores,
        }

    @property
    def components(self) -> int:
        return self._k

    def grid(self, key: str) -> ExplainedGrid | None:
        """Return a grid by its key; None where there is nothing to write."""
        if key == "points" and self.derivation.points is None:
            return None
        name, _, number = key.rpartition(":")
        if name:
            numbers = [row.number for row in self.derivation.new_rows]
            if int(number) not in numbers:
                # There is no such point, or the kernel cannot take it.
                return None
            place = numbers.index(int(number))
            made = self._new_row if name == "new" else self._new_scores
            return made(place)
        if key in MATRICES:
            return matrices_grid(self.derivation, key, self._names)
        if key == "primal":
            return primal_grid(self.derivation, self.primal)
        return self._makers[key]()

    @cached_property
    def primal(self) -> PrimalDual | None:
        """The covariance in feature space beside K̃; computed on first use."""
        return primal_beside_dual(self.derivation)

    # The steps

    def _points(self) -> ExplainedGrid:
        derivation = self.derivation
        points = derivation.points
        assert points is not None
        content = GridContent(
            "X",
            text.GRIDS["points"],
            points,
            tuple(tuple(data_value(v) for v in row) for row in points.tolist()),
            self._names,
            tuple(" ".join(name.split()) for name in derivation.feature_names),
            self._rows,
            more_lines=self._more,
            more_columns=derivation.d > points.shape[1],
            is_tinted=False,
        )
        return ExplainedGrid(content, self._of_point)

    def _of_point(self, cell: Cell) -> Explanation:
        derivation, (i, j) = self.derivation, cell
        row = int(derivation.rows[i])
        given = derivation.result.dataset.points[row, j]
        assert derivation.points is not None
        name, feature = self._names[i], derivation.feature_names[j]
        value = data_value(float(given))
        lines = [text.VALUE_OF_ROW.format(feature=feature, name=name, value=value)]
        if derivation.is_scaled:
            seen = data_value(float(derivation.points[cell]))
            lines.append(text.VALUE_SCALED.format(value=seen))
        return Explanation(title=f"{name}, {feature}", lines=tuple(lines), rows=(row,))

    def _kernel(self) -> ExplainedGrid:
        derivation = self.derivation
        return self._matrix(
            "K",
            text.GRIDS["kernel"],
            derivation.kernel_block,
            [row.kernel for row in derivation.new_rows],
            derivation.errors.kernel,
            (explain.of_entry, explain.of_new_entry),
        )

    def _centred(self) -> ExplainedGrid:
        derivation = self.derivation
        return self._matrix(
            derivation.matrix,
            text.GRIDS["centred" if derivation.center else "uncentred"],
            derivation.centred,
            [row.centred for row in derivation.new_rows],
            derivation.errors.centred,
            (explain.of_centred, explain.of_new_centred),
        )

    def _means(self) -> ExplainedGrid:
        derivation = self.derivation
        values = derivation.row_means[None, :]
        content = GridContent(
            "K̄ᵢ",
            text.GRIDS["means"],
            values,
            _texts(values, derivation.errors.means),
            (),
            self._names,
            (),
            self._rows,
            more_columns=self._more,
        )
        return ExplainedGrid(content, lambda cell: explain.of_mean(derivation, cell[1]))

    def _grand_mean(self) -> ExplainedGrid:
        derivation = self.derivation
        values = np.array([[derivation.grand_mean]])
        content = GridContent(
            "K̄",
            text.GRIDS["grand_mean"],
            values,
            _texts(values, derivation.errors.means),
            is_tinted=False,
        )
        return ExplainedGrid(content, lambda _: explain.of_grand_mean(derivation))

    def _eigenvalues(self) -> ExplainedGrid:
        derivation, k = self.derivation, self._k
        values = np.vstack([derivation.eigenvalues[:k], derivation.variances[:k]])
        errors = derivation.errors.eigenvalues[:k]
        content = GridContent(
            "",
            text.GRIDS["eigenvalues"],
            values,
            _texts(values[:1], errors) + _texts(values[1:], errors / derivation.n),
            ("μ", "λ = μ/n"),
            self._components,
            more_columns=derivation.k > k,
            is_tinted=False,
        )
        return ExplainedGrid(
            content, lambda cell: explain.of_eigenvalue(derivation, cell[1])
        )

    def _vectors(self) -> ExplainedGrid:
        derivation = self.derivation
        known = ~derivation.without_direction
        return self._by_component(
            "u",
            "vectors",
            np.where(known, derivation.vectors, np.nan),
            explain.of_vector,
        )

    def _coefficients(self) -> ExplainedGrid:
        block = self.derivation.coefficients
        return self._by_component("α", "coefficients", block, explain.of_coefficient)

    def _scores(self) -> ExplainedGrid:
        new = [row.scores[: self._k] for row in self.derivation.new_rows]
        block = self.derivation.scores
        return self._by_component("z", "scores", block, explain.of_score, new)

    def _by_component(
        self,
        symbol: str,
        key: str,
        block: Array,
        of_row: Callable[..., Explanation],
        new: Sequence[Array] = (),
    ) -> ExplainedGrid:
        errors: Array = getattr(self.derivation.errors, key)
        return self._matrix(
            symbol,
            text.GRIDS[key],
            block[:, : self._k],
            new,
            errors[: self._k],
            (of_row, explain.of_new_score),
            by_component=True,
        )

    def _matrix(
        self,
        symbol: str,
        title: str,
        block: Array,
        new: Sequence[Array],
        errors: float | Array,
        explained: tuple[Callable[..., Explanation], Callable[..., Explanation]],
        *,
        by_component: bool = False,
    ) -> ExplainedGrid:
        """Return rows against rows or components, and below them new points."""
        values, m = np.vstack([block, *new]), len(block)
        texts = _texts(values, errors)
        content = GridContent(
            symbol,
            title,
            values,
            _with_any(texts, values) if by_component else texts,
            (*self._names, *(self._new if new else ())),
            self._components if by_component else self._names,
            (*self._rows, *(None for _ in new)),
            () if by_component else self._rows,
            more_lines=self._more and not new,
            more_columns=self.derivation.k > self._k if by_component else self._more,
            added=len(new),
        )
        of_row, of_new = explained

        def explanation(cell: Cell) -> Explanation:
            i, j = cell
            if i < m:
                return of_row(self.derivation, i, j)
            return of_new(self.derivation, i - m, j)

        return ExplainedGrid(content, explanation)

    # New points

    def _new_row(self, place: int) -> ExplainedGrid:
        """Return how the kernel row of a new point is centred."""
        derivation = self.derivation
        new, errors = derivation.new_rows[place], derivation.errors
        lines = [new.kernel]
        texts = _texts(new.kernel[None, :], errors.kernel)
        names = ["k(xᵢ, x*)"]
        if new.is_centred:
            lines += [derivation.row_means, new.centred]
            texts += _texts(derivation.row_means[None, :], errors.means)
            texts += _texts(new.centred[None, :], errors.centred)
            names += ["K̄ᵢ", "k̃(xᵢ, x*)"]
        content = GridContent(
            "",
            text.GRIDS["new"].format(name=self._new[place]),
            np.vstack(lines),
            texts,
            tuple(names),
            self._names,
            (),
            self._rows,
            more_columns=self._more,
        )

        def explanation(cell: Cell) -> Explanation:
            line, i = cell
            if line == 0:
                return explain.of_new_entry(derivation, place, i)
            if line == 1:
                return explain.of_mean(derivation, i)
            return explain.of_new_centred(derivation, place, i)

        return ExplainedGrid(content, explanation)

    def _new_scores(self, place: int) -> ExplainedGrid:
        derivation, k = self.derivation, self._k
        values = derivation.new_rows[place].scores[None, :k]
        content = GridContent(
            "z",
            text.GRIDS["new_scores"].format(name=self._new[place]),
            values,
            _texts(values, derivation.errors.scores[:k]),
            (),
            self._components,
            more_columns=derivation.k > k,
        )
        return ExplainedGrid(
            content, lambda cell: explain.of_new_score(derivation, place, cell[1])
        )


def _with_any(texts: tuple[tuple[str, ...], ...], values: Array) -> Any:
    """Return texts in which whatever is no number is "any"."""
    return tuple(
        tuple(text.ANY if np.isnan(v) else x for x, v in zip(*row, strict=True))
        for row in zip(texts, values, strict=True)
    )


def _texts(values: Array, errors: float | Array) -> tuple[tuple[str, ...], ...]:
    """Return a matrix (m, k) as people read it; errors of all, or of columns (k,)."""
    return tuple(map(tuple, plain_table(values, errors)))


@dataclass(frozen=True)
class PitfallState:
    """Whether a step is done that can be forgotten."""

    done: bool
    possible: bool = True
    """Whether it can be forgotten here."""
    words: str = ""
    """What is broken where it is forgotten, measured."""


@dataclass(frozen=True, eq=False)
class PageContent:
    """A derivation with its words."""

    content: DerivationContent
    notes: Mapping[str, str] = field(default_factory=dict)
    """Sentences by the keys of the lines."""
    hints: Mapping[str, str] = field(default_factory=dict)
    """What can be done there, which is of no use on paper."""
    checks: Sequence[Check] = ()
    pitfalls: Mapping[str, PitfallState] = field(default_factory=dict)
    """By the fields of `AnalysisSettings`."""
    positions: tuple[Place, ...] = ()
    """Of all new points."""
    can_drop: bool = False
    """Whether there can be new points at all."""

    def note_of(self, line: str) -> str:
        if line == "primal":
            return primal_note(self.content.derivation, self.content.primal)
        if line == "matrices":
            return matrices_note(self.content.derivation)
        return self.notes.get(line, "")

    def words_of(self, line: str) -> str:
        """Return the same with what can be done there."""
        return f"{self.note_of(line)} {self.hints.get(line, '')}".strip()

    def checks_of(self, line: str) -> list[Check]:
        step = "eigenvalues" if line == "eigen" else line
        most = self.content.components
        return [
            check
            for check in self.checks
            if check.step == step and (check.component or 0) < most
        ]
