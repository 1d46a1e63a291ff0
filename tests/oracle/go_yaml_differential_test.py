#!/usr/bin/env python3
"""Chart values mean the same to their writer and to Helm, which reads them with sigs.k8s.io/yaml, as kubectl does.

Random values are written by `to_nice_yaml` for Go's reader and read by it; random YAML text is read by both; and random
unquoted scalars are used in a cluster's add-on values, as a map and as text with and without `merge`.

Usage: go_yaml_differential_test.py [VALUES [SEED]]      environment: CAPWRIGHT names the program
Exit code 77 and a reason if `go` or its module isn't available.
"""

import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

from go_program import GoProgram

ORACLE = pathlib.Path(__file__).parent / "go_yaml"
DEFAULT_VALUES = 5_000
SHOWN = 20
SCALARS_A_CLUSTER = 200
TRAPS = """08 0o17 0O17 5e10 1e+3 -1e3 1E3 y n Y N yes no on off Yes NO On OFF true True TRUE false null Null ~ 0644 010 0b11 0B11 1_000 0x1F 0X1f
22:30 1:00:00 190:20:30 << = . .. ... - -- --- + +1 -1 .5 5. -.5 .inf -.inf +.inf .Inf .nan .NaN 1e400 -0 0 00 0_0 _1 1_ 1e 1e- 0x 0b 0o 2001-01-01
2001-12-14t21:59:43.10-05:00 12345678901234567890 18446744073709551616 -9223372036854775808 9223372036854775808 0.1 1.10 1.0 100000000000000000000
12e03 0e0 0777 0o8 09 0b2 1__0 0x_1 +0x1 -0b1 +0644 1.5e3 1.5e+3 1.e3 .e3 infinity NaN inf nan yEs tRue nO oN ! !a & * ? : - @a `a %a #a a# a:b a: :a""".split()
LETTERS = "abcdefxXoOyYnNtTuUeErRsSlL0123456789_.:+-eE"
OTHERS = " \t\n,[]{}#&*!|>'\"%@`?=<~\\/$äß€☃😀\u0085\u00a0\u2028\ufeff\x07"


def scalar(rng):
    kind = rng.random()
    if kind < 0.35:
        return rng.choice(TRAPS)
    if kind < 0.5:
        text = list(rng.choice(TRAPS))
        text[rng.randrange(len(text))] = rng.choice(LETTERS)
        return "".join(text)
    if kind < 0.7:
        return "".join(rng.choice(LETTERS) for _ in range(rng.randint(1, 7)))
    if kind < 0.8:
        return "".join(rng.choice("0123456789") for _ in range(rng.randint(1, 6))) + rng.choice(["", "e", "e5", "E-1", ".", ".5", "_0", ":1"])
    return "".join(rng.choice(LETTERS + OTHERS * 2) for _ in range(rng.randint(0, rng.choice([3, 12, 200]))))


def value(rng, depth=0):
    kind = rng.random()
    if depth < 4 and kind < 0.2:
        return {scalar(rng): value(rng, depth + 1) for _ in range(rng.randint(0, 4))}
    if depth < 4 and kind < 0.35:
        return [value(rng, depth + 1) for _ in range(rng.randint(0, 4))]
    if kind < 0.85:
        return scalar(rng)
    return rng.choice([None, True, False, 0, -1, 8, 420, 10**15, 1.5, 1e21, 1e-7, -2.0, rng.randint(-(2**63), 2**63 - 1)])


class GoYaml:
    def __init__(self, folder):
        self.program = GoProgram(ORACLE, folder)

    def read(self, texts):
        """Go's value of each text, or None if it rejects it."""
        return [answer.get("json", REFUSED) for answer in self.program.ask(texts)]


REFUSED = object()


def ask(cases):
    """`capwright-dev jinja` on (template, context) pairs: the outputs, None for an error."""
    options = {"extensions": ["extras"], "yaml_reader": "go"}
    lines = "".join(json.dumps({"id": str(i), "options": options, "main": "m", "templates": {"m": template}, "context": context}) + "\n"
                    for i, (template, context) in enumerate(cases))
    run = subprocess.run([os.environ["CAPWRIGHT"] + "-dev", "jinja"], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line).get("output") for line in run.stdout.split("\n") if line]


def same(a, b):
    """Equal as JSON that Helm decodes: numbers are floats, and booleans aren't numbers."""
    if isinstance(a, bool) or isinstance(b, bool) or a is None or b is None:
        return a is b
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return float(a) == float(b)
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b


def check_written(go, rng, count):
    values = [value(rng) for _ in range(count)]
    texts = ask([("{{ v | to_nice_yaml(indent=2, sort_keys=false, width=1000) }}", {"v": v}) for v in values])
    for given, text, read in zip(values, texts, go.read([text or "" for text in texts])):
        if text is None or not same(given, None if read is REFUSED else read):
            yield f"{given!r} is written as {text!r}, and read as {read!r}"


def check_read(go, rng, count):
    """Text that only Go accepts is an error, so it isn't a silent difference."""
    texts = [f"{scalar(rng)}: {scalar(rng)}\n" if rng.random() < 0.5 else f"a: {scalar(rng)}\n" for _ in range(count)]
    outputs = ask([("{{ t | from_yaml | to_json }}", {"t": text}) for text in texts])
    taken = 0
    for text, output, read in zip(texts, outputs, go.read(texts)):
        if output is None:
            continue
        taken += 1
        if read is not REFUSED and not same(json.loads(output), read):
            yield f"{text!r} is read as {output}, and by Go as {read!r}"
    print(f"  {taken} of {count} texts are taken")




class Cluster:
    def __init__(self, folder):
        self.folder = folder
        (folder / "values").mkdir(parents=True)
        (folder / ".git").mkdir()
        (folder / "capwright.yaml").write_text("values: [values]\n")
        text = (pathlib.Path(__file__).parents[2] / "golden" / "capo" / "minimal-kubeadm" / "values.yaml").read_text()
        self.base = re.sub(r"(?ms)^addon(s|_values|_settings):.*?(?=^\S|\Z)", "", text)

    def render(self, addon):
        """The lines of errors, and the chart values."""
        (self.folder / "values" / "a.yaml").write_text(addon + self.base)
        shutil.rmtree(self.folder / "clusters", ignore_errors=True)
        run = subprocess.run([os.environ["CAPWRIGHT"], "render", "-f", "concise"], cwd=self.folder, capture_output=True, text=True)
        found = list((self.folder / "clusters").rglob("cert-manager/values.yaml"))
        lines = {int(line) for line in re.findall(r"a\.yaml:(\d+):\d+: error", run.stdout + run.stderr)}
        return lines, found[0].read_text() if found else None, f"exit code {run.returncode}: {run.stdout}{run.stderr}"


def check_addons(go, rng, count, folder):
    """Unquoted scalars and keys, as a map, as text, and with `merge`: the same for Helm, or an error at the line."""
    cluster = Cluster(folder)
    plain = re.compile(r"[\w.:+~<=-]+")
    scalars = [s for s in (scalar(rng) for _ in range(count * 2)) if plain.fullmatch(s) and not s.endswith(":") and s not in ("---", "...", "-", "?")]
    scalars = scalars[:count]
    faults = 0
    for start in range(0, len(scalars), SCALARS_A_CLUSTER):
        lines = [f"k{i}: {s}" if i % 3 else f"{s}: {{k{i}: 1}}" for i, s in enumerate(scalars[start : start + SCALARS_A_CLUSTER])]
        lines = list({line.split(":")[0] if line.startswith("k") else line: line for line in lines}.values())
        known = {}
        for line, read in zip(lines, go.read(lines)):
            if read is not REFUSED:
                known[line] = read
        kept = list(known)
        head = "addons:\n  - cilium\n  - id: cert-manager\n    values:\n"
        while True:
            wrong, text, said = cluster.render(head + "".join(f"      {line}\n" for line in kept))
            wrong = {number - 5 for number in wrong} & set(range(len(kept)))
            if not wrong:
                break
            faults += len(wrong)
            kept = [line for i, line in enumerate(kept) if i not in wrong]
        if text is None:
            yield f"no chart values: {said[:2000]}"
            return
        expected = {}
        for line in kept:
            expected |= known[line]
        for form in ("map", "merge", "text and merge"):
            if form == "merge":
                text = cluster.render(head.replace("values:", "merge: true\n    values:") + "".join(f"      {line}\n" for line in kept))[1]
            elif form == "text and merge":
                text = cluster.render("addons: [cilium, {id: cert-manager, merge: true}]\naddon_values:\n  cert-manager: |\n"
                                      + "".join(f"    {line}\n" for line in kept))[1]
            read = go.read([text or ""])[0]
            read = {} if read is REFUSED or read is None else read
            for line in kept:
                for key, wanted in known[line].items():
                    if not same(expected[key], wanted):
                        continue  # set twice
                    if key not in read or not same(read[key], wanted):
                        yield f"{form}: {line!r} is {wanted!r} to Helm, and {read.get(key)!r} as it is rendered"
    print(f"  {len(scalars)} scalars and keys, {faults} faults at them")


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_VALUES
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    rng = random.Random(seed)
    failed = False
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        go = GoYaml(scratch / "go")
        for name, differences in (("values written for Go", check_written(go, rng, count // 2)),
                                  ("texts read as Go does", check_read(go, rng, count // 2)),
                                  ("add-on values", check_addons(go, rng, min(count // 50, 2000), scratch / "cluster"))):
            found = list(differences)
            print(f"{name}: {len(found)} silent differences", *found[:SHOWN], sep="\n  ")
            failed = failed or bool(found)
    print(f"{count} values and texts, seed {seed}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
