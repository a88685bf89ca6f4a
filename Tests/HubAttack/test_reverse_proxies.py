# SPDX-License-Identifier: Apache-2.0
"""A hub behind nginx and Caddy, set up as the guide says: the lines that are tried are those of the guide."""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from pathlib import Path

import pytest

from hub_under_attack import AttackedHub
from patience import within
from real_hub import binary, free_port

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "Documentation/Guides/administering.md").read_text()
NAME = "garage.example"


def program(name: str) -> str:
    """A proxy that is installed, or that Scripts/test has unpacked without installing it."""
    places = f"{ROOT / '.build-proxies/usr/sbin'}:{ROOT / '.build-proxies/usr/bin'}:/usr/sbin:{os.environ['PATH']}"
    return shutil.which(name, path=places) or pytest.skip(f"{name} is not here")


def example(language: str) -> str:
    return re.search(rf"^```{language}\n(.*?)^```$", GUIDE, re.M | re.S)[1]


def nginx(folder: Path, port: int, hub: int, certificate: Path, key: Path) -> list[str]:
    text = example("nginx").replace("listen 443", f"listen 127.0.0.1:{port}").replace("127.0.0.1:8080", f"127.0.0.1:{hub}")
    text = text.replace("/etc/ssl/garage.example.crt", str(certificate)).replace("/etc/ssl/garage.example.key", str(key))
    temporary = "".join(f"{name}_temp_path {folder}/{name};\n" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    # Everything around the example is what a distribution has there.
    (folder / "nginx.conf").write_text(
        f"daemon off;\npid {folder}/pid;\nerror_log stderr;\nevents {{}}\nhttp {{\naccess_log off;\n{temporary}{text}}}\n"
    )
    return [program("nginx"), "-p", str(folder), "-c", str(folder / "nginx.conf")]


def caddy(folder: Path, port: int, hub: int, certificate: Path, key: Path) -> list[str]:
    text = example("caddy").replace("127.0.0.1:8080", f"127.0.0.1:{hub}")
    text = text.replace(f"{NAME} {{", f"https://{NAME}:{port} {{\n    bind 127.0.0.1\n    tls {certificate} {key}", 1)
    (folder / "Caddyfile").write_text("{\n    admin off\n    auto_https disable_redirects\n}\n" + text)
    return [program("caddy"), "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


class Proxy:
    """A hub, and a proxy before it."""

    def __init__(self, folder: Path, setup) -> None:
        certificate, key = folder / "proxy.crt", folder / "proxy.key"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "60",
             "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", key, "-out", certificate],
            check=True, capture_output=True,
        )  # fmt: skip
        self.trust = ssl.create_default_context(cafile=str(certificate))
        self.port = free_port()
        self.hub = AttackedHub(folder, "--names", NAME, "--trusted-proxies", "127.0.0.1", login=True)
        command = setup(folder, self.port, self.hub.port, certificate, key)
        self.hub.start()
        self.log = open(folder / "proxy.txt", "ab")
        environment = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log, env=environment)
        end = time.monotonic() + within(30)
        while True:
            assert self.process.poll() is None, (folder / "proxy.txt").read_text()
            try:
                if self.ask("GET", "/healthz")[0] == 200:
                    break
            except OSError:
                pass
            assert time.monotonic() < end, (folder / "proxy.txt").read_text()
            time.sleep(0.1)

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(20)
        self.log.close()
        assert self.hub.stop() == 0, self.hub.log

    def connect(self, seconds: float = 20) -> http.client.HTTPSConnection:
        connection = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=within(seconds), context=self.trust)
        # By its address, but with the name that the certificate is of.
        raw = socket.create_connection(("127.0.0.1", self.port), timeout=within(seconds))
        connection.sock = self.trust.wrap_socket(raw, server_hostname=NAME)
        return connection

    def ask(self, method: str, path: str, body: bytes | None = None, headers: dict | None = None, seconds: float = 20):
        connection = self.connect(seconds)
        try:
            connection.request(method, path, body, {"Host": f"{NAME}:{self.port}", **(headers or {})})
            answer = connection.getresponse()
            return answer.status, answer.read(), answer.headers
        finally:
            connection.close()


@pytest.fixture(scope="module", params=[nginx, caddy], ids=["nginx", "caddy"])
def proxy(request, tmp_path_factory):
    made = Proxy(tmp_path_factory.mktemp("proxy"), request.param)
    yield made
    made.stop()


@pytest.fixture(scope="module")
def cookie(proxy):
    body = json.dumps({"token": proxy.hub.token}).encode()
    headers = {"Content-Type": "application/json", "Origin": f"https://{NAME}:{proxy.port}"}
    status, text, answered = proxy.ask("POST", "/api/v1/session", body, headers)
    assert status == 204, text
    # It came over TLS, and the hub knows that.
    assert answered["Set-Cookie"].startswith("__Host-lantern-") and "; Secure" in answered["Set-Cookie"]
    assert answered["Strict-Transport-Security"].startswith("max-age=")
    return {"Cookie": answered["Set-Cookie"].split(";")[0], "Origin": f"https://{NAME}:{proxy.port}"}


def test_pages_come_and_the_rest_wants_a_login(proxy, cookie):
    assert proxy.ask("GET", "/")[0] == 200
    assert proxy.ask("GET", "/api/v1/hub")[0] == 401
    assert proxy.ask("GET", "/api/v1/hub", headers=cookie)[0] == 200


def test_strangers_pages_are_refused(proxy, cookie):
    assert proxy.ask("POST", "/api/v1/radio/retry", headers=cookie | {"Origin": "https://evil.example"})[0] == 403
    assert proxy.ask("POST", "/api/v1/radio/retry", headers=cookie)[0] == 204


def test_what_a_client_says_of_itself_is_taken_away(proxy, cookie):
    for made_up in ({"X-Forwarded-For": "203.0.113.9"}, {"Forwarded": "for=203.0.113.9;proto=http;host=evil.example"}):
        status, text, _ = proxy.ask("GET", "/api/v1/hub", headers=cookie | made_up)
        assert status == 200, (made_up, text)
    both = {"X-Forwarded-For": "203.0.113.9", "Forwarded": "for=198.51.100.7"}
    assert proxy.ask("GET", "/api/v1/hub", headers=cookie | both)[0] == 200


def test_events_come_as_they_happen(proxy, cookie):
    connection = proxy.connect()
    connection.request("GET", "/api/v1/events", headers={"Host": f"{NAME}:{proxy.port}", **cookie})
    answer = connection.getresponse()
    assert answer.status == 200
    assert answer.readline() == b": Lantern\n"
    change = proxy.ask(
        "PATCH", "/api/v1/settings", b'{"theme":"dark"}', cookie | {"Content-Type": "application/json", "If-Match": "*"}
    )
    assert change[0] == 200, change
    lines = []
    while not any(line.startswith(b"event: settings_changed") for line in lines):
        lines.append(answer.readline())
        assert lines[-1], "the stream has ended"
    connection.close()


def test_large_files_pass(proxy, cookie):
    head = "timestamp,device_type,mac_address,ssid,rssi,confidence,latitude,longitude\n"
    rows = (f"2026-11-21T00:00:00Z,Flock Safety,00:11:22:33:{n >> 8:02X}:{n & 255:02X},{'n' * 100},-60,0.9,52,13\n" for n in range(20_000))
    file = (head + "".join(rows)).encode()
    assert len(file) > 2_000_000
    status, text, _ = proxy.ask("POST", "/api/v1/imports/detections", file, cookie, seconds=60)
    assert status == 200 and json.loads(text)["imported"] == 20_000, text


def test_a_hub_that_does_not_trust_the_proxy_says_what_is_missing(tmp_path):
    hub = AttackedHub(tmp_path, "--names", NAME)
    hub.start()
    headers = {"Host": NAME, "X-Forwarded-For": "203.0.113.9"}
    status, problem, _ = hub.ask("GET", "/", headers=headers)
    assert status == 403 and "come through a proxy" in problem["detail"] and "--trusted-proxies" in problem["detail"]
    status, problem, _ = hub.ask("GET", "/", headers={"Host": "other.example"})
    assert status == 421 and "--names" in problem["detail"]
    assert hub.stop() == 0, hub.log


def test_the_addresses_of_the_guide_answer_whom_it_says(tmp_path):
    """With the token that the guide has a monitor get, which may only look."""
    hub = AttackedHub(tmp_path, "--require-login", login=True)
    hub.start()
    line = re.search(r"^lantern (hub tokens make \S+ --role read)$", GUIDE, re.M)[1].split()
    made = subprocess.run([binary(), *line, "--database", hub.database], check=True, capture_output=True, text=True)
    read = {"Authorization": "Bearer " + re.search(r"shown only now: (\S+)", made.stdout)[1]}
    rows = re.findall(r"^\| `(/\S+)` \|.*\| (everybody|any token.*) \|$", GUIDE, re.M)
    assert {path for path, _ in rows} == {"/healthz", "/metrics", "/api/v1/openapi.json", "/api/v1/events"}

    def status(path: str, headers: dict) -> int:
        # Events have no end.
        with hub.connect() as connection:
            connection.sendall(hub.text("GET", path, headers=headers))
            return int(connection.recv(64).split()[1])

    end = time.monotonic() + within(20)
    # What another program has made counts soon.
    while status("/metrics", read) == 401 and time.monotonic() < end:
        time.sleep(0.2)
    for path, who in rows:
        assert status(path, {}) == (200 if who == "everybody" else 401), path
        assert status(path, read) == 200, path
    assert hub.stop() == 0, hub.log


def test_the_line_of_curl_imports(tmp_path):
    """Of the guide, too: only the port is another."""
    hub = AttackedHub(tmp_path)
    hub.start()
    (tmp_path / "detections.csv").write_text(
        "timestamp,device_type,mac_address,ssid,rssi,confidence,latitude,longitude\n"
        "2026-11-21T00:00:00Z,Flock Safety,00:11:22:33:44:55,flock,-60,0.9,52,13\n"
    )
    line = re.search(r"^curl .*$", GUIDE, re.M)[0].replace("127.0.0.1:8080", f"127.0.0.1:{hub.port}")
    made = subprocess.run(line, shell=True, cwd=tmp_path, check=True, capture_output=True, text=True)
    assert json.loads(made.stdout)["imported"] == 1, made.stdout
    refused = subprocess.run(line.replace("--data-binary @", "-F file=@"), shell=True, cwd=tmp_path, capture_output=True, text=True)
    assert "--data-binary @FILE" in refused.stdout
    assert hub.stop() == 0, hub.log
