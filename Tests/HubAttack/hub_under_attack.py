# SPDX-License-Identifier: Apache-2.0
"""A real hub with whatever options an attack wants, and sockets on which it says exactly what is sent."""

from __future__ import annotations

import json
import re
import resource
import socket
import ssl
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "Web"))

from patience import within  # noqa: E402
from real_hub import RealHub, binary  # noqa: E402

# An attack has many connections.
soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, hard), hard))


class AttackedHub(RealHub):
    """A hub without a radio; its owner holds the token where a login is needed."""

    def __init__(self, folder: Path, *arguments: str, login: bool = False, tls: bool = False) -> None:
        arguments = ["--radio", "tcp:127.0.0.1:1", *arguments]
        self.folder = folder
        self.token = None
        self.trust = None
        if tls:
            certificate, key = folder / "hub.crt", folder / "hub.key"
            subprocess.run(
                ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                 "-days", "60", "-subj", "/CN=localhost", "-keyout", key, "-out", certificate],
                check=True, capture_output=True,
            )  # fmt: skip
            arguments += ["--tls-certificate", str(certificate), "--tls-key", str(key)]
            self.trust = ssl._create_unverified_context()
        super().__init__(folder, *arguments)
        if tls:
            self.address = self.address.replace("http:", "https:")
        if login:
            self.token = self.new_token()

    def new_token(self) -> str:
        made = subprocess.run(
            [binary(), "hub", "--new-token", "--database", self.database], check=True, capture_output=True, text=True
        )
        return re.search(r"shown only now: (\S+)", made.stdout)[1]

    def request(self, method, path, body=None, headers=None):
        headers = dict(headers or {})
        if self.token:
            headers.setdefault("Authorization", f"Bearer {self.token}")
        return self.ask(method, path, body, headers)

    def ask(self, method: str, path: str, body=None, headers=None, seconds: float = 60):
        """Status, JSON (or octets) and headers of an answer to who brings nothing but these headers."""
        answer = self.exchange(self.text(method, path, body, headers), seconds)
        if not answer:
            raise ConnectionResetError("the hub has closed the connection")
        return parsed(answer)

    def text(self, method: str, path: str, body=None, headers=None) -> bytes:
        """One request, after which the connection ends."""
        data = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        lines = {"Host": f"127.0.0.1:{self.port}", "Connection": "close"}
        if data is not None:
            lines |= {"Content-Type": "application/json", "Content-Length": str(len(data))}
        head = [f"{method} {path} HTTP/1.1"]
        for name, value in (lines | dict(headers or {})).items():
            head += [f"{name}: {one}" for one in (value if isinstance(value, list) else [value])]
        return "\r\n".join([*head, "", ""]).encode() + (data or b"")

    def connect(self, seconds: float = 20) -> socket.socket:
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=within(seconds))
        return self.trust.wrap_socket(connection) if self.trust else connection

    def exchange(self, text: bytes, seconds: float = 20) -> bytes:
        """Sends octets on a connection of their own; everything that comes back until its end."""
        with self.connect(seconds) as connection:
            answer = b""
            with suppress(ConnectionResetError, BrokenPipeError, ssl.SSLError):
                connection.sendall(text)
                while piece := connection.recv(65536):
                    answer += piece
            return answer

    @property
    def resident(self) -> float:
        """Its memory in MB."""
        return self._status("VmRSS")

    @property
    def peak(self) -> float:
        """The most memory that it has had, in MB."""
        return self._status("VmHWM")

    def _status(self, name: str) -> float:
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(rf"{name}:\s+(\d+)", text)[1]) / 1024

    def prompt(self, seconds: float = 3) -> None:
        """Its owner is answered, and soon."""
        begin = time.monotonic()
        self.get("/hub")
        assert time.monotonic() - begin < within(seconds)


def parsed(answer: bytes):
    """Status, JSON (or octets) and headers of one answer."""
    head, _, body = answer.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    headers = {}
    for line in lines[1:]:
        name, _, value = line.partition(": ")
        headers.setdefault(name, value)
    if headers.get("Transfer-Encoding") == "chunked" or headers.get("transfer-encoding") == "chunked":
        whole = b""
        while body:
            size, _, body = body.partition(b"\r\n")
            count = int(size, 16)
            whole, body = whole + body[:count], body[count + 2 :]
            if count == 0:
                break
        body = whole
    kind = next((value for name, value in headers.items() if name.lower() == "content-type"), "")
    return int(lines[0].split(" ")[1]), json.loads(body) if "json" in kind and body else body, headers


def header(headers: dict, name: str) -> str | None:
    return next((value for key, value in headers.items() if key.lower() == name.lower()), None)
