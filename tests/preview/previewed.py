"""Starts `capwright preview` in a folder, and sends it requests."""

import contextlib
import http.client
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
FLEET = ROOT / "docs" / "tutorial" / "fleet"
PROD = "values/prod-a.yaml"
# `CI` forbids plain-text secrets.
VARIABLES = {name: value for name, value in os.environ.items() if name not in ("CI", "GIT_DIR")}
VARIABLES |= {"GIT_AUTHOR_NAME": "Test", "GIT_AUTHOR_EMAIL": "test@example.com", "GIT_COMMITTER_NAME": "Test",
              "GIT_COMMITTER_EMAIL": "test@example.com"}
# libgit2 keeps what its threads met last until they end; the server's threads end with the process.
VARIABLES["LSAN_OPTIONS"] = f"suppressions={ROOT / 'tests' / 'support' / 'lsan.supp'}:print_suppressions=0"
PROGRAM = os.path.abspath(os.environ["CAPWRIGHT"])

# With sanitizers, times say nothing.
IS_TIMED = os.environ.get("CAPWRIGHT_EFFORT") != "few"

failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)
        print(f"FAIL {what}")
    return condition


def finish():
    print(f"{len(failures)} failed" if failures else "as expected")
    sys.exit(1 if failures else 0)


def run(folder, *words):
    return subprocess.run(words, cwd=folder, env=VARIABLES, capture_output=True, text=True, check=True).stdout


@contextlib.contextmanager
def fleet_copy():
    """The tutorial's fleet, rendered and committed."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "fleet"
        shutil.copytree(FLEET, folder)
        run(folder, "git", "init", "--quiet")
        run(folder, PROGRAM, "render", "--quiet")
        run(folder, "git", "add", "--all")
        run(folder, "git", "commit", "--quiet", "--message", "Render")
        yield folder


class Answer:
    def __init__(self, response):
        self.status, self.headers, self.body = response.status, response.headers, response.read()

    def json(self):
        return json.loads(self.body)


class Previewed:
    def __init__(self, process, address):
        self.process, self.address = process, address
        parts = urllib.parse.urlsplit(address)
        self.host, self.port, self.path = parts.netloc, parts.port, parts.path

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def request(self, method, path, body=None, whole_path=False, **headers):
        """`path` follows the token, unless it is the whole path."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        connection = self.connect()
        with contextlib.closing(connection):
            connection.putrequest(method, path if whole_path else self.path + path, skip_host="Host" in sent)
            for name, value in sent.items():
                connection.putheader(name, value)
            data = body.encode() if isinstance(body, str) else body
            if data is not None:
                connection.putheader("Content-Length", str(len(data)))
            connection.endheaders(data)
            return Answer(connection.getresponse())

    def api(self, method, name, body=None, **parameters):
        return self.request(method, f"api/{name}?{urllib.parse.urlencode(parameters)}", body)

    def get(self, name, **parameters):
        answer = self.api("GET", name, **parameters)
        if answer.status != 200:
            raise AssertionError(f"{name} {parameters}: {answer.status} {answer.body[:500]}")
        return answer.json()

    @contextlib.contextmanager
    def events(self):
        """Yields a function that waits for the next event, and returns its data."""
        connection = self.connect()
        with contextlib.closing(connection):
            connection.request("GET", self.path + "api/events")
            response = connection.getresponse()

            def next_event():
                while line := response.readline():
                    if line.startswith(b"data: "):
                        return int(line[6:])
                return None

            yield next_event

    def cpu_seconds(self):
        fields = open(f"/proc/{self.process.pid}/stat", encoding="ascii").read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self, number=signal.SIGINT):
        self.process.send_signal(number)
        return self.process.wait(timeout=60)


@contextlib.contextmanager
def previewing(folder, *arguments):
    process = subprocess.Popen([PROGRAM, "preview", *arguments], cwd=folder, env=VARIABLES, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        address = process.stdout.readline().strip()
        if not address:
            sys.exit(f"capwright preview ended: {process.stderr.read()}")
        previewed = Previewed(process, address)
        yield previewed
        if process.poll() is None:
            code = previewed.stop()
            expect(code == 0, f"the preview ends with exit code {code}: {process.stderr.read()}")
    finally:
        process.kill()
        process.wait()


def wait_until(holds, seconds=20):
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True
