"""Templates of clusterctl against its own answers: `envsubst_cases.jsonl` was recorded from the Go packages
sigs.k8s.io/cluster-api v1.14.2 and github.com/drone/envsubst/v2, and the upstream templates are in the shared suites.

Usage: envsubst_cases_test.py [FILE]     environment: CAPWRIGHT names the program, CAPWRIGHT_SHARED the suites
FILE has further cases of the same form, such as those of a fuzzer.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
CASES = HERE / "envsubst_cases.jsonl"
LISTS = HERE / "clusterctl_lists.json"  # digests of what `--list-variables` prints for the upstream templates
SHOWN_FAILURES = 10
PANIC = "slice bounds out of range"


def generate(template, *options):
    ran = subprocess.run([os.environ["CAPWRIGHT"], "clusterctl", "generate", "-", *options, "--isolated"],
                         input=template.encode(), capture_output=True, check=False)
    return ran.stdout.decode(errors="replace"), ran.stderr.decode(errors="replace"), ran.returncode


def settings(variables):
    return [word for name, value in variables.items() for word in ("--set", f"{name}={value}")]


def error_in(message):
    """What must be in capwright's message for an error of clusterctl."""
    if PANIC in message:
        return "ends before it starts"
    return message.split(". Please set")[0]


def check(case):
    """The differences of a case, as (what, expected, actual)."""
    expected, template = case["expect"], case["template"]
    faults = []
    output, errors, code = generate(template, *settings(case["variables"]))
    if "error" in expected:
        if code != 1 or error_in(expected["error"]) not in errors:
            faults.append(("error", expected["error"], errors or output))
    elif output != expected["output"]:
        faults.append(("output", expected["output"], output or errors))
    if "list" in expected:
        listed, errors, _ = generate(template, "c1", "-n", "default", "--list-variables")
        if listed != expected["list"]:
            faults.append(("list", expected["list"], listed or errors))
    return faults


def upstream_cases(path):
    for line in path.open(encoding="utf-8"):
        case = json.loads(line)
        names = case["required"] + case["optional"] + case["hidden"]
        for kind, chosen in (("all_set", names), ("defaults", case["required"])):
            yield {"id": f"{case['id']} {kind}", "template": case["template"],
                   "variables": {name: f"val-{name}" for name in chosen}, "expect": {"output": case["expect"][kind]}}


def upstream_lists(path, digests):
    """Checks the lists of variables; returns the templates whose list differs."""
    wrong = []
    for line in path.open(encoding="utf-8"):
        case = json.loads(line)
        listed, _, _ = generate(case["template"], "c1", "-n", "default", "--list-variables")
        if hashlib.sha256(listed.encode()).hexdigest()[:16] != digests[case["id"]]:
            wrong.append(case["id"])
    return wrong


def run(title, cases):
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(zip(cases, pool.map(check, cases)))
    failed = [(case, faults) for case, faults in results if faults]
    for case, faults in failed[:SHOWN_FAILURES]:
        print("---", case.get("id", json.dumps(case["template"], ensure_ascii=False)))
        for what, expected, actual in faults:
            print(f"{what}: want {expected[:300]!r}\n      got  {actual[:300]!r}")
    print(f"{title}: {len(cases) - len(failed)} of {len(cases)} equal")
    return not failed


def main():
    recorded = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else CASES
    passed = run("recorded cases", [json.loads(line) for line in recorded.open(encoding="utf-8")])
    shared = pathlib.Path(os.environ.get("CAPWRIGHT_SHARED", HERE.parents[2] / "shared"))
    upstream = shared / "cases" / "clusterctl" / "dev.jsonl"
    if upstream.exists() and recorded == CASES:
        passed = run("upstream templates", list(upstream_cases(upstream))) and passed
        digests = json.loads(LISTS.read_text(encoding="utf-8"))
        wrong = upstream_lists(upstream, digests)
        print(f"lists of variables: {len(digests) - len(wrong)} of {len(digests)} equal", *wrong)
        passed = passed and not wrong
    if not passed:
        sys.exit("clusterctl answers differently")


main()
