"""A configuration of opencenter with its repository, and stand-ins for the programs that deployments start."""

import fcntl
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SECRET = "s3cret-of-the-cloud-0001"

CONFIGURATION = """schema_version: "2.0"
opencenter:
  meta: {name: prod-a, organization: acme}
  infrastructure:
    provider: openstack
    networking: {vrrp_ip: 10.2.128.5, vrrp_enabled: true}
    cloud:
      openstack:
        auth_url: https://keystone.example.com:5000/v3
        region: RegionOne
        project_name: platform
        application_credential_id: 0123456789abcdef
        application_credential_secret: %s
deployment: {method: kubespray}
gitops:
  repository: {local_dir: ../fleet}
opentofu: {enabled: true}
""" % SECRET

# The calls of a whole deployment that change something, in order.
CALLS = ["tofu init", "tofu plan", "tofu apply", "python3 -m", "pip install", "ansible-playbook --inventory"]


class Site:
    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="capwright-deploy-"))
        self.programs = self.folder / "programs"
        self.cluster = self.folder / "fleet" / "infrastructure" / "clusters" / "prod-a"
        self.state_folder = self.folder / "state" / "deploy" / "acme" / "prod-a"
        (self.cluster / "kubespray").mkdir(parents=True)
        (self.cluster / "inventory").mkdir()
        (self.folder / "acme").mkdir()
        self.configure(CONFIGURATION)
        self.programs.mkdir()
        script = (HERE / "stand_in.py").read_text()
        (self.programs / "stand_in.py").write_text(f"#!{sys.executable}\n{script}")
        (self.programs / "stand_in.py").chmod(0o755)
        for name in ("tofu", "python3", "kubectl"):
            (self.programs / name).symlink_to("stand_in.py")

    def close(self):
        shutil.rmtree(self.folder)

    def configure(self, text):
        (self.folder / "acme" / ".prod-a-config.yaml").write_text(text)

    def behaves(self, key, value):
        """What a call such as `tofu apply` does besides."""
        (self.programs / "behavior.json").write_text(json.dumps({key: value}))

    def world(self, **values):
        (self.programs / "world.json").write_text(json.dumps(values))

    def command(self, *arguments):
        times = [word for option, value in (("--ready-interval", "0"), ("--ready-timeout", "20"))
                 if option not in arguments for word in (option, value)]
        return [os.environ["CAPWRIGHT"], "deploy", "acme/prod-a", "--state-dir", str(self.folder / "state"), *times, *arguments]

    def environment(self, **more):
        return {"PATH": str(self.programs), "HOME": str(self.folder), "USER": "tester", "LANG": "C.UTF-8", **more}

    def deploy(self, *arguments, **variables):
        return subprocess.run(self.command(*arguments), cwd=self.folder, env=self.environment(**variables),
                              capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL, check=False)

    def start(self, *arguments):
        return subprocess.Popen(self.command(*arguments), cwd=self.folder, env=self.environment(), text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)

    def calls(self):
        path = self.programs / "calls.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def changes(self):
        """The calls so far that change something."""
        return [call["call"] for call in self.calls() if call["call"] in CALLS]

    def forget_calls(self):
        (self.programs / "calls.jsonl").unlink(missing_ok=True)

    def forget_calls_when_idle(self):
        """After a kill: when no program of the killed run lives any more."""
        lock = self.state_folder / "programs"
        if lock.exists():
            folder = os.open(lock, os.O_RDONLY)
            fcntl.flock(folder, fcntl.LOCK_EX)
            os.close(folder)
        self.forget_calls()

    def state(self):
        return json.loads((self.state_folder / "state.json").read_text())

    def results(self):
        return {step["id"]: step["result"] for step in self.state()["steps"]}

    def kubeconfig(self):
        return self.folder / "acme" / "secrets" / "prod-a-kubeconfig"

    def logs(self):
        return "".join(path.read_text() for path in sorted((self.state_folder / "logs").glob("*.log")))


def ends(done, code, *words):
    text = done.stdout + done.stderr
    assert done.returncode == code, f"exit code {done.returncode}, not {code}:\n{text}"
    for word in words:
        assert word in text, f"`{word}` is missing:\n{text}"
    assert SECRET not in text, f"the secret is shown:\n{text}"
    return text


def run_cases(names):
    """Each `test_…` of the names, on a site of its own; those with one of the words of the command line."""
    words = sys.argv[1:]
    cases = [(name, case) for name, case in names.items()
             if name.startswith("test_") and (not words or any(word in name for word in words))]
    failed = 0
    for name, case in cases:
        site = Site()
        try:
            print(f"{name}: {case(site)}", flush=True)
        except (AssertionError, subprocess.SubprocessError) as fault:
            failed += 1
            print(f"FAILED {name}: {fault}", flush=True)
        finally:
            site.close()
    print(f"{len(cases)} cases, {failed} failed")
    sys.exit(1 if failed or not cases else 0)
