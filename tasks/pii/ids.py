"""National ids: their forms, their check digits by python-stdnum, and the words that stand beside those whose form is common."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from stdnum.be import nn
from stdnum.br import cpf
from stdnum.de import idnr
from stdnum.es import dni, nie
from stdnum.fi import hetu
from stdnum.fr import nir
from stdnum.gb import nhs
from stdnum.it import codicefiscale
from stdnum.nl import bsn
from stdnum.pl import pesel
from stdnum.pt import nif
from stdnum.se import personnummer
from stdnum.us import ssn

from tasks.pii.context import BEFORE, Context

Check = Callable[[str], bool]
GAP = r"[ \u00a0\u202f]?\n?"
"""What may stand between groups of digits, a line break included."""


class NationalId(NamedTuple):
    """A form of a national id. With a `cue`, a number of the form is one only beside these words."""

    form: re.Pattern[str]
    is_valid: Check
    cue: re.Pattern[str] | None = None


def _form(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.,/-])(?:{pattern})(?![\w/-]|[.,]\w)")


def _cue(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)


_OTHER = re.compile(
    r"(?<!\w)(?:part|order|invoice|serial|article|item|model|file|tracking|artikel|teil|bestell\w*|rechnung\w*|auftrag\w*|commande|"
    r"facture|pi[èe]ce|pedido|factura|pieza|art[íi]culo|ordine|fattura|pezzo|articolo|r[ée]f|rif)\.?[ -]?"
    r"(?:number|no|nr|num|n[°º.])?[.:]?\s*\Z",
    re.IGNORECASE,
)
"""A word before a number that says that it is that of a thing."""

_NINO_PREFIX = "[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]"


def _is_nino(value: str) -> bool:
    """Return whether the prefix is one that is given out; there is no check digit."""
    return value[:2].upper() not in {"BG", "GB", "KN", "NK", "NT", "TN", "ZZ"}


_CUES = {
    "id_br": _cue("CPF"),
    "id_de": _cue(
        r"steuer-?\s?id(?:entifikations(?:nummer|nr\.?))?|steuerliche identifikationsnummer|steuer-?idnr\.?|idnr\.?|tax id"
    ),
    "id_gb": _cue(r"NHS(?: (?:number|no\.?))?|national insurance(?: (?:number|no\.?))?|NINO|NI (?:number|no\.?)"),
    "id_nl": _cue(r"BSN(?:-nummer)?|burgerservicenummer|sofinummer"),
    "id_pt": _cue(r"NIF|contribuinte|n[úu]mero fiscal"),
    "id_se": _cue(r"person(?:nummer|nr)|personal identity number"),
    "id_us": _cue(r"SSN|social security(?: (?:number|no\.?|#))?"),
}

NATIONAL_IDS: Mapping[str, tuple[NationalId, ...]] = {
    "id_be": (NationalId(_form(r"\d\d\.?[0-5]\d\.?[0-3]\d[ .-]?\d{3}[.-]?\d\d"), nn.is_valid),),
    "id_br": (
        NationalId(_form(r"\d{3}\.\d{3}\.\d{3}-\d\d"), cpf.is_valid),
        NationalId(_form(r"\d{11}"), cpf.is_valid, _CUES["id_br"]),
    ),
    "id_de": (NationalId(_form(rf"[1-9]\d{GAP}\d{{3}}{GAP}\d{{3}}{GAP}\d{{3}}"), idnr.is_valid, _CUES["id_de"]),),
    "id_es": (
        NationalId(_form(r"\d{8}[ -]?[A-HJ-NP-TV-Z]"), dni.is_valid),
        NationalId(_form(r"[XYZ][ -]?\d{7}[ -]?[A-Z]"), nie.is_valid),
    ),
    "id_fi": (NationalId(_form(r"[0-3]\d[01]\d{3}[-+A-FU-Y]\d{3}[0-9A-FHJ-NPR-Y]"), hetu.is_valid),),
    "id_fr": (NationalId(_form(rf"[12]{GAP}\d\d{GAP}\d\d{GAP}\d[\dAB]{GAP}\d{{3}}{GAP}\d{{3}}{GAP}\d\d"), nir.is_valid),),
    "id_gb": (
        NationalId(_form(rf"\d{{3}}[ -]?{GAP}\d{{3}}[ -]?{GAP}\d{{4}}"), nhs.is_valid, _CUES["id_gb"]),
        NationalId(_form(rf"{_NINO_PREFIX} \d\d \d\d \d\d [A-D]"), _is_nino),
        NationalId(_form(rf"{_NINO_PREFIX}\d{{6}}[A-D]"), _is_nino, _CUES["id_gb"]),
    ),
    "id_it": (
        NationalId(_form(r"[A-Z]{6}[\dLMNP-V]{2}[A-EHLMPRST][\dLMNP-V]{2}[A-Z][\dLMNP-V]{3}[A-Z]"), codicefiscale.is_valid),
    ),
    "id_nl": (NationalId(_form(r"\d{9}|\d{4}\.\d\d\.\d{3}"), bsn.is_valid, _CUES["id_nl"]),),
    "id_pl": (NationalId(_form(r"\d{11}"), pesel.is_valid),),
    "id_pt": (NationalId(_form(rf"[1235689]\d{{2}}{GAP}\d{{3}}{GAP}\d{{3}}"), nif.is_valid, _CUES["id_pt"]),),
    "id_se": (
        NationalId(_form(r"(?:19|20)?\d{6}[-+]\d{4}"), personnummer.is_valid),
        NationalId(_form(r"(?:19|20)?\d{10}"), personnummer.is_valid, _CUES["id_se"]),
    ),
    "id_us": (
        NationalId(_form(r"\d{3}-\d\d-\d{4}"), ssn.is_valid),
        NationalId(_form(r"\d{9}|\d{3} \d\d \d{4}"), ssn.is_valid, _CUES["id_us"]),
    ),
}
"""The forms of each country. Those of id_us and of the National Insurance number have no check digit."""


def find_ids(kind: str, context: Context) -> Iterator[tuple[int, int]]:
    """Yield the spans of the national ids of one country."""
    for known in NATIONAL_IDS[kind]:
        for found in known.form.finditer(context.text):
            if known.is_valid("".join(found[0].split())) and _is_named_so(known, context, *found.span()):
                yield found.span()


def _is_named_so(known: NationalId, context: Context, start: int, end: int) -> bool:
    if known.cue:
        return context.has_cue(known.cue, start, end)
    return not _OTHER.search(context.text, max(0, start - BEFORE), start)
