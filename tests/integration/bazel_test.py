#!/usr/bin/env python3
"""The example of docs/scale-out.md works with a real Bazel: the first run builds all clusters, later ones only what changed.

    CAPWRIGHT=build/dev/capwright bazel_test.py

`apt-get install bazel-bootstrap` installs a Bazel that needs no network. Exit code 77 means that Bazel isn't installed.
"""

import pathlib
import re
import shutil
import sys
import tempfile

import scale_out_test
from scale_out_test import CAPWRIGHT, CLUSTERS, example, expect, failures, fleet, replace, sh

# Bazel reads these repositories for its own tools, which the example doesn't use, and would download them.
STUBS = {
    "rules_cc/WORKSPACE": "",
    "rules_cc/cc/BUILD": "",
    "rules_cc/cc/defs.bzl": """
def _nothing(name, visibility = None, **_):
    native.filegroup(name = name, visibility = visibility)

cc_binary = _nothing
cc_library = _nothing
cc_test = _nothing
""",
    "remote_coverage_tools/WORKSPACE": "",
    "remote_coverage_tools/BUILD": """
[filegroup(name = name, visibility = ["//visibility:public"]) for name in ["coverage_report_generator", "lcov_merger"]]
""",
}


class Workspace:
    def __init__(self, scratch):
        self.folder = fleet(scratch, "fleet")
        self.start = f"bazel --output_user_root={scratch}/bazel"
        for name, text in STUBS.items():
            path = scratch / "stubs" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        stubs = " ".join(f"--override_repository={name}={scratch}/stubs/{name}" for name in ("rules_cc", "remote_coverage_tools"))
        self.options = f"--color=no --curses=no --noshow_progress --subcommands --nosandbox_debug --test_output=errors {stubs}"

    def prepare(self):
        """The files of the page, around the tutorial's fleet."""
        (self.folder / "WORKSPACE").touch()
        for name in ("clusters.bazel", "capwright.bzl", "check.sh"):
            (self.folder / name).write_text(example(name))
        (self.folder / "check.sh").chmod(0o755)
        (self.folder / "tools").mkdir()
        shutil.copy(CAPWRIGHT, self.folder / "tools" / "capwright")
        self.must("capwright render -q")
        self.must(re.search(r"^\(cat clusters\.bazel .*$", scale_out_test.PAGE, re.M).group(0))

    def must(self, line):
        code, text = sh(self.folder, line)
        if code != 0:
            sys.exit(f"{line}: exit code {code}\n{text}")
        return text

    def run(self, command, code=0):
        """The clusters for which Bazel ran an action of the example."""
        ended, text = sh(self.folder, f"{self.start} {command} {self.options} //...")
        expect(ended == code, f"{command} ends with {ended} instead of {code}: {text}")
        return {name for name in CLUSTERS if re.search(rf"\[action '(Capwright {name}_tree|Testing //:{name}_check)'", text)}

    def stop(self):
        sh(self.folder, f"{self.start} shutdown")


def check_trees(work):
    expect(work.run("build") == set(CLUSTERS), "the first build renders all")
    expect(work.run("build") == set(), "a run without changes has no actions")
    replace(work.folder / "values" / "edge-1.yaml", "worker_count: 2", "worker_count: 3")
    expect(work.run("build") == {"edge-1"}, "one changed value is one action")
    rendered = work.folder / "bazel-bin" / "edge-1_tree" / "clusters" / "edge-1"
    expect("replicas: 3" in (rendered / "cluster.yaml").read_text(), "the value is rendered")
    work.must("capwright render -q edge-1")
    same = sh(work.folder, f"diff -r {rendered} clusters/edge-1")
    expect(same == (0, ""), f"Bazel's tree is that of `capwright render`: {same[1]}")


def check_tests(work):
    expect(work.run("test") == set(CLUSTERS), "the first run tests all")
    expect(work.run("test") == set(), "a run without changes has no tests")
    replace(work.folder / "values" / "edge-1.yaml", "worker_count: 3", "worker_count: 4")
    expect(work.run("test", code=3) == {"edge-1"}, "one changed value is one test, which fails for a stale tree")
    work.must("capwright render -q edge-1")
    expect(work.run("test") == {"edge-1"}, "the rendered tree is one test, which passes")
    (work.folder / "layers" / "unused.yaml").write_text("a: 1\n")
    expect(work.run("test") == set(), "a file that no cluster reads")
    replace(work.folder / "layers" / "fleet.yaml", "platform-vault", "other-vault")
    work.must("capwright render -q")
    expect(work.run("test") == set(CLUSTERS), "a layer of all clusters")
    with (work.folder / "tools" / "capwright").open("ab") as program:
        program.write(b"\0")
    expect(work.run("test") == set(CLUSTERS), "another program tests all")


def main():
    if not shutil.which("bazel"):
        print("bazel is not installed: its example wasn't run")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as name:
        work = Workspace(pathlib.Path(name))
        try:
            work.prepare()
            check_trees(work)
            check_tests(work)
        finally:
            work.stop()
            sh(pathlib.Path(name), "chmod -R u+w .")  # Bazel's outputs are read-only
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
