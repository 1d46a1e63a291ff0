#!/usr/bin/env python3
"""The form `sealed` with the real kubeseal: its flags, its JSON, its lengths, its exit codes.

Needs kubeseal (Go module github.com/bitnami-labs/sealed-secrets/cmd/kubeseal) as $CAPWRIGHT_KUBESEAL, in PATH or GOBIN, and
openssl for a certificate. Without them the test is skipped, unless CAPWRIGHT_KUBESEAL names one that isn't there.
"""

import base64
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "golden"))
from render_case import GOLDEN, capwright  # noqa: E402

SKIPPED = 77
SECRET_FILE = "clusters/plain-a/cloud-config-secret.yaml"
CANARY = "secret-of-management"
PLACE_HOLDER = "PLACEHOLDER-run-kubeseal"
faults = []


def expect(what, holds):
    if not holds:
        faults.append(what)


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def real_kubeseal():
    if os.environ.get("CAPWRIGHT_KUBESEAL"):
        return os.environ["CAPWRIGHT_KUBESEAL"]
    folders = [os.environ.get("PATH", ""), os.environ.get("GOBIN", ""), str(pathlib.Path.home() / "go" / "bin")]
    return shutil.which("kubeseal", path=os.pathsep.join(filter(None, folders)))


def documents(text, kind):
    """The manifests of a kind, as text."""
    return [document for document in re.split(r"^---\n", text, flags=re.MULTILINE)
            if re.search(f"^kind: {kind}$", document, flags=re.MULTILINE)]


class Repository:
    """A copy of a golden case with another form, and renders of it."""

    def __init__(self, scratch, program):
        self.folder = scratch / "repository"
        self.program = program
        self.tools = scratch / "tools"
        self.tools.mkdir()
        (self.tools / "kubeseal").symlink_to(program)
        shutil.copytree(GOLDEN / "capo" / "secrets-plain", self.folder, ignore=shutil.ignore_patterns("stdout.yaml"))
        (self.folder / ".git").mkdir()
        self.outside = scratch / "credentials.yaml"
        (self.folder / "credentials.yaml").rename(self.outside)
        self.key = scratch / "controller.key"
        subprocess.run(["openssl", "req", "-x509", "-nodes", "-newkey", "rsa:4096", "-days", "2", "-subj", "/CN=sealed-secret",
                        "-keyout", self.key, "-out", self.folder / "certificate.pem"], capture_output=True, check=True)

    def run(self, *arguments, values=True, form="sealed"):
        """Exit code, standard output and standard error of `capwright render`."""
        given = ["--values", str(self.outside)] if values else []
        process = subprocess.run(
            [capwright(), "render", *given, "--set", f"secrets.form={form}", "--set", "secrets.sealed.certificate=certificate.pem",
             *arguments], cwd=self.folder, env={"PATH": f"{self.tools}{os.pathsep}{os.environ['PATH']}"},
            stdin=subprocess.DEVNULL, capture_output=True, text=True)
        return process.returncode, process.stdout, process.stderr

    def text(self):
        return (self.folder / SECRET_FILE).read_text()

    def opened(self, text):
        """Name of each SealedSecret to its data, as the controller would open it."""
        found = {}
        for document in documents(text, "SealedSecret"):
            printed = subprocess.run([self.program, "--recovery-unseal", "--recovery-private-key", self.key], input=document,
                                     capture_output=True, text=True)
            expect(f"the controller can open it: {printed.stderr}", printed.returncode == 0)
            secret = json.loads(printed.stdout or '{"metadata": {"name": ""}}')
            found[secret["metadata"]["name"]] = {key: base64.b64decode(value).decode()
                                                 for key, value in secret.get("data", {}).items()}
        return found


def check_sealing(repository):
    """The sealed texts equal the render of the form `plain`."""
    plain = repository.run("--stdout", form="plain")[1]
    code, _, errors = repository.run()
    expect(f"a first render: {errors}", code == 0)
    text = repository.text()
    expect("a secret in the tree", CANARY not in text and PLACE_HOLDER not in text)
    opened = repository.opened(text)
    expect("three SealedSecrets", len(opened) == len(documents(plain, "Secret")) == 3)
    for name, data in opened.items():
        of_name = next(document for document in documents(plain, "Secret") if f'name: "{name}"' in document)
        expect(f"{name} has all keys", set(re.findall(r"^  ([\w.-]+):", of_name.partition("stringData:")[2], re.MULTILINE)) == set(data))
        for value in data.values():
            lines = [line for line in value.splitlines() if line.strip()]
            expect(f"{name} has what `plain` has", bool(lines) and all(line.strip() in of_name for line in lines))


def check_keeping(repository):
    """Sealed values are kept, with and without values files; `--reencrypt` seals them again."""
    first = repository.text()
    code, _, errors = repository.run(values=False)
    expect(f"without values nothing changes, and nothing is said: {errors}",
           code == 0 and "warning" not in errors and repository.text() == first)
    expect("the tree is up to date", repository.run("--check", values=False)[0] == 0)
    changed = ("--set", "secrets.management.application_credential_secret=another")
    code, _, errors = repository.run(*changed)
    expect("with values it is kept, with a warning", code == 0 and "warning[G109]" in errors and repository.text() == first)
    code, _, errors = repository.run(*changed, "--reencrypt")
    expect(f"--reencrypt seals anew: {errors}", code == 0 and "another" in json.dumps(repository.opened(repository.text())))
    expect("without values --reencrypt loses nothing",
           repository.run("--reencrypt", values=False)[0] == 0 and PLACE_HOLDER not in repository.text())


def check_by_hand(repository):
    """A text from `kubeseal --raw` in place of a placeholder."""
    shutil.rmtree(repository.folder / "clusters")
    code, _, errors = repository.run(values=False)
    expect("place holders are told", code == 0 and "warning[S094]" in errors and PLACE_HOLDER in repository.text())
    raw = subprocess.run([repository.program, "--raw", "--cert", repository.folder / "certificate.pem", "--namespace", "plain-a",
                          "--name", "plain-a-cloud-config"], input="by hand", capture_output=True, text=True, check=True).stdout
    by_hand = repository.text().replace(PLACE_HOLDER, raw, 1)
    (repository.folder / SECRET_FILE).write_text(by_hand)
    code, _, errors = repository.run(values=False)
    expect(f"it stays: {errors}", code == 0 and repository.text() == by_hand)


def check_faults(repository):
    """A missing and an invalid certificate."""
    shutil.rmtree(repository.folder / "clusters")
    for certificate in ("missing.pem", "values.yaml"):
        code, _, errors = repository.run("--set", f"secrets.sealed.certificate={certificate}")
        expect(f"{certificate} is refused: {errors}", code == 2 and "G021" in errors and CANARY not in errors)
        expect("nothing is written", not (repository.folder / "clusters" / "plain-a").exists())


def main():
    program = real_kubeseal()
    if program is None:
        skip("there is no kubeseal")
    if shutil.which("openssl") is None:
        skip("there is no openssl to make a certificate with")
    with tempfile.TemporaryDirectory() as scratch:
        repository = Repository(pathlib.Path(scratch), program)
        for check in (check_sealing, check_keeping, check_by_hand, check_faults):
            before = len(faults)
            check(repository)
            print(f"{check.__name__}: {len(faults) - before} faults")
    print(*faults, sep="\n")
    sys.exit(1 if faults else 0)


main()
