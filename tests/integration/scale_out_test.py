#!/usr/bin/env python3
"""The examples of docs/scale-out.md work: with the real Ninja and make, with links as in Bazel's sandbox, and in parts.

    CAPWRIGHT=build/dev/capwright scale_out_test.py

Exit code 77 means that a program is missing.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
CAPWRIGHT = pathlib.Path(os.environ["CAPWRIGHT"]).resolve()
PAGE = (ROOT / "docs" / "scale-out.md").read_text()
ENV = {name: value for name, value in os.environ.items() if name not in ("CI", "NINJA_STATUS", "MAKEFLAGS")} | {
    "PATH": f"{CAPWRIGHT.parent}{os.pathsep}{os.environ['PATH']}"}
TICK = 0.05  # seconds; the times of files are as coarse as the kernel's clock
CLUSTERS = ("edge-1", "prod-a", "satellite-workload-1")

failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)
        print(f"FAIL {what}")


def sh(folder, line, **variables):
    done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", line], cwd=folder, env=ENV | variables,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def example(name):
    """The block of the page whose first line, or the line after `#!`, is `# NAME`; a comma and a remark may follow."""
    return re.search(rf"^```\w+\n((?:#!\S+\n)?# {re.escape(name)}(?:,[^\n]*)?\n.*?)^```", PAGE, re.M | re.S).group(1)


def fleet(scratch, name):
    shutil.copytree(ROOT / "docs" / "tutorial" / "fleet", scratch / name)
    return scratch / name


def empty_folder(scratch, name):
    (scratch / name).mkdir()
    return scratch / name


def replace(path, old, new):
    text = path.read_text()
    if old not in text:
        sys.exit(f"{path} has no {old}")
    path.write_text(text.replace(old, new))


def check_actions(folder, tool, count_actions):
    """`count_actions`: runs the tool, and returns the names of the clusters that it rendered."""
    expect(count_actions() == set(CLUSTERS), f"{tool}: the first run renders all")
    expect(count_actions() == set(), f"{tool}: no change is no action")
    replace(folder / "values" / "edge-1.yaml", "worker_count: 2", "worker_count: 3")
    expect(count_actions() == {"edge-1"}, f"{tool}: one changed value is one action")
    expect("replicas: 3" in (folder / "clusters/edge-1/cluster.yaml").read_text(), f"{tool}: the value is rendered")
    replace(folder / "layers" / "fleet.yaml", "platform-vault", "other-vault")
    expect(count_actions() == set(CLUSTERS), f"{tool}: a layer of all clusters")
    replace(folder / "layers" / "portal.yaml", "10.6.0.199", "10.6.0.198")
    expect(count_actions() == {"satellite-workload-1"}, f"{tool}: a layer of one cluster")
    (folder / "layers" / "unused.yaml").write_text("a: 1\n")
    expect(count_actions() == set(), f"{tool}: a file that no cluster reads")
    sh(folder, "capwright eject capo -q")
    expect(count_actions() == set(CLUSTERS), f"{tool}: a template set of the repository appears")
    (folder / "templates" / "capo" / "extra.yaml.j2").write_text("# another template\n")
    expect(count_actions() == set(CLUSTERS), f"{tool}: a template is added")
    expect(count_actions() == set(), f"{tool}: nothing is left to do")


def check_ninja(scratch):
    folder = fleet(scratch, "ninja")
    code, output = sh(folder, example("build.sh"))
    expect(code == 0, f"build.ninja is made: {output}")

    def actions():
        ended, text = sh(folder, "ninja -v")
        time.sleep(TICK)
        expect(ended == 0, f"ninja: {text}")
        return {name for name in CLUSTERS if f"capwright render -q {name} " in text}

    check_actions(folder, "ninja", actions)


def check_make(scratch):
    folder = fleet(scratch, "make")
    (folder / "Makefile").write_text(example("Makefile"))

    def actions():
        ended, text = sh(folder, "make")
        time.sleep(TICK)
        expect(ended == 0, f"make: {text}")
        return {name for name in CLUSTERS if f"capwright render -q {name}" in text}

    check_actions(folder, "make", actions)


def check_bazel(scratch):
    """Bazel's sandbox has the declared inputs only, as links; bazel_test.py runs a real one."""
    source = fleet(scratch, "bazel")
    sh(source, "capwright render -q")
    code, text = sh(source, "capwright deps prod-a -f bazel")
    expect(code == 0, f"the filegroup: {text}")
    sandbox = scratch / "sandbox"

    def glob(patterns, allow_empty):
        found = set()
        for pattern in patterns:
            found |= {str(path.relative_to(source)) for path in source.glob(pattern.replace("/**", "/**/*")) if path.is_file()}
        return sorted(found)

    def filegroup(name, srcs):
        expect(name == "prod-a", "the filegroup has the cluster's name")
        for path in srcs:
            (sandbox / path).parent.mkdir(parents=True, exist_ok=True)
            (sandbox / path).symlink_to(source / path)

    exec(text, {"glob": glob, "filegroup": filegroup})
    (sandbox / "tools").mkdir()
    (sandbox / "tools" / "capwright").symlink_to(CAPWRIGHT)
    (sandbox / "check.sh").write_text(example("check.sh"))
    (sandbox / "check.sh").chmod(0o755)
    code, text = sh(sandbox, "./check.sh prod-a", TEST_TMPDIR=str(empty_folder(scratch, "first")))
    expect(code == 0, f"the check passes with the declared inputs: {text}")
    replace(source / "values" / "prod-a.yaml", "m1.2xlarge", "m1.4xlarge")
    code, text = sh(sandbox, "./check.sh prod-a", TEST_TMPDIR=str(empty_folder(scratch, "second")))
    expect(code == 1, f"the check fails for a stale tree: {text}")


def check_parts(scratch):
    """The parts of a fleet are disjoint and complete, by the environment of an indexed Job."""
    folder = fleet(scratch, "parts")
    command = re.search(r'"(capwright render --check --shard .*?)"\]', PAGE).group(1).replace("--check", "--list")
    seen = []
    for index in range(3):
        code, text = sh(folder, command, JOB_COMPLETION_INDEX=str(index))
        expect(code == 0, f"part {index}: {text}")
        seen += sorted({line.split("/")[1] for line in text.splitlines() if line.startswith("clusters/")})
    expect(sorted(seen) == sorted(CLUSTERS), f"each cluster is in one part: {seen}")


def check_lint_parts(scratch):
    """The workflow's jobs, with an error between two clusters: only the last job reports it."""
    folder = fleet(scratch, "lint-parts")
    (folder / "resources").mkdir()
    twice = "apiVersion: v1\nkind: Namespace\nmetadata: {name: shared}\n"
    (folder / "resources" / "shared.yaml").write_text(twice)
    for name in ("edge-1", "prod-a"):
        with (folder / "values" / f"{name}.yaml").open("a") as values:
            values.write("resources: [resources/shared.yaml]\n")
    workflow = re.search(r"^```yaml\n(jobs:\n  lint:\n.*?)^```", PAGE, re.M | re.S).group(1)
    part, compare = re.findall(r"run: (capwright lint .*)", workflow)
    count = len(re.search(r"part: \[(.*)\]", workflow).group(1).split(","))
    for number in range(1, count + 1):
        code, text = sh(folder, part.replace("${{ matrix.part }}", str(number)) + " --select CAP211")
        expect(code == 0, f"part {number} of lint: {text}")
    code, text = sh(folder, compare + " --select CAP211")
    expect(code == 1 and "CAP211" in text, f"the comparison finds the object of both clusters: {text}")


def main():
    missing = [program for program in ("ninja", "make") if not shutil.which(program)]
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        if "ninja" not in missing:
            check_ninja(scratch)
        if "make" not in missing:
            check_make(scratch)
        check_bazel(scratch)
        check_parts(scratch)
        check_lint_parts(scratch)
    for program in missing:
        print(f"{program} is not installed: its example wasn't run")
    sys.exit(1 if failures else 77 if missing else 0)


if __name__ == "__main__":
    main()
