"""How the judge of rows is made: tables whose cells are known, typeset in many looks, show where rows begin; see `card.md`."""
