"""What a page costs, as `make bench NAME=scale ARGS=costs` measured it: what plans of machines are computed from."""

from typing import NamedTuple


class Figures(NamedTuple):
    """What was measured on one machine with the documents of one source, or assumed.

    Per core and second; bytes are per page; prices are of a core and a GPU for an hour, and of a GB kept for a month, in dollars.
    """

    pages_a_core: float
    chunks_a_core: float
    chunks_a_gpu: float
    chunks_a_page: float
    source_bytes: float
    staging_bytes: float
    table_bytes: float
    index_bytes: float
    core_hour: float = 0.045
    gpu_hour: float = 0.60
    gb_month: float = 0.023


FIGURES = Figures(
    pages_a_core=5.6,
    chunks_a_core=166,
    chunks_a_gpu=3000,
    chunks_a_page=7.16,
    source_bytes=56_556,
    staging_bytes=64_537,
    table_bytes=26_174,
    index_bytes=1_243,
)
"""99 pages of many kinds and 6 reports, 404 pages in all, on two shared cores of an AMD EPYC; the GPU is an estimate."""
