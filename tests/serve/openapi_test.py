#!/usr/bin/env python3
"""The OpenAPI document describes what the server does: schemathesis sends requests that it makes from the document.

    CAPWRIGHT=build/dev/capwright openapi_test.py

The program `schemathesis` is $CAPWRIGHT_SCHEMATHESIS, or the one in PATH; without it, only the form of the document is checked.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "publish"))

from served import bearer, expect, finish, serving
from site_of_fleet import Site

EXAMPLES = {"few": "10", "all": "300"}.get(os.environ.get("CAPWRIGHT_EFFORT"), "40")


def references(document):
    if isinstance(document, dict):
        if "$ref" in document:
            yield document["$ref"]
        for value in document.values():
            yield from references(value)
    elif isinstance(document, list):
        for value in document:
            yield from references(value)


def check_document(server):
    document = server.request("GET", "/openapi.json", caller=None).json()
    expect(document["openapi"].startswith("3.1."), "the version of OpenAPI")
    for reference in references(document):
        part = document
        for step in reference.removeprefix("#/").split("/"):
            part = part.get(step, {})
        expect(part, f"{reference} exists")
    names = [operation["operationId"] for path in document["paths"].values() for operation in path.values()]
    expect(len(names) == len(set(names)), "operations have different names")
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            caller = None if "security" in operation else "all"
            answer = server.request(method.upper(), path.replace("{id}", "capo"), caller=caller)
            expect((answer.status == 401) == ("security" in operation), f"{method} {path} needs a token if it says so")


def check_with_schemathesis(server, folder, program):
    done = subprocess.run([program, "run", f"http://127.0.0.1:{server.port}/openapi.json", "--checks", "all", "--exclude-checks",
                           "positive_data_acceptance",  # the schema of a template set says more than that of the API
                           "--max-examples", EXAMPLES, "--header", f"Authorization: {bearer('all')['Authorization']}", "--no-color"],
                          cwd=folder, capture_output=True, text=True, check=False, env=os.environ | {"COLUMNS": "120"})
    expect(done.returncode == 0, f"schemathesis: {done.stdout[-9000:]}{done.stderr[-2000:]}")
    print(re.sub(r"\n+", "\n", done.stdout[-1500:]))


def main():
    site = Site()  # with a remote to publish to
    try:
        with serving(site.clone, "--folder", "values/portal", variables=site.env) as server:
            check_document(server)
            program = os.environ.get("CAPWRIGHT_SCHEMATHESIS") or shutil.which("schemathesis")
            if program:
                check_with_schemathesis(server, site.folder, program)
                expect("Capwright-Request" in site.git("log", "--format=%B", "main", at=site.bare), "the example is published")
            else:
                print("schemathesis isn't there: only the form of the document is checked")
    finally:
        site.close()
    finish()


if __name__ == "__main__":
    main()
