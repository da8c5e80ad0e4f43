"""Values of columns that are lists: as lists of texts, or as one text with semicolons, which a field of a CSV has."""


def split_list(value: object) -> list[str]:
    """Return the texts of a list, each once, in their order, without blanks around them.

    >>> split_list("finance; board;finance"), split_list(["a;b"])
    (['finance', 'board'], ['a;b'])

    Raises:
        ValueError: it is no list, or has nothing, or holds what is no text or blank.
    """
    parts = value.split(";") if isinstance(value, str) else value
    if not isinstance(parts, list) or not parts or not all(isinstance(part, str) and part.strip() for part in parts):
        raise ValueError(value)
    return list(dict.fromkeys(part.strip() for part in parts))
