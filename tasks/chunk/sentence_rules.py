"""Sentence rules: where sentences end in languages other than English, by their punctuation and their abbreviations."""

import re
from collections.abc import Iterator
from functools import cache

from tasks.language.function_words import FUNCTION_WORDS

CLOSING = "\"'”’»«›“)\\]」』】》）"
OPENING = "\"'“„«‹‚‘(\\[¿¡「『【《—–\\-"

WIDE, WIDE_CLOSING = "。！？．｡", "」』】》）”’\"')"
"""Ends of sentences in Chinese and Japanese, where no blank follows."""

_SIGNS = ".!?…؟۔।॥։።።။៕"
_END = re.compile(rf"(?:(?<![{_SIGNS}])[{_SIGNS}]+[{CLOSING}]*(?:\s+|\Z)|[{WIDE}]+[{WIDE_CLOSING}]*\s*)")
"""A run of signs is looked at once, from its first on: a line of dots is long."""
_FRENCH_END = re.compile(rf"(?:(?<![.!?…])[.!?…]+[{CLOSING}]*(?:\s*»)?(?:\s+|\Z))")
"""A blank stands before the closing quotes of French."""
_GREEK_END = re.compile(rf"(?:(?<![.!?…;\u037e])[.!?…;\u037e]+[{CLOSING}]*(?:\s+|\Z))")
"""A semicolon is the question mark of Greek."""
_ENDS = {"el": _GREEK_END, "fr": _FRENCH_END}
_GOES_ON = re.compile(rf"[{OPENING}\s]*([^\W\d_])")
_LAST_TOKEN = re.compile(r"[^\s(\[{«„“\"'‚‘]+\Z")
_INITIALS = re.compile(r"(?:[^\W\d_]\.?-?)*[^\W\d_]\Z")
_ORDINAL = re.compile(r"\d{1,2}\Z|[IVX]{1,5}\Z")

ORDINALS = frozenset("cs da de et fi hr hu lv no pl sk sl sr tr".split())
"""Languages that write a full stop after ordinal numbers, so also after the day of a date."""

OWN_ABBREVIATIONS = {
    "ca": "art cap dr dra etc fig ex núm pàg p.ex sr sra vol",
    "cs": "apod atd atp čl doc dr např obr odst popř prof resp str tab tj tzn tzv viz vč zvl č s r ing mgr",
    "da": "bl.a ca dvs ekskl evt f.eks fig hhv hr inkl jf kap mfl mht mv nr osv pga pkt s tlf",
    "de": "abb abs abschn abt allg anm art aufl bd bsp bspw bzgl bzw ca d.h dgl dipl dr ebd einschl engl entspr erg etc "
    "evtl exkl f ff fig fr ggf ggü hrsg i.a i.d.r inkl insb insbes jh jr kap lt max mind min mio mrd mwst nr o.ä o.g ok "
    "pp prof rd s s.o s.u sog st std str svw tab tel u.a u.ä u.u usf usw v.a vgl vol vs z.b z.t z.zt zzgl zz",
    "es": "art cap dr dra ed ee.uu ej etc fig núm p.ej pág págs prof sr sra sres srta ud uds vol vs",
    "fi": "ed em esim fil huom jne ko ks mm ml mrd ms n ns nro ns nyk os puh s tms toim ts tv v vrt vt yht",
    "fr": "art av boul bd cf chap dr ed éd env etc ex fig hab ill m mm mme mlle mgr no n° nb p pp par p.ex pl prof réf "
    "resp s st ste suiv sv tél trad vol vs",
    "hr": "br čl dr fig god itd mr npr odn sl sv str tab tj tzv ul",
    "hu": "ábra ált bek dr fej ill kb kft köv l ld max mell min nr old pl pont prof stb sz szerk tel ti tk ún uo ua vö zrt",
    "it": "art arch avv cap cfr dott dott.ssa ecc ed es fig geom ing n nr num p pag pagg p.es prof prof.ssa rag seg segg "
    "sig sig.ra sigg tab tel v vol voll",
    "nl": "afb art bijv bv bvb ca d.w.z dhr dr drs e.a e.d enz evt excl fig hfst incl ing ir jl max mevr mr nl nr o.a p "
    "par pag prof resp st tab tel t.o.v vgl vnl vol z.g zgn",
    "no": "ang bl.a ca dvs ev f.eks fig hhv ibid inkl jf kap kl mfl mht mv nr osv pga pkt s st tlf",
    "pl": "ang art cd cyt dr fig godz im in inż jw lic m.in mgr min mjr np nr ok p pkt pl pn por pow prof przyp r red "
    "rozdz rys s sp św tab tel tj tzn tzw ul ust w wg zob",
    "pt": "art cap dr dra ed etc ex fig núm p p.ex pág págs prof profa sr sra srta tab tel vol",
    "ro": "alin art cap cf dl dna dr ed etc ex fig nr op p pag pp prof str tab tel vol",
    "ru": "абз акад англ в вв вкл г гг гл гор д др доп долл ед им илл исп кв кг кол коп кн корп куб лат млн млрд мин напр "
    "нач обл ок п пер пл пп пос пр прим просп проф р разд ред рис руб с см соотв соч сокр ср ст стр т тт табл тел тж тыс "
    "ул упр франц ч чел экз",
    "sk": "apod atď čl doc dr napr obr ods prof resp str tab tzn tzv ul č s",
    "sl": "dr fig itd ipd npr oz pr prof sl str št tab tj t.i ul",
    "sr": "бр гл др итд нпр одн проф св сл стр таб тзв тј ул",
    "sv": "bl.a ca dvs d.v.s el enl etc ev exkl fig f.d f.n fr.o.m ggr inkl jfr kap kl m.a.o m.fl m.m mfl mm nr obs osv "
    "o.s.v p.g.a resp s sid st s.k t.ex t.o.m tab tel tr",
    "tr": "alm bkz böl çev doç dr ing mad no nr ör örn prof s sn st şek tab tel vb vd yy yrd",
    "uk": "акад гл грн див др ім кв млн млрд напр обл п пл пор проф р рис розд с св ст стор табл тел тис тов т ул ч",
    "bg": "акад бр вж вкл г гл гр д др ед и.т.н изд ил им кв лв мин млн млрд напр обл проф р рис с св сл ср ст стр т табл "
    "тел ул ч чл",
}
"""Abbreviations after whose full stop a sentence goes on, beside those of pysbd."""

_MAY_END = frozenset("etc usw usf osv enz ecc itd atd atď stb др пр etc.".split())
"""Abbreviations that also stand at the end of a sentence."""
_PYSBD = ("da", "fr", "it", "nl", "pl", "ru", "sk", "es", "bg", "ar", "de")


def find_sentence_ends_by_rules(text: str, start: int, end: int, language: str) -> Iterator[int]:
    """Yield where sentences end in `text[start:end]`, one paragraph, white space after them included; the last is `end`.

    >>> text = "Der 3. Mai, z. B. in Köln. Es regnet."
    >>> [text[:at] for at in find_sentence_ends_by_rules(text, 0, len(text), "de")][0]
    'Der 3. Mai, z. B. in Köln. '
    """
    for match in _ENDS.get(language, _END).finditer(text, start, end):
        if match.end() < end and _is_sentence_end(text, start, match, language):
            yield match.end()
    yield end


def _is_sentence_end(text: str, start: int, match: re.Match[str], language: str) -> bool:
    if match.group()[0] in WIDE:
        return True
    following = _GOES_ON.match(text, match.end())
    if following and following.group(1).islower():
        return False
    if not match.group().startswith(".") or match.group().startswith(".."):
        return True
    token = _LAST_TOKEN.search(text, max(start, match.start() - 24), match.start())
    return token is None or not _is_abbreviation(token.group(), language)


def _is_abbreviation(token: str, language: str) -> bool:
    """Return whether the full stop after `token` belongs to it: an abbreviation, an initial, or an ordinal number."""
    bare = token.lower()
    if bare in _MAY_END:
        return False
    if language in ORDINALS and _ORDINAL.match(token):
        return True
    return (_INITIALS.match(token) is not None and (len(token) == 1 or "." in token)) or bare in list_abbreviations(language)


@cache
def list_abbreviations(language: str) -> frozenset[str]:
    """Return the abbreviations of a language, in lower case, without their last full stop."""
    from pysbd.languages import LANGUAGE_CODES

    listed = LANGUAGE_CODES[language].Abbreviation.ABBREVIATIONS if language in _PYSBD else ()
    own = OWN_ABBREVIATIONS.get(language, "").split()
    return frozenset(word.lower() for word in (*listed, *own)) - FUNCTION_WORDS.get(language, frozenset()) - _MAY_END
