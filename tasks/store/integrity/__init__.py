"""Whether a corpus is whole: digests of its files, written with each generation, and what is compared with them."""
