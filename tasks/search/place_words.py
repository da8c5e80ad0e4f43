"""Place words: what pages, tables, figures and sections are called, in the languages of documents.

Each is the beginning of a word, in lower case; an ending of some letters is a case or a plural. Words of three letters or fewer
are abbreviations, and have none; those of one letter have a dot.
"""

from collections.abc import Mapping

PAGE = (
    "page pp pg pgs p s seite página pág pàgina pàgines pagina pagine pag bladzijde blz strana straně strany strán "
    "stránk stranic stran str side sidan sidor lehekülg lehekülje lk sivu oldal halaman hlm hal puslap psl lappus "
    "lpp stron sayfa trang страниц стр \u0441 сторінк стор σελίδα σελ صفحة الصفحة صفحه עמוד पृष्ठ หน้า"
).split()
TABLE = (
    "table tab tabelle tableau tabla taula tabella tabela tabele tabeli tabel tabulka tabulk tabuľka tabula tablo "
    "táblázat taulukko tabell lentel bảng quadro таблиц табл πίνακα جدول الجدول טבלה तालिका ตาราง"
).split()
FIGURE = (
    "figure fig abbildung abb bild figur figura obrázek obrázk obrázok obr rysunek rysunk rys ábra kuva kuvio şekil "
    "gambar attēl joonis slika slik paveiksl pav hình diagram chart рисунок рисунк рис фигура слика σχήμα εικόνα "
    "شكل الشكل איור आकृति รูป"
).split()
SECTION = (
    "section sect sec chapter chap appendix annex item note article clause part exhibit schedule paragraph "
    "abschnitt kapitel kap anhang artikel teil chapitre annexe partie sección capítulo apartado anexo artículo "
    "parte secció capítol sezione capitolo allegato articolo seção secção artigo hoofdstuk paragraaf sectie bijlage "
    "avsnitt bilaga afsnit bilag kapittel luku osa liite oddíl kapitol část příloha rozdział sekcj załącznik "
    "poglavlje odjeljak fejezet szakasz függelék bölüm secțiune capitolul peatükk nodaļa skyrius bab bagian chương "
    "mục раздел глав пункт приложени часть розділ додаток ενότητα κεφάλαιο παράρτημα القسم الفصل قسم فصل סעיף פרק "
    "अध्याय अनुभाग บท"
).split()
BEFORE: Mapping[str, tuple[str, ...]] = {
    "page": tuple(PAGE),
    "table": tuple(TABLE),
    "figure": tuple(FIGURE),
    "section": tuple(SECTION),
}
"""Words that a number follows: Table 3, Seite 12."""

AFTER: Mapping[str, tuple[str, ...]] = {
    "page": ("oldal", "sayfa", "lappus", "lpp", "puslap", "psl"),
    "table": ("táblázat", "tabula", "lentel", "tablo"),
    "figure": ("ábra", "attēl", "paveiksl", "pav", "şekil"),
    "section": ("fejezet", "szakasz", "nodaļa", "skyri", "bölüm"),
}
"""Words that follow a number: 3. táblázat."""

UNSPACED_BEFORE: Mapping[str, str] = {
    "page": "页|頁|ページ",
    "table": "表格|表|표",
    "figure": "图|圖|図|그림",
    "section": "附录|附錄|付録|부록",
}
UNSPACED_AFTER: Mapping[str, str] = {
    "page": "页|頁|ページ|페이지|쪽|面",
    "table": "表",
    "figure": "图|圖|図",
    "section": "章|节|節|部分|条|條|款|장|절|조",
}
"""The same where no blanks part words."""
