"""What the words in the tables mean, as the glossary of the program has it."""

from collections.abc import Iterator

from kpca_viewer.export.report.blocks import Facts, Section
from kpca_viewer.export.report.gathering import Gathered
from kpca_viewer.export.report.result_sections import known_scores
from kpca_viewer.session.words.glossary import TERMS


def words_section(gathered: Gathered) -> Section:
    """Return the section that explains the measures of a report."""
    terms = (TERMS[key] for key in _keys(gathered))
    told = tuple((term.title, f"{term.formula}. {term.sentence}") for term in terms)
    return Section("Words", (Facts(told),))


def _keys(gathered: Gathered) -> Iterator[str]:
    result = gathered.subject.result
    if gathered.subject.searched is not None:
        yield from ("real", "stable")
    yield "effective_rank"
    yield from known_scores(result)
    if gathered.columns is not None:
        yield from ("influence", "noise_band")
    if result.odd is None or result.odd.numbers.spe is None:
        yield "leverage"
    else:
        yield from ("representation_quality", "leverage", "distance_to_model")
