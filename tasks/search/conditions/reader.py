"""Read the tokens of one condition from left to right, as columns of a table and values that fit them."""

import re
from collections.abc import Mapping
from typing import NamedTuple

import pyarrow as pa

from schemas.errors import InputError
from tasks.search.conditions.values import Form, get_value_form, write_value_as_sql

TOKEN = re.compile(
    r"""\s*(?:(?P<text>'(?:[^']|'')*')|(?P<name>[^\W\d]\w*)|(?P<quoted>"[^"]+"|`[^`]+`)"""
    r"""|(?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<sign><=|>=|<>|!=|==|[=<>(),])|(?P<end>$)|(?P<other>.))""",
    re.DOTALL,
)
"""`other` is a character that no condition has, such as a quote that is not closed."""
PATTERNS, WILDCARDS = 10, 20
"""Most LIKE in a condition, and most _ in all of them: each LIKE is searched for in every text, at up to 2 s for a gigabyte."""
SHOWN_CHARS = 100
"""Most characters of a condition, and of what was found in it, in an error message."""

WAY = (
    "write comparisons such as year = 2023, author IN ('Ada', 'Bob'), path LIKE 'a/%', title IS NOT NULL, n_pages BETWEEN 2 AND 9"
    " or array_has(section, 'Results'), and join them with AND, OR, NOT and parentheses"
)
WORDS = ("and", "or", "not", "in", "is", "like", "ilike", "between", "null", "true", "false")
"""Names that are columns only in quotes."""
NULL = "NULL is compared with IS NULL or IS NOT NULL"
QUOTES = ("'", '"', "`")
ESCAPED = re.compile(r"\\(.?)", re.DOTALL)
"""A backslash in a pattern, and what it lets stand for itself."""


class Token(NamedTuple):
    """A part of a condition: the group of TOKEN that it matches, how it is written, and where it begins, from 0."""

    kind: str
    written: str
    at: int

    def is_any_of(self, *words: str) -> bool:
        """Return whether it is one of some words, in lower case, or signs."""
        return self.kind in ("name", "sign") and self.written.lower() in words


def split_tokens(text: str) -> list[Token]:
    """Return the tokens of a condition; the last one is its end.

    >>> [token.written for token in split_tokens("path <> 'o''clock'")]
    ['path', '<>', "'o''clock'", '']
    """
    found, at = list[Token](), 0
    while not found or found[-1].kind != "end":
        match = TOKEN.match(text, at)
        if match is None or match.lastgroup is None:
            raise AssertionError("TOKEN matches at every place")
        found.append(Token(match.lastgroup, match[match.lastgroup], match.start(match.lastgroup)))
        at = match.end()
    return found


class Column(NamedTuple):
    """A column of the table, and what its values are."""

    name: str
    type: pa.DataType
    form: Form

    @property
    def sql(self) -> str:
        """The column as SQL has it."""
        return f"`{self.name}`"

    @property
    def item(self) -> "Column":
        """What the lists of a column of lists hold, as a column."""
        held = self.type.value_type
        return self._replace(type=held, form=get_value_form(held) or self.form)


class Reader:
    """The tokens that are not read yet."""

    def __init__(self, where: str, columns: Mapping[str, pa.DataType], offered: str) -> None:
        """`columns` are types by names; `offered` says in an error which there are."""
        self._where, self._columns, self._offered = where, columns, offered
        self._folded = {name.lower(): name for name in columns}
        self._tokens = split_tokens(where)[::-1]
        self._n_patterns = self._n_wildcards = 0
        self.used = set[str]()

    @property
    def next(self) -> Token:
        """The next token; the end is never taken."""
        return self._tokens[-1]

    def is_before(self, *words: str) -> bool:
        """Return whether the token behind the next is one of some words or signs."""
        return len(self._tokens) > 1 and self._tokens[-2].is_any_of(*words)

    def take(self, *words: str) -> Token | None:
        """Take the next token if it is one of some words or signs."""
        return self._tokens.pop() if self.next.is_any_of(*words) else None

    def expect(self, word: str) -> None:
        """Take a word or sign that must come next.

        Raises:
            InputError: it does not.
        """
        if not self.take(word):
            raise self.make_error(f"{word.upper()} must stand here: {WAY}")

    def column(self) -> Column:
        """Take a column.

        Raises:
            InputError: the next token is none.
        """
        token = self.next
        if token.kind not in ("name", "quoted") or token.is_any_of(*WORDS):
            raise self.make_error(NULL if token.is_any_of("null") else WAY)
        if token.kind == "name" and self.is_before("("):
            raise self.make_error(f"there are no functions but array_has: {WAY}")
        written = token.written.strip('`"')
        name = written if written in self._columns else self._folded.get(written.lower(), written)
        if name not in self._columns:
            raise self.make_error(f"no such column: {self._offered}")
        form = get_value_form(self._columns[name])
        if form is None:
            raise self.make_error(f"{name} has no values that can be compared: {self._offered}")
        self._tokens.pop()
        self.used.add(name)
        return Column(name, self._columns[name], form)

    @property
    def is_day(self) -> bool:
        """Whether the next two tokens write a date as SQL does: date '2024-05-31'."""
        return self.next.is_any_of("date") and self._tokens[-2].kind == "text"

    def take_value(self) -> Token | None:
        """Take the next token, or the next two, if they are a value."""
        if self.is_day:
            self._tokens.pop()
            return self._tokens.pop()._replace(kind="date")
        is_value = self.next.kind in ("text", "number") or self.next.is_any_of("true", "false")
        return self._tokens.pop() if is_value else None

    def value(self, column: Column) -> str:
        """Take a value that a column is compared with, as SQL.

        Raises:
            InputError: there is none, or it is not of the column's type.
        """
        value = self.take_value()
        if value is None:
            form = f"{column.name} is compared with {column.form.written}"
            raise self.make_error(NULL if self.next.is_any_of("null") else form)
        return self.write_value(value, column)

    def write_value(self, value: Token, column: Column) -> str:
        """Return a value that was taken, as SQL.

        Raises:
            InputError: it is not of the column's type.
        """
        found = write_value_as_sql(value.kind, value.written, column.type)
        if found is None:
            raise self.make_error(f"{column.name} is compared with {column.form.written}", value)
        return found

    def pattern(self, column: Column) -> str:
        """Read the pattern after LIKE; return it as SQL.

        Raises:
            InputError: it is not a pattern, or the condition has more patterns than are allowed.
        """
        token = self.next
        if column.form.family != "text" or token.kind != "text":
            raise self.make_error("LIKE compares a column of text with a pattern in single quotes, such as path LIKE 'a/%'")
        if not {*ESCAPED.findall(token.written[1:-1])} <= {"%", "_", "\\"}:
            raise self.make_error(r"in a pattern \ stands before %, _ or \ to mean just that character: write \\ for a backslash")
        self._n_patterns += 1
        self._n_wildcards += ESCAPED.sub("", token.written).count("_")
        if self._n_patterns > PATTERNS or self._n_wildcards > WILDCARDS:
            raise self.make_error(
                f"a condition has at most {PATTERNS} LIKE, and {WILDCARDS} _ in all of their patterns: use fewer"
            )
        return self.value(column)

    def make_error(self, remedy: str = WAY, at: Token | None = None) -> InputError:
        """Return the error that a token, by default the next, has no place there, and what to do."""
        token = at or self.next
        found = "where it ends" if token.kind == "end" else repr(token.written[:SHOWN_CHARS])
        return InputError(
            f"the condition {self._where[:SHOWN_CHARS]!r} does not fit at character {token.at + 1} ({found}): "
            f"{'close this quote' if token.kind == 'other' and token.written in QUOTES else remedy}"
        )
