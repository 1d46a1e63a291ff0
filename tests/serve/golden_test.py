#!/usr/bin/env python3
"""`POST …/render` answers with the bytes that `capwright render` writes, for all golden cases.

    CAPWRIGHT=build/dev/capwright golden_test.py

Values are sent as they are, and once more as JSON, if PyYAML is there to convert them. Files that `sops`
encrypts differ in every run, so of these only the fact is compared.
"""

import json
import os
import pathlib
import re
import sys
import tempfile

from served import ROOT, expect, finish, serving, token

sys.path.insert(0, str(ROOT / "tests" / "golden"))

from golden_sops import FAKE, KEY, real_sops  # noqa: E402
from golden_test import cases  # noqa: E402
from render_case import copy_inputs, render, tree  # noqa: E402

try:
    import yaml
except ImportError:
    yaml = None

# Keys that only the repository's own files may have.
OF_THE_REPOSITORY = re.compile(rb"^(patches|resources):", re.MULTILINE)


def as_json(text):
    """The values as a wizard sends them; None if JSON can't hold them."""
    try:
        return json.dumps(yaml.safe_load(text)).encode()
    except (TypeError, ValueError, yaml.YAMLError):
        return None


def tools_of(case, scratch):
    """Variables for a case whose files are encrypted."""
    if case.name != "secrets-sops":
        return {}
    tools = scratch / "tools"
    tools.mkdir()
    (tools / "sops").symlink_to(real_sops() or FAKE)
    return {"SOPS_AGE_KEY_FILE": str(KEY), "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}


def compare(case, expected, answer, form):
    if not expect(answer.status == 200, f"{case}, {form}: {answer.status} {answer.body[:2000]!r}"):
        return 0
    files = {path: text.encode() for path, text in answer.json()["files"].items()}
    expect(sorted(files) == sorted(expected), f"{case}, {form}: other files: {sorted(files.keys() ^ expected.keys())}")
    for path in files.keys() & expected.keys():
        is_encrypted = b"\nsops:\n" in expected[path]
        same = files[path] == expected[path] or (is_encrypted and b"\nsops:\n" in files[path])
        expect(same, f"{case}, {form}: {path} differs")
    expect(answer.json()["redacted"] == [], f"{case}, {form}: files are redacted")
    return len(files)


def check(case):
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        folder, rendered = scratch / "case", scratch / "rendered"
        copy_inputs(case, folder)
        copy_inputs(case, rendered)
        has_credentials = (case / "credentials.yaml").exists()
        more = ("--values", "credentials.yaml") if has_credentials else ()
        variables = tools_of(case, scratch)
        render(rendered, *more, **variables)
        expected = tree(rendered)
        text = (case / "values.yaml").read_bytes()
        (folder / "values.yaml").unlink()  # as for a new cluster
        count = 0
        with serving(folder, *more, tokens=[token("all", ("render", "secrets"))], variables=variables) as server:
            if OF_THE_REPOSITORY.search(text):
                answer = server.render(case.parent.name, text, Content_Type="application/yaml")
                expect(answer.status == 422, f"{case.name}: patches in a request are refused, not {answer.status}")
                return 0
            count += compare(case.name, expected, server.render(case.parent.name, text, Content_Type="application/yaml"),
                             "YAML")
            converted = as_json(text) if yaml else None
            if converted:
                count += compare(case.name, expected, server.render(case.parent.name, converted), "JSON")
        return count


def main():
    count = sum(check(case) for case in cases())
    print(f"{count} files of {len(cases())} cases{'' if yaml else ', not as JSON: PyYAML is missing'}")
    expect(count > 0, "files were compared")
    finish()


if __name__ == "__main__":
    main()
