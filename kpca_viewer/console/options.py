"""What all commands share: the options for data and kernel, and what they ask for.

Nothing heavier than the tables of kernels and generators is imported at the top:
``--help`` must answer at once, and the commands that need no Qt must run where there is
none.
"""

import argparse
import os
import sys
from contextlib import suppress
from dataclasses import dataclass, field, replace
from glob import has_magic
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kpca_viewer.console.file_columns import (
    COLUMN_OPTIONS,
    READING_OPTIONS,
    add_column_options,
    add_reading_options,
    describe_reading,
    import_settings,
    left_out,
    one_of,
    read_options,
    remarks,
)
from kpca_viewer.console.output import is_pipe, opened_input
from kpca_viewer.console.terminal import Watch, say
from kpca_viewer.core.kernels.composition import parsed
from kpca_viewer.core.kernels.families import FAMILIES, kernel_parameters
from kpca_viewer.data.drawn import SOURCE as DRAWN
from kpca_viewer.data.generators import GENERATORS, generator_parameters
from kpca_viewer.support import paths
from kpca_viewer.support.errors import DataError, KernelError, shorten
from kpca_viewer.support.numerals import readable, with_minus

if TYPE_CHECKING:
    from kpca_viewer.core.kernels.family import KernelFamily, Parameter
    from kpca_viewer.data.dataset import Dataset
    from kpca_viewer.data.generators import Generator
    from kpca_viewer.data.table import Table
    from kpca_viewer.engine.document.model import FileReference
    from kpca_viewer.engine.executors.dask_connection import Encryption
    from kpca_viewer.engine.settings import SessionSettings
    from kpca_viewer.support.progress import Progress

FILE_CHOICES = (
    *(*COLUMN_OPTIONS, *READING_OPTIONS),
    *("missing", "most_missing", "matrix", "sample"),
)
ANALYSIS = ("components", "no_center", "solver")
CLUSTER = ("scheduler", "tls_ca", "tls_cert", "tls_key")


def option_names() -> tuple[str, ...]:
    """Return every option that says what is analysed, by its name once parsed."""
    values = (*generator_parameters(), *kernel_parameters())
    scaling = "scaling", "scale_column"
    return ("data", "seed", *scaling, "kernel", *values, *FILE_CHOICES, *ANALYSIS)


@dataclass(frozen=True, eq=False)
class Chosen:
    """What the options ask for."""

    settings: "SessionSettings"
    opened: dict[str, "Dataset | Table"] = field(default_factory=dict)
    """What was read from a file, under the name that the settings use."""
    file: "FileReference | None" = None
    """Where they were read from."""
    notes: tuple[str, ...] = ()
    """What the reader found out about the file."""
    remarks: tuple[str, ...] = ()
    """What was decided about the columns without a word from anybody."""


def add_data_options(
    parser: argparse.ArgumentParser, *, positional: bool = False, several: bool = False
) -> None:
    """Let a command choose its data: by ``--data``, or as its first word or words."""
    group = parser.add_argument_group("data")
    text = "a file (CSV, Excel, Parquet, NPY, …), or circles, moons, iris, digits, …"
    if several:
        text += "; a folder, a pattern or several files for a table in parts"
        group.add_argument("data", metavar="DATA", nargs="*", help=text)
    elif positional:
        group.add_argument("data", metavar="DATA", nargs="?", help=text)
    dest = "named_data" if several or positional else "data"
    group.add_argument("--data", dest=dest, metavar="DATA", help=text)
    add = group.add_argument
    add(
        "--scaling",
        metavar="HOW",
        help="none, standardise, minmax or unit (default: what suits the data)",
    )
    add(
        "--scale-column",
        action="append",
        metavar="NAME=HOW",
        help="another scaling for one feature: none, standardise, minmax, robust "
        "(median and IQR), log or log1p, both then standardised (once for each)",
    )
    add_column_options(group)
    add(
        "--missing",
        metavar="HOW",
        help="gaps of a file: drop their rows, leave out their columns, or fill them "
        "by the median or the nearest rows: drop, columns, median or nearest (default: "
        "drop, or median where more than one row in five would be lost)",
    )
    add(
        "--most-missing",
        type=number,
        metavar="SHARE",
        help="of a file: a column of which more is missing is no feature (default: "
        "0.3)",
    )
    add(
        "--text-missing",
        action="store_true",
        help="of a file: words among numbers count as gaps",
    )
    add(
        "--matrix",
        metavar="KIND",
        help="of a file: points, kernel or distances (default: recognised)",
    )
    add_reading_options(group)
    add(
        "--sample",
        type=whole_number,
        metavar="N",
        help="of a file: so many rows at random",
    )
    for parameter in generator_parameters().values():
        owners = [g.key for g in GENERATORS.values() if _has(g, parameter)]
        add(
            parameter.option,
            type=whole_number if parameter.scale == "integer" else number,
            metavar="N" if parameter.scale == "integer" else "X",
            help=f"of {_some(owners)}: {readable(parameter.low)} {_end(parameter)}",
        )
    add("--seed", type=whole_number, metavar="N", help="of a generator or a sample")


def take_named_data(
    options: argparse.Namespace, parser: argparse.ArgumentParser
) -> None:
    """Let ``--data`` stand for the first word of a command, of which there is one."""
    if not hasattr(options, "named_data"):
        return
    named, words = options.named_data, options.data
    if named is not None and words:
        parser.error("data are named twice, as DATA and by --data")
    if named is not None:
        options.data = [named] if isinstance(words, list) else named
    elif not words:
        parser.error("the following arguments are required: DATA")


def number(text: str) -> float:
    with suppress(ValueError):
        return float(with_minus(text))
    raise argparse.ArgumentTypeError(f"“{shorten(text)}” is not a number")


def whole_number(text: str) -> int:
    """Return the whole number that an option gives, also as 1e6."""
    text = with_minus(text)
    with suppress(ValueError):
        return int(text)
    with suppress(ValueError):
        if (value := float(text)).is_integer():
            return int(value)
    raise argparse.ArgumentTypeError(f"“{shorten(text)}” is not a whole number")


def _components(text: str) -> float:
    """Return a number of components, or a share of the variance."""
    text = with_minus(text)
    with suppress(ValueError):
        return int(text)
    with suppress(ValueError):
        if 0 < (share := float(text)) < 1:
            return share
    raise argparse.ArgumentTypeError(
        f"{shorten(text)} is neither a whole number nor a share between 0 and 1"
    )


def add_kernel_options(
    parser: argparse.ArgumentParser, *, shares: bool = False
) -> None:
    """Let a command choose kernel and analysis; ``shares``: also by variance held."""
    add = parser.add_argument_group("kernel").add_argument
    add(
        "--kernel",
        metavar="NAME",
        help=f"{', '.join(FAMILIES)} (default: rbf), or sums and products of them: "
        '"rbf(0.5) + 0.1*linear()"',
    )
    for parameter in kernel_parameters().values():
        owners = [f.name for f in FAMILIES.values() if _has(f, parameter)]
        choices = ", ".join(readable(value) for value in parameter.choices)
        add(
            parameter.option,
            type=number,
            metavar="X",
            help=f"{parameter.symbol} of {', '.join(owners)}"
            + (f": {choices}" if choices else "")
            + (" (default: what suits the data)" if parameter.follows else ""),
        )
    add(
        "--components",
        type=_components if shares else whole_number,
        metavar="K",
        help="how many (default: 10)"
        + (", or the share of the variance to reach, such as 0.95" if shares else ""),
    )
    add(
        "--no-center",
        action="store_true",
        default=None,
        help="leave the kernel matrix uncentred",
    )
    add(
        "--solver",
        metavar="NAME",
        help="auto, dense, arpack, randomized, krylov or lowrank",
    )


def _has(owner: "KernelFamily | Generator", parameter: "Parameter") -> bool:
    return any(known.name == parameter.name for known in owner.parameters)


def _end(parameter: "Parameter") -> str:
    return "or more" if parameter.open_ended else f"… {readable(parameter.high)}"


def _some(names: list[str], most: int = 4) -> str:
    return ", ".join(names if len(names) <= most else [*names[:most], "…"])


def asks_for_anything(
    options: argparse.Namespace, *, besides_data: bool = False
) -> bool:
    """Whether any option says what is analysed, or how if the file does not count."""
    return any(
        getattr(options, name, None) is not None
        for name in option_names()
        if not (besides_data and name in ("data", *READING_OPTIONS))
    )


def says_what_columns_are(options: argparse.Namespace) -> bool:
    """Whether any option says how a file is read."""
    names = (*FILE_CHOICES, "scale_column")
    given = any(getattr(options, name) is not None for name in names)
    return given or options.text_missing


def chosen(options: argparse.Namespace, progress: "Progress | None" = None) -> Chosen:
    """Return what the options ask for; a file is read here.

    What was decided about its columns without being asked is said on stderr.

    Raises `KpcaError` if an option makes no sense, or the file cannot be opened.
    """
    from kpca_viewer.support.progress import silent

    source = options.data if options.data is not None else "circles"
    if source == DRAWN and not paths.exists(source):
        raise DataError(
            "Points are drawn in the window; start it without --data, or open a "
            "session that holds some."
        )
    if source in GENERATORS:
        _refuse(options, FILE_CHOICES, f"“{source}” is not a file")
        return Chosen(_of_generator(options, source))
    check_source(source)
    _refuse(options, tuple(generator_parameters()), f"“{source}” is not a generator")
    with opened_input(source) as path:
        request = _of_file(options, path, progress or silent)
    if is_pipe(source):
        request = replace(request, file=None)  # what is gone cannot be opened again
    if isinstance(progress, Watch):
        progress.clear()
    # In JSON they are among the notes.
    speaks = not (getattr(options, "quiet", False) or getattr(options, "json", False))
    for remark in request.remarks if speaks else ():
        say(f"{path.name}: {remark}.", sys.stderr)
    return request


def dataset_of(request: Chosen) -> "Dataset":
    """Return the data that the options ask for."""
    from kpca_viewer.data.generators import generate
    from kpca_viewer.data.importing import converted, guess_import
    from kpca_viewer.data.table import Table

    data = request.settings.data
    source = request.opened.get(data.source)
    if source is None:
        return generate(data.source, seed=data.seed, **dict(data.values))
    if isinstance(source, Table):
        return converted(source, data.importing or guess_import(source))
    return source


def _of_generator(options: argparse.Namespace, source: str) -> "SessionSettings":
    from kpca_viewer.data.generators import generate
    from kpca_viewer.engine.settings import DataSettings, as_values

    given = _given(options, tuple(generator_parameters()))
    seed = options.seed or 0
    known = {parameter.name for parameter in GENERATORS[source].parameters}
    if unused := sorted(set(given) - known):
        has = ", ".join(sorted(known)) or "none"
        raise DataError(
            f"The data set “{source}” has no parameter “{unused[0]}”; it has {has}."
        )
    # Said here, in the terminal, rather than by a window without a picture.
    if known:
        generate(source, seed=seed, **given)
    data = replace(DataSettings.of_source(source, seed=seed), values=as_values(given))
    return settings_of(options, data)


def _of_file(options: argparse.Namespace, path: Path, progress: "Progress") -> Chosen:
    from kpca_viewer.data.files.options import ReadOptions
    from kpca_viewer.data.importing import OddCellError, converted
    from kpca_viewer.data.preparation import suggested_scaling
    from kpca_viewer.data.reading import planned, read_source
    from kpca_viewer.engine.document.model import FileReference
    from kpca_viewer.engine.settings import DataSettings

    path, reading = planned(path, read_options(options))
    table = read_source(path, options=reading, progress=progress)
    imported = import_settings(options, table)
    try:
        dataset = converted(table, imported)
    except OddCellError:
        if not table.top_words:
            raise
        raise DataError(
            f"{table.top_words}; give --transpose if the columns are the samples, or "
            "--text-missing to take words as missing."
        ) from None
    key = os.path.abspath(path)
    data = DataSettings(key, importing=imported)
    if dataset.kind == "points":
        data = replace(data, scaling=suggested_scaling(dataset.points))
    return Chosen(
        settings_of(options, data),
        {key: table},
        FileReference(path, table.content_hash, table.options or ReadOptions()),
        (
            *table.notes,
            describe_reading(imported),
            *left_out(dataset, table.n - len(imported.left_out)),
        ),
        remarks(options, table, imported, dataset),
    )


def settings_of(options: argparse.Namespace, data: Any) -> "SessionSettings":
    """Return data settings with the kernel and the analysis of the options."""
    from kpca_viewer.core.kernels.kernel import Kernel
    from kpca_viewer.data.preparation import COLUMN_SCALING_TITLES, SCALING_TITLES
    from kpca_viewer.engine.initial_session import kernel_of_example
    from kpca_viewer.engine.settings import (
        AnalysisSettings,
        KernelSettings,
        SessionSettings,
        ViewSettings,
        as_values,
    )

    if options.scaling is not None:
        one_of("--scaling", options.scaling, tuple(SCALING_TITLES))
        data = replace(data, scaling=options.scaling)
    for said_scaling in options.scale_column or ():
        name, equals, how = said_scaling.rpartition("=")
        if not equals:
            raise DataError(
                f"“{said_scaling}” does not say how a column is scaled; write "
                f"--scale-column {said_scaling}=log."
            )
        one_of("--scale-column", how, tuple(COLUMN_SCALING_TITLES))
        data = data.with_column_scaling(name, how)
    own = kernel_of_example(data.source)
    family = options.kernel or ("rbf" if own is None else own.family)
    if family.isidentifier() and family not in FAMILIES:
        raise KernelError(
            f"There is no kernel “{family}”; choose one of {', '.join(FAMILIES)}."
        )
    family, values = parsed(family, FAMILIES)
    values |= _given(options, tuple(kernel_parameters()))
    if own is not None and options.kernel is None:
        # What belongs to an example holds until an option says otherwise.
        values = {**dict(own.values), **values}
    Kernel(family, **values)  # refuses what this kernel does not have or take
    analysis = AnalysisSettings(center=not options.no_center)
    if isinstance(options.components, int):
        if options.components < 1:
            raise DataError(
                f"{options.components} components cannot be computed; ask for 1 or "
                "more."
            )
        analysis = replace(analysis, components=options.components)
    if options.solver is not None:
        analysis = replace(analysis, solver=options.solver)
    return SessionSettings(
        data=data,
        kernel=KernelSettings(family, as_values(values)),
        analysis=analysis,
        view=ViewSettings().for_source(data.source),
    )


def _given(options: argparse.Namespace, names: tuple[str, ...]) -> dict[str, float]:
    values = {name: getattr(options, name, None) for name in names}
    return {name: float(value) for name, value in values.items() if value is not None}


def _refuse(options: argparse.Namespace, names: tuple[str, ...], why: str) -> None:
    for name in names:
        if getattr(options, name, None) is not None:
            raise DataError(f"{why}, so --{name} has no meaning; leave it out.")


def check_source(source: str) -> None:
    """Refuse a word that is neither a file nor a data set, and a file that is gone."""
    if is_pipe(source) or source in GENERATORS or paths.exists(source):
        return
    if has_magic(source):
        return  # A pattern: the search for its files says whether there are any.
    if Path(source).suffix or os.sep in source or "/" in source:
        raise DataError(f"“{source}” does not exist; check the name and the folder.")
    if source != DRAWN:
        raise DataError(
            f"There is no file and no data set “{source}”; give the path of a file, or "
            f"one of {', '.join(GENERATORS)}."
        )


def add_cluster_options(parser: argparse.ArgumentParser, title: str) -> None:
    """Let a command choose where it computes."""
    group = parser.add_argument_group(title)
    add = group.add_argument
    add(
        "--scheduler",
        metavar="ADDRESS",
        help="of Dask: tcp://host:port, or tls://host:port (default: this machine)",
    )
    for name, what in (
        ("ca", "the authority that is believed"),
        ("cert", "the certificate of this end"),
        ("key", "its key"),
    ):
        add(f"--tls-{name}", metavar="FILE", type=Path, help=f"of tls://…: {what}")


def encryption_of(options: argparse.Namespace) -> "Encryption | None":
    """Return the files for TLS, if given; raise `DataError` if one is missing."""
    from kpca_viewer.engine.executors.dask_connection import Encryption

    files = (options.tls_ca, options.tls_cert, options.tls_key)
    if all(path is None for path in files):
        return None
    if any(path is None for path in files):
        raise DataError("--tls-ca, --tls-cert and --tls-key belong together; give all.")
    return Encryption(*files)
