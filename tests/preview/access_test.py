#!/usr/bin/env python3
"""Only the address that `capwright preview` prints is answered, and only for its own pages.

    CAPWRIGHT=build/dev/capwright access_test.py
"""

import re
import signal
import socket

from previewed import expect, finish, fleet_copy, previewing

PAGE = ("", "style.css", "app.js", "icon.svg", "api/fleet", "api/events", "api/draft", "unknown")


def statuses(preview, **headers):
    return {preview.request("GET", path, **headers).status for path in PAGE}


def check_refusals(preview):
    other = "a" * 32
    for path in ("/", "/api/fleet", "/style.css", f"/{other}/", f"/{other}/api/fleet", preview.path.rstrip("/")[:-1] + "/",
                 f"/x{preview.path}api/fleet", f"/?token={preview.path.strip('/')}", "//"):
        expect(preview.request("GET", path, whole_path=True).status == 403, f"`{path}` needs the token")
    for host in ("example.com", f"example.com:{preview.port}", "127.0.0.1", f"127.0.0.1:{preview.port + 1}", "", "localhost.",
                 f"127.0.0.1.example.com:{preview.port}"):
        expect(statuses(preview, Host=host) == {403}, f"Host `{host}` is refused")
    expect(statuses(preview, Origin="http://example.com") == {403}, "another origin is refused")
    expect(statuses(preview, Origin="null") == {403}, "an opaque origin is refused")
    expect(statuses(preview, Origin=f"http://127.0.0.1:{preview.port + 1}") == {403}, "another port is another origin")
    expect(statuses(preview, Origin=f"https://{preview.host}") == {403}, "another scheme is another origin")
    for site in ("cross-site", "same-site"):
        expect(statuses(preview, Sec_Fetch_Site=site) == {403}, f"{site} requests are refused")
    for method in ("PUT", "DELETE"):
        answer = preview.request(method, "api/draft?values=values/prod-a.yaml&path=values/prod-a.yaml", "x: 1",
                                 Origin="http://example.com")
        expect(answer.status == 403, f"another origin can't {method}")


def check_accepted(preview):
    same = {"Origin": f"http://{preview.host}", "Sec_Fetch_Site": "same-origin"}
    for headers in ({}, same, {"Host": f"localhost:{preview.port}"}, {"Sec_Fetch_Site": "none"}):
        expect(preview.request("GET", "api/fleet", **headers).status == 200, f"{headers} are accepted")
    expect(preview.request("GET", "unknown").status == 404, "an unknown page")
    expect(preview.request("POST", "api/fleet").status == 405, "an unknown method")
    expect(preview.request("POST", "").status == 405, "a page can't be posted to")
    for path in ("../../etc/passwd", "%2e%2e/", "api/", "style.css/"):
        expect(preview.request("GET", path).status == 404, f"`{path}` is no page")


def check_headers(preview):
    for path in ("", "app.js", "api/fleet", "unknown"):
        answer = preview.request("GET", path)
        policy = answer.headers["Content-Security-Policy"]
        expect("default-src 'none'" in policy and "script-src 'self';" in policy and "unsafe" not in policy, f"{path}: {policy}")
        expect(answer.headers["X-Content-Type-Options"] == "nosniff", "no guessing of types")
        expect(answer.headers["Referrer-Policy"] == "no-referrer", "the token isn't sent to others")
        expect(answer.headers["Cache-Control"] == "no-store", "pages aren't kept")
        expect(answer.headers["Access-Control-Allow-Origin"] is None and answer.headers["Set-Cookie"] is None,
               "no other origin is allowed, and no cookie is set")
    page = preview.request("GET", "").body.decode()
    expect(not re.search(r"<script(?![^>]*src=)|\son\w+=|style=|https?:", page), "the page has no inline script, style or address")


def check_ends(folder):
    for number in (signal.SIGINT, signal.SIGTERM):
        with previewing(folder) as preview, preview.events():
            expect(preview.stop(number) == 0, f"{number.name} ends it while a page follows")
    with previewing(folder) as preview:
        for _ in range(3):  # a browser that is killed resets its connections
            with socket.create_connection(("127.0.0.1", preview.port)) as connection:
                connection.sendall(f"GET {preview.path}api/events HTTP/1.1\r\nHost: {preview.host}\r\n\r\n".encode())
                connection.recv(100)
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        expect(preview.request("GET", "api/fleet").status == 200, "it survives clients that vanish")


def main():
    with fleet_copy() as folder:
        with previewing(folder) as one, previewing(folder) as two:
            expect(one.port != two.port and one.path != two.path, "each has its own port and token")
            expect(two.request("GET", one.path, whole_path=True).status == 403, "a token is for one preview")
            expect(re.fullmatch(re.escape(f"http://127.0.0.1:{one.port}/") + "[0-9a-f]{32}/", one.address), one.address)
            check_refusals(one)
            check_accepted(one)
            check_headers(one)
        check_ends(folder)
    finish()


main()
