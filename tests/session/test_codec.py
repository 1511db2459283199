"""Settings survive the way to text and back; other text is refused."""

import pytest

from kpca_viewer.core.errors import DataError
from kpca_viewer.session.codec import decode, encode
from kpca_viewer.session.settings import (
    AnalysisSettings,
    DataSettings,
    KernelSettings,
    SessionSettings,
    ViewSettings,
)


@pytest.mark.parametrize(
    "settings",
    [
        SessionSettings(),
        SessionSettings(
            DataSettings("Größen.csv", (("noise", 0.1),), 7, "unit"),
            KernelSettings("poly", (("degree", 3.0), ("gamma", 1 / 3))),
            AnalysisSettings(4, False, "dense"),
            ViewSettings((2, 1, 0), True, data_axes=(1, 0, 2), spectrum="log"),
        ),
    ],
)
def test_there_and_back(settings):
    again = decode(encode(settings))
    assert again == settings
    assert hash(again) == hash(settings)


def test_what_is_left_out_takes_its_default():
    assert decode('{"kernel": {"family": "linear"}}') == SessionSettings(
        kernel=KernelSettings("linear")
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no JSON",
        "[1, 2]",
        '{"kernel": 3}',
        '{"analysis": {"components": "ten"}}',
        '{"data": {"scaling": "odd"}}',
        '{"view": {"axes": [0, 1]}}',
        '{"kernel": {"values": [["gamma", null]]}}',
        '{"data": {"source": "\udce4"}}',
        '{"x": ' + "[" * 100_000,
    ],
    ids=lambda text: text[:20].encode("ascii", "replace").decode(),
)
def test_other_text_is_refused(text):
    with pytest.raises(DataError, match="no settings of kpca_viewer"):
        decode(text)
