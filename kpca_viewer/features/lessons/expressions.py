"""Expressions in lessons and in answers: read by a small parser, never run as code.

    comparison  value op value [± value]      op: < <= == != >= >
    value       term {(+ | −) term}
    term        factor {(× | ÷) factor}       2√2 and 2(3) are products too
    factor      [−] primary [^ exponent]
    primary     number | "word" | name[i, j] | abs(value) | sqrt(value) | √primary
                | (value)

Time grows with the length of the text, which is limited, as is the depth.
"""

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from kpca_viewer.features.lessons import text
from kpca_viewer.support.errors import DataError, excerpt

LONGEST = 200
"""Letters of an expression or an answer."""

DEEPEST = 20
"""Brackets, roots and signs inside each other."""

EXACT = 1e-9
"""Relative difference below which two numbers are the same."""


@dataclass(frozen=True)
class Name:
    """A published value: ``mu[1]``."""

    name: str
    indices: tuple[int, ...] = ()

    def __str__(self) -> str:
        inside = ",".join(map(str, self.indices))
        return f"{self.name}[{inside}]" if self.indices else self.name


@dataclass(frozen=True)
class Operation:
    """An operator or a function with what it is applied to."""

    how: str
    parts: tuple["Expression", ...]


Value = float | str
"""A number, or a word such as the name of a kernel."""

Expression = float | str | Name | Operation

Lookup = Callable[[Name], Value]
"""Returns a published value; raises `DataError` where there is none."""


@dataclass(frozen=True)
class Comparison:
    """Two values, and how they should compare."""

    left: Expression
    how: str
    right: Expression
    tolerance: Expression = 0.0

    def holds(self, lookup: Lookup) -> bool:
        """Compare; raises `DataError` where a value is not there, or is no number."""
        left, right = evaluate(self.left, lookup), evaluate(self.right, lookup)
        if isinstance(left, str) or isinstance(right, str):
            if type(left) is not type(right) or self.how not in ("==", "!="):
                raise DataError(text.WORDS_COMPARED)
            return (left == right) == (self.how == "==")
        within = number(self.tolerance, lookup) + EXACT * max(abs(left), abs(right), 1)
        if self.how in ("==", "!="):
            return (abs(left - right) <= within) == (self.how == "==")
        if self.how in ("<=", ">="):
            lower, upper = (left, right) if self.how == "<=" else (right, left)
            return lower <= upper + within
        return left < right if self.how == "<" else left > right


def parse(content: str) -> Expression:
    """Take a value apart; raises `DataError` with what is not understood."""
    parser = _Parser(content)
    found = parser.value()
    parser.expect_end()
    return found


def parse_comparison(content: str) -> Comparison:
    """Take a comparison apart; raises `DataError` with what is not understood."""
    parser = _Parser(content)
    found = parser.comparison()
    parser.expect_end()
    return found


def parse_list(content: str) -> tuple[Expression, ...]:
    """Return expressions with commas between them."""
    parser = _Parser(content)
    found = [parser.value()]
    while parser.take(","):
        found.append(parser.value())
    parser.expect_end()
    return tuple(found)


def names_in(expression: Expression | Comparison) -> Iterator[Name]:
    """Yield the published values that it names."""
    if isinstance(expression, Name):
        yield expression
    elif isinstance(expression, Operation):
        for part in expression.parts:
            yield from names_in(part)
    elif isinstance(expression, Comparison):
        for each in (expression.left, expression.right, expression.tolerance):
            yield from names_in(each)


def evaluate(expression: Expression, lookup: Lookup) -> Value:
    """Compute; raises `DataError` where a value is missing or nothing comes out."""
    if isinstance(expression, float | str):
        return expression
    if isinstance(expression, Name):
        return lookup(expression)
    values = [number(part, lookup) for part in expression.parts]
    try:
        found = _OPERATIONS[expression.how](*values)
    except (ArithmeticError, ValueError):
        raise DataError(text.NO_NUMBER) from None
    if isinstance(found, complex) or not math.isfinite(found):
        raise DataError(text.NO_NUMBER)
    return found


def number(expression: Expression, lookup: Lookup) -> float:
    """Return the value of an expression that is a number."""
    value = evaluate(expression, lookup)
    if isinstance(value, str):
        raise DataError(text.no_number_but(value))
    return value


_OPERATIONS: dict[str, Callable[..., float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "^": lambda a, b: a**b,
    "negative": lambda a: -a,
    "sqrt": math.sqrt,
    "abs": abs,
}

_COMPARISONS = ("<=", ">=", "==", "!=", "<", ">")
_TOKEN = re.compile(
    r"""(?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3}(?![0-9]))?)
    |(?P<name>[A-Za-z_][A-Za-z_0-9]*(?:\.[a-z]+)?)
    |"(?P<word>[^"]*)"|'(?P<quoted>[^']*)'
    |(?P<raised>[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)
    |(?P<sign><=|>=|==|!=|\*\*|[-+*/^<>()\[\],√±])""",
    re.VERBOSE,
)
_SIGNS = str.maketrans("−–×·⋅÷≤≥≠", "--***/" + "\u2264\u2265\u2260")
_LONG_SIGNS = {"≤": "<=", "≥": ">=", "≠": "!="}
_RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_FUNCTIONS = ("abs", "sqrt")


class _Parser:
    """Takes a text apart from left to right."""

    def __init__(self, content: str) -> None:
        if len(content) > LONGEST:
            raise DataError(text.too_long(LONGEST))
        content = content.translate(_SIGNS)
        for sign, plain in _LONG_SIGNS.items():
            content = content.replace(sign, plain)
        self._content = content
        self._tokens = list(self._tokenise())
        self._place = 0
        self._depth = 0

    def _tokenise(self) -> Iterator[tuple[str, str]]:
        at, content = 0, self._content
        while at < len(content):
            if content[at].isspace():
                at += 1
                continue
            found = _TOKEN.match(content, at)
            if found is None:
                raise DataError(text.not_understood(excerpt(content[at:], 20)))
            at = found.end()
            kind = found.lastgroup or ""
            yield ("word" if kind == "quoted" else kind), found[kind]

    @property
    def _next(self) -> tuple[str, str]:
        if self._place < len(self._tokens):
            return self._tokens[self._place]
        return "end", ""

    def take(self, sign: str) -> bool:
        """Pass a sign, if it comes next."""
        if self._next != ("sign", sign):
            return False
        self._place += 1
        return True

    def _expect(self, sign: str) -> None:
        if not self.take(sign):
            raise DataError(text.expected(sign, self._next[1]))

    def expect_end(self) -> None:
        if self._next[0] != "end":
            raise DataError(text.not_understood(self._next[1]))

    def comparison(self) -> Comparison:
        left = self.value()
        kind, how = self._next
        if kind != "sign" or how not in _COMPARISONS:
            raise DataError(text.NO_COMPARISON)
        self._place += 1
        right = self.value()
        if not self.take("±"):
            return Comparison(left, how, right)
        if how not in ("==", "!="):
            raise DataError(text.NO_TOLERANCE)
        return Comparison(left, how, right, self.value())

    def value(self) -> Expression:
        found = self._term()
        while self._next in (("sign", "+"), ("sign", "-")):
            how = self._next[1]
            self._place += 1
            found = Operation(how, (found, self._term()))
        return found

    def _term(self) -> Expression:
        found = self._factor()
        while True:
            how = next((sign for sign in "*/" if self.take(sign)), "")
            if not how and not self._is_product():
                return found
            found = Operation(how or "*", (found, self._factor()))

    def _is_product(self) -> bool:
        """Whether what follows multiplies without a sign: 2√2, 2 sqrt(2), 2(3)."""
        return self._next in (("sign", "√"), ("sign", "("), ("name", "sqrt"))

    def _factor(self) -> Expression:
        self._depth += 1
        if self._depth > DEEPEST:
            raise DataError(text.TOO_DEEP)
        try:
            if self.take("-"):
                return Operation("negative", (self._factor(),))
            if self.take("+"):
                return self._factor()
            return self._power()
        finally:
            self._depth -= 1

    def _power(self) -> Expression:
        base = self._primary()
        kind, content = self._next
        if kind == "raised":
            self._place += 1
            try:
                exponent = float(content.translate(_RAISED))
            except ValueError:
                raise DataError(text.not_understood(content)) from None
            return Operation("^", (base, exponent))
        if self.take("^") or self.take("**"):
            return Operation("^", (base, self._factor()))
        return base

    def _primary(self) -> Expression:
        kind, content = self._next
        self._place += 1
        if kind == "number":
            if not math.isfinite(float(content)):
                raise DataError(text.not_understood(content))
            return float(content)
        if kind == "word":
            return content
        if kind == "name" and content in _FUNCTIONS:
            if content == "abs" or self._next == ("sign", "("):
                self._expect("(")
                return Operation(content, (self._bracket(")"),))
            return Operation(content, (self._inner(),))
        if kind == "name":
            return Name(content, self._indices() if self.take("[") else ())
        if (kind, content) == ("sign", "√"):
            return Operation("sqrt", (self._inner(),))
        if (kind, content) == ("sign", "("):
            return self._bracket(")")
        raise DataError(text.not_understood(content) if content else text.CUT_SHORT)

    def _inner(self) -> Expression:
        """Return what a root is of, without any power behind it."""
        self._depth += 1
        if self._depth > DEEPEST:
            raise DataError(text.TOO_DEEP)
        found = self._primary()
        self._depth -= 1
        return found

    def _bracket(self, end: str) -> Expression:
        found = self.value()
        self._expect(end)
        return found

    def _indices(self) -> tuple[int, ...]:
        found = []
        while True:
            kind, content = self._next
            if kind != "number" or not content.isdigit() or not int(content):
                raise DataError(text.NO_INDEX)
            self._place += 1
            found.append(int(content))
            if not self.take(","):
                break
        self._expect("]")
        return tuple(found)


# Numbers that people type


_GROUPS = re.compile(r"(?<![0-9.,])[0-9]{1,3}(?:([., \u00a0\u202f])[0-9]{3})+(?![0-9])")
_DECIMAL_COMMA = re.compile(r"(?<=[0-9]),(?=[0-9])")
_BEGINNING = re.compile(r"\s*(?:[^\W\d_]\w{0,5}\s*)?[=≈]\s*")


def readings(answer: str) -> tuple[float, ...]:
    """Return the numbers that a person may have meant.

    A comma may be a decimal one or set thousands apart: 2,500 is both. So is the point.

    Examples
    --------
    >>> readings("4/3"), readings("2√2"), readings("1,5"), readings("−1")
    ((1.3333333333333333,), (2.8284271247461903,), (1.5,), (-1.0,))
    >>> readings("2,500")
    (2.5, 2500.0)

    Raises `DataError` in one sentence where there is none.
    """
    if not answer.strip():
        raise DataError(text.NOTHING_TYPED)
    if len(answer) > LONGEST:
        raise DataError(text.too_long(LONGEST))
    if beginning := _BEGINNING.match(answer):
        answer = answer[beginning.end() :]
    plain = answer.strip()
    share = plain.endswith("%")
    plain = plain.removesuffix("%")
    ways = (
        _DECIMAL_COMMA.sub(".", plain),
        _GROUPS.sub(lambda found: re.sub("[^0-9]", "", found[0]), plain),
    )
    found: list[float] = []
    wrong: DataError | None = None
    for way in dict.fromkeys(ways):
        try:
            value = number(parse(way), no_names)
        except DataError as error:
            wrong = wrong or error
            continue
        found += [value, value / 100] if share else [value]
    if not found:
        raise DataError(text.unreadable_number(excerpt(answer, 40), str(wrong)))
    return tuple(dict.fromkeys(found))


def no_names(name: Name) -> Value:
    """Refuse every name: a lookup for what has to be a number by itself."""
    raise DataError(text.no_number_but(str(name)))
