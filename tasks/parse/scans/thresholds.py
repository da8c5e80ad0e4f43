"""Thresholds that several rules of scans share. A number that only one of them needs stands in its module."""

INK = 0.4
"""Darkness, from paper (0) to ink (1), from which a pixel is of a letter. Halved or doubled, it changes all of 18 scans."""
SURE = 0.75
"""Mean confidence of Tesseract, in [0, 1], from which a page, a block or a cell is read right. Upside down, or in another script,
letters are read with 0.1 to 0.6. Halved, it changes 14 of 18 scans."""
SCAN_SHARE = 0.5
"""Pictures that cover at least this share of a page are its scan."""
