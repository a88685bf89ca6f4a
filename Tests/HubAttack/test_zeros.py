# SPDX-License-Identifier: Apache-2.0
"""U+0000 in texts, at which SQLite would cut them: it is refused or kept whole, everywhere."""


def test_a_text_with_a_zero_is_refused_or_kept_whole(hub):
    for path in ("/detections?text=a%00b", "/sources?text=a%00", "/exports/detections.csv?text=a%00"):
        status, value, _ = hub.request("GET", "/api/v1" + path)
        assert status in (400, 422), (path, status, value)
    status, value, _ = hub.request(
        "POST", "/api/v1/detections/bulk", {"action": "delete", "filter": {"text": "a\u0000b"}})
    assert status in (400, 422), value
    assert hub.get("/detections")["total"] == 3
    source = hub.get("/sources")["items"][0]["id"]
    _, _, headers = hub.request("GET", f"/api/v1/sources/{source}")
    status, value, _ = hub.request(
        "PATCH", f"/api/v1/sources/{source}", {"note": "a\u0000b"}, {"If-Match": headers.get("ETag", "*")})
    assert status in (400, 422), value
    status, value, _ = hub.request("DELETE", "/api/v1/map/known?name=a%00b")
    assert status in (400, 404, 422), value
    lines = b'{"detections": [{"device_type": "Ring", "rssi": -60, "confidence": 0.5, "timestamp": "2026-11-21T10:00:00Z", "ssid": "one\\u0000two", "note": "n\\u0000n"}]}'
    status, value = hub.send("POST", "/imports/detections", lines, "application/octet-stream")
    assert status == 200 and b"U+0000" in value, value
    whole = lines.replace(b', "note": "n\\u0000n"', b"")
    status, value = hub.send("POST", "/imports/detections", whole, "application/octet-stream")
    assert status == 200, value
    assert hub.get("/detections?limit=1")["items"][0]["ssid"] == "one\0two"


def test_a_name_with_a_zero_is_refused(hub):
    """Of sets of cameras and of tokens; none is cut, and none of another name is met."""
    camera = b'{"type":"FeatureCollection","features":[{"type":"Feature","id":1,"properties":{"man_made":"surveillance"},"geometry":{"type":"Point","coordinates":[1,1]}}]}'
    status, value = hub.send("POST", "/map/known?name=a", camera, "application/octet-stream")
    assert status == 200, value
    for name in ("a%00b", "a%00", "%00a", "%00"):
        status, value = hub.send("POST", f"/map/known?name={name}", camera, "application/octet-stream")
        assert status in (400, 422), (name, status, value)
        status, value, _ = hub.request("DELETE", f"/api/v1/map/known?name={name}")
        assert status in (400, 404, 422), (name, status, value)
    assert [one["name"] for one in hub.get("/map/known/sets")["sets"]] == ["a"]
    assert hub.request("POST", "/api/v1/tokens", {"name": "kitchen", "role": "read"})[0] == 200
    before = hub.get("/tokens")
    for name in ("kitchen\0", "kitchen\0b", "\0kitchen", "\0", "owner\0"):
        status, value, _ = hub.request("POST", "/api/v1/tokens", {"name": name, "role": "read"})
        assert status in (400, 422), (name, status, value)
    assert hub.get("/tokens") == before
