"""Deployments with the real OpenTofu, without providers and remote state.

It is the one that CAPWRIGHT_TOFU names, or the one in PATH. With CAPWRIGHT_EFFORT=all, `go` builds it from the Go module
proxy, which takes minutes. Otherwise the test is skipped.
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from site_of_cluster import CONFIGURATION, SECRET, ends, run_cases

VERSION = "v1.12.6"  # the newest on 2026-11-26

MAIN = """
variable "token" { type = string }

resource "terraform_data" "network" { input = "token is ${var.token}" }

resource "terraform_data" "servers" {
  input = terraform_data.network.output
  provisioner "local-exec" {
    command = "echo started > started; sleep ${fileexists("slow") ? 2 : 0}; echo made >> made; cp template kubeconfig.yaml"
  }
}
"""

KUBECONFIG = "apiVersion: v1\nkind: Config\nclusters: [{name: a, cluster: {server: 'https://localhost:6443'}}]\n"


def built_tofu(folder):
    """Built like any program of a module that has `replace` lines: in a copy of its source."""
    answer = subprocess.run(["go", "mod", "download", "-json", f"github.com/opentofu/opentofu@{VERSION}"], cwd=folder,
                            capture_output=True, text=True, check=False)
    if answer.returncode != 0:
        return None
    source = folder / "source"
    shutil.copytree(json.loads(answer.stdout)["Dir"], source)
    subprocess.run(["chmod", "-R", "u+w", source], check=True)
    program = folder / "tofu"
    subprocess.run(["go", "build", "-o", program, "./cmd/tofu"], cwd=source, env=os.environ | {"GOFLAGS": "-mod=mod"}, check=True)
    return program


def find_tofu(folder):
    named = os.environ.get("CAPWRIGHT_TOFU") or shutil.which("tofu")
    if not named and os.environ.get("CAPWRIGHT_EFFORT") == "all" and shutil.which("go"):
        named = built_tofu(folder)
    if not named:
        print("skipped: there is no OpenTofu; CAPWRIGHT_TOFU names one, and CAPWRIGHT_EFFORT=all builds one")
        sys.exit(77)
    return named


def prepare(site):
    (site.programs / "tofu").unlink()
    (site.programs / "tofu").symlink_to(TOFU)
    for name in ("sh", "sleep", "cp"):  # of the provisioner
        (site.programs / name).symlink_to(shutil.which(name))
    site.configure(CONFIGURATION.replace("method: kubespray", "method: kubeadm"))
    (site.cluster / "main.tf").write_text(MAIN)
    (site.cluster / "template").write_text(KUBECONFIG)


def deploy(site, *arguments):
    return site.deploy("--pass-env", "TF_VAR_token", *arguments, TF_VAR_token="token-of-the-team-1")


def resources(site):
    state = json.loads((site.cluster / "terraform.tfstate").read_text())
    return sorted((resource["name"], len(resource["instances"]), resource["instances"][0].get("status", "whole"))
                  for resource in state["resources"])


BOTH = [("network", 1, "whole"), ("servers", 1, "whole")]


def test_from_nothing_to_ready(site):
    prepare(site)
    text = ends(deploy(site, "--yes"), 0, "OpenTofu v", "Plan: 2 to add", "Apply complete! Resources: 2 added", "token is <secret>",
                "kubeconfig.yaml, with the API at 10.2.128.5", "ready after")
    assert "token-of-the-team-1" not in text + site.logs() and SECRET not in site.logs()
    assert "://10.2.128.5:6443" in site.kubeconfig().read_text()
    assert resources(site) == BOTH
    assert (site.cluster / "terraform.tfstate").stat().st_mode & 0o777 == 0o600
    ends(deploy(site, "--yes"), 0, "No changes.", "the infrastructure is up to date")
    assert (site.cluster / "made").read_text() == "made\n"
    return "2 resources"


def test_kill_while_it_applies(site):
    prepare(site)
    (site.cluster / "slow").touch()
    process = start(site)
    process.kill()
    process.communicate()
    assert site.results()["opentofu-apply"] == "running"
    ends(deploy(site, "--yes"), 2, "error[G309]")  # OpenTofu still works
    site.forget_calls_when_idle()
    # What OpenTofu knew at its end is taken over, the rest is made.
    ends(deploy(site, "--yes"), 0, "resumes at opentofu-apply, which was killed")
    assert resources(site) == BOTH, resources(site)
    return "resumed"


def start(site):
    process = subprocess.Popen([*site.command("--yes"), "--pass-env", "TF_VAR_token"], cwd=site.folder, text=True,
                               env=site.environment(TF_VAR_token="token-of-the-team-1"), stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT)
    while not (site.cluster / "started").exists():
        assert process.poll() is None, process.communicate()[0]
        time.sleep(0.02)
    return process


def test_interrupt_while_it_applies(site):
    prepare(site)
    (site.cluster / "slow").touch()
    process = start(site)
    process.send_signal(signal.SIGINT)
    text, _ = process.communicate(timeout=30)
    assert process.returncode == 130 and "Interrupt received." in text, text
    assert "Two interrupts received" not in text, text
    assert site.results()["opentofu-apply"] == "interrupted"
    (site.cluster / "slow").unlink()
    ends(deploy(site, "--yes"), 0, "resumes at opentofu-apply, which ended as interrupted")
    assert resources(site) == BOTH
    return "one interrupt"


def test_invalid_configuration(site):
    prepare(site)
    (site.cluster / "main.tf").write_text('resource "terraform_data" {}\n')
    ends(deploy(site, "--yes"), 2, "error[G308]", "`tofu init` ended with exit code 1")
    assert site.results()["opentofu-init"] == "failed"
    return "shown"


with tempfile.TemporaryDirectory() as built:
    TOFU = find_tofu(pathlib.Path(built))
    run_cases(globals())
