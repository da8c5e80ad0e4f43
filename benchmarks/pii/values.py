"""Drawn values of each kind. Check digits are computed here, by the formulas of those who give the numbers out."""

import base64
import random
import string
from collections.abc import Callable, Sequence
from datetime import date, timedelta

Draw = Callable[[random.Random], str]

DIGITS, UPPER, ALNUM = string.digits, string.ascii_uppercase, string.ascii_letters + string.digits
FIRST = (
    "ada bjorn chiara dolores emile frida gaspard helga ines jean karim lucia matteo noor olga paul rosa sven tilda yann".split()
)
LAST = (
    "almeida bauer conti dubois eriksson fischer garcia huber ivanova jansen keller lopez moreau nowak rossi silva weber".split()
)
DOMAINS = ("example.org", "mail.example.com", "firma-beispiel.de", "exemple.fr", "ejemplo.es", "esempio.it", "uni.example.ac.uk")
MONTHS = {
    "en": "January February March April May June July August September October November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
}


def draw(rng: random.Random, n: int, of: str = DIGITS) -> str:
    """Return `n` drawn characters."""
    return "".join(rng.choices(of, k=n))


def draw_birthday(rng: random.Random) -> date:
    """Return a day from 1930 to 2009."""
    return date(1930, 1, 1) + timedelta(days=rng.randrange(29_000))


def weigh(digits: str, weights: Sequence[int]) -> int:
    """Return the sum of digits by weights."""
    return sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=True))


def add_luhn_digit(digits: str) -> str:
    """Return digits with the last one by which every second, doubled, adds up to a multiple of ten."""
    doubled = [int(digit) * (2 if at % 2 == 0 else 1) for at, digit in enumerate(reversed(digits))]
    return digits + str(-sum(value // 10 + value % 10 for value in doubled) % 10)


def until(make: Callable[[], str]) -> str:
    """Return the first drawn value for which there is a check digit."""
    value = ""
    while not value:
        value = make()
    return value


def email(rng: random.Random) -> str:
    """An address."""
    first, last = rng.choice(FIRST), rng.choice(LAST)
    local = rng.choice(
        [f"{first}.{last}", f"{first[0]}{last}", f"{first}_{last}{draw(rng, 2)}", f"{first}+{last}", f"{first}-{last}"]
    )
    return f"{local}@{rng.choice(DOMAINS)}"


def phone_abroad(rng: random.Random) -> str:
    """A number with its country's code."""
    forms: list[Callable[[], str]] = [
        lambda: f"+49 30 {draw(rng, 4, '2345678')} {draw(rng, 4)}",
        lambda: f"+49 (0)89 {draw(rng, 7, '23456789')}",
        lambda: f"+33 1 4{draw(rng, 1)} {draw(rng, 2)} {draw(rng, 2)} {draw(rng, 2)}",
        lambda: f"+34 91{draw(rng, 1, '2345')} {draw(rng, 3)} {draw(rng, 3)}",
        lambda: f"+39 06 {draw(rng, 4, '3456789')} {draw(rng, 4)}",
        lambda: f"+44 20 7{draw(rng, 3)} {draw(rng, 4)}",
        lambda: f"+1 212-{draw(rng, 3, '23456789')}-{draw(rng, 4)}",
        lambda: f"0049 171 {draw(rng, 7, '23456789')}",
    ]
    return rng.choice(forms)()


def phone_at_home(rng: random.Random, language: str) -> str:
    """A number without a country's code."""
    return {
        "en": lambda: f"(212) {draw(rng, 3, '23456789')}-{draw(rng, 4)}",
        "de": lambda: f"030/{draw(rng, 8, '23456789')}",
        "fr": lambda: f"01 4{draw(rng, 1)} {draw(rng, 2)} {draw(rng, 2)} {draw(rng, 2)}",
        "es": lambda: f"91{draw(rng, 1, '2345')} {draw(rng, 3)} {draw(rng, 3)}",
        "it": lambda: f"06 {draw(rng, 8, '3456789')}",
    }[language]()


IBAN_FORMS = {
    "DE": "d18",
    "GB": "a4d14",
    "FR": "d10c11d2",
    "ES": "d20",
    "IT": "a1d10c12",
    "NL": "a4d10",
    "BE": "d12",
    "AT": "d16",
}


def iban(rng: random.Random) -> str:
    """An IBAN of a country without check digits of its own."""
    country = rng.choice(["DE", "GB", "NL", "AT"])
    own = {
        "DE": draw(rng, 18),
        "GB": draw(rng, 4, UPPER) + draw(rng, 14),
        "NL": draw(rng, 4, UPPER) + draw(rng, 10),
        "AT": draw(rng, 16),
    }
    number = "".join(str(int(char, 36)) for char in f"{own[country]}{country}00")
    value = f"{country}{98 - int(number) % 97:02}{own[country]}"
    return rng.choice([value, " ".join(value[at : at + 4] for at in range(0, len(value), 4))])


def card(rng: random.Random) -> str:
    """A number of Visa, Mastercard or American Express."""
    kind = rng.choice(["visa", "mastercard", "amex"])
    if kind == "amex":
        value = add_luhn_digit(rng.choice(["34", "37"]) + draw(rng, 12))
        return rng.choice([value, f"{value[:4]} {value[4:10]} {value[10:]}"])
    value = add_luhn_digit(("4" + draw(rng, 14)) if kind == "visa" else f"5{rng.randint(1, 5)}{draw(rng, 13)}")
    return rng.choice(
        [value, " ".join(value[at : at + 4] for at in range(0, 16, 4)), "-".join(value[at : at + 4] for at in range(0, 16, 4))]
    )


def id_be(rng: random.Random) -> str:
    """Digits of the birthday and a number; 97 less their remainder by 97. A 2 stands before those born from 2000 on."""
    born = draw_birthday(rng)
    nine = f"{born:%y%m%d}{rng.randint(1, 997):03}"
    check = 97 - int(("2" if born.year >= 2000 else "") + nine) % 97
    return rng.choice([f"{born:%y.%m.%d}-{nine[6:]}.{check:02}", f"{nine}{check:02}"])


def id_br(rng: random.Random) -> str:
    """Nine digits and two check digits, by 11."""
    value = draw(rng, 9)
    for n in (10, 11):
        value += str(-weigh(value, range(n, 1, -1)) % 11 % 10)
    return f"{value[:3]}.{value[3:6]}.{value[6:9]}-{value[9:]}"


def id_de(rng: random.Random) -> str:
    """Ten digits of which one comes twice, one not at all, and a check digit (ISO 7064, 11 and 10)."""
    digits = rng.sample(DIGITS, 9)
    digits.insert(rng.randrange(1, 10), rng.choice(digits))
    at = next(at for at, digit in enumerate(digits) if digit != "0")
    digits[0], digits[at] = digits[at], digits[0]
    product = 10
    for digit in digits:
        total = (int(digit) + product) % 10 or 10
        product = 2 * total % 11
    value = "".join(digits) + str((11 - product) % 10)
    return rng.choice([value, f"{value[:2]} {value[2:5]} {value[5:8]} {value[8:]}"])


def id_es(rng: random.Random) -> str:
    """DNI or NIE: the letter at the remainder by 23."""
    number, begin = draw(rng, 7), rng.choice(["", "", "X", "Y", "Z"])
    whole = {"": draw(rng, 1), "X": "0", "Y": "1", "Z": "2"}[begin] + number
    letter = "TRWAGMYFPDXBNJZSQVHLCKE"[int(whole) % 23]
    return f"{begin or whole[0]}{number}{rng.choice(['', '-'])}{letter}"


def id_fi(rng: random.Random) -> str:
    """Birthday, century and number; the character at the remainder by 31."""
    born, number = draw_birthday(rng), rng.randint(2, 899)
    check = "0123456789ABCDEFHJKLMNPRSTUVWXY"[int(f"{born:%d%m%y}{number:03}") % 31]
    return f"{born:%d%m%y}{'-' if born.year < 2000 else 'A'}{number:03}{check}"


def id_fr(rng: random.Random) -> str:
    """Sex, year, month, department, commune and number; 97 less their remainder by 97."""
    born = draw_birthday(rng)
    value = f"{rng.choice('12')}{born:%y%m}{rng.randint(1, 95):02}{rng.randint(1, 600):03}{rng.randint(1, 999):03}"
    key = f"{97 - int(value) % 97:02}"
    spaced = f"{value[0]} {value[1:3]} {value[3:5]} {value[5:7]} {value[7:10]} {value[10:]} {key}"
    return rng.choice([value + key, spaced])


def nhs_number(rng: random.Random) -> str:
    """Ten digits: 11 less the weighted sum's remainder by 11."""

    def make() -> str:
        nine = draw(rng, 9)
        check = 11 - weigh(nine, range(10, 1, -1)) % 11
        return "" if check == 10 else nine + str(check % 11)

    value = until(make)
    return rng.choice([value, f"{value[:3]} {value[3:6]} {value[6:]}"])


def insurance_number(rng: random.Random) -> str:
    """Two letters, six digits, a letter: nothing to check."""
    two = rng.choice(["AB", "CE", "HJ", "JK", "LM", "PR", "SX", "TW", "YZ"])
    return f"{two} {draw(rng, 2)} {draw(rng, 2)} {draw(rng, 2)} {rng.choice('ABCD')}"


ODD_DIGITS = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21)
ODD_LETTERS = (*ODD_DIGITS, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23)
ODD = dict(zip(DIGITS + UPPER, ODD_DIGITS + ODD_LETTERS, strict=True))
"""What characters at odd places count for in a codice fiscale; at even places digits and letters count as they are."""


def id_it(rng: random.Random) -> str:
    """Letters of the names, birthday with its month as a letter, a place, and the letter at the remainder by 26."""
    born = draw_birthday(rng)
    value = (
        f"{draw(rng, 6, 'BCDFGLMNPRSTVZ')}{born:%y}{'ABCDEHLMPRST'[born.month - 1]}{born.day + rng.choice([0, 40]):02}"
        f"{rng.choice('ABCDEFGHL')}{rng.randint(1, 999):03}"
    )
    even = [int(char) if char.isdigit() else ord(char) - ord("A") for char in value[1::2]]
    return value + UPPER[(sum(ODD[char] for char in value[::2]) + sum(even)) % 26]


def id_nl(rng: random.Random) -> str:
    """Nine digits, of which the last counts -1: their sum is a multiple of 11."""

    def make() -> str:
        eight = rng.choice("123") + draw(rng, 7)
        check = weigh(eight, range(9, 1, -1)) % 11
        return "" if check == 10 else eight + str(check)

    return until(make)


def id_pl(rng: random.Random) -> str:
    """Birthday (20 is added to months from 2000 on), number, and what is missing to a multiple of ten."""
    born = draw_birthday(rng)
    ten = f"{born:%y}{born.month + (20 if born.year >= 2000 else 0):02}{born:%d}{draw(rng, 4)}"
    return ten + str(-weigh(ten, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3)) % 10)


def id_pt(rng: random.Random) -> str:
    """Eight digits and 11 less the remainder by 11; 0 for 10 and 11."""
    eight = rng.choice("125") + draw(rng, 7)
    check = 11 - weigh(eight, range(9, 1, -1)) % 11
    return eight + str(check if check < 10 else 0)


def id_se(rng: random.Random) -> str:
    """Birthday, number and Luhn's digit."""
    born = draw_birthday(rng)
    value = add_luhn_digit(f"{born:%y%m%d}{rng.randint(10, 999):03}")
    return f"{value[:6]}-{value[6:]}" if rng.random() < 0.5 else f"{born:%Y}{value[2:6]}-{value[6:]}"


def id_us(rng: random.Random) -> str:
    """Three, two and four digits: nothing to check."""
    return f"{rng.randint(100, 665)}-{rng.randint(10, 98):02}-{rng.randint(1000, 9998)}"


def ip(rng: random.Random) -> str:
    """An address of four numbers, or of eight groups."""
    if rng.random() < 0.7:
        return f"{rng.choice([10, 172, 192, 203, 85])}.{rng.randint(10, 254)}.{rng.randint(0, 254)}.{rng.randint(1, 254)}"
    return f"2001:db8:{draw(rng, 4, '123456789abcdef')}::{draw(rng, 4, '123456789abcdef')}"


def secret(rng: random.Random) -> str:
    """A key or token in the form of a service."""
    body = base64.urlsafe_b64encode(rng.randbytes(30)).decode().rstrip("=")
    return rng.choice(
        [
            "AKIA" + draw(rng, 16, UPPER + "234567"),
            "ghp_" + draw(rng, 36, ALNUM),
            "github_pat_" + draw(rng, 22, ALNUM) + "_" + draw(rng, 59, ALNUM),
            f"xoxb-{draw(rng, 12)}-{draw(rng, 12)}-{draw(rng, 24, ALNUM)}",
            "AIza" + draw(rng, 35, ALNUM + "_"),
            "sk_live_" + draw(rng, 24, ALNUM),
            "glpat-" + draw(rng, 20, ALNUM),
            "npm_" + draw(rng, 36, ALNUM),
            f"eyJhbGciOiJIUzI1NiJ9.eyJ{body}.{body[::-1]}",
            f"-----BEGIN PRIVATE KEY-----\n{body}\n{body}\n-----END PRIVATE KEY-----",
        ]
    )


def written_date(rng: random.Random, language: str) -> str:
    """A day as it is written in a language."""
    day = draw_birthday(rng)
    month = MONTHS[language].split()[day.month - 1]
    forms = {
        "en": [f"{day.day} {month} {day.year}", f"{month} {day.day}, {day.year}", f"{day:%d/%m/%Y}", f"{day:%Y-%m-%d}"],
        "de": [f"{day.day}. {month} {day.year}", f"{day:%d.%m.%Y}"],
        "fr": [f"{day.day} {month} {day.year}", f"{day:%d/%m/%Y}"],
        "es": [f"{day.day} de {month} de {day.year}", f"{day:%d/%m/%Y}"],
        "it": [f"{day.day} {month} {day.year}", f"{day:%d/%m/%Y}"],
    }
    return rng.choice(forms[language])


def isbn(rng: random.Random) -> str:
    """A book's number."""
    twelve = f"978{draw(rng, 9)}"
    check = -weigh(twelve, (1, 3) * 6) % 10
    value = twelve + str(check)
    return rng.choice([value, f"{value[:3]}-{value[3]}-{value[4:8]}-{value[8:12]}-{value[12]}"])
