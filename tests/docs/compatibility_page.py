"""docs/compatibility.md, generated from the oracle tests' lists of differences. Each of these tests fails if a listed entry
no longer differs, or if a difference isn't listed."""

import json
import pathlib

ORACLE = pathlib.Path(__file__).resolve().parents[1] / "oracle"

INTRODUCTION = """# Compatibility

This page lists the differences from Jinja2, ansible-core and JSON Schema. `./dev docs` generates it from the lists of
differences in `tests/oracle`. The tests fail if a list is incomplete or out of date.
"""

JINJA = """
## Jinja2 3.1

All recorded cases of Jinja2 3.1.6 give the same bytes, or an error where Jinja2 has one. So do random templates, and random
calls of its filters, tests, functions and methods. Differences by design:

* Jinja2 stops at the first error; `render` continues and reports all of them. `capwright-dev jinja` stops.
* `random` and `lipsum` are rejected, except in `capwright-dev jinja`, because a render gives the same bytes each time.
* A render has limits on steps, depth, output, strings and lists (`capwright explain X001` and following).
"""

ANSIBLE = """
## ansible-core

The extra filters and tests follow ansible-core 2.19 and ansible.utils; random calls of them give the same values. Regular
expressions are RE2's. Unsupported syntax is an error that names the construct.
"""

CEL = """
## CEL

[cel.md](cel.md#differences-from-the-api-server) lists the differences from Kubernetes.
"""

SCHEMA = """
## JSON Schema

Draft 2020-12: every case of the main part of the official suite passes. Draft 7 is accepted for older schemas. Patterns are
RE2's: lookaround and backreferences in a `pattern` are an error at the pattern. These cases of the suite's `optional/` fail:

| file | cases | why |
|---|---|---|
"""


def read(name):
    return json.loads((ORACLE / name).read_text(encoding="utf-8"))


def recorded():
    """The recorded cases whose kind of error differs, by reason."""
    by_reason = {}
    for case, reason in read("jinja_differences.json").items():
        by_reason.setdefault(reason, []).append(f"`{case}`")
    rows = [f"| {', '.join(cases)} | {reason} |\n" for reason, cases in by_reason.items()]
    return "\nRecorded cases that fail in both, but with another kind of error:\n\n| case | why |\n|---|---|\n" + "".join(rows)


def answer(result):
    if "error" in result:
        return f"error ({result['error']})"
    return f"`{result['output']}`" if result["output"] else "nothing"


def code(text):
    return "`" + text.replace("|", "\\|") + "`"


def differing(differences, theirs):
    """A table of the templates that two programs render differently."""
    rows = [f"| {code(entry['template'])} | {answer(entry['theirs'])} | {answer(entry['ours'])} | {entry['why']} |\n"
            for entry in differences]
    return f"\n| template | {theirs} | capwright | why |\n|---|---|---|---|\n" + "".join(rows)


def schema_rows():
    return "".join(f"| `{name.removesuffix('.json')}` | {entry['failing']} | {entry['reason']} |\n"
                   for name, entry in read("jsonschema_differences.json").items())


def page():
    examples = read("template_differences.json")
    return (INTRODUCTION + JINJA + differing(examples["Jinja2"], "Jinja2") + recorded() + ANSIBLE +
            differing(examples["ansible-core"], "ansible-core") + SCHEMA + schema_rows() + CEL)
