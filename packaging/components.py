"""Which Debian packages the static program consists of, from the linker's list of its inputs.

    components.py LIST ARCHIVES > components.json

LIST is what `ld --dependency-file` wrote. ARCHIVES is the folder into which `./dev build` unpacked two archives of PostgreSQL.
"""

import json
import pathlib
import re
import subprocess
import sys

# Compiled into the program from headers, which the linker doesn't see.
HEADERS = ("libcli11-dev", "libfmt-dev", "nlohmann-json3-dev")
FIELDS = "${binary:Package}\t${Version}\t${source:Package}\t${source:Version}\t${Homepage}\n"


def linked_files(text):
    """The archives and objects of other projects, by absolute path."""
    inputs = text.partition(":")[2].replace("\\\n", " ").split()
    paths = {pathlib.Path(path).resolve() for path in inputs if path.startswith("/")}
    return sorted(str(path) for path in paths if path.suffix in (".a", ".o") and str(path).startswith("/usr/"))


def owners(paths):
    """The installed packages that contain the paths."""
    found = subprocess.run(["dpkg", "-S", *paths], capture_output=True, text=True, check=True).stdout
    return {line.split(": ")[0] for line in found.splitlines()}


def describe(packages):
    shown = subprocess.run(["dpkg-query", "-W", "-f", FIELDS, *packages], capture_output=True, text=True, check=True).stdout
    components = {}
    for line in shown.splitlines():
        package, version, source, source_version, homepage = line.split("\t")
        name = re.sub(r":.*", "", package)
        notice = pathlib.Path("/usr/share/doc", name, "copyright").read_text(encoding="utf-8")
        components[name] = {"package": name, "version": version, "source": source, "source_version": source_version,
                            "homepage": homepage, "copyright": notice}
    return components


def unpacked(folder):
    """The package of which `./dev build` unpacked only the archives."""
    return json.loads((pathlib.Path(folder) / "component.json").read_text(encoding="utf-8"))


def main():
    components = describe(sorted(owners(linked_files(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))) | set(HEADERS)))
    extra = unpacked(sys.argv[2])
    components[extra["package"]] = {**extra, "copyright": components["libpq-dev"]["copyright"]}
    json.dump([components[name] for name in sorted(components)], sys.stdout, indent=1)


if __name__ == "__main__":
    main()
