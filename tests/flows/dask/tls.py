"""The example of encryption in docs/scale.md, carried out as it is written there."""

import re
import subprocess
from pathlib import Path

GUIDE = Path(__file__).parents[3] / "docs/scale.md"


def make_certificates(folder: Path) -> Path:
    """Run the example in an empty folder; return the file of Dask's settings that it writes."""
    [script] = re.findall(r"```bash\n(# certificates.*?)```", GUIDE.read_text(), re.DOTALL)
    subprocess.run(["bash", "-euc", script], cwd=folder, check=True, capture_output=True)
    return folder / "dask.yaml"
