"""Points that a person draws: a value that settings hold, so that undo keeps them."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, islice
from typing import Self

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.data.dataset import UNLABELLED, Dataset
from kpca_viewer.support.errors import DataError

Place = tuple[float, ...]
Places = NDArray[np.int64]
Mask = NDArray[np.bool_]

SOURCE = "drawn"
"""The source of settings whose points are drawn."""

TITLE = "Drawn points"

NOTHING_YET = "Nothing is drawn yet; click into the plane to add points."

MOST = 5_000
"""Points: every step of the history has all of them."""

MOST_FEATURES = 10
MOST_CLASSES = 50
LARGEST = 1e100
"""Of any number: squares of larger ones overflow."""

LONGEST = 100
"""Letters of a class, a feature or a title."""


@dataclass(frozen=True)
class Drawn:
    """Points with their classes, in the order in which they were drawn."""

    points: tuple[Place, ...] = field(default=(), repr=False)
    classes: tuple[int, ...] = field(default=(), repr=False)
    """Codes from 0, one a point; −1 for none."""
    class_names: tuple[str, ...] = ()
    """By code; a class beyond them is called by a number that is not among them."""
    features: tuple[str, ...] = ("x1", "x2")
    name: str = ""
    """What the window calls them; empty where they began on an empty plane."""

    @classmethod
    def of(cls, dataset: Dataset) -> "Drawn":
        if dataset.kind != "points":
            raise DataError(
                f"{dataset.name} is a matrix without points; draw on an empty plane."
            )
        if dataset.n > MOST or dataset.d > MOST_FEATURES:
            raise DataError(
                f"{dataset.name} has {dataset.n:,} points of {dataset.d:,} features, "
                f"and at most {MOST:,} of {MOST_FEATURES} can be changed by hand; "
                "leave rows out first."
            )
        if not np.isfinite(dataset.points).all():
            raise DataError(f"{dataset.name} has gaps; fill or leave them out first.")
        labels = dataset.labels
        if labels is None or len(dataset.label_names) > MOST_CLASSES:
            labels = np.full(dataset.n, UNLABELLED)
        return cls(
            tuple(map(tuple, dataset.points.tolist())),
            tuple(labels.tolist()),
            dataset.label_names if (labels >= 0).any() else (),
            dataset.feature_names,
            dataset.name.removesuffix(EDITED)[: LONGEST - len(EDITED)] + EDITED,
        )

    def __len__(self) -> int:
        return len(self.points)

    @property
    def d(self) -> int:
        return len(self.features)

    @property
    def title(self) -> str:
        return self.name or TITLE

    def class_name(self, code: int) -> str:
        """Return what a class is called; empty for none."""
        if code < 0:
            return ""
        known = len(self.class_names)
        if code < known:
            return self.class_names[code]
        # Its number from 1, or a later one where that is the name of another class.
        free = (
            name
            for number in count(known + 1)
            if (name := str(number)) not in self.class_names
        )
        return next(islice(free, code - known, None))

    def array(self) -> NDArray[np.float64]:
        return np.array(self.points, dtype=np.float64).reshape(-1, self.d)

    def dataset(self) -> Dataset:
        if not self.points:
            raise DataError(NOTHING_YET)
        codes = np.array(self.classes, dtype=np.int64)
        used = int(codes.max()) + 1
        names = tuple(self.class_name(code) for code in range(used))
        return Dataset(
            self.array(),
            codes if used else None,
            names,
            self.features,
            name=self.title,
        )

    # Changes

    def added(self, places: Iterable[Place], codes: Sequence[int] | int) -> Self:
        """Return a copy with more points at the end, of one class or of one each."""
        new = tuple(tuple(map(float, place)) for place in places)
        if len(self) + len(new) > MOST:
            raise DataError(
                f"{len(self) + len(new):,} points are too many to draw; at most "
                f"{MOST:,} can be kept, so open them as a file instead."
            )
        for place in new:
            _check_place(place, self.d)
        each = (codes,) * len(new) if isinstance(codes, int) else tuple(codes)
        return replace(self, points=self.points + new, classes=self.classes + each)

    def moved(self, row: int, place: Place) -> Self:
        _check_place(place, self.d)
        at = tuple(map(float, place))
        return replace(self, points=(*self.points[:row], at, *self.points[row + 1 :]))

    def shifted(self, mask: Mask, step: Place) -> Self:
        """Return a copy with some points (n,) moved by a step."""
        found = self.array()
        found[mask] += step
        result = replace(self, points=tuple(map(tuple, found.tolist())))
        for row in np.flatnonzero(mask):
            _check_place(result.points[row], self.d)
        return result

    def without(self, mask: Mask) -> Self:
        """Return a copy without some points (n,)."""
        kept = np.flatnonzero(~mask).tolist()
        return replace(
            self,
            points=tuple(self.points[row] for row in kept),
            classes=tuple(self.classes[row] for row in kept),
        )

    def classed(self, mask: Mask, code: int) -> Self:
        """Return a copy with some points (n,) in another class."""
        codes = np.where(mask, code, np.array(self.classes, dtype=np.int64))
        return replace(self, classes=tuple(codes.tolist()))

    def with_class_named(self, name: str) -> tuple[Self, int]:
        """Return a copy with a class of that name, and its code; "" is no class."""
        text = " ".join(name.split())[:LONGEST]
        if not text:
            return self, UNLABELLED
        # Classes that points have are known by their numbers, too.
        known = max((*self.classes, len(self.class_names) - 1, 8)) + 1
        names = [self.class_name(code) for code in range(known)]
        if text in names:
            return self, names.index(text)
        used = max((*self.classes, len(self.class_names) - 1)) + 1
        if used >= MOST_CLASSES:
            raise DataError(
                f"“{text}” would be class {used + 1}; at most {MOST_CLASSES} can be "
                "drawn, so use one of those."
            )
        return replace(self, class_names=(*names[:used], text)), used

    def check(self) -> None:
        """Refuse what no window could have made."""
        sound = (
            len(self.points) == len(self.classes)
            and len(self) <= MOST
            and 1 <= self.d <= MOST_FEATURES
            and len(self.class_names) <= MOST_CLASSES
            and all(UNLABELLED <= code < MOST_CLASSES for code in self.classes)
        )
        if not sound:
            raise DataError("The points that are drawn are damaged.")
        for place in self.points:
            _check_place(place, self.d)


EDITED = ", edited"
"""Behind the title of data that were changed by hand."""


def places_without(mask: Mask) -> Places:
    """Return where every row (n,) stands when some are gone; −1 for those."""
    return np.where(mask, -1, np.cumsum(~mask) - 1).astype(np.int64)


def _check_place(place: Place, d: int) -> None:
    if len(place) != d:
        numbers = "1 number" if len(place) == 1 else f"{len(place)} numbers"
        raise DataError(f"A point has {numbers} instead of {d}; give {d}.")
    for value in place:
        if not math.isfinite(value) or abs(value) > LARGEST:
            raise DataError(
                f"A point at {value:g} is too far away; stay below {LARGEST:.0e}."
            )
