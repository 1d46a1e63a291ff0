#!/usr/bin/env python3
"""Clients that are slow, loud or many don't keep others from their answers, and a signal ends the server in order.

    CAPWRIGHT=build/dev/capwright hostile_test.py
"""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import tempfile
import threading
import time

from requests_test import FOLDER, WIZARD
from served import FLEET, bearer, expect, finish, serving

RENDER = "/api/v1/cluster-templates/capo/render"
MEBI = 1 << 20
PATIENCE = 10  # seconds for an answer on a busy machine


def head(length, **headers):
    lines = [f"POST {RENDER} HTTP/1.1", "Host: localhost", "Content-Type: application/json", f"Content-Length: {length}"]
    lines += [f"{name}: {value}" for name, value in (bearer("all") | headers).items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def connect(server):
    return socket.create_connection(("127.0.0.1", server.port), timeout=60)


def read_all(connection):
    data = b""
    with contextlib.suppress(ConnectionResetError):
        while part := connection.recv(65536):
            data += part
    return data


def status_of(data):
    return int(data.split(b" ", 2)[1]) if data.startswith(b"HTTP/1.1 ") else None


def answers(server):
    began = time.monotonic()
    status = server.render("capo", WIZARD).status
    return status == 200 and time.monotonic() - began < PATIENCE


# The address sanitizer keeps up to 256 MiB of freed memory unless it is limited, and that would count as growth.
SMALL_QUARANTINE = {"ASAN_OPTIONS": "quarantine_size_mb=16"}


def memory_of(server):
    """KiB of resident memory."""
    for line in pathlib.Path(f"/proc/{server.process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    return 0


def check_bodies(server):
    before = memory_of(server)
    with connect(server) as connection:
        connection.sendall(head(100 * MEBI))
        expect(status_of(read_all(connection)) == 413, "a body of 100 MiB is refused by its length")
    with connect(server) as connection:
        connection.sendall(head(0).replace(b"Content-Length: 0", b"Transfer-Encoding: chunked"))
        sent = 0
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            while sent < 100 * MEBI:
                connection.sendall(b"10000\r\n" + b" " * 65536 + b"\r\n")
                sent += 65536
        expect(sent < 100 * MEBI or status_of(read_all(connection)) == 413, "an endless body is refused")
    with connect(server) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nX: " + b"x" * 100_000 + b"\r\n\r\n")
        expect(status_of(read_all(connection)) in (413, None), "a large head is refused")
    with connect(server) as connection:
        connection.sendall(b"\x16\x03\x01\x02\x00 hello\r\n\r\n")
        expect(status_of(read_all(connection)) in (400, None), "TLS and other bytes are refused")
    for depth in (1000, 100_000, 400_000):
        deep = b'{"cluster_name":"edge-9","a":' + b"[" * depth + b"]" * depth + b"}"
        expect(server.render("capo", deep).status in (400, 422), f"a list of {depth} levels")
        deep = b'{"a":' * depth + b"1" + b"}" * depth
        expect(server.render("capo", deep[:MEBI]).status in (400, 413, 422), f"a map of {depth} levels")
    wide = json.dumps(WIZARD | {"extensions": {f"key-{i}": i for i in range(50_000)}}).encode()
    expect(server.render("capo", wide[:MEBI]).status in (200, 400, 422), "a map of 50,000 keys")
    with connect(server) as connection:
        connection.sendall(head(10, Expect="100-continue"))
        expect(connection.recv(100).startswith(b"HTTP/1.1 100 "), "a client that asks is told to send its body")
    grown = (memory_of(server) - before) // 1024
    expect(grown < 200, f"memory grows by {grown} MiB")
    expect(answers(server), "the server answers after all that")


def check_slow(folder):
    """Connections that send a byte now and then; more of them than the server takes."""
    with serving(folder, *FOLDER, "--timeout", "3", "--max-connections", "64") as server, contextlib.ExitStack() as stack:
        body = json.dumps(WIZARD).encode()
        slow = [stack.enter_context(connect(server)) for _ in range(200)]
        for connection in slow:
            with contextlib.suppress(OSError):
                connection.sendall(head(len(body))[:40])
        expect(answers(server), "the server answers beside 200 slow clients")
        time.sleep(4)
        closed = sum(1 for connection in slow if is_closed(connection))
        expect(closed == len(slow), f"slow clients lose their connections: {closed} of {len(slow)}")
        with connect(server) as connection:
            began = time.monotonic()
            with contextlib.suppress(OSError):
                for byte in head(len(body)) + body:
                    connection.sendall(bytes([byte]))
                    time.sleep(0.1)
            expect(time.monotonic() - began < 3 + PATIENCE, "bytes now and then don't extend the time")
        descriptors = len(os.listdir(f"/proc/{server.process.pid}/fd"))
        expect(descriptors < 100, f"{descriptors} files are open")


def is_closed(connection):
    connection.settimeout(1)
    try:
        return connection.recv(1000) == b""
    except ConnectionError:
        return True
    except TimeoutError:
        return False


def check_unread(folder):
    """Clients that send many requests and read no answer."""
    with serving(folder, *FOLDER) as server, contextlib.ExitStack() as stack:
        body = json.dumps(WIZARD).encode()
        for _ in range(50):
            connection = stack.enter_context(connect(server))
            connection.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                for _ in range(200):
                    connection.send(head(len(body)) + body)
        expect(answers(server), "the server answers beside clients that don't read")


def check_overload(folder):
    with serving(folder, *FOLDER, "--jobs", "1", "--max-queue", "2") as server:
        statuses = []
        threads = [threading.Thread(target=lambda: statuses.append(server.request(
            "POST", "/api/v1/cluster-templates/capo/plan", WIZARD).status)) for _ in range(24)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        expect(set(statuses) <= {200, 503} and 200 in statuses, f"an overloaded server answers or refuses: {statuses}")
        expect(503 in statuses, "more requests than the queue takes are refused")
        expect(answers(server), "the server answers afterwards")


def check_stop(folder):
    """A request that has arrived is answered; idle connections are closed."""
    with serving(folder, *FOLDER, "--jobs", "1") as server:
        body = json.dumps(WIZARD).encode()
        with connect(server) as idle, connect(server) as busy:
            busy.sendall(head(len(body)).replace(b"/render ", b"/plan ") + body)
            time.sleep(0.02)
            server.process.send_signal(signal.SIGTERM)
            expect(status_of(read_all(busy)) == 200, "a request that has arrived is answered")
            expect(read_all(idle) == b"", "an idle connection is closed")
        expect(server.process.wait(timeout=30) == 0, "the server ends")


def main():
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "fleet"
        shutil.copytree(FLEET, folder)
        with serving(folder, *FOLDER, variables=SMALL_QUARANTINE) as server:
            check_bodies(server)
        check_slow(folder)
        check_unread(folder)
        check_overload(folder)
        check_stop(folder)
    finish()


if __name__ == "__main__":
    main()
