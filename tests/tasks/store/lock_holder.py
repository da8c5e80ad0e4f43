"""A process that takes the lock given as its argument, says so on its standard output, and holds it until its input ends."""

import subprocess
import sys

from schemas.corpus import place_of
from tasks.store.locks import hold_lock

if __name__ == "__main__":
    with hold_lock(place_of(sys.argv[1]), 0, "refresh"):
        child = subprocess.Popen(["sleep", "1000"], close_fds=False)
        sys.stdout.write(f"{child.pid}\n")
        sys.stdout.flush()
        sys.stdin.read()
    sys.stdout.write("released\n")
