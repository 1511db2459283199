"""Reads the text of a PDF as Qt writes it: glyphs by font, each with its letter."""

import re
import unicodedata
import zlib

_FONT = re.compile(rb"/F\d+ [\d.]+ Tf")


def pages(content):
    """Return the number of pages."""
    return len(re.findall(rb"/Type\s*/Page\b", content))


def text(content):
    """Return all text in the order in which it was painted, without its blanks."""
    objects = _objects(content)
    letters = {}
    found = []
    for number, body in objects.items():
        if b"/ToUnicode" in body:
            (unicode_map,) = re.findall(rb"/ToUnicode (\d+) 0 R", body)
            letters[number] = _letters(_stream(objects[int(unicode_map)]))
    for body in objects.values():
        # The bytes of a picture may spell "Tf" too.
        if b"stream" in body and _FONT.search(stream := _stream(body)):
            found.append(_painted(stream, letters))
    return "".join(found)


def _objects(content):
    parts = re.finditer(rb"(?:^|\n)(\d+) 0 obj(.*?)\nendobj", content, re.DOTALL)
    return {int(part[1]): part[2] for part in parts}


def _stream(body):
    head, _, packed = body.partition(b"stream\n")
    packed = packed.rpartition(b"\nendstream")[0]
    return zlib.decompress(packed) if b"FlateDecode" in head else packed


def _letters(cmap):
    found = {}
    for first, last, row, start in re.findall(
        rb"<(\w{4})> <(\w{4})> (?:\[([^\]]*)\]|<(\w+)>)", cmap
    ):
        codes = re.findall(rb"<(\w+)>", row)
        if start:
            count = int(last, 16) - int(first, 16) + 1
            codes = [b"%04x" % (int(start, 16) + place) for place in range(count)]
        for place, code in enumerate(codes):
            letter = bytes.fromhex(code.decode()).decode("utf-16-be")
            found[int(first, 16) + place] = letter
    return found


def _painted(stream, letters):
    font, parts = 0, []
    for name, row in re.findall(rb"/F(\d+) [\d.]+ Tf|<(\w+)>", stream):
        if name:
            font = int(name)
        else:
            codes = [int(row[i : i + 4], 16) for i in range(0, len(row), 4)]
            parts += [letters.get(font, {}).get(code, "") for code in codes]
    # Ligatures are letters of their own.
    return unicodedata.normalize("NFKC", "".join("".join(parts).split()))
