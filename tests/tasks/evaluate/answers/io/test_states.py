import numpy as np

from tasks.evaluate.answers.io.states import encode_tokens
from tasks.evaluate.answers.matching import bertscore

LONG = "heron " * 600


def test_states_are_those_of_tokens_without_special_ones() -> None:
    found = encode_tokens(["The heron stands.", "", LONG, "The heron stands."])
    assert {text: len(states) for text, states in found.items()} == {"The heron stands.": 4, "": 0, LONG: 510}


def test_the_states_of_a_text_do_not_depend_on_others() -> None:
    alone, among = encode_tokens(["The heron stands."]), encode_tokens(["Otters float in kelp, far out.", "The heron stands."])
    np.testing.assert_allclose(alone["The heron stands."], among["The heron stands."], atol=1e-5)


def test_what_means_the_same_is_more_alike_than_what_does_not() -> None:
    wanted, alike, other = "in shallow water", "in the shallows of the river", "nineteen percent of revenue"
    states = encode_tokens([wanted, alike, other])
    assert bertscore(states[alike], states[wanted]).f1 > bertscore(states[other], states[wanted]).f1 + 0.3
