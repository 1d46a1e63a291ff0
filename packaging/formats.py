"""The packages of a release: each function returns the bytes of one file."""

import base64
import hashlib
import json
import time

from archives import Member, ar, compressed, tar, zipped

SUMMARY = "Deterministic GitOps rendering compiler and linter for fleets of Cluster API clusters"


def tarball(release):
    folder = release.stem
    members = {f"{folder}/capwright": Member(release.program, 0o755),
               **{f"{folder}/share/{path}": Member(data) for path, data in release.shared.items()},
               **{f"{folder}/{name}": Member(data) for name, data in release.texts().items()}}
    return compressed(tar(members, release.epoch))


def wheel_name(release):
    # No symbol of a libc is taken from the machine, so the oldest tags of glibc and musl apply.
    machine = release.machine
    tags = f"manylinux_2_17_{machine}", f"manylinux2014_{machine}", f"musllinux_1_1_{machine}"
    return f"capwright-{release.version}-py3-none-{'.'.join(tags)}.whl", tags


def wheel(release):
    """The program as a script: pip copies it into `bin`, and Python isn't involved when it runs."""
    info = f"capwright-{release.version}.dist-info"
    about = (f"Metadata-Version: 2.1\nName: capwright\nVersion: {release.version}\nSummary: {SUMMARY}\n"
             "License: Apache-2.0\nRequires-Python: >=3.7\nDescription-Content-Type: text/markdown\n\n")
    tags = "".join(f"Tag: py3-none-{tag}\n" for tag in wheel_name(release)[1])
    texts = release.texts()
    members = {
        f"capwright-{release.version}.data/scripts/capwright": Member(release.program, 0o755),
        **{f"capwright-{release.version}.data/data/share/{path}": Member(data) for path, data in release.shared.items()},
        f"{info}/METADATA": Member(about.encode() + texts.pop("README.md")),
        f"{info}/WHEEL": Member(f"Wheel-Version: 1.0\nGenerator: capwright\nRoot-Is-Purelib: false\n{tags}".encode()),
        **{f"{info}/{name}": Member(data) for name, data in texts.items()},
    }
    rows = [f"{path},{recorded(member.data)},{len(member.data)}" for path, member in members.items()]
    members[f"{info}/RECORD"] = Member("\n".join([*rows, f"{info}/RECORD,,", ""]).encode())
    return zipped(members, time.gmtime(release.epoch)[:6])


def recorded(data):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")


def debian(release):
    """The program needs no package. `Recommends`: `publish` asks git for credentials and trusts the authorities there."""
    texts = release.texts()
    notice = texts.pop("LICENSE") + b"\n" + texts.pop("THIRD-PARTY-NOTICES")
    files = {"usr/bin/capwright": Member(release.program, 0o755),
             "usr/share/doc/capwright/copyright": Member(notice),
             **{f"usr/share/{path}": Member(data) for path, data in release.shared.items()},
             **{f"usr/share/doc/capwright/{name}": Member(data) for name, data in texts.items()}}
    size = sum(-(-len(member.data) // 1024) for member in files.values())
    control = (f"Package: capwright\nVersion: {release.version}\nArchitecture: {release.architecture}\n"
               "Maintainer: capwright maintainers <maintainers@capwright.example>\n"
               f"Installed-Size: {size}\nSection: admin\nPriority: optional\nRecommends: git, ca-certificates\n"
               f"Description: {SUMMARY}\n")
    sums = "".join(f"{hashlib.md5(member.data).hexdigest()}  {path}\n" for path, member in sorted(files.items()))
    head = {"control": Member(control.encode()), "md5sums": Member(sums.encode())}
    return ar({"debian-binary": b"2.0\n", "control.tar.gz": compressed(tar(head, release.epoch, "./")),
               "data.tar.gz": compressed(tar(files, release.epoch, "./"))}, release.epoch)


def image(release):
    """An OCI image layout as a tar file, for `skopeo copy oci-archive:…` or `podman load`: the program and nothing else."""
    layer = tar({"usr/bin/capwright": Member(release.program, 0o755)}, release.epoch)
    packed = compressed(layer)
    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(release.epoch))
    config = as_json({
        "architecture": release.architecture, "os": "linux", "created": created,
        "config": {"Entrypoint": ["/usr/bin/capwright"], "Env": ["PATH=/usr/bin"], "WorkingDir": "/repository",
                   "Labels": {"org.opencontainers.image.version": release.version,
                              "org.opencontainers.image.licenses": "Apache-2.0",
                              "org.opencontainers.image.title": "capwright"}},
        "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(layer).hexdigest()]},
        "history": [{"created": created, "created_by": "packaging/package.py"}],
    })
    blobs = {}

    def blob(data, kind):
        digest = hashlib.sha256(data).hexdigest()
        blobs[f"blobs/sha256/{digest}"] = Member(data)
        return {"mediaType": f"application/vnd.oci.image.{kind}", "digest": f"sha256:{digest}", "size": len(data)}

    manifest = as_json({"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
                        "config": blob(config, "config.v1+json"), "layers": [blob(packed, "layer.v1.tar+gzip")]})
    entry = {**blob(manifest, "manifest.v1+json"), "platform": {"architecture": release.architecture, "os": "linux"},
             "annotations": {"org.opencontainers.image.ref.name": release.version}}
    index = as_json({"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [entry]})
    return tar({"oci-layout": Member(b'{"imageLayoutVersion":"1.0.0"}'), "index.json": Member(index), **blobs}, release.epoch)


def as_json(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()
