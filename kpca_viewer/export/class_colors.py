"""The colours of classes, in the window, in pictures and in pages."""

# Any two, and both greys of a theme, differ by a CIEDE2000 of 10 for people who do not
# see red or green, and each has a contrast of 3 : 1 on its card; found by a search that
# began with the colours of Okabe and Ito.
CLASS_COLORS = (
    "#004695",  # blue
    "#DE6718",  # vermillion
    "#009B79",  # green
    "#B70B65",  # magenta
    "#0099D7",  # sky
    "#84530D",  # ochre
    "#906B9A",  # mauve
    "#E6586F",  # coral
    "#687C4E",  # olive
    "#68075B",  # plum
    "#7F423B",  # brown
    "#373D04",  # moss
)
CLASS_COLORS_ON_DARK = (
    "#0C88E3",  # blue
    "#F27023",  # vermillion
    "#00B78E",  # green
    "#C946B0",  # magenta
    "#1DC0FF",  # sky
    "#FFB937",  # amber
    "#9F595F",  # rose
    "#F46A74",  # coral
    "#B4F6C9",  # mint
    "#7FEFF9",  # aqua
    "#A45B00",  # brown
    "#FFFFA0",  # straw
)
