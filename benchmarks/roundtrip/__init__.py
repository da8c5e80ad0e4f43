"""Documents whose source knows the truth, typeset into PDF in many ways and parsed back."""
