"""Mail documents: the blocks of a mail. Its subject is the title, its headers are the first lines, then comes its text.

An older mail that is quoted below stays in the text, under a heading of its own: the line that introduces it, such as
"On Monday Ada wrote:". What is quoted between the lines of an answer keeps its marks, >.
"""

import base64
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from email.utils import getaddresses

from schemas.errors import DocumentError, EmptyDocument
from schemas.records import NO_PROPERTIES, Properties, Reason
from tasks.parse.elements.flow_document import FlowBlock, FlowDocument, tidy
from tasks.parse.mail.calendar import list_event_lines
from tasks.parse.mail.message import Body, Mail, guard_header
from tasks.parse.rejections import refusal
from tasks.parse.web.document import parse_html

QUOTED_LEVEL = 2
ATTRIBUTION_CHARS = 400
"""A longer paragraph introduces no quotation."""
_WROTE = re.compile(
    r"(?:(?:On|Am|Le|El|Il|Op|Em|Den|Dne|W dniu)\s.*|[^\n]*<[^<>\s]+@[^<>\s]+>\s*)"
    r"(?:wrote|schrieb(?: [^:]*)?|a écrit|escribió|ha scritto|schreef(?: [^:]*)?|escreveu|napisał(?:\(a\))?|skrev(?: [^:]*)?)"
    r"\s*:|(?:在|于|於)?.*(?:写道|寫道)\s*[:\uff1a]",
    re.DOTALL,
)
_LINE = re.compile(
    r"-{2,}\s*(?:Original Message|Forwarded message|Ursprüngliche Nachricht|Original-Nachricht|Weitergeleitete Nachricht"
    r"|Message d'origine|Message transféré|Mensaje original|Mensaje reenviado|Messaggio originale"
    r"|Oorspronkelijk bericht)\s*-{2,}",
    re.IGNORECASE,
)
_HEADERS = re.compile(
    r"\*?(?:From|Von|De|Da|Van)\s?:\*?\s.*\n(?:.*\n)*?\*?(?:Sent|Date|Gesendet|Datum|Envoyé|Enviado|Fecha|Inviato|Verzonden)\s?:"
    r"|(?:发件人|寄件者|差出人)\s?[:\uff1a].*\n(?:.*\n)*?(?:发送时间|日期|寄件日期|送信日時)\s?[:\uff1a]",
    re.IGNORECASE,
)
_CID = re.compile(r"cid:([^\"'\s)>]+)")


def parse_mail(mail: Mail) -> FlowDocument:
    """Return the document of a mail.

    Raises:
        DocumentError: it is encrypted.
        EmptyDocument: it has neither headers nor text.
    """
    if mail.sealed:
        message = "the mail is encrypted or sealed (S/MIME or PGP)"
        raise refusal(DocumentError, message, "open it in the program that has its key, and save it decrypted, or exclude it")
    rejects: list[Reason] = []
    blocks = [block for body in mail.bodies for block in _make_body_blocks(body, mail, rejects)]
    if not (mail.headers or blocks):
        raise refusal(EmptyDocument, "the file is no mail, or an empty one: it has no headers", "replace it, or exclude it")
    lines = [f"{name}: {value}" for name, value in mail.headers.items()]
    if mail.attachments:
        lines.append("Attachments: " + ", ".join(attachment.name for attachment in mail.attachments))
    subject = mail.headers.get("Subject")
    head = [FlowBlock("title", subject, 1)] if subject else []
    return FlowDocument(
        [*head, FlowBlock("paragraph", "\n".join(lines)), *mark_quoted(blocks)], make_properties(mail), rejects=rejects
    )


def make_properties(mail: Mail) -> Properties:
    """Return title, author and date of a mail; `extra` has from, to, cc, date (of the day) and subject, for declared columns."""
    extra = {name.lower(): value for name, value in mail.headers.items() if name != "Date"}
    if mail.date:
        extra["date"] = mail.date.date().isoformat()
    if mail.message_id:
        extra["message_id"] = mail.message_id
    addresses = guard_header(lambda: getaddresses([mail.headers.get("From", "")]), list[tuple[str, str]]())
    author = ", ".join(name or address for name, address in addresses if name or address)
    return {
        **NO_PROPERTIES,
        "title": mail.headers.get("Subject"),
        "author": author or None,
        "created": mail.date.isoformat() if mail.date else None,
        "extra": json.dumps(extra, ensure_ascii=False, sort_keys=True),
    }


def _make_body_blocks(body: Body, mail: Mail, rejects: list[Reason]) -> Iterator[FlowBlock]:
    if body.media_type == "text/calendar":
        yield from (FlowBlock("paragraph", line) for line in list_event_lines(body.text))
    elif body.media_type == "text/html":
        try:
            page = parse_html(b"\xef\xbb\xbf" + _show_pictures(body.text, mail.pictures).encode("utf-8", "replace"), xhtml=False)
        except EmptyDocument:
            return
        rejects += page.rejects
        yield from (block._replace(kind="heading") if block.kind == "title" else block for block in page.blocks)
    else:
        yield from (FlowBlock("paragraph", tidy(text)) for text in split_paragraphs(body.text, body.flowed, body.delsp))


def _show_pictures(source: str, pictures: Mapping[str, tuple[str, bytes]]) -> str:
    """Return a page with the pictures that the mail itself brings in place of their content ids."""

    def show(found: re.Match[str]) -> str:
        kind, data = pictures.get(found[1], ("", b""))
        return f"data:{kind};base64,{base64.b64encode(data).decode()}" if data else found[0]

    return _CID.sub(show, source)


def split_paragraphs(text: str, flowed: bool = False, delsp: bool = False) -> list[str]:
    r"""Return the paragraphs of a plain text. Quoted lines and others never share one; `flowed` lines are joined.

    >>> split_paragraphs("Yes.\n> No?\n> Really?\n\nOK \nthen", flowed=True), split_paragraphs("bro \nken", True, delsp=True)
    (['Yes.', '> No?\n> Really?', 'OK then'], ['broken'])
    """
    paragraphs: list[str] = []
    quoted, joins = None, False
    for line in text.splitlines():
        if not line.strip():
            quoted, joins = None, False
        elif joins and quoted == line.startswith(">"):
            before = paragraphs[-1].removesuffix(" ") if delsp else paragraphs[-1]
            paragraphs[-1] = before + (line.lstrip("> ") if quoted else line.removeprefix(" "))
        elif quoted == line.startswith(">"):
            paragraphs[-1] += f"\n{line}"
        else:
            quoted = line.startswith(">")
            paragraphs.append(line)
        joins = flowed and line.endswith(" ") and line != "-- "
    return paragraphs


def mark_quoted(blocks: Sequence[FlowBlock]) -> list[FlowBlock]:
    """Return blocks with a heading for each mail that is quoted below the text, and not between the lines of an answer."""
    marked: list[FlowBlock] = []
    for at, block in enumerate(blocks):
        introduced = block.kind == "paragraph" and introduces_quotation(block.text) and not _is_answered(blocks[at + 1 :])
        if not introduced:
            marked.append(block)
            continue
        first, _, rest = block.text.partition("\n")
        whole = " ".join(block.text.split()) if not _HEADERS.match(block.text) else first
        marked.append(FlowBlock("heading", whole, QUOTED_LEVEL))
        if whole == first and rest:
            marked.append(block._replace(text=rest))
    return marked


def introduces_quotation(text: str) -> bool:
    r"""Return whether a paragraph introduces an older mail.

    >>> introduces_quotation("On Mon, Ada <a@b.c>\nwrote:"), introduces_quotation("On Monday we met.")
    (True, False)
    """
    line = text.lstrip("> ").strip()
    return len(line) <= ATTRIBUTION_CHARS and bool(_WROTE.fullmatch(line) or _LINE.fullmatch(line) or _HEADERS.match(line))


def _is_answered(following: Sequence[FlowBlock]) -> bool:
    """Return whether own lines stand after quoted ones, up to the signature: then these are answered one by one."""
    quoted = False
    for block in following:
        if block.text.startswith("--"):
            return False
        if block.text.startswith(">"):
            quoted = True
        elif quoted:
            return True
    return False
