#!/usr/bin/env python3
"""Output that depends on a secret is rejected like the secret itself, also in a plain template folder.

    CAPWRIGHT=build/dev/capwright decisions_test.py [TEXT]      # templates that contain TEXT
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

from decisions import ALLOWED, SECRET, decisions, split

FILE = "# FILE: clusters/a/out.yaml\napiVersion: v1\nkind: {kind}\nmetadata: {{name: a}}\n{key}:\n  x: |\n    _{template}\n"
TEXT = {"type": "string"}
SECRET_TEXT = {"type": "string", "x-secret": True}
USER = {"type": "object", "properties": {"name": TEXT, "password": SECRET_TEXT}}
SCHEMA = {"type": "object", "properties": {"cluster_name": TEXT, "p": TEXT, "s": SECRET_TEXT, "n": SECRET_TEXT, "l": SECRET_TEXT,
                                           "users": {"type": "array", "items": USER}}}
VALUES = {"cluster_name": "a", "s": "Hunter2Zebra", "n": "734912", "l": "first\nsecond\n", "p": "public",
          "users": [{"name": "a", "password": "pw-a"}, {"name": "b", "password": "pw-b"}]}
FLAGS = ["--template-dir", "templates", "--main", "main.j2", "--schema", "schema.json"]


def render(folder, template, kind="ConfigMap", key="data", where=("--stdout",)):
    (folder / "templates" / "main.j2").write_text(FILE.format(kind=kind, key=key, template=template))
    environment = {name: value for name, value in os.environ.items() if name != "CI"}
    return subprocess.run([os.environ["CAPWRIGHT"], "render", "values.json", *FLAGS, *where], cwd=folder, env=environment,
                          capture_output=True, text=True)


def is_refused(run):
    return run.returncode == 1 and "error[S076]" in run.stderr and not run.stdout


def main():
    wanted = sys.argv[1] if sys.argv[1:] else ""
    cases = [("refused", t, {}) for t in decisions()]
    cases += [("rendered", t, {}) for t in split(ALLOWED)]
    cases += [("rendered", t, {"kind": "Secret", "key": "stringData"}) for t in split(SECRET)]
    cases += [("refused", t, {"where": ("-o", "out")}) for t in split(SECRET)]
    wrong = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / "templates").mkdir()
        (folder / "templates" / "part.j2").write_text("part")
        (folder / "schema.json").write_text(json.dumps(SCHEMA))
        (folder / "values.json").write_text(json.dumps(VALUES))
        chosen = [case for case in cases if wanted in case[1]]
        if os.environ.get("CAPWRIGHT_EFFORT") == "few":
            chosen = chosen[::4]
        for expected, template, how in chosen:
            run = render(folder, template, **how)
            right = is_refused(run) if expected == "refused" else run.returncode == 0
            if not right:
                wrong.append(f"not {expected}: {template}\n{run.stdout}{run.stderr}")
        if list(folder.glob("out/**/*.yaml")):
            wrong.append("`-o` wrote a file with a secret")
    refused = sum(expected == "refused" for expected, *_ in chosen)
    print(f"{refused} templates to be refused, {len(chosen) - refused} to be rendered, {len(wrong)} wrong")
    print(*wrong, sep="\n")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
