"""Sums and products of kernels, each a family of its own: ``rbf + linear``.

The name of such a family says which parts are added and multiplied; its parameters are
theirs, with a weight for every term: ``gamma_1`` and ``gamma_2`` where two parts have a
``gamma``. All that a family has to tell follows from what its parts tell.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import product
from math import log10, prod
from typing import Any, NamedTuple

import numpy as np

from kpca_viewer.core.kernels.bases import SIMPLE, Array, Base, Extent, Values
from kpca_viewer.core.kernels.family import (
    Computation,
    Growth,
    KernelFamily,
    Operations,
    Parameter,
    Split,
)
from kpca_viewer.core.kernels.formulas import (
    LATEX,
    PLAIN,
    Notation,
    chain,
    code_number,
    filled,
    in_brackets,
    symbolic,
)
from kpca_viewer.support.errors import KernelError, shorten
from kpca_viewer.support.numerals import as_it_is, lowered

MOST_PARTS = 8
LONGEST = 1000
"""Characters of an expression."""

WEIGHT = Parameter(
    "weight", "w", "Weight", 1e-3, 1e3, 1.0, "log", positive=True, secondary=True
)

Families = Mapping[str, KernelFamily]


# Terms


class Factor(NamedTuple):
    """A kernel by name, with the values that were given for it."""

    family: str
    values: Mapping[str, float]


class Term(NamedTuple):
    """Kernels that are multiplied, and by what; None where no weight was given."""

    weight: float | None
    factors: tuple[Factor, ...]


Terms = tuple[Term, ...]


def multiplied(left: Terms, right: Terms) -> Terms:
    """Return the products of every term of one side with every term of the other."""
    return tuple(
        Term(_weight(a.weight, b.weight), a.factors + b.factors)
        for a, b in product(left, right)
    )


def _weight(*weights: float | None) -> float | None:
    given = [weight for weight in weights if weight is not None]
    return prod(given) if given else None


def flattened(terms: Terms, families: Families) -> tuple[str, dict[str, float]]:
    """Return the family that these terms are of, and the values that were given."""
    count = sum(len(term.factors) for term in terms)
    if count > MOST_PARTS or not all(term.factors for term in terms):
        raise KernelError(
            f"A kernel has 1 to {MOST_PARTS} parts, and no term that is a number alone."
        )
    name = " + ".join("*".join(f.family for f in term.factors) for term in terms)
    if count == 1:
        if terms[0].weight in (None, 1.0):
            return name, dict(terms[0].factors[0].values)
        name = f"1*{name}"
    given = {}
    shape = [[families[f.family] for f in term.factors] for term in terms]
    for term, (weight, parts) in zip(terms, _places(shape), strict=True):
        if term.weight is not None:
            given[weight] = term.weight
        for factor, places in zip(term.factors, parts, strict=True):
            given |= {places[key]: value for key, value in factor.values.items()}
    return name, given


Shape = list[list[KernelFamily]]
Places = list[tuple[str, list[dict[str, str]]]]


def _places(shape: Shape) -> Places:
    """Return by which names the weights and the parameters of the parts are known."""
    own = [
        name
        for term in shape
        for name in ("weight", *(p.name for f in term for p in f.parameters))
    ]
    count: dict[str, int] = {}

    def take(name: str) -> str:
        count[name] = count.get(name, 0) + 1
        return f"{name}_{count[name]}" if own.count(name) > 1 else name

    return [
        (take("weight"), [{p.name: take(p.name) for p in f.parameters} for f in term])
        for term in shape
    ]


# Expressions


_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<sign>[-+*(),=·−]))"
)


class _Reader:
    """``0.5*rbf(2) + linear()*poly(degree=2)``: a grammar of four rules."""

    def __init__(self, text: str, families: Families) -> None:
        self._text, self._families = text, families
        self._tokens: list[tuple[str, str]] = []
        if len(text) > LONGEST or text.count("(") > 4 * MOST_PARTS:
            raise self._wrong()
        at, end = 0, len(text.rstrip())
        while at < end:
            found = _TOKEN.match(text, at)
            if found is None:
                raise self._wrong()
            kind = str(found.lastgroup)
            word = found[kind].replace("·", "*").replace("−", "-")
            self._tokens.append((kind, word))
            at = found.end()

    def terms(self) -> Terms:
        found = self._sum()
        if self._tokens:
            raise self._wrong()
        return found

    def _sum(self) -> Terms:
        found = self._product()
        while self._takes("+"):
            found += self._product()
            if len(found) > MOST_PARTS:
                raise self._wrong()
        return found

    def _product(self) -> Terms:
        found = self._factor()
        while self._takes("*"):
            found = multiplied(found, self._factor())
            if len(found) > MOST_PARTS:
                raise self._wrong()
        return found

    def _factor(self) -> Terms:
        if self._takes("("):
            found = self._sum()
            self._expect(")")
            return found
        kind, word = self._next()
        if kind == "number":
            return (Term(float(word), ()),)
        if kind != "name":
            raise self._wrong()
        if word not in self._families:
            raise unknown(word, self._families)
        values = self._values(word) if self._takes("(") else {}
        return (Term(None, (Factor(word, values),)),)

    def _values(self, name: str) -> dict[str, float]:
        """Read values in brackets: in order, the main one first, or named."""
        family = self._families[name]
        order = [p.name for p in by_weight(family)]
        values: dict[str, float] = {}
        while not self._takes(")"):
            if values:
                self._expect(",")
            named = len(self._tokens) > 1 and self._tokens[1][1] == "="
            key = self._next()[1] if named else next(iter(order), "")
            if named:
                self._expect("=")
            if key not in order:
                raise KernelError(
                    f"The {family.title} kernel does not have what “"
                    f"{shorten(self._text)}” gives to it; it has "
                    f"{', '.join(p.name for p in family.parameters) or 'no values'}."
                )
            order.remove(key)
            sign = -1.0 if self._takes("-") else 1.0
            kind, word = self._next()
            if kind != "number":
                raise self._wrong()
            values[key] = sign * float(word)
        return values

    def _takes(self, sign: str) -> bool:
        if not self._tokens or self._tokens[0] != ("sign", sign):
            return False
        self._tokens.pop(0)
        return True

    def _expect(self, sign: str) -> None:
        if not self._takes(sign):
            raise self._wrong()

    def _next(self) -> tuple[str, str]:
        if not self._tokens:
            raise self._wrong()
        return self._tokens.pop(0)

    def _wrong(self) -> KernelError:
        return KernelError(
            f"“{shorten(self._text)}” is not a kernel; write a name, or sums and "
            "products such as rbf(0.5) + 0.1*linear()."
        )


def by_weight(family: KernelFamily) -> list[Parameter]:
    """Return the parameters in the order in which values are given for them."""
    main = family.main_parameter
    return sorted(family.parameters, key=lambda each: each is not main)


def unknown(name: str, families: Families) -> KernelError:
    return KernelError(
        f"There is no kernel {shorten(name)!r}; choose one of {', '.join(families)}."
    )


def parsed(text: str, families: Families) -> tuple[str, dict[str, float]]:
    """Return the family that an expression is of, and the values that it gives.

    Raises `KernelError` where it is none.
    """
    if text.removeprefix("1*") in families:
        return text, {}
    return flattened(_Reader(text, families).terms(), families)


# A family


class _Part(NamedTuple):
    """What an entry of one part or product is, for bounds."""

    largest: float
    definite: bool
    moved: float
    """Bound on ‖δK‖₂."""

    def multiplier(self, n: int) -> float:
        """Bound what an entrywise product with it does to a spectral norm (Schur)."""
        return self.largest * (1.0 if self.definite else n**0.5)

    def times(self, other: "_Part", n: int) -> "_Part":
        moved = self.multiplier(n) * other.moved + other.multiplier(n) * self.moved
        return _Part(
            self.largest * other.largest,
            self.definite and other.definite,
            moved + self.moved * other.moved,
        )


def composed(name: str, families: Families) -> KernelFamily | None:
    """Return the family of a name such as ``rbf*linear + matern``; None if it is none.

    ``families``: those of which it may be made.
    """
    words = [term.split("*") for term in name.removeprefix("1*").split(" + ")]
    parts = [word for term in words for word in term]
    scaled = name.startswith("1*") and len(parts) == 1
    if not (len(parts) > 1 or scaled) or len(parts) > MOST_PARTS:
        return None
    if name.startswith("1*") and not scaled:
        return None
    if not all(dict.__contains__(families, part) for part in parts):
        return None
    return _family(name, [[families[word] for word in term] for term in words])


def _family(name: str, shape: Shape) -> KernelFamily:
    places = _places(shape)
    flat = [family for term in shape for family in term]
    bases = list(dict.fromkeys(_base(family) for family in flat))
    single = len(bases) == 1 and bases[0] in SIMPLE
    slopes = all(family.slope is not None for family in flat)
    parameters = tuple(_parameters(shape, places))
    following = [p.name for p in parameters if p.follows]

    def split(values: Values) -> Split:
        return [
            (
                values[weight],
                [
                    (family, {own: values[full] for own, full in names.items()})
                    for family, names in zip(term, parts, strict=True)
                ],
            )
            for term, (weight, parts) in zip(shape, places, strict=True)
        ]

    def of(B: Array, family: KernelFamily) -> Array:
        return (B if single else B[..., bases.index(_base(family))]).copy()

    def apply(B: Array, values: Values) -> Array:
        total: Any = 0
        for weight, term in split(values):
            entries = [f.apply(of(B, f), own) for f, own in term]
            total = total + weight * prod(entries[1:], start=entries[0])
        return np.asarray(total, dtype=B.dtype)

    def slope(B: Array, values: Values) -> Array:
        found = np.zeros_like(B)
        for weight, term in split(values):
            entries = [f.apply(of(B, f), own) for f, own in term]
            for i, (family, own) in enumerate(term):
                assert family.slope is not None
                others = prod(entries[:i] + entries[i + 1 :], start=weight)
                at = ... if single else (..., bases.index(_base(family)))
                found[at] += others * family.slope(of(B, family), own)
        return found

    def rounding(rows: Extent, values: Values, norm: float) -> float:
        definite = is_definite(values)
        total = 0.0
        for weight, term in split(values):
            parts = [_part(f, own, rows) for f, own in term]
            if len(parts) == 1 and definite:
                # Less than all of K, which is no less definite than this part of it.
                seen, (family, own) = _extent(term[0][0], rows), term[0]
                size = min(norm / weight, rows.count * parts[0].largest)
                moved = family.rounding(seen, own, size)
                parts = [parts[0]._replace(moved=moved)]
            whole = parts[0]
            for part in parts[1:]:
                whole = whole.times(part, rows.count)
            # Products and sums are rounded too, beside terms that may cancel.
            own_rounding = rows.eps * (2 + len(flat)) * rows.count * whole.largest
            total += weight * (whole.moved + own_rounding)
        return total

    def growth(largest: float, values: Values) -> Growth:
        digits, power = [], 0.0
        for weight, term in split(values):
            parts = [_growth(f, own, largest) for f, own in term]
            sizes = [part.power * log10(max(part.base, 1.0)) for part in parts]
            digits.append(log10(weight) + sum(sizes))
            power = max(power, sum(part.power for part in parts))
        if power == 0:
            return Growth(max(sum(10**digit for digit in digits), 1.0), 0.0)
        total = max(digits) + log10(len(digits))
        return Growth(10 ** min(total / power, 300), power)

    def is_definite(values: Values) -> bool:
        return all(
            f.definite if isinstance(f.definite, bool) else f.definite(own)
            for _, term in split(values)
            for f, own in term
        )

    def dimension(d: int, values: Values) -> float:
        return sum(
            prod(f.feature_dimension(d, own) for f, own in term)
            for _, term in split(values)
        )

    def operations(d: int, values: Values) -> Operations:
        found = Operations(0, len(shape) - 1)
        for weight, term in split(values):
            found += Operations(len(term) - 1 + (weight != 1))
            for family, own in term:
                assert family.operations is not None
                found += family.operations(d, own)
        return found

    counted = all(family.operations is not None for family in flat)
    return KernelFamily(
        name=name,
        title=_title(shape),
        formula=lambda values: _escaped(_formula(split(values), LATEX)),
        plain=lambda values: _escaped(_formula(split(values), PLAIN)),
        general=_general(shape, places),
        computation=Computation(
            lambda x, y, values, entry: _written(split(values), x, y, entry),
            lambda values: _code(split(values)),
        ),
        base=bases[0] if single else tuple(bases),
        parameters=parameters,
        definite=is_definite,
        feature_dimension=dimension,
        apply=apply,
        operations=operations if counted else None,
        slope=slope if slopes else None,
        rounding=rounding,
        growth=growth,
        sklearn=None,
        main=next(iter(following), parameters[0].name),
        split=split,
    )


def _base(family: KernelFamily) -> Base:
    """Return the base of a part, of rows as they are given."""
    assert isinstance(family.base, str)
    if family.base == "dot_products" and family.normalise:
        return "cosines"
    if family.base == "dot_products" and family.lift:
        return "lifted_products"
    return family.base


def _extent(family: KernelFamily, rows: Extent) -> Extent:
    """Return that of the rows as a part sees them: of unit length, or lifted."""
    if family.normalise:
        n = float(rows.count)
        return replace(rows, total=n, largest=1.0, squared_norms=None)
    if family.lift:
        norms = rows.squared_norms
        heights = (
            rows.count * rows.largest**2
            if norms is None
            else float(np.square(norms, dtype=np.float64).sum())
        )
        largest = rows.largest + rows.largest**2
        return replace(
            rows, total=rows.total + heights, heights=heights, largest=largest
        )
    return rows


def _growth(family: KernelFamily, own: Values, largest: float) -> Growth:
    return family.growth(largest + largest**2 if family.lift else largest, own)


def _part(family: KernelFamily, own: Values, rows: Extent) -> _Part:
    known = family.definite
    definite = known if isinstance(known, bool) else known(own)
    growth = _growth(family, own, rows.largest)
    largest = 1.0 if family.unit_diagonal and definite else growth.base**growth.power
    seen = _extent(family, rows)
    moved = family.rounding(seen, own, rows.count * largest)
    return _Part(largest, definite, moved)


def _parameters(shape: Shape, places: Places) -> list[Parameter]:
    found = []
    for term, (weight, parts) in zip(shape, places, strict=True):
        title = " × ".join(family.short or family.title for family in term)
        known = replace(WEIGHT, help=f"Larger: {title} counts more.")
        found.append(renamed(known, weight))
        for family, names in zip(term, parts, strict=True):
            found += [renamed(p, names[p.name]) for p in family.parameters]
    return found


def renamed(parameter: Parameter, name: str) -> Parameter:
    """Return it as that of one part of several: ``gamma_2``, written γ₂."""
    number = name.removeprefix(parameter.name).removeprefix("_")
    return replace(
        parameter,
        name=name,
        symbol=parameter.symbol + lowered(number),
        title=f"{parameter.title} {number}".strip(),
    )


# Words and code


def _title(shape: Shape) -> str:
    terms = [" × ".join(f.short or f.title for f in term) for term in shape]
    first, *others = " + ".join(terms).split(" ")
    title = " ".join([first, *(w if w.isupper() else w.lower() for w in others)])
    return title if sum(map(len, shape)) > 1 else f"Weighted {title}"


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _formula(terms: Split, how: Notation) -> str:
    told = []
    for weight, term in terms:
        parts = [_part_formula(family, own, how) for family, own in term]
        if len(parts) > 1 or weight != 1:
            parts = [_enclosed(part) for part in parts]
        number = how.number(weight, factor=True)
        told.append(how.thin.join(parts if number == "1" else [number, *parts]))
    return ("k(x,y)=" if how.latex else "k(x, y) = ") + how.plus.join(told)


def _part_formula(family: KernelFamily, own: Values, how: Notation) -> str:
    told = family.formula if how.latex else family.plain
    text = filled(told if isinstance(told, str) else told(own), own, how)
    if not how.latex:
        body = text.removeprefix("k(x, y) = ")
        return body if body != text else f"[{text}]"
    body, _, definition = text.removeprefix("k(x,y)=").partition(r",\;r=")
    if definition:
        # Two parts may both speak of an r.
        shown = f"({definition})" if "/" in definition else definition
        body = re.sub(r"(?<![A-Za-z\\])r(?![A-Za-z])", lambda _: shown, body)
    return body


def _enclosed(text: str) -> str:
    """Put a sum in brackets."""
    depth = 0
    for at, sign in enumerate(text):
        depth += (sign in "([{") - (sign in ")]}")
        if depth == 0 and sign in "+−-" and at > 0:
            return f"({text})"
    return text


def _general(shape: Shape, places: Places) -> str:
    told = []
    several = sum(map(len, shape)) > 1
    for term, (weight, parts) in zip(shape, places, strict=True):
        factors = [f"w{lowered(weight.removeprefix('weight').removeprefix('_'))}"]
        for family, names in zip(term, parts, strict=True):
            symbols = {
                p.name: renamed(p, names[p.name]).symbol for p in family.parameters
            }
            told_plain = family.plain
            assert isinstance(told_plain, str)
            text = symbolic(told_plain, symbols)
            body = text.removeprefix("k(x, y) = ")
            if "gamma" in symbols:
                body = body.replace("γ", symbols["gamma"])
            factors.append(_enclosed(body) if body != text else f"[{text}]")
        told.append(" ".join(factors))
    return "k(x, y) = " + " + ".join(told) if several else told[0]


def _written(terms: Split, x: Array, y: Array, entry: float) -> list[str]:
    symbols, numbers, lines, count = [], [], [], 0
    for weight, term in terms:
        names, values = [], []
        for family, own in term:
            count += 1
            value = _entry(family, own, x, y)
            first, *rest = family.computation.written(x, y, own, value)
            names.append(f"k{lowered(str(count))}")
            values.append(in_brackets(value))
            lines += [f"{names[-1]} = {first}", *rest]
        front = [] if weight == 1 else [in_brackets(weight)]
        symbols.append("·".join([*front, *names]))
        numbers.append("·".join([*front, *values]))
    return [chain(" + ".join(symbols), " + ".join(numbers), as_it_is(entry)), *lines]


def _entry(family: KernelFamily, own: Values, x: Array, y: Array) -> float:
    """Compute one value of a part."""
    x, y = x.astype(np.float64), y.astype(np.float64)
    compute: dict[Base, Callable[[], Any]] = {
        "squared_distances": lambda: np.square(x - y).sum(),
        "distances": lambda: np.linalg.norm(x - y),
        "l1_distances": lambda: np.abs(x - y).sum(),
        "dot_products": lambda: x @ y,
        "cosines": lambda: x @ y / np.sqrt((x @ x) * (y @ y)),
        "lifted_products": lambda: x @ y + (x @ x) * (y @ y),
    }
    return float(family.apply(np.array([compute[_base(family)]()]), own)[0])


def _code(terms: Split) -> list[str]:
    lines, sums, count = [], [], 0
    for weight, term in terms:
        factors = [] if weight == 1 else [code_number(weight)]
        for family, own in term:
            count += 1
            lines.append(f"def k{count}(A, B):")
            lines += [f"    {line}" for line in family.computation.code(own)]
            factors.append(f"k{count}(A, B)")
        sums.append(" * ".join(factors))
    return [*lines, f"return {' + '.join(sums)}"]
