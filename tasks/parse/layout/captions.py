"""Captions: the labels that they begin with."""

import re

LABEL = re.compile(
    r"^(?:(?:table|tab\.|figure|fig\.|exhibit|chart|box|listing|tabelle|abbildung|abb\.|tableau|tabla|tabela|tabella|figura|figur"
    r"|tabel|таблица|табл\.|рисунок|рис\.)\s*[A-Z]{0,2}[\dIVX]*[.:\d]|(?:[表図图圖]|표|그림)\s*\d)",
    re.IGNORECASE,
)
"""The label of a caption, in the languages of most documents."""
