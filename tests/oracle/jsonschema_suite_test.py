"""The official JSON Schema suite: passes when 99 % of draft 2020-12 hold and every failing case is listed with its reason.

Usage: jsonschema_suite_test.py     environment: CAPWRIGHT names the program, CAPWRIGHT_SHARED the suites
Exit code 77 and a reason if the suite is missing.
"""

import collections
import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
DIFFERENCES = HERE / "jsonschema_differences.json"
TARGET = ("draft2020-12", 99.0)  # per cent of the cases outside of optional/
SUM = re.compile(r"^(\S+): (\d+) of (\d+) \(([\d.]+) %\)$", re.MULTILINE)
FAILURE = re.compile(r"^(?:FAIL|UNREADABLE) (\S+)(.*)$", re.MULTILINE)


def main():
    shared = pathlib.Path(os.environ.get("CAPWRIGHT_SHARED", HERE.parents[2] / "shared"))
    suite = shared / "cases" / "jsonschema"
    if not (suite / "tests").is_dir():
        print("skipped: the JSON Schema test suite is not there")
        sys.exit(77)
    report = subprocess.run([os.environ["CAPWRIGHT"] + "-dev", "jsonschema", str(suite)], check=False, text=True,
                            stdout=subprocess.PIPE).stdout
    known = json.loads(DIFFERENCES.read_text(encoding="utf-8"))
    failing = collections.Counter(name for name, _ in FAILURE.findall(report))
    faults = []
    for name in sorted(failing.keys() | known.keys()):
        listed = known.get(name, {}).get("failing", 0)
        if failing[name] != listed:
            faults.append(f"{name}: {failing[name]} cases fail, {listed} are listed in {DIFFERENCES.name}")
            faults += [f"  {rest.lstrip(' |')}" for file, rest in FAILURE.findall(report) if file == name]
    sums = {group: float(share) for group, _, _, share in SUM.findall(report)}
    for group, passed, count, share in SUM.findall(report):
        print(f"{group}: {passed} of {count} ({share} %)")
    group, least = TARGET
    if sums.get(group, 0.0) < least:
        faults.append(f"{group}: less than {least} % pass")
    for fault in faults:
        print(fault)
    sys.exit(1 if faults else 0)


main()
