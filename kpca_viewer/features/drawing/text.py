"""What is said while points are drawn by hand."""

from kpca_viewer.engine.messages import Message

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

EMPTY_WITH_PENCIL = "Click into the plane to add points"
EMPTY_WITHOUT_PENCIL = "Take the pencil (D) to draw points"
"""What stands in a plane without points."""

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


EMPTY_PLANE = "Empty plane"
EDIT_COPY = "Edit a copy"


def cannot_draw(text: str) -> Message:
    """Say why there is nothing to draw into, and where there is."""
    return Message("info", text, (EMPTY_PLANE,), ends="change")


def points_pasted(count: int) -> Message:
    points = "1 point was" if count == 1 else f"{count:,} points were"
    return Message("info", f"{points} pasted.", ends="change")


def table_is_fixed(name: str) -> Message:
    """Say how numbers of data that were not drawn can be changed."""
    return Message(
        "info",
        f"The numbers of {name} stay as they were opened; a copy can be typed into.",
        (EDIT_COPY,),
        ends="change",
    )
