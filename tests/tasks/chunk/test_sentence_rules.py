import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.chunk.sentences import LONGEST_PIECE, find_sentence_spans
from tasks.language.function_words import FUNCTION_WORDS, LANGUAGE_OF_SCRIPT
from tests.tasks.language.samples import SAMPLES

LANGUAGES = sorted({*FUNCTION_WORDS, *LANGUAGE_OF_SCRIPT.values()})


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        ("de", ["Am 3. Mai kam Dr. Weber, z. B. mit ca. 40 Leuten.", "Es regnete (vgl. Abb. 2).", "Wer war das?", "Niemand."]),
        ("de", ["Er nahm Holz, Stein usw. mit.", "„Gut!“", "»So!«", "Sie ging 1911."]),
        ("fr", ["M. Dupont et Mme Roy sont venus le 1er mai, cf. p. 12.", "Pourquoi ?", "« Oui ! »", "Il pleut, etc."]),
        ("ru", ["В 1911 г. А. С. Иванов жил на ул. Ленина, д. 5, кв. 2.", "Это было давно.", "Правда ли это?", "Нет!"]),
        ("ru", ["Он взял муку, зерно и др.", "Потом ушёл."]),
        ("ar", ["كانت المطحنة على النهر.", "هل بناها أصحابها؟", "نعم."]),
        ("zh", ["磨坊在河边。", "谁建的？", "“是我！”", "我说。", "vim 是编辑器。"]),
        ("ja", ["水車は川にあります。", "「本当ですか？」", "initrd を使います。", "はい！"]),
        ("es", ["El Sr. Gómez llegó a las 3 p. m. del lunes.", "¿Quién lo vio?", "¡Nadie!"]),
        ("el", ["Ποιος το έχτισε;", "Κανείς."]),
        ("hi", ["यह चक्की नदी पर थी।", "इसे किसने बनाया?"]),
        ("pl", ["Przyszedł 3. maja, np. z prof. Nowakiem.", "Padało."]),
    ],
)
def test_sentences_end_where_readers_of_the_language_end_them(language: str, sentences: list[str]) -> None:
    text = ("" if language in ("zh", "ja") else " ").join(sentences)
    found = [text[start:end].strip() for start, end in find_sentence_spans(text, language=language)]
    assert found == sentences


@given(st.text(st.characters() | st.sampled_from(" .!?。؟\n"), max_size=300), st.sampled_from(LANGUAGES))
def test_sentences_cover_a_text_of_any_language_without_gap(text: str, language: str) -> None:
    spans = list(find_sentence_spans(text, language=language))
    assert "".join(text[start:end] for start, end in spans) == text


@pytest.mark.parametrize("language", SAMPLES)
def test_a_paragraph_without_end_is_cut(language: str) -> None:
    text = " ".join([SAMPLES[language].translate({ord(mark): None for mark in ".。"})] * 60)
    assert max(end - start for start, end in find_sentence_spans(text, language=language)) <= LONGEST_PIECE


def test_wrapped_lines_of_chinese_are_one_sentence() -> None:
    line = "磨坊在河边矗立了一百多年它的主人修建了新的"
    assert len(list(find_sentence_spans(f"{line}\n{line}。", language="zh"))) == 1


@pytest.mark.parametrize("language", ["de", "fr", "el"])
def test_a_line_of_dots_is_looked_at_once(language: str) -> None:
    dots, began = "." * 100_000, time.process_time()
    assert list(find_sentence_spans(f"Erstes {dots}x. Zweites.", language=language))[-1][0] == 100_010
    assert time.process_time() - began < 2
