"""What is said while points are drawn by hand."""

BUTTON_TIP = "Draw points by hand  (D)"

TOOLS_NAME = "Drawing tool"
TOOLS = {
    "pencil": (
        "Pencil",
        "Click adds a point, a drag moves it; so do Insert and Ctrl with arrows",
    ),
    "brush": ("Brush", "Drag to spray points"),
    "eraser": ("Eraser", "Drag to take points away"),
}
"""Title and tip of each tool, by its key."""

GESTURES = {
    "pencil": "Click adds, drag moves, Delete removes, 1–9 class.",
    "brush": "Drag to spray points, 1–9 class.",
    "eraser": "Drag over points to take them away.",
}
"""What can be done with each tool, said below the plot."""

CLASS, CLASS_NAME = "Class", "Class of what is drawn"
CLASS_TIP = (
    "The class of points that are drawn next, and of those under the mouse or "
    "selected; keys 1–9, and 0 for none"
)
NO_CLASS, NUMBERED_CLASS = "none", "{number}: {name}"

NO_PLANE = (
    "The pencil draws in a plane, and {name} has {features}; type into the table, or "
    "draw on an empty plane."
)
NO_NUMBER = (
    "“{text}” is no number, so {feature} of row {row} stays as it was; type a number "
    "such as 1.5."
)
