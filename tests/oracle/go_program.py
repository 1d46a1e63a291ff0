"""A Go program that answers lines of JSON, built from a folder of this one."""

import json
import os
import shutil
import subprocess
import sys


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


class GoProgram:
    def __init__(self, source, folder):
        if shutil.which("go") is None:
            skip("there is no `go`")
        shutil.copytree(source, folder, dirs_exist_ok=True)
        self.folder = folder
        self.go("build", "-o", "oracle", ".")

    def go(self, *words):
        run = subprocess.run(["go", *words], cwd=self.folder, env=os.environ | {"GOFLAGS": "-mod=mod"}, capture_output=True, text=True)
        if run.returncode != 0:
            skip(f"go {words[0]}: {run.stderr.strip()[-300:]}")
        return run.stdout

    def ask(self, requests):
        """The answers of the program, one for each request."""
        lines = "".join(json.dumps(request) + "\n" for request in requests)
        out = subprocess.run([self.folder / "oracle"], input=lines, capture_output=True, text=True, check=True).stdout
        answers = [json.loads(line) for line in out.split("\n") if line]
        assert len(answers) == len(requests)
        return answers
