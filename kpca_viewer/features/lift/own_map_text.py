"""What is said of a map that a person types, and of what maps cost."""

TITLE, WHAT = "Your φ", "a map of your own"
FIELD = "Coordinates of your φ"
FIELD_TIP = (
    "Coordinates of φ(x), separated by commas: numbers, x1, x2, + − ×, powers and √, "
    "for example x1², √2 x1 x2."
)
PLACEHOLDER = "x1², x2²"
PRODUCT = "φ(a)·φ(b) = {digits}"
EMPTY = "Type coordinates of φ to compare φ(a)·φ(b) with k(a, b), digit by digit."
RIGHT = "This is a φ of k: both agree here and for {count} other pairs."
LUCKY = "Equal here, but not for a = {a}, b = {b}: φ gives {product}, k is {value}."
WRONG = "Not a φ of k yet: k(a, b) = {value}, and they differ by {difference}."

AT = "At character {place}: {why}."
UNKNOWN_SIGN = "“{sign}” is not read; use numbers, x1, x2, + − × ^ √ ( ) and commas"
NOT_HERE = "“{sign}” cannot stand here"
NOTHING = "there is no coordinate; type one, for example x1²"
MISSING = "a number, x1, x2, √ or a bracket is missing"
NOT_CLOSED = "this bracket is not closed"
WHOLE_POWER = "a power is a whole number"
LARGE_POWER = "powers go up to {most}"
TOO_DEEP = "roots and brackets are nested too deeply"
TOO_LONG = "A map is at most {most} characters long; shorten it."
TOO_MANY = "A map has at most {most} coordinates here; leave some out."
NO_VALUE = "A root or a power has no value for these points; move them or change φ."

SIZES, SIZES_WHAT = "How many coordinates, what they cost", "sizes and costs"
SIZE_FIELDS = {
    "d": ("d", "Columns of the data"),
    "p": ("p", "Degree of the polynomial kernel with c > 0"),
    "m": ("M", "Coordinates of φ; C(d + p, p) until another number is typed"),
    "n": ("n", "Rows of the data"),
}
COORDINATES = "C(d + p, p) = C({d} + {p}, {p}) = {count} coordinates{short}."
SHORT = " ({short})"
BY_MAP = (
    "By φ: a covariance matrix of M × M = {entries} entries ({memory}), about n·M² + "
    "M³ = {operations} operations ({time})."
)
BY_KERNEL = (
    "By k: a kernel matrix of n × n = {entries} entries ({memory}), about n²·d + n³ = "
    "{operations} operations ({time})."
)
RATE = "Entries of 8 bytes; at 10¹⁰ operations a second."
FEWER = "{way} takes {ratio} times fewer entries."
SAME = "Both have as many entries."
EXPANSION = "{formula} = {terms}"
NUMBERS = "= {values} = {total}"

TAYLOR = "The first three: e^(−γ‖x‖²) times 1, √(2γ)·{x}, √(2γ)·{y}."
TAYLOR_ONE = "The first three: e^(−γx²) times 1, √(2γ)·x, √2·γ·x²."
TAYLOR_POINTS = "φ(a) = ({a}, …), φ(b) = ({b}, …)"
TAYLOR_SUM = "{count} coordinates: {value}, off by {off}"
