"""Options of personal data: which kinds are looked for, and what is done about what is found."""

import re
from collections.abc import Iterable
from typing import Literal, Self

from pydantic import Field, JsonValue, model_validator

from schemas.options.frozen import Options

Action = Literal["off", "report", "redact", "reject"]

KINDS = {
    "email": "e-mail addresses",
    "phone": "telephone numbers, with their country's code or beside a word such as Tel.",
    "iban": "IBANs, by their check digits",
    "card": "numbers of credit cards, by Luhn's check digit",
    "id_be": "Belgium: rijksregisternummer, numéro national",
    "id_br": "Brazil: CPF",
    "id_de": "Germany: Steuer-ID, beside its name",
    "id_es": "Spain: DNI and NIE",
    "id_fi": "Finland: henkilötunnus",
    "id_fr": "France: numéro de sécurité sociale (NIR)",
    "id_gb": "Great Britain: NHS number beside its name, by its check digit; National Insurance number, which has none",
    "id_it": "Italy: codice fiscale",
    "id_nl": "Netherlands: burgerservicenummer, beside its name",
    "id_pl": "Poland: PESEL",
    "id_pt": "Portugal: NIF, beside its name",
    "id_se": "Sweden: personnummer",
    "id_us": "United States: Social Security number, which has no check digit",
    "ip": "IP addresses, without version numbers",
    "secret": "keys, tokens and passwords of well-known services, private keys, logins in addresses",
    "birth_date": "dates beside a word for birth in English, French, German, Italian or Spanish",
    "name": "names of people, by the recogniser that pii.names names",
}
"""The kinds of personal data that Pagemill knows itself, and what each is."""

OWN_KIND = re.compile(r"[a-z][a-z0-9_]{0,31}")


class PiiOptions(Options):
    """What is done about personal data in documents, before any of it is written to the corpus."""

    action: Action = Field(
        "off",
        description="off: nothing is looked for; report: what is found is listed, never its value; redact: it is replaced in "
        "all that the corpus keeps; reject: a document that has some is rejected",
    )
    kinds: dict[str, Action] = Field(default_factory=dict, description="another action for some kinds, by name")
    patterns: dict[str, str] = Field(
        default_factory=dict, description="kinds of your own: a name and a regular expression for each"
    )
    names: str = Field("", description="what finds names of people: an entry point of the group pagemill.names; blank: nothing")

    @model_validator(mode="after")
    def _kinds_are_known(self) -> Self:
        import regex  # where nobody looks for personal data, nobody pays for it

        for name, pattern in self.patterns.items():
            if name in KINDS or not OWN_KIND.fullmatch(name):
                raise ValueError(
                    f"patterns.{name} is the name of Pagemill's own kind, or not of small letters, digits and _: rename it"
                )
            try:
                compiled = regex.compile(pattern)
            except regex.error as error:
                raise ValueError(f"patterns.{name} is not a regular expression: {error}") from error
            if compiled.fullmatch(""):
                raise ValueError(f"patterns.{name} matches where there is nothing: let it ask for a character at least")
        if unknown := sorted({*self.kinds} - {*KINDS, *self.patterns}):
            raise ValueError(f"kinds.{unknown[0]} is no kind; there are {', '.join([*KINDS, *self.patterns])}")
        if not self.names and self.kinds.get("name", "off") != "off":
            raise ValueError("kinds.name needs what finds names: set names to an entry point of the group pagemill.names")
        return self

    @property
    def actions(self) -> dict[str, Action]:
        """What is done about each kind that is looked for."""
        looked_for: Iterable[str] = [*(kind for kind in KINDS if kind != "name" or self.names), *self.patterns]
        chosen = {kind: self.kinds.get(kind, self.action) for kind in looked_for}
        return {kind: action for kind, action in chosen.items() if action != "off"}

    @property
    def replaces(self) -> bool:
        """Whether there is something that the corpus must not keep."""
        return not {"redact", "reject"}.isdisjoint(self.actions.values())

    def facts(self) -> dict[str, JsonValue]:
        """Return what changes results, as JSON values; nothing if nothing is looked for."""
        return super().facts() if self.actions else {}
