"""Starts `capwright serve` in a folder, and sends it requests."""

import contextlib
import hashlib
import http.client
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
FLEET = ROOT / "docs" / "tutorial" / "fleet"
# `CI` forbids plain-text secrets.
UNSET = ("CI", "GIT_DIR")
ALL_ACTIONS = ("render", "validate", "plan", "schemas", "audit", "publish", "secrets")

MOST_LINES = 10000  # of the server's log

failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)
        print(f"FAIL {what}")
    return condition


def finish():
    print(f"{len(failures)} failed" if failures else "as expected")
    sys.exit(1 if failures else 0)


def token(name, actions=ALL_ACTIONS, clusters=("*",)):
    """An entry of the tokens' file; the token is its name twice."""
    return {"name": name, "sha256": hashlib.sha256(f"{name}-{name}".encode()).hexdigest(), "actions": list(actions),
            "clusters": list(clusters)}


def bearer(name):
    return {"Authorization": f"Bearer {name}-{name}"}


class Answer:
    def __init__(self, response):
        self.status, self.headers, self.body = response.status, response.headers, response.read()

    def json(self):
        return json.loads(self.body)


class Server:
    def __init__(self, process, log):
        self.process, self.log, self.port, self.reader = process, log, None, None

    def read_port(self):
        for line in self.process.stderr:
            found = re.fullmatch(r"listening on .*:(\d+)\n", line)
            if found:
                self.port = int(found.group(1))
                self.reader = threading.Thread(target=self.keep_log, daemon=True)
                self.reader.start()  # a full pipe would stop the server
                return
            self.log.append(line)
        sys.exit(f"capwright serve ended: {''.join(self.log)}")

    def keep_log(self):
        """The last lines: a load of an hour has a million."""
        for line in self.process.stderr:
            self.log.append(line)
            if len(self.log) > MOST_LINES:
                del self.log[:MOST_LINES // 2]

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def request(self, method, path, body=None, caller="all", **headers):
        """`caller` is the name of a token; None sends none."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if caller:
            sent |= bearer(caller)
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        if body is not None:
            sent.setdefault("Content-Type", "application/json")
        connection = self.connect()
        with contextlib.closing(connection):
            connection.request(method, path, body=body, headers=sent)
            return Answer(connection.getresponse())

    def render(self, template, values, **more):
        return self.request("POST", f"/api/v1/cluster-templates/{template}/render", values, **more)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(timeout=60)
        self.reader.join()
        return code


# libgit2 keeps what its threads met last until they end; the server's threads end with the process.
LEAKS = pathlib.Path(__file__).resolve().parents[1] / "support" / "lsan.supp"


@contextlib.contextmanager
def serving(folder, *arguments, tokens=None, variables=None):
    """A server in `folder`, with a token `all` for everything unless `tokens` has others."""
    secret = pathlib.Path(folder).parent / "tokens.json"
    secret.write_text(json.dumps({"tokens": tokens or [token("all")]}))
    environment = {name: value for name, value in os.environ.items() if name not in UNSET} | (variables or {})
    environment |= {"LSAN_OPTIONS": f"suppressions={LEAKS}:print_suppressions=0"}
    process = subprocess.Popen([os.path.abspath(os.environ["CAPWRIGHT"]), "serve", "--listen", "127.0.0.1:0", "--tokens",
                                str(secret), *arguments], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
    server = Server(process, [])
    try:
        server.read_port()
        yield server
        if process.poll() is None:
            code = server.stop()
            expect(code == 0, f"the server ends with exit code {code}: {''.join(server.log[-5:])}")
    finally:
        process.kill()
        process.wait()
