#!/usr/bin/env python3
"""The packages of a release: packed twice into the same bytes, unpacked and read as pip, dpkg and container tools read them.

A script takes the program's place, because the formats don't depend on it.
"""

import gzip
import hashlib
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile

PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent
PACKER = PROJECT / "packaging" / "package.py"
PROGRAM = b"#!/bin/sh\necho capwright of the test\n"
COMPONENTS = [
    {"package": "zlib1g-dev", "version": "1:1.2.13", "architecture": "amd64", "source": "zlib", "source_version": "1:1.2.13", "homepage": "",
     "copyright": "Copyright of zlib"},
    {"package": "libssl-dev", "version": "3.0.1+a", "architecture": "amd64", "source": "openssl", "source_version": "3.0.1+a",
     "homepage": "https://tls.example.org/", "copyright": "Copyright of OpenSSL"},
    {"package": "libssl3", "version": "3.0.1+a", "architecture": "amd64", "source": "openssl", "source_version": "3.0.1+a",
     "homepage": "https://tls.example.org/", "copyright": "Copyright of OpenSSL"},
]
EPOCH = 1_700_000_000
NOTICES = "THIRD-PARTY-NOTICES"


def pack(folder, architecture="amd64"):
    """Packs in a folder of its own, in which nothing is named as elsewhere."""
    folder.mkdir(exist_ok=True)
    (folder / "program").write_bytes(PROGRAM)
    (folder / "components.json").write_text(json.dumps(COMPONENTS), encoding="utf-8")
    (folder / "share" / "man" / "man1").mkdir(parents=True)
    (folder / "share" / "man" / "man1" / "capwright.1.gz").write_bytes(b"a page")
    into = folder / "packages"
    command = [sys.executable, str(PACKER), "--program", "program", "--components", "components.json", "--share", "share", "--arch", architecture,
               "--epoch", str(EPOCH), "--into", "packages"]
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL,
                   env={**os.environ, "TZ": "Asia/Tokyo", "PYTHONHASHSEED": str(len(str(folder)))})
    return into


def only(folder, pattern):
    found = list(folder.glob(pattern))
    assert len(found) == 1, f"{pattern}: {found}"
    return found[0]


def members_of(data):
    """{path: (bytes, mode)} of a tar file, after checks that hold for all."""
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        entries = archive.getmembers()
        assert [entry.name for entry in entries] == sorted(entry.name for entry in entries), "not sorted"
        assert all((entry.mtime, entry.uid, entry.gid) == (EPOCH, 0, 0) for entry in entries), "a time or an owner"
        return {entry.name: (archive.extractfile(entry).read(), entry.mode) for entry in entries if entry.isfile()}


def check_same_bytes(folder):
    first, second = pack(folder / "one"), pack(folder / "a-second-folder")
    names = sorted(path.name for path in first.iterdir())
    assert names == sorted(path.name for path in second.iterdir()) and len(names) == 6, names
    for name in names:
        assert (first / name).read_bytes() == (second / name).read_bytes(), f"{name} differs"
    for line in (first / "SHA256SUMS").read_text(encoding="utf-8").splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256((first / name).read_bytes()).hexdigest() == digest, name
    return first


def check_tarball(packages):
    path = only(packages, "*.tar.gz")
    stem = path.name.removesuffix(".tar.gz")
    files = members_of(gzip.decompress(path.read_bytes()))
    assert files[f"{stem}/capwright"] == (PROGRAM, 0o755)
    text = files[f"{stem}/{NOTICES}"][0].decode()
    assert text.count("Copyright of OpenSSL") == 1 and text.count("Copyright of zlib") == 1, text
    assert {f"{stem}/LICENSE", f"{stem}/README.md", f"{stem}/share/man/man1/capwright.1.gz"} <= set(files)


def check_wheel(packages, folder):
    path = only(packages, "*.whl")
    with zipfile.ZipFile(path) as wheel:
        assert wheel.testzip() is None
        names = wheel.namelist()
        info = only_name(names, ".dist-info/RECORD").removesuffix("/RECORD")
        rows = [line.split(",") for line in wheel.read(f"{info}/RECORD").decode().splitlines()]
        assert sorted(row[0] for row in rows) == sorted(names)
        assert all(int(size) == len(wheel.read(name)) for name, digest, size in rows if digest)
        tags = wheel.read(f"{info}/WHEEL").decode()
        assert "Tag: py3-none-manylinux_2_17_x86_64\n" in tags and "Root-Is-Purelib: false" in tags, tags
    target = folder / "environment"
    if subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True, check=False).returncode != 0:
        return "no pip: the wheel is not installed"
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--disable-pip-version-check",
                    "--root-user-action=ignore", "--target", str(target), str(path)], check=True)
    done = subprocess.run([str(target / "bin" / "capwright")], capture_output=True, text=True, check=True)
    assert done.stdout == "capwright of the test\n", done.stdout
    assert (target / "share" / "man" / "man1" / "capwright.1.gz").read_bytes() == b"a page"
    return "pip installs the wheel"


def only_name(names, end):
    found = [name for name in names if name.endswith(end)]
    assert len(found) == 1, found
    return found[0]


def parts_of(data):
    """The members of an ar archive."""
    assert data[:8] == b"!<arch>\n"
    parts, at = {}, 8
    while at < len(data):
        name, size = data[at:at + 16].decode().strip(), int(data[at + 48:at + 58])
        parts[name] = data[at + 60:at + 60 + size]
        at += 60 + size + size % 2
    return parts


def check_debian(packages):
    path = only(packages, "*.deb")
    parts = parts_of(path.read_bytes())
    assert list(parts) == ["debian-binary", "control.tar.gz", "data.tar.gz"]
    head, files = (members_of(gzip.decompress(parts[name])) for name in ("control.tar.gz", "data.tar.gz"))
    assert files["./usr/bin/capwright"] == (PROGRAM, 0o755)
    assert files["./usr/share/man/man1/capwright.1.gz"] == (b"a page", 0o644)
    sums = dict(reversed(line.split("  ")) for line in head["./md5sums"][0].decode().splitlines())
    assert sums == {name[2:]: hashlib.md5(data).hexdigest() for name, (data, _) in files.items()}
    if shutil.which("dpkg-deb") is None:
        return "no dpkg-deb"
    shown = subprocess.run(["dpkg-deb", "--field", str(path), "Package", "Architecture"], capture_output=True, text=True, check=True)
    assert shown.stdout == "Package: capwright\nArchitecture: amd64\n", shown.stdout
    listed = subprocess.run(["dpkg-deb", "--contents", str(path)], capture_output=True, text=True, check=True).stdout
    assert "./usr/bin/capwright" in listed
    return "dpkg-deb reads the package"


def check_image(packages):
    files = {name: data for name, (data, _) in members_of(only(packages, "*.oci.tar").read_bytes()).items()}
    assert json.loads(files["oci-layout"]) == {"imageLayoutVersion": "1.0.0"}
    blobs = {name.removeprefix("blobs/sha256/"): data for name, data in files.items() if name.startswith("blobs/")}
    for digest, data in blobs.items():
        assert hashlib.sha256(data).hexdigest() == digest

    def blob(entry):
        data = blobs.pop(entry["digest"].removeprefix("sha256:"))
        assert len(data) == entry["size"]
        return data

    manifest = json.loads(blob(json.loads(files["index.json"])["manifests"][0]))
    config = json.loads(blob(manifest["config"]))
    layer = gzip.decompress(blob(manifest["layers"][0]))
    assert not blobs, "a blob that nothing names"
    assert config["rootfs"]["diff_ids"] == ["sha256:" + hashlib.sha256(layer).hexdigest()]
    assert members_of(layer) == {"usr/bin/capwright": (PROGRAM, 0o755)}
    assert config["config"]["Entrypoint"] == ["/usr/bin/capwright"]


def check_sbom(packages):
    document = json.loads(only(packages, "*.spdx.json").read_text(encoding="utf-8"))
    names = {package["SPDXID"]: package for package in document["packages"]}
    assert names["SPDXRef-capwright"]["checksums"][0]["checksumValue"] == hashlib.sha256(PROGRAM).hexdigest()
    linked = {relation["relatedSpdxElement"] for relation in document["relationships"]
              if relation["relationshipType"] == "STATIC_LINK"}
    assert linked == set(names) - {"SPDXRef-capwright"} and len(linked) == len(COMPONENTS)
    purl = names["SPDXRef-zlib1g-dev"]["externalRefs"][0]["referenceLocator"]
    assert purl == "pkg:deb/debian/zlib1g-dev@1%3A1.2.13?arch=amd64&distro=debian-12", purl
    assert document["creationInfo"]["created"] == "2023-11-14T22:13:20Z"


def check_components(folder):
    """Linked archives and headers are traced to the packages of a sysroot, before those of this machine."""
    if shutil.which("dpkg-query") is None:
        return "no dpkg-query: components were not traced"
    root = folder / "sysroot"
    status = []
    for name, path in (("zlib1g-dev", "usr/lib/libz.a"), ("libboost1.81-dev", "usr/include/boost.hpp"),
                       ("libcli11-dev", "usr/include/CLI.hpp"),
                       ("libfmt-dev", "usr/include/fmt.h"), ("nlohmann-json3-dev", "usr/include/json.hpp"),
                       ("libunused-dev", "usr/lib/libunused.a")):
        for file, text in ((path, ""), (f"usr/share/doc/{name}/copyright", f"Copyright of {name}"),
                           (f"var/lib/dpkg/info/{name}.list", f"/.\n/{path}\n")):
            (root / file).parent.mkdir(parents=True, exist_ok=True)
            (root / file).write_text(text, encoding="utf-8")
        status.append(f"Package: {name}\nStatus: install ok unpacked\nArchitecture: arm64\nSource: {name}-source (2:1.0)\n"
                      "Version: 1.0+b1\nMaintainer: a\nDescription: b\n")
    (root / "var/lib/dpkg/status").write_text("\n".join(status), encoding="utf-8")
    inputs = folder / "program.link"
    inputs.write_text(f"capwright: \\\n compiler/libcapwright_cli.a \\\n {root}/usr/lib/../lib/libz.a\n", encoding="utf-8")
    command = [sys.executable, str(PACKER.parent / "components.py"), str(inputs), str(root)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = {component["package"]: component for component in json.loads(done.stdout)}
    assert set(found) == {"zlib1g-dev", "libboost1.81-dev", "libcli11-dev", "libfmt-dev", "nlohmann-json3-dev"}, set(found)
    assert found["zlib1g-dev"] == {
        "package": "zlib1g-dev", "version": "1.0+b1", "architecture": "arm64", "source": "zlib1g-dev-source",
        "source_version": "2:1.0", "homepage": "", "copyright": "Copyright of zlib1g-dev"}, found["zlib1g-dev"]
    inputs.write_text(f"capwright: {root}/usr/lib/unknown.a\n", encoding="utf-8")
    assert subprocess.run(command, capture_output=True, check=False).returncode != 0, "an archive without a package"
    return "components are traced to their packages"


def check_other_architecture(folder):
    packages = pack(folder / "arm", "arm64")
    assert only(packages, "*.deb").name.endswith("_arm64.deb") and "aarch64" in only(packages, "*.whl").name


def main():
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        packages = check_same_bytes(folder)
        check_tarball(packages)
        notes = [check_wheel(packages, folder), check_debian(packages), check_components(folder)]
        check_image(packages)
        check_sbom(packages)
        check_other_architecture(folder)
    print("the packages have the same bytes twice, and what they should contain; " + "; ".join(notes))


if __name__ == "__main__":
    main()
