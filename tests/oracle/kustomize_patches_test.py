#!/usr/bin/env python3
"""Patches mean the same to capwright and to kustomize.

The cases are generated, also for kinds whose lists are merged by keys, taken from the tables of kyaml's merge2, and taken from
kustomize's own tests of `patches`, with built-in kinds moved to a group of custom resources. Each is built by kustomize and rendered
by capwright; the objects are compared one by one.

Usage: kustomize_patches_test.py [CASES [SEED]]      environment: CAPWRIGHT names the program
Exit code 77 and a reason if `go`, its modules or PyYAML aren't available.
"""

import collections
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from go_program import GoProgram, skip

SOURCE = pathlib.Path(__file__).parent / "kustomize_patches"
DEFAULT_CASES = 300
SHOWN = 10
KEEP = "apiVersion: example.com/v1\nkind: Kept\nmetadata:\n  name: kept\n"
# Cases of kustomize's tests that patches of capwright don't cover, with the reason.
NOT_FOR_CAPWRIGHT = {
    "allowNameChange": "changes the identity of an object",
    "allowKindChange": "changes the identity of an object",
    "namePrefix": "not a patch",
    "nameSuffix": "not a patch",
    "configMapGenerator": "not a patch",
    "secretGenerator": "not a patch",
    "bases": "several kustomizations",
    "components": "several kustomizations",
    "crds": "a schema that merges lists by a key",
    "openapi": "a schema that merges lists by a key",
    "namespace": "not a patch",
    "vars": "not a patch",
}


try:
    import yaml
except ImportError:
    skip("there is no PyYAML")


class Kustomize:
    def __init__(self, folder):
        self.program = GoProgram(SOURCE, folder)

    def module(self, name):
        return pathlib.Path(self.program.go("list", "-m", "-f", "{{.Dir}}", f"sigs.k8s.io/kustomize/{name}").strip())

    def build(self, cases):
        return self.program.ask(cases)


class Case:
    def __init__(self, name, objects, patches, files=None):
        self.name, self.objects, self.patches, self.files = name, objects, patches, files or {}

    def kustomization(self):
        listed = json.dumps({"resources": ["objects.yaml", "keep.yaml"], "patches": self.patches})
        return {"kustomization.yaml": listed, "objects.yaml": self.objects, "keep.yaml": KEEP} | self.files

    def render(self, folder):
        """The rendered text and None, or None and what the program reports."""
        folder.mkdir()
        for path, text in {
            ".git/HEAD": "",
            "capwright.yaml": json.dumps({"template": {"dir": "t", "main": "main.j2"}, "patches": self.patches}),
            "values/prod.yaml": "cluster_name: prod\n",
            "t/main.j2": "# FILE: clusters/prod/objects.yaml\n{% raw %}" + self.objects.strip("\n") + "{% endraw %}\n"
                         "# FILE: clusters/prod/keep.yaml\n" + KEEP,
            **self.files,
        }.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
        run = subprocess.run([os.environ["CAPWRIGHT"], "render", "-f", "concise"], cwd=folder, capture_output=True, text=True)
        if run.returncode not in (0, 1):
            raise SystemExit(f"{self.name}: exit code {run.returncode}: {run.stdout}{run.stderr}")
        if run.returncode == 1:
            return None, run.stdout + run.stderr
        texts = [path.read_text() for path in sorted((folder / "clusters" / "prod").glob("*.yaml"))]
        return "\n---\n".join(texts), None


# ---- generated cases ----

KEYS = ["a", "b", "c", "name", "x.y", "x/z"]
TEXTS = ["x", "y", "yes", "1", "0644", "null", "a: b", "# c", "", "two words", "line\nbreak\n", "- d", "ä€"]


def scalar(rng):
    return rng.choice([rng.choice(TEXTS), rng.choice(TEXTS), rng.randint(-3, 30), True, False, 1.5])


def value(rng, depth):
    kind = rng.random()
    if depth < 3 and kind < 0.4:
        return {key: value(rng, depth + 1) for key in rng.sample(KEYS, rng.randint(0, 4))}
    if depth < 3 and kind < 0.6:
        return [value(rng, depth + 1) for _ in range(rng.randint(0, 3))]
    return scalar(rng)


def as_yaml(rng, node, indent=0):
    """Random layout: block or brackets, quotes, comments."""
    pad = " " * indent
    comment = rng.choice(["", "", "  # note"])
    if not isinstance(node, (dict, list)) or not node or (indent > 2 and rng.random() < 0.25):
        return f" {json.dumps(node, ensure_ascii=False)}{comment}\n"
    lines = comment + "\n"
    step = rng.choice([2, 2, 4])
    if isinstance(node, list):
        for item in node:
            lines += rng.choice(["", "", f"{pad}# item\n"]) + f"{pad}-{as_yaml(rng, item, indent + 2)}"
        return lines
    for key, item in node.items():
        if rng.random() < 0.1:
            lines += f"{pad}# about {key}\n"
        deeper = indent if isinstance(item, list) and rng.random() < 0.5 else indent + step
        lines += f"{pad}{key}:{as_yaml(rng, item, deeper)}"
    return lines


def merge_patch(rng, node, depth=0):
    """A patch that mostly fits a map."""
    patch = {}
    for key, item in node.items():
        if rng.random() < 0.5:
            continue
        kind = rng.random()
        if kind < 0.15:
            patch[key] = None
        elif isinstance(item, dict):
            patch[key] = merge_patch(rng, item, depth + 1) if kind < 0.99 else value(rng, 1)
        elif isinstance(item, list):
            patch[key] = [value(rng, depth + 1) for _ in range(rng.randint(0, 3))] if kind < 0.99 else scalar(rng)
        else:
            patch[key] = scalar(rng)
    for key in rng.sample(KEYS, rng.randint(0, 2)):
        patch.setdefault(key, value(rng, depth + 1))
    if depth and rng.random() < 0.12:
        patch = {"$patch": rng.choice(["delete", "replace", "merge"])} | patch
    return patch


def pointers(node, path=""):
    yield path, node
    if isinstance(node, dict):
        for key, item in node.items():
            yield from pointers(item, path + "/" + key.replace("~", "~0").replace("/", "~1"))
    elif isinstance(node, list):
        for i, item in enumerate(node):
            yield from pointers(item, f"{path}/{i}")


def json_operations(rng, node):
    known = [(path, item) for path, item in pointers(node, "/spec")]
    operations = []
    for _ in range(rng.choice([1, 1, 1, 2])):
        path, item = rng.choice(known)
        other = rng.choice(known)[0]
        inside = path + rng.choice(["/-", "/0", "/1", "/-1"]) if isinstance(item, list) else path + "/" + rng.choice(["a", "new", "x~1z"])
        op = rng.choice(["add", "add", "remove", "replace", "test", "copy", "move"])
        fits = isinstance(item, (dict, list)) and not inside.endswith(("/0", "/1", "/-1")) or rng.random() < 0.1
        target = inside if op in ("add", "copy", "move") and fits else rng.choice([path] * 12 + [inside])
        operation = {"op": op, "path": target}
        if op in ("add", "replace"):
            operation["value"] = value(rng, 2)
        elif op == "test":
            operation["value"] = item if rng.random() < 0.8 else scalar(rng)
        elif op in ("copy", "move"):
            operation["from"] = other
        operations.append(operation)
    return operations


def target(rng):
    conditions = {"kind": ["Pool", "Po.*", "Pool|Quota", "poo"], "name": ["a", "[ab]", "a.*", ".*", "b"], "group": ["example.com", "example"],
                  "version": ["v1", "v[12]"], "namespace": ["prod", "default", ".*"], "labelSelector": ["tier=web", "tier in (web,db)", "!tier", "tier!=web", "tier"],
                  "annotationSelector": ["note", "note=x"]}
    return {key: rng.choice(conditions[key]) for key in rng.sample(sorted(conditions), rng.choice([1, 1, 2, 3]))}


def as_json(patch):
    # Not escaped: `test` of kustomize's library compares the bytes of JSON.
    return json.dumps(patch, ensure_ascii=False)


def generated(rng, number):
    specs, texts = [], []
    for name, kind, space, labels in (("a", "Pool", "prod", {"tier": "web"}), ("ab", "Pool", None, {"tier": "db"}), ("b", "Quota", "prod", None)):
        metadata = {"name": name}
        if space:
            metadata["namespace"] = space
        if labels:
            metadata["labels"] = labels
        if rng.random() < 0.5:
            metadata["annotations"] = {"note": rng.choice(["x", "y"])}
        spec = {key: value(rng, 0) for key in rng.sample(KEYS, rng.randint(1, 4))}
        specs.append(spec)
        texts.append(as_yaml(rng, {"apiVersion": "example.com/v1", "kind": kind, "metadata": metadata, "spec": spec}).lstrip("\n"))
    patches = []
    for _ in range(rng.choice([1, 1, 2])):
        chosen = rng.randrange(3)
        kind = rng.random()
        if kind < 0.45:
            patch = {"spec": merge_patch(rng, specs[chosen])}
            if rng.random() < 0.3:
                patch["metadata"] = {"labels": {"added": "1"}, "name": "placeholder"}
            if rng.random() < 0.06:
                patch = {"$patch": rng.choice(["delete", "replace"])} | patch
            patches.append({"target": target(rng), "patch": as_json({"apiVersion": "example.com/v1", "kind": "Pool", "metadata": {"name": "x"}} | patch)})
        elif kind < 0.6:
            name, of, space = (("a", "Pool", "prod"), ("ab", "Pool", None), ("b", "Quota", "prod"))[chosen]
            metadata = {"name": name} | ({"namespace": space} if space and rng.random() < 0.97 else {})
            patches.append({"patch": as_json({"apiVersion": "example.com/v1", "kind": of, "metadata": metadata, "spec": merge_patch(rng, specs[chosen])})})
        else:
            patches.append({"target": {"name": ("a", "ab", "b")[chosen]}, "patch": as_json(json_operations(rng, specs[chosen]))})
    return Case(f"generated {number}", "---\n".join(texts), patches)


def some(rng, make, words, least=0):
    return [make(word) for word in rng.sample(words, rng.randint(least, len(words)))]


def container(rng, name, is_patch):
    known = {"name": name}
    if is_patch and rng.random() < 0.15:
        return known | {"$patch": "delete"}
    fields = {
        "image": rng.choice(TEXTS[:2]), "args": [rng.choice(TEXTS[:2])],
        "env": some(rng, lambda word: {"name": word, "value": rng.choice(["1", "2"])}, ["E", "F", "G"], 1),
        "ports": some(rng, lambda word: {"containerPort": 80, "protocol": word, "hostPort": rng.randint(1, 3)}, ["TCP", "UDP"], 1),
        "volumeMounts": some(rng, lambda word: {"mountPath": word, "name": rng.choice("vw")}, ["/v", "/w"], 1)}
    return known | {key: fields[key] for key in rng.sample(sorted(fields), rng.randint(1, 4))}


def pod(rng, is_patch):
    lists = {
        "containers": some(rng, lambda name: container(rng, name, is_patch), ["a", "b", "c"], 1),
        "initContainers": some(rng, lambda name: container(rng, name, is_patch), ["i", "j"], 1),
        "volumes": some(rng, lambda name: {"name": name, "emptyDir": {}}, ["v", "w", "x"], 1),
        "imagePullSecrets": some(rng, lambda name: {"name": name}, ["p", "q"], 1),
        "tolerations": [{"key": rng.choice("ab"), "operator": "Exists"}]}
    spec = {key: lists[key] for key in rng.sample(sorted(lists), rng.randint(2, 5))}
    if is_patch and rng.random() < 0.2:
        rng.choice(list(spec.values())).insert(0, {"$patch": "replace"})
    return spec


def object_of_built_in_kind(rng, kind, is_patch):
    finalizers = some(rng, lambda word: f"example.com/{word}", ["f", "g"])
    metadata = {"name": "a"} | ({"finalizers": finalizers} if finalizers else {})
    if kind == "Service":
        ports = [(80, "TCP"), (80, "UDP"), (81, "TCP")]
        spec = {"ports": some(rng, lambda port: {"port": port[0], "protocol": port[1], "targetPort": rng.randint(1, 9)}, ports, 1)}
        return {"apiVersion": "v1", "kind": kind, "metadata": metadata, "spec": spec}
    template = {"metadata": {"labels": {"a": "b"}}, "spec": pod(rng, is_patch)}
    if kind == "CronJob":
        return {"apiVersion": "batch/v1", "kind": kind, "metadata": metadata, "spec": {"jobTemplate": {"spec": {"template": template}}}}
    return {"apiVersion": "apps/v1", "kind": kind, "metadata": metadata, "spec": {"template": template}}


def built_in(rng, number):
    kinds = ["Deployment", "CronJob", "Service", "DaemonSet"]
    texts = [as_yaml(rng, object_of_built_in_kind(rng, kind, False)).lstrip("\n") for kind in kinds]
    patches = []
    for kind in rng.sample(kinds, rng.randint(1, 2)):
        patches.append({"target": {"kind": kind}, "patch": as_json(object_of_built_in_kind(rng, kind, True))})
    return Case(f"built-in {number}", "---\n".join(texts), patches)


# ---- upstream cases ----

HEAD = "apiVersion: example.com/v1\nkind: Pool\nmetadata:\n  name: a\n"


def below_spec(text):
    lines = [line for line in text.strip("\n").split("\n") if not re.match(r"(apiVersion|kind):", line)]
    return HEAD + "spec:\n" + "".join(f"  {line}\n" for line in lines if line.strip())


def merge2_cases(module, reasons):
    """The tables of kyaml/yaml/merge2, as the spec of a custom resource."""
    for path in sorted((module / "yaml" / "merge2").glob("*_test.go")):
        for block in re.split(r"\n\s*\{?\s*description:", path.read_text())[1:]:
            name = re.match(r"\s*[`\"](.*?)[`\"]", block)
            source = re.search(r"source:\s*`(.*?)`", block, re.S)
            dest = re.search(r"dest:\s*`(.*?)`", block, re.S)
            if not (name and source and dest) or re.search(r"infer:\s*true", block):
                continue
            if re.search(r"# *\{", source[1] + dest[1]):
                reasons["a schema in a comment, which merges a list by a key"] += 1
                continue
            yield Case(f"{path.name}: {name[1]}", below_spec(dest[1]), [{"target": {"name": "a"}, "patch": below_spec(source[1])}])


def moved_to_custom(text):
    text = re.sub(r"(?m)^(\s*(?:- )?apiVersion: )v1$", r"\1core.example.com/v1", text)
    text = re.sub(r"(?m)^(\s*(?:- )?apiVersion: )apps/(v\w+)$", r"\1apps.example.com/\2", text)
    text = re.sub(r"(?m)^(\s*(?:- )?apiVersion: )(batch|extensions|networking.k8s.io|storage.k8s.io|rbac.authorization.k8s.io|policy)/(v\w+)$", r"\1custom.example.com/\3", text)
    return re.sub(r"(?m)^(\s*group: )apps$", r"\1apps.example.com", text)


def functions(text):
    return {name: body for name, body in re.findall(r"^func (\w+)\(.*?\{\n(.*?)^\}", text, re.S | re.M)}


def files_of(body, known, seen=()):
    """What a test writes: {path: text}."""
    files = {}
    for helper, kind, path, text in re.findall(r"(\w+)\(th\)|th\.(WriteF|WriteK)\(\s*\"?([^\",]*)\"?,\s*`(.*?)`", body, re.S):
        if helper:
            if helper in known and helper not in seen:
                files |= files_of(known[helper], known, (*seen, helper))
        elif kind == "WriteF":
            files[os.path.normpath(path)] = text
        else:
            files[os.path.normpath(f"{path}/kustomization.yaml")] = text
    return files


def krusty_cases(module, reasons):
    """kustomize's tests of patches that consist of one kustomization."""
    for path in sorted((module / "krusty").glob("*patch*_test.go")):
        known = functions(path.read_text())
        for name, body in known.items():
            if not name.startswith("Test"):
                continue
            files = {each: moved_to_custom(text) for each, text in files_of(body, known).items()}
            roots = [each for each in files if each.endswith("kustomization.yaml")]
            if len(roots) != 1:
                reasons["several kustomizations, or generated in a loop"] += 1
                continue
            settings = yaml.safe_load(files.pop(roots[0]))
            folder = os.path.dirname(roots[0])
            files = {os.path.relpath(each, folder or "."): text for each, text in files.items()}
            case, reason = krusty_case(f"{path.name}: {name}", settings, files)
            if case:
                yield case
            else:
                reasons[reason] += 1


def krusty_case(name, settings, files):
    text = json.dumps(settings)
    for word, reason in NOT_FOR_CAPWRIGHT.items():
        if word in settings or f'"{word}": true' in text:
            return None, reason
    patches = list(settings.get("patches") or [])
    for patch in settings.get("patchesStrategicMerge") or []:
        patches.append({"path": patch} if patch in files else {"patch": patch})
    patches += list(settings.get("patchesJson6902") or [])
    if not patches or not all(each in files for each in settings.get("resources", [])):
        return None, "no patches of files"
    objects = "\n---\n".join(files[each].strip("\n") for each in settings["resources"]) + "\n"
    return Case(name, objects, patches, {each: text for each, text in files.items() if any(p.get("path") == each for p in patches)}), None


# ---- the comparison ----

def without_nulls(node):
    """A null field of a custom resource means the same as none: the API server drops it."""
    if isinstance(node, dict):
        return {key: without_nulls(item) for key, item in node.items() if item is not None}
    return [without_nulls(item) for item in node] if isinstance(node, list) else node


def by_name(objects):
    found = {}
    for each in objects:
        key = (each.get("apiVersion"), each.get("kind"), each["metadata"].get("namespace"), each["metadata"]["name"])
        found[key] = without_nulls(each)
    return found


# What capwright reports and kustomize accepts, by design; docs/patches.md lists these.
STRICTER = {r"has an item with `\$patch`": "a directive in a list that is replaced",
            "at the top of a patch": "`$patch: replace` of a whole object, which kustomize ignores",
            "`replace` at .*has no `|`test` at .*doesn't have it|has no .* to copy from": "an operation at a missing key, which RFC 6902 rejects",
            "delete all objects": "a cluster without objects",
            "changes `apiVersion`, `kind`, the name": "a changed identity"}
UNREADABLE = "kustomize can't read the YAML that it wrote"
KEPT_DIRECTIVE = "`$patch: replace` in a list that the object lacks, which kustomize writes into the object"
QUOTED = "a number or boolean in place of a quoted text, which kustomize quotes"


def as_texts(node):
    if isinstance(node, dict):
        return {key: as_texts(item) for key, item in node.items()}
    if isinstance(node, list):
        return [as_texts(item) for item in node]
    return json.dumps(node) if isinstance(node, (bool, int, float)) else node


def compare(case, expected, text, report, kustomize):
    """None if both agree; otherwise the difference, QUOTED, UNREADABLE, KEPT_DIRECTIVE, or a reason from STRICTER."""
    if text is None:
        if "error" in expected:
            return None
        known = [reason for words, reason in STRICTER.items() if re.search(words, report)]
        return known[0] if known else f"{case.name}: only capwright reports:\n{report}"
    if expected.get("error", "").startswith("yaml: line"):
        read = kustomize.build([case.kustomization() | {"kustomization.yaml": "resources: [objects.yaml, keep.yaml]\n"}])[0]
        if "error" not in read:
            return UNREADABLE
    if "error" in expected:
        return f"{case.name}: only kustomize reports: {expected['error']}"
    read = kustomize.build([{"kustomization.yaml": "resources: [objects.yaml]\n", "objects.yaml": text}])[0]
    if "error" in read:
        return f"{case.name}: kustomize can't read the result: {read['error']}\n{text}"
    ours, theirs = by_name(read["objects"]), by_name(expected["objects"])
    if ours == theirs:
        return None
    if as_texts(ours) == as_texts(theirs):
        return QUOTED
    if '[{"$patch": "replace"}]' in json.dumps(expected["objects"]):
        return KEPT_DIRECTIVE
    for key in ours.keys() | theirs.keys():
        if ours.get(key) != theirs.get(key):
            return f"{case.name}: {key}\n  capwright {json.dumps(ours.get(key))}\n  kustomize {json.dumps(theirs.get(key))}\n  patches {json.dumps(case.patches)}\n{case.objects}"
    return None


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_CASES
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    rng = random.Random(seed)
    failed = False
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        kustomize = Kustomize(scratch / "go")
        reasons = collections.Counter()
        groups = {
            "generated": [generated(rng, i) for i in range(count)],
            "lists of built-in kinds": [built_in(rng, i) for i in range(count // 2)],
            "kyaml's merge2": list(merge2_cases(kustomize.module("kyaml"), reasons)),
            "kustomize's tests of patches": list(krusty_cases(kustomize.module("api"), reasons)),
        }
        for number, (name, cases) in enumerate(groups.items()):
            results = kustomize.build([case.kustomization() for case in cases])
            found, others, errors, objects = [], collections.Counter(), 0, 0
            for i, (case, expected) in enumerate(zip(cases, results)):
                text, report = case.render(scratch / f"{number}-{i}")
                difference = compare(case, expected, text, report, kustomize)
                errors += difference is None and text is None
                objects += len(expected.get("objects", []))
                if difference in (QUOTED, UNREADABLE, KEPT_DIRECTIVE) or difference in STRICTER.values():
                    others[difference] += 1
                elif difference:
                    found.append(difference)
            print(f"{name}: {len(cases)} cases, {objects} objects, {errors} that both reject, {len(found)} differences", *found[:SHOWN], sep="\n  ")
            for reason, times in sorted(others.items()):
                print(f"  {times} differ by design: {reason}")
            failed = failed or bool(found) or not cases
        for reason, times in sorted(reasons.items()):
            print(f"  {times} cases of kustomize left out: {reason}")
    print(f"seed {seed}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
