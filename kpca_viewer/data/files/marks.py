"""Points and commas inside of numbers: decimals or thousands, told by whole columns."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from kpca_viewer.data.files.cells import (
    LONGEST_NUMBER,
    CellRules,
    different,
    object_array,
    text_column,
)
from kpca_viewer.data.files.options import Decimal
from kpca_viewer.data.files.source import Reading
from kpca_viewer.data.files.units import (
    CURRENCIES,
    column_unit,
    quantity,
    unlike,
    with_unit,
)
from kpca_viewer.data.table import Column, Question, listed
from kpca_viewer.support.numerals import with_minus

Mark = Literal["", ".", ",", "?.", "?,"]
"""What one cell says: nothing, its decimal mark, or a mark that may be either."""

OTHER: dict[Decimal, Decimal] = {".": ",", ",": "."}


def says(cell: str) -> Mark:
    """Return what a cell says about its marks.

    ``1,5`` has a decimal comma and ``1,234,567`` cannot have one; ``1,234`` may be
    either.
    """
    text = cell.strip()
    if len(text) > LONGEST_NUMBER or not ("," in text or "." in text):
        return ""
    whole, _, part = text.removeprefix("-").partition(".")
    if whole.isdecimal() and part.isdecimal():
        # Nearly all cells are like this.
        return "?." if _may_be_thousands(whole, part) else "."
    if not text[-1:].isdecimal() or text[:1].isalpha() or text[:1] in "€£$¥":
        measured = quantity(text)
        text = text if measured is None else measured.number
    text = with_minus(text)
    body = text[1:] if text[:1] in ("+", "-") else text
    body, exponent, power = body.replace("E", "e").partition("e")
    digits = body.replace(",", "").replace(".", "")
    if not digits.isdecimal() or (exponent and not power.lstrip("+-").isdecimal()):
        return ""
    mark: Decimal = "," if body.rfind(",") > body.rfind(".") else "."
    if OTHER[mark] in body:
        # Both kinds: the last one is the decimal mark, if the others make groups.
        return mark if CellRules(decimal=mark).number(text) is not None else ""
    first, *groups = body.split(mark)
    if not groups:
        # The mark belongs to the unit, as in “1 A.”.
        return ""
    if len(groups) > 1:
        grouped = CellRules(decimal=OTHER[mark]).number(text) is not None
        return OTHER[mark] if grouped else ""
    if exponent or not _may_be_thousands(first, groups[0]):
        return mark
    return "?," if mark == "," else "?."


def _may_be_thousands(first: str, group: str) -> bool:
    return 1 <= len(first) <= 3 and first[0] != "0" and len(group) == 3


@dataclass
class Evidence:
    """What the cells of a file say together."""

    delimiter: str = ""
    """Between the cells; empty for files that have none."""
    points: int = 0
    commas: int = 0
    """Cells whose decimal mark is beyond doubt."""

    @property
    def decimal(self) -> Decimal | None:
        """The mark that all of them agree on; None without one, or with both."""
        if bool(self.points) == bool(self.commas):
            return None
        return "." if self.points else ","

    @property
    def watches_points(self) -> bool:
        """Whether 1.234 may be thousands: semicolons go with decimal commas."""
        return self.decimal == "," or (self.decimal is None and self.delimiter == ";")

    def add(self, cells: Iterable[str]) -> None:
        for cell in cells:
            if "," in cell or "." in cell:
                said = says(cell)
                self.points += said == "."
                self.commas += said == ","

    def usual(self) -> Decimal:
        """Return the decimal mark that most cells have; by the delimiter if none."""
        if self.points == self.commas == 0:
            return "." if self.delimiter != ";" else ","
        return "," if self.commas > self.points else "."

    def doubts(self, cell: str) -> bool:
        """Whether nothing but the rest of its column can tell how to read a cell."""
        said = says(cell)
        return (said == "?," and self.decimal is None) or (
            said == "?." and self.watches_points
        )

    def judge(
        self, words: Iterable[str], said: Decimal | None = None
    ) -> tuple[Decimal | None, str]:
        """Return the decimal mark of a column and, where it is a guess, a cell.

        None where no cell has a mark. Where a cell has the mark that is ``said`` and
        can be read in two ways, that decides.
        """
        own = Evidence(self.delimiter)
        either: dict[str, str] = {}
        for word in words:
            if "," not in word and "." not in word:
                continue
            mark = says(word)
            own.points += mark == "."
            own.commas += mark == ","
            if mark.startswith("?"):
                either[mark] = min(
                    word, either.get(mark, word), key=lambda w: (len(w), w)
                )
        if own.points or own.commas:
            return own.decimal or said or own.usual(), ""
        if "?," in either:
            # A file has one notation: where points are decimals, commas group.
            guess: Decimal = "," if self.delimiter == ";" else "."
            decimal = "," if said == "," else self.decimal or said or guess
            return decimal, "" if self.decimal else either["?,"]
        if "?." in either:
            decimal = "." if said == "." else self.decimal or said or "."
            return decimal, either["?."] if self.watches_points else ""
        return None, ""


def decided_columns(
    reading: Reading,
    texts: Sequence[Column],
    rules: CellRules,
    evidence: Evidence,
    names: Sequence[str] = (),
) -> list[Column]:
    """Return columns of text, or of numbers where they are; doubts become questions.

    A unit that all cells of a column have goes from the cells to its name.

    Parameters
    ----------
    reading : Reading
        Its options may say what the marks of a column mean.
    texts : sequence of Column
        Of text.
    evidence : Evidence
        Of the other cells of the file.
    names : sequence of str
        All columns of the file: none is called as another one.
    """
    texts, prices = _without_units(reading, texts, names)
    given: Mapping[str, Decimal] = dict(reading.options.decimals)
    words = []
    for column in texts:
        reading.tick()
        every = different(column.values, column.coded)
        words.append([word for word in every if "," in word or "." in word])
        if column.name not in given:
            evidence.add(words[-1])
    columns = []
    for text, some in zip(texts, words, strict=True):
        reading.tick()
        name, values, coded = text.name, text.values, text.coded
        said = reading.options.decimal
        decimal, doubtful = evidence.judge(some, said)
        if doubtful and name in prices and said is None:
            # Three digits of money are thousands: hardly any has thousandths.
            decimal = "." if "," in doubtful else ","
        decimal = given.get(name) or decimal
        if decimal is None:
            columns.append(text_column(name, values, rules, coded))
            continue
        column = text_column(name, values, replace(rules, decimal=decimal), coded)
        columns.append(column)
        if doubtful:
            other = replace(rules, decimal=OTHER[decimal])
            second = text_column(name, values, other)
            if column.kind == "number" or column.numbers is not None:
                answered = name in given or said is not None
                question = Question(name, doubtful, decimal, second, answered)
                reading.questions.append(question)
    return columns


def note_exact(reading: Reading, columns: Iterable[Column]) -> None:
    """Say which columns of whole numbers stay text, to be exact."""
    if exact := [column.name for column in columns if column.exact]:
        reading.note(f"whole numbers beyond 2⁵³ kept as text in {listed(exact)}")


def _without_units(
    reading: Reading, texts: Sequence[Column], names: Sequence[str]
) -> tuple[list[Column], set[str]]:
    """Return the columns with their unit in their names, and which are of money."""
    found: list[Column] = []
    named: list[str] = []
    prices: set[str] = set()
    for column in texts:
        reading.tick()
        name, values = column.name, column.values
        known = column_unit(values)
        if known is not None and known.mixed:
            reading.note(unlike(name, known.mixed))
        elif known is not None:
            cells = [known.numbers.get(cell, cell) for cell in values.tolist()]
            title = with_unit(name, known.unit)
            while title != name and title in names:
                title += " (2)"
            named.append(title)
            if known.unit in CURRENCIES:
                prices.add(title)
            column = Column(title, object_array(cells), "text")
        found.append(column)
    if named:
        reading.note(f"units stay in the names: {listed(named)}")
    return found, prices
