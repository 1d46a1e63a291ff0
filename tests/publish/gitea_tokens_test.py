#!/usr/bin/env python3
"""`capwright publish` by Gitea's API: where the token comes from, and which hosts get it.

    CAPWRIGHT=build/dev/capwright gitea_tokens_test.py [NAME...]     # cases whose name has one of these words
"""

import http.server
import subprocess
import threading

from cases import ends, finishes, one_fault, run_cases
from gitea_site import TOKEN, VIA, begin, bodies, change, goes_wrong, push
from site_of_fleet import HOST


def test_redirects_get_no_token(site):
    seen = []

    class Elsewhere(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            seen.append(self.path)
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="x"')
            self.end_headers()

        def log_message(self, form, *arguments):
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Elsewhere)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    target = f"http://{HOST}:{server.server_address[1]}/"
    begin(site)
    goes_wrong(site, "GET", "", times=99, status=302, headers={"Location": target + "api"})
    one_fault(site.publish(), "G279", target)
    assert not seen, seen
    server.shutdown()
    return "a redirect that isn't followed"


def test_tokens(site):
    begin(site)
    before = site.there()
    site.env["GITEA_TOKEN"] = "wrong-top-secret"
    one_fault(site.publish(), "G272", "invalid username, password or token")
    for value in ("", "  \n", "two\nlines"):
        site.env["GITEA_TOKEN"] = value
        one_fault(site.publish(), "G270", "GITEA_TOKEN")
    del site.env["GITEA_TOKEN"]
    one_fault(site.publish(), "G270", "is not set")
    file = str(site.home / "token")
    one_fault(site.publish("--token-file", file), "G270", "can't be read")
    assert not bodies(site) and site.there() == before
    (site.home / "token").write_text(TOKEN + "\n")
    finishes(site, site.git("rev-parse", "HEAD"), "--token-file", file)
    source = change(site)
    site.env["ODD_NAME"] = TOKEN
    finishes(site, source, "--token-env", "ODD_NAME")
    kept = subprocess.run(["grep", "-rl", "top-secret", str(site.clone), str(site.bare)], capture_output=True, text=True,
                          check=False)
    assert not kept.stdout, f"the token is in {kept.stdout}"
    return "tokens: wrong, missing, of a file; kept nowhere"


class Listener:
    """Keeps the headers of whatever comes."""

    def __init__(self):
        seen = self.seen = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                seen.append(str(self.headers))
                self.send_response(404)
                self.end_headers()

            do_POST = do_GET

            def log_message(self, form, *arguments):
                pass

        self.server = http.server.HTTPServer((HOST, 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://{HOST}:{self.server.server_address[1]}/a/b"


def propose(site, gitea):
    path = site.clone / "capwright.yaml"
    path.write_text(path.read_text().partition("publish:")[0] + f"publish: {{via: gitea, gitea: {gitea}}}\n")
    site.commit("Propose")
    push(site)


def test_proposed_hosts_get_nothing(site):
    begin(site)
    url = site.git("remote", "get-url", "origin")
    listener = Listener()
    site.env["AWS_SECRET_ACCESS_KEY"] = "top-secret-key"
    propose(site, f'{{url: "{listener.url}", token_env: AWS_SECRET_ACCESS_KEY}}')
    one_fault(site.publish(), "G283", listener.url, "CAPWRIGHT_GITEA_URL")
    site.git("remote", "set-url", "origin", f"file://{site.bare}")
    ends(site.publish("--dry-run"), 0, "a dry run sends no token")
    one_fault(site.publish(), "G283", "has no host")
    site.git("remote", "set-url", "origin", "git@git.example.com:platform/fleet.git")
    one_fault(site.publish(), "G283", "is on another host")
    assert not listener.seen, listener.seen
    # Named outside of the repository it may be asked, but not with any variable.
    site.env["CAPWRIGHT_GITEA_URL"] = listener.url
    one_fault(site.publish(), "G285", "AWS_SECRET_ACCESS_KEY", "--token-env")
    propose(site, f'{{url: "{listener.url}", token_file: /proc/self/environ}}')
    one_fault(site.publish(), "G285", "--token-file")
    assert not listener.seen, listener.seen
    propose(site, f'{{url: "{listener.url}", token_env: CAPWRIGHT_TOKEN}}')
    site.env["CAPWRIGHT_TOKEN"] = TOKEN
    one_fault(site.publish(), "G232")
    assert f"token {TOKEN}" in listener.seen[0], listener.seen
    listener.seen.clear()
    propose(site, '{url: "http://git.example.com/a/b"}')
    site.env["CAPWRIGHT_GITEA_URL"] = "http://git.example.com/"
    one_fault(site.publish(), "G284", "https")
    del site.env["CAPWRIGHT_GITEA_URL"]
    site.git("remote", "set-url", "origin", url)
    propose(site, "{}")
    finishes(site, site.git("rev-parse", "HEAD"))
    listener.server.shutdown()
    return "no token for a host, a variable, a file or an open line that a change names; none in a dry run"


def test_certificates(site):
    made = site.certificate()
    if made is None:
        return "skipped: openssl makes no certificate"
    certificate, both = made
    site.setting(VIA)
    site.serve_gitea(TOKEN, str(both), scheme="https")
    one_fault(site.publish(), "G235", "its certificate is not trusted")
    site.git("config", "http.sslCAInfo", str(certificate))
    ends(site.publish(), 0, "main is at")
    site.check_whole()
    return "a certificate, before and after it is trusted"


run_cases(globals())
