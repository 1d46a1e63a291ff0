"""A Gitea on a port of 127.0.0.1, with the user `bot` and its token.

Its program is what CAPWRIGHT_GITEA names, or `gitea` of the PATH. One that was built without the tag `bindata` needs
CAPWRIGHT_GITEA_ROOT: a folder with `templates`, `options` and `public` of its sources. It refuses to run as root, hence
runs as `nobody` then.
"""

import os
import pathlib
import shutil
import socket
import subprocess
import time
import urllib.request

HOST = "127.0.0.1"
NOBODY = 65534  # the user of this name
CONFIGURATION = """APP_NAME = test
RUN_MODE = prod
WORK_PATH = {folder}
[server]
PROTOCOL = http
HTTP_ADDR = {host}
HTTP_PORT = {port}
ROOT_URL = http://{host}:{port}/
OFFLINE_MODE = true
DISABLE_SSH = true
STATIC_ROOT_PATH = {root}
[database]
DB_TYPE = sqlite3
PATH = {folder}/data.db
[repository]
ROOT = {folder}/repositories
[security]
INSTALL_LOCK = true
SECRET_KEY = key
INTERNAL_TOKEN = {internal}
[cron.update_checker]
ENABLED = false
[log]
LEVEL = Error
"""


def program():
    return os.environ.get("CAPWRIGHT_GITEA") or shutil.which("gitea")


def free_port():
    with socket.socket() as free:
        free.bind((HOST, 0))
        return free.getsockname()[1]


class Gitea:
    def __init__(self, folder, port=None):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir()
        port = port or free_port()
        self.url = f"http://{HOST}:{port}"
        self.user = NOBODY if os.geteuid() == 0 else None
        self.env = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "GITEA_WORK_DIR": str(self.folder),
                    "GIT_CONFIG_NOSYSTEM": "1", "USER": os.environ.get("USER", "user")}
        internal = subprocess.run([program(), "generate", "secret", "INTERNAL_TOKEN"], env=self.env, text=True, user=self.user,
                                  cwd="/", capture_output=True, check=True).stdout.strip()
        (self.folder / "app.ini").write_text(CONFIGURATION.format(
            folder=self.folder, host=HOST, port=port, internal=internal, root=os.environ.get("CAPWRIGHT_GITEA_ROOT", self.folder)))
        if self.user:
            self.folder.parent.chmod(0o755)
            shutil.chown(self.folder, self.user)
            shutil.chown(self.folder / "app.ini", self.user)
        self.run("migrate")
        self.run("admin", "user", "create", "--username", "bot", "--email", "bot@example.com", "--password", "Aa1-password-of-bot",
                 "--admin", "--must-change-password=false")
        self.token = self.run("admin", "user", "generate-access-token", "--username", "bot", "--scopes", "all", "--raw").strip()
        self.process = subprocess.Popen([program(), "web", "--config", str(self.folder / "app.ini")], env=self.env,
                                        user=self.user, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.wait()

    def run(self, *arguments):
        done = subprocess.run([program(), "--config", str(self.folder / "app.ini"), *arguments], env=self.env, user=self.user,
                              cwd="/", text=True, capture_output=True, check=False, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout.splitlines()[-1] if done.stdout else ""

    def wait(self):
        for _ in range(600):
            try:
                return self.ask("GET", "/version")
            except OSError:
                time.sleep(0.1)
        raise AssertionError("Gitea doesn't answer")

    def ask(self, method, path, body="{}"):
        request = urllib.request.Request(self.url + "/api/v1" + path, method=method, data=body.encode() if method != "GET" else None,
                                         headers={"Authorization": "token " + self.token, "Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.read()
