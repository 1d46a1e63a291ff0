"""Random CEL expressions, evaluated by the program and by Kubernetes' own CEL.

Usage: cel_differential_test.py [EXPRESSIONS [SEED]]
       cel_differential_test.py --record      regenerates cel_cases.jsonl from the fixtures and random expressions
Environment: CAPWRIGHT names the program, CAPWRIGHT_CEL_ORACLE a program as described in cel_program.py; exit code 77 and
a reason without it. Excluded: the differences in docs/cel.md, and expressions that make the oracle panic.
"""

import collections
import json
import os
import random
import re
import sys

from cel_expressions import Expressions
from cel_program import FIXTURES, HERE, ask, ask_capwright, outcome

DEFAULT_EXPRESSIONS = 4000
RECORDED = 2400
SHOWN_FAILURES = 30
NOT_A_NUMBER = re.compile(r"0\.0/0\.0|1\.0/0\.0|'NaN'")
# See docs/cel.md: sorting NaN, `%e` of it; overflow and rounding in the server's quantities; sorting a value that is only
# known to be a list at run time, whose cost the server doesn't compute.
INCOMPARABLE = [
    lambda text: NOT_A_NUMBER.search(text) and re.search(r"sort|%\.?\d?e", text),
    lambda text: "quantity" in text and ("9223372036854775808" in text or "0.0000000001" in text),
    lambda text: "asApproximateFloat" in text,
    lambda text: re.search(r"flatten\([^)]*\)\.sort|dyn\(.*\bsort\(", text),
]


def expression_of(number, seed):
    rng = random.Random(f"{seed}/{number}")
    return Expressions(rng).some(rng.choice([0, 1, 1, 2, 2, 3]))


def compared(count, seed):
    """(case, the oracle's outcome) of random expressions that can be compared."""
    texts = dict.fromkeys(expression_of(number, seed) for number in range(count))
    cases = [{"expression": text} for text in texts if not any(test(text) for test in INCOMPARABLE)]
    return with_outcomes(cases)


def with_outcomes(cases):
    answers = ask([os.environ["CAPWRIGHT_CEL_ORACLE"]], cases)
    return [(case, outcome(answer)) for case, answer in zip(cases, answers) if is_sound(answer)]


def is_sound(answer):
    """Excludes bugs of cel-go: a panic, or a program that passes the checker but can't be planned."""
    failed = str(answer.get("error", "")) + str(answer.get("compileError", ""))
    return "panic" not in answer and "internal error" not in failed and "invalid qualifier" not in failed


def record():
    fixed = [{"fixture": name, "expression": text} for name, one in FIXTURES.items() for text in one["expressions"]]
    with (HERE / "cel_cases.jsonl").open("w", encoding="utf-8") as out:
        for case, want in with_outcomes(fixed) + compared(RECORDED, "recorded"):
            out.write(json.dumps({**case, "want": want}, ensure_ascii=False) + "\n")


def main():
    if "CAPWRIGHT_CEL_ORACLE" not in os.environ:
        print("skipped: CAPWRIGHT_CEL_ORACLE names no program")
        sys.exit(77)
    if sys.argv[1:] == ["--record"]:
        return record()
    count = int(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_EXPRESSIONS
    pairs = compared(count, sys.argv[2] if len(sys.argv) > 2 else "1")
    kinds = collections.Counter()
    for (case, want), answer in zip(pairs, ask_capwright([case for case, _ in pairs])):
        kinds[next(iter(want))] += 1
        if outcome(answer) == want:
            continue
        kinds["differ"] += 1
        if kinds["differ"] <= SHOWN_FAILURES:
            print(f"--- {case['expression']}\nwant {json.dumps(want, ensure_ascii=False)[:300]}")
            print("got ", json.dumps(answer, ensure_ascii=False)[:300])
    print(f"{len(pairs)} expressions: {kinds['value']} values, {kinds['error']} errors, {kinds['refused']} refusals; "
          f"{kinds['differ']} differ")
    return 1 if kinds["differ"] else 0


sys.exit(main())
