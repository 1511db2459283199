"""Units behind or before numbers: 12.5 %, $1,200, 3 cm."""

import re
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from numpy.typing import NDArray

from kpca_viewer.support.errors import excerpt

FIRST = 100
"""Cells of a column that tell whether it may have a unit at all."""


def _each(words: str) -> frozenset[str]:
    return frozenset(words.split())


_SYMBOLS = frozenset("€£$¥₹₩₽₺₪฿") | {"US$", "A$", "C$", "HK$", "R$", "kr", "zł", "Kč"}
_CODES = _each(
    "EUR USD GBP JPY CHF CNY INR AUD CAD NZD SEK NOK DKK PLN CZK HUF RUB BRL MXN KRW "
    "ZAR TRY SGD HKD ILS THB"
)
CURRENCIES = _SYMBOLS | _CODES
"""Units that may stand before a number too."""

_WHOLE = _each(
    "% ‰ ° °C °F ℃ ℉ min h hr d wk mo yr y in ft yd mi mph kph kmh lb oz gal psi atm "
    "ha deg rad rpm bpm dB dBm ppm ppb mmHg cmH2O IU U mEq px t u"
)
_WORDS = _each(
    "second minute hour day week month year inch foot mile pound acre degree"
)
_IRREGULAR = {"feet": "foot", "inches": "inch"}
_PREFIXED = _each(
    "m g s A K mol Hz N Pa J W C V F Ω ohm S Wb T H lm lx Bq Gy Sv l L eV bar B bit "
    "bps Wh cal VA Da M"
)
_PREFIXES = _each("T G M k h d c m µ μ u n p f Ki Mi Gi")
_TIMES = frozenset(("pm", "am"))
"""Of the day, where they stand behind a number."""

_TIGHT = _each("m g s h l")
"""Single letters that may follow a number without a blank: 5g, but 3A is a name."""

_ALIASES = {
    "%": ("percent", "pct", "prozent"),
    "$": ("usd", "dollar", "dollars"),
    "€": ("eur", "euro", "euros"),
    "£": ("gbp",),
    "¥": ("jpy", "yen", "cny", "yuan"),
    "°C": ("celsius", "degc"),
    "°F": ("fahrenheit", "degf"),
}
"""Words by which a name tells the unit as well."""

_NUMBER = r"[+\-−]?[\d.,][\d.,’'\u00a0\u2009\u202f]*+(?:[eE][+\-−]?\d++)?"
_BARE = re.compile(_NUMBER)
_BEHIND = re.compile(rf"({_NUMBER})(\s*+)(\S.{{0,19}})")
_BEFORE = re.compile(rf"([+\-−]?)([A-Z]{{0,3}}[^\w\s]?)\s*+({_NUMBER})")
_POWER = re.compile(r"\^?[-−⁻]?[0-9¹²³]$")
_FACTORS = re.compile(r"[/·*⋅]| per ")
_BRACKETS = re.compile(r"[\[(]\s*+([^\[\]()]*?)\s*[\])]")


class Quantity(NamedTuple):
    """A cell as its number, still as text, and its unit."""

    number: str
    unit: str


def quantity(cell: str) -> Quantity | None:
    """Return the parts of a cell that is a number with a unit; None for any other.

    Examples
    --------
    >>> quantity("12.5 %"), quantity("-$1,200"), quantity("3 apples")
    (Quantity(number='12.5', unit='%'), Quantity(number='-1,200', unit='$'), None)
    """
    text = cell.strip()
    if len(text) > 60:
        return None
    if text[:1] == "(" and text[-1:] == ")":
        # As accountants write what is below zero.
        inner = quantity(text[1:-1])
        if inner is None or inner.unit not in CURRENCIES:
            return None
        return Quantity(f"-{inner.number}", inner.unit)
    if found := _BEHIND.fullmatch(text):
        number, blank, written = found.groups()
        unit = known_unit(written)
        tight = not blank and number[-1:].isdecimal()
        if tight and len(written) == 1 and written.isalpha() and written not in _TIGHT:
            return None
        return None if unit is None else Quantity(number.strip(), unit)
    found = _BEFORE.fullmatch(text)
    if found is None or found[2] not in CURRENCIES:
        return None
    return Quantity(found[1] + found[3].strip(), found[2])


@lru_cache(1000)
def known_unit(text: str) -> str | None:
    """Return a unit as it is called here, years for "year"; None if it is none."""
    text = text.strip().removesuffix(".")
    if text in CURRENCIES or text in _WHOLE:
        return text
    word = _IRREGULAR.get(text.lower(), text.lower().removesuffix("s"))
    if word in _WORDS:
        return {"inch": "in", "foot": "ft"}.get(word, f"{word}s")
    if text.removesuffix("s") in ("hr", "yr", "wk", "lb"):
        return text.removesuffix("s")
    factors = [_POWER.sub("", factor.strip()) for factor in _FACTORS.split(text)]
    return text if all(map(_is_factor, factors)) else None


def _is_factor(text: str) -> bool:
    if text in _TIMES:
        return False
    if text in _PREFIXED or text in _WHOLE or text.lower().removesuffix("s") in _WORDS:
        return True
    return any(text[:k] in _PREFIXES and text[k:] in _PREFIXED for k in (1, 2))


class ColumnUnit(NamedTuple):
    """What the cells of a column have behind or before their numbers."""

    unit: str
    """Empty where they have several."""
    numbers: dict[str, str]
    """The cells that have it, without it."""
    mixed: tuple[str, ...] = ()
    """Two cells that cannot be compared."""


def column_unit(values: NDArray[Any]) -> ColumnUnit | None:
    """Return the unit of a column (n,) of str or None; None where it has none.

    Numbers without a unit beside others with one are another unit: nothing tells what
    they are. Cells that are no numbers at all are left to the reader.
    """
    first = list(islice((cell for cell in values if cell is not None), FIRST))
    if not first or sum(quantity(cell) is not None for cell in first) * 2 <= len(first):
        return None
    numbers: dict[str, str] = {}
    examples: dict[str, str] = {}
    for cell in dict.fromkeys(values.tolist()):
        if cell is None:
            continue
        found = quantity(cell)
        if found is not None:
            numbers[cell] = found.number
            examples.setdefault(found.unit, cell)
        elif _BARE.fullmatch(cell.strip()):
            examples.setdefault("", cell)
    if len(examples) > 1:
        return ColumnUnit("", {}, tuple(islice(examples.values(), 2)))
    return ColumnUnit(next(iter(examples)), numbers)


def with_unit(name: str, unit: str) -> str:
    """Return the name of a column with its unit, once.

    Examples
    --------
    >>> with_unit("price", "$"), with_unit("weight_kg", "kg"), with_unit("a (%)", "%")
    ('price [$]', 'weight_kg', 'a (%)')
    """
    if any(known_unit(found) == unit for found in _BRACKETS.findall(name)):
        return name
    words = re.split(r"[\s_.,()\[\]]+", name)
    told = {word.lower() for word in words} & set(_ALIASES.get(unit, ()))
    last = next((word for word in reversed(words) if word), "")
    symbol = not unit[0].isalpha() and unit in name
    return name if told or symbol or known_unit(last) == unit else f"{name} [{unit}]"


def without_unit(name: str) -> str:
    """Return what a column is called in its file, without what `with_unit` added."""
    bare, bracket, unit = name.rpartition(" [")
    return bare if bracket and known_unit(unit.removesuffix("]")) else name


def unlike(name: str, cells: tuple[str, ...]) -> str:
    """Say that a column has several units, and what became of it."""
    one, other = (f"“{excerpt(cell)}”" for cell in cells)
    return f"“{name}” holds {one} and {other}: no common unit, so it stays text"
