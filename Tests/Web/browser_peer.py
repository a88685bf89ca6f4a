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
from typing import Any

from real_hub import binary  # Puts Tests/Interop in the way.

from bumble.core import UUID  # noqa: I001
from bumble.gatt_client import CharacteristicProxy
from peers.bench import Bench
from peers.central import Central

FLOCK_SERVICE = "4fafc201-1fb5-459e-8fcc-c5c9c331914b"
COMMAND = "beb5483e-36e1-4688-b7f5-ea07361b26a9"


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
        self.address = (await self.central.find(30)).address

    async def end_device(self) -> None:
        """As a device that is carried away, or whose battery is empty."""
        self.process.kill()
        await self.process.wait()

    async def close(self) -> None:
        if self.process.returncode is None:
            await self.end_device()
        await self.bench.close()

    # What a browser does with it.

    async def connect(self) -> list[dict[str, Any]]:
        """Connects, and gives everything that the device has."""
        self.listening: set[int] = set()
        peer = await self.central.connect(self.address, mtu=None)
        self.central.connection.on("disconnection", lambda _: self.values.put_nowait({"lost": True}))
        return [
            {
                "uuid": text(service.uuid),
                "characteristics": [
                    {
                        "uuid": text(one.uuid),
                        "handle": one.handle,
                        "properties": int(one.properties),
                        "descriptors": [{"uuid": text(UUID(d.type.to_bytes()[::-1].hex()))} for d in one.descriptors]
                        if one.descriptors
                        else [],
                    }
                    for one in service.characteristics
                ],
            }
            for service in peer.services
        ]

    def characteristic(self, handle: int) -> CharacteristicProxy:
        found = (one for service in self.central.peer.services for one in service.characteristics)
        return next(one for one in found if one.handle == handle)

    async def read(self, handle: int) -> str:
        return bytes(await self.characteristic(handle).read_value()).hex()

    async def write(self, handle: int, value: str, with_response: bool) -> None:
        self.written.append((text(self.characteristic(handle).uuid), bytes.fromhex(value)))
        await self.characteristic(handle).write_value(bytes.fromhex(value), with_response=with_response)

    async def subscribe(self, handle: int) -> None:
        if handle in self.listening:
            return
        self.listening.add(handle)
        take = lambda value: self.values.put_nowait({"handle": handle, "value": bytes(value).hex()})  # noqa: E731
        await self.characteristic(handle).subscribe(take)

    async def disconnect(self) -> None:
        if self.central.connection is not None and self.central.connection.handle is not None:
            try:
                await self.central.disconnect()
            except Exception:  # noqa: BLE001
                pass  # It has gone by itself.


INJECTED = """(() => {
const ask = async (work, ...rest) => {
    const answer = JSON.parse(await lanternPeer(JSON.stringify([work, ...rest])));
    if (answer.error) throw new DOMException(answer.error[1], answer.error[0]);
    return answer.value;
};
const octets = (text) => Uint8Array.from(text.match(/../g) ?? [], (two) => parseInt(two, 16));
const hex = (value) => [...new Uint8Array(value.buffer ?? value)].map((one) => one.toString(16).padStart(2, "0")).join("");
const names = ["broadcast", "read", "writeWithoutResponse", "write", "notify", "indicate"];
const busy = () => new DOMException("GATT operation already in progress.", "NetworkError");
class Characteristic extends EventTarget {
    constructor(device, { uuid, handle, properties, descriptors }) {
        super();
        Object.assign(this, { device, uuid, handle, descriptors });
        this.properties = Object.fromEntries(names.map((name, index) => [name, Boolean(properties & 1 << index)]));
        device.known.set(handle, this);
    }
    async getDescriptors() {
        if (!this.descriptors.length) throw new DOMException("No Descriptors found.", "NotFoundError");
        return this.descriptors;
    }
    readValue() {
        return this.device.alone(async () => {
            this.value = new DataView(octets(await ask("read", this.handle)).buffer);
            this.dispatchEvent(new Event("characteristicvaluechanged"));
            return this.value;
        });
    }
    writeValueWithResponse(value) { return this.device.alone(() => ask("write", this.handle, hex(value), true)); }
    writeValueWithoutResponse(value) { return this.device.alone(() => ask("write", this.handle, hex(value), false)); }
    startNotifications() { return this.device.alone(() => ask("subscribe", this.handle)); }
    async stopNotifications() {}
}
class Device extends EventTarget {
    constructor() {
        super();
        this.id = "dGhlIGRldmljZSBvZiB0aGUgdGVzdA==";
        this.name = injected.name;
        this.known = new Map();
        const device = this;
        this.gatt = {
            connected: false,
            async connect() {
                if (!this.connected) device.services = await ask("connect");
                this.connected = true;
                return this;
            },
            disconnect() {
                if (!this.connected) return;
                this.connected = false;
                ask("disconnect");
                queueMicrotask(() => device.dispatchEvent(new Event("gattserverdisconnected")));
            },
            async getPrimaryServices() {
                return device.services.filter(({ uuid }) => injected.allowed.has(uuid)).map((service) => ({
                    uuid: service.uuid,
                    async getCharacteristics() {
                        // Browsers keep the serial number to themselves.
                        const all = service.characteristics.filter(({ uuid }) => !uuid.startsWith("00002a25-"));
                        return all.map((one) => device.known.get(one.handle) ?? new Characteristic(device, one));
                    },
                }));
            },
        };
    }
    async alone(work) {
        if (!this.gatt.connected) throw new DOMException("GATT Server is disconnected.", "NetworkError");
        if (this.isBusy) { injected.busy += 1; throw busy(); }
        this.isBusy = true;
        try { return await work(); } finally { this.isBusy = false; }
    }
}
const injected = window.injected = {
    name: "FlockFinder", busy: 0, filters: null, refuses: null, allowed: new Set(), isWithdrawn: false,
    chosen: JSON.parse(sessionStorage.getItem("test-chosen") ?? "null"),
};
let device;
const theDevice = () => device ??= new Device();
if (injected.chosen) injected.allowed = new Set(injected.chosen);
const radio = new EventTarget();
Object.assign(radio, {
    getAvailability: async () => true,
    getDevices: async () => injected.chosen && !injected.isWithdrawn ? [theDevice()] : [],
    async requestDevice(options) {
        injected.options = options;
        if (injected.refuses) throw new DOMException("User cancelled the requestDevice() chooser.", "NotFoundError");
        injected.allowed = new Set([...(options.filters ?? []).flatMap((one) => one.services ?? []), ...options.optionalServices]);
        injected.chosen = [...injected.allowed];
        sessionStorage.setItem("test-chosen", JSON.stringify(injected.chosen));
        return theDevice();
    },
});
Object.defineProperty(navigator, "bluetooth", { value: radio });
(async () => {
    for (;;) {
        for (const { lost, handle, value } of JSON.parse(await lanternValues())) {
            if (lost) {
                if (!device?.gatt.connected) continue;
                device.gatt.connected = false;
                device.dispatchEvent(new Event("gattserverdisconnected"));
                continue;
            }
            const found = device?.known.get(handle);
            if (!found || !device.gatt.connected) continue;
            found.value = new DataView(octets(value).buffer);
            found.dispatchEvent(new Event("characteristicvaluechanged"));
        }
    }
})();
})();"""


class Injected:
    """A page whose `navigator.bluetooth` is the test's own, backed by a peer."""

    def __init__(self, peer: Peer) -> None:
        self.peer = peer

    async def into(self, context) -> None:
        await context.expose_function("lanternPeer", self.work)
        await context.expose_function("lanternValues", self.values)
        await context.add_init_script(INJECTED)

    async def work(self, message: str) -> str:
        name, *arguments = json.loads(message)
        try:
            return json.dumps({"value": await getattr(self.peer, name)(*arguments)})
        except Exception as error:  # noqa: BLE001
            return json.dumps({"error": ["NetworkError", f"Connection failed: {error!r}"]})

    async def values(self) -> str:
        found = [await self.peer.values.get()]
        while not self.peer.values.empty():
            found.append(self.peer.values.get_nowait())
        return json.dumps(found)


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
