"""What pins are called beside each other: their data too, where those differ."""

from collections.abc import Sequence

from kpca_viewer.data.generators import GENERATORS
from kpca_viewer.data.preparation import SCALING_TITLES
from kpca_viewer.session.settings import DataSettings, source_title
from kpca_viewer.session.sweep.parameters import value_text
from kpca_viewer.ui.sweep.compare.pin import Pin
from kpca_viewer.ui.words.components import components_text


def subject(data: DataSettings, content: str = "") -> tuple[object, ...]:
    """Return what makes rows the same ones; more noise only moves them.

    Parameters
    ----------
    content : str
        Hash of the file: with other content the same name means other rows.
    """
    return data.source, data.importing, data.seed, data.excluded, content


def pin_names(pins: Sequence[Pin], board: DataSettings | None = None) -> list[str]:
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
        told = [
            text
            for key, text in fact.items()
            if key == "source" or len({other.get(key) for other in alike}) > 1
        ]
        names.append(f"{', '.join(told)} · {title}")
    return names


def _analysis(pin: Pin, pins: Sequence[Pin]) -> list[str]:
    """Return what was done to the kernel, as far as it is unusual or differs."""
    chosen = pin.settings.analysis
    alike = [other.settings.analysis for other in pins if other.title == pin.title]
    told = [] if chosen.center else ["not centred"]
    if len({other.components for other in alike}) > 1:
        told.append(f"{chosen.components} components")
    if len({other.solver for other in alike}) > 1:
        told.append(f"solver {chosen.solver}")
    return told


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
    facts["scaling"] = SCALING_TITLES[data.scaling].lower()
    return facts
