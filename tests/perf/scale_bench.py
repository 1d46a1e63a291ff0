"""Memory and time of commands that process a whole fleet, by the number of its clusters.

The fleet is that of `capwright init`, with one production cluster again and again under other names and networks.
"""

import shutil
import subprocess

COMMANDS = (["render"], ["render", "--check"], ["lint"], ["diff"], ["plan"])
EXAMPLE = "prod-a"
NETWORK = "10.7.0.0/24"
MOST_MEGABYTES = 200
MOST_GROWTH = 1.2  # of the time for a cluster, in a fleet ten times as large
MOST_CLUSTERS = 60_000_000 // 256  # different networks of 256 addresses


def network(number):
    """A /24 outside of the example's own 10.7.0.0/24, in no order that matters."""
    return f"{11 + number // 65536}.{number // 256 % 256}.{number % 256}.0/24"


class ScaleBench:
    """Part of a Bench: it measures with its scratch folder and its rows."""

    def __init__(self, bench, clusters):
        self.bench, self.clusters = bench, min(clusters, MOST_CLUSTERS)

    def measure(self):
        few = self.measure_fleet(self.clusters // 10)
        many = self.measure_fleet(self.clusters)
        for name, cost in many.items():
            self.bench.row(f"{name}, {self.clusters:,} clusters: peak memory", f"<= {MOST_MEGABYTES} MB",
                           f"{cost.peak:.0f} MB", cost.peak <= MOST_MEGABYTES)
            growth = cost.cpu / few[name].cpu / 10
            self.bench.row("the same: CPU for a cluster, against a tenth of the fleet", f"<= {MOST_GROWTH} x",
                           f"{cost.cpu / self.clusters * 1e3:.2f} ms: {growth:.2f} x", growth <= MOST_GROWTH)

    def measure_fleet(self, clusters):
        folder = self.bench.scratch / "scale"
        subprocess.run([self.bench.capwright, "init", folder], check=True, capture_output=True)
        example = (folder / "values" / f"{EXAMPLE}.yaml").read_text(encoding="utf-8")
        for number in range(clusters):
            text = example.replace(EXAMPLE, f"c{number}").replace(NETWORK, network(number))
            (folder / "values" / f"c{number}.yaml").write_text(text, encoding="utf-8")
        costs = {}
        for command in COMMANDS:
            name = " ".join(command)
            costs[name] = self.bench.run([self.bench.capwright, *command, "-q", "--config", folder / "capwright.yaml"])
        shutil.rmtree(folder)
        return costs
