"""Stands in for tofu, python3, pip, ansible-playbook and kubectl, by the name that it is called by.

Beside the file that its links lead to:
    calls.jsonl     what was called: name, arguments, folder, environment
    behavior.json   what a call does besides, by `NAME FIRST-ARGUMENT`: {"print", "exit", "kill": "before" or "after",
                    "until_signal": file that says that it waits, "pieces": texts with pauses between them, "leaves":
                    seconds that a child lives on}
    world.json      what the calls changed so far: `applied`, a counter; `ready`, how many looks until the cluster is ready
"""

import json
import os
import pathlib
import signal
import sys
import time

HERE = pathlib.Path(os.path.realpath(__file__)).parent
NAME = pathlib.Path(sys.argv[0]).name
ARGUMENTS = sys.argv[1:]
KUBECONFIG = """# made by the installer
apiVersion: v1
kind: Config
clusters:
  - name: prod-a
    cluster:
      certificate-authority-data: QUJD
      server: https://127.0.0.1:6443
users: []
"""


def call_key():
    if NAME == "kubectl":
        return "kubectl " + next((word for word in ("version", "--raw=/readyz", "nodes") if word in ARGUMENTS), "")
    return f"{NAME} {ARGUMENTS[0] if ARGUMENTS else ''}"


def load(name):
    path = HERE / name
    return json.loads(path.read_text()) if path.exists() else {}


def change(**values):
    world = load("world.json") | values
    (HERE / "world.json").write_text(json.dumps(world))


def work(world):
    """What the real program would do, as far as deployments need it. Returns the exit code."""
    if NAME == "tofu" and ARGUMENTS[0] == "version":
        print("OpenTofu v1.12.6")
    elif NAME == "tofu" and ARGUMENTS[0] == "plan":
        out = next(word for word in ARGUMENTS if word.startswith("-out="))[len("-out="):]
        pathlib.Path(out).write_text(str(world.get("applied", 0)))
        print("Plan: 1 to add, 0 to change, 0 to destroy.")
        return 2
    elif NAME == "tofu" and ARGUMENTS[0] == "apply":
        if pathlib.Path(ARGUMENTS[-1]).read_text() != str(world.get("applied", 0)):
            print("Error: Saved plan is stale")
            return 1
        change(applied=world.get("applied", 0) + 1)
    elif NAME == "python3" and ARGUMENTS[0] == "--version":
        print("Python 3.11.2")
    elif NAME == "python3":
        folder = pathlib.Path(ARGUMENTS[-1]) / "bin"
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("pip", "ansible-playbook"):
            if not (folder / name).is_symlink():
                (folder / name).symlink_to(HERE / "stand_in.py")
    elif NAME == "ansible-playbook":
        (pathlib.Path.cwd().parent / "kubeconfig").write_text(KUBECONFIG)
    elif NAME == "kubectl" and "version" in ARGUMENTS:
        print("Client Version: v1.35.8")
    elif NAME == "kubectl" and "nodes" in ARGUMENTS:
        print("prod-a-1=True\nprod-a-2=" + ("True" if world.get("ready", 0) <= 1 else "False"))
        change(ready=world.get("ready", 0) - 1)
    elif NAME == "kubectl":
        if world.get("ready", 0) > 2:
            change(ready=world["ready"] - 1)
            print("connection refused")
            return 1
        print("ok")
    return 0


def wait_for_signal(path):
    got = []
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda number, _: got.append(number))
    pathlib.Path(path).write_text(str(os.getpid()))
    while not got:
        time.sleep(0.01)
    print(f"stopping after signal {got[0]}", flush=True)
    sys.exit(1)


def main():
    with open(HERE / "calls.jsonl", "a", encoding="utf-8") as calls:
        calls.write(json.dumps({"call": call_key(), "arguments": ARGUMENTS, "folder": os.getcwd(),
                                "environment": dict(os.environ)}) + "\n")
    behavior = load("behavior.json").get(call_key(), {})
    if behavior.get("kill") == "before":
        os.kill(os.getppid(), signal.SIGKILL)
        sys.exit(0)
    print(behavior.get("print", ""), end="", flush=True)
    for piece in behavior.get("pieces", []):
        print(piece, end="", flush=True)
        time.sleep(0.05)
    if "leaves" in behavior and os.fork() == 0:
        os.close(1), os.close(2)
        time.sleep(behavior["leaves"])
        os._exit(0)
    if "until_signal" in behavior:
        wait_for_signal(behavior["until_signal"])
    code = work(load("world.json"))
    if behavior.get("kill") == "after":
        os.kill(os.getppid(), signal.SIGKILL)
    sys.exit(behavior.get("exit", code))


main()
