"""Running programs side by side and comparing what they cost."""

import os
import pathlib
import statistics
import subprocess
from dataclasses import dataclass

HERE = pathlib.Path(__file__).resolve().parent


@dataclass
class Cost:
    """CPU and wall seconds, and the most memory in MB."""

    user: float
    system: float
    wall: float
    peak: float

    @property
    def cpu(self):
        return self.user + self.system


class Launcher:
    """Starts programs by way of launch.cc, which it compiles into `folder`."""

    def __init__(self, folder):
        self.program = folder / "launch"
        subprocess.run(["g++", "-O2", "-std=c++17", HERE / "launch.cc", "-o", self.program], check=True)

    def run(self, command, **environment):
        """The Cost of one run; ends the measurement unless the program succeeds."""
        process = subprocess.run([self.program, *map(str, command)], capture_output=True, text=True,
                                 env=os.environ | environment)
        if process.returncode != 0:
            raise SystemExit(f"{process.stderr}{os.path.basename(str(command[0]))} failed "
                             f"with exit code {process.returncode}")
        return Cost(*map(float, process.stdout.split()))


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
