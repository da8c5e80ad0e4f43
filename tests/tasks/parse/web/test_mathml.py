import pytest

from tasks.parse.web.document import parse_html
from tests.tasks.parse.web.test_document import kinds

TEX = '<script type="math/tex">E=mc^2</script>'
FORMULAS = {
    TEX: "E=mc^2",
    "<script type='math/tex; mode=display'>a < b \\& c</script>": "a < b \\& c",
    "<script id=m1 type=math/tex>x_1</script>": "x_1",
    '<script type="math/tex">% <![CDATA[\na<b\n%]]></script>': "a<b",
    '<script type="math/asciimath">sum x</script>': "sum x",
    '<script type="math/mml"><math><mi>x</mi><mo>=</mo><mn>1</mn></math></script>': "x=1",
    f'<span class="MathJax_Preview">E=mc2</span>{TEX}': "E=mc^2",
    f'<span class="MathJax_Preview"></span> <span class="MathJax" id="f"><nobr>Emc2</nobr></span>{TEX}': "E=mc^2",
    f'<div class="MathJax_SVG_Display"><span class="MathJax_SVG">Emc2</span></div>{TEX}': "E=mc^2",
    '<math><mfrac linethickness="0"><mi>n</mi><mi>k</mi></mfrac></math>': "n; k",
    '<math><mo>(</mo><mfrac linethickness="0.0pt"><mi>n</mi><mi>k</mi></mfrac><mo>)</mo></math>': "(n; k)",
    '<math><mfrac linethickness="1pt"><mi>n</mi><mi>k</mi></mfrac></math>': "n/k",
    "<math><mi>f</mi><mfenced><mi>x</mi><mi>y</mi></mfenced></math>": "f(x,y)",
    '<math><mfenced open="[" close=")" separators=";"><mn>1</mn><mn>2</mn></mfenced></math>': "[1;2)",
    '<math><mfenced open="{" close="" separators=", ;"><mn>1</mn><mn>2</mn><mn>3</mn><mn>4</mn></mfenced></math>': "{1,2;3;4",
    '<math><mfenced separators=""><mn>1</mn><mi>n</mi></mfenced></math>': "(1n)",
}


@pytest.mark.parametrize(("source", "text"), FORMULAS.items())
def test_a_formula_is_read_once_and_as_its_author_wrote_it(source: str, text: str) -> None:
    assert kinds(source) == [("equation", text)]


def test_formulas_stand_in_their_sentences_and_other_scripts_are_none() -> None:
    assert kinds(f"<p>So {TEX} holds.<script>var x</script></p>") == [("paragraph", "So E=mc^2 holds.")]
    assert kinds(f"<p>So <b>it</b> {TEX}</p>") == [("paragraph", "So it E=mc^2")], "only what MathJax draws is left out"


SET = "{\\displaystyle a^{2}}"
PICTURED = '<span style="display: none"><math alttext="%s"><mi>a</mi></math></span><img alt="%s" src="m.svg"%s>'


@pytest.mark.parametrize("hidden", ["", " aria-hidden=true"])
def test_a_formula_that_a_picture_shows_is_read_once(hidden: str) -> None:
    found = parse_html(f"<p>So {PICTURED % (SET, SET, hidden)} holds.</p>".encode(), False).blocks
    assert [block.text for block in found if block.kind == "paragraph"] == ["So a^{2} holds."]
