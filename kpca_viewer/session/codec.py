"""Settings as text, and back."""

import msgspec

from kpca_viewer.core.errors import DataError
from kpca_viewer.session.settings import SessionSettings


def encode(settings: SessionSettings) -> str:
    """Return settings as JSON."""
    return msgspec.json.encode(settings).decode()


def decode(text: str) -> SessionSettings:
    """Read settings from JSON.

    Raises
    ------
    DataError
        If the text is not JSON or a field has the wrong type.
    """
    try:
        return msgspec.json.decode(text.encode(), type=SessionSettings)
    except (msgspec.MsgspecError, UnicodeEncodeError, RecursionError) as error:
        raise DataError(f"These are no settings of kpca_viewer: {error}.") from error
