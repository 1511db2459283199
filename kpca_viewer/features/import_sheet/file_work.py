"""What is done with files on the worker: read, look, convert."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kpca_viewer.data import files
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.files.delimited import UnevenLinesError
from kpca_viewer.data.files.options import ReadOptions
from kpca_viewer.data.importing import (
    ImportSettings,
    Proposals,
    check_worth,
    converted,
    matrix_report,
    new_data,
    propose,
    recognised_matrix,
    without_gaps,
)
from kpca_viewer.data.preparation import Scaling, suggested_scaling
from kpca_viewer.data.reading import EvictedTable, planned, read_source
from kpca_viewer.data.table import Table
from kpca_viewer.engine.document.files import (
    DataToShow,
    MissingDataError,
    OutsideDataError,
    SessionFile,
    load,
    open_data,
    refuse_outside,
    stamp_of,
)
from kpca_viewer.engine.document.model import Document
from kpca_viewer.engine.settings import KernelSettings, SessionSettings
from kpca_viewer.features.import_sheet.content import (
    ImportRequest,
    SheetContent,
    answers_key,
    answers_text,
    reading_key,
    reading_text,
    recall_answers,
    recall_reading,
)
from kpca_viewer.features.import_sheet.text import look_at_all
from kpca_viewer.support.errors import DataError
from kpca_viewer.support.picture_formats import picture_format
from kpca_viewer.support.progress import Progress, ShouldStop

if TYPE_CHECKING:
    # Loaded by the worker: it brings all of scipy.
    from kpca_viewer.engine.forecast import Trial

HUGE = 50_000_000
"""Bytes of a file from which its first rows are shown before the rest is read."""

LOOKED_AT = 2000
"""Rows by which scaling and forecast of a large table are judged."""


@dataclass(frozen=True, eq=False)
class FileToRead:
    path: Path | None = None
    """None reads ``text``."""
    text: str = ""
    """From the clipboard."""
    options: ReadOptions = field(default_factory=ReadOptions)
    session: SessionSettings = field(default_factory=SessionSettings)
    """Whose kernel and solver the forecast is about."""
    scaling: Scaling | None = None
    """Of the columns; None for what suits them."""
    answers: Mapping[str, str] = field(default_factory=dict)
    """What was said about earlier files, by `answers_key`."""
    before: SheetContent | None = None
    """What the sheet showed before, and shows again if this cannot be read."""
    recent: tuple[Path, ...] = ()
    """Files that were opened before: a session may name them without a question."""


@dataclass(frozen=True, eq=False)
class SheetLook:
    """A table whose sheet is wanted again."""

    table: Table
    importing: ImportSettings
    scaling: Scaling
    session: SessionSettings


@dataclass(frozen=True, eq=False)
class TableToImport:
    """What was accepted on the sheet, to be read as far as needed and converted."""

    request: ImportRequest
    session: SessionSettings


@dataclass(frozen=True, eq=False)
class RowsToProject:
    source: Path | Table
    importing: ImportSettings
    """With which the first file was imported."""
    reference: Dataset
    """What it became."""
    options: ReadOptions = field(default_factory=ReadOptions)
    """What was said about the numbers of the first file."""


@dataclass(frozen=True, eq=False)
class SessionToReopen:
    """A session that was read already and whose data are wanted."""

    origin: SessionFile | None
    """The file of the session, where it has one."""
    document: Document


@dataclass(frozen=True, eq=False)
class ReadSession:
    """A session file, or a picture that carries its session."""

    origin: SessionFile | None
    document: Document
    data: DataToShow
    forecast: str = ""
    """What its analysis needs; empty where that is little."""


@dataclass(frozen=True, eq=False)
class Imported:
    """A table that is known to make a data set."""

    table: Table
    importing: ImportSettings
    scaling: Scaling
    rows: int
    """Of the data set."""
    left_out: int = 0
    """Rows that are no part of it because of gaps."""
    filled: tuple[int, int] = (0, 0)
    """Gaps that were filled, and the columns they are in."""
    answers: Mapping[str, str] = field(default_factory=dict)
    """What was said, by its key, for the next file with these columns."""


@dataclass(frozen=True, eq=False)
class Projected:
    """New rows, or why there are none."""

    rows: Dataset | None
    asked: RowsToProject
    error: DataError | None = None


Request = FileToRead | SessionToReopen | SheetLook | TableToImport | RowsToProject
Answer = SheetContent | ReadSession | Imported | Projected


def work(
    request: Request,
    should_stop: ShouldStop,
    progress: Progress,
    _publish: Callable[[Any], None],
) -> Answer:
    match request:
        case FileToRead():
            return _read(request, should_stop, progress)
        case SessionToReopen(origin, document):
            return _read_session(origin, document, should_stop, progress)
        case SheetLook(table, importing, scaling, session):
            if isinstance(table, EvictedTable):
                table = table.read(should_stop, progress)
            progress("looking at the columns", None)
            # Its roles were decided on; what was left out can be seen and had back.
            proposals = replace(propose(table), suspects=())
            return _content(table, importing, scaling, session, proposals)
        case TableToImport(wanted, session):
            return _import(wanted, session, should_stop, progress)
        case RowsToProject():
            return _project(request, should_stop, progress)


def _read(
    reading: FileToRead, should_stop: ShouldStop, progress: Progress
) -> SheetContent | ReadSession:
    path = reading.path
    if path is None:
        return _guessed_again(
            reading, lambda options: files.read_text(reading.text, options=options)
        )
    if path.suffix.lower() == ".kpca":
        # Looked at first: what another program writes meanwhile is not what was read.
        origin = SessionFile(path, stamp_of(path))
        document = load(path)
    elif picture_format(path) is not None:
        origin, document = None, _carried(path, reading.recent)
    else:
        origin = document = None
    if document is not None:
        try:
            refuse_outside(document, path.absolute().parent, reading.recent)
        except OutsideDataError as error:
            error.origin = origin
            raise
        return _read_session(origin, document, should_stop, progress)
    return _guessed_again(
        reading, lambda options: _read_table(path, options, should_stop, progress)
    )


def _guessed_again(
    reading: FileToRead, read: Callable[[ReadOptions], Table]
) -> SheetContent:
    """Return what the sheet shows; what it showed before, where that cannot be read."""
    before = reading.before
    try:
        table = read(reading.options)
        if before is not None:
            content = _guessed(table, reading)
            return replace(content, reading_key=before.reading_key)
        if reading.options != ReadOptions():
            return _guessed(table, reading)
        key = reading_key(table)
        content = _guessed_as_before(reading, key, read) or _guessed(table, reading)
        return replace(content, reading_key=key)
    except DataError as error:
        if before is None:
            raise
        if isinstance(error, UnevenLinesError):
            error = DataError(error.on_sheet)
        return replace(before, error=error)


def _guessed_as_before(
    reading: FileToRead, key: str, read: Callable[[ReadOptions], Table]
) -> SheetContent | None:
    """Return the sheet of a file read as the last one with its columns, if it can."""
    options = recall_reading(reading.answers.get(key, ""))
    if options is None:
        return None
    try:
        return replace(_guessed(read(options), reading), read_as_before=True)
    except DataError:
        return None


def _read_table(
    path: Path, options: ReadOptions, should_stop: ShouldStop, progress: Progress
) -> Table:
    """Read a table, or a sample where it is slow: its first rows, or random ones."""
    path, options = planned(path, options)
    if options.parts is not None:
        return read_source(
            path, options=options, should_stop=should_stop, progress=progress
        )
    try:
        huge = path.stat().st_size > HUGE
    except OSError:
        huge = False  # whatever is wrong with it, reading says so
    if huge:
        preview = files.preview_table(path, options=options, should_stop=should_stop)
        if preview is not None:
            return preview
    return files.read_table(
        path, options=options, should_stop=should_stop, progress=progress
    )


def _read_session(
    origin: SessionFile | None,
    document: Document,
    should_stop: ShouldStop,
    progress: Progress,
) -> ReadSession:
    try:
        data = open_data(document, should_stop, progress)
    except MissingDataError as error:
        # Where a session has come from is known here only.
        error.origin = origin
        raise
    settings = document.settings
    table, importing = data.sources.get(settings.data.source), settings.data.importing
    forecast = None
    if isinstance(table, Table) and importing is not None:
        trial = _trial(table, importing, settings.data.scaling, settings)
        forecast = None if trial is None else trial.forecast(table.n)
    words = "" if forecast is None else str(forecast)
    return ReadSession(origin, document, data, words)


def _carried(path: Path, recent: tuple[Path, ...]) -> Document:
    """Return the session that a picture of ours carries.

    It has no more than the name of its data: they are beside it, or a recent file.
    """
    from kpca_viewer.engine.document.in_picture import document_of, read_metadata

    text = read_metadata(path)
    if not text:
        raise DataError(
            f"The picture “{path.name}” carries no session; open the data, or a "
            "picture that was exported here."
        )
    document = document_of(text, path.absolute().parent, path.name)
    file = document.data.file
    if file is not None and not file.path.exists():
        same = [each for each in recent if each.name == file.path.name]
        if same:
            file = replace(file, path=same[0])
            document = replace(document, data=replace(document.data, file=file))
    return document


def _import(
    request: ImportRequest,
    session: SessionSettings,
    should_stop: ShouldStop,
    progress: Progress,
) -> Imported | SheetContent:
    """Read the rest if there is one; back to the sheet with what cannot be used."""
    table = request.content.table
    if request.options is not None and table.path is not None:
        table = files.read_table(
            table.path,
            options=request.options,
            should_stop=should_stop,
            progress=progress,
        )
    known = {question.column for question in request.content.table.questions}
    if any(question.column not in known for question in table.questions):
        # Not among the first rows: the sheet asks now.
        return _content(table, request.importing, request.scaling, session)
    progress("checking the columns", None)
    from kpca_viewer.engine.stages import refuse_large_values

    try:
        request = replace(request, importing=without_gaps(table, request.importing))
        dataset = converted(table, request.importing)
        refuse_large_values(dataset)
    except DataError as error:
        proposals = request.content.proposals
        content = _content(
            table, request.importing, request.scaling, session, proposals
        )
        key, text = request.content.reading_key, request.content.text
        return replace(content, error=error, reading_key=key, text=text)
    proposals, options = request.content.proposals, table.options or ReadOptions()
    answers = {}
    if proposals is not None:
        answers[answers_key(table)] = answers_text(proposals, request.importing)
    if request.content.reading_key and options.sheet is None and options.arrays is None:
        answers[request.content.reading_key] = reading_text(options)
    return Imported(
        table,
        request.importing,
        request.scaling,
        dataset.n,
        dataset.left_out,
        dataset.filled,
        answers,
    )


def _project(
    asked: RowsToProject, should_stop: ShouldStop, progress: Progress
) -> Projected:
    source = asked.source
    if isinstance(source, Path):
        source = files.read_table(
            source, options=asked.options, should_stop=should_stop, progress=progress
        )
        asked = replace(asked, source=source)
    try:
        return Projected(new_data(source, asked.importing, asked.reference), asked)
    except DataError as error:
        return Projected(None, asked, error)


def _guessed(table: Table, reading: FileToRead) -> SheetContent:
    if not table.parts:
        # There is nothing to choose that would help.
        check_worth(table)
    proposals = propose(table)
    remembered = None
    if reading.answers:
        text = reading.answers.get(answers_key(table), "")
        remembered = recall_answers(text, proposals)
    importing = remembered or proposals.settings
    content = _content(table, importing, reading.scaling, reading.session, proposals)
    return replace(content, remembered=remembered, text=reading.text)


def _content(
    table: Table,
    importing: ImportSettings,
    scaling: Scaling | None,
    session: SessionSettings,
    proposals: Proposals | None = None,
) -> SheetContent:
    """Return what the sheet shows; without a scaling, one is suggested."""
    answers = importing if proposals is None else proposals.settings
    if table.n > LOOKED_AT:
        # Remembered by the column: the sheet must not count a million rows itself.
        look_at_all(table, answers)
    _ = table.with_gaps, table.top_words
    if scaling is None:
        rows = _sample(table, importing)
        scaling = "none" if rows is None else suggested_scaling(rows.points)
    return SheetContent(
        table,
        importing,
        scaling,
        "" if recognised_matrix(table) is None else matrix_report(table),
        _trial(table, importing, scaling, session),
        proposals=proposals,
    )


def _trial(
    table: Table, importing: ImportSettings, scaling: Scaling, session: SessionSettings
) -> "Trial | None":
    """Try out the analysis of a large table on a few of its rows."""
    from kpca_viewer.engine.forecast import FROM_ROWS, try_out

    if max(table.n, table.total or 0) < FROM_ROWS:
        return None
    rows = _sample(table, importing)
    if rows is None:
        return None
    # Values that were set were set for other data.
    settings = replace(session, kernel=KernelSettings(session.kernel.family))
    return try_out(rows.points, scaling, settings, rows.labels, rows.target)


def _sample(table: Table, importing: ImportSettings) -> Dataset | None:
    """Return some of the rows, or None where they are a matrix or cannot be used.

    What is wrong with the columns is said when they are taken as they are.
    """
    if importing.matrix != "points":
        return None
    few = replace(importing, sample=None)
    try:
        return converted(_some_rows(table), few)
    except DataError:
        return None


def _some_rows(table: Table) -> Table:
    if table.n <= 2 * LOOKED_AT:
        return table
    rows = np.linspace(0, table.n - 1, LOOKED_AT).astype(np.intp)
    return table.take(rows)
