"""What a lesson is: frozen values, read from files and never changed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from kpca_viewer.engine.document.model import Document

Kind = Literal["choice", "number", "matrix", "click", "place", "state"]

MOST_WORDS = 60
"""Of the text of a step."""


@dataclass(frozen=True)
class Reply:
    """What is said to one known wrong answer."""

    answer: str
    """As the person would give it: an option by its number, a number, "rows 1 3"; of a
    matrix "1 0; 0 1" or the cell "[2,3] = 1296"; of a state, a comparison."""
    text: str


@dataclass(frozen=True)
class Question:
    """Something to answer before the step goes on."""

    kind: Kind
    text: str
    options: tuple[str, ...] = ()
    """Of a choice."""
    answer: str = ""
    """The number of the right option from 1, or an expression of published values; of a
    matrix, the name of one ("K" or "Kc"), of a click "row 3", "component 2" or
    "frame 5"."""
    tolerance: float = 0.0
    """Largest distance from the answer that counts as right; of a place, in units of
    the axes."""
    check: tuple[str, ...] = ()
    """Of a state: comparisons of published values, all of which have to hold."""
    decided_by: str = ""
    """What a wrong answer opens: the key of a line of the derivation, "step:kernel", or
    of a page, "page:rebuild"."""
    solution: str = ""
    """Of a state: the name of one that fulfils the check."""
    hint: str = ""
    replies: tuple[Reply, ...] = ()


@dataclass(frozen=True)
class Step:
    """One thought: a text, the state that it is about, perhaps a question."""

    key: str
    title: str
    text: str
    state: str = ""
    """Name of a state of the lesson; empty leaves the window as it is."""
    cover: tuple[str, ...] = ()
    """Keys of panels, steps, matrices and entries that are hidden until an answer."""
    highlight: str = ""
    question: Question | None = None


@dataclass(frozen=True)
class Lesson:
    """A title, its steps in their order, and the states that they set."""

    key: str
    """Name of its folder or file."""
    title: str
    author: str
    steps: tuple[Step, ...]
    states: Mapping[str, Document] = field(default_factory=dict)
    minutes: int = 10
    summary: str = ""
    language: str = "en"
    languages: tuple[str, ...] = ("en",)
    """In which it can be read, the first being the one it was written in."""
    order: int = 0
    """Place among the lessons of a list."""

    def state_of(self, step: int) -> str:
        """Return the name of the state that a step begins in; empty for none yet."""
        names = (each.state for each in reversed(self.steps[: step + 1]))
        return next(filter(None, names), "")
