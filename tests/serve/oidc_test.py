#!/usr/bin/env python3
"""Tokens of an OpenID Connect provider: keys of `openssl`, a key set in a file and by HTTP, scopes by claims, and attacks.

    CAPWRIGHT=build/dev/capwright oidc_test.py
"""

import base64
import contextlib
import hashlib
import hmac
import http.server
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time

from served import FLEET, Server, expect, finish, token

CAPWRIGHT = os.path.abspath(os.environ["CAPWRIGHT"])
ISSUER, AUDIENCE = "https://id.example.com/realms/platform", "capwright"
SUBJECTS = [{"name": "edge", "claims": {"groups": "edge-team"}, "clusters": ["edge-*"], "actions": ["render", "validate"]},
            {"name": "ada", "claims": {"sub": "ada", "azp": "portal"}, "actions": ["render", "plan", "schemas", "audit"]}]
WIZARD = {"cluster_name": "edge-9", "provider": "openstack", "kubernetes_type": "rke2", "control_plane_count": 1,
          "worker_count": 3, "flavor_control_plane": "m1.large", "flavor_worker": "m1.xlarge",
          "image_name": "rke2-node-v1.35-20260407", "addons": ["cinder-csi"]}


def encoded(data):
    if not isinstance(data, bytes):
        data = json.dumps(data).encode()
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def openssl(*arguments, data=None):
    return subprocess.run(["openssl", *arguments], input=data, capture_output=True, check=True).stdout


def raw_signature(der):
    """The two numbers of an ECDSA signature, 32 bytes each."""
    at, numbers = 2, []
    for _ in range(2):
        size = der[at + 1]
        numbers.append(int.from_bytes(der[at + 2:at + 2 + size], "big").to_bytes(32, "big"))
        at += 2 + size
    return b"".join(numbers)


class Key:
    def __init__(self, folder, algorithm, kid):
        self.algorithm, self.kid, self.path = algorithm, kid, folder / f"{kid}.pem"
        options = {"RS256": ["RSA", "-pkeyopt", "rsa_keygen_bits:2048"], "ES256": ["EC", "-pkeyopt", "ec_paramgen_curve:P-256"],
                   "EdDSA": ["ED25519"]}[algorithm]
        openssl("genpkey", "-algorithm", *options, "-out", str(self.path))
        self.public = openssl("pkey", "-in", str(self.path), "-pubout")
        der = openssl("pkey", "-in", str(self.path), "-pubout", "-outform", "DER")
        if algorithm == "RS256":
            modulus = openssl("rsa", "-in", str(self.path), "-noout", "-modulus").decode().strip().split("=")[1]
            self.jwk = {"kty": "RSA", "n": encoded(bytes.fromhex(modulus)), "e": "AQAB"}
        elif algorithm == "ES256":
            self.jwk = {"kty": "EC", "crv": "P-256", "x": encoded(der[-64:-32]), "y": encoded(der[-32:])}
        else:
            self.jwk = {"kty": "OKP", "crv": "Ed25519", "x": encoded(der[-32:])}
        self.jwk |= {"kid": kid, "use": "sig", "alg": algorithm}

    def sign(self, text):
        if self.algorithm == "EdDSA":
            path = self.path.with_suffix(".text")
            path.write_bytes(text)
            return openssl("pkeyutl", "-sign", "-inkey", str(self.path), "-rawin", "-in", str(path))
        signature = openssl("dgst", "-sha256", "-sign", str(self.path), data=text)
        return raw_signature(signature) if self.algorithm == "ES256" else signature

    def token(self, header=None, **claims):
        head = {"alg": self.algorithm, "typ": "JWT", "kid": self.kid} | (header or {})
        text = f"{encoded(head)}.{encoded(payload(**claims))}"
        return f"{text}.{encoded(self.sign(text.encode()))}"


def payload(**claims):
    said = {"iss": ISSUER, "aud": AUDIENCE, "sub": "ada", "azp": "portal", "exp": int(time.time()) + 600} | claims
    return {name: value for name, value in said.items() if value is not None}


@contextlib.contextmanager
def keys_by_http(text):
    """A provider; its URL, and the list of requests."""
    asked = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(text())

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/keys", asked
    finally:
        server.shutdown()


@contextlib.contextmanager
def serving(folder, keys, *arguments, tokens=None):
    file = folder.parent / "tokens.json"
    file.write_text(json.dumps({"tokens": [token("all")], "subjects": SUBJECTS} if tokens is None else tokens))
    process = subprocess.Popen([CAPWRIGHT, "serve", "--listen", "127.0.0.1:0", "--tokens", str(file), "--folder", "values/portal",
                                "--oidc-issuer", ISSUER, "--oidc-audience", AUDIENCE, "--oidc-keys", str(keys), *arguments],
                               cwd=folder, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    server = Server(process, [])
    try:
        server.read_port()
        yield server
        expect(server.stop() == 0, f"the server ends well: {server.log[-3:]}")
    finally:
        process.kill()
        process.wait()


def render(server, bearer, values=None):
    return server.render("capo", values or WIZARD, caller=None, Authorization=f"Bearer {bearer}")


def check_scopes(server, keys):
    for key in keys:
        answer = render(server, key.token())
        expect(answer.status == 200, f"a token with {key.algorithm}: {answer.status} {answer.body[:300]}")
    key = keys[0]
    expect(render(server, key.token(aud=["x", AUDIENCE])).status == 200, "one of several audiences")
    expect(render(server, key.token(sub="bo", groups=["ops", "edge-team"])).status == 200, "a group")
    expect(render(server, key.token(sub="bo", groups=["edge-team"]), WIZARD | {"cluster_name": "prod-z"}).status == 403, "its clusters")
    bo = f"Bearer {key.token(sub='bo', groups='edge-team')}"
    expect(server.request("GET", "/api/v1/schemas/capo", caller=None, Authorization=bo).status == 403, "its actions")
    expect(render(server, key.token(sub="bo", groups=["edge-teams"])).status == 401, "a group without an entry")
    expect(render(server, key.token(azp="other")).status == 401, "an entry with two claims needs both")
    expect(server.render("capo", WIZARD).status == 200, "tokens of the file go on")
    expect(any('"token":"ada/ada"' in line for line in server.log), f"the log names entry and subject: {server.log[-2:]}")
    expect(not any(key.token()[:20] in line for line in server.log), "and no token")
    render(server, key.token(sub="x\n\"y", groups=["edge-team"]))
    time.sleep(0.1)
    expect(any('"token":"edge/sha256:' in line for line in server.log), f"other subjects by a digest: {server.log[-2:]}")


def check_attacks(server, keys, folder):
    rsa = keys[0]

    def unsigned(header):
        return f"{encoded(header)}.{encoded(payload())}"

    def with_secret(secret):
        text = unsigned({"alg": "HS256", "typ": "JWT", "kid": rsa.kid})
        return f"{text}.{encoded(hmac.new(secret, text.encode(), hashlib.sha256).digest())}"

    good = rsa.token()
    stranger = Key(folder, "RS256", "stranger")
    attacks = {
        "alg none": unsigned({"alg": "none"}) + ".",
        "alg none with the signature": unsigned({"alg": "none", "kid": rsa.kid}) + "." + good.rsplit(".", 1)[1],
        "HS256 with the public key as PEM": with_secret(rsa.public),
        "HS256 with the modulus": with_secret(rsa.jwk["n"].encode()),
        "HS256 with nothing": with_secret(b""),
        "another algorithm of the same key": rsa.token({"alg": "PS256"}),
        "another key with the kid": stranger.token({"kid": rsa.kid}),
        "its own key in the header": stranger.token({"kid": rsa.kid, "jwk": stranger.jwk}),
        "a URL of keys in the header": stranger.token({"jku": "https://attacker.example.com/keys"}),
        "an unknown kid": stranger.token(),
        "a kid that is a path": stranger.token({"kid": "../../etc/passwd"}),
        "another issuer": rsa.token(iss="https://attacker.example.com"),
        "another audience": rsa.token(aud="another"),
        "no audience": rsa.token(aud=None),
        "no expiry": rsa.token(exp=None),
        "expired": rsa.token(exp=int(time.time()) - 61),
        "not valid yet": rsa.token(nbf=int(time.time()) + 120),
        "no subject": rsa.token(sub=None),
        "oversized": rsa.token(more="x" * 9000),
        "half": good[:len(good) // 2],
        "more": good + "AAAA",
        "a list of tokens": f"{good}, {good}",
    }
    for name, attack in attacks.items():
        answer = render(server, attack)
        expect(answer.status == 401, f"{name}: {answer.status} {answer.body[:200]}")
        expect(answer.json()["detail"] == "send `Authorization: Bearer TOKEN`", f"{name}: the response doesn't say why")
    expect(render(server, "x" * 20000).status == 413, "a head that is too long")
    expect(render(server, rsa.token(exp=int(time.time()) - 50)).status == 200, "within the skew")
    expect(render(server, good).status == 200, "the server goes on")


def check_start(folder, keys):
    def start(*arguments, tokens=None):
        file = folder.parent / "tokens.json"
        file.write_text(json.dumps(tokens or {"subjects": SUBJECTS}))
        return subprocess.run([CAPWRIGHT, "serve", "--listen", "127.0.0.1:0", "--tokens", str(file), *arguments], cwd=folder,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=60)

    given = ("--oidc-issuer", ISSUER, "--oidc-audience", AUDIENCE, "--oidc-keys")
    for words, arguments, tokens in (
            ("--oidc-issuer", (), None),
            ("subjects", (*given, str(keys)), {"tokens": [token("all")]}),
            ("https", (*given, "http://id.example.com/keys"), None),
            ("no such file", (*given, "/nothing/here"), None),
            ("JSON Web Key Set", (*given, str(folder / "capwright.yaml")), None),
            ("no response", (*given, "http://127.0.0.1:1/keys"), None),
            ("--oidc-skew", (*given, str(keys), "--oidc-skew", "9999"), None),
            ("--oidc-audience", ("--oidc-issuer", ISSUER), None)):
        done = start(*arguments, tokens=tokens)
        expect(done.returncode == 2 and words in done.stderr, f"`{words}`: {done.returncode} {done.stderr}")


def main():
    if shutil.which("openssl") is None:
        print("openssl isn't there: no keys can be made")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "fleet"
        shutil.copytree(FLEET, folder)
        keys = [Key(folder.parent, algorithm, f"key-{algorithm}") for algorithm in ("RS256", "ES256", "EdDSA")]
        file = folder.parent / "keys.json"
        file.write_text(json.dumps({"keys": [key.jwk for key in keys]}))
        with serving(folder, file) as server:
            check_scopes(server, keys)
            check_attacks(server, keys, folder.parent)
        with keys_by_http(file.read_bytes) as (url, asked), serving(folder, url) as server:
            expect(render(server, keys[1].token()).status == 200, "keys by HTTP")
            stranger = Key(folder.parent, "ES256", "stranger-2")
            for _ in range(20):
                expect(render(server, stranger.token()).status == 401, "an unknown key")
            expect(len(asked) == 1, f"invented keys don't reach the provider: {len(asked)} requests")
        check_start(folder, file)
    finish()


if __name__ == "__main__":
    main()
