"""Metrics of a corpus in the text format of Prometheus, version 0.0.4."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple


class Sample(NamedTuple):
    """One value of a gauge; `labels` beside the corpus."""

    name: str
    help: str
    value: float
    labels: Mapping[str, str] = {}


def format_samples(samples: Iterable[Sample], corpus: str) -> str:
    r"""Return samples as text, those of a name together, each with the label `corpus`.

    >>> samples = [Sample("chunks", "rows of chunks", 7), Sample("bytes", "size", 5, {"part": "tables"})]
    >>> print(format_samples(samples, 'my "corpus"'))
    # HELP pagemill_chunks rows of chunks
    # TYPE pagemill_chunks gauge
    pagemill_chunks{corpus="my \"corpus\""} 7
    # HELP pagemill_bytes size
    # TYPE pagemill_bytes gauge
    pagemill_bytes{corpus="my \"corpus\"",part="tables"} 5
    """
    lines: dict[str, list[str]] = {}
    for sample in samples:
        name = f"pagemill_{sample.name}"
        head = [f"# HELP {name} {sample.help}", f"# TYPE {name} gauge"]
        labels = ",".join(f'{key}="{_escape(value)}"' for key, value in {"corpus": corpus, **sample.labels}.items())
        lines.setdefault(name, head).append(f"{name}{{{labels}}} {sample.value:.15g}")
    return "\n".join(line for group in lines.values() for line in group)


def _escape(value: str) -> str:
    return value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
