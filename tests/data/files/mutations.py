"""Damage for files, the same at every run."""

import io
import zipfile

import numpy as np


def mutate(content: bytes, seed: int) -> bytes:
    """Return a damaged copy: flipped bits, cuts, swaps, insertions, repetitions."""
    random = np.random.default_rng(seed)
    data = bytearray(content)
    for _ in range(int(random.integers(1, 5))):
        if not data:
            break
        place = int(random.integers(len(data)))
        match int(random.integers(8)):
            case 0 | 1:
                data[place] ^= 1 << int(random.integers(8))
            case 2:
                del data[place:]
            case 3:
                end = place + int(random.integers(1, 64))
                del data[place:end]
            case 4:
                other = int(random.integers(len(data)))
                data[place], data[other] = data[other], data[place]
            case 5:
                size = int(random.integers(1, 16))
                data[place:place] = random.bytes(size)
            case 6:
                # Lengths and counts are where a reader believes too much.
                data[place : place + 4] = b"\xff\xff\xff\x7f"
            case 7:
                piece = data[place : place + int(random.integers(1, 200))]
                data[place:place] = piece
    return bytes(data)


def mutate_member(content: bytes, seed: int) -> bytes:
    """Return an archive with one damaged member and sums that agree with it.

    Damage from outside is found by the checksum; this one reaches the reader.
    """
    random = np.random.default_rng(seed)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    victim = list(members)[int(random.integers(len(members)))]
    members[victim] = mutate(members[victim], seed)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return packed.getvalue()
