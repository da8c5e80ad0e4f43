import pytest
from lxml import etree

from tasks.parse.office.omml import equation_text

M = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'

SUM = '<m:naryPr><m:chr m:val="∑"/></m:naryPr>'


def r(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


EQUATIONS = {
    f"<m:rad><m:deg/><m:e>{r('x+1')}</m:e></m:rad>": "√(x+1)",
    f"<m:rad><m:deg>{r('3')}</m:deg><m:e>{r('x')}</m:e></m:rad>": "3√x",
    f"<m:nary>{SUM}<m:sub>{r('i=1')}</m:sub><m:sup>{r('n')}</m:sup><m:e>{r('i')}</m:e></m:nary>": "∑_(i=1)^n i",
    f'<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr><m:e>{r("a")}</m:e><m:e>{r("b")}</m:e></m:d>': "[a|b]",
    f"<m:d><m:e>{r('a')}</m:e></m:d>": "(a)",
    f"<m:m><m:mr><m:e>{r('a')}</m:e><m:e>{r('b')}</m:e></m:mr><m:mr><m:e>{r('c')}</m:e></m:mr></m:m>": "[a, b; c]",
    f"<m:func><m:fName>{r('sin')}</m:fName><m:e>{r('x')}</m:e></m:func>": "sin x",
    f"<m:acc><m:e>{r('x')}</m:e></m:acc>": "hat(x)",
    f"<m:sSubSup><m:e>{r('x')}</m:e><m:sub>{r('i')}</m:sub><m:sup>{r('2')}</m:sup></m:sSubSup>": "x_i^2",
    f"<m:unknown>{r('x')}</m:unknown>": "x",
}


@pytest.mark.parametrize("inner", EQUATIONS)
def test_an_equation_reads_as_people_type_it(inner: str) -> None:
    assert equation_text(etree.fromstring(f"<m:oMath {M}>{inner}</m:oMath>")) == EQUATIONS[inner]
