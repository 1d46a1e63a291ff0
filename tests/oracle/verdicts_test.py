"""The labelled manifests: passes when the targets hold and every difference from the API server is listed with its reason.

Usage: verdicts_test.py [ID_PREFIX]     environment: CAPWRIGHT names the program, CAPWRIGHT_SHARED the cases
Exit code 77 and a reason if the cases are missing.
"""

import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
DIFFERENCES = HERE / "verdicts_differences.json"
SENT = ("id", "op", "content", "old", "webhooks", "crds")
# Of all cases of a set: the share of equal verdicts; of those that both reject, of equal paths.
TARGETS = {"fuzz-dev": {"verdict": 0.999, "path": 0.99}, "dev": {"verdict": 0.999, "path": 0.99}}
SHOWN_FAILURES = 20


def is_listed(case):
    """Whether each difference must be listed: if admission webhooks are involved, only the targets count."""
    return set(case.get("webhook") or []) <= {"none"}


def plain(path):
    """A path without its indexes, for the comparison."""
    return re.sub(r"\[\d+\]", "[]", (path or "").lstrip(".").replace('"', ""))


def ask(cases):
    """{id: answer} of all cases, from one run of the program."""
    requests = "".join(json.dumps({key: case[key] for key in SENT if key in case}) + "\n" for case in cases)
    run = subprocess.run([os.environ["CAPWRIGHT"] + "-dev", "verdicts"], input=requests, text=True, check=True,
                         encoding="utf-8", stdout=subprocess.PIPE)
    answers = (json.loads(line) for line in run.stdout.splitlines())
    return {answer["id"]: answer for answer in answers}


def judge(case, answer):
    """Whether verdict and path equal the server's; the path is None if there is none to compare."""
    wanted = case["verdict"]
    # Supporting more kinds than the server did is not a difference.
    same = answer["verdict"] == wanted or (wanted == "unknown-kind" and answer["verdict"] == "ok")
    if wanted != "reject" or not same:
        return same, None
    paths = {plain(error["path"]) for error in case["errors"] if error["stage"] == case["first_stage"] and error["path"]}
    return same, any(plain(error["path"]) in paths for error in answer["errors"]) if paths else None


def show(case, answer):
    print("---", case["id"], case["kinds"], case["mutation"], case["at"])
    print("want", case["verdict"], [(error["path"], error["message"][:120]) for error in case["errors"][:3]])
    print("got ", answer["verdict"], [(error["path"], error["message"][:120]) for error in answer["errors"][:3]])


def run(name, cases, known, faults):
    """Prints the figures of a set; adds errors to `faults`, and returns the ids that differ."""
    answers = ask(cases)
    verdicts, paths, differing = [], [], set()
    for case in cases:
        answer = answers[case["id"]]
        same, path = judge(case, answer)
        verdicts.append(same)
        if path is not None:
            paths.append(path)
        if not all("line" in error for error in answer["errors"]):
            faults.append(f"{case['id']}: an error has no line")
        if same and path is not False:
            continue
        differing.add(case["id"])
        if case["id"] not in known and is_listed(case):
            faults.append(f"{case['id']} is not listed")
            if len(faults) <= SHOWN_FAILURES:
                show(case, answer)
    figures = {"verdict": sum(verdicts) / len(verdicts), "path": sum(paths) / max(1, len(paths))}
    print(f"{name}: {len(cases)} cases, " + ", ".join(f"{key} {100 * value:.2f} %" for key, value in figures.items()))
    faults += [f"{name}: {key} is below {least}" for key, least in TARGETS[name].items() if figures[key] < least]
    return differing


def main():
    shared = pathlib.Path(os.environ.get("CAPWRIGHT_SHARED", HERE.parents[2] / "shared"))
    folder = shared / "cases" / "manifests"
    if not folder.is_dir():
        print("skipped: the labelled manifests are not there")
        sys.exit(77)
    prefix = sys.argv[1] if len(sys.argv) > 1 else ""
    known = json.loads(DIFFERENCES.read_text(encoding="utf-8"))
    faults, differing = [], set()
    for name in TARGETS:
        lines = (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        cases = [case for case in map(json.loads, lines) if case["id"].startswith(prefix)]
        if cases:
            differing |= run(name, cases, known, faults)
    if not prefix:
        faults += [f"{case_id} agrees and is still listed" for case_id in sorted(known.keys() - differing)]
    for fault in faults[:SHOWN_FAILURES]:
        print(fault)
    sys.exit(f"{len(faults)} faults" if faults else 0)


main()
