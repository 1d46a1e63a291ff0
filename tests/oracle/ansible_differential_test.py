"""Random calls of the filters and tests that come from Ansible, compared with ansible-core's own functions.

Every call is rendered by `capwright-dev jinja` as `{{ [value | filter(arguments)] }}`, which prints Python's repr of the
result, and made with Ansible's function in this process. Both must give the same value, or both must fail.

Usage: ansible_differential_test.py [CALLS [SEED]]      environment: CAPWRIGHT names the program
Exit code 77 and a reason if ansible-core is missing. The networks of `ipaddr` and its family are compared only if
netaddr and the ansible.utils collection are also installed.
"""

import ast
import json
import os
import random
import subprocess
import sys

import ansible_calls

DEFAULT_CALLS = 6000
SHOWN_FAILURES = 12


def template_of(call):
    """The template for `call`: operand `v`, arguments a0, a1 … and keyword arguments from the context."""
    arguments = [f"a{index}" for index in range(len(call.arguments))]
    arguments += [f"{name}=k_{name}" for name in call.keywords]
    operator = "is" if call.is_test else "|"
    return "{{ [v %s %s(%s)] }}" % (operator, call.name, ", ".join(arguments))


def context_of(call):
    context = {"v": call.value}
    context.update({f"a{index}": value for index, value in enumerate(call.arguments)})
    context.update({f"k_{name}": value for name, value in call.keywords.items()})
    return context


def render_all(program, calls):
    """The program's result of each call: ("value", text) or ("error", message)."""
    lines = [json.dumps({"id": str(index), "main": "main",
                         "options": {"undefined": "StrictUndefined", "extensions": ["extras"]},
                         "templates": {"main": template_of(call)}, "context": context_of(call)})
             for index, call in enumerate(calls)]
    done = subprocess.run([program + "-dev", "jinja"], input="\n".join(lines) + "\n", text=True, capture_output=True,
                          check=False)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    if len(answers) != len(calls):
        sys.exit(f"{len(answers)} answers to {len(calls)} calls; exit code {done.returncode}\n{done.stderr}")
    return [("value", answer["output"]) if "output" in answer else ("error", answer.get("message", ""))
            for answer in answers]


def value_of(text):
    """A printed result as a value; the text itself when Python could not read it back (nan, an object)."""
    try:
        return ast.literal_eval(text)[0]
    except (ValueError, SyntaxError):
        return text


def is_known_difference(call, expected, actual):
    """Ansible returns lone surrogates for invalid UTF-8; PyYAML rejects a plain `=`, which is text in YAML 1.2."""
    if call.name == "b64decode" and expected[0] == "value":
        return actual[0] == "error" and any("\udc80" <= character <= "\udcff" for character in str(expected[1]))
    return call.name == "from_yaml" and expected[0] == "error" and "tag:yaml.org,2002:value" in expected[1]


def agree(call, expected, actual):
    if is_known_difference(call, expected, actual):
        return True
    if expected[0] != actual[0]:
        return False
    if expected[0] == "error":
        return True
    value = value_of(actual[1])
    if call.any_order:
        return sorted(map(repr, expected[1])) == sorted(map(repr, value))
    return repr([expected[1]]) == actual[1] or repr(expected[1]) == repr(value)


def show(call, expected, actual):
    print(f"{call.name}: {template_of(call)}  with {json.dumps(context_of(call))}")
    print(f"  Ansible:   {expected[0]} {expected[1]!r}")
    print(f"  capwright: {actual[0]} {actual[1]!r}")


def main():
    program = os.environ.get("CAPWRIGHT")
    if not program:
        print("skipped: CAPWRIGHT doesn't name the program to test")
        return 77
    reason = ansible_calls.missing()
    if reason:
        print(f"skipped: {reason}")
        return 77
    count = int(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_CALLS
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    calls = list(ansible_calls.random_calls(random.Random(seed), count))
    failed = 0
    made = {}
    for call, actual in zip(calls, render_all(program, calls)):
        expected = ansible_calls.outcome(call)
        made.setdefault(call.name, [0, 0])[expected[0] == "error"] += 1
        if not agree(call, expected, actual):
            failed += 1
            if failed <= SHOWN_FAILURES:
                show(call, expected, actual)
    for name, (values, errors) in sorted(made.items()):
        print(f"{name:22} {values:6} values {errors:6} errors")
    if ansible_calls.NETWORKS is None:
        print("not compared: ipaddr and its family (netaddr and the ansible.utils collection are not there)")
    print(f"{len(calls) - failed} of {len(calls)} calls agree with ansible-core {ansible_calls.VERSION} (seed {seed})")
    return 1 if failed else 0


sys.exit(main())
