"""Hostile CRDs, and objects that make their rules expensive: the verdict takes bounded time and memory."""

import json
import pathlib
import tempfile

from bounded import MIB, Checks, run

SECONDS = 60  # for the slowest build; an optimized one takes a tenth
MEMORY = 1024 * MIB


def crd(versions):
    """`versions`: schemas by name, the first one is stored."""
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": "things.example.com"},
            "spec": {"group": "example.com", "scope": "Namespaced", "names": {"kind": "Thing", "plural": "things"},
                     "versions": [{"name": name, "served": True, "storage": number == 0,
                                   "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": schema}}}}
                                  for number, (name, schema) in enumerate(versions.items())]}}


def thing(spec, version="v1"):
    return {"apiVersion": f"example.com/{version}", "kind": "Thing", "metadata": {"name": "a"}, "spec": spec}


class Hostile:
    def __init__(self, check, folder):
        self.check, self.folder = check, folder
        (folder / "capwright.yaml").write_text("{}\n")

    def bounded(self, what, took):
        self.check(took.cpu_seconds < SECONDS and took.memory < MEMORY and took.code in (0, 1, 2),
                   f"{what}: an answer in bounded time and memory", took)

    def add(self, what, definition, words=None):
        """Whether the CRD is accepted; `words`: of the expected error if it must be rejected."""
        text = definition if isinstance(definition, str) else json.dumps(definition)
        (self.folder / "crds.yaml").write_text(text)
        took = run("schema", "add", "--release", "hostile-v1.0.0", "crds.yaml", cwd=self.folder)
        self.bounded(what, took)
        if words is None:
            self.check(took.code == 0, f"{what}: is taken", took)
        else:
            self.check(took.code != 0 and words in took.out + took.err, f"{what}: is refused by `{words}`", took)

    def judge(self, what, manifest, words=None):
        (self.folder / "thing.yaml").write_text(json.dumps(manifest))
        took = run("lint", "thing.yaml", "--select", "K4", cwd=self.folder)
        self.bounded(what, took)
        if words is None:
            self.check(took.code == 0, f"{what}: nothing is found", took)
        else:
            self.check(took.code == 1 and words in took.out, f"{what}: `{words}` is found", took)


def sizes(hostile):
    names = [f"value-{number}" for number in range(200_000)]
    hostile.add("an enum of 200,000 values", crd({"v1": {"type": "string", "enum": names}}))
    hostile.judge("the last of them", thing(names[-1]))
    hostile.judge("none of them", thing("other"), "Unsupported value")

    hostile.add("20,000 properties", crd({"v1": {"type": "object", "properties": {
        f"p{number}": {"type": "integer", "default": number} for number in range(20_000)}}}))
    hostile.judge("two of them", thing({"p1": 1, "p19999": "x"}), "spec.p19999")

    hostile.add("3,000 versions", crd({f"v{number}": {"type": "string", "maxLength": number}
                                       for number in range(1, 3_001)}))
    hostile.judge("one of them", thing("abc", "v2"), "Too long")

    deep = {"type": "string"}
    for _ in range(5_000):
        deep = {"type": "object", "properties": {"a": deep}}
    nested = '{"type":"object","properties":{"a":' * 5_000 + '{"type":"string"}' + "}}" * 5_000
    hostile.add("a schema of 5,000 levels", json.dumps(crd({"v1": "HERE"})).replace('"HERE"', nested), "nested")


def patterns(hostile):
    hostile.add("a pattern that makes backtracking explode", crd({"v1": {"type": "string", "pattern": "^(a+)+$"}}))
    hostile.judge("a text for it", thing("a" * 100_000 + "!"), "should match")
    hostile.add("repeats of repeats", crd({"v1": {"type": "string", "pattern": "((a{0,100}){0,100}){0,100}"}}))
    hostile.judge("a text for what no engine takes", thing("aaa"), "should match")
    hostile.add("int-or-string with patterns", crd({"v1": {
        "x-kubernetes-int-or-string": True, "anyOf": [{"type": "integer"}, {"type": "string"}],
        "pattern": "^((100|[0-9]{1,2})%|[0-9]+)$"}}))
    hostile.judge("text for it", thing("x" * 1_000_000), "should match")


def rules(hostile):
    def with_rule(rule, items=None):
        return crd({"v1": {"type": "array", "items": items or {"type": "integer"},
                           "x-kubernetes-validations": [{"rule": rule, "message": "refused"}]}})

    cubic = "self.all(x, self.all(y, self.all(z, x + y != z - 100000000)))"
    hostile.add("a rule of cubic cost", with_rule(cubic))
    hostile.judge("2,000 items for it", thing(list(range(2_000))), "cost")
    hostile.add("a rule that doubles a text", with_rule(
        "self.map(x, 'aaaaaaaaaaaaaaaa').all(s, " + "[s].map(t, t + t)[0].size() > 0 && " * 20 + "s.matches('(a|aa)+$'))"))
    hostile.judge("20,000 items for it", thing([1] * 20_000), "cost")
    def with_text_rule(rule):
        return crd({"v1": {"type": "string", "x-kubernetes-validations": [{"rule": rule, "message": "refused"}]}})

    text = thing("a" * 100_000)
    ten = ".map(x, [x, x, x, x, x, x, x, x, x, x])" * 9
    hostile.add("a text that replaces its own letters", with_text_rule("self.replace('a', self).size() > 0"))
    hostile.judge("10 GB for it", text, "cost")
    hostile.add("a text that joins its own letters", with_text_rule("self.split('').join(self).size() > 0"))
    hostile.judge("10 GB of letters for it", text, "cost")
    hostile.add("a text in a list of 10^9", with_text_rule(f"[self]{ten}.flatten(10).size() > 0"))
    hostile.judge("a text for the list", text, "cost")
    hostile.add("a text that is written 10^9 times", with_text_rule(f"'%s'.format([[self]{ten}]).size() > 0"))
    hostile.judge("a text to be written", text, "cost")
    hostile.add("lists that are the same 10^9 times", with_text_rule(f"[self]{ten} == [self]{ten}"))
    hostile.judge("a text for the lists", text, "cost")
    hostile.add("sets of 100,000", with_text_rule("sets.contains(lists.range(100000), lists.range(100000))"))
    hostile.judge("a text for the sets", text, "cost")
    hostile.add("rules that each fill their memory", with_rule("true", {
        "type": "integer", "x-kubernetes-validations": [{"rule":
            "['aaaaaaaaaa'.replace('a', 'aaaaaaaaaa').replace('a', 'aaaaaaaaaa').replace('a', 'aaaaaaaaaa')]"
            ".all(t, t.replace('a', t.substring(0, 3000)).size() > 0)"}]}))
    hostile.judge("40 items for them", thing([1] * 40))
    nested = "self" + ".map(x, [x, x, x, x, x, x, x, x, x, x])" * 12 + ".size() >= 0"
    hostile.add("nested maps", with_rule(nested))
    hostile.judge("items for them", thing([1] * 10_000), "cost")
    hostile.add("5,000 rules", crd({"v1": {"type": "object", "properties": {"a": {"type": "integer"}},
        "x-kubernetes-validations": [{"rule": f"self.a != {number}"} for number in range(5_000)]}}))
    hostile.judge("an object for them", thing({"a": 4_999}), "failed rule")
    hostile.add("a rule of 10,000 parentheses", with_rule("(" * 10_000 + "true" + ")" * 10_000), "nests more than")
    hostile.add("a rule of 1 MB", with_rule("true" + " && true" * 125_000))
    hostile.judge("an object for it", thing([1]))


def files(hostile):
    with open(hostile.folder / "large.yaml", "w", encoding="ascii") as file:
        file.write(json.dumps(crd({"v1": {"type": "string"}})) + "\n")
        for _ in range(100):
            file.write("# " + "x" * MIB + "\n")
    took = run("schema", "add", "--release", "hostile-v1.0.0", "large.yaml", cwd=hostile.folder)
    hostile.bounded("a file of 100 MB", took)
    hostile.check(took.code == 2, "a file of 100 MB is refused", took)
    with open(hostile.folder / "large.yaml", "rb") as stdin:
        took = run("schema", "add", "--release", "hostile-v1.0.0", "-", cwd=hostile.folder, stdin=stdin)
    hostile.bounded("100 MB of standard input", took)
    hostile.check(took.code != 0 and took.memory < 256 * MIB, "100 MB of standard input are refused", took)
    bomb = "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
    for before, name in zip("abcdefgh", "bcdefghi"):
        bomb += f"{name}: &{name} [" + ", ".join(["*" + before] * 10) + "]\n"
    hostile.add("aliases that double", bomb + "kind: CustomResourceDefinition\n", "alias")
    hostile.add("lists in lists", '{"kind": "List", "items": [' * 90 + "]}" * 90, "contains no CustomResourceDefinition")


def main():
    check = Checks()
    with tempfile.TemporaryDirectory() as scratch:
        hostile = Hostile(check, pathlib.Path(scratch))
        for part in (sizes, patterns, rules, files):
            part(hostile)
    check.finish("hostile CRDs are bounded")


main()
