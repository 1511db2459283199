"""What the words in the tables mean, as the glossary of the program has it."""

from collections.abc import Iterator

from kpca_viewer.engine.text.glossary import TERMS
from kpca_viewer.export.document import Facts, Section
from kpca_viewer.features.report.gathering import Gathered
from kpca_viewer.features.report.result_sections import known_scores


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
    for section in gathered.sections:
        yield from section.terms
