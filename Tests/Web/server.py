# SPDX-License-Identifier: Apache-2.0
"""A hub of invented data: Public/ with the hub's headers, REST and server-sent events, for work on the pages and their tests.

python3 server.py [--port 8137] [--scenario live|still|empty|noradio|login|hostile|many]
"""

import argparse
import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from hub_model import InventedHub, Problem
from routes import route

PUBLIC = Path(__file__).resolve().parents[2] / "Sources/Hub/HubWeb/Public"
LEAFLET = Path("/usr/share/javascript/leaflet")
KINDS = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
FOREVER = "public, max-age=31536000, immutable"


def version() -> str:
    """What the files are now: who works on the pages gets them as they are."""
    return f"{max(file.stat().st_mtime_ns for file in PUBLIC.rglob('*')):x}"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_) -> None:
        pass

    @property
    def model(self) -> InventedHub:
        return self.server.model

    def handle_any(self) -> None:
        address = urlsplit(self.path)
        length = int(self.headers.get("Content-Length") or 0)
        raw = self.rfile.read(length) if length else b""
        self.model.requests.append(f"{self.command} {self.path}")
        if address.path.startswith("/test/"):
            return self.control(address.path[6:], raw)
        if self.model.gone:
            self.close_connection = True
            return
        try:
            if not address.path.startswith("/api/v1/"):
                return self.file(address.path)
            path, query = address.path[7:], parse_qs(address.query)
            if not self.model.signed_in and path != "/session":
                raise Problem(401, "Sign in with the token of this hub.", hub="pi-garage")
            if path == "/events":
                return self.stream()
            try:
                body = json.loads(raw) if raw and path not in ("/database", "/map/known", "/imports/detections") else {}
            except ValueError as error:
                raise Problem(422, f"The file cannot be read: {error}.") from error
            self.raw = raw
            self.api(path, query, body)
        except Problem as problem:
            self.answer(problem.body, problem.status, "application/problem+json")
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    @property
    def policy(self) -> str:
        """The policy with the server of map tiles, and with nothing else, as a place of pictures."""
        chosen, policy = self.model.settings["map"], HEADERS["Content-Security-Policy"]
        host = "/".join(chosen["server"].split("/")[:3]).replace("{s}", "*")
        return f"{policy}; img-src 'self' {host}" if chosen["tiles"] == "server" and host else policy

    do_GET = do_POST = do_PATCH = do_DELETE = do_PUT = handle_any

    def answer(self, body, status: int = 200, kind: str = "application/json", **headers) -> None:
        data = b"" if status == 204 else body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {
            **HEADERS,
            "Content-Security-Policy": self.policy,
            "Content-Type": kind,
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }.items():
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def file(self, path: str) -> None:
        """A file of the pages; the first one names a version in the addresses of its parts, as a hub's does."""
        name = re.sub("^/v/[^/]+/", "/", path)
        folder, rest = (LEAFLET, name[9:]) if name.startswith("/leaflet/") else (PUBLIC, name.lstrip("/"))
        file = (folder / rest).resolve()
        if file.is_dir():
            file = file / "index.html"
        if folder not in file.parents or not file.is_file():
            raise Problem(404, "There is no such page.")
        kind = KINDS.get(file.suffix, "application/octet-stream")
        data = file.read_bytes()
        if file.name == "index.html":
            data = re.sub(rb'(href|src)="(?!\./)', rb'\1="v/%s/' % version().encode(), data)
        self.answer(data, 200, kind, Cache_Control=HEADERS["Cache-Control"] if name == path else FOREVER)

    def control(self, what: str, raw: bytes) -> None:
        """What a test has the hub do: go, come back, hear something, change its scenario."""
        model = self.model
        if what == "gone":
            model.gone = True
            with model.changed:
                model.changed.notify_all()
        elif what == "back":
            model.gone = False
        elif what == "detection":
            model.arrive()
        elif what == "line":
            model.stream_line(int(raw or b"1"))
        elif what == "gap":
            model.emit("gap", lost=12)
        elif what.startswith("scenario/"):
            self.server.model = InventedHub(what[9:])
        self.answer({"requests": model.requests}, 200)

    def stream(self) -> None:
        model = self.model
        since = int(self.headers.get("Last-Event-ID") or model.last_id)
        self.send_response(200)
        for name, value in {**HEADERS, "Content-Type": "text/event-stream", "Connection": "close"}.items():
            self.send_header(name, value)
        self.end_headers()
        self.close_connection = True
        self.wfile.write(b": hello\n\n")
        self.wfile.flush()
        while not model.gone and self.server.model is model:
            with model.changed:
                fresh = [event for event in model.events if event[0] > since]
                if not fresh:
                    model.changed.wait(5)
                    fresh = [event for event in model.events if event[0] > since]
            for number, name, value in fresh:
                self.wfile.write(f"id: {number}\nevent: {name}\ndata: {json.dumps(value)}\n\n".encode())
                since = number
            if not fresh:
                self.wfile.write(b": alive\n\n")
            self.wfile.flush()

    def api(self, path: str, query: dict, body: dict) -> None:
        route(self, self.model, path, query, body)


def serve(scenario: str = "still", port: int = 0) -> ThreadingHTTPServer:
    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.daemon_threads = True
    server.model = InventedHub(scenario)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--port", type=int, default=8137)
    options.add_argument("--scenario", default="live")
    chosen = options.parse_args()
    running = serve(chosen.scenario, chosen.port)
    print(f"http://127.0.0.1:{running.server_port}/")
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        running.shutdown()
