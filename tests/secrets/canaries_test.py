#!/usr/bin/env python3
"""Secrets are written only in the requested form.

Every key that a schema marks as secret has a canary. Then every command runs in every form and with every kind of error,
and its whole output is searched for canaries: unchanged, in parts, reversed, encoded and digested.

    CAPWRIGHT=build/dev/capwright canaries_test.py [NAME...]     # parts whose name has one of these words

Each form with half of the sets and each set with half of the forms; with CAPWRIGHT_EFFORT=all, all with all.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from canary import Canaries
from expressions import expressions
from manifests import FORMS as REPORT_FORMS, OWN_RULE, faulty, reports, valid
from secret_keys import block_yaml, nested, secret_paths

EVERY = os.environ.get("CAPWRIGHT_EFFORT") == "all"
ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = ("sops", "kubeseal")
SETS = ("capo", "capa", "capz", "capoci")
FORMS = ("external", "sealed", "sops", "avp", "ref", "plain")
STORE = {"external": "\nsecrets: {store: {name: vault}}\n"}
REGISTRIES = {"capo": "registries: {credentials: [{host: harbor.example.com, account: harbor}]}\n"}
ADDONS = ("kube-prometheus-stack", "loki", "velero", "external-dns", "manila-csi", "ceph-csi-cephfs")


# Unusual, but valid texts.
NO_FAULTS = ("anchor", "brackets", "path", "block")


class Leaks:
    """Counts runs, and records leaks."""

    def __init__(self):
        self.runs, self.found = 0, []

    def add(self, canaries, what, text):
        self.found += [f"{what}: {leak}" for leak in canaries.found_in(text)]


class Place:
    """A working repository; the secrets are outside of it."""

    def __init__(self, scratch, canaries, leaks):
        self.folder, self.outside = scratch / "repository", scratch / "outside"
        self.canaries, self.leaks = canaries, leaks
        self.tools = scratch / "tools"
        for folder in (self.folder / ".git", self.outside, self.tools):
            folder.mkdir(parents=True)
        for program in PROGRAMS:
            (self.tools / program).symlink_to(ROOT / "tests" / "support" / f"fake_{program}.py")
        self.log = self.outside / "calls"

    def run(self, *arguments, may_print=False, about="", stdin="", program="", **environment):
        """Runs the program; its output must not contain a canary, unless it `may_print`, like `--check` on both streams."""
        path = f"{self.tools}{os.pathsep}{os.environ['PATH']}"
        variables = {"PATH": path, "HOME": str(self.folder), "FAKE_SOPS_LOG": str(self.log),
                     "FAKE_KUBESEAL_LOG": str(self.log)} | environment
        process = subprocess.run([os.environ["CAPWRIGHT"] + program, *map(str, arguments)], cwd=self.folder, env=variables,
                                 input=stdin.encode(), capture_output=True)
        shown = about or " ".join(map(str, arguments))
        self.leaks.runs += 1
        if not may_print:
            self.leaks.add(self.canaries, f"{shown}: stdout", process.stdout)
        if not may_print or "--check" not in arguments:
            self.leaks.add(self.canaries, f"{shown}: stderr", process.stderr)
        if b"lint-rules/" in process.stdout + process.stderr:
            self.leaks.found.append(f"{shown}: an error of the own rule hides all else")
        if process.returncode not in (0, 1, 2):
            self.leaks.found.append(f"{shown}: ends with {process.returncode}\n{process.stderr.decode()}")
        return process

    def scan(self, what, *inputs):
        """Every file of the repository except its `inputs`, and the arguments of started programs."""
        for path in sorted(self.folder.rglob("*")):
            if path.is_file() and str(path.relative_to(self.folder)) not in inputs:
                self.leaks.add(self.canaries, f"{what}: {path.relative_to(self.folder)}", path.read_bytes())
                self.leaks.add(self.canaries, f"{what}: the name of a file", str(path).encode())
        if self.log.exists():
            self.leaks.add(self.canaries, f"{what}: arguments of a program", self.log.read_bytes())


def base_values(template_set, form):
    text = (ROOT / "golden" / template_set / "secrets-plain" / "values.yaml").read_text()
    head, _, tail = text.partition("\nsecrets:")
    rest = tail.partition("\n\n")[2]
    more = {"external": "  store: {name: vault}\n", "sealed": "  sealed: {certificate: certificate.pem}\n"}.get(form, "")
    return f"{head}\n{REGISTRIES.get(template_set, '')}secrets:\n  form: {form}\n{more}\n{rest}"


def place_for(template_set, form, scratch, canaries, leaks):
    place = Place(scratch, canaries, leaks)
    (place.folder / "values").mkdir()
    (place.folder / "capwright.yaml").write_text("values: [values]\n")
    (place.folder / "values" / "a.yaml").write_text(base_values(template_set, form))
    (place.folder / "certificate.pem").touch()
    (place.folder / ".sops.yaml").write_text("creation_rules:\n  - encrypted_regex: ^(data|stringData)$\n    age: made-up\n")
    return place


def plant_all(template_set, place):
    """A layer with a canary at every secret key."""
    paths = secret_paths(os.environ["CAPWRIGHT"], template_set)
    entries = {path: place.canaries.plant(".".join(path)) for path in paths}
    layer = place.outside / "secrets.yaml"
    layer.write_text(json.dumps(nested(entries)))
    return paths, entries, layer


def check_golden(template_set, form, place, layer):
    """A golden case with these values: its stored tree, and the report on a manually changed tree."""
    case = place.folder / "golden" / template_set / "a"
    case.mkdir(parents=True)
    (case / "values.yaml").write_text(base_values(template_set, form))
    (case / "expect.yaml").write_text("values: [secrets.yaml]\n")
    shutil.copy(layer, case / "secrets.yaml")
    place.run("test", "-v")
    place.run("test", "--update", "-v")
    for path in sorted((case / "clusters").rglob("*.yaml")):
        path.write_text(path.read_text().replace("name", "nmae"))
    for style in ((), ("-v",), ("-f", "json"), ("-f", "junit")):
        place.run("test", *style)
    (case / "values.yaml").write_text("nonsense: 1\n")
    place.run("test", "-v")
    (case / "secrets.yaml").unlink()


def check_reports(place, values):
    """Commands that report findings of a cluster, in every format."""
    for style in REPORT_FORMS:
        place.run("lint", "a", *values, "-f", style)
        place.run("render", *values, "--check", "--set", "cluster_name=b", "-f", style)
    for more in (("--statistics",), ("--unsafe-fixes", "--diff"), ("--select", "CAP,K,ORG", "--blame", "rendered"),
                 ("--blame", "template", "-f", "json")):
        place.run("lint", "a", *values, *more)
    rules = place.folder / "lint-rules"
    rules.mkdir()
    (rules / "a.yaml").write_text(OWN_RULE)
    place.run("lint", "a", *values, "--select", "ORG")
    place.run("lint", "a", *values, "--select", "ORG", "-f", "json")
    shutil.rmtree(rules)
    for path in sorted((place.folder / "clusters").rglob("*secret*.yaml")):
        name = str(path.relative_to(place.folder))
        for kind, text in reports(name, path.read_text().count("\n")):
            (place.outside / "report").write_text(text)
            for style in ("text", "json"):
                place.run("remap", place.outside / "report", "--from", kind, *values, "-f", style)
    for arguments in (("generate", "--all"), ("generate",), ("parameters",), ("doctor",)):
        place.run("cmp", *arguments, ARGOCD_APP_NAME="a", ARGOCD_APP_PARAMETERS="[]")
    place.run("fmt", values[1], "--diff")
    place.run("leftovers", values[1])
    place.run("schema", "add", values[1])
    place.run("lint", values[1])
    place.run("explain", values[1])
    place.run("graph", values[1])


def check_commands(template_set, form, place):
    """Every command that reads values, with valid ones."""
    _, _, layer = plant_all(template_set, place)
    values = ("--values", layer)
    readable = form == "plain"
    for style in ((), ("-f", "json"), ("-f", "concise", "-v")):
        place.run("render", *values, *style)
        place.run("render", *values, "--check", *style)
        place.run("render", *values, "--stdout", *style, may_print=readable)
    place.run("render", *values, "--list")
    place.run("render", *values, "--source-map")
    place.run("render", *values, "--stdout", CI="true")
    place.run("render", *values, "--force", "--reencrypt")
    listed = place.run("render", *values, "--list").stdout.decode().split()
    for path in listed:
        for style in ((), ("-f", "json")):
            place.run("explain", *values, *style, path)
    for style in ((), ("--no-origin",), ("-f", "json"), ("--no-origin", "-f", "json")):
        place.run("values", "a", *values, *style)
    for style in ((), ("-f", "json")):
        for target in ("secrets", "cluster_name", values[1]):
            place.run("explain", target, "--cluster", "a", *values, *style)
    for style in ("yaml", "json"):
        place.run("inventory", "a", *values, "-f", style)
    for style in ("text", "dot", "mermaid", "json"):
        place.run("graph", "a", *values, "-f", style)
    check_golden(template_set, form, place, layer)
    check_reports(place, values)
    for style in ((), ("--text",), ("--by", "cluster", "-v"), ("-f", "json"), ("-f", "markdown")):
        place.run("diff", *values, *style)
    for style in ((), ("-v",), ("-f", "json"), ("-f", "markdown"), ("-f", "github")):
        place.run("plan", *values, *style)
        place.run("plan", *values, "--set", "control_plane_count=5", *style)
    place.scan(f"{template_set} {form}")
    # A user adds a secret to the tree by hand, and runs a comparison.
    for path in sorted((place.folder / "clusters").rglob("*secret*.yaml")):
        path.write_bytes(path.read_bytes() + layer.read_bytes())
    encrypted = form in ("sops", "sealed")
    if encrypted:
        place.run("render", *values, "--check")
        place.run("render", *values)
    for misbehaviour in ("echo", "readable", "leak", "die", "garbage", "silent"):
        bad = {"FAKE_SOPS": misbehaviour, "FAKE_KUBESEAL": misbehaviour}
        place.run("render", *values, "--stdout", **bad, may_print=readable)
        place.run("render", *values, "--stdout", "--reencrypt", **bad, may_print=readable)
        place.run("render", *values, "--check", "-f", "json", **bad, may_print=not encrypted)
    place.run("render", *values, "--stdout", FAKE_SOPS_KEY="no", may_print=readable)
    shutil.copy(layer, place.folder / "values" / "secrets.yaml")
    for command in ("values", "segments"):
        place.run(command, "a", program="-dev")
    for addon in ADDONS:
        place.run("addons", "defaults", addon, "--cluster", "a", *values)
    place.run("addons", "list", "--cluster", "a", *values)


def faulty_values(path, canary, number):
    """Layers with an error at or next to a secret: (the error, text)."""
    parent, key = path[:-1], path[-1]
    for name, value in {
            "number": number, "list": f"[{canary!r}]", "map": f"{{a: {canary!r}}}", "key": f"{{{canary!r}: a}}",
            "nested": f"[{{a: [{canary!r}, {number}]}}]", "reference": f"'${{{canary}}}'", "open reference": f"'${{{canary}'",
            "reference inside": f"'a ${{network.{canary}}} b'", "path": f"'${{network.a b {canary}}}'",
            "plain colon": f"{canary}: a", "open quote": f'"{canary}', "open single quote": f"'{canary}",
            "alias": f"*{canary.split('/')[0]}", "tag": f"!{canary.split('/')[0]} a", "anchor": f"&{canary.split('/')[0]}",
            "open list": f"[{canary}", "open map": f"{{{canary}", "at": f"@{canary}", "percent": f"%{canary}",
            "backtick": f"`{canary}", "tab": f"\t{canary}\n\tx", "text behind": f"'a' {canary}", "escape": f'"\\q{canary}"',
            "block header": f"|{canary}", "folded header": f">{canary}", "control": f"{canary}\x01", "block": f"|\n   {canary}\n  {canary}",
            "continued": f"{canary}\n  {canary}: [", "flow": f"{{a: {canary}, a: {canary}}}", "brackets": f"{canary}]"}.items():
        yield name, block_yaml(nested({path: value}))
    for name, entries in {
            "misspelt": {(*parent, key + "s"): canary}, "misspelt map": {(*parent, key + "_"): f"{{a: {canary}}}"},
            "beside": {path: canary, (*parent, "unknown"): "1"}, "other unknown": {(*parent, "password"): canary},
            "too high": {parent: canary}, "at the top": {(key,): canary}, "below": {(*path, "value"): canary},
            "in `secrets`": {("secrets", key): canary}, "as the section": {("secrets",): canary}}.items():
        yield name, block_yaml(nested(entries))
    yield "twice", block_yaml(nested({path: canary})) + "  " * len(parent) + f"{key}: {canary}\n"
    yield "in JSON", '{"a": ' + json.dumps({key: canary}) + f' "{canary}"'
    whole = "'${" + ".".join(f'"{part}"' if "-" in part else part for part in path) + "}'"
    for target in ("cluster_name", "namespace", "kubernetes_version", "image_name", "provider", "schema_version", "nonsense"):
        yield f"reference in `{target}`", block_yaml(nested({path: canary})) + f"{target}: {whole}\n"
    yield "reference inside a name", block_yaml(nested({path: canary})) + f"cluster_name: 'a-{whole[1:-1]}'\n"
    yield "reference in a pool", block_yaml(nested({path: canary})) + f"worker_pools: [{{name: {whole}, count: {whole}}}]\n"
    yield "reference in an add-on", block_yaml(nested({path: canary})) + f"addons: [{{id: {whole}}}, {{id: loki, version: {whole}}}]\n"


def check_faults(template_set, form, place):
    """Every kind of error in values; each at two of the keys, or at all if CAPWRIGHT_EFFORT=all."""
    paths, _, layer = plant_all(template_set, place)
    faulty = place.outside / "faulty.yaml"
    for index, path in enumerate(paths):
        name = ".".join(path)
        canary, number = place.canaries.plant(f"{name} (faulty)"), place.canaries.plant(f"{name} (number)", numeric=True)
        for turn, (what, text) in enumerate(faulty_values(path, canary, number)):
            if not EVERY and turn % len(paths) not in (index, (index + 5) % len(paths)):
                continue
            faulty.write_text(text)
            style = ("text", "json", "concise")[turn % 3]
            run = place.run("render", "--values", layer, "--values", faulty, "-f", style, about=f"{name}, {what}")
            if run.returncode == 0 and what not in NO_FAULTS:
                place.leaks.found.append(f"{template_set}: {name}, {what}: is no fault")
        for turn, assignment in enumerate((f"{name}={canary}", f"{name}.a={canary}", f"{name}[0]={canary}", f"{name}=[{canary}",
                                           f"{name}={number}", f"{name}s={canary}", f"{name} {canary}")):
            if EVERY or turn % len(paths) == index:
                place.run("render", "--values", layer, "--set", assignment, "--list", about=f"--set {name}, {turn}")
                place.run("render", "--values", layer, "--set-string", assignment, "--check", about=f"--set-string {name}, {turn}")
    place.scan(f"{template_set} {form}, faults")


def check_manifest(place, name, text):
    """Every command that reads manifests, on one with secrets; what stands in the tree is known to no schema."""
    before, after, other = (place.folder / folder for folder in ("before", "after", "other"))
    for folder in (before, after, other):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
    file = "a.json" if name.endswith("JSON") else "a.yaml"
    (before / file).write_text(text)
    (after / file).write_text(text.replace("name: a", "name: b"))
    (other / "public.yaml").write_text("apiVersion: v1\nkind: Namespace\nmetadata: {name: n}\n")
    about = f"manifest, {name}"
    for style in REPORT_FORMS:
        place.run("lint", "before", "-f", style, about=f"{about}: lint -f {style}")
    for arguments in (("--unsafe-fixes", "--diff"), ("--select", "CAP,K,ORG"), ("--write-baseline=baseline.json",), ("--statistics", "-f", "json")):
        place.run("lint", "before", *arguments, about=f"{about}: lint {arguments}")
    place.run("lint", "-", stdin=text, about=f"{about}: lint -")
    for style in ("text", "dot", "mermaid", "json"):
        place.run("graph", "before", "-f", style, about=f"{about}: graph -f {style}")
    for pair in (("before", "after"), ("before", "other"), ("other", "after")):
        for style in ((), ("--text",), ("-f", "json"), ("-f", "markdown")):
            place.run("diff", *pair, *style, about=f"{about}: diff {pair} {style}")
        for style in ((), ("-f", "json"), ("-f", "markdown"), ("-f", "github")):
            place.run("plan", *pair, *style, about=f"{about}: plan {pair} {style}")
    for kind, report in reports(f"before/{file}", text.count("\n")):
        for style in ("text", "json"):
            place.run("remap", "--from", kind, "-f", style, "-o", ".", stdin=report, about=f"{about}: remap {kind} {style}")
    place.run("leftovers", f"before/{file}", about=f"{about}: leftovers")
    place.run("schema", "add", f"before/{file}", about=f"{about}: schema add")
    place.run("lint", "before", "--baseline", f"before/{file}", about=f"{about}: --baseline")
    place.run("lint", "before", "--config", f"before/{file}", about=f"{about}: --config")
    place.run("render", "--values", f"before/{file}", about=f"{about}: --values")
    place.run("lint", "before", "--unsafe-fixes", about=f"{about}: lint --unsafe-fixes")


def check_manifests(manifests, place):
    rules = place.folder / "lint-rules"
    rules.mkdir()
    (rules / "a.yaml").write_text(OWN_RULE)
    texts = list(manifests(place.canaries.plant))
    for name, text in texts:
        check_manifest(place, name, text)
    place.scan("manifests", *(f"{folder}/a.{end}" for folder in ("before", "after") for end in ("yaml", "json")))


def check_templates(place):
    """Expressions that use a secret, in a file that must not contain one."""
    secret, number = place.canaries.plant("secret"), place.canaries.plant("number", numeric=True)
    secrets = {key: {"type": "string", "x-secret": True} for key in ("s", "n", "l")}
    schema = {"type": "object", "properties": {"cluster_name": {"type": "string"}, "p": {"type": "string"}, **secrets}}
    inputs = {"schema.json": json.dumps(schema), "values.yaml": json.dumps({"cluster_name": "a", "s": secret, "n": number,
                                                                         "l": f"{secret}\n{secret}\n", "p": "public"})}
    for name, text in inputs.items():
        (place.folder / name).write_text(text)
    templates = place.folder / "templates"
    templates.mkdir()
    for number, expression in enumerate(expressions(ROOT)):
        (templates / "main.j2").write_text(f"# FILE: clusters/a/out.yaml\na: b\n{expression}\n")
        style = ("text", "json")[number % 2]
        place.run("render", "values.yaml", "--template-dir", "templates", "--main", "main.j2", "--schema", "schema.json", "-f", style,
                  about=expression)
        place.scan(expression, *inputs)
        shutil.rmtree(place.folder / "clusters", ignore_errors=True)


def parts():
    for number, template_set in enumerate(SETS):
        for form in FORMS if EVERY else FORMS[number % 2::2]:
            yield f"{template_set} {form}", lambda place, s=template_set, f=form: check_commands(s, f, place), template_set, form
        yield f"{template_set} faults", lambda place, s=template_set: check_faults(s, "external", place), template_set, "external"
    yield "templates", check_templates, None, None
    for manifests in (valid, faulty):
        yield f"{manifests.__name__} manifests", lambda place, m=manifests: check_manifests(m, place), None, None


def main():
    leaks = Leaks()
    for name, check, template_set, form in parts():
        if sys.argv[1:] and not any(word in name for word in sys.argv[1:]):
            continue
        before, known = leaks.runs, len(leaks.found)
        with tempfile.TemporaryDirectory() as scratch:
            scratch, canaries = pathlib.Path(scratch), Canaries()
            check(place_for(template_set, form, scratch, canaries, leaks) if template_set else Place(scratch, canaries, leaks))
        print(f"{name}: {leaks.runs - before} runs, {len(leaks.found) - known} leaks")
    print(*dict.fromkeys(leaks.found), sep="\n")
    sys.exit(1 if leaks.found else 0)


if __name__ == "__main__":
    main()
