#!/usr/bin/env python3
"""Drives `capwright lsp` as an editor does, over its pipes. With the package pygls of PyPI in this Python, the same session runs
through its client, which checks every message by the protocol's types."""

import asyncio
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

CAPWRIGHT = os.environ["CAPWRIGHT"]
ROOT = pathlib.Path(__file__).resolve().parents[2]


class Editor:
    """A client of the protocol in its plainest form."""

    def __init__(self, folder, encodings=("utf-8",)):
        self.server = subprocess.Popen([CAPWRIGHT, "lsp"], cwd="/", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.ids = 0
        self.problems = {}
        capabilities = {"general": {"positionEncodings": list(encodings)}}
        self.capabilities = self.ask("initialize", {"rootUri": folder.as_uri(), "capabilities": capabilities})["capabilities"]
        self.tell("initialized", {})
        self.folder = folder

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.server.stdin.flush()

    def receive(self):
        length = 0
        while line := self.server.stdout.readline().strip():
            name, value = line.split(b":")
            if name == b"Content-Length":
                length = int(value)
        message = json.loads(self.server.stdout.read(length))
        if message.get("method") == "textDocument/publishDiagnostics":
            self.problems[message["params"]["uri"]] = message["params"]["diagnostics"]
        return message

    def ask(self, method, params):
        self.ids += 1
        self.send({"id": self.ids, "method": method, "params": params})
        while (message := self.receive()).get("id") != self.ids:
            pass
        return message["result"] if "result" in message else message["error"]

    def tell(self, method, params):
        self.send({"method": method, "params": params})

    def uri(self, path):
        return (self.folder / path).as_uri()

    def open(self, path, text):
        document = {"uri": self.uri(path), "languageId": "yaml", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})

    def change(self, path, text):
        changes = {"textDocument": {"uri": self.uri(path), "version": 2}, "contentChanges": [{"text": text}]}
        self.tell("textDocument/didChange", changes)

    def wait_for(self, path):
        """The next list of problems of a file."""
        self.problems.pop(self.uri(path), None)
        while self.uri(path) not in self.problems:
            self.receive()
        return self.problems[self.uri(path)]

    def at(self, method, path, line, character):
        position = {"line": line - 1, "character": character}
        return self.ask(method, {"textDocument": {"uri": self.uri(path)}, "position": position})

    def rename(self, path, text, part, name, prepare=False):
        """Renames the key at the begin of a part of an open text; the answer is an edit or an error."""
        line = line_of(text, part)
        position = {"line": line - 1, "character": text.split("\n")[line - 1].index(part) + 1}
        request = {"textDocument": {"uri": self.uri(path)}, "position": position}
        if prepare:
            return self.ask("textDocument/prepareRename", request)
        return self.ask("textDocument/rename", {**request, "newName": name})

    def close(self):
        assert self.ask("shutdown", None) is None
        self.tell("exit", None)
        self.server.stdin.close()
        code = self.server.wait(10)
        self.server.stdout.close()
        return code


def fleet(folder):
    shutil.copytree(ROOT / "docs" / "tutorial" / "fleet", folder, dirs_exist_ok=True)
    return folder


def line_of(text, part):
    return next(i for i, line in enumerate(text.split("\n"), 1) if part in line)


def check_diagnostics(folder):
    editor = Editor(folder)
    path = "values/prod-a.yaml"
    text = (folder / path).read_text()
    broken = text.replace("flavor_control_plane:", "flavour_control_plane:")
    editor.open(path, broken)
    problems = editor.wait_for(path)
    while "S012" not in (codes := [problem["code"] for problem in problems]):  # the first list may be of the files on disk
        problems = editor.wait_for(path)
    problem = problems[codes.index("S012")]
    line = line_of(broken, "flavour_control_plane")
    assert problem["range"]["start"] == {"line": line - 1, "character": 0}, problem["range"]
    context = {"diagnostics": [problem]}
    actions = editor.ask("textDocument/codeAction", {"textDocument": {"uri": editor.uri(path)}, "range": problem["range"], "context": context})
    edits = actions[0]["edit"]["changes"][editor.uri(path)]
    assert edits[0]["newText"] == "flavor_control_plane", actions
    assert edits[0]["range"]["end"]["character"] == len("flavour_control_plane")
    editor.change(path, text)
    assert "S012" not in [problem["code"] for problem in editor.wait_for(path)]
    assert (folder / path).read_text() == text, "the file on disk is the editor's"
    assert editor.close() == 0


def check_values(folder):
    editor = Editor(folder, encodings=["utf-16"])
    assert editor.capabilities["positionEncoding"] == "utf-16"
    path = "values/prod-a.yaml"
    text = (folder / path).read_text()
    editor.open(path, text)
    line = line_of(text, "node_cidr:")
    hover = editor.at("textDocument/hover", path, line, 4)["contents"]["value"]
    assert "network.node_cidr` = `\"10.7.0.0/24\"`" in hover and "clusters/prod-a/cluster.yaml" in hover, hover
    lenses = editor.ask("textDocument/codeLens", {"textDocument": {"uri": editor.uri(path)}})
    titles = {lens["range"]["start"]["line"] + 1: lens["command"]["title"] for lens in lenses}
    files = [line for line in hover.split("\n") if line.startswith("* ")]
    layer = folder / "layers" / "fleet.yaml"
    shared = editor.ask("textDocument/codeLens", {"textDocument": {"uri": layer.as_uri()}})
    assert any(lens["command"]["title"].endswith("; 3 clusters read this file") for lens in shared), shared
    assert titles[line_of(text, "network:")] == f"used in {len(files)} file{'s' if len(files) != 1 else ''}", (titles, hover)
    typed = text + "rollout:\n  "
    editor.change(path, typed)
    labels = [item["label"] for item in editor.at("textDocument/completion", path, typed.count("\n") + 1, 2)]
    assert "drain_timeout_seconds" in labels and "cluster_name" not in labels, labels
    typed = text + "fips_enabled: "
    editor.change(path, typed)
    labels = [item["label"] for item in editor.at("textDocument/completion", path, typed.count("\n") + 1, 14)]
    assert sorted(labels) == ["false", "true"], labels
    assert editor.ask("textDocument/references", {})["code"] == -32601
    refused = editor.rename(path, text, "node_cidr:", "node_range")
    assert "`network.node_cidr` belongs to the built-in template set `capo`" in refused["message"], refused
    assert editor.close() == 0


def check_definition(folder):
    """Templates of the repository are on disk, so a value leads to the lines that print it."""
    shutil.copytree(ROOT / "docs" / "tutorial" / "capd", folder, dirs_exist_ok=True)
    editor = Editor(folder)
    path = "values/dev.yaml"
    text = (folder / path).read_text()
    editor.open(path, text)
    line = line_of(text, "host_path:")
    places = editor.at("textDocument/definition", path, line, 10)
    assert places and places[0]["uri"].startswith(editor.uri("templates/capd")), places
    assert editor.close() == 0


def applied(folder, edit):
    """The texts of the files of an edit, with its changes."""
    texts = {}
    for uri, changes in edit["changes"].items():
        path = pathlib.Path(uri.removeprefix("file://"))
        lines = path.read_text().split("\n")
        for change in sorted(changes, key=lambda each: -each["range"]["start"]["character"]):
            start, end = change["range"]["start"], change["range"]["end"]
            assert start["line"] == end["line"]
            line = lines[start["line"]]
            lines[start["line"]] = line[:start["character"]] + change["newText"] + line[end["character"]:]
        texts[str(path.relative_to(folder))] = "\n".join(lines)
    return texts


def rendered(folder):
    subprocess.run([CAPWRIGHT, "render", "--force"], cwd=folder, check=True, capture_output=True)
    return {path.name: path.read_bytes() for path in sorted((folder / "clusters").glob("**/*.yaml"))}


def check_rename(folder):
    """A key of the repository's own set gets another name in values, references, templates and the schema."""
    shutil.copytree(ROOT / "docs" / "tutorial" / "capd", folder, dirs_exist_ok=True)
    path, template = "values/dev.yaml", "templates/capd/machines/machine-template.yaml.j2"
    with (folder / "capwright.yaml").open("a") as config:
        config.write('patches:\n  - target: {kind: Cluster}\n    patch: {metadata: {labels: {folder: "x${docker.mounts[0].host_path}"}}}\n')
    values = folder / path
    values.write_text(values.read_text().replace("container_path: /var/cache/images", 'container_path: "${docker.mounts[0].host_path}"'))
    before, text, source = rendered(folder), values.read_text(), (folder / template).read_text()
    editor = Editor(folder)
    editor.open(path, text)
    editor.open(template, source)
    place = editor.rename(path, text, "host_path:", "", prepare=True)
    assert place["placeholder"] == "host_path", place
    for where, words, part in ((path, text, "host_path:"), (path, text, "host_path}"), (template, source, "host_path |")):
        edit = editor.rename(where, words, part, "source_path")
        assert "changes" in edit, edit
        texts = applied(folder, edit)
        assert sorted(texts) == ["capwright.yaml", "templates/capd/machines/machine-template.yaml.j2",
                                 "templates/capd/values.schema.json", "values/dev.yaml"], sorted(texts)
        assert "mount.source_path |" in texts[template] and "${docker.mounts[0].source_path}" in texts[path], texts
        assert '"required": ["source_path", "container_path"]' in texts["templates/capd/values.schema.json"]
        assert "${docker.mounts[0].source_path}" in texts["capwright.yaml"]
    places = editor.at("textDocument/definition", template, line_of(source, "mount.host_path"), source.split("\n")[
        line_of(source, "mount.host_path") - 1].index("host_path") + 2)
    assert [place["range"]["start"]["line"] + 1 for place in places if place["uri"] == editor.uri(path)] == [line_of(text, "host_path:")], places
    refusals = {
        ("cluster_name:", "name"): "capwright itself reads `cluster_name`",
        ("control_plane_count:", "masters"): "names `control_plane_count`",
        ("host_path:", "source-path"): "can't be read in templates",
        ("host_path:", "container_path"): "`docker.mounts[].container_path` exists",
    }
    for (part, name), reason in refusals.items():
        error = editor.rename(path, text, part, name)
        assert reason in error["message"], error
    computed = source + "{% for name, value in docker.items() %}\n# {{ name }} {{ value }}\n{% endfor %}\n"
    editor.change(template, computed)
    error = editor.rename(path, text, "mounts:", "folders")
    assert "by computed names" in error["message"], error
    editor.change(template, source + "# {{ docker | tojson }}\n")
    error = editor.rename(path, text, "mounts:", "folders")
    assert "machine-templates.yaml` would change" in error["message"], error
    editor.change(template, source + "{% macro of(it) %}{{ it.mounts }}{% endmacro %}\n")
    error = editor.rename(path, text, "mounts:", "folders")
    assert "uses the name `mounts`, maybe for another value" in error["message"], error
    editor.change(template, source)
    for name, words in texts.items():
        (folder / name).write_text(words)
    assert rendered(folder) == before, "the render is another one"
    assert editor.close() == 0


def check_hostile_schema(folder):
    """A schema that is being typed, with values of any type, and keys with brackets."""
    shutil.copytree(ROOT / "docs" / "tutorial" / "capd", folder, dirs_exist_ok=True)
    schema, path = folder / "templates" / "capd" / "values.schema.json", "values/dev.yaml"
    text = (folder / path).read_text() + 'extensions: {"a[": {"[b": 1}}\n'
    for broken in ('{"properties": {"x": {"type": 3}}}', '{"properties": {"x": {"type": [1, null]}}}', '{"properties": 3}', "3",
                   '{"required": [3], "properties": {"x": {"$ref": "#/$defs/y"}}, "$defs": {"y": {"$ref": "#/$defs/y"}}}'):
        schema.write_text(broken)
        editor = Editor(folder)
        editor.open(path, text)
        assert isinstance(editor.at("textDocument/completion", path, 1, 0), list), broken
        editor.at("textDocument/hover", path, text.count("\n"), 3)
        assert editor.close() == 0, broken


def check_outside(folder):
    """A document outside of the repository doesn't become one of its layers."""
    (folder.parent / f"{folder.name}-outside.yaml").write_text("fips_enabled: true\n")
    editor = Editor(folder)
    outside, path = f"../{folder.name}-outside.yaml", "values/prod-a.yaml"
    editor.open(outside, "fips_enabled: true\n")
    editor.open(path, f"extends: ../{outside}\n" + (folder / path).read_text())
    while "G034" not in [problem["code"] for problem in editor.wait_for(path)]:
        pass
    assert editor.close() == 0


def check_folder_above(folder):
    """The editor opened a folder above the repository, whose first document tells where it is."""
    path = "fleets/one/values/prod-a.yaml"
    fleet(folder / "fleets" / "one")
    editor = Editor(folder)
    editor.open("README.md", "# The fleets\n")
    editor.open("../capwright.yaml", "version: 1\n")
    text = (folder / path).read_text()
    editor.open(path, text.replace("flavor_control_plane:", "flavour_control_plane:"))
    while "S012" not in [problem["code"] for problem in editor.wait_for(path)]:
        pass
    editor.change(path, text)
    line = line_of(text, "node_cidr:")
    hover = editor.at("textDocument/hover", path, line, 4)["contents"]["value"]
    assert "network.node_cidr" in hover and "clusters/prod-a/cluster.yaml" in hover, hover
    assert editor.close() == 0


def check_broken(folder):
    for data in (b"Content-Length: x\r\n\r\n{}", b"x" * 5000, b"Content-Length: 999999999999\r\n\r\n"):
        run = subprocess.run([CAPWRIGHT, "lsp"], cwd=folder, input=data, capture_output=True, timeout=20)
        assert run.returncode == 2 and b"Content-Length" in run.stderr, (data[:30], run)
    body = b'{"jsonrpc": "2.0", "id": 1, "method": "textDocument/hover"}'
    run = subprocess.run([CAPWRIGHT, "lsp"], cwd=folder, input=b"Content-Length: %d\r\n\r\n%s" % (len(body), body), capture_output=True)
    assert b"-32002" in run.stdout and run.returncode == 0, run


async def with_pygls(folder):
    from lsprotocol import types
    from pygls.lsp.client import LanguageClient

    client = LanguageClient("test", "1")
    published = asyncio.Queue()

    @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def _(params):
        published.put_nowait(params)

    await client.start_io(CAPWRIGHT, "lsp")
    await client.initialize_async(types.InitializeParams(capabilities=types.ClientCapabilities(), root_uri=folder.as_uri()))
    client.initialized(types.InitializedParams())
    uri = (folder / "values" / "prod-a.yaml").as_uri()
    text = (folder / "values" / "prod-a.yaml").read_text().replace("flavor_control_plane:", "flavour_control_plane:")
    client.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "yaml", 1, text)))
    while True:  # the first list may be of the files on disk
        params = await asyncio.wait_for(published.get(), 30)
        if params.uri == uri and "S012" in [each.code for each in params.diagnostics]:
            break
    document = types.TextDocumentIdentifier(uri)
    problem = next(each for each in params.diagnostics if each.code == "S012")
    actions = await client.text_document_code_action_async(
        types.CodeActionParams(document, problem.range, types.CodeActionContext(params.diagnostics)))
    assert actions[0].edit.changes[uri][0].new_text == "flavor_control_plane", actions
    where = types.Position(line_of(text, "node_cidr:") - 1, 4)
    hover = await client.text_document_hover_async(types.HoverParams(document, where))
    assert hover is None  # the values have an error
    items = await client.text_document_completion_async(types.CompletionParams(document, types.Position(0, 0)))
    assert "cluster_name" in [item.label for item in items]
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()


def main():
    for check in (check_diagnostics, check_values, check_definition, check_rename, check_hostile_schema, check_outside, check_folder_above, check_broken):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder).resolve()
            if check not in (check_definition, check_rename, check_hostile_schema, check_folder_above):
                fleet(folder)
            check(folder)
    try:
        import pygls  # noqa: F401
    except ImportError:
        print("8 checks over pipes; the client of pygls wasn't tried, because this Python lacks the package")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(with_pygls(fleet(pathlib.Path(folder).resolve())))
    print("8 checks over pipes, and one of the client of pygls")
    return 0


sys.exit(main())
