"""Git over HTTP on a free port of 127.0.0.1, by `git http-backend`:

    python3 git_http_server.py FOLDER [USER:PASSWORD] [CERTIFICATE]

With a PEM file of a key and a certificate, it speaks TLS. Prints its port, and logs its requests to FOLDER/requests.log. Below /page/ it answers as a proxy would,
below /forbidden/ that one may not.
"""

import base64
import http.server
import os
import ssl
import subprocess
import sys

FOLDER = sys.argv[1]
LOGIN = sys.argv[2] if len(sys.argv) > 2 else None
PROGRAMS = subprocess.run(["git", "--exec-path"], capture_output=True, text=True, check=True).stdout.strip()


class Backend(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, form, *arguments):
        with open(os.path.join(FOLDER, "requests.log"), "a", encoding="utf-8") as log:
            log.write(f"{self.command} {self.path} {arguments[1] if len(arguments) > 1 else ''}\n")

    def body(self):
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = []
        while True:
            size = int(self.rfile.readline(), 16)
            parts.append(self.rfile.read(size))
            self.rfile.readline()
            if size == 0:
                return b"".join(parts)

    def answer(self, status, headers, body):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def handle_request(self):
        body = self.body()
        path, _, query = self.path.partition("?")
        if path.startswith("/page/"):
            return self.answer(200, [("Content-Type", "text/html")], b"<html>log in first</html>")
        if path.startswith("/forbidden/"):
            return self.answer(403, [], b"")
        expected = "Basic " + base64.b64encode((LOGIN or "").encode()).decode()
        if LOGIN and self.headers.get("Authorization") != expected:
            return self.answer(401, [("WWW-Authenticate", 'Basic realm="git"')], b"")
        variables = dict(os.environ, GIT_PROJECT_ROOT=FOLDER, GIT_HTTP_EXPORT_ALL="1", PATH_INFO=path,
                         QUERY_STRING=query, REQUEST_METHOD=self.command, REMOTE_USER="bot",
                         CONTENT_TYPE=self.headers.get("Content-Type", ""), CONTENT_LENGTH=str(len(body)),
                         HTTP_CONTENT_ENCODING=self.headers.get("Content-Encoding", ""))
        reply = subprocess.run([PROGRAMS + "/git-http-backend"], input=body, capture_output=True, env=variables, check=False).stdout
        head, _, rest = reply.partition(b"\r\n\r\n")
        headers = [tuple(line.split(": ", 1)) for line in head.decode().split("\r\n") if ": " in line]
        status = next((int(value.split()[0]) for name, value in headers if name == "Status"), 200)
        return self.answer(status, [header for header in headers if header[0] != "Status"], rest)

    do_GET = do_POST = handle_request


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Backend)
if len(sys.argv) > 3:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[3])
    server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_address[1], flush=True)
server.serve_forever()
