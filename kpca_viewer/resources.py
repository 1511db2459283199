"""Where the files beside the code are: icons, sample data, lessons."""

from functools import cache
from pathlib import Path


@cache
def _assets() -> Path:
    package = Path(__file__).resolve().parent
    # A wheel carries the folder inside the package; a checkout has it at its root.
    for folder in (package / "assets", package.parent / "assets"):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(
        f"The assets folder is neither in {package} nor in {package.parent}; "
        "install kpca_viewer again."
    )


def asset(*parts: str) -> Path:
    """Return the path of a file in the assets folder.

    Parameters
    ----------
    *parts : str
        The way to it, for example ``"icons", "open.svg"``; nothing for the folder
        itself.

    Raises
    ------
    FileNotFoundError
        If there is no such file or folder.
    """
    path = _assets().joinpath(*parts)
    if not path.exists():
        raise FileNotFoundError(f"There is no asset {'/'.join(parts)} in {_assets()}.")
    return path


SITE = "https://kpca-viewer.github.io/kpca_viewer"


def site_page(path: str) -> str:
    """Return the address of a page of the site: here, where it was built or shipped."""
    for folder in (_assets() / "site", _assets().parent / "build" / "site"):
        if (folder / path).is_file():
            return (folder / path).as_uri()
    return f"{SITE}/{path}"
