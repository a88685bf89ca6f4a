# SPDX-License-Identifier: Apache-2.0
"""A hub of invented data: Public/ with the hub's headers, REST and server-sent events, for work on the pages and their tests.

python3 server.py [--port 8137] [--scenario live|still|empty|noradio|login|hostile|many]
"""

import argparse
import json
import threading
from http.server import ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from hub_model import InventedHub, Problem
from page_files import HEADERS, PageHandler
from routes import route


class Handler(PageHandler):
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
                if not self.file(address.path):
                    raise Problem(404, "There is no such page.")
                return None
            path, query = address.path[7:], parse_qs(address.query)
            if not self.model.signed_in and path != "/session":
                raise Problem(401, "Sign in with the token of this hub.", hub="pi-garage")
            if path == "/events":
                return self.stream()
            try:
                body = json.loads(raw) if raw and path != "/imports/detections" else {}
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
        self.begin_stream()
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
