import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.parse.scans.legible import better_text, garbled_share, is_bad, is_doubtful
from tests.tasks.drawn import LETTER, shifted

GOOD = {
    "German": "Die Mühle verwandelt Ordner voller Dokumente in einen durchsuchbaren Bestand. Jede Nacht liest sie, was neu ist.",
    "Finnish": "Mylly muuttaa kansioiden asiakirjat haettavaksi kokoelmaksi. Joka yö se lukee sen mikä on muuttunut eikä muuta.",
    "Polish": "Młyn zamienia foldery dokumentów w przeszukiwalny zbiór. Każdej nocy czyta to, co się zmieniło, i nic więcej.",
    "Turkish": "Değirmen klasörlerdeki belgeleri. Her gece yalnızca değişeni okur ve saklar.",
    "Vietnamese": "Cối xay biến các thư mục tài liệu thành một kho dữ liệu có thể tìm kiếm được. Mỗi đêm nó chỉ đọc cái mới.",
    "Russian": "Мельница превращает папки с документами в собрание, по которому можно искать. Каждую ночь она читает новое.",
    "Chinese": "磨坊把装满文件的文件夹变成可以搜索的资料库。每天夜里它只读取发生变化的内容,其余一概不读。",
    "Arabic": "تحول الطاحونة مجلدات الوثائق إلى مجموعة يمكن البحث فيها وتقرأ كل ليلة ما تغير فقط",
    "Chinese and names": "Apache API 说明书 • Bloom 对 Apache 模块开发的说明 • Kevin 的模块开发教程 • " * 2,
    "formulas": "∑ᵢ xᵢ² ≤ ∫₀¹ f(t) dt, ∀ε > 0 ∃δ: |x + y| < δ ⇒ ‖Ax + Ay‖ ≤ ε·‖A‖, λ ∈ ℝⁿ",
    "figures": "12.5 1,204 98 % 2021 2022 2023 0.001 77 31 4.75 " * 20,
}


@pytest.mark.parametrize("language", GOOD)
def test_text_of_any_script_is_in_no_doubt(language: str) -> None:
    assert not is_bad(GOOD[language] * 3)


@pytest.mark.parametrize("step", [1, 3, 7, 11, 20])
def test_letters_put_in_place_of_others_are_doubted(step: int) -> None:
    moved = LETTER
    for _ in range(step):
        moved = "".join(chr((ord(c) - 96) % 26 + 97) if "a" <= c <= "z" else c for c in moved.lower())
    assert is_doubtful(moved)


def test_another_script_read_as_latin_letters_is_doubted() -> None:
    assert is_doubtful((GOOD["Russian"] * 3).encode("cp1251").decode("latin-1"))


def test_a_font_without_encoding_is_garbled() -> None:
    assert garbled_share("\ufffd\ue000\x01 ") == 1
    assert garbled_share("plain text") == 0
    assert garbled_share(" ") == 0


@given(st.text())
def test_garbled_is_a_share(text: str) -> None:
    assert 0 <= garbled_share(text) <= 1


def test_a_good_layer_is_taken_unless_ocr_adds_to_it() -> None:
    assert better_text(LETTER, "", 0) == "layer"
    assert better_text(LETTER, "more", 4) == "scan"
    assert better_text("", "", 0) == "none"


def test_a_bad_layer_is_taken_if_ocr_reads_the_same_or_much_less() -> None:
    codes = shifted(LETTER)
    assert better_text(codes, codes, 100) == "layer"
    assert better_text(codes, LETTER, 150) == "scan"
    assert better_text(codes, "xy", 1.5) == "doubtful layer"
    assert better_text("\ufffd" * 40, "", 0) == "none"
