import pytest

from kpca_viewer.widgets.plots.text import (
    elided_apart,
    fitted_name,
    plot_font,
    text_width,
)


def test_an_axis_name_rounds_its_share_and_drops_it_before_it_is_shortened(qapp):
    font = plot_font()
    whole = "PC 2 (17.5 %)"
    room = text_width(whole, font)
    assert fitted_name(whole, font, room + 1) == whole
    assert fitted_name(whole, font, room - 4) == "PC 2 (18 %)"
    short = text_width("PC 2 (18 %)", font)
    assert fitted_name(whole, font, short - 1) == "PC 2"


@pytest.mark.parametrize("share", [0.8, 0.6, 0.5])
def test_long_names_stay_different_and_keep_their_units(qapp, share):
    font = plot_font()
    names = [f"concentration of {x} in the blood (mg/dl)" for x in ("urea", "iron")]
    names += ["temperature of the inner wall", "temperature of the outer wall"]
    names += ["short", *2 * ["the very same name of something that is long"]]
    room = share * text_width(names[0], font)
    cut = elided_apart(names, font, room)
    assert all(text_width(name, font) <= room for name in cut)
    assert all(name.endswith("(mg/dl)") for name in cut[:2])
    assert cut[4] == "short"
    assert len(set(cut)) == 6


@pytest.mark.parametrize("unit", ["(mmHg)", "(g/l)", "(%)", "(12 %)"])
def test_a_unit_is_part_of_the_name(qapp, unit):
    font, name = plot_font(), f"pressure of the blood {unit}"
    short = fitted_name(name, font, text_width(name, font) - 4)
    assert "…" in short
    assert short.endswith(unit)
