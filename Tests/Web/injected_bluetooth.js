// SPDX-License-Identifier: Apache-2.0
// A `navigator.bluetooth` of the tests, as Web Bluetooth is specified: every operation is done by the peer in Python
// (`browser_peer.py`), which has one device. OPTIONS is filled in there.
(() => {
    const options = OPTIONS;
    const ask = async (work, ...rest) => {
        const answer = JSON.parse(await lanternPeer(JSON.stringify([work, ...rest])));
        if (answer.error) throw new DOMException(answer.error[1], answer.error[0]);
        return answer.value;
    };
    // Another document: the link of the one before is gone with it, as in browsers.
    ask("begin");
    const octets = (text) => Uint8Array.from(text.match(/../g) ?? [], (two) => parseInt(two, 16));
    const hex = (value) =>
        [...new Uint8Array(value.buffer ?? value)].map((one) => one.toString(16).padStart(2, "0")).join("");
    const names = ["broadcast", "read", "writeWithoutResponse", "write", "notify", "indicate"];
    const uuidOf = (one) =>
        typeof one === "number" ? `${one.toString(16).padStart(8, "0")}-0000-1000-8000-00805f9b34fb` : one;
    const isBlocked = (uuid) => /^0000(2a25|1812|fffd)-/.test(uuid);

    class Attribute extends EventTarget {
        constructor(device, { uuid, handle, properties = 0, descriptors = [] }) {
            super();
            Object.assign(this, { device, uuid, handle });
            this.properties = Object.fromEntries(
                names.map((name, bit) => [name, Boolean(properties & 1 << bit)]),
            );
            this.descriptors = descriptors.map((one) => new Attribute(device, one));
        }
        getDescriptors() {
            if (this.descriptors.length) return Promise.resolve(this.descriptors);
            return Promise.reject(
                new DOMException("No Descriptors found in Characteristic.", "NotFoundError"),
            );
        }
        readValue() {
            return this.device.alone(async () => {
                this.take(await ask("read", this.handle));
                return this.value;
            });
        }
        take(text) {
            this.value = new DataView(octets(text).buffer);
            this.dispatchEvent(new Event("characteristicvaluechanged"));
        }
        writeValue(value) {
            return this.device.alone(() => ask("write", this.handle, hex(value), true));
        }
        writeValueWithResponse(value) {
            return this.writeValue(value);
        }
        writeValueWithoutResponse(value) {
            return this.device.alone(() => ask("write", this.handle, hex(value), false));
        }
        startNotifications() {
            return this.device.alone(() => ask("subscribe", this.handle));
        }
        stopNotifications() {
            return Promise.resolve();
        }
    }

    class Server {
        constructor(device) {
            this.device = device;
            this.connected = false;
        }
        async connect() {
            if (!this.connected) {
                this.known = new Map();
                this.services = await ask("connect");
                this.connected = true;
            }
            return this;
        }
        disconnect() {
            if (!this.connected) return;
            ask("disconnect");
            this.lose();
        }
        lose() {
            if (!this.connected) return;
            this.connected = false;
            queueMicrotask(() => this.device.dispatchEvent(new Event("gattserverdisconnected")));
        }
        async getPrimaryServices() {
            if (!this.connected) throw new DOMException("GATT Server is disconnected.", "NetworkError");
            const allowed = this.services.filter(({ uuid }) =>
                injected.allowed.includes(uuid) && !isBlocked(uuid)
            );
            if (!allowed.length) throw new DOMException("No Services found in device.", "NotFoundError");
            return allowed.map(({ uuid, characteristics }) => ({
                uuid,
                getCharacteristics: async () =>
                    characteristics.filter((one) => !isBlocked(one.uuid)).map((one) => this.attribute(one)),
            }));
        }
        attribute(one) {
            if (!this.known.has(one.handle)) this.known.set(one.handle, new Attribute(this.device, one));
            return this.known.get(one.handle);
        }
    }

    class Device extends EventTarget {
        constructor() {
            super();
            this.id = "dGhlIGRldmljZSBvZiB0aGUgdGVzdA==";
            this.name = options.name;
            this.gatt = new Server(this);
        }
        // Browsers do one operation of a device at a time, and refuse others.
        async alone(work) {
            if (!this.gatt.connected) {
                throw new DOMException(
                    "GATT Server is disconnected. Cannot perform GATT operations.",
                    "NetworkError",
                );
            }
            if (this.isBusy) {
                injected.busy += 1;
                throw new DOMException("GATT operation already in progress.", "NetworkError");
            }
            this.isBusy = true;
            try {
                return await work();
            } finally {
                this.isBusy = false;
            }
        }
    }

    // What a person has allowed stays for all pages of this address.
    const place = "test-allowed";
    const injected = window.injected = {
        busy: 0,
        options: null,
        // The error of the next choice: its name and words.
        refuses: null,
        get allowed() {
            return JSON.parse(localStorage.getItem(place) ?? "[]");
        },
        withdraw() {
            localStorage.removeItem(place);
        },
        // What the device does by itself.
        take(all) {
            for (const { lost, handle, value } of all) {
                if (lost) device.gatt.lose();
                else if (device.gatt.connected) device.gatt.known.get(handle)?.take(value);
            }
        },
    };
    const device = new Device();
    const radio = Object.assign(new EventTarget(), {
        getAvailability: () => Promise.resolve(true),
        async requestDevice(chosen) {
            injected.options = chosen;
            if (injected.refuses) throw new DOMException(injected.refuses[1], injected.refuses[0]);
            const services = [
                ...(chosen.filters ?? []).flatMap((one) => one.services ?? []),
                ...chosen.optionalServices ?? [],
            ];
            localStorage.setItem(place, JSON.stringify(services.map(uuidOf)));
            return device;
        },
    });
    if (options.remembers) radio.getDevices = () => Promise.resolve(injected.allowed.length ? [device] : []);
    Object.defineProperty(navigator, "bluetooth", { value: radio });
})();
