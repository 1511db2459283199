"""The manual page, from the parsers of all commands."""

import argparse
from collections.abc import Iterator

from kpca_viewer import __version__


def man_page(
    parser: argparse.ArgumentParser, commands: dict[str, argparse.ArgumentParser]
) -> str:
    """Return the page in the language of troff; what commands share is said once."""
    return "\n".join(_lines(parser, commands)) + "\n"


def _lines(
    parser: argparse.ArgumentParser, commands: dict[str, argparse.ArgumentParser]
) -> Iterator[str]:
    yield f'.TH KPCA\\-VIEWER 1 "" "kpca_viewer {__version__}"'
    yield ".SH NAME\nkpca\\-viewer \\- look at data through kernel PCA"
    yield ".SH SYNOPSIS"
    yield "\\fBkpca\\-viewer\\fR [\\fIFILE\\fR ...] [\\fIOPTION\\fR ...]\n.br"
    yield "\\fBkpca\\-viewer\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR ...]"
    yield ".SH COMMANDS"
    for name, one in commands.items():
        yield f".TP\n\\fB{name}\\fR\n{_text(one.description or '')}"
    yield ".SH OPTIONS"
    seen: set[str] = set()
    yield from _options(parser, seen)
    for name, one in commands.items():
        yield f".SH {name.upper()}\n{_text(one.description or '')}"
        yield from _options(one, seen)
        if one.epilog:
            yield f".PP\n.nf\n{_text(one.epilog, wraps=False)}\n.fi"


def _options(parser: argparse.ArgumentParser, seen: set[str]) -> Iterator[str]:
    """Yield the options of a parser, but those that were told already."""
    formatter = argparse.HelpFormatter(parser.prog)
    for action in (a for group in parser._action_groups for a in group._group_actions):
        told = formatter._format_action_invocation(action)
        key = f"{told} {action.help}"
        if action.help in (None, argparse.SUPPRESS) or key in seen:
            continue
        seen.add(key)
        text = formatter._expand_help(action)
        yield f".TP\n\\fB{_text(told)}\\fR\n{_text(text)}"


def _text(text: str, *, wraps: bool = True) -> str:
    lines = [" ".join(text.split())] if wraps else text.splitlines()
    escaped = [line.replace("\\", "\\e").replace("-", "\\-") for line in lines]
    # A line that begins with a dot or a quotation mark would be a request.
    told = "\n".join("\\&" * (line[:1] in (".", "'")) + line for line in escaped)
    return "".join(c if c.isascii() else f"\\[u{ord(c):04X}]" for c in told)
