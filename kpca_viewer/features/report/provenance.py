"""What it takes to get the same numbers again: versions, and the code."""

import platform

from kpca_viewer.export.document import Code, Facts, Paragraph, Section
from kpca_viewer.export.script import as_python
from kpca_viewer.export.text import quoted
from kpca_viewer.features.report.gathering import Subject
from kpca_viewer.features.report.versions import versions


def versions_section() -> Section:
    """Return the section that names all programs with their versions."""
    system = "System", f"{platform.system()} {platform.machine()}"
    return Section("Versions", (Facts((*versions(), system)),))


def code_section(subject: Subject) -> Section:
    """Return the section with the script that computes the embedding again."""
    code = as_python(subject.result, file=subject.file, view=subject.view)
    if subject.file is not None:
        # A report goes to others; a script that is exported runs anywhere here.
        path = subject.file.path
        code = code.replace(quoted(str(path)), quoted(path.name))
    what = "the embedding again, to the accuracy that it states, and draws it"
    every = subject.result.full_fit
    if every is not None:
        what = (
            "the embedding of the rows drawn alone, not that of "
            f"{every.words}; its first lines say which command computes these"
        )
    text = (
        f"This script computes {what}. It is run where the data are, with the versions "
        "above."
    )
    return Section("Code", (Paragraph(text), Code(code)))
