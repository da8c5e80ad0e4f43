"""How the bundled figure model is made: its figures are drawn, it is trained, measured and written. Not part of the wheel."""
