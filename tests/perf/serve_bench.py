#!/usr/bin/env python3
"""Load on `capwright serve`, with `wrk`: prints a Markdown table.

    serve_bench.py CAPWRIGHT [--seconds N]
    serve_bench.py CAPWRIGHT --soak MINUTES [--rate N]    memory under a steady load of mixed requests

`bench.py` prints the first table, too. The server and `wrk` share the machine. The clusters are that of the tutorial's portal
and, if `../shared/bench` is beside the repository, the first of its fleet. CPU per request is the server's own time, so
another load on the machine changes it less than the other figures. With --soak, memory is sampled every 30 seconds.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BENCH = ROOT.parent / "shared" / "bench"
sys.path.insert(0, str(ROOT / "tests" / "serve"))

from served import FLEET, serving  # noqa: E402

SCRIPT = """wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Authorization"] = "Bearer all-all"
wrk.body = [==[%s]==]
%s
"""


def memory_of(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) / 1024


def cpu_of(pid):
    """Seconds of the process in user and system mode."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Load:
    def __init__(self, server, folder, values, seconds):
        self.server, self.folder, self.values, self.seconds = server, folder, values, seconds

    def run(self, name, path, connections, pause=0):
        """A row; `pause` is the time between the requests of a connection in milliseconds."""
        pid = self.server.process.pid
        script = self.folder / "load.lua"
        script.write_text(SCRIPT % (json.dumps(self.values), f"function delay() return {pause} end" if pause else ""))
        cpu, before = cpu_of(pid), memory_of(pid)
        done = subprocess.run(["wrk", "-t1", f"-c{connections}", f"-d{self.seconds}s", "--latency", "-s", script,
                               f"http://127.0.0.1:{self.server.port}{path}"], capture_output=True, text=True, check=True)
        if "Non-2xx" in done.stdout or "Socket errors" in done.stdout:
            sys.exit(done.stdout)
        count = int(re.search(r"(\d+) requests in", done.stdout).group(1))
        rate = float(re.search(r"Requests/sec:\s+([\d.]+)", done.stdout).group(1))
        percentiles = dict(re.findall(r"(50|99)%\s+(\S+)", done.stdout))
        cost = (cpu_of(pid) - cpu) / count * 1e3
        print(f"| {name} | {rate:,.0f} | {percentiles['50']} | {percentiles['99']} | {cost:.2f} ms "
              f"| {before:.0f} → {memory_of(pid):.0f} MiB |", flush=True)
        return rate


CONFIGURATION = """values: [values]
template: {dir: jinja, main: cluster.j2, schema: schema.json, jinja: {trim_blocks: true, lstrip_blocks: true, keep_trailing_newline: true}}
"""


def copy_bench(folder):
    """A repository with the templates of the benchmark; returns the values of its one cluster."""
    shutil.copytree(BENCH / "jinja", folder / "jinja")
    shutil.copy(BENCH / "schema.json", folder)
    (folder / "capwright.yaml").write_text(CONFIGURATION)
    subprocess.run([sys.executable, BENCH / "gen.py", "1", folder / "values"], check=True, stdout=subprocess.DEVNULL)
    done = subprocess.run([os.environ["CAPWRIGHT"], "values", "c00000", "-f", "json", "--no-origin"], cwd=folder, capture_output=True,
                          text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def measure(load, template, name, tasks):
    path = f"/api/v1/cluster-templates/{template}"
    rate = load.run(f"`render` of {name}, 8 connections", f"{path}/render", 8)
    connections = 16
    load.run("`render`, half of that rate", f"{path}/render", connections, round(connections / rate * 2e3))
    for task in tasks:
        load.run(f"`{task}`, 8 connections", f"{path}/{task}", 8)


# Of 200 requests, 194 render clusters of a thousand names, four validate, one plans, and one has an error in its values.
SOAK = """local names, number = 1000, 0
local head = {["Content-Type"] = "application/json", ["Authorization"] = "Bearer all-all"}
local values = [==[%s]==]
function request()
  number = number + 1
  local at, action, body = number %% 200, "render", values:gsub("edge%%-9", "edge-" .. number %% names)
  if at == 7 then action = "plan" elseif at %% 50 == 3 then action = "validate" end
  if at == 11 then body = body:gsub('"worker_count": 3', '"worker_count": "three"') end
  return wrk.format("POST", "/api/v1/cluster-templates/capo/" .. action, head, body)
end
function delay() return %d end
"""
SAMPLE_SECONDS = 30
SOAK_CONNECTIONS = 64  # many, so that slow answers lower the rate little


def responses(server):
    """{(route, status): responses since the start}"""
    text = server.request("GET", "/metrics", caller=None).body.decode()
    found = re.findall(r"^capwright_http_requests_total\{(.*)\} (\d+)$", text, re.M)
    return {tuple(re.findall(r'(?:route|status)="([^"]*)"', labels)): int(count) for labels, count in found}


def soak(capwright, minutes, rate):
    os.environ["CAPWRIGHT"] = capwright
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "fleet"
        values = copy_fleet(folder)
        with serving(folder, "--folder", "values/portal") as server:
            pid = server.process.pid
            script = pathlib.Path(scratch) / "soak.lua"
            script.write_text(SOAK % (json.dumps(values), round(SOAK_CONNECTIONS / rate * 1e3)))
            begin, cpu = time.time(), cpu_of(pid)
            wrk = subprocess.Popen(["wrk", "-t1", f"-c{SOAK_CONNECTIONS}", f"-d{minutes}m", "--latency", "-s", script,
                                    f"http://127.0.0.1:{server.port}/"], stdout=subprocess.PIPE, text=True)
            print("| minute | memory | load average |\n|---|---|---|", flush=True)
            samples = []
            while wrk.poll() is None:
                samples.append(((time.time() - begin) / 60, memory_of(pid)))
                print(f"| {samples[-1][0]:.1f} | {samples[-1][1]:.1f} MiB | {os.getloadavg()[0]:.1f} |", flush=True)
                try:
                    wrk.wait(SAMPLE_SECONDS)
                except subprocess.TimeoutExpired:
                    continue
            print(f"\n{wrk.stdout.read()}\nCPU of the server: {cpu_of(pid) - cpu:.0f} s")
            for key, count in sorted(responses(server).items()):
                print(f"{' '.join(key)}: {count:,}")
            print_growth(samples)


def print_growth(samples):
    """The change of memory between the second and the last quarter of the time."""
    quarter = max(1, len(samples) // 4)
    middle, last = (sum(memory for _, memory in part) / len(part) for part in (samples[quarter:2 * quarter], samples[-quarter:]))
    print(f"memory: {samples[0][1]:.1f} MiB at the start, most {max(memory for _, memory in samples):.1f} MiB; mean of the second quarter "
          f"{middle:.1f} MiB, of the last {last:.1f} MiB")


def copy_fleet(folder):
    """The fleet of the tutorial; returns the values of a new cluster of its portal."""
    shutil.copytree(FLEET, folder)
    file = next((folder / "values" / "portal").glob("*.json"))
    return json.loads(file.read_text()) | {"cluster_name": "edge-9"}


def print_table(capwright, seconds):
    os.environ["CAPWRIGHT"] = capwright
    print("| request | per second | median | p99 | CPU of the server per request | memory |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "fleet"
        values = copy_fleet(folder)
        with serving(folder, "--folder", "values/portal") as server:
            load = Load(server, pathlib.Path(scratch), values, seconds)
            measure(load, "capo", "the tutorial's cluster", ("validate", "plan"))
    if not BENCH.is_dir():
        return
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "fleet"
        folder.mkdir()
        values = copy_bench(folder) | {"cluster_name": "c00001"}
        with serving(folder) as server:
            measure(Load(server, pathlib.Path(scratch), values, seconds), "own", "a bench cluster", ())


def missing():
    """Why there can't be a load, or None."""
    return None if shutil.which("wrk") else "`wrk` isn't installed (apt-get install wrk)"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("capwright", type=os.path.abspath)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--soak", type=int, metavar="MINUTES")
    parser.add_argument("--rate", type=int, default=300, metavar="N", help="requests per second of the soak")
    arguments = parser.parse_args()
    if missing():
        sys.exit(missing())
    if arguments.soak:
        return soak(arguments.capwright, arguments.soak, arguments.rate)
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}\n")
    return print_table(arguments.capwright, arguments.seconds)


if __name__ == "__main__":
    main()
