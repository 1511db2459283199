"""Values that a sentence repeats: short, and on one line."""

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
