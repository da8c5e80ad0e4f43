"""How the judges of parsing are made: labelled lines and pairs of lines of documents whose truth is known, and boosted trees."""
