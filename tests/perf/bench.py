#!/usr/bin/env python3
"""Time and memory against the Python reference, a floor and other tools, as ratios of one run: prints Markdown.

    bench.py CAPWRIGHT [--clusters N] [--rounds N]
    bench.py CAPWRIGHT --scale 100000

Then the load of `wrk` on `capwright serve`, as serve_bench.py prints it.

Programs run interleaved on tmpfs and the medians are compared, so that another load on the machine hits all of them.
The fleet, its templates and the reference live in ../shared/bench, beside the repository.
"""

import argparse
import importlib.util
import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile

import serve_bench
from change_bench import ChangeBench
from hook_bench import HookBench
from lint_bench import LintBench
from measure import Launcher, interleaved
from scale_bench import ScaleBench
from stream_bench import StreamBench

ROOT = pathlib.Path(__file__).resolve().parents[2]
BENCH = ROOT.parent / "shared" / "bench"
FIRST = "c00000"
INDEX = ".capwright-index"
LOAD_SECONDS = 10  # of each request
PYTHON_PACKAGES = ("jinja2", "yaml", "jsonschema")
ENGINE_MILLISECONDS = 300

PYTHON_ENGINE = """
import sys, time, yaml, jinja2
folder, main, values, milliseconds = sys.argv[1:]
env = jinja2.Environment(loader=jinja2.FileSystemLoader(folder), undefined=jinja2.StrictUndefined,
                         trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True)
template, context = env.get_template(main), yaml.safe_load(open(values))
size, rounds, start = len(template.render(context)), 0, time.process_time()
while time.process_time() - start < int(milliseconds) / 1e3:
    template.render(context)
    rounds += 1
print(size, (time.process_time() - start) * 1e9 / (rounds * size))
"""


class Bench:
    def __init__(self, capwright, clusters, rounds, scratch):
        self.capwright, self.clusters, self.rounds, self.scratch = capwright, clusters, rounds, scratch
        self.values = scratch / "values"
        self.run = Launcher(scratch).run
        self.fresh_count = 0
        self.rows = []      # (what, target, measured, met or not)
        self.costs = {}     # name -> Cost
        self.notes = []
        missing = [name for name in PYTHON_PACKAGES if importlib.util.find_spec(name) is None]
        self.has_reference = not missing
        if missing:
            self.notes.append(f"No Python reference: {', '.join(missing)} can't be imported.")

    # The programs.

    def reference(self, values, out):
        return [sys.executable, BENCH / "render.py", values, out]

    def render(self, values, out, jobs):
        return [self.capwright, "render", "--quiet", "--isolated", "--template-dir", BENCH / "jinja",
                "--main", "cluster.j2", "--schema", BENCH / "schema.json",
                "--jinja", "trim_blocks,lstrip_blocks,keep_trailing_newline", "-j", jobs, "-o", out, *values]

    def fresh(self, command_for):
        """A run into a folder that isn't there yet; removing it is not measured."""
        self.fresh_count += 1
        out = self.scratch / f"out-{self.fresh_count}"
        cost = self.run(command_for(out))
        shutil.rmtree(out, ignore_errors=True)
        return cost

    # What is compared.

    def prepare(self):
        self.run([sys.executable, BENCH / "gen.py", self.clusters, self.values])
        self.files = sorted(self.values.iterdir())
        self.tree = self.scratch / "tree"
        self.run(self.render(self.files, self.tree, 2))
        if self.has_reference:
            expected = self.scratch / "expected"
            self.run(self.reference(self.values, expected))
            compare_trees(expected, self.tree)
            shutil.rmtree(expected)
        # The floor copies the files of one cluster; the index is ours alone.
        self.pattern = self.scratch / "pattern"
        shutil.copytree(self.tree / "clusters" / FIRST, self.pattern, ignore=shutil.ignore_patterns(INDEX))
        self.floor = self.scratch / "floor"
        self.run(["g++", "-O2", "-std=c++17", BENCH / "floor.cpp", "-o", self.floor])

    def measure_fleet(self):
        programs = {
            "floor": lambda: self.fresh(lambda out: [self.floor, self.pattern, self.values, out]),
            "capwright -j 1": lambda: self.fresh(lambda out: self.render(self.files, out, 1)),
            "capwright -j 2": lambda: self.fresh(lambda out: self.render(self.files, out, 2)),
            "capwright -j 2, nothing changed": lambda: self.run(self.render(self.files, self.tree, 2)),
        }
        if self.has_reference:
            programs["Python reference"] = lambda: self.fresh(lambda out: self.reference(self.values, out))
        before = stamps(self.tree)
        self.costs = interleaved(self.rounds, programs)
        ours, floor = self.costs["capwright -j 2"], self.costs["floor"]
        unchanged = self.costs["capwright -j 2, nothing changed"]
        fleet = f"{self.clusters:,} clusters, fresh"
        if self.has_reference:
            self.compare(f"{fleet}: user CPU", ours.user, self.costs["Python reference"].user, 1 / 8, "the reference's")
        self.compare(f"{fleet}: system CPU", ours.system, floor.system, 1.6, "the floor's")
        self.compare(f"{fleet}: wall, `-j 2`", ours.wall, floor.wall, 1.6, "the floor's")
        self.compare("nothing changed: CPU", unchanged.cpu, ours.cpu, 1 / 2, "a fresh run's")
        self.compare("nothing changed: wall", unchanged.wall, ours.wall, 1 / 2, "a fresh run's")
        self.row("nothing changed: files written", "0", str(changed(before, stamps(self.tree))),
                 stamps(self.tree) == before)
        self.row("peak memory", "<= 40 MB", f"{ours.peak:.1f} MB", ours.peak <= 40)

    def measure_one_cluster(self):
        one = self.values / f"{FIRST}.yaml"
        programs = {"capwright": lambda: self.fresh(lambda out: self.render([one], out, 1))}
        if self.has_reference:
            programs["Python reference"] = lambda: self.fresh(lambda out: self.reference(one, out))
        programs |= self.peers(one)
        costs = interleaved(self.rounds, programs)
        self.costs |= {f"one cluster: {name}": cost for name, cost in costs.items()}
        if self.has_reference:
            ours, reference = costs["capwright"], costs["Python reference"]
            self.compare("one cluster with process start: wall", ours.wall, reference.wall, 1 / 20, "the reference's")
            self.compare("one cluster with process start: CPU", ours.cpu, reference.cpu, 1 / 20, "the reference's")

    def peers(self, one):
        """Other tools that are installed, each rendering one cluster (helm, kustomize, clusterctl)."""
        overlays, configs = self.scratch / "overlays", self.scratch / "configs"
        environment = {"CLUSTERCTL_DISABLE_VERSIONCHECK": "true", "HOME": str(self.scratch)}
        commands = {
            "helm": ["template", FIRST, BENCH / "helm/chart", "-f", one],
            "kustomize": ["build", overlays / "overlays" / FIRST],
            "clusterctl": ["generate", "yaml", "--config", configs / f"{FIRST}.yaml",
                           "--from", BENCH / "clusterctl/template.yaml"],
        }
        found = {name: program(name) for name in commands}
        missing = [name for name, path in found.items() if path is None]
        if missing:
            self.notes.append(f"Not installed, hence not measured: {', '.join(missing)}.")
        usable = {name for name in found if found[name] and (self.has_reference or name == "helm")}
        if usable - {"helm"}:
            alone = self.scratch / "one"
            alone.mkdir()
            shutil.copy(one, alone)
            self.run([sys.executable, BENCH / "gen_overlays.py", alone, overlays, configs])
        return {name: lambda name=name: self.run([found[name], *commands[name]], **environment)
                for name in commands if name in usable}

    def measure_engine(self):
        arguments = [BENCH / "jinja", "cluster.j2", self.values / f"{FIRST}.yaml", ENGINE_MILLISECONDS]
        commands = {"capwright": [self.capwright.with_name("engine-bench"), *arguments]}
        if not commands["capwright"][0].exists():
            self.notes.append("engine-bench is not built: no figures of the engine alone.")
            return
        if self.has_reference:
            commands["Python"] = [sys.executable, "-c", PYTHON_ENGINE, *arguments]
        times = {name: [] for name in commands}
        for _ in range(self.rounds):
            for name, command in commands.items():
                printed = subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True)
                times[name].append(float(printed.stdout.split()[1]))
        ours = statistics.median(times["capwright"])
        if self.has_reference:
            reference = statistics.median(times["Python"])
            self.row("engine alone, a byte of output", "<= 1/8 of Jinja2's",
                     f"{ours:.2f} ns against {reference:.2f} ns: 1/{reference / ours:.1f}", ours <= reference / 8)
        else:
            self.row("engine alone, a byte of output", "-", f"{ours:.2f} ns", None)

    # The table.

    def compare(self, what, ours, other, most, whose):
        """`most`: the ratio that is wanted; None: it is only shown."""
        ratio = ours / other
        is_part = (most or ratio) < 1
        shown = f"{seconds(ours)} against {seconds(other)}: " + (f"1/{1 / ratio:.1f}" if is_part else f"{ratio:.2f} x")
        if most is None:
            return self.row(what, f"{whose}, no target", shown, None)
        target = f"<= 1/{1 / most:.0f} of {whose}" if is_part else f"<= {most} x {whose}"
        self.row(what, target, shown, ratio <= most)

    def row(self, what, target, measured, met):
        self.rows.append((what, target, measured, {True: "met", False: "**not met**", None: "-"}[met]))

    def print(self, load):
        print(f"{os.cpu_count()} processors ({processor()}), load average {load[0]:.1f} before and "
              f"{os.getloadavg()[0]:.1f} after; tmpfs; medians of {self.rounds} interleaved runs.\n")
        print_table(("what", "target", "measured", ""), self.rows)
        print()
        print_table(("program", "user s", "system s", "wall s", "peak MB"),
                    [(name, f"{cost.user:.3f}", f"{cost.system:.3f}", f"{cost.wall:.3f}", f"{cost.peak:.1f}")
                     for name, cost in self.costs.items()])
        for note in self.notes:
            print(f"\n{note}")


def seconds(value):
    return f"{value:.3f} s" if value >= 0.1 else f"{value * 1e3:.1f} ms"


def processor():
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.machine()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def program(name):
    folders = [os.environ.get("PATH", ""), os.environ.get("GOBIN", ""), str(pathlib.Path.home() / "go/bin")]
    return shutil.which(name, path=os.pathsep.join(filter(None, folders)))


def files_of(tree):
    return {path.relative_to(tree): path for path in tree.rglob("*") if path.is_file() and path.name != INDEX}


def compare_trees(expected, actual):
    """Ends the run unless the two hold the same files with the same bytes, the index aside."""
    want, have = files_of(expected), files_of(actual)
    if want.keys() != have.keys():
        raise SystemExit(f"the trees differ in their files: {sorted(want.keys() ^ have.keys())[:5]}")
    for name, path in want.items():
        if path.read_bytes() != have[name].read_bytes():
            raise SystemExit(f"{name} differs from the reference's")


def stamps(tree):
    return {path: (path.stat().st_mtime_ns, path.stat().st_ino) for path in tree.rglob("*")}


def changed(before, after):
    return sum(before.get(path) != after.get(path) for path in before.keys() | after.keys())


def print_table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(row) + " |")


def print_load(capwright):
    print("\nLoad on `capwright serve`\n")
    if serve_bench.missing():
        return print(f"Not measured: {serve_bench.missing()}.")
    return serve_bench.print_table(str(capwright.resolve()), LOAD_SECONDS)


def measure_commands(arguments):
    load = os.getloadavg()
    memory = pathlib.Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None, prefix="capwright-bench-") as scratch:
        bench = Bench(arguments.capwright.resolve(), arguments.clusters, arguments.rounds, pathlib.Path(scratch))
        if arguments.scale:
            ScaleBench(bench, arguments.scale).measure()
            return bench.print(load)
        bench.prepare()
        bench.measure_fleet()
        bench.measure_one_cluster()
        bench.measure_engine()
        LintBench(bench, BENCH.parent, program).measure()
        StreamBench(bench).measure()
        ChangeBench(bench, BENCH.parent).measure()
        HookBench(bench, BENCH.parent).measure()
        bench.print(load)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("capwright", type=pathlib.Path)
    parser.add_argument("--clusters", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--scale", type=int, metavar="N", help="measure only memory and time with N clusters")
    arguments = parser.parse_args()
    if arguments.scale or BENCH.is_dir():
        measure_commands(arguments)
    else:
        print("../shared/bench is not there: it holds the fleet, the reference and the floor that the figures of commands refer to.")
    if not arguments.scale:
        print_load(arguments.capwright)


if __name__ == "__main__":
    main()
