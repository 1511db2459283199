"""Lessons: prepared states with texts, and questions that the program checks."""

from kpca_viewer.engine.feature import Action, Feature

FEATURE = Feature(
    "lessons",
    actions=(
        Action(
            "lesson_next",
            "Next step of the lesson",
            "Lessons",
            "PgDown",
            handler="next",
        ),
        Action(
            "lesson_back",
            "Step before of the lesson",
            "Lessons",
            "PgUp",
            handler="back",
        ),
        Action("open_lesson", "&Open a lesson…", "Lessons", handler="choose"),
        Action(
            "new_lesson",
            "&New lesson…",
            "Lessons",
            tip="Make a lesson: each step is a state of the window with a text.",
            handler="author_new",
        ),
        Action(
            "edit_lesson",
            "&Edit this lesson",
            "Lessons",
            handler="author_this",
        ),
        Action(
            "restart_lesson",
            "&Start this lesson again",
            "Lessons",
            tip="Forget the answers, and go to the first step.",
            handler="restart",
        ),
        Action(
            "hand_in",
            "&Hand in…",
            "Lessons",
            tip="Write answers, attempts and states to a text file.",
            handler="hand_in",
        ),
        Action(
            "leave_lesson",
            "Lea&ve the lesson",
            "Lessons",
            tip="Your own session comes back as it was.",
            handler="leave",
        ),
    ),
    controller="kpca_viewer.features.lessons.controller:Lessons",
    commands={
        "lesson": "kpca_viewer.cli.lesson",
        "grade": "kpca_viewer.features.lessons.grade_command",
    },
)
