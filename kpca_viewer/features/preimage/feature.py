"""What lies at a place of the embedding."""

from kpca_viewer.engine.feature import Action, Feature, Page

FEATURE = Feature(
    "preimage",
    page=Page(
        "preimage",
        "Pre-image",
        "pre-image",
        view="kpca_viewer.features.preimage.page:PreImagePage",
        menu="Pre-&image",
        tip="What lies at a place of the embedding: values of the columns, and "
        "their picture",
        terms=("preimage", "distance_left"),
        workspaces=("decide",),
    ),
    actions=(
        Action(
            "probe",
            "What lies &here (pre-image)",
            "&View",
            "X",
            tip="Point at any place of the embedding to see which values of the "
            "columns would lie there.",
            checkable=True,
            handler="take_cursor",
        ),
    ),
    controller="kpca_viewer.features.preimage.controller:ProbeController",
)
