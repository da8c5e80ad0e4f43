"""What archives hold: every byte of every document, under names that lead nowhere, within limits."""

import hashlib
import io
import tarfile
import time
import zipfile
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from schemas.errors import DocumentError
from schemas.options.sections import LimitOptions
from tasks.parse.containers.budget import FREE_BYTES
from tasks.parse.containers.names import MOST_CHARS, Namer, make_member_path
from tasks.parse.containers.walk import Member, list_members, read_members
from tests.tasks.parse.containers.packed import Files, encrypt, make_tar, make_tar_gz, make_zip

PACKERS: dict[str, Callable[[Files], bytes]] = {"a.zip": make_zip, "a.tar": make_tar, "a.tar.gz": make_tar_gz}
LIMITS = LimitOptions()
every_kind = pytest.mark.parametrize("kind", PACKERS)

names = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0/\\"), min_size=1, max_size=8)
documents = st.lists(st.tuples(names.map(lambda name: f"d/n{name}.txt"), st.binary(max_size=200)), max_size=6)


def members_of(data: bytes, name: str, limits: LimitOptions = LIMITS) -> list[Member]:
    return list(list_members(io.BytesIO(data), name, len(data), limits, lambda _: None))


def read(data: bytes, name: str, members: list[Member]) -> dict[str, bytes]:
    wanted = [member.locator for member in members if member.sha256]
    found = read_members(io.BytesIO(data), name, len(data), wanted, LIMITS, lambda _: None)
    return {locator: source.read() for locator, source in found}


@given(files=documents, kind=st.sampled_from(sorted(PACKERS)))
def test_every_document_is_listed_with_its_digest_and_read_with_all_its_bytes(files: list[tuple[str, bytes]], kind: str) -> None:
    data = PACKERS[kind](files)
    members = members_of(data, kind)
    assert [member.sha256 for member in members] == [hashlib.sha256(content).hexdigest() for _, content in files]
    assert len({member.path for member in members}) == len(files)
    assert list(read(data, kind, members).values()) == [content for _, content in files]


@given(st.text(st.characters(codec=None), max_size=40))
@example("../../etc/passwd")
@example("C:\\windows\\..\\system.txt")
@example("a/" * MOST_CHARS + "b.pdf")
@example("/\udcff/..\\x.txt")
def test_no_name_leads_out_of_the_container(name: str) -> None:
    path = make_member_path(name)
    assert not path.startswith("/") and not {"..", ".", ""} & set(path.split("/") if path else ["x"])
    assert len(path) < MOST_CHARS + 50 and "\\" not in path and "\0" not in path
    assert path.encode("utf-8").decode("utf-8") == path


@given(st.lists(st.sampled_from(["a.txt", "a (2).txt", "b", "a (3).txt"]), max_size=12))
def test_names_that_were_given_differ_and_the_first_stays(wanted: list[str]) -> None:
    namer = Namer()
    given_names = [namer.name(name) for name in wanted]
    assert len(set(given_names)) == len(wanted)
    assert not wanted or given_names[0] == wanted[0]


@every_kind
def test_two_members_of_one_name_are_two_documents(kind: str) -> None:
    data = PACKERS[kind]([("a.txt", b"old"), ("a.txt", b"new"), ("A\u0308.txt", b"x"), ("\u00c4.txt", b"y")])
    members = members_of(data, kind)
    assert [member.path for member in members] == ["a.txt", "a (2).txt", "\u00c4.txt", "\u00c4 (2).txt"]
    assert list(read(data, kind, members).values()) == [b"old", b"new", b"x", b"y"]


@every_kind
def test_archives_in_archives_are_read_to_a_depth(kind: str) -> None:
    data, name = PACKERS[kind]([("deep.txt", b"found")]), f"x{kind}"
    for _ in range(3):
        data, name = PACKERS[kind]([(name, data), ("beside.txt", b"b")]), f"x{kind}"
    members = members_of(data, kind)
    assert [member.path for member in members][-1] == "beside.txt"
    assert members[0].path == f"x{kind}/x{kind}/x{kind}/deep.txt"
    assert set(read(data, kind, members).values()) == {b"found", b"b"}
    shallow = members_of(data, kind, LimitOptions(container_depth=2))
    assert [(member.path, member.refused) for member in shallow if member.refused] == [
        (f"x{kind}/x{kind}", "it lies more than 2 deep in archives and mails")
    ]


def test_what_is_no_document_is_left_out_and_what_is_hidden_is_not_named() -> None:
    files = [("a.exe", b""), (".git/config.txt", b""), ("__MACOSX/._a.txt", b""), ("b/.DS_Store", b""), ("~$a.docx", b"")]
    assert members_of(make_zip(files), "a.zip") == [Member("a.exe", locator="0")]


def test_links_and_devices_are_left_out() -> None:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        for name, kind in (("s.txt", tarfile.SYMTYPE), ("h.txt", tarfile.LNKTYPE), ("f.txt", tarfile.FIFOTYPE)):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/passwd"
            archive.addfile(info)
    assert [(member.path, member.left_out) for member in members_of(made.getvalue(), "a.tar")] == [
        ("s.txt", "a link"), ("h.txt", "a link"), ("f.txt", "not a regular file"),
    ]  # fmt: skip


def test_names_that_are_not_utf_8_stay_two() -> None:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.GNU_FORMAT, encoding="latin-1") as archive:
        for name in ("caf\xe9.txt", "caf\xe8.txt"):
            archive.addfile(tarfile.TarInfo(name))
    assert [member.path for member in members_of(made.getvalue(), "a.tar")] == ["caf%E9.txt", "caf%E8.txt"]
    unmarked = make_zip([("Gr\u00fc\u00dfe.txt", b"x")]).replace(b"\x00\x08", b"\x00\x00")
    assert [member.path for member in members_of(unmarked, "a.zip")] == ["Gr\u00fc\u00dfe.txt"]


@every_kind
@given(share=st.floats(0.01, 0.99))
def test_a_truncated_archive_is_refused_as_a_whole_or_for_the_member_that_is_cut(kind: str, share: float) -> None:
    whole = PACKERS[kind]([(f"{n}.txt", bytes([n]) * 700) for n in range(9)])
    cut = whole[: int(len(whole) * share)]
    if kind == "a.tar" and len(cut) >= 9 * 1536 + 512:  # only some of its padding is cut
        return
    with pytest.raises(DocumentError, match=r"truncated|damaged"):
        members_of(cut, kind)


def test_a_member_that_is_damaged_or_packed_strangely_is_refused_alone() -> None:
    data = bytearray(make_zip([("a.txt", b"first"), ("b.txt", b"second")], zipfile.ZIP_STORED))
    data[data.index(b"second")] ^= 1
    first, second = members_of(bytes(data), "a.zip")
    assert first.sha256 and not second.sha256 and "damaged in its archive (Bad CRC-32" in second.refused
    stored = make_zip([("a.txt", b"first"), ("b.txt", b"second")], zipfile.ZIP_STORED)
    strange = stored.replace(b"PK\x01\x02\x14\x03\x14\x00\x00\x00\x00\x00", b"PK\x01\x02\x14\x03\x14\x00\x00\x00\x09\x00", 1)
    assert "packed in a way that cannot be read" in members_of(strange, "a.zip")[0].refused


def test_an_encrypted_archive_and_an_encrypted_member_are_refused() -> None:
    with pytest.raises(DocumentError, match="only with a password") as raised:
        members_of(encrypt(make_zip([("a.txt", b"x")])), "a.zip")
    assert "unpack it with its password" in raised.value.__notes__[0]
    mixed = make_zip([("a.txt", b"x"), ("b.txt", b"y")])
    at = mixed.rindex(b"PK\x01\x02")
    mixed = mixed[: at + 8] + b"\x01" + mixed[at + 9 :]
    assert [member.refused for member in members_of(mixed, "a.zip")] == ["", "it opens only with a password"]


@every_kind
def test_bombs_are_refused_before_they_are_unpacked(kind: str) -> None:
    many = PACKERS[kind]([(f"{n}.txt", b"") for n in range(11)])
    with pytest.raises(DocumentError, match="more than 10 files"):
        members_of(many, kind, LimitOptions(container_members=10))
    large = PACKERS[kind]([("a.txt", bytes(FREE_BYTES + 1))])
    with pytest.raises(DocumentError, match="more than 64 MiB"):
        members_of(large, kind, LimitOptions(container_mb=64))
    if kind != "a.tar":
        with pytest.raises(DocumentError, match="200 times its size"):
            members_of(large, kind)
        inner = make_zip([(f"x{kind}", large), ("b.txt", b"b")], zipfile.ZIP_STORED)
        with pytest.raises(DocumentError, match="200 times its size"):
            members_of(inner, "a.zip")


def test_the_content_tells_the_kind_and_an_office_document_is_none() -> None:
    assert [member.path for member in members_of(make_tar_gz([("a.txt", b"x")]), "a.zip")] == ["a.txt"]
    with pytest.raises(DocumentError, match="not a ZIP archive, or is damaged"):
        members_of(b"just text", "a.zip")
    with pytest.raises(DocumentError, match="an Office document"):
        members_of(make_zip([("[Content_Types].xml", b"<Types/>")]), "a.zip")


@every_kind
def test_an_empty_archive_holds_nothing_and_an_empty_file_is_none(kind: str) -> None:
    assert members_of(PACKERS[kind]([]), kind) == []
    with pytest.raises(DocumentError, match="not a"):
        members_of(b"", kind)


@every_kind
def test_a_member_without_a_suffix_is_a_document_if_its_first_bytes_name_a_format(kind: str) -> None:
    pdf = b"%PDF-1.7" + b" " * 5000
    data = PACKERS[kind]([("letters/scan", pdf), ("Makefile", b"all:"), ("half.part", b"%PDF-")])
    scan, *others = members_of(data, kind)
    assert (scan.path, scan.size, scan.media_type) == ("letters/scan", len(pdf), "application/pdf")
    assert scan.sha256 == hashlib.sha256(pdf).hexdigest() and not any(member.sha256 for member in others)
    assert list(read(data, kind, [scan]).values()) == [pdf]


def test_a_member_that_claims_to_be_larger_than_all_disks_is_damage() -> None:
    """The standard library looked for its end, block by block."""
    head = bytearray(make_tar([("a.md", b"# a")]))
    head[124:136] = b"\x80" + b"\xff" * 11
    head[148:156] = b" " * 8
    head[148:155] = b"%06o\0" % sum(head[:512])
    began = time.process_time()
    with pytest.raises(DocumentError, match="damaged or truncated"):
        members_of(bytes(head), "a.tar")
    assert time.process_time() - began < 1
