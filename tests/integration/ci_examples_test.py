#!/usr/bin/env python3
"""The examples of docs/examples/ci are valid for GitHub, GitLab and Gitea, and their commands work.

    CAPWRIGHT=build/dev/capwright ci_examples_test.py

`actionlint` and `check-jsonschema` validate them if they are on PATH; the output lists missing ones. The commands run
unchanged, on a copy of the tutorial's fleet.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CAPWRIGHT = pathlib.Path(os.environ["CAPWRIGHT"]).resolve()
CI = ROOT / "docs" / "examples" / "ci"
JUDGES = (
    ["actionlint", "-color=false", "-config-file", "LABELS", CI / "github.yml"],
    ["check-jsonschema", "--builtin-schema", "vendor.github-workflows", CI / "github.yml"],
    ["actionlint", "-color=false", "-config-file", "LABELS", CI / "gitea.yml"],
    ["check-jsonschema", "--builtin-schema", "vendor.github-actions", ROOT / "packaging" / "github" / "action.yml"],
    ["check-jsonschema", "--builtin-schema", "vendor.gitlab-ci", "--data-transform", "gitlab-ci", "COMPONENT"],
    ["check-jsonschema", "--builtin-schema", "vendor.gitlab-ci", "--data-transform", "gitlab-ci", CI / "gitlab-ci.yml"],
)

failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)
        print(f"FAIL {what}")


def judge(scratch):
    component = scratch / "component.yml"  # without the header that declares its inputs
    text = (ROOT / "packaging" / "gitlab" / "templates" / "capwright.yml").read_text()
    component.write_text(text.partition("\n---\n")[2])
    replaced = {"LABELS": CI / "actionlint.yaml", "COMPONENT": component}
    for command in JUDGES:
        if not shutil.which(command[0]):
            print(f"{command[0]} is not installed: {command[-1]} was not judged by it")
            continue
        done = subprocess.run([replaced.get(word, word) for word in command], capture_output=True, text=True, check=False)
        expect(done.returncode == 0, f"{command[0]} on {command[-1]}: {done.stdout}{done.stderr}")


def commands_of(example):
    """Lines that run capwright, without the syntax of YAML and the platforms."""
    lines = re.findall(r"^\s+(?:- )?(?:run: )?(capwright .*)$", (CI / example).read_text(), re.M)
    lines = [line.replace("$(date +%F)", "2026-09-01") for line in lines]  # keeps the set of unsupported versions stable
    return [line.replace('"$BASE"', "HEAD~1") for line in lines]


def run_commands(scratch, example):
    fleet = scratch / example
    shutil.copytree(ROOT / "docs" / "tutorial" / "fleet", fleet)
    case = fleet / "golden" / "capo" / "prod"
    case.mkdir(parents=True)
    shutil.copy(fleet / "values" / "prod-a.yaml", case / "values.yaml")
    variables = {"PATH": f"{CAPWRIGHT.parent}{os.pathsep}{os.environ['PATH']}", "HOME": str(scratch),
                 "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_AUTHOR_NAME": "a",
                 "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.com",
                 "GITHUB_STEP_SUMMARY": str(scratch / "summary.md")}

    def sh(line):
        return subprocess.run(["bash", "-e", "-o", "pipefail", "-c", line], cwd=fleet, env=variables | {"CI": "true"},
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)

    for line in ("git init -q -b main", "capwright test --update --force -q", "capwright render -q && git add .",
                 "git commit -qm one", "sed -i 's/flavor: m1.large/flavor: m1.xlarge/' values/prod-a.yaml",
                 "capwright render -q && capwright test -q", "git add . && git commit -qm two"):
        done = sh(line)
        if done.returncode != 0:
            sys.exit(f"{line}: {done.stdout}{done.stderr}")
    commands = commands_of(example)
    expect(len(commands) == 2, f"{example} has a command for the branch, and one for a change")
    for line in commands:
        done = sh(line)
        expect(done.returncode == 0, f"{example}: {line}: {done.stdout}{done.stderr}")
    expect("m1.xlarge" in (fleet / "comment.md").read_text(), f"{example}: the comment has the plan")
    expect((fleet / "capwright.sarif").stat().st_size > 100, f"{example}: SARIF is written")


def comment_on(scratch, known):
    """Runs the step that comments, where `gh` finds the comments `known`; returns the arguments of its last call."""
    text = (CI / "github.yml").read_text()
    script = re.sub(r"^ {10}", "", text.partition("name: Comment on")[2].partition("run: |\n")[2], flags=re.M)
    tools = scratch / "tools"
    tools.mkdir(exist_ok=True)
    (tools / "gh").write_text('#!/bin/sh\necho "$@" > "$LOG"\ncase "$*" in *--jq*) printf %s "$KNOWN" ;; esac\n')
    (tools / "gh").chmod(0o755)
    variables = {"PATH": f"{tools}{os.pathsep}{os.environ['PATH']}", "LOG": str(scratch / "log"), "KNOWN": known,
                 "NUMBER": "7", "GITHUB_REPOSITORY": "a/b"}
    done = subprocess.run(["bash", "-e", "-c", script], cwd=scratch, env=variables, capture_output=True, text=True,
                          check=False)
    expect(done.returncode == 0, f"the comment of github.yml: {done.stderr}")
    return (scratch / "log").read_text()


def check_writes(scratch):
    """What needs a token that can write is edited in place, and left out for forks."""
    edited = "api --silent --method PATCH repos/a/b/issues/comments/11 -F body=@comment.md\n"
    expect(comment_on(scratch, "11\n12\n") == edited, "the first comment of an earlier run is edited")
    created = "api --silent repos/a/b/issues/7/comments -F body=@comment.md\n"
    expect(comment_on(scratch, "") == created, "without one, a comment is created")
    text = (CI / "github.yml").read_text()
    writers = re.findall(r"^\s+- name: (?:Upload|Comment).*\n\s+if: (.*)$", text, re.M)
    expect(len(writers) == 2 and all("env.CAN_WRITE == 'true'" in line for line in writers), "forks skip both writers")
    for path in [*CI.glob("*ci.yml"), *CI.glob("git*.yml"), *ROOT.glob("packaging/git*/**/*.yml")]:
        limits = re.findall(r"delete-cluster,orphan\S*", path.read_text())
        expect(limits and all("rejected" in limit for limit in limits), f"{path}: rejected updates fail")


def main():
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        judge(scratch)
        check_writes(scratch)
        for example in ("github.yml", "gitlab-ci.yml"):
            run_commands(scratch, example)
    print(f"{len(failures)} failures")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
