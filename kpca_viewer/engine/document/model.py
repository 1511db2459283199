"""Document: everything that a session file keeps, as one value."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.files.options import ReadOptions
from kpca_viewer.engine.notes import Notes
from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.engine.views import Views

_OF_ANY_DATA = ("label", "none", "component", "odd")
"""Kinds of `ViewSettings.color_by` that do not depend on columns."""

Json = Any
"""What JSON can say: None, bool, numbers, text, lists, and dicts with text as keys."""


@dataclass(frozen=True)
class FileReference:
    """Data that live in a file of their own."""

    path: Path
    """Absolute."""
    content_hash: str = ""
    """SHA-256 of the file's bytes in hexadecimal, as `Table.content_hash`."""
    reading: ReadOptions = field(default_factory=ReadOptions)
    """How the file was read, where detection did not decide. What its columns mean is
    part of the settings."""

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder of parts, also where it is gone."""
        # A file that is read in pieces has the ending of its format.
        return self.reading.parts is not None and not self.path.suffix

    def __post_init__(self) -> None:
        # Not resolved: a link that the person made is the name the person knows.
        object.__setattr__(self, "path", Path(os.path.abspath(self.path)))


@dataclass(frozen=True)
class Shown:
    """Which data a picture shows."""

    name: str
    rows: int
    columns: int
    content_hash: str
    """`Dataset.content_hash`: SHA-256 of the numbers, whatever file they were in."""

    @classmethod
    def of(cls, dataset: Dataset) -> Self:
        return cls(dataset.name, dataset.n, dataset.d, dataset.content_hash)


@dataclass(frozen=True, eq=False)
class DocumentData:
    """The data of a session; neither file nor embedded where a generator makes them."""

    file: FileReference | None = None
    """Where the data were read from."""
    embedded: Dataset | None = field(default=None, repr=False)
    """The data themselves."""
    shown: Shown | None = None
    """What the picture shows that carries this session."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DocumentData):
            return NotImplemented
        mine, others = self.embedded, other.embedded
        return (self.file, self.shown) == (other.file, other.shown) and (
            others is None if mine is None else mine.same(others)
        )

    __hash__ = None  # type: ignore[assignment]  # arrays inside

    @property
    def at_hand(self) -> bool:
        return self.file is None or self.embedded is not None

    @property
    def size(self) -> int:
        return 0 if self.embedded is None else self.embedded.points.nbytes


@dataclass(frozen=True, eq=False)
class Document:
    """One session."""

    settings: SessionSettings = field(default_factory=SessionSettings)
    notes: Notes = field(default_factory=Notes)
    data: DocumentData = field(default_factory=DocumentData)
    views: Views = field(default_factory=Views)
    preset: bool = False
    """Whether this is a way to look at any data, without data of its own."""
    unread: int = 0
    """Pins and sweeps of the file that this version does not understand."""
    unknown: Mapping[str, Json] = field(default_factory=dict, repr=False)
    """What a later version wrote; kept, and written back."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Document):
            return NotImplemented
        return self._plain() == other._plain() and self.notes.same(other.notes)

    __hash__ = None  # type: ignore[assignment]  # mappings and arrays inside

    def _plain(self) -> tuple[Any, ...]:
        kept = self.settings, self.data, self.views, self.preset, self.unread
        return *kept, dict(self.unknown)

    def applied_to(self, current: SessionSettings) -> SessionSettings:
        """Return the settings after opening: a preset keeps the data that are shown."""
        if not self.preset:
            return self.settings
        data = current.data.with_scaling(self.settings.data.scaling)
        return replace(self.settings, data=data)

    def as_preset(self) -> Self:
        """Return what does not depend on the data: kernel, analysis, looks."""
        settings = self.settings
        view = replace(
            settings.view.for_source(""),
            axes=settings.view.axes,
            size_by=settings.view.size_by,
        )
        if settings.view.color_by.partition(":")[0] in _OF_ANY_DATA:
            view = replace(view, color_by=settings.view.color_by)
        return type(self)(
            settings=replace(
                settings, data=DataSettings(scaling=settings.data.scaling), view=view
            ),
            preset=True,
        )
