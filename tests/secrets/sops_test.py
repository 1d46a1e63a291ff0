#!/usr/bin/env python3
"""The form `sops` and encrypted layers with the real program: its flags, its YAML and JSON, its keys, its exit codes.

Needs sops (Go module github.com/getsops/sops/v3/cmd/sops) as $CAPWRIGHT_SOPS, in PATH or GOBIN. Without it the test is
skipped, unless CAPWRIGHT_SOPS names one that isn't there.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "golden"))
from golden_sops import KEY, decrypt, real_sops  # noqa: E402
from render_case import GOLDEN, capwright  # noqa: E402

SKIPPED = 77
SECRET_FILE = "clusters/sops-a/cloud-config-secret.yaml"
CANARY = "secret-of-management"
faults = []


def expect(what, holds):
    if not holds:
        faults.append(what)


class Repository:
    """A copy of the golden case, and renders of it."""

    def __init__(self, scratch, program):
        self.folder = scratch / "repository"
        self.program = program
        self.tools = scratch / "tools"
        self.tools.mkdir()
        (self.tools / "sops").symlink_to(program)
        shutil.copytree(GOLDEN / "capo" / "secrets-sops", self.folder, ignore=shutil.ignore_patterns("clusters"))
        (self.folder / ".git").mkdir()
        self.outside = scratch / "credentials.yaml"
        (self.folder / "credentials.yaml").rename(self.outside)

    def environment(self, key):
        return {"PATH": f"{self.tools}{os.pathsep}{os.environ['PATH']}", "HOME": str(self.folder),
                **({"SOPS_AGE_KEY_FILE": str(KEY)} if key else {})}

    def run(self, *arguments, key=True, values=True):
        """Exit code, standard output and standard error of `capwright render`."""
        given = ["--values", str(self.outside)] if values else []
        process = subprocess.run([capwright(), "render", *given, *arguments], cwd=self.folder, env=self.environment(key),
                                 stdin=subprocess.DEVNULL, capture_output=True, text=True)
        return process.returncode, process.stdout, process.stderr

    def encrypt(self, text, name, *arguments):
        """`text` encrypted by the program for the golden key, stored under that name."""
        type_of = "json" if name.endswith(".json") else "yaml"
        rules = self.folder / ".sops.yaml"
        recipient = re.search(r"age1\w+", rules.read_text()).group(0)
        encrypted = subprocess.run(
            [self.program, "--config", "/dev/null", "--encrypt", "--age", recipient, *arguments, "--input-type", type_of,
             "--output-type", type_of, "--filename-override", name, "/dev/stdin"],
            input=text, env=self.environment(True), capture_output=True, text=True, check=True).stdout
        (self.folder / name).write_text(encrypted)

    def secret(self):
        return (self.folder / SECRET_FILE).read_bytes()


def check_tree(repository):
    """Written once, kept while its data is the same, written again when a secret changes."""
    code, _, errors = repository.run()
    expect(f"a first render: {errors}", code == 0)
    first = repository.secret()
    expect("a secret in the tree", CANARY.encode() not in first)
    expect("kind and name are readable", b"kind: Secret" in first and b"name: sops-a-cloud-config" in first)
    expect("the secret is in it for who has the key", CANARY.encode() in decrypt(repository.program, first))
    expect("a second render writes nothing", repository.run()[0] == 0 and repository.secret() == first)
    expect("the tree is up to date", repository.run("--check")[0] == 0)
    expect("standard output has the tree's bytes", first.decode() in repository.run("--stdout")[1])
    changed = ("--set", "secrets.workload.application_credential_secret=another")
    expect("a changed secret is stale", repository.run(*changed, "--check")[0] == 1)
    repository.run(*changed)
    expect("a changed secret is written", b"another" in decrypt(repository.program, repository.secret()))


def check_keys(repository):
    """Without the private key files are kept; public keys suffice for encryption."""
    shutil.rmtree(repository.folder / "clusters")
    code, _, errors = repository.run(key=False)
    expect(f"encrypting needs no private key: {errors}", code == 0)
    first = repository.secret()
    code, _, errors = repository.run(key=False)
    expect("a file that can't be decrypted is kept, with a warning",
           code == 0 and "warning[G108]" in errors and repository.secret() == first)
    expect("a tree that can't be decrypted passes the check", repository.run("--check", key=False)[0] == 0)
    repository.run("--reencrypt", key=False)
    expect("--reencrypt writes other bytes", repository.secret() != first)
    expect("... of the same secrets", decrypt(repository.program, repository.secret()) == decrypt(repository.program, first))


def check_rules(repository):
    """Rules without a regular expression, with one that is too narrow, and none that matches."""
    rules = repository.folder / ".sops.yaml"
    kept = rules.read_text()
    rules.write_text(re.sub(r" +encrypted_regex: .*\n", "", kept))
    repository.run("--reencrypt")
    expect("a rule that doesn't say what leaves the kind readable", b"kind: Secret" in repository.secret())
    rules.write_text(re.sub(r"encrypted_regex: .*", "encrypted_regex: ^aws", kept))
    code, _, errors = repository.run("--reencrypt")
    expect(f"a rule that is too narrow is refused: {errors}", code == 1 and "S079" in errors)
    rules.write_text(re.sub(r"path_regex: .*", "path_regex: ^elsewhere/", kept))
    code, _, errors = repository.run("--reencrypt")
    expect(f"no rule that matches is refused: {errors}", code == 1 and "S078" in errors)
    rules.write_text(kept.replace("age1", "age2"))
    code, _, errors = repository.run("--reencrypt")
    expect(f"a key that is none is a fault: {errors}", code == 2 and "G021" in errors)
    expect("faults hold no secret", CANARY not in errors)
    rules.write_text(kept)
    (repository.folder / "below").mkdir()
    rules.rename(repository.folder / "below" / ".sops.yaml")
    (repository.folder / "capwright.yaml").write_text("values: [values.yaml]\noutput: below\n")
    code, _, errors = repository.run()
    expect(f"rules beside the output folder count, with paths from there: {errors}", code == 0)
    (repository.folder / "below" / ".sops.yaml").rename(rules)


def check_layers(repository):
    """Layers in YAML and JSON, encrypted as a whole and in part; without the key."""
    (repository.folder / "capwright.yaml").write_text("values: [values.yaml]\n")
    plain = repository.run("--set", "secrets.form=plain", "--stdout")[1]
    credentials = {"secrets": {name: {"application_credential_id": f"id-of-{name}",
                                      "application_credential_secret": f"secret-of-{name}"} for name in ("management", "workload")}}
    credentials["secrets"]["etcd_backup"] = {"access_key": "access-key-of-backup", "secret_key": "secret-key-of-backup"}
    for name, text, arguments in (("part.sops.yaml", repository.outside.read_text(), ("--encrypted-regex", "^(app|access|secret_key)")),
                                  ("whole.sops.yaml", repository.outside.read_text(), ()),
                                  ("whole.sops.json", json.dumps(credentials), ())):
        repository.encrypt(text, name, *arguments)
        expect(f"{name} is encrypted", CANARY not in (repository.folder / name).read_text())
        layer = ("--values", name, "--set", "secrets.form=plain", "--stdout")
        code, printed, errors = repository.run(*layer, values=False)
        expect(f"{name} is read as what it holds: {errors}", code == 0 and printed == plain)
        code, printed, errors = repository.run(*layer, values=False, key=False)
        expect(f"{name} can't be read without the key", code == 2 and "G021" in errors and not printed)


def main():
    program = real_sops()
    if program is None:
        print("skipped: there is no sops")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as scratch:
        repository = Repository(pathlib.Path(scratch), program)
        for check in (check_tree, check_keys, check_rules, check_layers):
            before = len(faults)
            check(repository)
            print(f"{check.__name__}: {len(faults) - before} faults")
    print(*faults, sep="\n")
    sys.exit(1 if faults else 0)


main()
