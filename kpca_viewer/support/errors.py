"""Everything that can go wrong, as one small family of exceptions.

Each text is one sentence for a person: what is wrong, where, and what to do. The
built-in bases keep the contracts that scikit-learn and Python users rely on.
"""

from kpca_viewer.support.quotation import with_short_values


class KpcaError(Exception):
    """The base of every error that kpca_viewer raises on purpose.

    A value that its sentence repeats is shortened, however long it is.
    """

    def __init__(self, *args: object) -> None:
        short = (with_short_values(a) if isinstance(a, str) else a for a in args)
        super().__init__(*short)


class DataError(KpcaError, ValueError):
    """The data cannot be used as they are."""


class KernelError(KpcaError, ValueError):
    """A kernel cannot be evaluated with these parameters on these data."""


class KernelOverflowError(KernelError):
    """The entries of a kernel overflow; smaller values, as by scaling, do not."""


class TooLargeError(KpcaError, MemoryError):
    """The work would not fit into memory; refused before anything is allocated."""


class SolverError(KpcaError, ValueError):
    """A solver cannot work on this problem."""


class ClusterError(KpcaError, ConnectionError):
    """A cluster cannot be reached or used, or was lost."""


class ExportError(KpcaError):
    """A file cannot be written; what was there before is untouched."""


class Cancelled(KpcaError):
    """The work was stopped because nobody wants its result any more."""


def sentence_of(error: Exception) -> str:
    """Return what a person is told of an error, also of one that nobody expected."""
    if isinstance(error, KpcaError):
        return str(error)
    return f"Something went wrong inside ({type(error).__name__}: {error})."
