// What the tab Devices says of lights and of the air: lights that some page is connected to as they are now, others as they
// were when they were seen last. Nothing is connected to for that.
import { age, counted, deviceText } from "../text.js";
import { colorsOf, whose } from "./nightlights-lamp.js";
import { stateColour, stateOf } from "./bulbs-words.js";
import { Memories } from "./nightlights-memories.js";

const isLit = (color) => Boolean(color) && color !== "#000000";
/// How a lamp is called at the beginning of a sentence.
const lampOf = (name) => (name ? `${whose(name)} lamp` : "The new lamp");

export class Home {
    constructor(app) {
        this.app = app;
        this.hub = app.hub;
        this.changed = () => {};
        // By addresses: lamps as some page has them in hand, and as they are remembered; by numbers of devices: bulbs.
        this.lamps = new Map();
        this.memories = new Memories();
        this.bulbs = new Map();
        this.senders = null;
        this.beacon = null;
        const { hub } = this;
        hub.on("nightlight_changed", ({ dashboard }) => this.takeLamp(dashboard));
        hub.on("nightlights_changed", ({ lamp }) => this.remember(lamp));
        hub.on("bulb_changed", ({ bulb }) => this.takeBulb(bulb));
        hub.on("overflow_source_changed", ({ source }) => {
            this.senders?.set(source.address, source.here);
            this.changed();
        });
        hub.on("overflow_beacon_changed", ({ beacon }) => {
            this.beacon = beacon;
            this.changed();
        });
        hub.on("state", () => this.fetch());
    }

    async fetch() {
        const { jobs, overflow } = this.hub;
        await Promise.allSettled([
            this.memories.fetch(jobs),
            overflow.state().then(({ sources, beacon }) => {
                this.senders = new Map(sources.map(({ address, here }) => [address, here]));
                this.beacon = beacon;
            }),
            jobs.list().then(({ items }) =>
                Promise.allSettled(items.map(async ({ id, kind }) => {
                    if (kind === "nightlight") this.takeLamp(await jobs.lamp(id));
                    if (kind === "bulb") this.takeBulb(await jobs.bulb(id));
                }))
            ),
        ]);
        this.changed();
    }

    takeLamp(dashboard) {
        const { address, phase } = dashboard.job;
        if (phase === "ended" || !dashboard.lamp) this.lamps.delete(address);
        else this.lamps.set(address, dashboard.lamp);
        this.changed();
    }
    remember(memory) {
        this.memories.take(memory);
        this.changed();
    }

    /// Of a bulb that was let go its light is kept, with the time: nobody has switched it off by that.
    takeBulb(bulb) {
        const { device, phase } = bulb.job, state = stateOf(bulb), before = this.bulbs.get(device);
        const isNow = phase === "open";
        const color = bulb.turn ? bulb.hue : stateColour(state);
        if (isNow && state) this.bulbs.set(device, { state, color, isNow, seen: this.hub.now });
        else if (phase === "ended" && before?.isNow) {
            this.bulbs.set(device, { ...before, isNow, seen: this.hub.now });
        }
        this.changed();
    }

    // MARK: Words

    ago(seen) {
        const words = age(seen, this.app.time);
        if (words === "Now" || words.endsWith(" s")) return "a moment ago";
        return words.endsWith(" min")
            ? `${words} ago`
            : words.includes(":")
            ? `at ${words}`
            : `on ${words}`.replace("on Yesterday", "yesterday");
    }

    /// {text, colors, isNow, isLit} of the lamps among devices.
    lampWords(devices) {
        const { away } = this.app;
        const found = devices.map(({ address }) => {
            const now = away ? null : this.lamps.get(address), memory = this.memories.get(address);
            const lamp = now ?? memory?.known, colors = colorsOf(lamp);
            return { name: now?.name ?? memory?.name, colors, isNow: Boolean(now), seen: memory?.seen };
        }).filter(({ colors }) => colors.length);
        const now = found.filter(({ isNow }) => isNow),
            shining = now.filter(({ colors }) => colors.some(isLit));
        if (shining.length > 1) {
            return {
                text: `${shining.length} lamps shine`,
                colors: shining[0].colors,
                isNow: true,
                isLit: true,
            };
        }
        if (shining.length) {
            return {
                text: `${lampOf(shining[0].name)} shines`,
                colors: shining[0].colors,
                isNow: true,
                isLit: true,
            };
        }
        if (now.length) return { text: `${lampOf(now[0].name)} is dark`, colors: [], isNow: true };
        const last =
            found.filter(({ seen }) => seen).sort((a, b) => Date.parse(b.seen) - Date.parse(a.seen))[0];
        if (!last) return { text: null, colors: [], isNow: false };
        const lit = last.colors.some(isLit);
        return {
            text: `${lampOf(last.name)} ${lit ? "shone" : "was dark"} ${this.ago(last.seen)}`,
            colors: lit ? last.colors : [],
            isNow: false,
        };
    }

    /// {text, colors, isNow, isLit} of the bulbs among devices.
    bulbWords(devices) {
        const { away } = this.app, all = devices.length;
        const found = devices.filter(({ id }) => this.bulbs.has(id)).map((device) => ({
            device,
            ...this.bulbs.get(device.id),
        }));
        const now = away ? [] : found.filter(({ isNow }) => isNow),
            on = now.filter(({ state }) => state.power);
        const colors = (bulbs) => bulbs.map(({ color }) => color).filter(Boolean).slice(0, 4);
        if (on.length > 1 || (now.length === all && all > 1)) {
            const text = on.length
                ? `${on.length} of ${all} ${on.length === 1 ? "is" : "are"} on`
                : `All ${all} are off`;
            return { text, colors: colors(on), isNow: true, isLit: on.length > 0 };
        }
        const one = on[0] ?? now[0] ??
            found.sort((a, b) => b.state.power - a.state.power || b.seen - a.seen)[0];
        if (!one) return { text: null, colors: [], isNow: false };
        const isOn = one.state.power ? "on" : "off", name = deviceText(one.device);
        return {
            text: now.length
                ? `${name} is ${isOn}`
                : `${name} was ${isOn} ${this.ago(new Date(one.seen).toISOString())}`,
            colors: one.state.power ? colors([one]) : [],
            isNow: now.length > 0,
            isLit: on.length > 0,
        };
    }

    /// "4 senders, beacon off".
    get overflowWords() {
        if (!this.senders) return "What iPhone apps in the background send";
        const here = [...this.senders.values()].filter(Boolean).length;
        return `${counted(here, "sender")}, beacon ${this.beacon?.on ? "on" : "off"}`;
    }
}
