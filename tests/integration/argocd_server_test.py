#!/usr/bin/env python3
"""The plugin in the real argocd-cmp-server, in a sidecar's conditions: user 999, a read-only root and no HOME, as root and
with `unshare` and `setpriv`; otherwise without them.

    CAPWRIGHT=build/release/capwright argocd_server_test.py [--files N]

It needs the server, which `./dev e2e` builds (or CAPWRIGHT_ARGOCD_SERVER names), and the Python package grpcio. `--files`
adds that many files to the repository, and prints the time that capwright takes for each of 8 Applications at once.
"""

import argparse
import hashlib
import io
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
CAPWRIGHT = pathlib.Path(os.environ["CAPWRIGHT"]).resolve()
STATE = pathlib.Path(os.environ.get("CAPWRIGHT_E2E_STATE", ROOT / "build" / "e2e"))
SERVER = pathlib.Path(os.environ.get("CAPWRIGHT_ARGOCD_SERVER", STATE / "bin" / "argocd-cmp-server"))
SERVICE = "/plugin.ConfigManagementPluginService/"
CLUSTERS = ("edge-1", "prod-a", "satellite-workload-1")
AT_ONCE = 8
DEADLINE_SECONDS = 300
CHUNK_BYTES = 1 << 20
# Replaces `capwright` on the server's PATH, and writes the nanoseconds of each request.
TIMED = """#!/bin/sh
test "$2" = generate || exec {program} "$@"
begin=$(date +%s%N); {program} "$@"; code=$?; end=$(date +%s%N)
echo $((end - begin)) >> {times}; exit $code
"""

failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)
        print(f"FAIL {what}")


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def varint(number):
    encoded = b""
    while number > 127:
        encoded += bytes([number & 127 | 128])
        number >>= 7
    return encoded + bytes([number])


def field(number, content):
    """A field of a protobuf message: a message, a text or a number."""
    if isinstance(content, int):
        return varint(number << 3) + varint(content)
    data = content.encode() if isinstance(content, str) else content
    return varint(number << 3 | 2) + varint(len(data)) + data


def texts_of(message):
    """The texts of field 1 of a protobuf message, whose fields all have lengths."""
    texts, at = [], 0

    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(message):
        key, size = number(), number()
        if key >> 3 == 1:
            texts.append(message[at:at + size].decode(errors="replace"))
        at += size
    return texts


class Archive:
    """A repository as the repo server sends it."""

    def __init__(self, repository):
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w:gz", compresslevel=1) as archive:
            for path in sorted(repository.rglob("*")):
                archive.add(path, path.relative_to(repository), recursive=False)
        self.data = packed.getvalue()

    def request(self, variables):
        env = b"".join(field(5, field(1, name) + field(2, value)) for name, value in variables.items())
        checksum = hashlib.sha256(self.data).hexdigest()
        yield field(1, field(1, "app") + field(2, "") + field(3, checksum) + field(4, len(self.data)) + env)
        for at in range(0, len(self.data), CHUNK_BYTES):
            yield field(2, field(1, self.data[at:at + CHUNK_BYTES]))


def variables(cluster, part="all"):
    parameters = [{"name": "cluster", "string": cluster}, {"name": "part", "string": part}]
    return {"ARGOCD_APP_NAME": cluster, "ARGOCD_APP_SOURCE_PATH": ".", "ARGOCD_APP_PARAMETERS": json.dumps(parameters)}


class Sidecar:
    """The container of `capwright argocd repo-server-patch`, as far as a process can have its properties."""

    def __init__(self, scratch):
        self.scratch, self.times = scratch, scratch / "tmp" / "times"
        for name in ("bin", "tmp", "plugins", "server"):
            (scratch / name).mkdir()
        shutil.copy(CAPWRIGHT, scratch / "server" / "capwright")
        shutil.copy(SERVER, scratch / "server" / "argocd-cmp-server")
        wrapper = scratch / "bin" / "capwright"
        wrapper.write_text(TIMED.format(program=scratch / "server" / "capwright", times=self.times))
        wrapper.chmod(0o755)
        scratch.chmod(0o755)
        self.is_hardened = os.geteuid() == 0 and all(map(shutil.which, ("unshare", "setpriv")))
        if self.is_hardened:
            for name in ("tmp", "plugins"):
                os.chown(scratch / name, 999, 999)

    def command(self, *words):
        words = ["env", "-i", f"PATH={self.scratch}/bin:/usr/bin:/bin", f"TMPDIR={self.scratch}/tmp", "GOMAXPROCS=2",
                 f"ARGOCD_PLUGINSOCKFILEPATH={self.scratch}/plugins", *words, "--server", f"{self.scratch}/server/argocd-cmp-server"]
        if not self.is_hardened:
            return words
        mounts = " && ".join(f"mount --bind {self.scratch}/{name} {self.scratch}/{name}" for name in ("tmp", "plugins"))
        return ["unshare", "-m", "sh", "-c", f'{mounts} && mount -o remount,ro,bind / && exec "$@"', "sh",
                "setpriv", "--reuid=999", "--regid=999", "--clear-groups", *words]

    def start(self):
        log = (self.scratch / "log").open("wb")
        process = subprocess.Popen(self.command("capwright", "cmp", "run"), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        socket = self.scratch / "plugins" / "capwright.sock"
        for _ in range(300):
            if socket.exists() or process.poll() is not None:
                break
            time.sleep(0.1)
        expect(socket.exists(), f"the server starts: {(self.scratch / 'log').read_text()[-2000:]}")
        return process, socket

    def seconds(self):
        """Of each request so far."""
        return [int(nanoseconds) / 1e9 for nanoseconds in self.times.read_text().splitlines()]


def check_requests(channel, grpc, archive, repository):
    check = channel.unary_unary(SERVICE + "CheckPluginConfiguration")
    expect(check(b"", wait_for_ready=True, timeout=60) == b"", "no discovery, so that the repository isn't sent twice")
    announce = channel.stream_unary(SERVICE + "GetParametersAnnouncement")
    parameters = texts_of(announce(archive.request(variables("prod-a"))))
    expect([texts_of(each.encode())[0] for each in parameters] == ["cluster", "part", "values", "set"], f"{parameters}")
    generate = channel.stream_unary(SERVICE + "GenerateManifest")
    local = subprocess.run([CAPWRIGHT, "render", "prod-a", "--stdout", "-q"], cwd=repository, capture_output=True, text=True,
                           check=True).stdout
    kinds = local.count("\nkind: ")
    parts = {part: texts_of(generate(archive.request(variables("prod-a", part)))) for part in ("all", "cluster", "addons")}
    expect(len(parts["all"]) == kinds > 0, f"{len(parts['all'])} of {kinds} objects")
    expect(sorted(parts["cluster"] + parts["addons"]) == sorted(parts["all"]), "the two parts are all")
    for cluster, wanted in (("prod-b", "prod-a"), ("", "the parameter `cluster` is missing")):
        try:
            generate(archive.request(variables(cluster)))
            expect(False, f"`{cluster}` is an error")
        except grpc.RpcError as error:
            expect(wanted in error.details(), f"`{cluster}`: {error.details()}")


def check_load(channel, sidecar, archive, files):
    """Requests of several Applications at once, each with the whole repository."""
    before, results = len(sidecar.seconds()), []
    generate = channel.stream_unary(SERVICE + "GenerateManifest")

    def ask(number):
        request = archive.request(variables(CLUSTERS[number % len(CLUSTERS)]))
        results.append(len(texts_of(generate(request, timeout=DEADLINE_SECONDS))))

    begin = time.time()
    threads = [threading.Thread(target=ask, args=(number,)) for number in range(AT_ONCE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    whole = time.time() - begin
    taken = sorted(sidecar.seconds()[before:])
    expect(len(results) == AT_ONCE and min(results) > 0, f"{AT_ONCE} Applications at once: {results}")
    if taken:
        print(f"{files} more files, {AT_ONCE} Applications at once: capwright took {taken[0]:.3f} to {taken[-1]:.3f} s for "
              f"each, median {taken[len(taken) // 2]:.3f} s; all answers after {whole:.1f} s")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--files", type=int, default=200)
    files = parser.parse_args().files
    if not SERVER.exists():
        skip(f"{SERVER} doesn't exist; `./dev e2e` builds it")
    try:
        import grpc
    except ImportError:
        skip("the Python package grpcio isn't installed")
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        repository = scratch / "repository"
        shutil.copytree(ROOT / "docs" / "tutorial" / "fleet", repository)
        for number in range(files):
            path = repository / "clusters" / f"c{number // 18}" / f"{number % 18}.yaml"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"kind: ConfigMap\napiVersion: v1\nmetadata: {{name: c{number}}}\n")
        sidecar = Sidecar(scratch)
        conditions = "user 999, a read-only root, no HOME" if sidecar.is_hardened else "this user, without root's rights"
        if sidecar.is_hardened:
            doctor = subprocess.run(sidecar.command("capwright", "cmp", "doctor"), cwd=repository, capture_output=True,
                                    text=True, check=False)
            expect((doctor.returncode, doctor.stdout.splitlines()[-1:]) == (0, ["0 problems"]), doctor.stdout + doctor.stderr)
        process, socket = sidecar.start()
        try:
            limits = [("grpc.max_receive_message_length", -1)]
            with grpc.insecure_channel(f"unix:{socket}", options=limits) as channel:
                archive = Archive(repository)
                check_requests(channel, grpc, archive, repository)
                check_load(channel, sidecar, archive, files)
        finally:
            process.send_signal(signal.SIGKILL)  # Argo CD's server ignores SIGTERM
            process.wait()
    print(f"{conditions}: {len(failures)} failures")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
