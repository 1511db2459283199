"""Settings that differ from those of the start in one part."""

from dataclasses import replace

from kpca_viewer.engine.settings import SessionSettings

START = SessionSettings()


def changed(part: str, **values) -> SessionSettings:
    return replace(START, **{part: replace(getattr(START, part), **values)})
