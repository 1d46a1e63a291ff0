"""Golden cases of the form `sops`: encrypted bytes differ in every run, so files are compared by their decrypted data.

The program is the real `sops` ($CAPWRIGHT_SOPS, or the one in PATH or GOBIN). Without it the fake of tests/support is used:
files without secrets are still compared, and the output lists the others.
"""

import os
import pathlib
import shutil
import subprocess

from render_case import GOLDEN, ROOT, render, tree

KEY = GOLDEN / "age-key.txt"
FAKE = ROOT / "tests" / "support" / "fake_sops.py"


def real_sops():
    if os.environ.get("CAPWRIGHT_SOPS"):
        return os.environ["CAPWRIGHT_SOPS"]
    folders = [os.environ.get("PATH", ""), os.environ.get("GOBIN", ""), str(pathlib.Path.home() / "go" / "bin")]
    return shutil.which("sops", path=os.pathsep.join(filter(None, folders)))


def is_encrypted(text):
    return text is not None and b"\nsops:\n" in text


def decrypt(program, text):
    """The decrypted data of a YAML file, as the program prints it."""
    return subprocess.run([program, "--decrypt", "--input-type", "yaml", "--output-type", "yaml", "/dev/stdin"], input=text,
                          env=os.environ | {"SOPS_AGE_KEY_FILE": str(KEY)}, capture_output=True, check=True).stdout


def render_with(program, folder, *arguments):
    """Renders with `program` as the `sops` of PATH."""
    tools = folder.parent / "tools"
    tools.mkdir(exist_ok=True)
    if not (tools / "sops").exists():
        (tools / "sops").symlink_to(program)
    return render(folder, *arguments, "--values", "credentials.yaml", SOPS_AGE_KEY_FILE=str(KEY),
                  PATH=f"{tools}{os.pathsep}{os.environ['PATH']}")


def keep_what_holds_the_same(program, kept, rendered):
    """Makes equal secrets in two trees equal bytes, so that the rest of the comparison can ignore encryption."""
    for path in kept.keys() & rendered.keys():
        if is_encrypted(kept[path]) != is_encrypted(rendered[path]) or not is_encrypted(kept[path]):
            continue
        if program is None:
            print(f"sops is not there: {path} is not compared")
            rendered[path] = kept[path]
        elif decrypt(program, kept[path]) == decrypt(program, rendered[path]):
            rendered[path] = kept[path]
    return kept, rendered


def check_second_render(folder, program):
    """Rendering a tree again doesn't change a byte."""
    before = tree(folder)
    render_with(program, folder)
    changed = sorted(path for path, text in tree(folder).items() if before.get(path) != text)
    render_with(program, folder, "--check")
    return [f"{path}: encrypted again, though nothing changed\n" for path in changed]


def check_sops(case, folder, bless, differences):
    program = real_sops()
    render_with(program or FAKE, folder)
    kept, rendered = keep_what_holds_the_same(program, tree(case), tree(folder))
    if bless and program is None and any(is_encrypted(text) and path not in kept for path, text in rendered.items()):
        return ["sops is needed to bless this case\n"]
    if bless:
        shutil.rmtree(case / "clusters", ignore_errors=True)
        for path, text in rendered.items():
            (case / path).parent.mkdir(parents=True, exist_ok=True)
            (case / path).write_bytes(text)
        kept = rendered
    return differences(kept, rendered) + check_second_render(folder, program or FAKE)
