"""Names from files in tooltips: plain text, whatever they look like."""


def plain_tip(text: str) -> str:
    """Return text as a tooltip shows it literally.

    Qt takes a tooltip that looks like markup for markup, also the one of an item in a
    list: a column named ``<img src="file://…">`` would load that picture. Labels can be
    told by their text format, tooltips cannot.
    """
    return text.replace("<", "‹").replace(">", "›")
