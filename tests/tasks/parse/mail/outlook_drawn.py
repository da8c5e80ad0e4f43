"""Outlook messages made in memory: compound files with few, small streams (MS-CFB)."""

import struct
from collections.abc import Mapping
from typing import Any

Tree = Mapping[str, Any]
"""Streams as bytes, and storages as mappings, by their names."""
SECTOR, MINI, FREE, END, FAT = 512, 64, 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD


def make_compound(tree: Tree) -> bytes:
    """Return a compound file of storages (mappings) and streams (bytes, each shorter than 4096)."""
    entries: list[list[object]] = [["Root Entry", 5, FREE, FREE, b""]]  # name, kind, right sibling, child, content
    _add(entries, 0, tree)
    minis, starts = b"", []
    mini_fat: list[int] = []
    for entry in entries:
        data = bytes(entry[4])  # type: ignore[call-overload]
        starts.append(len(mini_fat) if data else END)
        n = -(-len(data) // MINI)
        mini_fat += [*range(len(mini_fat) + 1, len(mini_fat) + n), END] if n else []
        minis += data + bytes(-len(data) % MINI)
    directory = b"".join(_entry(entry, starts[at], at, minis) for at, entry in enumerate(entries))
    directory += bytes(-len(directory) % SECTOR)
    table = struct.pack(f"<{len(mini_fat)}I", *mini_fat)
    table += b"\xff" * (-len(table) % SECTOR)
    minis += bytes(-len(minis) % SECTOR)
    parts = [directory, table, minis]
    firsts, fat = [], [FAT]
    for part in parts:
        n = len(part) // SECTOR
        firsts.append(len(fat))
        fat += [*range(len(fat) + 1, len(fat) + n), END]
    directory = directory[:116] + struct.pack("<I", firsts[2]) + directory[120:]
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<HHHHH6x", 0x3E, 3, 0xFFFE, 9, 6)
    header += struct.pack("<IIIIIIIIII", 0, 1, firsts[0], 0, 4096, firsts[1], len(table) // SECTOR, END, 0, 0)
    header = header.ljust(SECTOR, b"\xff")
    listed = struct.pack(f"<{len(fat)}I", *fat).ljust(SECTOR, b"\xff")
    assert len(listed) == SECTOR
    return header + listed + directory + table + minis


def _add(entries: list[list[object]], parent: int, tree: Tree) -> None:
    previous = None
    for name, content in tree.items():
        at = len(entries)
        entries.append([name, 2 if isinstance(content, bytes) else 1, FREE, FREE, content if isinstance(content, bytes) else b""])
        if previous is None:
            entries[parent][3] = at
        else:
            entries[previous][2] = at
        previous = at
        if not isinstance(content, bytes):
            _add(entries, at, content)


def _entry(entry: list[object], start: int, at: int, minis: bytes) -> bytes:
    name, kind, right, child, content = entry
    wide = str(name).encode("utf-16-le")
    size = len(minis) if at == 0 else len(content)  # type: ignore[arg-type]
    return (
        wide.ljust(64, b"\0")
        + struct.pack("<HBBIII", len(wide) + 2, kind, 1, FREE, right, child)
        + bytes(36)
        + struct.pack("<IQ", start & 0xFFFFFFFF, size)
    )


def text(number: int, value: str) -> dict[str, Any]:
    """Return a text property."""
    return {f"__substg1.0_{number:04X}001F": value.encode("utf-16-le")}


def fixed(head: int, **values: int) -> dict[str, Any]:
    """Return the stream of fixed properties; names are tags such as `x00390040`."""
    listed = b"".join(struct.pack("<IIQ", int(tag[1:], 16), 0, value) for tag, value in values.items())
    return {"__properties_version1.0": bytes(head) + listed}


def make_message() -> bytes:
    """Return a message with two attachments, one of which is a message with an attachment."""
    inner = {
        **fixed(24), **text(0x0037, "Inner engine"), **text(0x1000, "The inner text."),
        "__attach_version1.0_#00000000": {**fixed(8), **text(0x3707, "deep.txt"), "__substg1.0_37010102": b"Deep text."},
    }  # fmt: skip
    return make_compound(
        {
            **fixed(32, x00390040=133_485_408_000_000_000),
            **text(0x0037, "Grüße von der Mühle"), **text(0x0C1A, "Ada Lovelace"), **text(0x5D01, "ada@example.org"),
            **text(0x0E04, "Charles"), **text(0x1000, "The mill runs.\r\n\r\nYours, Ada"),
            "__attach_version1.0_#00000000": {**fixed(8), **text(0x3707, "report.txt"), "__substg1.0_37010102": b"A report."},
            "__attach_version1.0_#00000001": {**fixed(8), **text(0x3001, "Inner engine"), "__substg1.0_3701000D": inner},
        }
    )  # fmt: skip
