# SPDX-License-Identifier: Apache-2.0
"""What plays Web Bluetooth for a page: `lantern device run`, reached by a Bumble central, in two ways.

`Injected` is a `navigator.bluetooth` of the test, as Web Bluetooth is specified, whose every operation is Bumble's;
notifications arrive. `Emulated` is Chromium's own Web Bluetooth, whose radio the DevTools protocol plays: choosing,
connecting, finding out, reading and writing; it has no way to send a notification.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import pathlib
from contextlib import suppress
from typing import Any

from playwright.async_api import BrowserContext, Error, Page
from real_hub import binary  # Puts Tests/Interop in the way.

from bumble.core import UUID, ProtocolError  # noqa: I001
from bumble.gatt_client import CharacteristicProxy, DescriptorProxy
from peers.bench import Bench
from peers.central import Central

FLOCK_SERVICE = "4fafc201-1fb5-459e-8fcc-c5c9c331914b"
COMMAND = "beb5483e-36e1-4688-b7f5-ea07361b26a9"
SCRIPT = pathlib.Path(__file__).with_name("injected_bluetooth.js")
# Errors of ATT as Chromium tells them.
REFUSALS = {
    0x01: ["InvalidStateError", "Characteristic is no longer valid."],
    0x02: ["NotSupportedError", "GATT operation not permitted."],
    0x03: ["NotSupportedError", "GATT operation not permitted."],
    0x05: ["NetworkError", "GATT operation not authorized."],
    0x0D: ["InvalidModificationError", "GATT Error: invalid attribute length."],
    0x0F: ["NetworkError", "GATT operation not authorized."],
}


def text(uuid: UUID) -> str:
    """A UUID as browsers write it."""
    octets = uuid.to_bytes(force_128=True)[::-1].hex()
    return "-".join([octets[:8], octets[8:12], octets[12:16], octets[16:20], octets[20:]])


class Peer:
    """A device of ours in a process of its own, and a Bumble central beside it."""

    def __init__(self) -> None:
        self.bench = Bench()
        self.written: list[tuple[str, bytes]] = []
        self.values: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.process: asyncio.subprocess.Process | None = None
        self.is_away = False
        # A controller does not scan and connect at once.
        self.radio = asyncio.Lock()

    async def open(self, *arguments: str) -> None:
        await self.bench.open()
        self.central = Central(self.bench)
        await self.central.start()
        self.arguments = arguments
        await self.run_device()

    async def run_device(self) -> None:
        self.process = await asyncio.create_subprocess_exec(
            str(binary()), "device", "run", *self.arguments, "--radio", self.bench.radio,
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
            env={**os.environ},
        )  # fmt: skip
        async with self.radio:
            self.address = (await self.central.find(30)).address
        self.is_away = False

    async def end_device(self) -> None:
        """As a device that is carried away, or whose battery is empty."""
        self.is_away = True
        self.process.kill()
        await self.process.wait()

    async def close(self) -> None:
        if self.process.returncode is None:
            await self.end_device()
        await self.bench.close()

    # What a browser does with it.

    async def connect(self) -> list[dict[str, Any]]:
        """Connects, and gives everything that the device has."""
        await self.disconnect()
        self.listening: set[int] = set()
        async with self.radio:
            if self.is_away:
                raise ConnectionError("it is out of reach")
            try:
                # Bumble does not notice that a link is lost while it finds out what a device has; a page tries again after 10 s.
                peer = await asyncio.wait_for(self.central.connect(self.address, mtu=None), 8)
            except BaseException:
                await self.disconnect()
                raise
        connection = self.central.connection
        connection.on("disconnection", lambda _: connection is self.central.connection and self.lose())
        return [
            {
                "uuid": text(service.uuid),
                "characteristics": [
                    {
                        "uuid": text(one.uuid),
                        "handle": one.handle,
                        "properties": int(one.properties),
                        "descriptors": [{"uuid": text(d.type), "handle": d.handle} for d in one.descriptors],
                    }
                    for one in service.characteristics
                ],
            }
            for service in peer.services
        ]

    def lose(self) -> None:
        self.central.connection = None
        self.values.put_nowait({"lost": True})

    def attribute(self, handle: int) -> CharacteristicProxy | DescriptorProxy:
        characteristics = [one for service in self.central.peer.services for one in service.characteristics]
        descriptors = [one for characteristic in characteristics for one in characteristic.descriptors]
        return next(one for one in (*characteristics, *descriptors) if one.handle == handle)

    async def read(self, handle: int) -> str:
        return bytes(await self.attribute(handle).read_value()).hex()

    async def write(self, handle: int, value: str, with_response: bool) -> None:
        attribute = self.attribute(handle)
        self.written.append((text(attribute.type if isinstance(attribute, DescriptorProxy) else attribute.uuid), bytes.fromhex(value)))
        await attribute.write_value(bytes.fromhex(value), with_response=with_response)

    async def subscribe(self, handle: int) -> None:
        if handle in self.listening:
            return
        self.listening.add(handle)
        take = lambda value: self.values.put_nowait({"handle": handle, "value": bytes(value).hex()})  # noqa: E731
        await self.attribute(handle).subscribe(take)

    async def disconnect(self) -> None:
        connection, self.central.connection = self.central.connection, None
        if connection is not None:
            # It may have gone by itself.
            with suppress(Exception):
                await connection.disconnect()


class Injected:
    """Pages whose `navigator.bluetooth` is the test's own, backed by a peer."""

    def __init__(self, peer: Peer, name: str = "FlockFinder", remembers: bool = True) -> None:
        self.peer = peer
        self.options = {"name": name, "remembers": remembers}
        self.owner: Page | None = None
        # The link of the document before is gone before the next one connects.
        self.turn = asyncio.Lock()

    async def into(self, context: BrowserContext) -> None:
        await context.expose_binding("lanternPeer", self.work)
        script = SCRIPT.read_text().replace("= OPTIONS;", f"= {json.dumps(self.options)};")
        await context.add_init_script(script)
        self.pump = asyncio.ensure_future(self.carry())

    async def work(self, source: dict[str, Any], message: str) -> str:
        name, *arguments = json.loads(message)
        page = source["page"]
        try:
            if name == "begin":
                # The link of a document ends with it.
                async with self.turn:
                    if page is self.owner:
                        self.owner = None
                        await self.peer.disconnect()
                return json.dumps({"value": None})
            if name == "connect":
                self.owner = page
                page.once("close", lambda page: page is self.owner and asyncio.ensure_future(self.peer.disconnect()))
                async with self.turn:
                    return json.dumps({"value": await self.peer.connect()})
            return json.dumps({"value": await getattr(self.peer, name)(*arguments)})
        except ProtocolError as error:
            return json.dumps({"error": REFUSALS.get(error.error_code, ["NotSupportedError", "GATT Error Unknown."])})
        except Exception as error:  # noqa: BLE001
            return json.dumps({"error": ["NetworkError", f"Connection failed: {error!r}"]})

    async def carry(self) -> None:
        """Brings what the device sends by itself to the page that has the link, in order."""
        while True:
            found = [await self.peer.values.get()]
            while not self.peer.values.empty():
                found.append(self.peer.values.get_nowait())
            if self.owner is not None:
                # A page that is just being left hears nothing more.
                with suppress(Error):
                    await self.owner.evaluate("values => injected.take(values)", found)


class Emulated:
    """Chromium's own Web Bluetooth, whose radio is a peer, by the DevTools protocol."""

    def __init__(self, peer: Peer) -> None:
        self.peer = peer
        self.handles: dict[str, int] = {}
        self.answered: set[str] = set()
        self.seen: list[str] = []

    async def into(self, browser, page, name: str = "FlockFinder") -> None:
        self.address = "09:09:09:09:09:09"
        self.access = await page.context.new_cdp_session(page)
        self.radio = await browser.new_browser_cdp_session()
        await self.radio.send("BluetoothEmulation.enable", {"state": "powered-on", "leSupported": True})
        await self.access.send("DeviceAccess.enable")
        on = lambda work: lambda event: asyncio.ensure_future(work(event))  # noqa: E731
        self.access.on("DeviceAccess.deviceRequestPrompted", on(self.choose))
        self.radio.on("BluetoothEmulation.gattOperationReceived", on(self.gatt))
        self.radio.on("BluetoothEmulation.characteristicOperationReceived", on(self.characteristic))
        await self.radio.send(
            "BluetoothEmulation.simulatePreconnectedPeripheral",
            {"address": self.address, "name": name, "manufacturerData": [], "knownServiceUuids": [FLOCK_SERVICE]},
        )

    async def choose(self, event) -> None:
        # A prompt is told again as devices appear; a second answer ends Chromium.
        if event["id"] in self.answered or not event["devices"]:
            return
        self.answered.add(event["id"])
        await self.access.send(
            "DeviceAccess.selectPrompt", {"id": event["id"], "deviceId": event["devices"][0]["id"]}
        )

    async def gatt(self, event) -> None:
        self.seen.append(event["type"])
        if event["type"] == "connection":
            self.services = await self.peer.connect()
        if event["type"] == "discovery":
            for service in self.services:
                added = await self.radio.send(
                    "BluetoothEmulation.addService", {"address": self.address, "serviceUuid": service["uuid"]}
                )
                for one in service["characteristics"]:
                    bits = ["broadcast", "read", "writeWithoutResponse", "write", "notify", "indicate"]
                    properties = {name: bool(one["properties"] & 1 << index) for index, name in enumerate(bits)}
                    found = await self.radio.send(
                        "BluetoothEmulation.addCharacteristic",
                        {
                            "serviceId": added["serviceId"],
                            "characteristicUuid": one["uuid"],
                            "properties": properties,
                        },
                    )
                    self.handles[found["characteristicId"]] = one["handle"]
                    if properties["notify"] or properties["indicate"]:
                        # Without it startNotifications is refused.
                        await self.radio.send(
                            "BluetoothEmulation.addDescriptor",
                            {
                                "characteristicId": found["characteristicId"],
                                "descriptorUuid": "00002902-0000-1000-8000-00805f9b34fb",
                            },
                        )
        await self.radio.send(
            "BluetoothEmulation.simulateGATTOperationResponse",
            {"address": self.address, "type": event["type"], "code": 0},
        )

    async def characteristic(self, event) -> None:
        kind, handle = event["type"], self.handles[event["characteristicId"]]
        answer = {"characteristicId": event["characteristicId"], "type": kind, "code": 0}
        self.seen.append(kind)
        if kind == "read":
            answer["data"] = base64.b64encode(bytes.fromhex(await self.peer.read(handle))).decode()
        elif kind == "write":
            value = base64.b64decode(event["data"]).hex()
            await self.peer.write(handle, value, event.get("writeType") != "write-without-response")
        elif kind == "subscribe-to-notifications":
            await self.peer.subscribe(handle)
        await self.radio.send("BluetoothEmulation.simulateCharacteristicOperationResponse", answer)
