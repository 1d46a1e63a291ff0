#!/usr/bin/env python3
"""Stands for the program `kubeseal` in tests: the same flags, a SealedSecret of the same shape, no real cryptography.

Like the real one it gives other bytes each time. FAKE_KUBESEAL_LOG names a file that gets a line a call: the arguments.
FAKE_KUBESEAL says how it misbehaves: a word of `MISBEHAVIOURS`.
"""

import base64
import hashlib
import json
import os
import signal
import sys


def sealed(text):
    """Length of an encrypted key, that key, the text and a tag: lengths are those of the real program."""
    key = os.urandom(256)
    stream = b""
    while len(stream) < len(text):
        stream += hashlib.sha256(b"made up" + key + len(stream).to_bytes(4, "big")).digest()
    body = bytes(a ^ b for a, b in zip(text, stream))
    return base64.b64encode(len(key).to_bytes(2, "big") + key + body + bytes(16)).decode()


def sealed_secret(secret, scope, seal=sealed):
    metadata = {"name": secret["metadata"]["name"], "namespace": secret["metadata"]["namespace"]}
    if scope != "strict":
        metadata["annotations"] = {f"sealedsecrets.bitnami.com/{scope}": "true"}
    data = {key: seal(text.encode()) for key, text in secret["stringData"].items()}
    return json.dumps({"apiVersion": "bitnami.com/v1alpha1", "kind": "SealedSecret", "metadata": metadata,
                       "spec": {"encryptedData": data, "template": {"metadata": metadata}}}, indent=2)


def fail(message):
    sys.stderr.write(f"error: {message}\n")
    sys.exit(1)


MISBEHAVIOURS = {
    "echo": lambda text: sys.stdout.write(text),
    "readable": lambda text: sys.stdout.write(sealed_secret(json.loads(text), "strict", bytes.decode)),
    "other name": lambda text: sys.stdout.write(sealed_secret(json.loads(text), "strict").replace('"name": "', '"name": "x')),
    "leak": lambda text: fail("can't cope with this:\n" + text[text.find("stringData"):]),
    "die": lambda text: os.kill(os.getpid(), signal.SIGKILL),
    "garbage": lambda text: sys.stdout.write("{" + text[::-1]),
    "silent": lambda text: None,
}


def option(name):
    return sys.argv[sys.argv.index(name) + 1]


def main():
    if "FAKE_KUBESEAL_LOG" in os.environ:
        with open(os.environ["FAKE_KUBESEAL_LOG"], "a", encoding="utf-8") as log:
            log.write(" ".join(sys.argv[1:]) + "\n")
    text = sys.stdin.read()
    if os.environ.get("FAKE_KUBESEAL") in MISBEHAVIOURS:
        MISBEHAVIOURS[os.environ["FAKE_KUBESEAL"]](text)
    elif not os.path.exists(option("--cert")):
        fail(f"open {option('--cert')}: no such file or directory")
    else:
        print(sealed_secret(json.loads(text), option("--scope")))


main()
