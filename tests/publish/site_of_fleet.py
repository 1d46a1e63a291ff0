"""A fleet in a scratch folder with the remotes that it is published to: by HTTP, by ssh, as a folder."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("CAPWRIGHT", str(ROOT / "build" / "dev" / "capwright"))
HOST = "127.0.0.1"
SERVER = ROOT / "tests" / "support" / "git_http_server.py"
FAKE_GITEA = pathlib.Path(__file__).with_name("fake_gitea.py")


class Site:
    """`clone` is a clone of `server/fleet.git`, on main, with the tutorial's fleet committed and pushed."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="capwright-publish-"))
        self.home = self.folder / "home"
        self.home.mkdir()
        self.env = {**os.environ, "HOME": str(self.home), "GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0",
                    "LC_ALL": "C"}
        for name in ("SSH_AUTH_SOCK", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL", "CI"):
            self.env.pop(name, None)
        self.git("config", "--global", "user.name", "Team", at=self.folder)
        self.git("config", "--global", "user.email", "fleet@example.com", at=self.folder)
        self.git("config", "--global", "init.defaultBranch", "main", at=self.folder)
        self.processes = []
        self.bare = self.folder / "server" / "fleet.git"
        first = self.folder / "first"
        shutil.copytree(ROOT / "docs" / "tutorial" / "fleet", first)
        self.git("init", "-q", at=first)
        self.commit("Begin", at=first)
        self.git("clone", "-q", "--bare", str(first), str(self.bare), at=self.folder)
        self.git("config", "http.receivepack", "true", at=self.bare)
        self.clone = self.new_clone("clone")
        self.number = 0

    def close(self):
        for process in self.processes:
            process.kill()
            process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def new_clone(self, name):
        self.git("clone", "-q", f"file://{self.bare}", name, at=self.folder)
        return self.folder / name

    def git(self, *arguments, at=None):
        return subprocess.run(["git", *arguments], cwd=at or self.clone, env=self.env, check=True, text=True,
                              stdout=subprocess.PIPE).stdout.strip()

    def commit(self, message, at=None):
        self.git("add", "--all", at=at)
        self.git("commit", "-qm", message, at=at)

    def replace_files(self, files, message):
        """A commit with these texts by their paths, instead of all files; pushed."""
        self.git("rm", "-rq", ".")
        for path, text in files.items():
            file = self.clone / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        self.commit(message)
        self.git("push", "-q", "origin", "main")

    def change(self, at=None):
        """One commit of values more, on top of what is published."""
        self.git("pull", "-q", "--ff-only", f"file://{self.bare}", "main", at=at)
        self.number += 1
        values = (at or self.clone) / "values" / "prod-a.yaml"
        values.write_text(re.sub(r"count: \d+\n    flavor", f"count: {self.number + 2}\n    flavor", values.read_text()))
        self.commit(f"Change {self.number}", at=at)
        return self.git("rev-parse", "HEAD", at=at)

    def run(self, *arguments, at=None, **options):
        return subprocess.run([PROGRAM, *arguments], cwd=at or self.clone, env=self.env, text=True, capture_output=True,
                              check=False, timeout=300, **options)

    def publish(self, *arguments, at=None, **options):
        return self.run("publish", "--yes", *arguments, at=at, **options)

    def start(self, *arguments, at=None):
        return subprocess.Popen([PROGRAM, "publish", "--yes", *arguments], cwd=at or self.clone, env=self.env, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def there(self, ref="main"):
        done = subprocess.run(["git", "rev-parse", "-q", "--verify", ref], cwd=self.bare, env=self.env, text=True,
                              stdout=subprocess.PIPE, check=False)
        return done.stdout.strip()

    def hook(self, name, script):
        path = self.bare / "hooks" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("#!/bin/sh\n" + script)
        path.chmod(0o755)
        return path

    def certificate(self):
        """Files with a certificate of this machine, and with its key besides; None if openssl is missing."""
        certificate, key, both = (self.home / name for name in ("certificate.pem", "key.pem", "both.pem"))
        command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={HOST}",
                   "-addext", f"subjectAltName=IP:{HOST},DNS:localhost", "-keyout", str(key), "-out", str(certificate)]
        if shutil.which("openssl") is None or subprocess.run(command, capture_output=True, check=False).returncode != 0:
            return None
        both.write_text(key.read_text() + certificate.read_text())
        return certificate, both

    def serve(self, login="", *certificate, scheme="http"):
        """By HTTP; the URL."""
        process = subprocess.Popen([sys.executable, str(SERVER), str(self.bare.parent), login, *map(str, certificate)],
                                   env=self.env, stdout=subprocess.PIPE, text=True)
        self.processes.append(process)
        host = "localhost" if certificate else HOST  # libgit2's TLS library knows no addresses in certificates
        url = f"{scheme}://{host}:{process.stdout.readline().strip()}/fleet.git"
        self.git("remote", "set-url", "origin", url)
        return url

    def serve_gitea(self, token, *arguments, scheme="http", **variables):
        """By the API and HTTP, of which the remote is; the URL."""
        process = subprocess.Popen([sys.executable, str(FAKE_GITEA), str(self.bare.parent), token, *arguments],
                                   env={**self.env, **variables}, stdout=subprocess.PIPE, text=True)
        self.processes.append(process)
        url = f"{scheme}://{HOST}:{process.stdout.readline().strip()}/platform/fleet.git"
        self.git("remote", "set-url", "origin", url)
        self.env["GITEA_TOKEN"] = token
        return url

    def setting(self, text):
        """Adds to capwright.yaml, and publishes that by hand."""
        path = self.clone / "capwright.yaml"
        path.write_text(path.read_text() + text)
        self.commit("Set")
        self.git("push", "-q", f"file://{self.bare}", "HEAD:main")

    def check_whole(self):
        """The branch has what its commit says, and nothing is broken."""
        self.git("fsck", "--strict", "--no-dangling", at=self.bare)
        tree = self.folder / "check"
        self.git("clone", "-q", f"file://{self.bare}", str(tree), at=self.folder)
        done = subprocess.run([PROGRAM, "render", "--check"], cwd=tree, env=self.env, text=True, capture_output=True,
                              check=False)
        shutil.rmtree(tree)
        assert done.returncode == 0, done.stdout + done.stderr
