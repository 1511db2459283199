from kpca_viewer.ui.plots.text import fitted_name, plot_font, text_width


def test_an_axis_name_drops_its_share_before_it_is_shortened(qapp):
    font = plot_font()
    whole = "PC 2 (17.5 %)"
    room = text_width(whole, font)
    assert fitted_name(whole, font, room + 1) == whole
    assert fitted_name(whole, font, room - 4) == "PC 2"
    assert "…" in fitted_name("malic acid of the wine (g/l)", font, 60)
