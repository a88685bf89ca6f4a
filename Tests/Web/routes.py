# SPDX-License-Identifier: Apache-2.0
"""What the hub of invented data answers to each request of the interface."""

import re
from datetime import datetime, timezone

from hub_model import Problem, TOKEN
from invented import iso
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
    if path == "/devices":
        return answer({"items": list(model.devices.values())})
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
    if path == "/sources":
        rows = model.sources(query)
        every = sum(1 for one in model.world.sources.values() if one["count"])
        return answer(model.page(rows, query, every, model.part))
    if found := re.fullmatch(r"/sources/(\d+)", path):
        return answer(model.one_source(int(found[1])))
    if path == "/map/known/sets":
        return answer({"sets": list(model.map.sets.values())})
    if path in ("/map", "/map/routes", "/map/known"):
        ask = {"/map": model.map.answer, "/map/routes": model.map.routes, "/map/known": model.map.cameras}[path]
        return answer(ask(query))
    if path == "/drives":
        return answer({"drives": [model.map.drive(one) for one in reversed(model.map.drives)]})
    if found := re.fullmatch(r"/drives/(\d+)", path):
        one = next((one for one in model.map.drives if one["id"] == int(found[1])), None)
        if one is None:
            raise Problem(404, "There is no such drive. It may have been deleted.")
        return answer(model.map.drive(one) | {"points": [[*point, None, None] for point in one["line"]]})
    if path == "/imports/detections":
        # A file of another kind ends at its first line; what is known of no line has 0.
        broken = {"line": int(handler.raw.startswith(b"no file")), "column": None, "reason": "it is no file of detections"}
        return answer({"imported": 0, "known": 0, "refused": 0, "passed": 0, "drives": 0, "known_drives": 0,
                       "dry_run": False, "faults": [], "notes": [], "broken": broken})  # fmt: skip
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
    if path == "/radio/retry":
        model.scenario = "still"
        model.emit("hub_changed", hub={"radio": model.hub()["radio"]})
        return answer(b"", 204)
    if path == "/session":
        return session(model, answer, method, body, TOKEN)
    if path.startswith("/tokens"):
        return tokens(model, answer, method, path, body)
    raise Problem(404, "The hub has nothing at this address.")


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
