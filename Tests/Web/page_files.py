# SPDX-License-Identifier: Apache-2.0
"""The files of the pages as a hub serves them, for whatever answers their requests in a test."""

import json
import re
from http.server import BaseHTTPRequestHandler
from pathlib import Path

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


class PageHandler(BaseHTTPRequestHandler):
    """Answers with the files of the pages, and with the headers of a hub."""

    protocol_version = "HTTP/1.1"
    policy = HEADERS["Content-Security-Policy"]

    def log_message(self, *_) -> None:
        pass

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

    def begin_stream(self) -> None:
        """Begins a stream of events, which ends with its connection."""
        self.send_response(200)
        for name, value in {**HEADERS, "Content-Type": "text/event-stream", "Connection": "close"}.items():
            self.send_header(name, value)
        self.end_headers()
        self.close_connection = True
        self.wfile.write(b": hello\n\n")
        self.wfile.flush()

    def file(self, path: str) -> bool:
        """A file of the pages; the first one names a version in the addresses of its parts, as a hub's does."""
        name = re.sub("^/v/[^/]+/", "/", path)
        folder, rest = (LEAFLET, name[9:]) if name.startswith("/leaflet/") else (PUBLIC, name.lstrip("/"))
        file = (folder / rest).resolve()
        if file.is_dir():
            file = file / "index.html"
        if folder not in file.parents or not file.is_file():
            return False
        kind = KINDS.get(file.suffix, "application/octet-stream")
        data = file.read_bytes()
        if file.name == "index.html":
            data = re.sub(rb'(href|src)="(?!\./)', rb'\1="v/%s/' % version().encode(), data)
        self.answer(data, 200, kind, Cache_Control=HEADERS["Cache-Control"] if name == path else FOREVER)
        return True
