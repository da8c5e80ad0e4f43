"""Korean: particles are written behind the noun that they belong to, without a blank."""

PARTICLES = (
    *("에서부터", "으로부터", "이라고", "이라는", "으로서", "으로써", "에게서", "한테서", "에서는", "에서도", "까지도", "부터는"),
    *("에서", "에게", "한테", "께서", "으로", "로서", "로써", "부터", "까지", "처럼", "보다", "마다", "조차", "밖에", "이나"),
    *("이라", "라고", "라는", "에는", "에도", "과의", "와의"),
    *"은는이가을를에의로와과도만",
)
"""The longest first; those of the Standard Korean Language Dictionary (entries marked 조사) that stand behind nouns most."""

LEAST_SYLLABLES = 2
"""Of a noun whose particle is taken off: many nouns of two syllables end in one that is a particle too."""

FIRST, LAST = "가", "힣"


def strip_particle(word: str) -> str:
    """Return a word without its particle; a word that is not Korean, or too short for one, as it is.

    >>> strip_particle("항구에서"), strip_particle("항구는"), strip_particle("나이"), strip_particle("mill")
    ('항구', '항구', '나이', 'mill')
    """
    if not FIRST <= word[-1:] <= LAST:
        return word
    particle = next((end for end in PARTICLES if word.endswith(end) and len(word) - len(end) >= LEAST_SYLLABLES), "")
    return word.removesuffix(particle)
