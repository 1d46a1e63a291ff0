"""Answers /_ping and /info like a Docker daemon. CAPD asks it for the capacity of machine templates, and for nothing else.

    docker_stub.py PORT
"""

import http.server
import sys

INFO = b'{"MemTotal": 8589934592, "NCPU": 4, "ID": "e2e", "Name": "e2e"}'


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = INFO if self.path.endswith("/info") else b"OK"
        self.send_response(200)
        self.send_header("Api-Version", "1.51")
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    do_HEAD = do_GET

    def log_message(self, *_):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
