"""Which Debian packages the static program consists of, from the linker's list of its inputs.

    components.py LIST [SYSROOT] > components.json

LIST is what `ld --dependency-file` wrote. Packages are those that packaging/sysroot.sh unpacked into SYSROOT, and those that
are installed on this machine.
"""

import json
import pathlib
import subprocess
import sys

# Compiled into the program from headers, which the linker doesn't see.
HEADERS = ("libboost1.81-dev", "libcli11-dev", "libfmt-dev", "nlohmann-json3-dev")
NAMES = {"package": "Package", "version": "Version", "architecture": "Architecture", "source": "source:Package",
         "source_version": "source:Version", "homepage": "Homepage"}


def linked_files(text):
    """The archives and objects of other projects; our own are listed by relative paths."""
    inputs = text.partition(":")[2].replace("\\\n", " ").split()
    paths = {pathlib.Path(path).resolve() for path in inputs if path.startswith("/")}
    return sorted(path for path in paths if path.suffix in (".a", ".o"))


class Packages:
    """The package database of a root folder."""

    def __init__(self, root):
        self.root = pathlib.Path(root).resolve()

    def query(self, *arguments):
        command = ["dpkg-query", f"--admindir={self.root}/var/lib/dpkg", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def names(self):
        return set(self.query("-W", "-f", "${Package}\n").split())

    def holds(self, path):
        return path.is_relative_to(self.root / "usr")

    def owners(self, paths):
        if not paths:
            return set()
        found = self.query("-S", *(f"/{path.relative_to(self.root)}" for path in paths))
        return {line.split(": ")[0].partition(":")[0] for line in found.splitlines()}

    def describe(self, package):
        # A package of several architectures may be installed more than once: the first line is this machine's.
        shown = self.query("-W", "-f", "\t".join("${%s}" % name for name in NAMES.values()) + "\n", package).splitlines()[0]
        notice = self.root / "usr/share/doc" / package / "copyright"
        return {**dict(zip(NAMES, shown.split("\t"))), "copyright": notice.read_text(encoding="utf-8")}


def components(paths, databases):
    """The packages of the paths and the headers, each from the first database that has it."""
    found, headers = {}, set(HEADERS)
    for database in databases:
        mine = [path for path in paths if database.holds(path)]
        paths = [path for path in paths if path not in mine]
        of_headers = headers & database.names()
        headers -= of_headers
        found |= {package: database.describe(package) for package in database.owners(mine) | of_headers}
    if paths or headers:
        sys.exit(f"no package has {', '.join([*map(str, paths), *sorted(headers)])}")
    return [found[package] for package in sorted(found)]


def main():
    paths = linked_files(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    json.dump(components(paths, [Packages(root) for root in [*sys.argv[2:], "/"]]), sys.stdout, indent=1)


if __name__ == "__main__":
    main()
