"""Requests to `capwright-dev cel` and to the recorded oracle, and the comparison of their answers.

The oracle is a program that evaluates with cel-go and the libraries of Kubernetes' API server; it reads the same lines
and answers {"value", "cost"}, {"error"} or {"compileError"}.
"""

import json
import os
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
FIXTURES = json.loads((HERE / "cel_fixtures.json").read_text(encoding="utf-8"))


def request_of(case):
    """A case in the input format: with the schema and the data of its fixture."""
    fixture = FIXTURES.get(case.get("fixture"), {})
    request = {key: fixture[key] for key in ("schema", "root", "self", "oldSelf") if key in fixture}
    return {"expression": case["expression"], **request}


def ask(command, cases):
    """One answer per case; {} if the program ended before it."""
    lines = "".join(json.dumps(request_of(case)) + "\n" for case in cases)
    ended = subprocess.run(command, input=lines, capture_output=True, text=True, check=False)
    answers = [json.loads(line) for line in ended.stdout.splitlines()]
    return answers + [{}] * (len(cases) - len(answers))


def ask_capwright(cases):
    return ask([os.environ["CAPWRIGHT"] + "-dev", "cel"], cases)


def plain(value):
    """A printed value in a normal form: doubles by value, errors without their text."""
    if isinstance(value, list):
        return [plain(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "double" in value:
        return {"double": repr(float(value["double"]))}
    return {"error": True} if "error" in value else {key: plain(item) for key, item in value.items()}


def outcome(answer):
    """The compared result: a value with its cost, an error, or a compile error."""
    if "value" in answer:
        return {"value": plain(answer["value"]), "cost": answer["cost"]}
    if "error" in answer:
        return {"error": True}
    if "issues" in answer or "compileError" in answer:
        return {"refused": True}
    return answer
