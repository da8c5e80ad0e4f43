"""What a mail says, whatever program wrote it: headers, text, quoted threads, attachments."""

import base64
import io
import json
import re
from email.message import EmailMessage
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.errors import DocumentError, EmptyDocument
from schemas.options.sections import LimitOptions
from tasks.parse.containers.walk import Member, list_members, read_members
from tasks.parse.elements.flow_document import FlowDocument
from tasks.parse.mail.document import parse_mail
from tasks.parse.mail.message import MOST_DEEP, ONLY_OUTLOOK
from tasks.parse.mail.outlook import read_any_mail
from tests.tasks.parse.mail.outlook_drawn import make_message

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360f8cf00000301010018dd8db00000000049"
    "454e44ae426082"
)
LIMITS = LimitOptions()


def a_mail(body: str = "Dear Charles,\n\nit runs.", **headers: str) -> EmailMessage:
    mail = EmailMessage()
    for name, value in {"From": "Ada <ada@example.org>", "To": "c@example.org", "Subject": "The engine", **headers}.items():
        mail[name.replace("_", "-")] = value
    mail.set_content(body)
    return mail


def document(data: bytes | EmailMessage) -> FlowDocument:
    return parse_mail(read_any_mail(data if isinstance(data, bytes) else data.as_bytes()))


def lines(data: bytes | EmailMessage) -> list[str]:
    return [f"{block.kind}: {block.text}" for block in document(data).blocks]


def members_of(data: bytes, name: str = "m.eml") -> list[Member]:
    return list(list_members(io.BytesIO(data), name, len(data), LIMITS, lambda _: None))


def read(data: bytes, members: list[Member], name: str = "m.eml") -> dict[str, bytes]:
    wanted = {member.locator: member.path for member in members if member.sha256}
    found = read_members(io.BytesIO(data), name, len(data), list(wanted), LIMITS, lambda _: None)
    return {wanted[locator]: source.read() for locator, source in found}


def test_headers_are_the_first_lines_and_properties_for_columns() -> None:
    mail = a_mail(Date="Mon, 01 Jan 2024 23:30:00 -0500", Cc="Babbage <b@example.org>", Message_ID="<1@x>")
    assert lines(mail)[:2] == [
        "title: The engine",
        "paragraph: From: Ada <ada@example.org>\nTo: c@example.org\nCc: Babbage <b@example.org>\n"
        "Date: Mon, 01 Jan 2024 23:30:00 -0500\nSubject: The engine",
    ]
    properties = document(mail).properties
    assert (properties["title"], properties["author"], properties["created"]) == (
        "The engine",
        "Ada",
        "2024-01-01T23:30:00-05:00",
    )
    assert json.loads(properties["extra"]) == {
        "from": "Ada <ada@example.org>", "to": "c@example.org", "cc": "Babbage <b@example.org>", "date": "2024-01-01",
        "subject": "The engine", "message_id": "1@x",
    }  # fmt: skip


@pytest.mark.parametrize("text", ["Grüße", "Grüße!", "Grüße!!"])
def test_what_a_list_adds_below_base64_is_text_too_and_spoils_nothing(text: str) -> None:
    head = b"Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    added = b"\r\n_______\r\nThe list (of mills)\r\n"
    found = lines(head + base64.b64encode(text.encode()) + added)
    assert found[-2:] == [f"paragraph: {text}", "paragraph: _______\nThe list (of mills)"]


def test_charsets_and_names_are_decoded_as_their_headers_say_and_otherwise_as_they_can_be() -> None:
    raw = b"Subject: =?iso-8859-1?q?Gr=FC=DFe?=\r\nContent-Type: %s\r\nContent-Transfer-Encoding: 8bit\r\n\r\n%s"
    for kind, body in (
        (b"text/plain; charset=koi8-r", "привет".encode("koi8-r")),
        (b"text/plain; charset=nonsense", "привет".encode()),
        (b"text/plain", "привет".encode()),
        (b"text/html; charset=windows-1251", "<p>привет</p>".encode("cp1251")),
    ):
        assert lines(raw % (kind, body)) == ["title: Grüße", "paragraph: Subject: Grüße", "paragraph: привет"]
    named = (
        b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\n\r\nx\r\n'
        b"--b\r\nContent-Disposition: attachment; filename*=utf-8''Gr%C3%BC%C3%9Fe.txt\r\n\r\n1\r\n"
        b'--b\r\nContent-Disposition: attachment; filename="=?utf-8?b?w5ZsLnR4dA==?="\r\n\r\n2\r\n'
        b"--b\r\nContent-Disposition: attachment; filename*0=long-; filename*1=name.txt\r\n\r\n3\r\n"
        b'--b\r\nContent-Disposition: attachment; filename="../a/b.txt"\r\n\r\n4\r\n--b--\r\n'
    )
    assert [member.path for member in members_of(named)] == ["Grüße.txt", "Öl.txt", "long-name.txt", "b.txt"]


def test_an_older_mail_below_is_under_a_heading_and_quotes_that_are_answered_keep_their_marks() -> None:
    below = "Yes.\n\nOn Sun, Dec 31, 2023 at 9:00 AM Charles\n<c@example.org> wrote:\n> Does it run?\n>\n> Tell me.\n-- \nAda"
    assert lines(a_mail(below))[2:] == [
        "paragraph: Yes.",
        "heading: On Sun, Dec 31, 2023 at 9:00 AM Charles <c@example.org> wrote:",
        "paragraph: > Does it run?\n>\n> Tell me.",
        "paragraph: --\nAda",
    ]
    between = "Am 31.12.2023 schrieb Charles:\n> Does it run?\n\nIt does.\n\n> And the mill?\n\nThat too."
    assert lines(a_mail(between))[2:] == [
        "paragraph: Am 31.12.2023 schrieb Charles:", "paragraph: > Does it run?", "paragraph: It does.",
        "paragraph: > And the mill?", "paragraph: That too.",
    ]  # fmt: skip
    outlook = (
        "Fine.\n\nFrom: Charles\nSent: Sunday\nTo: Ada\nSubject: Engine\n\nDoes it run?\n\n-----Original Message-----\n\nOld."
    )
    assert lines(a_mail(outlook))[3:] == [
        "heading: From: Charles", "paragraph: Sent: Sunday\nTo: Ada\nSubject: Engine", "paragraph: Does it run?",
        "heading: -----Original Message-----", "paragraph: Old.",
    ]  # fmt: skip


def test_the_html_of_a_mail_is_read_with_the_pictures_that_it_brings() -> None:
    mail = a_mail("plain")
    mail.add_alternative('<p>Rich <b>text</b></p><img src="cid:one@x" alt="a dot">', subtype="html")
    html = mail.get_payload()[1]  # type: ignore[index]
    html.add_related(PIXEL, "image", "png", cid="<one@x>")  # type: ignore[union-attr]
    html.add_related(PIXEL, "image", "png", cid="<two@x>", filename="unused.png")  # type: ignore[union-attr]
    blocks = document(mail).blocks
    assert [block.kind for block in blocks] == ["title", "paragraph", "paragraph", "figure"]
    assert blocks[2].text == "Rich text" and blocks[3].picture == PIXEL
    assert "Attachments: unused.png" in blocks[1].text and "plain" not in "".join(block.text for block in blocks)


def test_invitations_signatures_and_outlooks_own_packing_are_told() -> None:
    mail = a_mail("Come.")
    calendar = (
        "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Mill\r\n  day\r\nDTSTART:20240102T150000Z\r\nEND:VEVENT\r\nEND:VCALENDAR"
    )
    mail.add_attachment(calendar, subtype="calendar", filename="invite.ics")
    mail.add_attachment(b"x", maintype="application", subtype="ms-tnef", filename="winmail.dat")
    mail.add_attachment(b"x", maintype="application", subtype="pgp-signature", filename="signature.asc")
    assert lines(mail)[2:] == ["paragraph: Come.", "paragraph: Event: Mill day", "paragraph: Begins: 2024-01-02 15:00:00 UTC"]
    assert [(member.path, member.left_out) for member in members_of(mail.as_bytes())] == [("winmail.dat", ONLY_OUTLOOK)]
    for sealed in (b"Content-Type: application/pkcs7-mime\n\nx", b"Content-Type: multipart/encrypted; boundary=b\n\n--b--"):
        with pytest.raises(DocumentError, match="encrypted or sealed"):
            document(b"Subject: s\n" + sealed)


def test_attachments_and_messages_in_messages_are_members_with_their_bytes() -> None:
    inner = a_mail("Inner text.", Subject="Re: a/b")
    inner.add_attachment(b"deep \xff", maintype="application", subtype="octet-stream", filename="deep.txt")
    mail = a_mail()
    mail.add_attachment(inner)
    mail.add_attachment(b"one", maintype="text", subtype="plain", filename="n.txt")
    mail.add_attachment(b"two", maintype="text", subtype="plain", filename="n.txt")
    data = mail.as_bytes()
    found = read(data, members_of(data))
    assert list(found) == ["Re: a_b.eml", "Re: a_b.eml/deep.txt", "n.txt", "n (2).txt"]
    assert (found["Re: a_b.eml/deep.txt"], found["n.txt"], found["n (2).txt"]) == (b"deep \xff", b"one", b"two")
    assert "Inner text." in lines(found["Re: a_b.eml"])[-1]


@settings(max_examples=60)
@given(
    st.binary(max_size=300),
    st.sampled_from([b"", b"From: \xff\nContent-Type: ", b'Content-Type: multipart/mixed; boundary="b"\n\n--b\n']),
)
def test_any_bytes_are_a_mail_or_a_reject(rest: bytes, start: bytes) -> None:
    for data in (start + rest, rest + start):
        try:
            members_of(data)
            found = document(data)
        except DocumentError as error:
            assert error.__notes__
        else:
            assert found.blocks


def test_an_empty_mail_and_one_that_nests_without_end_do_no_harm() -> None:
    with pytest.raises(EmptyDocument, match="no mail, or an empty one"):
        document(b"")
    deep = b"".join(b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n' % (n, n) for n in range(3 * MOST_DEEP))
    assert "more than 50 deep" in members_of(b"Subject: deep\n" + deep)[0].left_out
    broken = b"From: =?utf-8?q?=FF?= <\nTo: (((((\nDate: never\nContent-Type: ;;;\nContent-Disposition: x; a*=q''%ZZ\n\nText."
    assert lines(broken)[-1] == "paragraph: Text."


def a_mailbox(messages: list[tuple[str, str]]) -> bytes:
    """Return an mbox of messages, given by id and text; lines that begin with From are marked."""
    made = b""
    for name, body in messages:
        data = a_mail(body, **({"Message_ID": f"<{name}>"} if name else {})).as_bytes()
        made += b"From ada@example.org Mon Jan  1 10:00:00 2024\n" + re.sub(rb"(?m)^(>*From )", rb">\1", data) + b"\n"
    return made


bodies = st.lists(st.sampled_from(["Hello.", "From here on.", "a\n\nFrom Ada, at home.", ">From x", "", "x\n\n\n"]), max_size=5)


@given(bodies)
def test_every_message_of_a_mailbox_is_a_document_with_its_bytes(found: list[str]) -> None:
    messages = [(f"{n}@x", body) for n, body in enumerate(found)]
    data = a_mailbox(messages)
    members = members_of(data, "in.mbox")
    assert [member.path for member in members] == [f"{name}.eml" for name, _ in messages]
    longer = members_of(a_mailbox([*messages, ("new@x", "New.")]), "in.mbox")
    assert [member.sha256 for member in longer][: len(members)] == [member.sha256 for member in members]
    for (name, body), content in zip(messages, read(data, members, "in.mbox").values(), strict=True):
        assert content.strip() == a_mail(body, Message_ID=f"<{name}>").as_bytes().strip()


def test_messages_keep_their_names_when_another_is_deleted_and_without_an_id(tmp_path: Path) -> None:
    messages = [("a/b@x", "one"), ("", "two"), ("c@x", "three"), ("c@x", "four")]
    names = [member.path for member in members_of(a_mailbox(messages), "in.mbox")]
    assert names[0] == "a_b@x.eml" and names[2:] == ["c@x.eml", "c@x (2).eml"]
    assert [member.path for member in members_of(a_mailbox(messages[1:3]), "in.mbox")] == names[1:3]
    (tmp_path / "in.mbox").write_bytes(a_mailbox(messages))
    with (tmp_path / "in.mbox").open("rb") as file:
        assert [member.path for member in list_members(file, "in.mbox", 9, LIMITS, lambda _: None)] == names
    assert members_of(b"", "in.mbox") == []
    crowded = a_mailbox(messages).replace(b"\n\nFrom ada", b"\nFrom ada").replace(b"\n", b"\r\n")
    assert len(members_of(crowded, "in.mbox")) == len(messages)
    with pytest.raises(DocumentError, match="not a mailbox"):
        members_of(b"just text", "in.mbox")


def test_a_message_of_outlook_is_read_as_any_mail_with_its_attachments() -> None:
    data = make_message()
    assert lines(data) == [
        "title: Grüße von der Mühle",
        "paragraph: From: Ada Lovelace <ada@example.org>\nTo: Charles\nDate: Mon, 01 Jan 2024 00:00:00 +0000\n"
        "Subject: Grüße von der Mühle\nAttachments: report.txt, Inner engine.eml",
        "paragraph: The mill runs.",
        "paragraph: Yours, Ada",
    ]
    found = read(data, members_of(data, "m.msg"), "m.msg")
    assert found["report.txt"] == b"A report." and found["Inner engine.eml/deep.txt"] == b"Deep text."
    assert lines(found["Inner engine.eml"])[-1] == "paragraph: The inner text."
    assert read(data, members_of(data, "m.msg"), "m.msg") == found, "the mail in the mail has the same bytes each time"
    for damaged in (data[:600], data[:1500], data[:-1000], data[:512] + bytes(len(data) - 512)):
        with pytest.raises(DocumentError, match=r"damaged or truncated|old Office file"):
            read_any_mail(damaged)


@pytest.mark.parametrize(
    "head",
    [
        f"From: {'(' * 5000}",
        f"To: {'a <' * 5000}",
        'Content-Type: text/plain; charset="idna"',
        'Content-Type: text/plain; charset="zip"',
    ],
    ids=lambda head: head[:40],
)
def test_no_header_costs_the_text(head: str) -> None:
    assert "The engine runs." in lines(f"{head}\n\nThe engine runs.".encode())[-1]


def test_parts_in_each_other_without_an_end_are_refused() -> None:
    for head in ('Content-Type: multipart/mixed; boundary="b{}"\n\n--b{}\n', "Content-Type: message/rfc822\n\n"):
        data = "".join(head.format(at, at) for at in range(3000)).encode()
        with pytest.raises(DocumentError, match="too deep"):
            members_of(data)


CHARSETS = {
    ("us-ascii", "Prüfung"): "Prüfung",
    ("iso-8859-1", "Prüfung"): "Prüfung",
    ("gb2312", "港口"): "港口",
    ("utf-7", "Pr+APw-fung"): "Prüfung",
    ("utf-7", "Prüfung"): "Prüfung",
}


@pytest.mark.parametrize(("told", "text"), CHARSETS.items())
def test_a_text_is_utf_8_where_its_charset_fits_any_bytes(told: tuple[str, str], text: str) -> None:
    data = told[1].encode("gbk" if told[0] == "gb2312" else "utf-8")
    assert lines(f"From: a@x\nContent-Type: text/plain; charset={told[0]}\n\n".encode() + data)[-1] == f"paragraph: {text}"


def test_flowed_lines_may_break_within_words() -> None:
    head = b"From: a@x\nContent-Type: text/plain; format=flowed; delsp=yes\n\n"
    assert lines(head + b"It is bro \nken  \nhere.\n")[-1] == "paragraph: It is broken here."


def test_a_page_without_a_type_is_read_as_a_page_and_chinese_threads_have_headings() -> None:
    assert lines(b"From: a@x\n\n<html><body><p>Moor here.</p></body></html>\n")[-1] == "paragraph: Moor here."
    for quoted in ("在 2024年5月6日，Ada 写道：", "发件人: Ada\n发送时间: 2024年5月6日"):  # noqa: RUF001
        found = lines(
            "From: a@x\nContent-Type: text/plain; charset=utf-8\n\n好的\n\n".encode() + f"{quoted}\n\n> 请确认\n".encode()
        )
        assert f"heading: {quoted.splitlines()[0]}" in found


def test_a_signature_in_the_lines_of_a_text_is_no_text() -> None:
    signed = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nIt opens.\n- -- \nAda\n"
    signature = "-----BEGIN PGP SIGNATURE-----\nVersion: 1\n\niQEzBAEB/+\n=ab12\n-----END PGP SIGNATURE-----\n"
    assert lines(f"From: a@x\n\n{signed}{signature}\nAfter.\n".encode())[1:] == [
        "paragraph: It opens.\n--\nAda",
        "paragraph: After.",
    ]
    assert "BEGIN" in lines(f"From: a@x\n\n{signed}cut\n".encode())[1]
