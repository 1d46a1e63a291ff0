"""Recorded answers of Kubernetes' CEL (cel-go and the API server's libraries): every value, compile error and cost is equal.

Usage: cel_cases_test.py      environment: CAPWRIGHT names the program
"""

import collections
import json
import pathlib
import sys

from cel_program import ask_capwright, outcome

CASES = pathlib.Path(__file__).resolve().parent / "cel_cases.jsonl"
SHOWN_FAILURES = 20


def main():
    cases = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
    kinds = collections.Counter()
    for case, answer in zip(cases, ask_capwright(cases)):
        kinds[next(iter(case["want"]))] += 1
        if outcome(answer) == case["want"]:
            continue
        kinds["differ"] += 1
        if kinds["differ"] <= SHOWN_FAILURES:
            print(f"--- {case.get('fixture', '')} {case['expression']}")
            print("want", json.dumps(case["want"], ensure_ascii=False)[:300])
            print("got ", json.dumps(answer, ensure_ascii=False)[:300])
    print(f"{len(cases)} cases: {kinds['value']} values, {kinds['error']} errors, {kinds['refused']} refusals; "
          f"{kinds['differ']} differ")
    if kinds["differ"] or not cases:
        sys.exit(1)


main()
