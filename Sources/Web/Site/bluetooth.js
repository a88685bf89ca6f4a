// SPDX-License-Identifier: Apache-2.0
// The page's end of a browser's Bluetooth: does what the engine asks for, one thing after the other, and tells what comes
// of it. What the messages are, `BrowserMessage.swift` and `BrowserRadio.swift` say.
import { attributes, nameOf, octetsOf, textOf, why } from "./bluetooth-words.js";

// How long a device that a browser listens for may be silent before it is tried all the same, and how long one that was
// just chosen may take to say what it has.
const silence = 15000, patience = 8000;

export class BrowserBluetooth {
    constructor(tell, radio = navigator.bluetooth) {
        this.tell = tell;
        this.radio = radio;
        // Devices by the identifiers that the engine has for them, and those that stay when the page is left.
        this.devices = new Map();
        this.lasting = new Set();
        this.links = new Map();
        this.listening = new Map();
        this.choices = null;
        radio?.addEventListener?.("availabilitychanged", ({ value }) => this.say(value ? "ready" : "off"));
    }

    say(state) {
        this.tell({ radio: "state", state });
    }

    /// Says whether there is a radio, and which devices may be used without asking.
    async begin() {
        if (!this.radio) return this.say("unsupported");
        try {
            const devices = await this.radio.getDevices?.() ?? [];
            for (const device of devices) this.lasting.add(await this.remember(device));
            this.tell({ radio: "permitted", devices: [...this.devices.keys()] });
            const isThere = await this.radio.getAvailability?.() ?? true;
            this.say(isThere ? "ready" : "off");
        } catch (error) {
            this.say(error.name === "SecurityError" ? "unauthorized" : "off");
        }
    }

    async remember(device) {
        const identifier = await nameOf(device);
        if (!this.devices.has(identifier)) {
            this.devices.set(identifier, device);
            device.addEventListener("advertisementreceived", (event) => this.heard(identifier, event));
        }
        return identifier;
    }

    /// Lets go of everything: the engine has ended, and knows of no link any more.
    end() {
        for (const link of [...this.links.values()]) link.close();
        for (const identifier of [...this.listening.keys()]) this.stopListening(identifier);
    }

    // MARK: Choosing

    /// Lets a person choose a device of a kind; to be called from a click. The services are those that the person names
    /// beside ours. The answer is its name, or null when nothing was chosen.
    async choose(kind, named = []) {
        if (!this.radio) {
            throw new Error("This browser has no Bluetooth for pages. Use a hub, or Chrome or Edge.");
        }
        for (const uuid of named) {
            const blocked = this.choices.blocked.find((one) => textOf(one.uuid) === textOf(uuid));
            if (blocked) throw new Error(blocked.reason);
        }
        const choice = this.choices.kinds.find((one) => one.kind === kind);
        const optionalServices = [...this.choices.services, ...named].map(textOf);
        let device;
        try {
            device = await this.radio.requestDevice(
                choice
                    ? {
                        filters: [
                            ...choice.services.map((uuid) => ({ services: [textOf(uuid)] })),
                            ...choice.names.map((namePrefix) => ({ namePrefix })),
                        ],
                        optionalServices,
                    }
                    : { acceptAllDevices: true, optionalServices },
            );
        } catch (error) {
            if (error.name === "NotFoundError" && !/adapter|not available/i.test(error.message)) return null;
            throw new Error(
                refusals[error.name] ?? `The browser did not let a device be chosen: ${error.message}`,
            );
        }
        const identifier = await this.remember(device);
        if (await this.isListed(identifier)) this.lasting.add(identifier);
        const services = await this.offered(device) ?? (choice?.services.length === 1 ? choice.services : []);
        this.tell({ radio: "chosen", device: identifier, name: device.name, services });
        return device.name || "A device without a name";
    }

    /// The services that a device has, as far as this page may use them; null when it does not say.
    async offered(device) {
        const late = new Promise((done) => setTimeout(done, patience, null));
        const asked = (async () => {
            try {
                const server = await device.gatt.connect();
                return (await server.getPrimaryServices()).map(({ uuid }) => uuid);
            } catch {
                return null;
            }
        })();
        return await Promise.race([asked, late]);
    }

    // MARK: What the engine asks for

    take(message) {
        const link = this.links.get(message.link);
        switch (message.radio) {
            case "choices":
                this.choices = message;
                return;
            case "retry":
                return this.begin();
            case "look":
                for (const identifier of this.devices.keys()) this.look(identifier);
                return;
            case "connect":
                return this.connect(message);
            case "disconnect":
                return link?.close();
            default:
                return link?.perform(message);
        }
    }

    connect({ link: number, device: identifier }) {
        const device = this.devices.get(identifier);
        if (!device) return this.tell({ radio: "failed", link: number, why: "withdrawn" });
        this.stopListening(identifier);
        const link = new Link(this, number, identifier, device);
        this.links.set(number, link);
        return link.open();
    }

    /// Whether the browser names a device among those that may be used without asking.
    async isListed(identifier) {
        const devices = await this.radio.getDevices?.().catch(() => []) ?? [];
        return (await Promise.all(devices.map(nameOf))).includes(identifier);
    }

    /// Whether a person has taken back what this page was allowed.
    async isWithdrawn(identifier) {
        if (!this.lasting.has(identifier) || await this.isListed(identifier)) return false;
        this.lasting.delete(identifier);
        this.devices.delete(identifier);
        return true;
    }

    // MARK: Listening

    /// Listens for a device where the browser can; where it cannot, the device may be there.
    async look(identifier) {
        const device = this.devices.get(identifier);
        const present = () => this.tell({ radio: "present", device: identifier });
        if (device.gatt.connected || !device.watchAdvertisements) return present();
        if (this.listening.has(identifier)) return;
        const ended = new AbortController();
        const timer = setTimeout(present, silence);
        this.listening.set(identifier, { ended, timer });
        try {
            await device.watchAdvertisements({ signal: ended.signal });
        } catch {
            if (!this.stopListening(identifier)) return;
            present();
        }
    }

    stopListening(identifier) {
        const listening = this.listening.get(identifier);
        if (!listening) return false;
        clearTimeout(listening.timer);
        this.listening.delete(identifier);
        listening.ended.abort();
        return true;
    }

    heard(identifier, { name, uuids, rssi, manufacturerData }) {
        const manufacturer = [...manufacturerData ?? []].map(([company, data]) => ({
            company,
            data: octetsOf(data),
        }));
        this.tell({
            radio: "heard",
            device: identifier,
            name: name ?? null,
            services: [...uuids ?? []],
            rssi: Number.isFinite(rssi) ? Math.max(-127, Math.min(20, rssi)) : null,
            manufacturer,
        });
    }
}

const refusals = {
    NotFoundError:
        "This computer or phone has no Bluetooth that the browser can use, or it is off. Switch it on and try again.",
    SecurityError:
        "Browsers let a page use Bluetooth only when it is opened over https, and not inside another page.",
    NotSupportedError: "This browser cannot choose such a device.",
};

/// A link to a device, and what it is asked for.
class Link {
    constructor(page, number, identifier, device) {
        Object.assign(this, { page, number, identifier, device, isClosed: false });
        this.attributes = new Map();
        // Where values come by themselves: handle → what ends it.
        this.subscriptions = new Map();
        this.ended = () => {
            if (this.device.gatt.connected) return;
            this.forget();
            this.tell({ radio: "lost" });
        };
    }

    tell(message) {
        this.page.tell({ ...message, link: this.number });
    }

    async open() {
        try {
            await this.device.gatt.connect();
        } catch (error) {
            if (this.isClosed) return;
            this.forget();
            const isWithdrawn = error.name === "SecurityError" ||
                await this.page.isWithdrawn(this.identifier);
            return this.tell({ radio: "failed", why: isWithdrawn ? "withdrawn" : "gone" });
        }
        if (this.isClosed) return;
        this.device.addEventListener("gattserverdisconnected", this.ended);
        this.tell({ radio: "connected" });
    }

    forget() {
        this.isClosed = true;
        this.device.removeEventListener("gattserverdisconnected", this.ended);
        for (const end of this.subscriptions.values()) end();
        this.page.links.delete(this.number);
    }

    close() {
        this.forget();
        this.device.gatt.disconnect();
    }

    async perform(message) {
        const { id } = message;
        let answer;
        try {
            answer = await this.work(message);
        } catch (error) {
            answer = { radio: "done", id, why: why(error, this.device) };
        }
        if (!this.isClosed) this.tell(answer ?? { radio: "done", id, value: "" });
    }

    async work({ radio, id, handle, value, on }) {
        if (radio === "discover") {
            const { services, found } = await attributes(this.device.gatt);
            this.attributes = found;
            return { radio: "found", services };
        }
        const attribute = this.attributes.get(handle);
        if (!attribute) return { radio: "done", id, why: "changed" };
        const octets = value === undefined
            ? null
            : Uint8Array.from(value.match(/../g) ?? [], (two) => parseInt(two, 16));
        if (radio === "read") return { radio: "done", id, value: await this.read(handle, attribute) };
        if (radio === "command") await attribute.writeValueWithoutResponse(octets);
        else if (radio === "write") {
            // A descriptor has only the one, and older browsers know no other.
            if (attribute.writeValueWithResponse) await attribute.writeValueWithResponse(octets);
            else await attribute.writeValue(octets);
        } else if (radio === "subscribe") {
            await (on ? this.subscribe(handle, attribute) : this.unsubscribe(handle, attribute));
        }
    }

    /// What is read comes as an event, too; what the device sends by itself meanwhile is told afterwards.
    async read(handle, attribute) {
        this.reading = { handle, held: [] };
        try {
            const text = octetsOf(await attribute.readValue());
            const { held } = this.reading;
            const own = held.lastIndexOf(text);
            if (own >= 0) held.splice(own, 1);
            return text;
        } finally {
            const { held } = this.reading;
            this.reading = null;
            for (const value of held) this.tell({ radio: "value", handle, value });
        }
    }

    async subscribe(handle, attribute) {
        if (!this.subscriptions.has(handle)) {
            const take = ({ target }) => {
                const value = octetsOf(target.value);
                if (this.reading?.handle === handle) this.reading.held.push(value);
                else this.tell({ radio: "value", handle, value });
            };
            attribute.addEventListener("characteristicvaluechanged", take);
            this.subscriptions.set(
                handle,
                () => attribute.removeEventListener("characteristicvaluechanged", take),
            );
        }
        await attribute.startNotifications();
    }

    async unsubscribe(handle, attribute) {
        this.subscriptions.get(handle)?.();
        this.subscriptions.delete(handle);
        await attribute.stopNotifications();
    }
}
