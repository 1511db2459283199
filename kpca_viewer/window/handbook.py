"""Pages of the site that belong to what the window shows."""

from PySide6.QtCore import QUrl

from kpca_viewer.resources import site_page

WORKSPACES = {
    "explore": ("Five minutes with the rings", "start/rings.html"),
    "sweep": ("Sweeps", "how_to/sweeps.html"),
    "explain": ("The derivation", "mathematics.html#the-derivation-step-by-step"),
    "decide": ("Choosing", "choosing.html"),
}
PAGES = {
    "columns": ("Which columns", "mathematics.html#which-columns"),
    "odd": ("Odd rows", "mathematics.html#odd-rows"),
    "preimage": ("Pre-images", "mathematics.html#pre-images"),
    "real": ("Random data", "random_data.html"),
    "rebuild": ("Distances and kernel matrices", "how_to/distances.html"),
}
"""Titles and addresses, by the key of a page; others have that of their workspace."""


def matching(workspace: str, page: str) -> tuple[str, QUrl]:
    """Return the title of the page that fits, and where it is."""
    title, address = PAGES.get(page) or WORKSPACES[workspace]
    path, _, place = address.partition("#")
    url = QUrl(site_page(path))
    if place:
        url.setFragment(place)
    return title, url
