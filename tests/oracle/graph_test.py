#!/usr/bin/env python3
"""Parses the pictures of `capwright graph` with Graphviz and Mermaid: they contain every object and reference of the JSON
format, with its displayed name. Names come from the golden cases, and from random combinations of characters and words
with a meaning in these languages.

    apt install graphviz                        # `dot`
    npm install --prefix DIR mermaid@11 jsdom   # and NODE_PATH=DIR/node_modules
"""

import collections
import html
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

CAPWRIGHT = os.environ["CAPWRIGHT"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77
ODD = "ab \\\"'`#&;<>{}[]()|%:=-_*~$@!?/^,.+äß日本🦊" + "0123456789"
WORDS = ["&amp;", "#quot;", "%%{init: {}}%%", "style x:#1;", "end", "<b>x</b>", "<br/>", "\\N", "\\n", "\\", "-->", "$$x$$", "```"]

# Prints what Mermaid has parsed: the texts of vertices by id, edges, or its error.
READ_MERMAID = """
const { pathToFileURL } = require("url");
(async () => {
  const find = (name) => require.resolve(name);
  const { JSDOM } = require("jsdom");
  const dom = new JSDOM("");
  globalThis.window = dom.window;
  globalThis.document = dom.window.document;
  const mermaid = (await import(pathToFileURL(find("mermaid")).href)).default;
  const texts = JSON.parse(require("fs").readFileSync(0, "utf8"));
  const plain = (text) => text.replace(/ﬂ°°/g, "&#").replace(/ﬂ°/g, "&").replace(/¶ß/g, ";");
  const answers = [];
  for (const text of texts) {
    try {
      await mermaid.parse(text);  // loads what it needs for diagrams of this kind
      const { db } = await mermaid.mermaidAPI.getDiagramFromText(text);
      const vertices = [...db.getVertices()].map(([id, vertex]) => [id, plain(vertex.text), vertex.classes]);
      const edges = db.getEdges().map((edge) => [edge.start, edge.end, plain(edge.text)]);
      answers.push({ vertices, edges });
    } catch (error) {
      answers.push({ error: String(error.message) });
    }
  }
  console.log(JSON.stringify(answers));
})();
"""


def graph(target, form):
    done = subprocess.run([CAPWRIGHT, "graph", target, "--isolated", "-q", "-f", form], capture_output=True, text=True,
                          cwd=ROOT)
    assert done.returncode == 0, (target, done.stderr)
    return done.stdout


def odd_name(chance):
    parts = [chance.choice(WORDS) if chance.random() < 0.3 else "".join(chance.choices(ODD, k=chance.randint(1, 6)))
             for _ in range(chance.randint(1, 4))]
    return "".join(parts).strip() or "x"


def odd_manifests(chance):
    names = [odd_name(chance) for _ in range(3)]
    documents = [{"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Cluster", "metadata": {"name": name, "namespace": "x"},
                  "spec": {"controlPlaneRef": {"apiGroup": "controlplane.cluster.x-k8s.io", "kind": "KubeadmControlPlane",
                                               "name": odd_name(chance)}}} for name in names]
    return "\n---\n".join(json.dumps(document, ensure_ascii=False) for document in documents)


def targets(folder):
    found = sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("golden/*/*/clusters"))
    assert found, "there are no golden cases"
    chance = random.Random(1)
    for number in range(30):
        path = folder / f"odd{number}.yaml"
        path.write_text(odd_manifests(chance), encoding="utf-8")
        found.append(str(path))
    return found


def words(text):
    return " ".join(text.split())


def expected_lines(entry):
    if "name" not in entry:
        lines = ["no " + entry["kind"]]
    else:
        name = entry["name"]
        if entry["kind"] in ("Chart", "Repository") and "version" in entry:
            name += " " + entry["version"]
        lines = [entry["kind"], name]
    marks = {"missing": "missing", "external": "external", "assumed": "not in these files"}
    mark = marks.get(entry["status"]) or ("unused" if entry.get("unused") else "retired" if entry.get("retired") else "")
    return tuple(words(line) for line in lines + ([f"({mark})"] if mark else []))


def pairs(references):
    return {(reference["from"], reference["to"]) for reference in references}


def below(element, tag):
    return [each for each in element.iter() if each.tag.endswith("}" + tag)]


def check_dot(target, data):
    done = subprocess.run(["dot", "-Tsvg"], input=graph(target, "dot"), capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, (target, done.stderr)
    groups = below(ElementTree.fromstring(done.stdout), "g")
    seen = collections.Counter(tuple(words(text.text or "") for text in below(group, "text"))
                               for group in groups if group.get("class") == "node")
    expected = collections.Counter(expected_lines(entry) for entry in data["objects"])
    assert seen == expected, (target, seen - expected, expected - seen)
    edges = [group for group in groups if group.get("class") == "edge"]
    assert len(edges) >= len(pairs(data["references"])), target


def read_mermaid(texts):
    done = subprocess.run(["node", "-e", READ_MERMAID], input=json.dumps(texts), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def check_mermaid(target, data, answer):
    assert "error" not in answer, (target, answer)
    seen = {id: tuple(words(html.unescape(line)) for line in re.split("<br/?>", text)) for id, text, _ in answer["vertices"]}
    expected = {f"n{number}": expected_lines(entry) for number, entry in enumerate(data["objects"])}
    assert seen == expected, (target, [(seen.get(id), lines) for id, lines in expected.items() if seen.get(id) != lines])
    ids = {entry["id"]: f"n{number}" for number, entry in enumerate(data["objects"])}
    assert {(start, end) for start, end, _ in answer["edges"]} == {(ids[a], ids[b]) for a, b in pairs(data["references"])}, target
    missing = {id for id, _, classes in answer["vertices"] if "missing" in classes}
    assert missing == {ids[entry["id"]] for entry in data["objects"] if entry["status"] == "missing"}, target


def has_mermaid():
    find = "require.resolve('mermaid'); require.resolve('jsdom')"
    return shutil.which("node") is not None and subprocess.run(["node", "-e", find], capture_output=True).returncode == 0


def main():
    missing = []
    if shutil.which("dot") is None:
        missing.append("`dot` of the Debian package graphviz")
    if not has_mermaid():
        missing.append("the npm packages mermaid and jsdom, by NODE_PATH")
    if len(missing) == 2:
        print(f"skipped: not found: {'; '.join(missing)}")
        return SKIPPED
    with tempfile.TemporaryDirectory() as scratch:
        all_targets = targets(pathlib.Path(scratch))
        data = [json.loads(graph(target, "json")) for target in all_targets]
        if shutil.which("dot") is not None:
            for target, entry in zip(all_targets, data):
                check_dot(target, entry)
        if has_mermaid():
            answers = read_mermaid([graph(target, "mermaid") for target in all_targets])
            for target, entry, answer in zip(all_targets, data, answers):
                check_mermaid(target, entry, answer)
    print(f"{len(all_targets)} graphs")
    if missing:
        print(f"skipped in part: not found: {'; '.join(missing)}")
        return SKIPPED
    return 0


if __name__ == "__main__":
    sys.exit(main())
