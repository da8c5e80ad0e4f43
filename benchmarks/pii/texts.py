"""Drawn texts in five languages: sentences and tables with values of known kinds, and others with numbers that are none."""

import random
from collections.abc import Iterator
from typing import NamedTuple

from benchmarks.pii import values
from benchmarks.pii.values import UPPER, draw
from tasks.pii.recognisers import Match

HEX = "0123456789abcdef"
LANGUAGES = ("en", "de", "fr", "es", "it")


class Drawn(NamedTuple):
    """A text and the values in it."""

    language: str
    text: str
    truth: frozenset[Match]


BARE = {
    "en": [
        "Please use {} from now on.",
        "The record shows {}, which was confirmed.",
        "Reference person: {}",
        "We noted {} twice.",
    ],
    "de": [
        "Bitte ab jetzt {} verwenden.",
        "In der Akte steht {}, was bestätigt wurde.",
        "Hinterlegt ist: {}",
        "Notiert wurde {} zweimal.",
    ],
    "fr": [
        "Merci d'utiliser {} désormais.",
        "Le dossier indique {}, ce qui a été confirmé.",
        "Enregistré : {}",
        "Nous avons noté {} deux fois.",
    ],
    "es": ["Use {} a partir de ahora.", "En el expediente consta {}, ya confirmado.", "Registrado: {}", "Anotamos {} dos veces."],
    "it": [
        "Usare {} d'ora in poi.",
        "Nel fascicolo risulta {}, già confermato.",
        "Registrato: {}",
        "Abbiamo annotato {} due volte.",
    ],
}
"""Sentences without a word that says what the value is."""

NAMED = {
    "phone": {
        "en": ["Phone: {}", "Call me at {} tomorrow.", "Tel. {} (mornings)"],
        "de": ["Tel.: {}", "Telefon {} (vormittags)"],
        "fr": ["Tél. : {}", "Téléphone {} le matin"],
        "es": ["Teléfono: {}", "Tel. {} por la mañana"],
        "it": ["Tel. {}", "Telefono: {} di mattina"],
    },
    "birth_date": {
        "en": ["Date of birth: {}", "She was born on {} in Leeds.", "DOB {}"],
        "de": ["Geburtsdatum: {}", "Er ist am {} geboren.", "geb. am {}"],
        "fr": ["Date de naissance : {}", "Elle est née le {} à Lyon.", "né(e) le {}"],
        "es": ["Fecha de nacimiento: {}", "Nació el {} en Cádiz.", "nacida el {}"],
        "it": ["Data di nascita: {}", "È nato il {} a Bari.", "nata a Bari il {}"],
    },
    "id_de": {"*": ["Steuer-ID: {}", "Steuerliche Identifikationsnummer {}", "IdNr. {}"]},
    "id_gb": {"*": ["NHS number: {}", "NHS No. {} (checked)"]},
    "id_nl": {"*": ["BSN: {}", "Burgerservicenummer {}"]},
    "id_pt": {"*": ["NIF: {}", "N.º de contribuinte {}"]},
}
"""Sentences that say what the value is, for kinds that cannot be told without."""

HEADS = {
    "phone": "Phone",
    "birth_date": "Date of birth",
    "id_de": "Steuer-ID",
    "id_gb": "NHS number",
    "id_nl": "BSN",
    "id_pt": "NIF",
}

DRAWS: dict[str, values.Draw] = {
    "email": values.email,
    "iban": values.iban,
    "card": values.card,
    "id_be": values.id_be,
    "id_br": values.id_br,
    "id_de": values.id_de,
    "id_es": values.id_es,
    "id_fi": values.id_fi,
    "id_fr": values.id_fr,
    "id_gb": values.nhs_number,
    "id_it": values.id_it,
    "id_nl": values.id_nl,
    "id_pl": values.id_pl,
    "id_pt": values.id_pt,
    "id_se": values.id_se,
    "id_us": values.id_us,
    "ip": values.ip,
    "secret": values.secret,
}
CHECKED = ("iban", "card", *(kind for kind in DRAWS if kind.startswith("id_") and kind != "id_us"))
"""Kinds with check digits."""


def draw_value(rng: random.Random, kind: str, language: str) -> tuple[str, str]:
    """Return a value of a kind and the sentence that it stands in."""
    if kind == "phone" and rng.random() < 0.5:
        return values.phone_abroad(rng), rng.choice(BARE[language])
    if kind == "id_gb" and rng.random() < 0.3:
        return values.insurance_number(rng), rng.choice(BARE[language])
    named = NAMED.get(kind, {})
    sentence = rng.choice(named.get(language) or named.get("*") or BARE[language])
    if kind == "phone":
        return values.phone_at_home(rng, language), sentence
    return (values.written_date(rng, language) if kind == "birth_date" else DRAWS[kind](rng)), sentence


def draw_harmless(rng: random.Random, language: str) -> str:
    """Return a sentence with a number or word that is no personal data, however it looks."""
    broken = values.iban(rng)
    number, letter, three = draw(rng, 11), rng.choice(UPPER), rng.randint(100, 999)
    major, minor = rng.randint(1, 20), rng.randint(0, 20)
    return rng.choice(
        [
            f"Order no. {draw(rng, rng.randint(7, 16))} was shipped.",
            f"Part number {draw(rng, 2, UPPER)}-{draw(rng, 4)}-{draw(rng, 3)}, revision {rng.choice('ABC')}.",
            f"Part {draw(rng, 8)}{letter} replaces {draw(rng, 2, UPPER)}{draw(rng, 6)}{letter}.",
            f"ISBN {values.isbn(rng)}, second edition.",
            f"Upgrade to version {major}.{minor}.{rng.randint(0, 300)}.{rng.randint(0, 99)} first.",
            f"Release {major}.{minor}.{rng.randint(0, 9)} of {rng.randint(1, 9)}.{minor}.{major}.1",
            f"See section {rng.randint(1, 9)}.{rng.randint(1, 9)}.{rng.randint(1, 9)}.{minor} on page {rng.randint(1, 400)}.",
            f"| {three} {draw(rng, 3)} | {draw(rng, 3)} {three} | {rng.randint(10, 99)}.{draw(rng, 3)}.{three} |",
            f"{three} {draw(rng, 3)} {draw(rng, 3)} people, {major},{draw(rng, 3)},{three}.{draw(rng, 2)} EUR",
            f"IBAN {broken[:-2]}{(int(broken[-2:]) + 1) % 100:02}" if broken[-2:].isdigit() else "IBAN to follow",
            f"Invoice {values.written_date(rng, language)}, due {values.written_date(rng, language)}.",
            f"Tracking {number[:3]} {number[3:6]} {number[6:]} left at {rng.randint(10, 23)}:{minor}:{major:02}.",
            f"File {rng.randint(1, 28):02}{rng.randint(1, 12):02}{draw(rng, 2)}-{draw(rng, 4)}.pdf, hash {draw(rng, 40, HEX)}",
            f"std::vector<int> at 0x{draw(rng, 8, HEX)}, id {draw(rng, 8)}-{draw(rng, 4)}-4{draw(rng, 3)}-a{draw(rng, 3)}",
            f"@{rng.choice(values.FIRST)} wrote: use x@{rng.randint(2, 9)} and key={rng.choice(values.LAST)}",
            f"+{rng.randint(1, 30)} % against {rng.randint(1990, 2020)}-{2000 + major}; +{three} {draw(rng, 3)} in all",
        ]
    )


def draw_text(rng: random.Random, kinds: list[str], language: str) -> Drawn:
    """Return a text with one value of each of `kinds`, between harmless sentences and now and then in a table."""
    text, truth = "", set[Match]()
    for kind in kinds:
        for _ in range(rng.randint(1, 3)):
            text += draw_harmless(rng, language) + "\n\n"
        value, sentence = draw_value(rng, kind, language)
        if rng.random() < 0.2 and "\n" not in value:
            sentence = f"| No. | {HEADS.get(kind, 'Value')} |\n| --- | --- |\n| {draw(rng, 3)} | {{}} |"
        before, _, after = sentence.partition("{}")
        start = len(text) + len(before)
        truth.add(Match(start, start + len(value), kind))
        text += before + value + after + "\n\n"
    return Drawn(language, text, frozenset(truth))


def draw_texts(n: int, seed: int = 44) -> Iterator[Drawn]:
    """Yield `n` texts, in all languages alike."""
    rng = random.Random(seed)
    kinds = [*DRAWS, "phone", "birth_date"]
    for at in range(n):
        yield draw_text(rng, rng.sample(kinds, 6), LANGUAGES[at % len(LANGUAGES)])
