"""The errors of the package, and words of people in their sentences."""

import re

LONGEST = 60
"""Characters of a value that a sentence repeats."""

_ENDLESS = re.compile(r"“([^”]{300,})”|'([^']{300,})'|([^\s“”]{300,})")
"""What no name and hardly any path is."""


def excerpt(value: object, most: int = LONGEST) -> str:
    r"""Return a value as a sentence quotes it, without what cannot be shown.

    Examples
    --------
    >>> excerpt("a" * 100_000, 5), excerpt("two\nlines")
    ('aaaa…', 'two lines')
    """
    text = str(value)
    cut = len(text) > 4 * most
    # A value may be as long as a file: only its beginning is looked at.
    text = "".join(c if c.isprintable() else " " for c in text[: 4 * most])
    text = " ".join(text.split())
    return f"{text[: most - 1]}…" if cut or len(text) > most else text


def shorten(text: str, most: int = 200) -> str:
    """Return a text without its middle, if it is longer than so many letters."""
    if len(text) <= most:
        return text
    half = (most - 1) // 2
    return f"{text[:half]}…{text[-half:]}"


def with_short_values(sentence: str) -> str:
    """Return a sentence in which no value goes on without an end."""

    def short(found: re.Match[str]) -> str:
        value = excerpt(found[found.lastindex or 0])
        return {1: f"“{value}”", 2: f"'{value}'"}.get(found.lastindex or 0, value)

    if len(sentence) < 300:
        return sentence
    return shorten(_ENDLESS.sub(short, sentence[:200_000]), 2000)


# Everything that can go wrong, as one small family of exceptions.
#
# Each text is one sentence for a person: what is wrong, where, and what to do. The
# built-in bases keep the contracts that scikit-learn and Python users rely on.


class KpcaError(Exception):
    """The base of every error that kpca_viewer raises on purpose.

    A value that its sentence repeats is shortened, however long it is.
    """

    def __init__(self, *args: object) -> None:
        short = (with_short_values(a) if isinstance(a, str) else a for a in args)
        super().__init__(*short)


class DataError(KpcaError, ValueError):
    """The data cannot be used as they are."""


class KernelError(KpcaError, ValueError):
    """A kernel cannot be evaluated with these parameters on these data."""


class KernelOverflowError(KernelError):
    """The entries of a kernel overflow; smaller values, as by scaling, do not."""


class TooLargeError(KpcaError, MemoryError):
    """The work would not fit into memory; refused before anything is allocated."""


class SolverError(KpcaError, ValueError):
    """A solver cannot work on this problem."""


class ClusterError(KpcaError, ConnectionError):
    """A cluster cannot be reached or used, or was lost."""


class ExportError(KpcaError):
    """A file cannot be written; what was there before is untouched."""


class Cancelled(KpcaError):
    """The work was stopped because its result is not wanted any more."""


def sentence_of(error: Exception) -> str:
    """Return what a person is told of an error, also of an unexpected one."""
    if isinstance(error, KpcaError):
        return str(error)
    return f"Something went wrong inside ({type(error).__name__}: {error})."
