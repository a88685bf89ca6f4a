# SPDX-License-Identifier: Apache-2.0
"""The login of a hub: the right token always gets in, wrong ones wait, sessions end."""

import json
import sqlite3
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest

from hub_under_attack import AttackedHub, header
from patience import within


@pytest.fixture(params=[False, True], ids=["plain", "tls"])
def hub(tmp_path, request):
    one = AttackedHub(tmp_path, "--require-login", "--trusted-proxies", "127.0.0.1", login=True, tls=request.param)
    one.start()
    yield one
    assert one.stop() == 0, one.log


def sign_in(hub, token: str, **headers):
    return hub.ask("POST", "/api/v1/session", {"token": token}, headers)


def test_wrong_tokens_of_strangers_keep_nobody_out(hub):
    """Thirty addresses, as often as they like."""

    def wrong(number: int) -> int:
        named = {"X-Forwarded-For": f"198.51.100.{number % 30}"}
        if number % 2:
            return hub.ask("GET", "/api/v1/hub", headers=named | {"Authorization": f"Bearer wrong-{number}"})[0]
        return hub.ask("POST", "/api/v1/session", {"token": f"wrong-{number}"}, named)[0]

    with ThreadPoolExecutor(8) as pool:
        guesses = [pool.submit(wrong, number) for number in range(300)]
        for number in range(30):
            # The owner is at one of the addresses, or at one of his own.
            named = {"X-Forwarded-For": f"198.51.100.{number}"}
            assert hub.ask("GET", "/api/v1/hub", headers=named | {"Authorization": f"Bearer {hub.token}"})[0] == 200
            assert hub.ask("POST", "/api/v1/session", {"token": hub.token}, named)[0] == 204
        statuses = [one.result() for one in guesses]
    assert set(statuses) <= {401, 429} and 429 in statuses


def test_a_wrong_token_waits_longer_each_time(hub):
    waits = []
    for _ in range(3):
        status, problem, headers = sign_in(hub, "wrong")
        assert status == 401
        waits.append(problem["retry_after"])
        assert header(headers, "Retry-After") == str(waits[-1])
        assert sign_in(hub, "wrong")[0] == 429
        time.sleep(waits[-1] + 0.1)
    assert waits == [1, 2, 4]


@pytest.mark.parametrize("token", ["", " ", "-", "\0", "a" * 200, "İ" * 60, "0" * 64])
def test_no_token_is_none(hub, token):
    assert sign_in(hub, token)[0] in (401, 429)
    assert hub.ask("GET", "/api/v1/hub", headers={"Authorization": "Bearer "})[0] in (401, 429)


def test_the_cookie_is_of_this_hub_and_its_way(hub):
    status, _, headers = sign_in(hub, hub.token)
    cookie = header(headers, "Set-Cookie")
    assert status == 204
    name, _, secret = cookie.split(";")[0].partition("=")
    parts = {part.strip() for part in cookie.split(";")[1:]}
    assert {"Path=/", "HttpOnly", "SameSite=Strict"} <= parts and not any(part.startswith("Domain") for part in parts)
    assert name.startswith("__Host-lantern-" if hub.trust else "lantern-")
    assert ("Secure" in parts) == (hub.trust is not None)
    [age] = [int(part.removeprefix("Max-Age=")) for part in parts if part.startswith("Max-Age=")]
    assert 0 < age <= 180 * 86400
    # The name has eight digits that are another hub's business.
    for other in [name, name.replace("__Host-", ""), "lantern_session", name[:-8] + "00000000", name.upper()]:
        expected = 200 if other == name else 401
        assert hub.ask("GET", "/api/v1/hub", headers={"Cookie": f"{other}={secret}"})[0] == expected, other
    # A cookie that somebody has put before it.
    assert hub.ask("GET", "/api/v1/hub", headers={"Cookie": f"{name}x=1; {name}={secret}; a=b"})[0] == 200
    assert hub.ask("DELETE", "/api/v1/session", headers={"Cookie": f"{name}={secret}"})[0] == 204
    assert hub.ask("GET", "/api/v1/hub", headers={"Cookie": f"{name}={secret}"})[0] == 401


def test_two_hubs_of_a_machine_have_two_names(hub, tmp_path_factory):
    other = AttackedHub(tmp_path_factory.mktemp("other"), "--require-login", login=True)
    other.start()
    try:
        names = {header(sign_in(one, one.token)[2], "Set-Cookie").split("=")[0].removeprefix("__Host-") for one in (hub, other)}
        assert len(names) == 2
    finally:
        other.stop()


def test_a_new_token_ends_all_sessions_and_the_old_token(hub):
    cookie = header(sign_in(hub, hub.token)[2], "Set-Cookie").split(";")[0]
    hub.stop()
    old, hub.token = hub.token, hub.new_token()
    hub.start()
    assert hub.ask("GET", "/api/v1/hub", headers={"Cookie": cookie})[0] == 401
    assert hub.ask("GET", "/api/v1/hub", headers={"Authorization": f"Bearer {old}"})[0] == 401
    assert hub.request("GET", "/api/v1/hub")[0] == 200


def test_with_tls_browsers_never_come_back_without_it(hub):
    for path in ["/", "/api/v1/session", "/nothing"]:
        found = header(hub.ask("GET", path)[2], "Strict-Transport-Security")
        assert (found is not None) == (hub.trust is not None), path


def test_only_pages_of_the_same_scheme_ask(hub):
    mine, other = ("https", "http") if hub.trust else ("http", "https")
    for scheme, status in [(mine, 200), (other, 403)]:
        answer = hub.request("GET", "/api/v1/hub", headers={"Origin": f"{scheme}://127.0.0.1:{hub.port}"})
        assert answer[0] == status, scheme


def test_another_user_of_the_machine_is_asked_for_the_token(hub):
    """Loopback is everybody's who has an account."""
    script = f"""
import http.client, ssl
kind = http.client.HTTPSConnection if {hub.trust is not None} else http.client.HTTPConnection
more = dict(context=ssl._create_unverified_context()) if {hub.trust is not None} else {{}}
connection = kind("127.0.0.1", {hub.port}, **more)
connection.request("GET", "/api/v1/hub")
print(connection.getresponse().status)
"""
    ran = subprocess.run(["/usr/bin/python3", "-c", script], capture_output=True, text=True, user=65534)
    assert ran.stdout.strip() == "401", ran


# MARK: Event streams


def followed(hub, cookie: str):
    """A connection on which a browser follows the hub."""
    connection = hub.connect(within(15))
    connection.sendall(
        f"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:{hub.port}\r\nCookie: {cookie}\r\n\r\n".encode())
    head = b""
    while b": Lantern" not in head:
        assert (piece := connection.recv(65536)), head
        head += piece
    assert head.startswith(b"HTTP/1.1 200 "), head
    return connection


def ends(stream, seconds: float) -> None:
    """A stream ends; whatever is told on it does not count as an end."""
    text, end = b"", time.monotonic() + within(seconds)
    while not text.endswith(b"0\r\n\r\n"):
        if not (piece := stream.recv(65536)):
            return
        text += piece
        assert time.monotonic() < end, text


def signed_in(hub) -> str:
    status, _, headers = sign_in(hub, hub.token)
    assert status == 204
    return header(headers, "Set-Cookie").split(";")[0]


def test_the_stream_of_who_signs_out_ends(hub):
    cookie = signed_in(hub)
    with followed(hub, cookie) as stream:
        assert hub.ask("DELETE", "/api/v1/session", headers={"Cookie": cookie})[0] == 204
        ends(stream, 3)


def test_a_stream_ends_with_its_session(tmp_path):
    """Half a year has passed, and a session that was pushed out: whoever finds that out first."""
    with ThreadPoolExecutor(3) as pool:
        for one in [pool.submit(stream_of, tmp_path / name, name) for name in ("over", "over, and another comes", "pushed out")]:
            one.result()


def stream_of(folder, what: str) -> None:
    folder.mkdir()
    hub = AttackedHub(folder, "--require-login", login=True)
    hub.start()
    try:
        cookie = signed_in(hub)
        if what != "pushed out":
            hub.stop()
            with closing(sqlite3.connect(hub.database)) as connection:
                access = json.loads(connection.execute("SELECT value FROM setting WHERE name = 'access'").fetchone()[0])
                assert len(access["sessions"]) == 1, access
                made = datetime.now(UTC) - timedelta(days=180) + timedelta(seconds=within(3))
                access["sessions"][0]["made"] = made.strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"
                connection.execute("UPDATE setting SET value = ? WHERE name = 'access'", (json.dumps(access),))
                connection.commit()
            hub.start()
        with followed(hub, cookie) as stream:
            if what == "pushed out":
                # Nobody is seen longer ago.
                for _ in range(64):
                    signed_in(hub)
            else:
                hub.until(lambda: hub.ask("GET", "/api/v1/hub", headers={"Cookie": cookie})[0] == 401)
                if what != "over":
                    signed_in(hub)
            assert hub.ask("GET", "/api/v1/hub", headers={"Cookie": cookie})[0] == 401
            # A look every eight seconds.
            ends(stream, 10)
    finally:
        hub.stop()
