"""Bad inputs made of good ones: bytes, text, and the containers that pictures come in."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Sequence
from random import Random

HEAD = 600
"""Bytes at the start, where the headers are; half of all changes happen there."""

_NUMBERS = (0, 1, -1, 2, 7, 8, 16, 31, 32, 33, 64, 100, 127, 128, 255, 256, 1000, 32767, 32768, 65535, 65536,
            2**24, 2**31 - 1, 2**31, 2**32 - 1)  # fmt: skip


def mutate_bytes(data: bytes, rng: Random) -> bytes:
    """One to a dozen changes: bits, bytes, numbers of two to eight bytes, cuts, repeats, moves."""
    changed = bytearray(data)
    for _ in range(1 << rng.randrange(4)):
        rng.choice(_CHANGES)(changed, rng)
    return bytes(changed)


def _place(data: bytearray, rng: Random) -> int:
    most = min(HEAD, len(data)) if rng.random() < 0.5 else len(data)
    return rng.randrange(most) if most else 0


def _length(rng: Random) -> int:
    return min(rng.randrange(1, 9) << rng.randrange(8), 1 << rng.randrange(1, 12))


def _flip(data: bytearray, rng: Random) -> None:
    if data:
        data[_place(data, rng)] ^= 1 << rng.randrange(8)


def _set(data: bytearray, rng: Random) -> None:
    if data:
        data[_place(data, rng)] = rng.choice((0, 0xFF, 0x7F, 0x80, rng.randrange(256)))


def _number(data: bytearray, rng: Random) -> None:
    kind = rng.choice(("<H", ">H", "<I", ">I", ">I", "<Q", ">Q"))
    size = struct.calcsize(kind)
    if len(data) >= size:
        at = min(_place(data, rng), len(data) - size)
        near = struct.unpack_from(kind, data, at)[0] + rng.choice((-1, 1, -8, 8))
        value = rng.choice((*_NUMBERS, near)) % (1 << 8 * size)
        struct.pack_into(kind, data, at, value)


def _cut(data: bytearray, rng: Random) -> None:
    at = _place(data, rng)
    del data[at : at + _length(rng)]


def _truncate(data: bytearray, rng: Random) -> None:
    if rng.random() < 0.25:
        del data[_place(data, rng) :]


def _repeat(data: bytearray, rng: Random) -> None:
    at = _place(data, rng)
    part = data[at : at + _length(rng)]
    to = _place(data, rng)
    data[to:to] = part * rng.choice((1, 1, 2, 50))


def _copy(data: bytearray, rng: Random) -> None:
    at, to = _place(data, rng), _place(data, rng)
    part = data[at : at + _length(rng)]
    data[to : to + len(part)] = part


def _noise(data: bytearray, rng: Random) -> None:
    at = _place(data, rng)
    data[at:at] = rng.randbytes(_length(rng) % 64)


_CHANGES: tuple[Callable[[bytearray, Random], None], ...] = (
    _flip, _flip, _set, _set, _number, _number, _cut, _truncate, _repeat, _copy, _noise,
)  # fmt: skip


def mutate_text(data: bytes, rng: Random, words: Sequence[str], alien: float = 0.05) -> bytes:
    """Text changed by words of its language; in a share of cases bytes that may be no text at all."""
    if rng.random() < alien:
        return mutate_bytes(data, rng)
    text = data.decode("utf-8", "replace")
    for _ in range(1 << rng.randrange(4)):
        at = rng.randrange(len(text) + 1)
        much = rng.choice((0, 1, 1, 2, rng.randrange(1, 40)))
        how = rng.randrange(5)
        if how == 0:
            text = text[:at] + text[at + much :]
        elif how == 1:
            to = rng.randrange(len(text) + 1)
            text = text[:to] + text[at : at + max(much, 4)] * rng.choice((1, 1, 2, 30)) + text[to:]
        else:
            text = text[:at] + rng.choice(words) + text[at + (much if how == 2 else 0) :]
    return text.encode("utf-8", "surrogatepass")[: 1 << 16]


def mutate_picture(data: bytes, rng: Random) -> bytes:
    """A damaged picture whose container is right again, every other time: else damage is all that a decoder
    ever sees of it."""
    if rng.random() < 0.25:
        data = _shuffle_chunks(data, rng)
    changed = mutate_bytes(data, rng)
    return repair(changed) if rng.random() < 0.6 else changed


def repair(data: bytes) -> bytes:
    """The checksums of a PNG and the length of a RIFF file, right again."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return data[:8] + b"".join(_png_chunk(kind, body) for kind, body in _png_chunks(data))
    if data[:4] == b"RIFF" and len(data) >= 12:
        return data[:4] + struct.pack("<I", len(data) - 8) + data[8:]
    return data


def _png_chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _png_chunks(data: bytes) -> list[tuple[bytes, bytes]]:
    found, at = [], 8
    while at + 8 <= len(data):
        (length,) = struct.unpack_from(">I", data, at)
        found.append((data[at + 4 : at + 8], data[at + 8 : at + 8 + length]))
        at += 12 + length
    return found


def _shuffle_chunks(data: bytes, rng: Random) -> bytes:
    """Whole parts of a container dropped, doubled or moved: PNG chunks, JPEG segments."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        head, parts = data[:8], [_png_chunk(*chunk) for chunk in _png_chunks(data)]
    elif data.startswith(b"\xff\xd8"):
        head, parts = data[:2], _jpeg_segments(data)
    else:
        return data
    for _ in range(rng.randrange(1, 4)):
        if not parts:
            break
        part = parts.pop(rng.randrange(len(parts)))
        for _ in range(rng.choice((0, 1, 1, 2, 20))):
            parts.insert(rng.randrange(len(parts) + 1), part)
    return head + b"".join(parts)


def _jpeg_segments(data: bytes) -> list[bytes]:
    found, at = [], 2
    while at + 4 <= len(data) and data[at] == 0xFF and data[at + 1] != 0xDA:
        (length,) = struct.unpack_from(">H", data, at + 2)
        found.append(data[at : at + 2 + length])
        at += 2 + max(length, 2)
    return [*found, data[at:]]
