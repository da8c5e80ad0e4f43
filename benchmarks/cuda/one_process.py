"""One of several processes that share a device: `python -m benchmarks.cuda.one_process DEVICE TEXTS EMBEDDED FILE`."""

import sys
from pathlib import Path

from benchmarks.cuda.processes import embed_alone

if __name__ == "__main__":
    embed_alone(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]))
