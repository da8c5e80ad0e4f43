"""Lance and LanceDB load without what is not used, and what is left out is there once something asks for it."""

import json
import subprocess
import sys

SCRIPT = """
import json, os, sys
from tasks.store.loading import import_lance, import_lancedb
import_lance(), import_lancedb()
assert int(os.environ["LANCE_CPU_THREADS"]) == len(os.sched_getaffinity(0))
left_out = [name not in sys.modules for name in ("pandas", "lance_namespace_urllib3_client.api")]
import pyarrow as pa
import lance_namespace_urllib3_client as client
frame = pa.table({"a": [1, 2]}).to_pandas()
again = pa.Table.from_pandas(frame)["a"].to_pylist()
print(json.dumps([left_out, client.BranchApi.__name__, client.__version__ != "", list(frame["a"]), again]))
"""


def test_what_is_left_out_is_loaded_when_it_is_used() -> None:
    ran = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)

    assert json.loads(ran.stdout) == [[True, True], "BranchApi", True, [1, 2], [1, 2]]


def test_openvino_loads_without_what_reports_to_its_maker() -> None:
    script = (
        "import sys\nfrom tasks.store.loading import import_openvino\nassert import_openvino().Core\n"
        "print([name for name in sys.modules if 'telemetry' in name or name.startswith('openvino.tools')])"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert ran.stdout.strip() == "[]"
