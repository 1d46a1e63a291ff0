"""A Gitea on a free port of 127.0.0.1, as far as publishing knows it: python3 fake_gitea.py FOLDER TOKEN [CERTIFICATE].

FOLDER holds `fleet.git`, which is served as `/platform/fleet.git` by Git and below `/api/v1/repos/platform/fleet` by the
API, with the answers that Gitea 1.26 was seen to give. Prints its port.

FOLDER/requests.log has what was asked, FOLDER/bodies.log what was sent, FOLDER/protected the names of protected branches.
FOLDER/faults.json is a list of what goes wrong: {"method", "path": a part of it, "times"} and one of {"status", "body",
"headers"}, {"hang": seconds}, {"close": true}, {"run": a shell command before the answer}, {"deaf": true: does what it is
asked, and gives no answer}.
"""

import base64
import http.server
import json
import os
import pathlib
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

FOLDER = pathlib.Path(sys.argv[1])
TOKEN = sys.argv[2]
BARE = FOLDER / "fleet.git"
API = "/api/v1/repos/platform/fleet"
PAGE = int(os.environ.get("PAGE", "1000"))
LINE_END = os.environ.get("LINE_END", "\n").encode()
PROGRAMS = subprocess.run(["git", "--exec-path"], capture_output=True, text=True, check=True).stdout.strip()
NOTHING = "0" * 40
lock = threading.Lock()


class Refusal(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def git(*arguments, data=None, env=None):
    done = subprocess.run(["git", *arguments], cwd=BARE, input=data, capture_output=True, check=False,
                          env={**os.environ, **(env or {})})
    if done.returncode != 0:
        raise Refusal(500, done.stderr.decode().strip())
    return done.stdout


def branch_commit(name):
    done = subprocess.run(["git", "rev-parse", "-q", "--verify", f"refs/heads/{name}"], cwd=BARE, capture_output=True,
                          text=True, check=False)
    return done.stdout.strip()


def files_of(commit):
    entries = {}
    for line in git("ls-tree", "-r", "-t", "-z", commit).decode().split("\0"):
        if line:
            about, path = line.split("\t", 1)
            mode, kind, sha = about.split()
            entries[path] = (mode, kind, sha)
    return entries


def is_protected(name):
    path = FOLDER / "protected"
    return path.exists() and name in path.read_text().split()


def tree_page(commit, query):
    entries = list(files_of(commit).items())
    size = min(int(query.get("per_page", "0")) or PAGE, PAGE)
    page = max(int(query.get("page", "1")), 1)
    part = entries[(page - 1) * size:page * size]
    return {"sha": commit, "page": page, "total_count": len(entries), "truncated": page * size < len(entries),
            "tree": [{"path": path, "mode": mode, "type": kind, "sha": sha} for path, (mode, kind, sha) in part]}


def check_operation(file, files):
    path, operation, given = file["path"], file["operation"], file.get("sha", "")
    if path.startswith("../"):
        raise Refusal(500, "git ls-files error")
    if path.startswith(".git/"):
        raise Refusal(422, f"path contains a malformed path component [path: {path}]")
    there = files.get(path, ("", "", ""))[2]
    if operation == "create":
        if there:
            raise Refusal(422, f"repository file already exists [path: {path}]")
        return
    if not there:
        raise Refusal(404, f"object does not exist [id: , rel_path: {path}]")
    if not given:
        raise Refusal(422, "the fake wants a sha for each update and delete")
    if given != there:
        raise Refusal(422, f"sha does not match [given: {given}, expected: {there}]")
    if operation == "update" and git("hash-object", "--stdin", data=base64.b64decode(file["content"])).decode().strip() == there:
        raise Refusal(422, "the fake wants nothing that is the same")


def make_commit(body, base):
    files = files_of(base)
    for file in body["files"]:
        check_operation(file, files)
    with tempfile.TemporaryDirectory() as scratch:
        env = {"GIT_INDEX_FILE": f"{scratch}/index"}
        git("read-tree", base, env=env)
        lines = []
        for file in body["files"]:
            if file["operation"] == "delete":
                lines.append(f"0 {NOTHING}\t{file['path']}")
                continue
            content = base64.b64decode(file["content"], validate=True).replace(b"\n", LINE_END)
            sha = git("hash-object", "-w", "--stdin", data=content).decode().strip()
            mode = files.get(file["path"], ("100644",))[0]
            lines.append(f"{mode} {sha}\t{file['path']}")
        git("update-index", "--index-info", data="\n".join(lines).encode() + b"\n", env=env)
        tree = git("write-tree", env=env).decode().strip()
    who = {}
    for role in ("author", "committer"):
        who[f"GIT_{role.upper()}_NAME"] = body[role]["name"]
        who[f"GIT_{role.upper()}_EMAIL"] = body[role]["email"]
        who[f"GIT_{role.upper()}_DATE"] = body["dates"][role]
    message = body["message"].strip() + "\n" + os.environ.get("TRAILER", "")
    return tree, git("commit-tree", tree, "-p", base, data=message.encode(), env=who).decode().strip()


def change_files(body):
    base = branch_commit(body["branch"])
    if not base:
        raise Refusal(404, f"branch does not exist [name: {body['branch']}]")
    target = body.get("new_branch") or body["branch"]
    before = branch_commit(target)
    if len(target) > 100:
        raise Refusal(422, "[NewBranchName]: MaxSize")
    if target != body["branch"] and before and not body.get("force_push"):
        raise Refusal(422, f"branch already exists [name: {target}]")
    if is_protected(target):
        raise Refusal(403, "user cannot commit to repo [user: bot]")
    tree, commit = make_commit(body, base)
    git("update-ref", f"refs/heads/{target}", commit, before or NOTHING)
    files = files_of(commit)
    return {"files": [{"path": file["path"], "sha": files.get(file["path"], ("", "", ""))[2]} for file in body["files"]],
            "commit": {"sha": commit, "tree": {"sha": tree}, "parents": [{"sha": base}], "message": body["message"]}}


def api(method, path, query, body):
    """Status, and what goes into the answer."""
    if method == "GET" and path == "":
        return 200, {"id": 1, "full_name": "platform/fleet"}
    name = path.partition("/branches/")[2]
    commit = branch_commit(name) if name else ""
    if name and not commit:
        raise Refusal(404, "The target couldn't be found.")
    if method == "GET" and name:
        message = git("log", "-1", "--format=%B", commit).decode()
        return 200, {"name": name, "commit": {"id": commit, "message": message}, "protected": is_protected(name),
                     "user_can_push": not is_protected(name)}
    if method == "DELETE" and name:
        git("update-ref", "-d", f"refs/heads/{name}", commit)
        return 204, None
    if method == "GET" and path.startswith("/git/trees/"):
        return 200, tree_page(path.rpartition("/")[2], query)
    if method == "GET" and path.startswith("/raw/"):
        sha = files_of(branch_commit(query["ref"])).get(path[len("/raw/"):])
        if not sha:
            raise Refusal(404, "The target couldn't be found.")
        return 200, git("cat-file", "blob", sha[2])
    if method == "POST" and path == "/contents":
        return 201, change_files(json.loads(body))
    raise Refusal(404, "Not Found")


def next_fault(method, path):
    file = FOLDER / "faults.json"
    if not file.exists():
        return {}
    faults = json.loads(file.read_text())
    for fault in faults:
        if fault["times"] > 0 and fault["method"] == method and fault["path"] in path:
            fault["times"] -= 1
            file.write_text(json.dumps(faults))
            return fault
    return {}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, form, *arguments):
        with open(FOLDER / "requests.log", "a", encoding="utf-8") as log:
            log.write(f"{self.command} {self.path} {arguments[1] if len(arguments) > 1 else ''}\n")

    def answer(self, status, headers, body):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def answer_json(self, status, content):
        body = content if isinstance(content, bytes) else b"" if content is None else json.dumps(content).encode()
        self.answer(status, [("Content-Type", "application/json;charset=utf-8")], body)

    def handle_api(self, path, query, body):
        if self.headers.get("Authorization") != f"token {TOKEN}":
            return self.answer_json(401, {"message": "invalid username, password or token", "url": "/api/swagger"})
        fault = next_fault(self.command, path)
        if "run" in fault:
            subprocess.run(["sh", "-c", fault["run"]], check=True, cwd=FOLDER)
        if "hang" in fault:
            time.sleep(fault["hang"])
        if "status" in fault:
            return self.answer(fault["status"], list(fault.get("headers", {}).items()), fault.get("body", "").encode())
        if "close" in fault:
            self.close_connection = True
            return None
        try:
            status, content = api(self.command, path, query, body)
        except Refusal as refusal:
            status, content = refusal.status, {"message": str(refusal), "url": "/api/swagger"}
        if "deaf" in fault:
            self.close_connection = True
            return None
        return self.answer_json(status, content)

    def handle_git(self, path, query, body):
        login = base64.b64decode(self.headers.get("Authorization", "").partition(" ")[2]).decode()
        if login.partition(":")[2] != TOKEN:
            return self.answer(401, [("WWW-Authenticate", 'Basic realm="Gitea"')], b"")
        variables = dict(os.environ, GIT_PROJECT_ROOT=str(FOLDER), GIT_HTTP_EXPORT_ALL="1", PATH_INFO=path,
                         QUERY_STRING=query, REQUEST_METHOD=self.command, REMOTE_USER="bot",
                         CONTENT_TYPE=self.headers.get("Content-Type", ""), CONTENT_LENGTH=str(len(body)),
                         HTTP_CONTENT_ENCODING=self.headers.get("Content-Encoding", ""))
        reply = subprocess.run([PROGRAMS + "/git-http-backend"], input=body, capture_output=True, env=variables,
                               check=False).stdout
        head, _, rest = reply.partition(b"\r\n\r\n")
        headers = [tuple(line.split(": ", 1)) for line in head.decode().split("\r\n") if ": " in line]
        status = next((int(value.split()[0]) for name, value in headers if name == "Status"), 200)
        return self.answer(status, [header for header in headers if header[0] != "Status"], rest)

    def handle_request(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path, _, query = self.path.partition("?")
        path = urllib.parse.unquote(path)
        if path.startswith(API):
            if body:
                with open(FOLDER / "bodies.log", "ab") as log:
                    log.write(body + b"\n")
            with lock:
                return self.handle_api(path[len(API):], dict(urllib.parse.parse_qsl(query)), body)
        if path.startswith("/platform/"):
            return self.handle_git(path[len("/platform"):], query, body)
        return self.answer_json(404, {"message": "Not Found"})

    do_GET = do_POST = do_DELETE = handle_request


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request, client_address):
        """Clients are killed, and end what is too long: no news."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


server = Server(("127.0.0.1", 0), Handler)
if len(sys.argv) > 3:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[3])
    server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_address[1], flush=True)
server.serve_forever()
