"""Document: everything that a session file keeps, as one value."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.files.options import ReadOptions
from kpca_viewer.session.settings import DataSettings, SessionSettings
from kpca_viewer.support.errors import DataError

Json = Any
"""What JSON can say: None, bool, numbers, text, lists, and dicts with text as keys."""


@dataclass(frozen=True)
class FileReference:
    """Data that live in a file of their own.

    Attributes
    ----------
    path : Path
        Absolute.
    content_hash : str
        SHA-256 of the file's bytes in hexadecimal, as `Table.content_hash`.
    reading : ReadOptions
        How the file was read, where detection did not decide. What its columns mean
        is part of the settings.
    """

    path: Path
    content_hash: str = ""
    reading: ReadOptions = field(default_factory=ReadOptions)

    def __post_init__(self) -> None:
        # Not resolved: a link that the person made is the name the person knows.
        object.__setattr__(self, "path", Path(os.path.abspath(self.path)))


@dataclass(frozen=True, eq=False)
class Document:
    """One session.

    Attributes
    ----------
    settings : SessionSettings
    file : FileReference or None
        Where the data were read from; None for a generator, or for data that came from
        no file.
    embedded : Dataset or None
        The data themselves.
    selection : ndarray of bool, shape (n,), or None
    row_names : mapping of int to str
        Names that the person gave to rows, by row index.
    new_points : tuple of (x, y)
        That the person dropped into the plane of the data.
    pins, sweep, views : JSON or None
        Parts of the window that keep what they need.
    row_keys : JSON or None
        By which the rows of a selection and of names are found in a file that has
        changed.
    preset : bool
        Whether this is a way to look at any data, without data of its own.
    unknown : mapping
        Fields that a later version wrote; kept, and written back.
    """

    settings: SessionSettings = field(default_factory=SessionSettings)
    file: FileReference | None = None
    embedded: Dataset | None = field(default=None, repr=False)
    selection: NDArray[np.bool_] | None = field(default=None, repr=False)
    row_names: Mapping[int, str] = field(default_factory=dict)
    new_points: tuple[tuple[float, float], ...] = ()
    pins: Json = None
    sweep: Json = None
    views: Json = None
    row_keys: Json = None
    preset: bool = False
    unknown: Mapping[str, Json] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if self.selection is not None:
            mask = np.array(self.selection, dtype=bool)
            if mask.ndim != 1:
                raise DataError("A selection has one flag per row; give one dimension.")
            mask.flags.writeable = False
            object.__setattr__(self, "selection", mask)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Document):
            return NotImplemented
        return (
            self._plain() == other._plain()
            and _equal_arrays(self.selection, other.selection)
            and same_data(self.embedded, other.embedded)
        )

    __hash__ = None  # type: ignore[assignment]  # mappings and arrays inside

    def applied_to(self, current: SessionSettings) -> SessionSettings:
        """Return the settings that follow when this is opened over other settings.

        A preset keeps the data that are shown; a session brings its own.
        """
        if not self.preset:
            return self.settings
        data = replace(current.data, scaling=self.settings.data.scaling)
        return replace(self.settings, data=data)

    def as_preset(self) -> Self:
        """Return what does not depend on the data: kernel, analysis, looks."""
        settings = self.settings
        view = replace(settings.view.for_source(""), axes=settings.view.axes)
        if settings.view.color_by.partition(":")[0] in ("label", "none", "component"):
            view = replace(view, color_by=settings.view.color_by)
        return type(self)(
            settings=replace(
                settings, data=DataSettings(scaling=settings.data.scaling), view=view
            ),
            preset=True,
        )

    def _plain(self) -> tuple[Any, ...]:
        return (
            self.settings,
            self.file,
            dict(self.row_names),
            self.new_points,
            self.pins,
            self.sweep,
            self.views,
            self.row_keys,
            self.preset,
            dict(self.unknown),
        )


def same_data(a: Dataset | None, b: Dataset | None) -> bool:
    """Whether two data sets agree in every bit and every name."""
    if a is None or b is None or a is b:
        return a is b
    names = ("kind", "name", "label_names", "feature_names", "row_names", "scale")
    # The hash covers points and labels bit by bit, so NaN equals itself.
    return (
        all(getattr(a, name) == getattr(b, name) for name in names)
        and list(a.columns) == list(b.columns)
        and all(a.columns[name].same(b.columns[name]) for name in a.columns)
        and a.content_hash == b.content_hash
    )


def _equal_arrays(a: NDArray[Any] | None, b: NDArray[Any] | None) -> bool:
    if a is None or b is None:
        return a is b
    return bool(np.array_equal(a, b))
