"""Random templates, rendered by the program and by pip's jinja2: both must give the same bytes, or both must fail with
the same kind of error at the same line.

Usage: jinja_differential_test.py [CASES [SEED]]      environment: CAPWRIGHT names the program
Exit code 77 and a reason if jinja2 is missing.
"""

import copy
import json
import os
import pathlib
import random
import re
import sys

from jinja_engine import Program, RealJinja, compare
from jinja_templates import Generator, shown

DEFAULT_CASES = 3000
SHOWN_FAILURES = 10
# Python prints addresses and the names of its classes here, and rejects numbers with too many digits.
INCOMPARABLE = re.compile(r" at 0x|<built-in|<bound method|<function|<class|<slot|<method|object at", re.IGNORECASE)

# Listed differences that can be detected in a template's text; others in Jinja2's answer (`folded`).
LISTED = re.compile("|".join(
    entry["pattern"] for entry in json.loads(pathlib.Path(__file__).with_name("template_differences.json").read_text())["Jinja2"]
    if "pattern" in entry))


def is_incomparable(case, expected):
    if any(LISTED.search(text) for text in case["templates"].values()):
        return True
    return "folded" in expected or INCOMPARABLE.search(expected.get("output", "")) or expected.get("message") == "recursion"


def agree(expected, answer):
    # Where Python reports the type of an undefined value, the program reports what is undefined.
    if "Undefined" in expected.get("message", "") and answer.get("error") == "undefined":
        expected = dict(expected, error="undefined")
    if answer.get("error") == expected.get("error") == "undefined":
        return True  # Python reports the line of the use; the program that of the name, which may be a parameter's default
    return compare(expected, answer)[1]


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_CASES
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    try:
        real = RealJinja()
    except ImportError as error:
        print(f"skipped: {error}")
        sys.exit(77)
    program = Program(os.environ["CAPWRIGHT"])
    compared, outputs, failures = 0, 0, 0
    for number in range(count):
        case = Generator(random.Random(f"{seed}/{number}")).case(number)
        expected = real.ask(copy.deepcopy(case))  # templates change their context
        if is_incomparable(case, expected):
            continue
        compared += 1
        outputs += "output" in expected
        answer = program.ask(case)
        if not agree(expected, answer):
            failures += 1
            if failures <= SHOWN_FAILURES:
                print(f"--- case {number} of seed {seed}\n{shown(case)}\nwant {json.dumps(expected, ensure_ascii=False)[:500]}"
                      f"\ngot  {json.dumps(answer, ensure_ascii=False)[:500]}")
    program.stop()
    print(f"{compared} templates compared, {outputs} of them with an output: {failures} differ")
    if failures:
        sys.exit(1)


main()
