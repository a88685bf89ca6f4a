# SPDX-License-Identifier: Apache-2.0
"""A proxy in front of a hub: nobody comes through it unseen, and whom it names is believed only where that was asked for."""

import pytest

from hub_under_attack import AttackedHub, header


@pytest.fixture(scope="module")
def open_hub(tmp_path_factory):
    hub = AttackedHub(tmp_path_factory.mktemp("open"), "--names", "garage.example")
    hub.start()
    yield hub
    assert hub.stop() == 0, hub.log


@pytest.fixture(scope="module")
def trusting(tmp_path_factory):
    hub = AttackedHub(
        tmp_path_factory.mktemp("trusting"), "--names", "garage.example", "--trusted-proxies", "127.0.0.0/8", login=True
    )
    hub.start()
    yield hub
    assert hub.stop() == 0, hub.log


MARKS = [
    {"X-Forwarded-For": "203.0.113.9"},
    {"X-Forwarded-For": ""},
    {"x-forwarded-proto": "https"},
    {"X-FORWARDED-HOST": "garage.example"},
    {"X-Forwarded-Port": "443"},
    {"X-Forwarded-Server": "proxy"},
    {"X-Forwarded": "for=203.0.113.9"},
    {"Forwarded": "for=203.0.113.9"},
    {"Forwarded": "for=127.0.0.1"},
    {"Via": "1.1 proxy"},
    {"X-Real-IP": "203.0.113.9"},
    {"CF-Connecting-IP": "203.0.113.9"},
    {"True-Client-IP": "203.0.113.9"},
    {"CF-Ray": "230b030023ae2822-FRA"},
    {"CDN-Loop": "cloudflare"},
    {"Fly-Client-IP": "203.0.113.9"},
    {"X-Azure-ClientIP": "203.0.113.9"},
    {"X-Client-IP": "203.0.113.9"},
    {"Client-IP": "203.0.113.9"},
    {"X-Forward-For": "203.0.113.9"},
    {"X-ProxyUser-IP": "203.0.113.9"},
    {"X-Original-For": "203.0.113.9"},
    {"X-Scheme": "https"},
    {"X-Host": "garage.example"},
    {"Front-End-Https": "on"},
    {"X-Amzn-Trace-Id": "Root=1-67891233-abcdef012345678912345678"},
    {"Tailscale-User-Login": "somebody@example.com"},
]


@pytest.mark.parametrize("mark", MARKS, ids=lambda mark: next(iter(mark)) + "=" + next(iter(mark.values())))
@pytest.mark.parametrize("host", ["garage.example", None])
def test_without_a_login_nobody_comes_through_a_proxy(open_hub, mark, host):
    headers = mark | ({"Host": host} if host else {})
    for method, path, body in [
        ("GET", "/api/v1/hub", None),
        ("PUT", "/api/v1/database", b"SQLite format 3\0"),
        ("GET", "/", None),
        ("GET", "/metrics", None),
        ("GET", "/healthz", None),
    ]:
        status, problem, _ = open_hub.ask(method, path, body, headers)
        assert status == 403 and "--require-login" in problem["detail"], (path, problem)


def test_requests_that_no_proxy_has_passed_on_are_answered(open_hub):
    assert open_hub.ask("GET", "/api/v1/hub")[0] == 200
    assert open_hub.ask("GET", "/api/v1/hub", headers={"X-Forwards": "1", "User-Agent": "X-Forwarded-For"})[0] == 200


@pytest.mark.parametrize("mark", MARKS, ids=lambda mark: next(iter(mark)) + "=" + next(iter(mark.values())))
def test_with_a_login_a_proxy_changes_nothing(tmp_path_factory, required, mark):
    assert required.ask("GET", "/api/v1/hub", headers=mark)[0] == 401
    assert required.request("GET", "/api/v1/hub", headers=mark)[0] == 200


@pytest.fixture(scope="module")
def required(tmp_path_factory):
    hub = AttackedHub(tmp_path_factory.mktemp("required"), "--require-login", login=True)
    hub.start()
    yield hub
    assert hub.stop() == 0, hub.log


def guess(hub, **headers) -> int:
    return hub.ask("POST", "/api/v1/session", {"token": "wrong"}, {name.replace("_", "-"): value for name, value in headers.items()})[0]


def test_who_is_not_trusted_names_nobody(required):
    """Another name for each guess would be another client each time."""
    statuses = [guess(required, X_Forwarded_For=f"198.51.100.{number}") for number in range(4)]
    assert statuses == [401, 429, 429, 429]


def test_a_trusted_proxy_names_the_client(trusting):
    assert [guess(trusting, X_Forwarded_For="198.51.100.1") for _ in range(2)] == [401, 429]
    # Others behind it do not wait for that.
    assert guess(trusting, X_Forwarded_For="198.51.100.2") == 401
    assert guess(trusting, Forwarded='for="[2001:db8:1::1]:4711";proto=https') == 401
    # A client of IPv6 has a network of its own.
    assert guess(trusting, Forwarded='for="[2001:db8:1::2]"') == 429
    assert guess(trusting, X_Forwarded_For="2001:db8:2::1") == 401


def test_what_the_client_has_written_before_its_proxy_is_not_believed(trusting):
    made_up = [f"203.0.113.{number}, 198.51.100.7" for number in range(3)]
    assert [guess(trusting, X_Forwarded_For=text) for text in made_up] == [401, 429, 429]
    # In a line of its own, too.
    assert guess(trusting, X_Forwarded_For=["203.0.113.77", "198.51.100.7"]) == 429
    # One proxy behind another.
    assert guess(trusting, X_Forwarded_For="203.0.113.5, 198.51.100.7, 127.0.0.2") == 429


def test_a_client_that_names_itself_in_the_other_header_is_refused(trusting):
    both = {"X-Forwarded-For": "198.51.100.8", "Forwarded": "for=203.0.113.1"}
    status, problem, _ = trusting.ask("GET", "/api/v1/session", headers=both)
    assert status == 400 and "two clients" in problem["detail"]
    both["Forwarded"] = "for=198.51.100.8;proto=https"
    assert trusting.ask("GET", "/api/v1/session", headers=both)[0] == 200


@pytest.mark.parametrize("text", ["unknown", "_hidden", "", ",", "[", '"', "for", "999.1.1.1", "1.2.3.4.5", "x" * 8000, "::1", "127.0.0.1"])
@pytest.mark.parametrize("name", ["X-Forwarded-For", "Forwarded"])
def test_nonsense_of_a_proxy_lets_nobody_in(trusting, name, text):
    headers = {name: f"for={text}" if name == "Forwarded" else text}
    assert trusting.ask("GET", "/api/v1/hub", headers=headers)[0] == 401
    assert trusting.request("GET", "/api/v1/hub", headers=headers)[0] == 200


def test_behind_tls_of_a_proxy_cookies_are_for_tls(trusting):
    encrypted = {"X-Forwarded-For": "198.51.100.20", "X-Forwarded-Proto": "https", "Host": "garage.example"}
    status, _, headers = trusting.ask("POST", "/api/v1/session", {"token": trusting.token}, encrypted)
    cookie = header(headers, "Set-Cookie")
    assert status == 204 and cookie.startswith("__Host-lantern-") and "; Secure" in cookie
    assert header(headers, "Strict-Transport-Security").startswith("max-age=")
    kept = cookie.split(";")[0]
    assert trusting.ask("GET", "/api/v1/hub", headers=encrypted | {"Cookie": kept})[0] == 200
    # It is none of an unencrypted way.
    assert trusting.ask("GET", "/api/v1/hub", headers={"Cookie": kept})[0] == 401
    for origin, status in [
        ("https://garage.example", 200),
        ("http://garage.example", 403),
        ("https://garage.example:8443", 403),
        ("https://evil.example", 403),
    ]:
        answer = trusting.ask("GET", "/api/v1/hub", headers=encrypted | {"Cookie": kept, "Origin": origin})
        assert answer[0] == status, (origin, answer)


def test_the_host_that_the_proxy_names_is_checked(trusting):
    asked = {"X-Forwarded-For": "198.51.100.21", "X-Forwarded-Host": "evil.example"}
    assert trusting.request("GET", "/api/v1/hub", headers=asked)[0] == 421
    asked["X-Forwarded-Host"] = "garage.example"
    assert trusting.request("GET", "/api/v1/hub", headers=asked)[0] == 200
    assert trusting.request("GET", "/api/v1/hub", headers=asked | {"Host": "evil.example"})[0] == 421


@pytest.mark.parametrize("text", ["proxy", "10.0.0.0/33", "10.0.0.0/0", "1.2.3", "1.2.3.4/", "::1/129", "10.0.0.1 10.0.0.2"])
def test_an_address_that_is_none_is_refused_at_the_start(tmp_path, text):
    hub = AttackedHub(tmp_path, "--trusted-proxies", text)
    with pytest.raises(AssertionError, match="takes addresses or networks"):
        hub.start()
    assert hub.process.returncode == 64


def test_a_hub_that_requires_a_login_and_has_no_token_says_so(tmp_path):
    for options in (["--require-login"], ["--trusted-proxies", "127.0.0.1"]):
        hub = AttackedHub(tmp_path, *options)
        with pytest.raises(AssertionError, match="--new-token"):
            hub.start()
