#!/usr/bin/env python3
"""What the pages of `capwright preview` show and change, without a browser.

    CAPWRIGHT=build/dev/capwright pages_test.py
"""

import json
import pathlib
import re
import shutil
import tempfile
import time

from previewed import IS_TIMED, PROD, PROGRAM, ROOT, expect, finish, fleet_copy, previewing, run, wait_until

MACHINES = "clusters/prod-a/machine-templates.yaml"
CLUSTERS = 1000
OWN = {
    "values/a.yaml": "cluster_name: a\nsize: 3\n",
    "own/schema.json": json.dumps({"type": "object", "properties": {"cluster_name": {"type": "string"}, "size": {"type": "integer"}}}),
    "own/main.j2": '# FILE: clusters/{{ cluster_name }}/map.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: a}\n'
                   'data:\n  size: "{{ size }}"\n',
}
MILLISECONDS = 100  # for an edit to show, of the fastest of some rounds


def text_of(lines):
    return "\n".join("".join(text for _, _, text in runs) for runs in lines) + "\n"


def line_with(preview, path, words):
    lines = preview.get("file", values=PROD, path=path)["lines"]
    return next(number for number, runs in enumerate(lines, 1) if words in "".join(text for _, _, text in runs))


def check_views(preview, folder):
    fleet = preview.get("fleet")
    names = {cluster["values"]: cluster["name"] for cluster in fleet["clusters"]}
    expect(names == {PROD: "prod-a", "values/edge-1.yaml": "edge-1",
                     "values/portal/satellite-workload-1.json": "satellite-workload-1"}, f"the list of clusters: {names}")
    states = preview.get("states", **{"from": 0, "count": 10})["states"]
    expect([state["change"] for state in states] == ["same"] * 3, f"all clusters are up to date: {states}")
    expect(preview.get("states", **{"from": 99, "count": 10})["states"] == [], "no states after the last cluster")
    cluster = preview.get("cluster", values=PROD)
    files = {file["path"]: file for file in cluster["files"]}
    on_disk = {str(path.relative_to(folder)) for path in (folder / "clusters" / "prod-a").rglob("*.yaml")}
    expect(set(files) == on_disk, f"the files of the tree: {set(files) ^ on_disk}")
    for path in sorted(files):
        shown = preview.get("file", values=PROD, path=path)
        expect(text_of(shown["lines"]) == (folder / path).read_text(), f"the text of {path}")
        expect(shown["new_lines"] == [], f"{path} is as on disk")
    kinds = {kind for runs in preview.get("file", values=PROD, path=MACHINES)["lines"] for _, kind, _ in runs}
    expect({"kt", "sv", "st", ".t"} <= kinds, f"keys, texts of values and of templates are told apart: {kinds}")
    linted = json.loads(run(folder, PROGRAM, "lint", "prod-a", "--exit-zero", "-f", "json"))["findings"]
    for finding in linted:
        finding.pop("clusters")
    expect(linted and cluster["findings"] == linted, "the findings are those of `capwright lint`")
    drawn = preview.get("graph", values=PROD)
    expect(len({(each["column"], each["row"]) for each in drawn["objects"]}) == len(drawn["objects"]), "no objects overlap")


def check_explanation(preview, folder):
    line = line_with(preview, MACHINES, "m1.2xlarge")
    explained = preview.get("explain", values=PROD, path=MACHINES, line=line)
    same = json.loads(run(folder, PROGRAM, "explain", f"{MACHINES}:{line}", "-f", "json"))["lines"][0]
    piece = next(piece for piece in explained["pieces"] if piece["inputs"])
    source = piece["inputs"][0]["source"]
    expect(source["path"] == PROD and source["text"] == "m1.2xlarge", f"the text to edit: {source}")
    for each in explained["pieces"]:
        del each["begin"], each["end"]
        for value in each["inputs"]:
            value.pop("source", None)
    expect(explained == same, "an explanation is that of `capwright explain`")
    for path, number in ((MACHINES, 0), (MACHINES, 99999), ("clusters/prod-a/none.yaml", 1), ("../../etc/passwd", 1)):
        answer = preview.api("GET", "explain", values=PROD, path=path, line=number)
        expect(answer.status == 404, f"{path}:{number} can't be explained")
    return source


def check_edit(preview, folder, source):
    before = (folder / PROD).read_text()
    edit = {"path": PROD, "begin": source["begin"], "before": source["text"], "after": "m1.4xlarge"}
    durations, used = [], preview.cpu_seconds()
    for after in ("m1.3xlarge", "m1.5xlarge", "m1.6xlarge", "m1.4xlarge"):
        began = time.monotonic()
        edit["after"] = after
        expect(preview.api("PUT", "value", json.dumps(edit), values=PROD).status == 200, "a value can be edited")
        cluster = preview.get("cluster", values=PROD)
        durations.append((time.monotonic() - began) * 1000)
        edit["before"] = after
    print(f"an edit shows after {min(durations):.0f} ms (fastest of {len(durations)}; slowest {max(durations):.0f} ms)")
    used = 1000 * (preview.cpu_seconds() - used) / len(durations)
    # On a machine that other work keeps busy, the time of the processors decides.
    expect(not IS_TIMED or min(durations) < MILLISECONDS or used < MILLISECONDS, f"an edit shows within {MILLISECONDS} ms: {durations}")
    expect((folder / PROD).read_text() == before, "the file isn't touched")
    expect(cluster["drafts"] == [PROD], "the draft is listed")
    statuses = {file["path"]: file["status"] for file in cluster["files"] if file["status"] != "same"}
    expect(statuses == {MACHINES: "changed", "clusters/prod-a/cluster.yaml": "changed",
                        "clusters/prod-a/retired-templates.yaml": "added"}, f"the files that change: {statuses}")
    expect('+      flavor: "m1.4xlarge"' in cluster["diff"], "the diff has the new value")
    plan = cluster["plan"]["clusters"][0]["actions"][0]
    expect(plan["action"] == "roll" and plan["name"] == "prod-a-general", f"the plan: {plan}")
    state = next(each for each in preview.get("states", **{"from": 0, "count": 9})["states"] if each["values"] == PROD)
    expect(state["change"] == "changed" and state["replaced"] == "3 to 10", f"the list has it: {state}")
    shown = preview.get("file", values=PROD, path=MACHINES)
    expect(line_with(preview, MACHINES, "m1.4xlarge") in shown["new_lines"], "the new line is marked")
    stale = preview.api("PUT", "value", json.dumps(edit | {"before": "m1.2xlarge"}), values=PROD)
    expect(stale.status == 409, "an edit of an older text is refused")
    broken = preview.api("PUT", "draft", "cluster_name: [", values=PROD, path=PROD)
    cluster = preview.get("cluster", values=PROD)
    expect(broken.status == 200 and not cluster["clean"] and cluster["findings"], "errors are shown as findings")
    text = preview.get("text", values=PROD, path=PROD)
    expect(text["text"] == "cluster_name: [" and text["editable"], "a broken draft can be edited on")
    preview.api("DELETE", "draft", path=PROD)
    expect(preview.get("cluster", values=PROD)["diff"] == "", "reverted")
    layer = preview.get("text", values=PROD, path="layers/openstack.yaml")
    preview.api("PUT", "draft", layer["text"] + "\nunknown_key: 1\n", values=PROD, path="layers/openstack.yaml")
    changed = [state["values"] for state in preview.get("states", **{"from": 0, "count": 9})["states"] if state["errors"]]
    expect(len(changed) > 1, f"a draft of a layer changes all clusters that read it: {changed}")
    preview.api("DELETE", "draft", path="layers/openstack.yaml")


def check_write(preview, folder):
    path = folder / PROD
    before = path.read_text()
    path.chmod(0o640)
    preview.api("PUT", "draft", before.replace("m1.2xlarge", "m1.8xlarge"), values=PROD, path=PROD)
    path.write_text(before + "# meanwhile\n")
    refused = preview.api("POST", "write", path=PROD)
    expect(refused.status == 409 and "changed on disk" in refused.json()["detail"], f"a changed file isn't overwritten: {refused.body}")
    expect(path.read_text() == before + "# meanwhile\n", "it stays as it was")
    path.write_text(before)
    expect(preview.api("POST", "write", path=PROD).status == 200, "a draft is written")
    expect("m1.8xlarge" in path.read_text() and path.stat().st_mode & 0o777 == 0o640, "with its permissions")
    expect(preview.get("fleet")["drafts"] == [], "then it is no draft")
    expect(not list(path.parent.glob("*.capwright-*")), "nothing else is left")
    expect(preview.api("POST", "write", path=PROD).status == 409, "there is nothing more to write")
    run(folder, "git", "checkout", "--quiet", PROD)
    for other in ("capwright.yaml", "../outside.yaml", "/etc/passwd", MACHINES, "values/new.yaml"):
        expect(preview.api("PUT", "draft", "x: 1", values=PROD, path=other).status == 404, f"{other} can't be edited")
        expect(preview.api("GET", "text", values=PROD, path=other).status == 404, f"{other} can't be read")
        expect(preview.api("POST", "write", path=other).status == 409, f"{other} can't be written")
    for body in (b"", b"[]", b'{"path": 1}', b"{" * 10000, b"\xff\xfe"):
        expect(preview.api("PUT", "value", body, values=PROD).status == 400, f"{body[:20]} is no edit")


def check_live(preview, folder):
    with preview.events() as next_event:
        path = folder / PROD
        path.write_text(path.read_text().replace("m1.2xlarge", "m1.9xlarge"))
        expect(next_event() is not None, "a change of a file is an event")
        expect(wait_until(lambda: "m1.9xlarge" in preview.get("cluster", values=PROD)["diff"]), "and is shown")
        run(folder, PROGRAM, "render", "--quiet")
        expect(next_event() is not None, "a render is an event")
        expect(wait_until(lambda: preview.get("cluster", values=PROD)["diff"] == ""), "the tree is up to date")
        against = preview.get("cluster", values=PROD, base="HEAD")
        expect(against["plan"]["before"] == "HEAD" and "m1.9xlarge" in against["diff"], "a comparison with a revision")
        for base in ("none-such", str(folder), "--help"):
            expect(preview.get("cluster", values=PROD, base=base)["comparison_error"], f"`{base}` isn't a revision")
        shutil.copy(path, folder / "values" / "prod-b.yaml")
        other = folder / "values" / "prod-b.yaml"
        other.write_text(other.read_text().replace("cluster_name: prod-a", "cluster_name: prod-b"))
        expect(wait_until(lambda: len(preview.get("fleet")["clusters"]) == 4), "a new cluster appears")
        index = folder / "clusters" / "edge-1" / ".capwright-index"
        known = index.read_text()
        index.unlink()
        index.mkdir()
        expect(wait_until(lambda: preview.api("GET", "cluster", values="values/edge-1.yaml").status in (200, 500)), "a broken tree is answered")
        index.rmdir()
        index.write_text(known)
        expect(wait_until(lambda: preview.get("cluster", values="values/edge-1.yaml")["diff"] == ""), "and a repaired one works again")
        config = folder / "capwright.yaml"
        text = config.read_text()
        config.write_text(text + "\nunknown: [\n")
        expect(wait_until(lambda: preview.api("GET", "fleet").status == 500), "an invalid configuration is shown")
        errors = preview.api("GET", "fleet").json()["errors"]
        expect(errors and errors[0]["path"] == "capwright.yaml", f"with its place: {errors}")
        config.write_text(text)
        expect(wait_until(lambda: preview.api("GET", "fleet").status == 200), "and works again")


def check_secrets():
    """No secret of a values file is in any response, and such a file can't be edited as a text."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / "values").mkdir()
        case = ROOT / "golden/capo/secrets-plain"
        text = (case / "values.yaml").read_text()
        text = re.sub(r"(?m)^secrets:\n", (case / "credentials.yaml").read_text().rstrip() + "\n", text)
        values = "values/prod-s.yaml"
        canaries = ["plain-canary-of-manifest"]

        def marked(match):
            canaries.append(f"canary-{len(canaries)}-7Hq2zX9w")
            return match.group(1) + canaries[-1]

        text = re.sub(r"(?m)^(\s+(?:application_credential_id|application_credential_secret|access_key|secret_key): )\S+$", marked, text)
        (folder / "resources").mkdir()
        (folder / "resources" / "own.yaml").write_text(
            f"apiVersion: v1\nkind: Secret\nmetadata: {{name: own, namespace: plain-a}}\nstringData:\n  word: {canaries[0]}\n")
        text += "\nresources: [resources/own.yaml]\n"
        (folder / values).write_text(text)
        run(folder, "git", "init", "--quiet")
        if not expect(canaries, "the case has secrets"):
            return
        with previewing(folder) as preview:
            answers = [preview.api("GET", "fleet"), preview.api("GET", "states", **{"from": 0, "count": 9})]
            answers.append(preview.api("GET", "cluster", values=values))
            cluster = answers[-1].json()
            expect(cluster["clean"], f"it renders: {cluster['findings']}")
            text_answer = preview.api("GET", "text", values=values, path=values)
            expect(not text_answer.json()["editable"], "a text with secrets is read only")
            answers += [text_answer, preview.api("GET", "graph", values=values)]
            answers += [preview.api("GET", "text", values=values, path=path) for path in cluster["inputs"]]
            expect("clusters/plain-a/own.yaml" in {file["path"] for file in cluster["files"]}, "a Secret of the repository is a file")
            for file in cluster["files"]:
                answers.append(preview.api("GET", "file", values=values, path=file["path"]))
                for line in range(1, len(answers[-1].json()["lines"]) + 1):
                    answers.append(preview.api("GET", "explain", values=values, path=file["path"], line=line))
            answers.append(preview.api("PUT", "draft", "x: 1", values=values, path=values))
            expect(answers[-1].status == 409, "it can't be replaced")
            edit = {"path": values, "begin": text.index("secrets:"), "before": "secrets:", "after": "extensions:"}
            answers.append(preview.api("PUT", "value", json.dumps(edit), values=values))
            expect(answers[-1].status == 409, f"nor a part of it: {answers[-1].body}")
            bodies = b"".join(answer.body for answer in answers)
            expect(b'"source"' not in bodies, "no edit of it is offered")
            expect(b"<secret" in bodies, "redacted places are marked")
            for canary in canaries:
                expect(canary.encode() not in bodies, f"{canary} isn't shown")


def check_hostile(preview):
    values = preview.get("text", values=PROD, path=PROD)["text"]
    hostile = "</script><script>alert(1)</script>\\u202E\\\"'&" + "x" * 5000
    preview.api("PUT", "draft", values.replace("node-role.kubernetes.io/ingress: \"\"", f'hostile: "{hostile}"'), values=PROD, path=PROD)
    for name, more in (("cluster", {}), ("file", {"path": MACHINES}), ("text", {"path": PROD}), ("graph", {})):
        answer = preview.api("GET", name, values=PROD, **more)
        expect("json" in answer.headers["Content-Type"], f"{name} is JSON, whatever its texts are")
    preview.api("DELETE", "draft", path=PROD)
    preview.api("PUT", "draft", values.replace("          cluster: prod-a", f'          cluster: "{hostile}"'), values=PROD, path=PROD)
    cluster = preview.get("cluster", values=PROD)
    if expect(cluster["clean"], f"hostile chart values render: {cluster['findings']}"):
        path = next(file["path"] for file in cluster["files"] if file["status"] != "same")
        body = preview.api("GET", "file", values=PROD, path=path).body.decode()
        expect("<script>" in body and " more bytes" in body, "long lines are cut")
    preview.api("DELETE", "draft", path=PROD)
    preview.api("PUT", "draft", values.replace("          cluster: prod-a", "          cluster: a\u202eb"), values=PROD, path=PROD)
    cluster = preview.get("cluster", values=PROD)
    path = next(file["path"] for file in cluster["files"] if file["status"] != "same")
    body = preview.api("GET", "file", values=PROD, path=path).json()
    expect("a\\u202eb" in text_of(body["lines"]), "bidirectional overrides are shown as escapes")
    preview.api("DELETE", "draft", path=PROD)
    for parameters in ({"values": "values/none.yaml"}, {"values": "../x"}, {"values": ""}, {"values": "\0"}):
        expect(preview.api("GET", "cluster", **parameters).status == 404, f"no such cluster: {parameters}")


def check_elsewhere(folder):
    """From a folder below the root, with the tree in a folder of its own."""
    config = folder / "capwright.yaml"
    config.write_text(config.read_text().replace("output: .", "output: rendered"))
    run(folder, PROGRAM, "render", "--quiet")
    with previewing(folder / "values") as preview:
        expect({file["status"] for file in preview.get("cluster", values=PROD)["files"]} == {"same"}, "all files are up to date")
        text = preview.get("text", values=PROD, path=PROD)["text"]
        preview.api("PUT", "draft", text.replace("flavor: m1.large", "flavor: m1.huge"), values=PROD, path=PROD)
        cluster = preview.get("cluster", values=PROD)
        changed = [file["path"] for file in cluster["files"] if file["status"] != "same"]
        expect(MACHINES in changed and len(cluster["files"]) == len({file["path"] for file in cluster["files"]}),
               f"files have the paths of reports: {changed}")
        expect(preview.get("file", values=PROD, path=MACHINES)["new_lines"], "new lines are marked")
        expect(preview.api("POST", "write", path=PROD).status == 200 and "m1.huge" in (folder / PROD).read_text(), "a draft is written")
        run(folder, PROGRAM, "render", "--quiet")
        expect(wait_until(lambda: preview.get("cluster", values=PROD)["diff"] == ""), "a render there is noticed")


def check_own_templates():
    """A plain template folder: its files, states and explanations are those of the render."""
    with fleet_copy() as folder:
        (folder / "capwright.yaml").write_text("template: {dir: own, main: main.j2, schema: own/schema.json}\n")
        shutil.rmtree(folder / "values")
        shutil.rmtree(folder / "clusters")
        for name, text in OWN.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text)
        run(folder, PROGRAM, "render", "--quiet")
        with previewing(folder) as preview:
            changes = [state["change"] for state in preview.get("states", **{"from": 0, "count": 10})["states"]]
            expect(changes == ["same"], f"the cluster is up to date: {changes}")
            cluster = preview.get("cluster", values="values/a.yaml")
            expect([(file["path"], file["status"]) for file in cluster["files"]] == [("clusters/a/map.yaml", "same")], f"its file: {cluster['files']}")
            expect(cluster["inputs"] == ["values/a.yaml"], f"its inputs: {cluster['inputs']}")
            number = next(i for i, line in enumerate((folder / "clusters/a/map.yaml").read_text().splitlines(), 1) if "size" in line)
            explained = preview.get("explain", values="values/a.yaml", path="clusters/a/map.yaml", line=number)
            expect("own/main.j2" in json.dumps(explained) and "values/a.yaml" in json.dumps(explained), f"the origin of a line: {explained}")
            preview.api("PUT", "draft", OWN["values/a.yaml"].replace("3", "5"), values="values/a.yaml", path="values/a.yaml")
            cluster = preview.get("cluster", values="values/a.yaml")
            expect('+  size: "5"' in cluster["diff"], f"the effect of an edit: {cluster['diff']}")


def check_large(folder):
    text = (folder / PROD).read_text()
    for number in range(CLUSTERS - 4):
        (folder / "values" / f"many-{number:04}.yaml").write_text(text.replace("cluster_name: prod-a", f"cluster_name: many-{number:04}"))
    with previewing(folder) as preview:
        began = time.monotonic()
        listed = len(preview.get("fleet")["clusters"])
        seconds = time.monotonic() - began
        print(f"{listed} clusters are listed after {seconds * 1000:.0f} ms")
        expect(listed == CLUSTERS and (seconds < 1 or not IS_TIMED), f"{listed} clusters within a second, not {seconds:.2f} s")
        began = time.monotonic()
        states = preview.get("states", **{"from": 0, "count": 1000})["states"]
        print(f"the states of {len(states)} new clusters take {(time.monotonic() - began) * 1000:.0f} ms")
        expect(len(states) == 64, "a request has the states of a part, so that others needn't wait")


def main():
    with fleet_copy() as folder:
        with previewing(folder) as preview:
            check_views(preview, folder)
            source = check_explanation(preview, folder)
            check_edit(preview, folder, source)
            check_write(preview, folder)
            check_hostile(preview)
            check_live(preview, folder)
        check_large(folder)
    with fleet_copy() as folder:
        check_elsewhere(folder)
    check_own_templates()
    check_secrets()
    finish()


main()
