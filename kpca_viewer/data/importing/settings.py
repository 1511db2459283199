"""What a person has said about a table: plain values for undo and session files."""

from dataclasses import dataclass, replace
from typing import Literal, Self

Role = Literal["feature", "label", "name", "ignore"]
Missing = Literal["drop", "columns", "median", "nearest"]

MISSING_TITLES: dict[Missing, str] = {
    "drop": "Drop rows",
    "columns": "Drop columns",
    "median": "Median",
    "nearest": "Nearest rows",
}

MOST_MISSING = 0.3
"""A column of which a larger share is missing is proposed as metadata."""

NOISE = "-1"
"""What clustering calls a row that belongs nowhere."""

ROLE_TITLES: dict[Role, str] = {
    "feature": "Feature",
    "label": "Label",
    "name": "Row name",
    "ignore": "Metadata",
}


@dataclass(frozen=True)
class ImportSettings:
    """How a table becomes a data set."""

    roles: tuple[tuple[str, Role], ...] = ()
    """Pairs (column, role). Columns that are ignored by the analysis, or are not
    mentioned, are metadata: they stay with the rows."""
    missing: Missing = "drop"
    """What happens to missing features: their rows or their columns are left out, or
    they are filled by the median of the column, or by the nearest rows."""
    treat_text_as_missing: bool = False
    """Cells of a feature that are no usable number (text, infinities) count as missing
    instead of being refused."""
    one_hot: bool = True
    """Text features become one column of 0 and 1 for each of their values."""
    sample: int | None = None
    """Keep so many rows, drawn at random."""
    sample_seed: int = 0
    matrix: Literal["points", "kernel", "distances"] = "points"
    """What the features are: coordinates, or a square matrix."""
    missing_words: tuple[str, ...] = ()
    """Cells of a feature or of the label that hold one of these count as missing."""
    sentinels: tuple[tuple[str, float], ...] = ()
    """Pairs (column, number): the number stands for a missing cell of that feature."""
    left_out: tuple[int, ...] = ()
    """Numbers of rows in the file that are no data, such as one of totals."""

    def role(self, column: str) -> Role:
        return dict(self.roles).get(column, "ignore")

    def columns(self, role: Role) -> tuple[str, ...]:
        return tuple(name for name, given in self.roles if given == role)

    def of_features(self) -> Self:
        """Return a copy that knows features only: equal ones make the same points."""
        roles = tuple((name, role) for name, role in self.roles if role == "feature")
        return replace(self, roles=roles)

    def with_missing(self, word: str) -> Self:
        """Return a copy in which one more word counts as missing."""
        return replace(self, missing_words=(*self.missing_words, word))

    def with_noise(self, noise: bool) -> Self:
        """Return a copy in which −1 as a label is no class, or is one."""
        words = tuple(word for word in self.missing_words if word != NOISE)
        return replace(self, missing_words=(*words, NOISE) if noise else words)

    def with_role(self, column: str, role: Role) -> Self:
        """Return a copy with one role changed; there is one label and one name."""
        roles: dict[str, Role] = dict(self.roles)
        if role in ("label", "name"):
            for other, given in roles.items():
                if given == role:
                    roles[other] = "ignore"
        roles[column] = role
        return replace(self, roles=tuple(roles.items()))
