"""Long values, as sentences repeat them."""

import re

MOST = 200
"""Letters of one value in a sentence."""

MOST_IN_ALL = 2000
"""Letters of a sentence."""

_VALUES = re.compile(rf"“[^”]{{{MOST},}}”|'[^']{{{MOST},}}'|\S{{{MOST},}}")


def shorten(text: str, most: int = MOST) -> str:
    """Return a text without its middle, if it is longer than so many letters."""
    if len(text) <= most:
        return text
    half = (most - 1) // 2
    return f"{text[:half]}…{text[-half:]}"


def with_short_values(sentence: str) -> str:
    """Return a sentence in which no quoted value, and no word, is very long."""
    shown = _VALUES.sub(lambda found: shorten(found[0]), sentence[: 100 * MOST_IN_ALL])
    return shorten(shown, MOST_IN_ALL)
