"""What mails with attachments in one mailbox, or files in one archive, cost beside the same documents as files in folders.

Each is refreshed three times: from nothing, with nothing changed, and with one document changed. `--embedder` names another
embedder than the usual one: with a small one, more of the time is that of reading.
"""

import argparse
import os
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from pathlib import Path

from benchmarks.refresh.processes import pagemill
from benchmarks.sources import draw_texts

Change = Callable[[Path], None]


def make_mails(n: int) -> Iterator[tuple[str, str, str, bytes]]:
    """Yield the id, what is read of it, the attachment and the bytes of mails with one attachment of half a kB each."""
    for number in range(n):
        mail = EmailMessage()
        mail["From"], mail["To"] = f"Ada {number % 50} <ada{number % 50}@example.org>", "Charles <charles@example.org>"
        mail["Subject"], mail["Date"] = f"Engine {number}", "Mon, 01 Jan 2024 10:00:00 +0100"
        mail["Message-ID"] = f"<{number}@example.org>"
        body = f"Dear Charles,\n\nengine {number} runs. It took {number % 91} gears.\n\nYours, Ada\n" * 3
        mail.set_content(body)
        report = f"Report {number}. Gear {number % 17} turns {number % 23} times an hour.\n\n" * 8
        mail.add_attachment(report.encode(), maintype="text", subtype="plain", filename="report.txt")
        mail.set_boundary(f"=_part_of_{number}")
        head = "\n".join(f"{name}: {mail[name]}" for name in ("From", "To", "Date", "Subject"))
        shown = f"Engine {number}\n\n{head}\nAttachments: report.txt\n\n{body}"
        yield f"{number}@example.org", shown, report, mail.as_bytes()


def write_mailbox(folder: Path, n: int) -> Change:
    """Write the mails as one mailbox. The change appends one."""
    folder.mkdir()
    line = b"From ada@example.org Mon Jan  1 10:00:00 2024\n"
    with (folder / "in.mbox").open("wb") as sink:
        for *_, data in make_mails(n):
            sink.write(line + data + b"\n")

    def append(source: Path) -> None:
        with (source / "in.mbox").open("ab") as sink:
            sink.write(line + [*make_mails(n + 1)][-1][3] + b"\n")

    return append


def write_mails_as_files(folder: Path, n: int) -> Change:
    """Write the mails' texts and their attachments as files of their own. The change adds a mail."""
    folder.mkdir()

    def write(name: str, shown: str, report: str, data: bytes) -> None:
        (folder / f"{name}.txt").write_text(shown)
        (folder / f"{name}-report.txt").write_text(report)

    for mail in make_mails(n):
        write(*mail)
    return lambda source: write(*[*make_mails(n + 1)][-1])


def write_archive(folder: Path, n: int) -> Change:
    """Write small texts as one ZIP archive. The change writes it anew with one of them changed."""
    folder.mkdir()
    texts = folder.parent / f"{folder.name}-texts"
    draw_texts(texts, n)
    _pack(texts, folder)

    def change(source: Path) -> None:
        _change_first(texts)
        _pack(texts, source)

    return change


def write_texts(folder: Path, n: int) -> Change:
    """Write small texts as files. The change changes one of them."""
    draw_texts(folder, n)
    return _change_first


def _change_first(folder: Path) -> None:
    first = min(folder.rglob("*.txt"))
    first.write_text("This note was written anew.")


def _pack(texts: Path, folder: Path) -> None:
    with zipfile.ZipFile(folder / "texts.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(texts.rglob("*.txt")):
            archive.write(path, path.relative_to(texts).as_posix())


CASES = {
    "mails as files": write_mails_as_files,
    "mailbox": write_mailbox,
    "texts as files": write_texts,
    "archive": write_archive,
}


def age(source: Path) -> None:
    """Make all files look a minute old: younger ones are read again on purpose."""
    for path in source.rglob("*"):
        if path.is_file():
            found = path.stat()
            os.utime(path, (found.st_atime - 60, found.st_mtime - 60))


def measure(name: str, n: int, work: Path, embedder: list[str]) -> None:
    """Print the seconds, the CPU seconds and the memory of the refreshes of one case."""
    source, corpus = work / name.replace(" ", "-"), work / f"{name.replace(' ', '-')}-corpus"
    change = CASES[name](source, n)
    for what in ("first", "nothing changed", "one changed"):
        if what == "one changed":
            change(source)
        age(source)
        cost = pagemill("refresh", source, "--corpus", corpus, *embedder)
        done = cost.printed["counts"]
        print(
            f"  {name:<15} {what:<16} {cost.seconds:6.1f} s, CPU {cost.cpu_seconds:6.1f} s, largest process "
            f"{cost.peak_mib:5.0f} MiB: " + ", ".join(f"{count} {kind}" for kind, count in done.items() if count),
            flush=True,
        )


def main() -> None:
    """Measure all cases."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--n", type=int, default=10_000, help="mails, and texts")
    parser.add_argument("--embedder", default="", help="the embedder, a folder or a name; by default, the usual one")
    parser.add_argument("--cases", nargs="*", default=list(CASES), choices=list(CASES))
    given = parser.parse_args()
    work = Path(tempfile.mkdtemp(prefix="pagemill-containers-"))
    try:
        for name in given.cases:
            measure(name, given.n, work, ["--embedder", given.embedder] if given.embedder else [])
    finally:
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    main()
