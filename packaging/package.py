#!/usr/bin/env python3
"""Packs a built program for a release. The same arguments give the same bytes, on any machine with the same Python and zlib.

    package.py --program FILE --arch amd64|arm64 --components FILE --share FOLDER --epoch SECONDS --into FOLDER

The folder `share` has what shells and `man` read, in the places below `/usr/share`.

`./dev package` builds the program and calls this. Only Python's standard library is used.
"""

import argparse
import hashlib
import json
import pathlib
import re
import typing

import formats
import sbom

PROJECT = pathlib.Path(__file__).resolve().parent.parent
MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}  # Debian's name, and the kernel's


class Release(typing.NamedTuple):
    version: str
    architecture: str
    epoch: int
    program: bytes
    components: list
    shared: dict  # path below `share`: bytes

    @property
    def machine(self):
        return MACHINES[self.architecture]

    @property
    def stem(self):
        return f"capwright-{self.version}-linux-{self.machine}"

    def texts(self):
        """Files beside the program, by name."""
        return {"LICENSE": (PROJECT / "LICENSE").read_bytes(), "README.md": (PROJECT / "README.md").read_bytes(),
                "THIRD-PARTY-NOTICES": notices(self.components)}


def notices(components):
    """The copyright file of each source package, once."""
    parts = ["capwright contains parts of these projects, as Debian builds them.\n"]
    for source in sorted({component["source"] for component in components}):
        of_source = [component for component in components if component["source"] == source]
        parts.append(f"{'=' * 80}\n{source} {of_source[0]['source_version']}\n{'=' * 80}\n")
        parts.append(of_source[0]["copyright"].strip() + "\n")
    return "\n".join(parts).encode()


def version_of_project():
    return re.search(r"^project\(capwright VERSION (\S+)", (PROJECT / "CMakeLists.txt").read_text(encoding="utf-8"),
                     re.MULTILINE).group(1)


def packages(release):
    """{file name: bytes}"""
    return {
        f"{release.stem}.tar.gz": formats.tarball(release),
        formats.wheel_name(release)[0]: formats.wheel(release),
        f"capwright_{release.version}_{release.architecture}.deb": formats.debian(release),
        f"{release.stem}.oci.tar": formats.image(release),
        f"{release.stem}.spdx.json": sbom.document(release),
    }


def write_sums(folder):
    """SHA256SUMS of all packages in the folder, also of other architectures, for `sha256sum --check`."""
    names = sorted(path.name for path in folder.iterdir() if path.is_file() and path.name.startswith("capwright"))
    sums = "".join(f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}\n" for name in names)
    (folder / "SHA256SUMS").write_text(sums, encoding="utf-8")
    return sums


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--arch", choices=sorted(MACHINES), required=True)
    parser.add_argument("--components", type=pathlib.Path, required=True)
    parser.add_argument("--share", type=pathlib.Path, required=True)
    parser.add_argument("--epoch", type=int, required=True)
    parser.add_argument("--into", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    components = json.loads(arguments.components.read_text(encoding="utf-8"))
    shared = {path.relative_to(arguments.share).as_posix(): path.read_bytes()
              for path in sorted(arguments.share.rglob("*")) if path.is_file()}
    release = Release(version_of_project(), arguments.arch, arguments.epoch, arguments.program.read_bytes(), components, shared)
    arguments.into.mkdir(parents=True, exist_ok=True)
    for name, data in packages(release).items():
        (arguments.into / name).write_bytes(data)
    print(write_sums(arguments.into), end="")


if __name__ == "__main__":
    main()
