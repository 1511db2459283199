"""What a report is made of, whatever it is written as: sections of blocks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.support.progress import Progress, ShouldStop

Texts = tuple[str, ...]


@dataclass(frozen=True)
class Paragraph:
    """A few sentences; plain text."""

    text: str
    is_small: bool = False
    """Whether it only explains what stands beside it."""


@dataclass(frozen=True)
class Quotation:
    """Text that is meant to be taken over as it is."""

    text: str


@dataclass(frozen=True)
class Facts:
    """Pairs (what, how)."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Table:
    """Cells with a line of titles above them."""

    caption: str
    titles: Texts
    rows: tuple[Texts, ...]
    words: frozenset[int] = frozenset({0})
    """Columns that hold words; all others hold numbers, which end below each other."""


@dataclass(frozen=True)
class Figure:
    """A picture; its content is given beside the report."""

    key: str
    """Of `session.plots`."""
    caption: str
    alt: str
    """What is to be seen, for who cannot see it."""


@dataclass(frozen=True)
class Figures:
    """Pictures that stand side by side."""

    figures: tuple[Figure, ...]


@dataclass(frozen=True)
class Code:
    """Lines that a machine reads."""

    text: str


Block = Paragraph | Quotation | Facts | Table | Figures | Code


@dataclass(frozen=True)
class Section:
    """A part of a report under a heading."""

    title: str
    blocks: tuple[Block, ...]
    terms: Texts = ()
    """Keys of the glossary that it uses."""


ReportSection = Callable[[AnalysisResult, StageCache, ShouldStop, Progress], Section]
"""Makes the section of a feature; computes what is not in the cache."""


@dataclass(frozen=True)
class Report:
    """A whole report."""

    title: str
    subtitle: str
    maker: str
    """What has written it, for the foot of a page."""
    sections: tuple[Section, ...]
    written: str = ""
    """The day of writing, for the foot of a page; empty where there is none."""

    @property
    def foot(self) -> str:
        return f"{self.maker}, {self.written}" if self.written else self.maker

    @property
    def figures(self) -> tuple[Figure, ...]:
        """All pictures, in their order."""
        return tuple(
            figure
            for section in self.sections
            for block in section.blocks
            if isinstance(block, Figures)
            for figure in block.figures
        )


@dataclass(frozen=True)
class Picture:
    """A picture as the content of a file."""

    kind: str
    """"svg" or "png"."""
    content: bytes
    width: float
    height: float
    """In units of 1/96 inch."""


Pictures = Mapping[str, Picture]
"""By the key of a `Figure`."""
