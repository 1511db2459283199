"""A kernel's formula with its numbers, as a whole and step by step.

Factors of one and terms of zero are left out: (xᵀy)² is what a person writes, not
(1 xᵀy + 0)^2. An entry can be checked with a calculator: negative numbers stand in
brackets, what is in between is written down, and of many features only the first.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kpca_viewer.support.numerals import as_it_is, parts, raised

OFF = 2e-5
"""By which part of it a number may differ from what the step before comes to."""

WRITTEN_UP_TO = 4
"""Features up to which a sum is written whole; of more, the first two terms."""


@dataclass(frozen=True)
class Notation:
    """How numbers are joined to a formula."""

    latex: bool
    thin: str
    """Between a factor and what it multiplies."""
    times: str
    plus: str
    minus: str

    def number(self, value: float, *, factor: bool = False) -> str:
        """Return four digits: ``0.25``, ``1.5·10⁻⁷``, as LaTeX or as plain text.

        A ``factor`` is put in brackets where a power or a quotient would tear it apart.
        """
        text, power = parts(value)
        if not self.latex:
            text = text.replace("-", "−")
        if not power:
            return text
        dot = r"\cdot" if self.latex else "·"
        text = f"{text}{dot}10{self.raised(str(power))}".removeprefix(f"1{dot}")
        return f"({text})" if factor else text

    def raised(self, power: str) -> str:
        """Return a power as it stands behind its base."""
        if self.latex:
            return f"^{{{power}}}"
        whole = power.removeprefix("-").isdecimal()
        return raised(int(power)) if whole else f"^{power}"

    def term(self, value: float) -> str:
        """Return a number to be added, with its sign; nothing for zero."""
        if value == 0:
            return ""
        return f"{self.minus if value < 0 else self.plus}{self.number(abs(value))}"


LATEX = Notation(latex=True, thin=r"\,", times=r"\cdot", plus="+", minus="-")
PLAIN = Notation(latex=False, thin=" ", times=" · ", plus=" + ", minus=" − ")


def filled(template: str, values: Mapping[str, float], how: Notation) -> str:
    """Put the values of a kernel into the places of its formula.

    ``{gamma}`` is a factor, ``{coef0}`` a term with its sign, ``{bracket}`` and
    ``{power}`` enclose what is raised to the degree, ``{per_length}`` is a divisor and
    ``{twice}`` the denominator 2 a ℓ²; any other parameter is just its number.
    """
    gamma, degree, length, mixture = (
        how.number(values.get(name, 1.0))
        for name in ("gamma", "degree", "length_scale", "mixture")
    )
    of_length = how.number(values.get("length_scale", 1.0), factor=True)
    square = "^2" if how.latex else "²"
    places = {name: how.number(value) for name, value in values.items()}
    places |= {
        "gamma": "" if gamma == "1" else gamma + how.thin,
        "coef0": how.term(values.get("coef0", 0.0)),
        "bracket": "" if degree == "1" else "(",
        "power": "" if degree == "1" else ")" + how.raised(degree),
        "per_length": "" if length == "1" else f"/{of_length}",
        "twice": _product(
            how,
            "2",
            "" if mixture == "1" else mixture,
            "" if length == "1" else of_length + square,
        ),
    }
    return template.format_map(places)


_SYMBOLS = {
    "gamma": "γ ",
    "coef0": " + c",
    "bracket": "(",
    "power": ")^p",
    "twice": "(2aℓ²)",
}
"""What stands in places that are more than the symbol of a parameter."""


def symbolic(template: str, symbols: Mapping[str, str]) -> str:
    """Return a plain formula with the symbols of parameters in the places of values."""
    return template.format_map({**symbols, **_SYMBOLS})


def _product(how: Notation, *factors: str) -> str:
    """Join the factors that are there; in brackets where a line divides by them."""
    told = [factor for factor in factors if factor]
    text = how.times.join(told)
    return text if how.latex or len(told) == 1 else f"({text})"


def in_brackets(value: float) -> str:
    """Return a number as a factor, or behind a minus."""
    return around(as_it_is(value))


def around(text: str) -> str:
    return f"({text})" if text.startswith("−") or "·10" in text else text


def with_error(value: float, allowed: float) -> str:
    """Return a number with the digits it takes to be wrong by so much at most."""
    for digits in range(4, 16):
        if abs(float(f"{value:.{digits - 1}e}") - value) <= allowed:
            break
    return as_it_is(value, digits)


def joined_sum(terms: Sequence[str]) -> str:
    if len(terms) > WRITTEN_UP_TO:
        terms = [*terms[:2], "…"]
    return " + ".join(terms)


def chain(*steps: str) -> str:
    """Join steps by ``=``; one that says the same as that before is left out."""
    told = [step for j, step in enumerate(steps) if j == 0 or step != steps[j - 1]]
    return " = ".join(told)


def code_number(value: float) -> str:
    """Return a number as Python writes it; whole ones without a point."""
    return repr(int(value)) if value == int(value) else repr(value)
