"""The steps of Kubespray with a real Python environment and a real pip.

The requirement is a wheel of this test, so nothing is downloaded; its `ansible-playbook` says what it was started with. With
CAPWRIGHT_EFFORT=all, pip installs ansible-core from the package index, and a real playbook runs on this machine.
"""

import json
import os
import pathlib
import shutil
import sys
import zipfile

from site_of_cluster import ends, run_cases

PROGRAM = """import json, os, pathlib, shutil, sys

def main():
    seen = {"arguments": sys.argv[1:], "folder": os.getcwd(), "prefix": sys.prefix, "environment": dict(os.environ),
            "first": shutil.which("ansible-playbook")}
    pathlib.Path("../seen.json").write_text(json.dumps(seen))
    shutil.copy("../template", "../kubeconfig")
"""

KUBECONFIG = "kind: Config\nclusters: [{name: a, cluster: {server: https://127.0.0.1:6443}}]\n"

PLAYBOOK = """
- hosts: all
  gather_facts: false
  tasks:
    - name: a task without become
      ansible.builtin.copy: {src: "{{ playbook_dir }}/../template", dest: "{{ playbook_dir }}/../kubeconfig", mode: "0600"}
      become: false
    - ansible.builtin.debug: {msg: "secret {{ lookup('env', 'OS_APPLICATION_CREDENTIAL_SECRET') }}"}
      become: false
"""


def write_wheel(folder):
    wheel = folder / "stand_in_of_ansible-1.0-py3-none-any.whl"
    info = "stand_in_of_ansible-1.0.dist-info"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("stand_in_of_ansible.py", PROGRAM)
        archive.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: stand-in-of-ansible\nVersion: 1.0\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/entry_points.txt", "[console_scripts]\nansible-playbook = stand_in_of_ansible:main\n")
        archive.writestr(f"{info}/RECORD", "")
    return wheel


def prepare(site):
    (site.programs / "python3").unlink()
    (site.programs / "python3").symlink_to(pathlib.Path(sys.executable).resolve())
    (site.cluster / "template").write_text(KUBECONFIG)


def test_real_environment(site):
    prepare(site)
    (site.cluster / "kubespray" / "requirements.txt").write_text(f"{write_wheel(site.folder)}\n")
    ends(site.deploy("--yes", PIP_NO_INDEX="1"), 0, "Successfully installed stand-in-of-ansible-1.0")
    seen = json.loads((site.cluster / "seen.json").read_text())
    venv = str(site.state_folder / "venv")
    assert seen["prefix"] == venv and seen["environment"]["VIRTUAL_ENV"] == venv
    assert seen["first"] == venv + "/bin/ansible-playbook", "the environment's programs aren't the first in PATH"
    assert seen["folder"] == str(site.cluster / "kubespray")
    assert seen["arguments"] == ["--inventory", str(site.cluster / "inventory" / "inventory.yaml"), "--become", "cluster.yml"]
    assert "://10.2.128.5:6443" in site.kubeconfig().read_text()
    return seen["prefix"].rsplit("/", 1)[1]


def test_real_ansible(site):
    if os.environ.get("CAPWRIGHT_EFFORT") != "all":
        return "left out: CAPWRIGHT_EFFORT=all installs ansible-core"
    prepare(site)
    for name in ("sh", "bash", "env", "cat", "chmod", "mkdir", "rm", "sleep", "id", "locale"):
        if shutil.which(name):
            (site.programs / name).symlink_to(shutil.which(name))
    (site.cluster / "kubespray" / "requirements.txt").write_text("ansible-core\n")
    (site.cluster / "kubespray" / "cluster.yml").write_text(PLAYBOOK)
    (site.cluster / "inventory" / "inventory.yaml").write_text("all: {hosts: {localhost: {ansible_connection: local}}}\n")
    index = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    ends(site.deploy("--yes", **index), 0, "a task without become", "secret <secret>", "failed=0")
    assert "://10.2.128.5:6443" in site.kubeconfig().read_text()
    return "a playbook"


run_cases(globals())
