#!/usr/bin/env python3
"""Stands for the program `sops` in tests: the same flags and exit codes, YAML and JSON by lines, no real cryptography.

Like the real one it gives other bytes each time. FAKE_SOPS_LOG names a file that gets a line a call: the arguments.
FAKE_SOPS says how it misbehaves: a word of `MISBEHAVIOURS`. FAKE_SOPS_KEY=no: it finds no key to decrypt with.
"""

import base64
import hashlib
import os
import re
import signal
import sys
import time

LEAF = re.compile(r'(\s*)((?:- )?)("?[\w./-]+"?):(?: (.*))?$')


def cipher(nonce, text):
    stream = b""
    while len(stream) < len(text):
        stream += hashlib.sha256(b"made up" + nonce + len(stream).to_bytes(4, "big")).digest()
    return bytes(a ^ b for a, b in zip(text, stream))


def encrypted(text):
    nonce = os.urandom(12)
    code = base64.b64encode(nonce + cipher(nonce, text.encode())).decode()
    return f"ENC[AES256_GCM,data:{code},type:str]"


def decrypted(text):
    code = base64.b64decode(re.match(r"ENC\[AES256_GCM,data:([^,]*),type:str\]", text).group(1))
    return cipher(code[:12], code[12:]).decode()


def indent_of(line):
    return len(line) - len(line.lstrip())


def leaves(lines, wanted):
    """Lines of one document, those of a leaf that is `wanted` joined to one item: (indented key, text below and behind it)."""
    inside, at = None, 0
    while at < len(lines):
        line, match = lines[at], LEAF.match(lines[at])
        at += 1
        if inside is not None and line.strip() and indent_of(line) <= inside:
            inside = None
        if not match:
            yield line, None
            continue
        space, dash, key, value = match.groups()
        if inside is None and wanted.search(key.strip('"')):
            inside = len(space)
        if inside is None or not value:
            yield line, None
            continue
        block = [value]
        while at < len(lines) and (not lines[at].strip() or indent_of(lines[at]) > len(space)):
            block.append(lines[at])
            at += 1
        yield f"{space}{dash}{key}:", "\n".join(block)


def encrypt(text, wanted):
    documents = []
    for document in re.split(r"^---\n", text, flags=re.MULTILINE):
        if not document.strip():
            continue
        lines = [key if value is None else f"{key} {encrypted(value)}"
                 for key, value in leaves(document.rstrip("\n").split("\n"), wanted)]
        metadata = ["sops:", f"    lastmodified: \"{time.time_ns()}\"", f"    mac: {encrypted(document)}", "    version: 3.0.0"]
        documents.append("\n".join(lines + metadata) + "\n")
    return "---\n".join(documents)


def decrypt(text):
    text = re.sub(r"^sops:\n(?: +.*\n)+", "", text, flags=re.MULTILINE)
    return re.sub(r"ENC\[AES256_GCM[^]]*\]", lambda match: decrypted(match.group(0)), text)


def fail(code, message):
    sys.stderr.write(message + "\n")
    sys.exit(code)


MISBEHAVIOURS = {
    "echo": lambda text: sys.stdout.write(text),
    "leak": lambda text: fail(23, "can't cope with this:\n" + text[text.find("stringData:"):]),
    "die": lambda text: os.kill(os.getpid(), signal.SIGKILL),
    "garbage": lambda text: sys.stdout.write("a: [b\n" + text[::-1]),
    "silent": lambda text: None,
}


def option(name, default=""):
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else default


def main():
    if "FAKE_SOPS_LOG" in os.environ:
        with open(os.environ["FAKE_SOPS_LOG"], "a", encoding="utf-8") as log:
            log.write(" ".join(sys.argv[1:]) + "\n")
    with open("/dev/stdin", encoding="utf-8") as source:
        text = source.read()
    if os.environ.get("FAKE_SOPS") in MISBEHAVIOURS:
        MISBEHAVIOURS[os.environ["FAKE_SOPS"]](text)
    elif "--decrypt" in sys.argv:
        if os.environ.get("FAKE_SOPS_KEY") == "no":
            fail(128, "Failed to get the data key required to decrypt the SOPS file.")
        sys.stdout.write(decrypt(text))
    else:
        with open(option("--config"), encoding="utf-8") as source:
            rules = source.read()
        path = re.search(r"path_regex: (\S+)", rules)
        if path and not re.search(path.group(1), option("--filename-override")):
            fail(1, "error loading config: no matching creation rules found")
        regex = re.search(r"encrypted_regex: (\S+)", rules)
        sys.stdout.write(encrypt(text, re.compile(option("--encrypted-regex", regex.group(1) if regex else "."))))


main()
