"""The site: `make docs`, or sphinx-build -W docs build/site. Needs no network."""

import os
import sys
from importlib import import_module
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

made = import_module("program_pages")
gallery = import_module("program_gallery")
gallery.write_gallery(HERE / "made" / "gallery_source")
PAGES = HERE / "made" / "extra" / "pages"
PAGES.mkdir(parents=True, exist_ok=True)
kpca_viewer = import_module("kpca_viewer")

project = "kpca_viewer"
author = "The kpca_viewer developers"
copyright = author
version = release = kpca_viewer.__version__
language = "en"

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["made/gallery_source", "made/extra"]
html_extra_path = ["made/extra"]
linkcheck_ignore = [r"\.\./pages/"]
suppress_warnings = ["config.cache"]  # the scraper is a function

myst_enable_extensions = ["deflist", "colon_fence"]
myst_heading_anchors = 4

napoleon_google_docstring = False
napoleon_use_rtype = False
autodoc_member_order = "bysource"
autodoc_typehints = "none"
toc_object_entries_show_parents = "hide"
default_role = "code"

html_theme = "pydata_sphinx_theme"
html_title = "kpca_viewer"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_favicon = html_logo = "../assets/icon.svg"
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "github_url": "https://github.com/kpca-viewer/kpca_viewer",
    "show_prev_next": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "logo": {"text": "kpca_viewer"},
}


def scrape(_block, block_vars, gallery_conf):
    """Take the pictures and the page that an example has written into its folder."""
    from sphinx_gallery.scrapers import figure_rst

    name = Path(block_vars["src_file"]).stem.removeprefix("plot_")
    for path in Path.cwd().glob("*.html"):
        path.replace(PAGES / f"{name}.html")
    paths = []
    for path in sorted(Path.cwd().glob("*.[pg][ni][gf]")):
        target = Path(next(block_vars["image_path_iterator"])).with_suffix(path.suffix)
        path.replace(target)
        paths.append(str(target))
    return figure_rst(paths, gallery_conf["src_dir"])


sphinx_gallery_conf = {
    "examples_dirs": "made/gallery_source",
    "gallery_dirs": "gallery",
    "within_subsection_order": "FileNameSortKey",
    "filename_pattern": r"/plot_",
    "image_scrapers": (scrape,),
    "reset_modules": (),
    "remove_config_comments": True,
    "show_memory": False,
    "write_computation_times": False,
    "min_reported_time": 3600,
    "capture_repr": (),
    "show_signature": False,
    "download_all_examples": False,
}


def setup(app):
    """Write the pages that come from tables of the program, and their pictures."""
    app.connect("builder-inited", lambda _: made.write_all(HERE / "made"))
