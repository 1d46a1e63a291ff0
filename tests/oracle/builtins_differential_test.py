"""Random calls of filters, tests, functions and methods, rendered by the program and by pip's jinja2: both must give
the same text, or both must fail with the same kind of error.

Usage: builtins_differential_test.py [CALLS [SEED]]      environment: CAPWRIGHT names the program
Exit code 77 and a reason if jinja2 is missing. Calls whose result contains an address are excluded.
"""

import collections
import json
import os
import random
import re
import sys

from builtin_calls import Calls
from jinja_engine import Program, RealJinja

DEFAULT_CALLS = 4000
SHOWN_FAILURES = 40
MODES = ["StrictUndefined"] * 6 + ["Undefined", "ChainableUndefined", "DebugUndefined"]
INCOMPARABLE = re.compile(r" at 0x|<built-in|<bound method|<function|<class|<generator|object at|with id=")


def case_of(number, seed):
    rng = random.Random(f"{seed}/{number}")
    calls = Calls(rng)
    expression = calls.call()
    shown = (
        rng.choice(["{{ %s }}", "{{ [%s] }}", "{{ %s }}", "{%% set r = %s %%}{{ r }}|{{ r is string }}"])
        % f"({expression})"
    )
    options = {"undefined": rng.choice(MODES)}
    if rng.random() < 0.12:
        options["autoescape"] = True
    return {
        "id": str(number),
        "options": options,
        "main": "main",
        "templates": {"main": shown},
        "context": calls.context,
    }


def agree(expected, answer):
    if "output" in expected:
        return answer.get("output") == expected["output"]
    # Where Python reports the type of an undefined value, or another argument first, the program reports what is
    # undefined.
    return "error" in answer and answer["error"] in (expected["error"], "undefined")


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_CALLS
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    try:
        real = RealJinja()
    except ImportError as error:
        print(f"skipped: {error}")
        sys.exit(77)
    program = Program(os.environ["CAPWRIGHT"])
    outcomes = collections.Counter()
    for number in range(count):
        case = case_of(number, seed)
        # Templates change the context: each engine gets a copy.
        expected = real.ask(json.loads(json.dumps(case)))
        if INCOMPARABLE.search(expected.get("output", "")):
            continue
        outcomes["output" if "output" in expected else "error"] += 1
        answer = program.ask(case)
        if agree(expected, answer):
            continue
        outcomes["differs"] += 1
        if outcomes["differs"] <= SHOWN_FAILURES:
            print(f"--- call {number} of seed {seed}: {case['options']}\n{case['templates']['main']}")
            for title, shown in (("with", case["context"]), ("want", expected), ("got ", answer)):
                print(title, json.dumps(shown, ensure_ascii=False)[:500])
    program.stop()
    print(
        f"{outcomes['output'] + outcomes['error']} calls compared, {outcomes['output']} of them with an output: "
        f"{outcomes['differs']} differ"
    )
    if outcomes["differs"]:
        sys.exit(1)


main()
