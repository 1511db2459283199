"""Every sentence about pins and their comparison."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from kpca_viewer.core.kernels.kernel import FAMILIES
from kpca_viewer.data.generators import GENERATORS
from kpca_viewer.data.preparation import SCALING_TITLES, column_scaling_word
from kpca_viewer.engine.messages import Message
from kpca_viewer.engine.settings import DataSettings, SessionSettings, source_title
from kpca_viewer.engine.sweep.measures import MEASURES
from kpca_viewer.engine.sweep.parameters import (
    symbol_of,
    value_text,
)
from kpca_viewer.engine.text.describe import components_text
from kpca_viewer.engine.text.remarks import forgotten_steps
from kpca_viewer.engine.text.scores import LARGEST_CLASS
from kpca_viewer.features.pins.compute import (
    ALL,
    LARGE,
    MOST,
    SAME,
    TINY,
    Difference,
)
from kpca_viewer.support.numerals import percent

if TYPE_CHECKING:
    from kpca_viewer.features.pins.pins import Pin

FIRST_PIN, SECOND_PIN = "Pin a first picture (P)", "Pin a second picture (P)"
TAKE_B = "Take the settings of B"
REMOVE_B = "Remove the pin B"
TWO_PINS = "Pin two pictures (P) to compare them."
_PARTS = re.compile(", | · ")


def describe_kernel(
    settings: SessionSettings, suggested: Mapping[str, float] | None = None
) -> str:
    """Return kernel and values in a few words: "RBF (Gaussian), γ = 2.5"."""
    family = FAMILIES[settings.kernel.family]
    known = {**(suggested or {}), **dict(settings.kernel.values)}
    parts = [
        f"{symbol_of(p.name)} = {value_text(p.name, known.get(p.name, p.default))}"
        for p in family.parameters
    ]
    return ", ".join([family.title, *parts])


def pin_names(pins: "Sequence[Pin]", board: DataSettings | None = None) -> list[str]:
    """Return a name for every pin: kernel and values, after data that are not alike.

    Nor alike those on the ``board``: a pin of other data says of which.

    "Circles, noise 0.2 · RBF (Gaussian), γ = 2.5, not centred". Behind them stand the
    components, where the pins show different ones.
    """
    titles = [", ".join([pin.title, *_analysis(pin, pins)]) for pin in pins]
    if len({frozenset(pin.axes) for pin in pins}) > 1:
        titles = [
            f"{title} · {components_text(pin.axes)}"
            for title, pin in zip(titles, pins, strict=True)
        ]
    facts = [_facts(pin.settings.data) for pin in pins]
    facts += [] if board is None else [_facts(board)]
    if len({tuple(fact.items()) for fact in facts}) < 2:
        return titles
    names = []
    for title, fact in zip(titles, facts, strict=False):
        alike = [other for other in facts if other["source"] == fact["source"]]
        # Of what pins of the same source have in common, there is nothing to say.
        parts = [
            text
            for key, text in fact.items()
            if key == "source" or len({other.get(key) for other in alike}) > 1
        ]
        names.append(f"{', '.join(parts)} · {title}")
    return names


def without_common(names: "tuple[str, str]") -> list[str]:
    """Return of two names of pins what the other does not have; else the whole name."""
    found = []
    for name, other in (names, names[::-1]):
        common = _PARTS.split(other)
        apart = [part for part in _PARTS.split(name) if part not in common]
        found.append(", ".join(apart) or name)
    return found


def _analysis(pin: "Pin", pins: "Sequence[Pin]") -> list[str]:
    """Return what was done to the kernel, as far as it is unusual or differs."""
    chosen = pin.settings.analysis
    alike = [other.settings.analysis for other in pins if other.title == pin.title]
    parts = forgotten_steps(chosen)
    if len({other.components for other in alike}) > 1:
        parts.append(f"{chosen.components} components")
    if len({other.solver for other in alike}) > 1:
        parts.append(f"solver {chosen.solver}")
    return parts


def _facts(data: DataSettings) -> dict[str, str]:
    """Return what can be said about data, by what it is about."""
    facts = {"source": source_title(data.source)}
    generator = GENERATORS.get(data.source)
    if generator is not None:
        chosen = dict(data.values)
        for parameter in generator.parameters:
            value = chosen.get(parameter.name, parameter.default)
            text = value_text(parameter.name, value)
            facts[parameter.name] = f"{parameter.title.lower()} {text}"
        facts["seed"] = f"seed {data.seed}"
    if data.drawn is not None:
        count = len(data.drawn)
        facts["drawn"] = "1 point" if count == 1 else f"{count:,} points"
    facts["scaling"] = SCALING_TITLES[data.scaling].lower()
    for name, how in data.column_scaling:
        facts[f"scaling of {name}"] = f"“{name}” {column_scaling_word(how)}"
    return facts


def lost_pin_text(name: str, why: str) -> str:
    return f"The pin “{name}” has no picture: {why}"


def changed_pin_text(source: str) -> str:
    # Of the data, not of the pin: many pins of one file have one message.
    return (
        f"“{source_title(source)}” has changed since it was pinned; "
        "the pictures and scores of its pins are of the data as they are now."
    )


def other_rows_text(a: "Pin", b: "Pin") -> str:
    """Return why two pictures cannot be compared row by row."""
    left, right = (source_title(pin.settings.data.source) for pin in (a, b))
    if left != right:
        what = f"{left} in A, {right} in B"
    elif a.content != b.content:
        what = f"“{left}” has changed between the two pins"
    elif a.count != b.count:
        what = f"{a.count:,} rows in A, {b.count:,} in B"
    else:
        what = f"rows of {left} that were made or chosen in different ways"
    return f"Not the same rows: {what}. Compare the measures only."


def difference_text(a: "Pin", b: "Pin", apart: Difference) -> str:
    """Return how two pictures of the same rows differ, or that they show others."""
    if set(a.axes) == set(b.axes):
        return apart_text(apart)
    left, right = components_text(a.axes), components_text(b.axes)
    return f"Different components: {left} in A, {right} in B."


def apart_text(apart: Difference) -> str:
    if apart.moved < SAME:
        return "The pictures are the same."
    kept = f"{percent(apart.neighbours, 0)} of nearest neighbours are the same"
    if apart.residual < LARGE and apart.neighbours >= MOST:
        same = apart.residual < TINY and apart.neighbours >= ALL
        what = "almost the same" if same else "different in details only"
        return f"The pictures are {what}: {kept}."
    if apart.residual < LARGE:
        return f"The pictures are alike at large, not in detail: {kept}."
    if apart.neighbours >= MOST:
        return f"The shapes differ, but hardly who is near whom: {kept}."
    if apart.residual < 0.4:
        return f"The pictures are alike in part: {kept}."
    return f"The pictures show different things: {kept}."


def scale_text(ratio: float) -> str:
    """Return that pictures have scales of their own; B is wider by a ratio."""
    side, times = ("B", ratio) if ratio > 1 else ("A", 1 / ratio)
    return f" Each has its own scale: {side} is {times:,.0f} times as wide."


def measured_text(pair: "tuple[Pin, Pin]") -> str:
    left, right = (_measured(pin) for pin in pair)
    if left == right:
        return f"Measured on {left}."
    return f"Measured on {left} (A), on {right} (B)."


def _measured(pin: "Pin") -> str:
    parts = [components_text(pin.scored_axes)]
    if pin.scored_rows is not None:
        parts.append(_counted(pin.scored_rows, pin.count))
    if pin.scored_labelled and pin.scored_labelled != pin.scored_rows:
        parts.append(f"classes on {_counted(pin.scored_labelled, pin.count)}")
    return ", ".join(parts)


def _counted(rows: int, count: int) -> str:
    return f"all {count:,} rows" if rows == count else f"{rows:,} of {count:,} rows"


def side_titles(pair: "tuple[Pin, Pin]") -> tuple[str, str]:
    """Return what stands above the measures, with what they are of if in doubt."""
    doubtful = set(pair[0].scored_axes) != set(pair[1].scored_axes) or any(
        pin.coordinates.shape[1] < len(pin.scored_axes) for pin in pair
    )
    left, right = (
        f" · {components_text(pin.scored_axes)}" if doubtful else "" for pin in pair
    )
    return f"A{left}", f"B{right}"


Line = tuple[str, str, str, str]
"""A title, what A and B have, and a tooltip."""


def compared_lines(pair: "tuple[Pin, Pin]", apart: Difference | None) -> list[Line]:
    """Return the measures of two pins, and how far their pictures are apart."""
    lines = []
    for measure in MEASURES.values():
        values = [pin.measures.get(measure.key) for pin in pair]
        if measure.in_pins and any(value is not None for value in values):
            left, right = (measure.text(value) for value in values)
            lines.append((measure.title, left, right, measure.tip))
    largest = [pin.largest_class for pin in pair]
    if any(share is not None for share in largest):
        accuracies = [
            measure.title for measure in MEASURES.values() if measure.is_accuracy
        ]
        after = sum(line[0] in accuracies for line in lines)
        left, right = ("–" if share is None else percent(share) for share in largest)
        lines.insert(after, (LARGEST_CLASS.capitalize(), left, right, ""))
    if apart is not None:
        lines += [
            ("Not explained by rotation", "", percent(apart.residual), ""),
            ("A typical row moves by", "", f"{percent(apart.moved)} of radius", ""),
            ("Common neighbours", "", percent(apart.neighbours, 0), ""),
        ]
    return lines


def first_pin(name: str) -> Message:
    text = f"{name} is pinned as A. Pin another picture (P) to compare both."
    return Message("info", text)
