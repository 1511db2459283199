"""``kpca-viewer embed`` of a table in parts: block by block."""

import argparse
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

import kpca_viewer
from kpca_viewer.console.file_columns import (
    describe_reading,
    import_settings,
    proposed,
    read_options,
    said,
    top_remarks,
)
from kpca_viewer.console.options import encryption_of, settings_of
from kpca_viewer.console.output import (
    Report,
    is_pipe,
    model_facts,
    scaling_facts,
    spectrum_table,
)
from kpca_viewer.console.terminal import Watch
from kpca_viewer.core.estimator.parameters import kernel_of
from kpca_viewer.core.solvers.blocks import Blocks, Each, T, Work
from kpca_viewer.data.importing.settings import MOST_MISSING
from kpca_viewer.data.parts.blocks import PartBlock
from kpca_viewer.data.parts.layout import Layout, first_layout, without_variety
from kpca_viewer.data.parts.pieces import Piece, are_parts, find_parts, pieces_of
from kpca_viewer.data.reading import like_first
from kpca_viewer.data.table import listed
from kpca_viewer.engine.executors.dask_connection import require_extra
from kpca_viewer.engine.executors.executor import Executor, open_executor
from kpca_viewer.engine.full_fit import FittedParts, SeenParts, fit_parts, look_at
from kpca_viewer.engine.settings import DataSettings
from kpca_viewer.export.model import load_prepared, save_prepared
from kpca_viewer.features.large_tables import text
from kpca_viewer.features.large_tables.options import (
    identifying_options,
    refuse_in_parts,
)
from kpca_viewer.features.large_tables.result_folder import (
    Facts,
    ResultFolder,
    ScoreWriter,
    only_run_in,
    part_name,
)
from kpca_viewer.support import paths
from kpca_viewer.support.errors import Cancelled, DataError
from kpca_viewer.support.numerals import percent
from kpca_viewer.support.progress import ShouldStop, never


class Paced:
    """Works on blocks as another does, and tells how that goes on."""

    def __init__(self, each: Each, watch: Watch) -> None:
        self._each = each
        self._watch = watch
        self._stage = ""
        self._turn = 0

    def begin(self, stage: str) -> None:
        self._stage, self._turn = stage, 0
        self._watch(stage)

    def __call__(
        self, work: Work[T], blocks: Blocks, should_stop: ShouldStop = never
    ) -> Iterator[T]:
        """Yield the answers in the order of the blocks."""
        self._turn += 1
        stage = self._stage if self._turn == 1 else f"{self._stage}, again"
        sizes = [b.piece.size if isinstance(b, PartBlock) else 1 for b in blocks]
        total, done, started = max(sum(sizes), 1), 0, perf_counter()
        answers = self._each(work, blocks, should_stop)
        for number, answer in enumerate(answers):
            done += sizes[number]
            seconds = max(perf_counter() - started, 1e-9)
            left = seconds * (total - done) / max(done, 1)
            speed, count = done / seconds, number + 1
            self._watch(text.pace(stage, count, len(blocks), speed, seconds, left))
            yield answer


def embed_parts(options: argparse.Namespace, watch: Watch) -> None:
    """Compute a model of all parts, and the scores of each."""
    if options.scheduler is not None:
        require_extra()
    refuse_in_parts(options)
    if is_pipe(options.out) or options.out.suffix or paths.is_file(options.out):
        raise DataError(text.NO_FOLDER.format(path=options.out))
    report = Report(options)
    if not are_parts(options.data):
        report.say(text.BEYOND_MEMORY.format(path=options.data[0]))
    watch("looking for parts")
    pieces, empty = pieces_of(find_parts(options.data), options=read_options(options))
    for title in empty:
        report.say(text.empty_part(title))
    _Run(options, watch, report, pieces, empty).run()
    report.finish()


class _Run:
    """One run of the command."""

    def __init__(
        self,
        options: argparse.Namespace,
        watch: Watch,
        report: Report,
        pieces: list[Piece],
        empty: list[str],
    ) -> None:
        self._options, self._watch, self._report = options, watch, report
        self._pieces, self._empty = pieces, empty
        # What makes no sense is refused before anything is read or started.
        self._settings = settings_of(options, DataSettings(str(pieces[0].path)))
        self._look_into_folder()

    def _look_into_folder(self) -> None:
        options = self._options
        self._folder = ResultFolder(
            options.out, self._pieces, identifying_options(options), force=options.force
        )
        self._done = self._folder.finished()

    def run(self) -> None:
        """Compute what is missing; if stopped, say how to go on."""
        try:
            self._run()
        except (KeyboardInterrupt, Cancelled) as error:
            raise KeyboardInterrupt(self._stopped()) from error

    def _stopped(self) -> str:
        if self._folder.fitted is None:
            return text.STOPPED_EARLY
        return text.STOPPED.format(done=len(self._done), parts=len(self._pieces))

    def _run(self) -> None:
        if len(self._done) == len(self._pieces):
            self._go_on()
            return
        with only_run_in(self._options.out):
            # What was there before may belong to a run that has ended since.
            self._look_into_folder()
            self._go_on()

    def _go_on(self) -> None:
        options, watch = self._options, self._watch
        left = [p for p in self._pieces if part_name(p) not in self._done]
        if self._done:
            there = text.PARTS_THERE.format(
                done=len(self._done), parts=len(self._pieces)
            )
            self._report.say(there)
        facts = self._folder.fitted
        if facts is None or left:
            layout = self._layout()
            opened = open_executor(
                options.scheduler,
                encryption=encryption_of(options),
                tell=watch,
                size=sum(piece.size for piece in self._pieces),
            )
            try:
                with opened as executor:
                    facts = self._compute(executor, layout, left, facts)
            finally:
                if options.scheduler is None:
                    self._folder.clear_unfinished()
        watch.clear()
        summary = self._folder.summary() if not left else None
        self._describe(summary or self._summarised(facts))

    def _layout(self) -> Layout:
        """Say what the columns are, by the first part."""
        first, options = self._pieces[0], self._options
        reading = read_options(options)
        self._watch(f"reading {first.title}")
        table = first.table(reading)
        reading = like_first(reading, table)
        importing = import_settings(options, table)
        self._report.say(f"Columns by {first.title}: {describe_reading(importing)}")
        for remark in top_remarks(table):
            self._report.say(f"{first.capital_title}: {remark}")
        if importing.left_out:
            self._report.say(text.ROW_OF_TOTALS.format(title=first.title))
            importing = replace(importing, left_out=())
        for line in proposed(options, table, importing):
            self._report.say(f"{text.capitalised(line)}.")
        named = {name for name, _ in said(options)}
        return first_layout(
            self._pieces,
            table,
            importing,
            reading,
            tuple(n for n in without_variety(table, importing) if n not in named),
        )

    def _compute(
        self,
        executor: Executor,
        layout: Layout,
        left: list[Piece],
        facts: Facts | None,
    ) -> Facts:
        each = Paced(executor, self._watch)
        if facts is None:
            facts = self._fit(layout, each, executor)
        model, rows = load_prepared(self._folder.model)
        assert rows is not None
        blocks = {b.piece: b for b in layout.with_rows(rows).blocks}
        before = executor.bytes_moved
        each.begin("scores")
        writer = ScoreWriter(model, paths.real(self._folder.path))
        started = perf_counter()
        written = each(writer, [blocks[piece] for piece in left])
        for piece, part in zip(left, written, strict=True):
            self._folder.keep_part(piece, part)
            self._done[part_name(piece)] = part
        facts["seconds"]["scores"] = perf_counter() - started
        facts["bytes_moved"] += executor.bytes_moved - before
        return facts

    def _fit(self, layout: Layout, each: Paced, executor: Executor) -> Facts:
        options = self._options
        settings = self._settings
        started = perf_counter()
        each.begin("first look")
        parts = look_at(layout, options.scaling, each, settings.data.column_scaling)
        self._say_decided(layout, parts)
        looked = perf_counter()
        described = len(layout.preparation.description.columns)
        columns = 1 + described + settings.analysis.components
        self._folder.require_room(parts.seen.n, columns)
        each.begin("fit")
        fitted = fit_parts(parts, settings, each, options.tol)
        seconds = {"look": looked - started, "fit": perf_counter() - looked}
        rows = parts.layout.preparation.rows
        self._folder.begin()
        save_prepared(fitted.model, self._folder.model, rows)
        facts = _facts(parts, fitted)
        facts |= {
            "seconds": seconds,
            "workers": executor.workers,
            "bytes_moved": executor.bytes_moved,
        }
        self._folder.keep_fitted(facts)
        return facts

    def _say_decided(self, layout: Layout, parts: SeenParts) -> None:
        """Say what became of columns that the first part does not tell about."""
        features = parts.layout.preparation.rows.importing.columns("feature")
        taken = [name for name in layout.undecided if name in features]
        constant = [name for name in layout.undecided if name not in features]
        if taken:
            title = self._pieces[0].title
            self._report.say(text.FEATURES_TOO.format(title=title, names=listed(taken)))
        if constant:
            self._report.say(text.NO_FEATURES.format(names=listed(constant)))
        if gappy := parts.layout.gappy:
            limit, names = percent(MOST_MISSING, 0), listed(gappy)
            self._report.say(text.GAPPY.format(limit=limit, names=names))

    def _summarised(self, facts: Facts) -> Facts:
        parts = list(self._done.values())
        rows = sum(part.rows for part in parts)
        if rows != facts["rows"]:
            raise DataError(text.OTHER_ROWS.format(scored=rows, fitted=facts["rows"]))
        summary = {
            "version": kpca_viewer.__version__,
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
            "source": [str(Path(word).absolute()) for word in self._options.data],
            **facts,
            "left_out": sum(part.left_out for part in parts),
            "parts": len({piece.number for piece in self._pieces}),
            "blocks": len(self._pieces),
            "passed_over": self._empty,
            "bytes_written": sum(part.size for part in parts),
        }
        self._folder.finish(summary)
        return summary

    def _describe(self, summary: Facts) -> None:
        self._report.note(**summary)
        model, rows = load_prepared(self._folder.model)
        say = self._report.say
        first, *lines = text.summary_lines(summary, kernel_of(model))
        if rows is not None and rows.importing.missing == "median":
            lines.insert(bool(summary["left_out"]), text.FILLED_BY_SAMPLE)
        for line in (first, *lines):
            say(line)
        say("")
        for line in spectrum_table(model):
            say(line)
        say("")
        self._report.saved(
            self._options.out, text.FILES_TEXT.format(blocks=summary["blocks"])
        )


def _facts(parts: SeenParts, fitted: FittedParts) -> Facts:
    """Return what is said of a model."""
    model = fitted.model
    rows = parts.layout.preparation.rows
    columns = rows.importing.columns
    return {
        "rows": parts.seen.n,
        "features": len(rows.feature_names),
        "feature_names": list(rows.feature_names),
        "label": next(iter(columns("label")), None),
        "row_names": next(iter(columns("name")), None),
        "metadata": list(columns("ignore")),
        **scaling_facts(rows.scaler, len(parts.seen.sample)),
        **model_facts(model),
        "tolerance": float(model.tol),
        "error": float(model._decomposition.error),
        "rank": int(model.rank_),
        "passes": fitted.passes,
    }
