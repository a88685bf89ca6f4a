# SPDX-License-Identifier: Apache-2.0
"""A server of map pictures, all alike."""

from __future__ import annotations

import struct
import threading
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def tile(red: int = 208, green: int = 224, blue: int = 208) -> bytes:
    """A PNG of 256 × 256 in one colour with a darker rim."""
    inner, rim = bytes((red, green, blue)), bytes((red - 60, green - 60, blue - 60))
    rows = b"".join(b"\0" + (rim * 256 if row == 0 else rim + inner * 255) for row in range(256))

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 256, 256, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *_) -> None:
        pass

    def do_GET(self) -> None:
        self.server.requests.append(f"GET {self.path}")
        data = tile() if self.path.startswith("/tiles/") else b""
        self.send_response(200 if data else 404)
        self.send_header("Content-Type", "image/png")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


class Tiles(ThreadingHTTPServer):
    """Runs as long as a test does; `requests` are method and path of what it was asked."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.requests: list[str] = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def port(self) -> int:
        return self.server_port

    def __exit__(self, *_) -> None:
        self.shutdown()
        self.server_close()
