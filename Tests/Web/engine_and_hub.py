# SPDX-License-Identifier: Apache-2.0
"""An engine of the pages and a hub, to be asked the same."""

from __future__ import annotations

import json
import subprocess
import urllib.error
import urllib.request
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from engine_pair import Pair
from real_hub import RealHub, binary


class Engine(Pair):
    """Both engines on a browser's Bluetooth without a device, as of a moment."""

    def __init__(self, moment: datetime) -> None:
        super().__init__()
        self.wall = round(moment.timestamp() * 1000)
        self.tell(f"browser 5 {self.wall}")

    def wait(self, seconds: float, step: float = 1) -> list[dict[str, Any]]:
        found = []
        for _ in range(round(seconds / step)):
            self.milliseconds += round(step * 1000)
            found += self.tell(f"advance {self.milliseconds} {self.wall + self.milliseconds}")
        return found

    def give(self, path: str, text: str, piece: int = 1 << 16, **more: Any) -> dict[str, Any]:
        """Gives it a file in pieces; the answer is that to the last one, or to one behind which nothing can be read."""
        text = text.encode().decode("latin-1")
        for start in range(0, max(1, len(text)), piece):
            last = start + piece >= len(text)
            body = {**more, "octets": text[start : start + piece], "first": start == 0, "last": last}
            answer = self.ask("POST", path, body=body)
            if answer["status"] != 204:
                break
        return answer

    def rows(self, *stores: str) -> dict[str, dict[Any, str]]:
        """What it wants to have kept, by store and number."""
        kept: dict[str, dict[Any, str]] = {store: {} for store in stores}
        for one in self.told:
            if one.get("keep") in kept:
                if one["row"] is None:
                    kept[one["keep"]].pop(one["id"], None)
                else:
                    kept[one["keep"]][one["id"]] = one["row"]
        return kept


def query(values: dict[str, Any]) -> str:
    """A filter behind the question mark, as the pages write it."""
    return urlencode([
        (name, "true" if one is True else one)
        for name, value in values.items()
        for one in (value if isinstance(value, list) else [value])
    ])  # fmt: skip


class Served:
    """A hub on the imported file."""

    def __init__(self, folder: Path, file: Path) -> None:
        self.hub = RealHub(folder, "--radio", "tcp:127.0.0.1:1")
        self.bring(file)
        self.hub.start()

    def bring(self, file: Path) -> dict[str, Any]:
        run = subprocess.run(
            [binary(), "detections", "import", file, "--database", self.hub.database, "--json"],
            capture_output=True, text=True, timeout=300,
        )  # fmt: skip
        assert run.returncode == 0, run.stderr
        return json.loads(run.stdout.splitlines()[-1])

    def ask(self, path: str, **values: Any) -> Any:
        return self.hub.get(f"{path}?{query(values)}")

    def give(self, path: str, text: str, **values: Any) -> tuple[int, Any]:
        address = f"{self.hub.address}/api/v1{path}?{query(values)}"
        kind = {"Content-Type": "application/octet-stream"}
        try:
            with urllib.request.urlopen(urllib.request.Request(address, text.encode(), kind), timeout=60) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)
