"""Running programs side by side and comparing what they cost."""

import os
import statistics
import subprocess
import time
from dataclasses import dataclass


@dataclass
class Cost:
    """CPU and wall seconds, and the most memory (MB). Memory is never below that of the measuring process."""

    user: float
    system: float
    wall: float
    peak: float

    @property
    def cpu(self):
        return self.user + self.system


def run(command, **options):
    """One run of a program that must succeed; its output is dropped."""
    start = time.perf_counter()
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL, **options)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{os.path.basename(str(command[0]))} failed with exit code {process.returncode}")
    return Cost(usage.ru_utime, usage.ru_stime, wall, usage.ru_maxrss / 1024)


def median(costs):
    """The median of each measure, taken by itself; of memory the maximum."""
    return Cost(*(statistics.median(getattr(cost, name) for cost in costs) for name in ("user", "system", "wall")),
                max(cost.peak for cost in costs))


def interleaved(rounds, programs):
    """Runs each of `programs` (name -> function that gives a Cost) once a round; name -> median Cost."""
    costs = {name: [] for name in programs}
    for _ in range(rounds):
        for name, program in programs.items():
            costs[name].append(program())
    return {name: median(of_one) for name, of_one in costs.items()}
