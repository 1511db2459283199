"""A round of *Find yours*: where the data are among nine pictures."""

from dataclasses import dataclass

import numpy as np

NINE = 9
"""Pictures of a round, one of which is the data."""

ROUNDS = 2**31


def new_round() -> int:
    """Return the number of a round that was not to be foreseen."""
    return int(np.random.default_rng().integers(ROUNDS))


@dataclass(frozen=True)
class Round:
    """Which picture stands where."""

    place: int
    """Of the data, from 0."""
    draws: tuple[int, ...]
    """Those of random data at all other places, in their order."""

    @classmethod
    def of(cls, number: int, drawn: int) -> "Round":
        """Deal a round by its number, from so many draws; the same every time."""
        random = np.random.default_rng(number)
        place = int(random.integers(NINE))
        draws = random.choice(drawn, NINE - 1, replace=drawn < NINE - 1)
        return cls(place, tuple(int(draw) for draw in draws))

    def draw_at(self, place: int) -> int | None:
        """Return the draw at a place; None where the data are."""
        if place == self.place:
            return None
        return self.draws[place - (place > self.place)]
