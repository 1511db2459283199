"""What the board shows, declared once: panels, pages and what becomes a picture."""

from collections.abc import Mapping
from dataclasses import dataclass

from kpca_viewer.support.registry import Registry


@dataclass(frozen=True)
class Plot:
    """Something that can be exported as a picture."""

    key: str
    """Also its name on the command line."""
    title: str
    of_data: str = ""
    """What stands behind the name of the data in the title of a picture; empty where
    the name says it all."""
    has_legend: bool = False
    """Whether the colour of a point means something in it."""


@dataclass(frozen=True)
class Page(Plot):
    """A page of the panel beside the spectrum; its view is in `ui.board.pages`."""

    menu: str = ""
    """Its title with a mnemonic."""
    tip: str = ""
    """Of its button."""
    short: str = ""
    """Title of its button where there is little room, if it is clear enough; empty for
    the same."""
    terms: tuple[str, ...] = ()
    """Keys of the glossary that explain what it shows."""
    is_picture: bool = True
    """Whether it can be exported; a table cannot."""


PANELS = (
    Plot("embedding", "Embedding", "embedding", has_legend=True),
    Plot("data", "Data", has_legend=True),
    Plot("spectrum", "Spectrum", "spectrum"),
)

PAGES: Registry[Page] = Registry(
    lambda page: page.key,
    (
        Page(
            "pca",
            "Linear PCA",
            "Linear PCA",
            has_legend=True,
            menu="&Linear PCA",
            tip="The same rows by ordinary PCA",
            short="PCA",
            terms=("linear_pca",),
        ),
        Page(
            "gram",
            "Kernel matrix",
            "kernel matrix",
            menu="&Kernel matrix",
            tip="How alike every pair of points is",
            short="Matrix",
            terms=("kernel_matrix", "centring"),
        ),
        Page(
            "table",
            "Table",
            menu="&Table",
            tip="The selected rows with all their values",
            is_picture=False,
        ),
        Page(
            "derivation",
            "Derivation",
            "derivation",
            menu="&Derivation",
            tip="Every step of kernel PCA on these numbers; F8 lets it fill the board",
            terms=("kernel_matrix", "centring", "component", "embedding"),
        ),
        Page(
            "rebuild",
            "Rebuild",
            "rebuilt",
            menu="Re&build",
            tip="The kernel matrix from some of its parts; classical MDS beside PCA",
            terms=("eckart_young", "classical_mds", "strain"),
        ),
        Page(
            "columns",
            "Columns",
            "columns",
            menu="&Columns",
            tip="Which columns move a component, and which tell two groups apart",
            terms=("influence", "noise_band", "effect_size"),
        ),
        Page(
            "odd",
            "Odd rows",
            "odd rows",
            has_legend=True,
            menu="Odd &rows",
            tip="Which rows lie far out or far from the model, and why",
            terms=("leverage", "distance_to_model", "representation_quality"),
        ),
        Page(
            "real",
            "Is it real?",
            "beside random data",
            has_legend=True,
            menu="Is it real?",
            tip="The same kernel on random data: are these groups more than chance?",
            short="Real?",
            terms=("random_data", "gap", "bootstrap"),
        ),
        Page(
            "preimage",
            "Pre-image",
            "pre-image",
            menu="Pre-&image",
            tip="What lies at a place of the embedding: values of the columns, and "
            "their picture",
            terms=("preimage", "distance_left"),
        ),
    ),
)
"""The pages by their keys, in the order of buttons, menu and shortcuts."""

BOARD = Plot("board", "Whole board", has_legend=True)

SWEEPS = (
    Plot("sweep_grid", "Sweep, all pictures", has_legend=True),
    Plot("sweep_strip", "Sweep with its curve", has_legend=True),
)


def board_plots() -> Mapping[str, Plot]:
    """Return what the board has for pictures, in the order in which it is offered."""
    pages = (page for page in PAGES.values() if page.is_picture)
    return {plot.key: plot for plot in (*PANELS, *pages, BOARD)}


def all_plots() -> Mapping[str, Plot]:
    """Return the same with the sheets of a sweep, which are not always there."""
    return {**board_plots(), **{plot.key: plot for plot in SWEEPS}}
