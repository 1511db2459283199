"""Every step of kernel PCA on the numbers of the window."""

from typing import TYPE_CHECKING

from kpca_viewer.engine.feature import Action, Feature, Page

if TYPE_CHECKING:
    from kpca_viewer.widgets.workbench import Workbench


def _fill_board(workbench: "Workbench", _on: bool) -> None:
    workbench.window.board.toggle_page("derivation")


FEATURE = Feature(
    "derivation",
    page=Page(
        "derivation",
        "Derivation",
        "derivation",
        view="kpca_viewer.features.derivation.page:DerivationPage",
        menu="&Derivation",
        tip="Every step of kernel PCA on these numbers; F8 lets it fill the board",
        terms=("kernel_matrix", "centring", "component", "embedding"),
        workspaces=("explain",),
    ),
    actions=(
        Action(
            "derive",
            "Deri&ve step by step",
            "&View",
            "F8",
            tip="Let the derivation fill the board; again, or Escape, brings the plots "
            "back.",
            handler=_fill_board,
        ),
    ),
)
