"""What lessons say."""

from kpca_viewer.engine.messages import Message

# Expressions

WORDS_COMPARED = "A word compares with a word, and only by == or !=."
NO_NUMBER = "No number comes out of it: a division by zero, or a root of less than 0."
NO_COMPARISON = "There is no comparison: one of <, <=, ==, !=, >=, > is missing."
NO_TOLERANCE = "± stands behind == or != only."
NO_INDEX = "Rows, columns and components are whole numbers from 1."
TOO_DEEP = "There are too many brackets inside each other."
CUT_SHORT = "Something is missing at the end."
NOTHING_TYPED = "Nothing was typed; type a number such as 4/3, sqrt(2) or 1.33."


def too_long(most: int) -> str:
    return f"It is longer than {most} letters."


def not_understood(part: str) -> str:
    return f"“{part}” is not understood there."


def expected(sign: str, found: str) -> str:
    return f"“{sign}” is missing before {f'“{found}”' if found else 'the end'}."


def no_number_but(word: str) -> str:
    return f"“{word}” is no number."


def unreadable_number(answer: str, why: str) -> str:
    return f"“{answer}” cannot be read: {why} Type 4/3, sqrt(2) or 1.33, for example."


# Values and the places that they fill

LONE_BRACE = "A brace is open or closed alone; a place is {name} or {name:.3f}."


def no_value(name: str) -> str:
    return f"There is no {name} in this state."


def unknown_value(name: str) -> str:
    return f"There is no value “{name}”; the names are in docs/lessons.md."


def wrong_indices(name: str, count: int) -> str:
    way = {0: name, 1: f"{name}[1]", 2: f"{name}[1,2]"}[count]
    return f"“{name}” is written {way}."


def no_place(content: str) -> str:
    return f"{{{content}}} is no place; a place is {{name}} or {{name:.3f}}."


def no_format(spec: str) -> str:
    return f"“{spec}” is no format of a number; .3f, .2g, d or .1% is."


# Answers

NOTHING_CHOSEN = "Choose one of the answers."
NOTHING_CLICKED = "Click what you mean."


def wrong_shape(rows: int) -> str:
    return f"Fill in all {rows} × {rows} cells."


def in_cell(row: int, column: int, sentence: str) -> str:
    return f"Row {row}, column {column}: {sentence}"


def wrong_cells(count: int, row: int, column: int) -> str:
    if count == 1:
        return f"Row {row}, column {column} is another number."
    return f"{count} cells are other numbers, the first in row {row}, column {column}."


def no_click(what: str) -> str:
    return f"“{what}” cannot be clicked; “row 3”, “rows 1 3”, “component 2” can."


def no_cell(what: str) -> str:
    return f"“{what}” is no matrix and no cell; “1 0; 0 1” and “[2,3] = 1296” are."


def large_matrix(most: int) -> str:
    return f"A matrix to fill in has {most} rows at most."


# Files

NO_UTF8 = "This is no UTF-8; save the file as UTF-8."
LONG_KEY = "A key has too many parts."
UNKNOWN_KEY = "There is no such key; docs/lessons.md lists them."
MISSING_KEY = "This is missing."
EMPTY = "This is empty."
LONE_DOLLAR = "A formula stands between two $: one of them is missing."
FEW_OPTIONS = "A choice has two options at least."
SAME_OPTIONS = "Two options are the same."
NO_PLACE = "A place has two values with a comma between them."
REPLY_TO_RIGHT = "This is the right answer, which gets no reply."
NO_QUESTION = "The step has no question."
NOT_AS_ORIGINAL = "Either lesson.toml or this translation has it, not both."

_TYPES = {
    "str": "a text in quotes",
    "int": "a whole number",
    "float": "a number",
    "array": "a list",
    "object": "a table",
    "bool": "true or false",
}


def fault(title: str, line: int, field: str, what: str) -> str:
    """Say what is wrong in a file; line 0 and an empty field are not known."""
    where = title
    where += f", line {line}" if line else ""
    where += f", “{field}”" if field else ""
    return f"{where}: {what}"


def syntax(told: str) -> str:
    return f"{told}."


def newer(version: str) -> str:
    return f"This is a lesson of a newer version ({version}); update kpca_viewer."


def wrong_type(expected: str, found: str) -> str:
    words = [_TYPES.get(kind, f"“{kind}”") for kind in (expected, found)]
    return f"Here stands {words[1]}, which should be {words[0]}."


def strange_word(word: str) -> str:
    return f"“{word}” is not known here; docs/lessons.md lists what is."


def steps(most: int) -> str:
    return f"A lesson has 1 to {most} steps."


def twice(what: str) -> str:
    return f"“{what}” is there twice."


def words(count: int, most: int) -> str:
    return f"{count} words; a step has {most} at most."


def no_state(name: str) -> str:
    return f"There is no file states/{name}.kpca."


def not_of_kind(kind: str) -> str:
    return f"A question of the kind “{kind}” has no such key."


def no_option(answer: str, count: int) -> str:
    return f"“{answer}” is no option; they have the numbers 1 to {count}."


def no_matrix(answer: str) -> str:
    return f"“{answer}” is no matrix; K and Kc are."


def no_step(key: str) -> str:
    return f"lesson.toml has no step “{key}”."


def untranslated(key: str) -> str:
    return f"The step “{key}” is missing."


def other_count(count: int, original: int) -> str:
    return f"There are {count}, in lesson.toml {original}."


def no_such_lesson(path: str) -> str:
    return f"There is no lesson {path}; check the name and the folder."


def no_lesson(name: str, known: list[str]) -> str:
    listed = ", ".join(known)
    return f"There is no lesson “{name}”; give a folder, a .lesson file or: {listed}."


def no_language(key: str, language: str, known: list[str]) -> str:
    return f"“{key}” is not there in “{language}”, only in: {', '.join(known)}."


def own_language(title: str, language: str) -> str:
    return f"{title} translates into “{language}”, the language of the lesson itself."


def unreadable_lesson(key: str, reason: str) -> str:
    return f"The lesson “{key}” cannot be read ({reason})."


def no_main(key: str) -> str:
    return f"“{key}” is no lesson: it has no lesson.toml."


def no_zip(key: str) -> str:
    return f"“{key}” is no lesson: the file is damaged, or no zip."


def many_files(key: str, most: int) -> str:
    return f"“{key}” has more than {most} files; a lesson has fewer."


def large_text(key: str, name: str, most: int) -> str:
    return f"“{key}/{name}” is larger than {most} MB; a text of a lesson is not."


def large_lesson(key: str, most: int) -> str:
    return f"“{key}” is larger than {most} MB; a lesson is not."


def bomb(key: str, name: str) -> str:
    return f"“{key}/{name}” would unfold to far more than a text does; it is not read."


def outside(key: str, name: str) -> str:
    return f"“{name}” leads out of the lesson “{key}”; it is not read."


def member_twice(key: str, name: str) -> str:
    return f"“{key}” has the file “{name}” twice."


def locked(key: str, name: str) -> str:
    return f"“{key}/{name}” has a password; pack the lesson without one."


def unknown_in_state(title: str, field: str) -> str:
    what = f"the field “{field}”" if field else "a pin, a sweep or a choice"
    return f"{title} has {what}, which is not known here."


def state_without_data(title: str) -> str:
    return (
        f"{title} has no data of its own; data of a lesson come from a generator, or "
        "are kept in the session."
    )


def no_generator(title: str, source: str) -> str:
    return f"{title}, “settings.data.source”: there is no generator “{source}”."


def no_kernel(title: str, family: str) -> str:
    return f"{title}, “settings.kernel.family”: there is no kernel “{family}”."


# What is handed in, and marks

NO_NAME = "There is no name."
FORGED = "The file says that it is right; it is not."
UNKNOWN_STEPS = "There are answers to steps that the lesson does not have."
OTHER_DATA = "The state is about other data than the lesson's."
SAME_NAME = "Another file has the same name."
LINK = "A link is not read."
NOTHING_HANDED_IN = "No file of the folder was handed in for a lesson."


def no_hand_in(title: str) -> str:
    return f"{title} was not handed in from a lesson."


def large_hand_in(title: str, most: int) -> str:
    return f"{title} is larger than {most} MB; answers are not."


def unread_hand_in(title: str, reason: str) -> str:
    return f"{title} cannot be read ({reason})."


def damaged_hand_in(title: str, reason: str) -> str:
    return f"{title} is damaged ({reason})."


def other_hand_in(title: str, version: int) -> str:
    return f"{title} has the format {version}, which is not known here."


def heavy_state(title: str) -> str:
    return f"{title} holds data, pins or sweeps, which no answer has."


def other_lesson(key: str) -> str:
    return f"This is of the lesson “{key}”."


def no_folder(path: str) -> str:
    return f"“{path}” is no folder; give the one with the files of the class."


def empty_folder(path: str) -> str:
    return f"There is no file in “{path}”."


def many_hand_ins(most: int) -> str:
    return f"There are more than {most:,} files; give the folder of one class."


# What is found about a lesson

NO_STATE_YET = "No step up to this one has a state."
NOT_RIGHT = "The stated answer is judged as wrong."
NO_ROOM = "A place without a tolerance can hardly be hit."
ALREADY_RIGHT = "The state that the step begins in fulfils the check already."
NO_SOLUTION = "There is no solution, so that nothing shows that the check can be met."


def no_tolerance(value: str) -> str:
    return f"The answer is {value} and has no tolerance: no decimal number is right."


def reply_to_right(answer: str) -> str:
    return f"There is a reply to “{answer}”, which is right."


def not_there(answer: str) -> str:
    return f"There is no {answer} in this state."


def not_solved(check: str) -> str:
    return f"The solution does not fulfil “{check}”."


# Commands


def graded(count: int, title: str) -> str:
    return f"{count} file{'' if count == 1 else 's'} for “{title}”"


def in_step(step: str, sentence: str) -> str:
    return f"{step}: {sentence}" if step else sentence


def checked(steps: int, questions: int, languages: list[str]) -> str:
    return (
        f"{steps} steps, {questions} questions, {', '.join(languages)}: states are "
        "computed, places filled, answers compared"
    )


def faults(count: int, key: str) -> str:
    found = "1 fault" if count == 1 else f"{count} faults"
    return f"“{key}” has {found}."


def folder_taken(path: str) -> str:
    return f"“{path}” is there already; give the name of a new folder."


NEW_LESSON = r'''format = 1
title = "A new lesson"
author = "Your name"
language = "en"
minutes = 10
summary = "One sentence for the list of lessons."

# docs/lessons.md explains all keys. Check: kpca-viewer lesson check FOLDER

[[steps]]
key = "rings"
title = "Two rings"
text = """
At most 60 words, with formulas such as $\\mu_1$ and numbers of the program: the first
eigenvalue is {mu[1]:.3f}.
"""
state = "rings"

[[steps]]
key = "separate"
title = "Which component?"
text = "Look at the colours along the axes."
cover = ["verdict"]

[steps.question]
kind = "choice"
text = "Do the first two components separate the rings?"
options = ["Yes", "No"]
answer = "1"
hint = "Is there a line with one colour on either side?"
replies = [{ answer = "2", text = "Look at the empty stripe between the colours." }]
'''


# The strip

NUMBER_NAME = "Number"
NUMBER_EXAMPLE = "4/3, sqrt(2) or 1.33"
STATE = "Bring the window into this state, then press Check."
PLACE = "Click the place in the embedding."
CLICK = {
    "row": "Click a point in any plot; Shift adds another.",
    "component": "Click a bar of the spectrum.",
    "frame": "Click a picture of the film.",
}
COVERED = "Covered until you answer"
COVERED_LATER = "Covered until you answer the next question"


def no_part(key: str) -> str:
    return f"This lesson covers or frames “{key}”, which is no part of the window."


BACK = "Back"
BACK_TIP = "The step before (PgUp)"
NEXT = "Next"
NEXT_TIP = "The next step (PgDn)"
FINISH = "Finish"
FINISH_TIP = "Leave the lesson: your own session comes back (PgDn)"
CHECK = "Check"
CHECK_TIP = "Compare your answer with the numbers of the program (Enter)"
HINT = "Hint"
RESTORE = "Restore this step"
RESTORE_SHORT = "Restore"
RESTORE_TIP = "Bring the prepared state of this step back"
LEAVE = "Leave the lesson: your own session comes back"
LANGUAGE = "Language of the lesson"
MORE = "Hand in, edit"
STRIP_NAME = "Lesson"
RIGHT = "Right."
RIGHT_FIRST = "Right at the first attempt."
WRONG = "Not yet."
OTHER_ROUND = (
    "The panel shows another round; Restore this step brings the asked one back."
)
WAITS = "Computing first …"
PREPARES = "…"
DECIDED = "What decides it is open above."


def step_of(number: int, count: int) -> str:
    return f"Step {number} of {count}"


def progress_name(number: int, count: int, right: int) -> str:
    return f"Step {number} of {count}, {right} answered right"


def attempts(count: int) -> str:
    return "1 attempt" if count == 1 else f"{count} attempts"


def right_after(count: int) -> str:
    return RIGHT_FIRST if count == 1 else f"Right, after {count} attempts."


def cell_name(row: int, column: int) -> str:
    return f"Row {row}, column {column}"


def clicked(what: str) -> str:
    return f"You clicked {what}."


def place_words(x: float, y: float) -> str:
    return f"({x:.3g}, {y:.3g})".replace("-", "−")


# The menu

LESSONS = "&Lessons"
OPEN = "&Open a lesson…"
OPEN_TITLE = "Open a lesson"
FILTER = "Lessons (*.lesson lesson.toml)"
NEW = "&New lesson…"
EDIT = "&Edit this lesson"
HAND_IN = "&Hand in…"
HAND_IN_BUTTON = "Hand in…"
HAND_IN_TITLE = "Hand in"
NAME_QUESTION = "Your name:"
NOT_HANDED_IN = Message(
    "warning", "Nothing was handed in, since there was no name; give one and try again."
)
LEAVE_MENU = "Lea&ve the lesson"
KIND = "Lesson"
LESSON_WORDS, FIRST_WORD = "course teach homework exercise", "first"


def entry(title: str, minutes: int, done: str) -> str:
    return f"{title} · {minutes} min" + (f" · {done}" if done else "")


def at_step(number: int, count: int) -> str:
    return f"at step {number} of {count}"


DONE = "done"


# Authoring

AUTHORING = "Lesson that is made"
CLOSE_AUTHORING = "Close; what is not saved stays until the program ends"
STEPS = "Steps"
ADD = "Add this state as a step"
UP = "Up"
DOWN = "Down"
DELETE = "Delete"
TAKE_STATE = "Take this state for the step"
TRY = "Try"
SAVE = "Save"
SAVE_TITLE = "Save the lesson as a folder"
NEW_TITLE = "A new lesson"
NEW_AUTHOR = "Unknown"
NEW_TEXT = "What to see here."
LESSON_FIELDS = {
    "title": "Lesson",
    "author": "Author",
    "summary": "Summary",
    "minutes": "Minutes",
}
STEP_FIELDS = {
    "title": "Title",
    "text": "Text",
    "cover": "Cover",
    "highlight": "Highlight",
}
QUESTION_FIELDS = {
    "kind": "Question",
    "text": "Its text",
    "options": "Options",
    "answer": "Answer",
    "tolerance": "Tolerance",
    "check": "Check",
    "decided_by": "Decided by",
    "hint": "Hint",
}
KINDS = {
    "": "None",
    "choice": "Choice",
    "number": "Number",
    "matrix": "Matrix",
    "click": "Click",
    "place": "Place",
    "state": "State",
}
AUTHOR_TIPS = {
    "text": "Formulas stand between dollar signs, numbers of the program in braces: "
    "{mu[1]:.3f}",
    "cover": "What is hidden until there is an answer: panel:embedding verdict "
    "step:eigen",
    "highlight": "What has a frame: panel:data, for example",
    "options": "One a line",
    "answer": "The number of the right option; mu[1]; K; row 3; score[1,1], score[1,2]",
    "check": "One comparison a line: accuracy >= 0.95",
    "decided_by": "What a wrong answer opens: step:eigen or page:rebuild",
}


def unsaved(title: str) -> Message:
    words = f"“{title}” is not saved yet; it is open again."
    return Message("info", words, ("Give it up",))


def step_of_number(number: int) -> str:
    return f"Step {number}"


def words_of(count: int, most: int) -> str:
    return f"{count} of {most} words"


PAPER = {
    "en": {
        "name": "Name",
        "solutions": "with solutions",
        "found": "What you found",
        "row": "row",
        "component": "PC",
        "frame": "frame",
    },
    "de": {
        "name": "Name",
        "solutions": "mit Lösungen",
        "found": "Was du gefunden hast",
        "row": "Zeile",
        "component": "PC",
        "frame": "Bild",
    },
}
"""Words on a hand-out, by its language; English where there are none."""


def no_picture_of(key: str) -> str:
    return f"No step up to “{key}” has a state, so that it cannot be printed."


def no_pdf(name: str) -> str:
    return f"“{name}” should end with .pdf, as a hand-out is one."
