#!/usr/bin/env python3
"""Installs the packages of build/package on several releases of Debian and in an empty folder, and prints a table.

    matrix.py [--packages FOLDER] [--systems FOLDER]

Run it as root after `./dev package`, on a machine with debootstrap. Each system is made once in the folder `--systems`, and
packages are installed in a layer over it, without a network. The exit code is 1 if an installed program doesn't work, or if two
of them render different bytes.
"""

import argparse
import contextlib
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

PROJECT = pathlib.Path(__file__).resolve().parent.parent
FLEET = PROJECT / "docs" / "tutorial" / "fleet"
SUITES = {"Debian 11": "bullseye", "Debian 12": "bookworm", "Debian 13": "trixie"}
NOTHING = "an empty root folder, without `/etc` and `/proc`"
STARTS = 100
ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}


def one(folder, pattern):
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        sys.exit(f"{folder} has {len(found)} files {pattern}: run ./dev package")
    return found[0]


def system(suite, folder):
    """A minimal system with apt and Python's venv, made once."""
    root = folder / suite
    if not (root / "made").exists():
        print(f"making {root}", file=sys.stderr)
        shutil.rmtree(root, ignore_errors=True)
        subprocess.run(["debootstrap", "--variant=minbase", "--include=python3-venv", suite, str(root)], check=True,
                       stdout=subprocess.DEVNULL)
        (root / "made").touch()
    return root


@contextlib.contextmanager
def mounted(root, scratch):
    """A folder with the content of `root`, whose changes stay in `scratch`."""
    parts = {name: scratch / name for name in ("changes", "work", "root")}
    for part in parts.values():
        part.mkdir()
    options = f"lowerdir={root.resolve()},upperdir={parts['changes']},workdir={parts['work']}"
    subprocess.run(["mount", "-t", "overlay", "-o", options, "overlay", str(parts["root"])], check=True)
    try:
        yield parts["root"]
    finally:
        subprocess.run(["umount", str(parts["root"])], check=True)


@contextlib.contextmanager
def prepared(root, packages):
    """A system to install into, with the packages and the tutorial's fleet; without `root` an empty folder with the fleet."""
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(dir="/var/tmp")))
        if root is not None:
            folder = stack.enter_context(mounted(root, folder))
            shutil.copytree(packages, folder / "packages")
        shutil.copytree(FLEET, folder / "fleet")
        yield folder


def run(root, *command, folder="/"):
    """Runs a command in the root, without a network; returns what it prints."""
    done = subprocess.run(["unshare", "--net", f"--root={root}", f"--wd={folder}", *command], env=ENVIRONMENT,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} in {root}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def install_tarball(root, path):
    """Unpacked from outside, as an empty folder has no tar."""
    subprocess.run(["tar", "--extract", "--file", str(path), "--strip-components=1", "--directory", str(root)], check=True)
    return "/capwright", "tar"


def install_wheel(root, path):
    run(root, "python3", "-m", "venv", "/environment")
    run(root, "/environment/bin/pip", "install", "--no-index", f"/packages/{path.name}")
    return "/environment/bin/capwright", " ".join(run(root, "/environment/bin/pip", "--version").split()[:2])


def install_deb(root, path):
    run(root, "apt-get", "install", "--yes", "--no-install-recommends", f"/packages/{path.name}")
    return "/usr/bin/capwright", " ".join(run(root, "apt-get", "--version").split()[:2])


def shortest_start(root, program):
    """The shortest of many starts of `capwright version`, in milliseconds."""
    code = f"""if True:
        import os, time
        os.chroot({str(root)!r})
        quiet = [(os.POSIX_SPAWN_DUP2, 2, 1)]
        def start():
            begin = time.perf_counter()
            _, status = os.waitpid(os.posix_spawn({program!r}, [{program!r}, "version"], {{}}, file_actions=quiet), 0)
            assert status == 0
            return time.perf_counter() - begin
        print(min(start() for _ in range({STARTS})))"""
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
    return 1000 * float(done.stdout)


def rendered(root, program):
    """Renders the fleet, checks and lints it; returns one digest of all files."""
    for arguments in (["render"], ["render", "--check"], ["lint"]):
        run(root, program, *arguments, folder="/fleet")
    digest = hashlib.sha256()
    for path in sorted(path for path in (root / "fleet" / "clusters").rglob("*") if path.is_file()):
        digest.update(f"{path.relative_to(root)} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()


def try_package(root, packages, install, path):
    """(cell of the table, digest of the tree, milliseconds)"""
    with prepared(root, packages) as folder:
        program, tool = install(folder, path)
        version = run(folder, program, "version").strip()
        digest = rendered(folder, program)
        print(f"{root or NOTHING}: {version} by {tool}, tree {digest[:12]}", file=sys.stderr)
        return tool, digest, shortest_start(folder, program)


def row(name, cells):
    print(f"| {name} | {' | '.join(cells)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--packages", type=pathlib.Path, default=PROJECT / "build" / "package")
    parser.add_argument("--systems", type=pathlib.Path, default=PROJECT / "build" / "systems")
    arguments = parser.parse_args()
    if os.geteuid() != 0 or shutil.which("debootstrap") is None:
        sys.exit("matrix.py needs root and the package debootstrap")
    paths = {"tarball": one(arguments.packages, "*-linux-x86_64.tar.gz"), "wheel": one(arguments.packages, "*_x86_64.whl"),
             "deb": one(arguments.packages, "*_amd64.deb")}
    installs = {"tarball": install_tarball, "wheel": install_wheel, "deb": install_deb}
    arguments.systems.mkdir(parents=True, exist_ok=True)
    rows, digests = [], set()
    for name, suite in {**SUITES, NOTHING: None}.items():
        root = system(suite, arguments.systems) if suite else None
        kinds = list(paths) if suite else ["tarball"]
        tried = {kind: try_package(root, arguments.packages, installs[kind], paths[kind]) for kind in kinds}
        digests |= {digest for _, digest, _ in tried.values()}
        cells = [tried[kind][0] if kind in tried else "" for kind in paths]
        rows.append((name, [*cells, f"{min(start for _, _, start in tried.values()):.1f} ms"]))
    row("installed with", [*paths, f"shortest of {STARTS} starts"])
    print("|---" * (len(paths) + 2) + "|")
    for name, cells in rows:
        row(name, cells)
    row("size", [*(f"{path.stat().st_size / 1e6:.1f} MB" for path in paths.values()), ""])
    if len(digests) != 1:
        sys.exit(f"the rendered trees differ: {len(digests)} different digests")


if __name__ == "__main__":
    main()
