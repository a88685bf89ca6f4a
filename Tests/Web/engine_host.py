# SPDX-License-Identifier: Apache-2.0
"""The pages on a native engine: HTTP in front of a process of `lantern-engine`, which answers and tells what a hub would.

Nothing is decided here. A request becomes an input of the engine, an output becomes an answer or an event. What a test wants
to be odd it says in other inputs: what was kept (`restore`), what a browser's radio tells (`ScriptedRadio`), how late it is.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from datetime import datetime, timezone
from email.utils import formatdate
from http.server import ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from engine_pair import native
from faults import Faults
from page_files import PageHandler
from scripted_radio import ScriptedRadio

# How often the engine is told what time it is, in seconds, and how much of it goes by at once when something was asked: what has
# changed is told once a second, and nobody shall wait for that.
TICK, MOMENT = 0.04, 1000
# For how long an answer is waited for that a device has to give.
PATIENCE = 20
# What takes a file, and what the engine calls that.
FILES = {"/imports/detections": "/imports", "/map/known": "/map/known", "/saves": "/saves"}


def iso(wall: int) -> str:
    """A time as events have it."""
    return datetime.fromtimestamp(wall / 1000, timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def written(message: dict[str, Any] | str) -> str:
    """An input of the engine: what a browser's radio tells, or one as it stands."""
    return message if isinstance(message, str) else "radio " + json.dumps(message)


class HostedEngine:
    """An engine, what it was asked and what it has told."""

    def __init__(self, kept: str | None = None, air: int | None = None, behind: float = 0) -> None:
        """With the seed of an air the engine has that, without one a browser's radio, which a test plays.

        `kept` is what it has kept from before, and `behind` how many seconds ago it begins.
        """
        self.changed = threading.Condition(threading.RLock())
        self.events: list[tuple[str, str]] = []
        self.answers: dict[int, dict[str, Any]] = {}
        self.asked: list[tuple[str, str, Any, dict[str, Any]]] = []
        """Method, path, body and what stands behind the question mark, of all that the engine was asked."""
        self.requests: list[str] = []
        """Method and address of each request of a page."""
        self.gone = False
        self.faults, self.streams = Faults(), 0
        self.last_request = 0
        self.behind = behind
        self.program = native()
        self.radio = None if air else ScriptedRadio(self.tell_radio, lambda: self.wall)
        # An air has gone on for a while when it begins.
        self.milliseconds = 10_000 if air else 0
        self.ticked = time.monotonic()
        self.ended, begun = threading.Event(), threading.Event()
        self.ticker = threading.Thread(target=self.go_on, args=(kept, air, begun), daemon=True)
        self.ticker.start()
        begun.wait()

    # MARK: Time

    @property
    def wall(self) -> int:
        """The time as the engine has it, in milliseconds since 1970."""
        return round((time.time() - self.behind) * 1000)

    def go_on(self, kept: str | None, air: int | None, begun: threading.Event) -> None:
        """Begins, while a browser fetches the files of its page and whoever asks anything waits; then lets time go by."""
        with self.changed:
            begun.set()
            self.tell(f"{'begin' if air else 'browser'} {air or 5} {self.wall}")
            if kept:
                self.tell("restore " + kept.replace("\n", "\x1e"))
            zone = -time.timezone
            self.ask("POST", "/zone", {"name": "UTC", "offset": zone, "standard_offset": zone, "changes": []})
            if self.radio:
                self.tell_radio({"radio": "state", "state": "ready"})
        while not self.ended.wait(TICK):
            with self.changed:
                before, self.ticked = self.ticked, time.monotonic()
                self.advance(round((self.ticked - before) * 1000))

    def advance(self, milliseconds: int) -> None:
        self.milliseconds += milliseconds
        self.tell(f"advance {self.milliseconds} {self.wall}")

    def later(self, seconds: float, step: float = 1) -> None:
        """Has the engine's clocks go on, in steps, between which its devices answer."""
        with self.changed:
            for _ in range(round(seconds / step)):
                self.behind -= step
                self.advance(round(step * 1000))

    # MARK: Inputs

    def tell(self, line: str) -> None:
        """Gives the engine an input and takes what it tells; what its radio answers is given it, too."""
        with self.changed:
            lines = [line]
            while lines:
                for told in self.program.tell(lines.pop(0)):
                    one = json.loads(told)
                    if "event" in one:
                        self.emit(one["event"], told)
                    elif "answer" in one:
                        self.answers[one["answer"]] = one
                    elif "radio" in one and self.radio:
                        lines += map(written, self.radio.take(one))
            self.changed.notify_all()

    def emit(self, name: str, told: str | dict[str, Any]) -> None:
        """Tells pages of something: what the engine has told, or what a test says."""
        with self.changed:
            if isinstance(told, dict) or self.faults.concerns(name):
                value = json.loads(told) if isinstance(told, str) else {"event": name, "time": iso(self.wall), **told}
                told = json.dumps(self.faults.altered(name, value))
            self.events.append((name, told))
            self.changed.notify_all()

    def tell_radio(self, *messages: dict[str, Any] | str) -> None:
        """What the radio says by itself; what comes of it is told at once."""
        with self.changed:
            for message in messages:
                self.tell(written(message))
            self.advance(MOMENT)

    def ask(self, method: str, path: str, body: Any = None, **rest: Any) -> dict[str, Any]:
        """What the engine answers, also when its device has to answer first."""
        with self.changed:
            self.last_request += 1
            number = self.last_request
            request = {"id": number, "method": method, "path": path, **rest}
            if body is not None:
                request["body"] = body
            self.asked.append((method, path, body, rest.get("filter") or {}))
            self.tell("request " + json.dumps(request))
            if method != "GET":
                self.advance(MOMENT)
            assert self.changed.wait_for(lambda: number in self.answers, PATIENCE), f"no answer to {method} {path}"
            return self.answers.pop(number)

    def get(self, path: str, **filter: Any) -> Any:
        answer = self.ask("GET", path, filter=filter)
        assert answer["status"] == 200, answer
        return answer["value"]

    def sources(self) -> dict[int, dict[str, Any]]:
        """All sources that have detections, by number."""
        return {one["id"]: one for one in self.get("/sources", limit=1000)["items"]}

    def close(self) -> None:
        self.ended.set()
        self.ticker.join()
        self.program.close()


class EngineHandler(PageHandler):
    """One request: a file of the pages, or something for the engine."""

    @property
    def engine(self) -> HostedEngine:
        return self.server.engine

    def date_time_string(self, timestamp=None) -> str:
        """The clock on the wall is the engine's."""
        return formatdate(self.engine.wall / 1000, usegmt=True)

    def handle_any(self) -> None:
        engine, address = self.engine, urlsplit(self.path)
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        # The page of a test that has ended may ask still.
        if engine is None or engine.gone:
            self.close_connection = True
            return
        engine.requests.append(f"{self.command} {self.path}")
        try:
            if address.path == "/api/v1/events" and not engine.faults.answer("GET", "/events", None):
                self.stream()
            elif address.path.startswith("/api/v1/"):
                self.hand_on(address.path[7:], parse_qs(address.query), raw)
            elif not self.file(address.path):
                self.problem({"status": 404, "detail": "There is no such page."})
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    do_GET = do_POST = do_PATCH = do_DELETE = do_PUT = handle_any

    def hand_on(self, path: str, query: dict[str, list[str]], raw: bytes) -> None:
        filter = {name: values if len(values) > 1 else values[0] for name, values in query.items()}
        rest = {"filter": filter}
        if tag := self.headers.get("If-Match"):
            rest["if_match"] = tag
        # What a link leads to is a file.
        if is_file := self.command == "GET" and "json" not in (self.headers.get("Accept") or ""):
            rest["file"] = True
        if self.command == "POST" and path in FILES:
            # It goes to the engine in pieces, here in one, as the page of an engine gives it.
            body = {**filter, "octets": raw.decode("latin-1"), "first": True, "last": True}
            path = FILES[path]
        else:
            body = json.loads(raw) if raw else None
        if instead := self.engine.faults.answer(self.command, path, filter if self.command == "GET" else body):
            self.engine.asked.append((self.command, path, body, filter))
            return self.answer_instead(*instead)
        answer = self.engine.ask(self.command, path, body, **rest)
        value = self.engine.faults.altered(f"{self.command} {path}", answer.get("value"))
        if answer["status"] >= 400:
            self.problem(answer)
        elif is_file and isinstance(value, dict) and "text" in value:
            name = value.get("name") or path.split("/")[-1]
            self.answer(value["text"].encode(), 200, "application/octet-stream",
                        Content_Disposition=f'attachment; filename="{name}"')  # fmt: skip
        elif tag := answer.get("etag"):
            self.answer(value, answer["status"], ETag=tag)
        else:
            self.answer(value, answer["status"])

    def answer_instead(self, status: int, value: Any) -> None:
        """What goes no further: JSON, a problem, or octets of a picture or of another file."""
        kind = "application/problem+json" if status >= 400 else "application/json"
        if isinstance(value, bytes):
            kind = "image/png" if value.startswith(b"\x89PNG") else "application/octet-stream"
        self.answer(b"" if value is None else value, status, kind)

    @property
    def policy(self) -> str:
        usual, engine = PageHandler.policy, self.engine
        return engine.faults.altered("Content-Security-Policy", usual) if engine else usual

    def problem(self, answer: dict[str, Any]) -> None:
        body = {"type": "about:blank", "status": answer["status"], "detail": answer["detail"]}
        self.answer(body, answer["status"], "application/problem+json")

    def stream(self) -> None:
        engine = self.engine
        last = int(self.headers.get("Last-Event-ID") or len(engine.events))
        self.begin_stream()
        stream = engine.streams
        while not engine.gone and engine.streams == stream and self.server.engine is engine:
            with engine.changed:
                engine.changed.wait_for(lambda: len(engine.events) > last or engine.gone or engine.streams != stream, 5)
                fresh = engine.events[last:]
            text = "".join(f"id: {last + at}\nevent: {name}\ndata: {data}\n\n" for at, (name, data) in enumerate(fresh, 1))
            last += len(fresh)
            self.wfile.write((text or ": alive\n\n").encode())
            self.wfile.flush()


class EngineHub:
    """What a test has of an engine behind the pages; one server has one engine after the other."""

    def __init__(self, server: ThreadingHTTPServer, usual: Callable[[], HostedEngine]) -> None:
        self.server, self.usual = server, usual
        self.server.engine = None

    def begin(self, kept: str | None = None, **options: Any) -> None:
        """Begins with an engine, in the place of the one before."""
        self.end()
        self.server.engine = HostedEngine(kept, **options)

    def end(self) -> None:
        if self.server.engine:
            self.go()
            self.server.engine.close()
            self.server.engine = None

    @property
    def engine(self) -> HostedEngine:
        """The one that a test has begun; where it has begun none, the usual one."""
        self.server.engine = self.server.engine or self.usual()
        return self.server.engine

    def __getattr__(self, name: str) -> Any:
        return getattr(self.engine, name)

    @property
    def address(self) -> str:
        # Whoever wants to know it opens a page.
        assert self.engine
        return f"http://127.0.0.1:{self.server.server_port}"

    def go(self) -> None:
        """Nothing answers the pages any more."""
        with self.engine.changed:
            self.engine.gone = True
            self.engine.changed.notify_all()

    def come_back(self) -> None:
        self.engine.gone = False

    def interrupt(self) -> None:
        """Ends the streams of events; pages ask for them again."""
        self.engine.streams += 1
        with self.engine.changed:
            self.engine.changed.notify_all()


def serve(port: int = 0) -> ThreadingHTTPServer:
    server = ThreadingHTTPServer(("127.0.0.1", port), EngineHandler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server
