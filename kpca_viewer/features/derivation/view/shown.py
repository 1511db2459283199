"""ShownDerivation: all that the view shows of a derivation, beside its numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from kpca_viewer.engine.notes import Place
from kpca_viewer.features.derivation.checks import Check
from kpca_viewer.features.derivation.view.content import DerivationContent


@dataclass(frozen=True)
class PitfallState:
    """Whether a step is done that can be forgotten."""

    done: bool
    possible: bool = True
    """Whether it can be forgotten here."""
    words: str = ""
    """What is broken where it is forgotten, measured."""


@dataclass(frozen=True, eq=False)
class ShownDerivation:
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
        """Return what is said about the numbers of a line."""
        if line == "primal":
            return self.content.primal.note()
        return self.notes.get(line, "")

    def words_of(self, line: str) -> str:
        """Return the same with what can be done there."""
        return f"{self.note_of(line)} {self.hints.get(line, '')}".strip()

    def checks_of(self, line: str) -> list[Check]:
        """Return the checks that stand beside a line."""
        step = "eigenvalues" if line == "eigen" else line
        most = self.content.components
        return [
            check
            for check in self.checks
            if check.step == step and (check.component or 0) < most
        ]
