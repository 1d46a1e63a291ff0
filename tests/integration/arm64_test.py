#!/usr/bin/env python3
"""The program for arm64 gives the same output as the one for this machine, byte for byte, under qemu-user-static.

    CAPWRIGHT=build/release/capwright CAPWRIGHT_ARM64=build/release-arm64/capwright arm64_test.py

`./dev package --arch arm64` builds the second. Build both from the same sources. Exit code 77 means that something is missing.
"""

import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FLEET = ROOT / "docs" / "tutorial" / "fleet"
QEMU = shutil.which("qemu-aarch64-static")
EM_AARCH64, PT_INTERP = 183, 3  # elf.h

COMMANDS = (
    ["version"],
    ["render"],
    ["render", "--check"],
    ["lint"],
    ["explain", "clusters/prod-a/cluster.yaml:38"],
    ["deps", "-f", "json"],
    ["graph"],
    ["explain", "K408"],  # a page that is built in
)


def run(command, folder):
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=False,
                          env={"PATH": os.environ["PATH"]})
    return done.returncode, done.stdout, done.stderr


def tree(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def check_elf(program):
    """A static program for arm64: no dynamic linker."""
    data = program.read_bytes()
    assert data[:5] == b"\x7fELF\x02", "not a 64-bit ELF file"
    machine, = struct.unpack_from("<H", data, 18)
    offset, = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    assert machine == EM_AARCH64, f"machine {machine}"
    types = [struct.unpack_from("<I", data, offset + index * size)[0] for index in range(count)]
    assert PT_INTERP not in types, "the program names a dynamic linker"


def check_fleet(native, arm64, scratch):
    for name in ("native", "arm64"):
        shutil.copytree(FLEET, scratch / name)
    for arguments in COMMANDS:
        expected = run([*native, *arguments], scratch / "native")
        found = run([*arm64, *arguments], scratch / "arm64")
        assert found == expected, f"{' '.join(arguments)}:\n{found}\ninstead of\n{expected}"
        assert expected[0] == 0, f"{' '.join(arguments)}: {expected}"
    rendered = tree(scratch / "native")
    assert len(rendered) > len(tree(FLEET)), "nothing was rendered"
    assert tree(scratch / "arm64") == rendered, "the trees differ"
    return sum(name.startswith("clusters/") for name in rendered)


def main():
    program = os.environ.get("CAPWRIGHT_ARM64")
    if not program:
        print("CAPWRIGHT_ARM64 doesn't name a program: nothing was compared")
        sys.exit(77)
    if QEMU is None:
        print("qemu-user-static is not installed: nothing was compared")
        sys.exit(77)
    native = [str(pathlib.Path(os.environ["CAPWRIGHT"]).resolve())]
    arm64 = [QEMU, str(pathlib.Path(program).resolve())]
    check_elf(pathlib.Path(program))
    with tempfile.TemporaryDirectory() as scratch:
        files = check_fleet(native, arm64, pathlib.Path(scratch))
    golden = run([*native, "test"], ROOT)
    assert run([*arm64, "test"], ROOT) == golden and golden[0] == 0, "golden cases"
    print(f"{len(COMMANDS)} commands and {files} rendered files of the tutorial's fleet are the same;"
          f" {golden[2].decode().strip().splitlines()[-1]}")


if __name__ == "__main__":
    main()
