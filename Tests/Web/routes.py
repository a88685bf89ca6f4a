# SPDX-License-Identifier: Apache-2.0
"""What the hub of invented data answers to each request of the interface."""

import re
from datetime import datetime, timezone

from hub_model import Problem, TOKEN
from invented import iso
from invented_map import MARKS
from map_model import tile


def route(handler, model, path: str, query: dict, body: dict) -> None:
    """Answers one request below /api/v1."""
    method, answer = handler.command, handler.answer
    if path == "/hub" and method == "GET":
        return answer(model.hub())
    if path == "/settings":
        tag = f'"{model.revision}"'
        if method == "PATCH":
            if handler.headers.get("If-Match") not in (tag, "*"):
                raise Problem(412, "Somebody else has changed the settings.")
            model.merge(model.settings, body)
            model.revision += 1
            tag = f'"{model.revision}"'
            model.emit("settings_changed", settings=model.settings, etag=tag)
        return answer(model.settings, ETag=tag)
    if path == "/devices" and method == "POST":
        if not re.fullmatch(r"([0-9A-F]{2}:){5}[0-9A-F]{2}(/[PR])?", body["address"].upper()):
            raise Problem(422, "Address must be twelve hexadecimal digits in pairs, such as F0:F1:F2:F3:F4:F5.")
        return answer(model.add_device(body["address"].upper(), body.get("own_name")))
    if path == "/devices":
        return answer({"items": list(model.devices.values())})
    if found := re.fullmatch(r"/devices/(\d+)(?:/(connect|disconnect|commands))?", path):
        return device(model, answer, int(found[1]), found[2], body)
    if path == "/jobs":
        kinds = (model.wifi.setups, model.bulbs.works, model.explorer.works, model.lamps.works)
        works = [work for kind in kinds for work in kind.values()]
        return answer({"items": [it["job"] for it in works if it["job"]["phase"] != "ended"]})
    if model.explorer.route(answer, method, path, query, body):
        return None
    if model.pairing.route(answer, method, path, query, body):
        return None
    if model.overflow.route(answer, method, path, body):
        return None
    if model.bulbs.route(answer, method, path, body, query):
        return None
    if model.lamps.route(answer, method, path, body, query):
        return None
    if found := re.fullmatch(r"/devices/(\d+)/wifi|/jobs.*|/wifi/.*", path):
        return wifi(model, answer, method, path, body)
    if path == "/detections":
        rows = model.detections(query)
        return answer(model.page(rows, query, len(model.world.detections), model.world.flagged))
    if path == "/detections/bulk":
        return answer(model.bulk(body))
    if found := re.fullmatch(r"/detections/(\d+)", path):
        number = int(found[1])
        if method == "DELETE":
            return answer(model.remove({number}))
        rows = [row for row in model.world.detections if row["id"] == number]
        if not rows:
            raise Problem(404, "There is no such detection. It may have been deleted.")
        return answer(model.world.flagged(rows[0]))
    if found := re.fullmatch(r"/detections/(\d+)/restore", path):
        keys = [key for key, rows in model.undo.items() if any(row["id"] == int(found[1]) for row in rows)]
        if not keys:
            raise Problem(404, "There is no such detection to bring back.")
        return answer(model.restore(keys[0]))
    if path == "/sources":
        rows = model.sources(query)
        every = sum(1 for one in model.world.sources.values() if one["count"])
        return answer(model.page(rows, query, every, model.part))
    if found := re.fullmatch(r"/sources/(\d+)", path):
        source = model.one_source(int(found[1]))
        if method == "PATCH":
            # One mark takes the place of another.
            if any(body.get(name) for name in MARKS):
                body = dict.fromkeys(MARKS, False) | body
            model.world.sources[source["id"]].update(body)
            source = model.one_source(source["id"])
            model.emit("source_changed", source=model.part(model.world.sources[source["id"]]))
        return answer(source)
    if path == "/map/known/sets":
        return answer({"sets": list(model.map.sets.values())})
    if path == "/map/known" and method != "GET":
        return known_set(model, answer, method, query["name"][0], query.get("origin", [""])[0], handler.raw)
    if path in ("/map", "/map/routes", "/map/known"):
        ask = {"/map": model.map.answer, "/map/routes": model.map.routes, "/map/known": model.map.cameras}[path]
        return answer(ask(query))
    if path == "/drives":
        return answer({"drives": [model.map.drive(one) for one in reversed(model.map.drives)]})
    if found := re.fullmatch(r"/drives/(\d+)", path):
        one = next((one for one in model.map.drives if one["id"] == int(found[1])), None)
        if one is None:
            raise Problem(404, "There is no such drive. It may have been deleted.")
        if method == "DELETE":
            model.map.drives.remove(one)
            model.emit("drives_deleted", deleted=[one["id"]])
            return answer(b"", 204)
        return answer(model.map.drive(one) | {"points": [[*point, None, None] for point in one["line"]]})
    if path == "/imports/detections":
        if not handler.raw:
            raise Problem(
                422, "The file is empty, or the request has none. Send it as the body: with curl, --data-binary @FILE."
            )
        # A file of another kind ends at its first line; what is known of no line has 0.
        broken = {"line": int(handler.raw.startswith(b"no file")), "column": None, "reason": "it is no file of detections"}
        return answer({"imported": 0, "known": 0, "refused": 0, "passed": 0, "drives": 0, "known_drives": 0,
                       "dry_run": False, "faults": [], "notes": [], "broken": broken})  # fmt: skip
    if path == "/position":
        model.positions.append(body)
        return answer(b"", 204)
    if re.fullmatch(r"/tiles/\d+/\d+/\d+", path):
        return answer(tile(), 200, "image/png") if model.map_file else answer(b"", 204)
    if path == "/capture" and method == "GET":
        return answer(model.capture)
    if path == "/capture":
        started = iso(datetime.now(timezone.utc))
        model.capture = (
            {"running": True, "started": started, "octets": 0, "packets": 0, "file": True}
            if method == "POST"
            else {**model.capture, "running": False, "octets": 1_800_000, "packets": 14906}
        )
        model.emit("hub_changed", hub={"capture": model.capture})
        return answer(model.capture)
    if path == "/capture/file":
        return answer(
            b"btsnoop\0",
            200,
            "application/octet-stream",
            Content_Disposition="attachment; filename=lantern.btsnoop",
        )
    if path == "/database":
        return (
            answer(b"SQLite format 3\0", 200, "application/vnd.sqlite3")
            if method == "GET"
            else answer(b"", 204)
        )
    if path == "/radio/retry":
        model.scenario = "still"
        model.emit("hub_changed", hub={"radio": model.hub()["radio"]})
        return answer(b"", 204)
    if path == "/session":
        return session(model, answer, method, body, TOKEN)
    if path.startswith("/tokens"):
        return tokens(model, answer, method, path, body)
    if found := re.fullmatch(r"/exports/detections\.(csv|json|geojson|gpx|kml|wigle\.csv)", path):
        return answer(
            f"{len(model.detections(query))} detections\n".encode(),
            200,
            "text/plain",
            Content_Disposition=f"attachment; filename=detections.{found[1]}",
        )
    raise Problem(404, "The hub has nothing at this address.")


def device(model, answer, number: int, command: str | None, body: dict) -> None:
    one = model.devices.get(number)
    if one is None:
        raise Problem(404, "This device has not been heard.")
    if command == "commands":
        word = body["command"]
        if one["state"] != "connected":
            raise Problem(409, "The device is not connected. Connect to it first.")
        if word in ("stream_on", "stream_off"):
            one["stream"] = word == "stream_on"
        if word == "RESET":
            one.update(received=0, refused=0)
        model.emit("flock_command", address=one["address"], address_kind="public", command=word, reason=None)
        model.emit("device_changed", device=one)
        return answer({"answer": "up 4 h 12 min, 1,284 sent", "milliseconds": 28})
    if command == "connect":
        one.update(state="connected", connected_since=iso(datetime.now(timezone.utc)))
    elif command == "disconnect":
        one.update(state="none", connected_since=None)
    else:
        one.update(body)
    model.emit("device_changed", device=one)
    return answer(one)


def session(model, answer, method: str, body: dict, token: str) -> None:
    if method == "DELETE":
        model.signed_in = False
        return answer(b"", 204)
    if method == "GET":
        role = "admin" if model.signed_in else None
        return answer({"hub": "pi-garage", "signed_in": model.signed_in, "role": role})
    if body.get("token") != token:
        model.failures += 1
        raise Problem(401, "That is not the token.", retry_after=2**model.failures)
    model.signed_in = True
    return answer(b"", 204)


def tokens(model, answer, method: str, path: str, body: dict | None) -> None:
    """The tokens of a hub, one of them its owner's."""
    if method == "GET":
        return answer({"items": model.tokens})
    if method == "POST":
        if not (name := body["name"].strip()):
            raise Problem(422, "A name has 1 to 40 characters, and says what the token is for.")
        made = iso(datetime.now(timezone.utc))
        others = [one for one in model.tokens if one["name"] != name]
        number = max(one["id"] for one in model.tokens) + 1
        model.tokens = [*others, {"id": number, "name": name, "role": body["role"], "made": made, "used": None, "sessions": 0}]
        return answer({"token": "kP3v-9QxT-71sW-mm0e", "made": made})
    if path != "/tokens/sessions":
        model.tokens = [one for one in model.tokens if one["id"] != int(path.removeprefix("/tokens/"))]
    return answer(b"", 204)


def wifi(model, answer, method: str, path: str, body: dict) -> None:
    """What a page does with a device that wants a network."""
    one = model.wifi
    if found := re.fullmatch(r"/devices/(\d+)/wifi", path):
        setup = one.begin(model.devices[int(found[1])])
        if "refusal" in setup:
            raise Problem(409, setup["refusal"])
        return answer(setup)
    found = re.fullmatch(r"/(?:jobs|wifi)/(\d+)(?:/(\w+))?", path)
    number, what = int(found[1]), found[2]
    if number not in one.setups:
        raise Problem(404, "This has ended. Start it again.")
    setup = one.setups[number]
    if method == "DELETE":
        if setup["job"]["phase"] != "ended":
            one.end(number)
        return answer(b"", 204)
    if what == "keep":
        one.kept.append(number)
        return answer(setup["job"])
    if what == "networks":
        return answer(one.tell(number, listing=True))
    if what == "identify":
        return answer(one.tell(number, identified=iso(datetime.now(timezone.utc))))
    if what == "credentials":
        if body["password"] == "short":
            raise Problem(422, "A Wi-Fi password has at least 8 characters; this one has 5.")
        return answer(one.send(number, body))
    return answer({"setup": setup, "networks": one.networks if setup["lists"] else [], "hidden": 2})


def known_set(model, answer, method: str, name: str, origin: str, raw: bytes) -> None:
    sets = model.map.sets
    if method == "DELETE":
        if name not in sets:
            raise Problem(404, "There is no set of this name. It may have been removed.")
        del sets[name]
        return answer(b"", 204)
    if b"surveillance" not in raw:
        raise Problem(422, "The file cannot be read: line 1, it is not GeoJSON. Nothing was changed.")
    replaced = sets[name]["cameras"] if name in sets else None
    cameras = raw.count(b"surveillance")
    sets[name] = {"name": name, "cameras": cameras, "origin": origin, "version": None,
                  "imported": iso(datetime.now(timezone.utc))}  # fmt: skip
    note = None
    if b"Query timed out" in raw:
        note = "The answer of Overpass is incomplete: Query timed out. Ask it again for a smaller area."
    refused = raw.count(b"refused")
    return answer({**sets[name], "replaced": replaced, "passed": 0, "refused": refused, "note": note, "faults": []})
