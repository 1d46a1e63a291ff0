"""What a stream of 1 GiB takes: small objects, each judged by itself, as `capwright lint` does beyond its input limit."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "limits"))

from streams import POOL, pools  # noqa: E402 (found by the line above)

GIB = 1 << 30
MOST_MEGABYTES = 100


class StreamBench:
    """Part of a Bench: it measures with its scratch folder and its rows."""

    def __init__(self, bench):
        self.bench = bench

    def measure(self):
        stream = self.bench.scratch / "stream.yaml"
        with open(stream, "w", encoding="ascii") as file:
            documents, _ = pools(GIB, file.write)
        cost = self.bench.run([self.bench.capwright, "lint", stream, "--isolated", "--exit-zero", "-q", "--statistics"])
        stream.unlink()
        self.bench.row(f"lint of a stream of 1 GiB, {documents:,} objects of {len(POOL)} bytes: peak memory",
                       f"≤ {MOST_MEGABYTES} MB", f"{cost.peak:.0f} MB", cost.peak <= MOST_MEGABYTES)
        self.bench.row("the same: speed", "", f"{GIB / cost.cpu / 1e6:.0f} MB/s", None)
