"""Numbers that every row can have, by which points are coloured or sized."""

from typing import NamedTuple


class Numeral(NamedTuple):
    """One of the numbers that every row has, in the words of the window."""

    key: str
    """Also the name of its field in `RowDiagnostics`."""
    symbol: str
    title: str
    """In the list of what points can be coloured by."""
    of_lengths: bool = True
    """Whether it takes a length in feature space, which indefinite kernels lack."""


NUMERALS = (
    Numeral("cos2", "cos²", "Representation quality cos²"),
    Numeral("t2", "T²", "Leverage T²", of_lengths=False),
    Numeral("spe", "SPE", "Distance to the model SPE"),
)
"""In the order of menus, tables and files."""

COLOR = "odd:"
"""How a key of `ViewSettings.color_by` or ``size_by`` begins that names one of
them."""
