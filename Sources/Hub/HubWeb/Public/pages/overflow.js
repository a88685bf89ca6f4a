// Overflow: what iPhone apps in the background send, the map of one sender as a picture, and a beacon of our own.
import { fill, h, mark, say } from "../dom.js";
import { bars, signalWords, spoken, symbol } from "../marks.js";
import { age, clock, counted, dBm, heard, span } from "../text.js";
import { button, copy } from "../controls.js";
import { bitMap } from "./overflow-map.js";
import { beaconCard } from "./overflow-beacon.js";
import { bitCard, collisionsCard } from "./overflow-services.js";
import { bitsOf, spaced } from "./overflow-words.js";

export const open = (app) => new OverflowPage(app);

const qualities = {
    clean: ["ok", "Clean bank"],
    corrected: ["quiet", "One bit put right"],
    polluted: ["warn", "Polluted"],
    unknown: ["quiet", "Not sure yet"],
};

class OverflowPage {
    constructor(app) {
        this.app = app;
        this.sources = new Map();
        this.services = [];
        this.beacon = null;
        this.bit = 63;
        app.main.className = "reading";
        app.head("Overflow area", "What iPhone apps in the background send");
        this.count = h("span", { class: "hint" });
        this.list = h("ul");
        this.nobody = h("p", { class: "hint" });
        this.senders = h(
            "section",
            { class: "card overflow-senders", "aria-label": "Senders" },
            h("div", { class: "card-head" }, h("h2", "Senders"), this.count),
            this.list,
            this.nobody,
        );
        this.beaconCard = beaconCard(this);
        this.name = h("h2");
        this.about = h("p", { class: "hint" });
        this.choice = h("select", {
            class: "field overflow-choose",
            "aria-label": "Sender",
            onchange: () => this.choose(this.choice.value),
        });
        this.copyButton = button([symbol("copy", 18), "Copy octets"], () => copy(this.source.octets), {
            kind: "copy-octets",
        });
        this.map = bitMap(this);
        this.mapCard = h(
            "section",
            { class: "card overflow-map", "aria-label": "Map" },
            h("div", { class: "card-head" }, h("div", this.name, this.about), this.copyButton, this.choice),
            this.map.element,
        );
        this.payload = h("section", { class: "card overflow-payload", "aria-label": "Payload" });
        this.bitCard = bitCard(this);
        this.collisions = collisionsCard(this);
        app.main.append(
            h(
                "div",
                { class: "overflow" },
                h("div", { class: "overflow-left" }, this.senders, this.beaconCard.element),
                h("div", { class: "overflow-middle" }, this.mapCard, this.collisions.element),
                h("div", { class: "overflow-right" }, this.payload, this.bitCard.element),
            ),
        );
        this.ends = [
            app.hub.on("overflow_source_changed", ({ source }) => this.take(source)),
            app.hub.on("overflow_beacon_changed", ({ beacon }) => {
                this.beacon = beacon;
                this.draw();
            }),
            app.hub.on("settings_changed", () => this.fetchServices()),
            app.hub.on("state", () => this.fetch()),
        ];
        this.fetch();
    }

    async fetch() {
        try {
            const { sources, beacon } = await this.app.hub.overflow.state();
            this.sources = new Map(sources.map((source) => [source.address, source]));
            this.beacon = beacon;
            await this.fetchServices();
        } catch {
            // It is fetched again when the hub is back.
        }
        this.draw();
    }

    async fetchServices() {
        try {
            this.services = (await this.app.hub.overflow.services()).items;
        } catch {
            return;
        }
        this.draw();
    }

    take(source) {
        this.sources.set(source.address, source);
        this.draw();
    }

    close() {
        this.isClosed = true;
        for (const end of this.ends) end();
    }

    // MARK: What there is

    get sorted() {
        return [...this.sources.values()].sort((a, b) =>
            b.here - a.here || (b.rssi ?? -128) - (a.rssi ?? -128) || a.address.localeCompare(b.address)
        );
    }
    get source() {
        return this.sources.get(this.chosen) ?? this.sorted[0];
    }
    servicesOf(bit) {
        return this.services.filter((one) => one.bit === bit);
    }

    choose(address) {
        this.chosen = address;
        this.draw();
    }
    chooseBit(bit) {
        this.bit = bit;
        this.draw();
    }

    // MARK: Drawing

    refresh() {
        this.draw();
    }

    tick() {
        this.drawAges();
    }

    draw() {
        if (this.isClosed) return;
        const { source, sorted, app } = this;
        // Of what stays chosen nothing jumps when somebody else becomes stronger.
        this.chosen ??= source?.address;
        this.drawSenders(sorted);
        const bits = source ? bitsOf(source.octets) : new Set();
        say(this.name, source?.address ?? app.unknown ?? "No sender yet");
        this.name.classList.toggle("no-sender", !source);
        this.copyButton.hidden = !source;
        const shape = JSON.stringify(sorted.map(({ address, here }) => [address, here]));
        if (shape !== this.choiceShape) {
            this.choiceShape = shape;
            const here = sorted.filter((one) => one.here).length;
            fill(
                this.choice,
                // What a phone shows: how many there are, not which was chosen.
                h(
                    "option",
                    { value: "", hidden: true },
                    here ? counted(here, "sender") : `${sorted.length} before`,
                ),
                sorted.map(({ address, here }) =>
                    h("option", { value: address }, here ? address : `${address}, before`)
                ),
            );
        }
        this.choice.hidden = !sorted.length;
        this.choice.value = "";
        this.map.refresh(source, bits);
        this.drawPayload(source);
        this.bitCard.refresh();
        this.collisions.refresh();
        this.beaconCard.refresh();
        mark(this.beaconCard.element, "inert", app.away || null);
        this.drawAges();
    }

    drawAges() {
        const { source, app } = this;
        const bits = source ? bitsOf(source.octets).size : 0;
        const { unknown } = app;
        // What is not heard any more is as it was at a time.
        const ageOf = (one) => {
            if (unknown && one.here) return clock(one.last);
            const words = one.here ? age(one.last, app.time) : "before";
            return words === "Now" ? "now" : words;
        };
        say(
            this.about,
            !source
                ? app.unknown
                    ? "Senders appear here as soon as they are heard again."
                    : "No iPhone with such an app is heard yet. Bring one near."
                : `${bits} of 128 bits are set, ` +
                    (source.here && !unknown
                        ? `heard for ${
                            span(app.time - Date.parse(source.first)).replace(/^0 min$/, "less than a minute")
                        }` +
                            (source.rssi === null ? "" : `, ${dBm(source.rssi).replace(" ", "\u00A0")}`)
                        : unknown
                        ? `last heard at ${clock(source.last, true)}`
                        : `last heard ${heard(source.last, app.time).replace("heard ", "")}`),
        );
        for (const row of this.list.querySelectorAll(".sender")) {
            const one = this.sources.get(row.dataset.address);
            if (one) say(row.querySelector(".sender-age"), ageOf(one));
        }
    }

    drawSenders(sorted) {
        const here = sorted.filter((one) => one.here).length;
        say(
            this.count,
            this.app.away && !sorted.length
                ? ""
                : `${here} ${this.app.away ? `at ${clock(this.app.time)}` : "now"}, ${
                    sorted.length - here
                } before`,
        );
        this.nobody.hidden = sorted.length > 0;
        mark(this.nobody, "style", null);
        say(this.nobody, sorted.length ? "" : `${this.app.unknown ?? "Nobody yet"}.`);
        const shape = JSON.stringify([
            this.source?.address,
            sorted.map((
                { address, here, rssi, payload, octets, cut_octets: cut },
            ) => [address, here, Math.round((rssi ?? 0) / 4), payload?.octets, payload?.codec, octets, cut]),
        ]);
        if (shape === this.sendersShape) return;
        this.sendersShape = shape;
        fill(
            this.list,
            sorted.map((one) => {
                const bits = bitsOf(one.octets).size;
                return h(
                    "li",
                    h(
                        "button",
                        {
                            class: one.here ? "sender" : "sender gone",
                            type: "button",
                            "data-address": one.address,
                            "aria-pressed": String(one.address === this.source?.address),
                            onclick: () => this.choose(one.address),
                        },
                        bars(one.rssi, one.here),
                        spoken(one.here ? signalWords(one.rssi) : "Not heard any more"),
                        h(
                            "span",
                            { class: "grow" },
                            h("span", { class: "octets" }, one.address),
                            one.payload ? h("span", { class: "octets hint" }, spaced(one.payload.octets)) : h(
                                "span",
                                { class: "hint" },
                                bits === 0 && (one.cut_octets ?? null) !== null
                                    ? "Map too short"
                                    : bits === 1
                                    ? "1 bit"
                                    : `${bits} bits, no payload`,
                            ),
                        ),
                        h(
                            "span",
                            { class: "beside" },
                            h("span", { class: "sender-age" }),
                            one.payload ? h("span", { class: "tag tag-quiet" }, one.payload.codec) : null,
                        ),
                    ),
                );
            }),
        );
    }

    /// What is said of a map that is too short.
    shortWords({ octets }, cut) {
        const shown = bitsOf(octets).size
            ? "the map here is the last whole one."
            : "none of its bits can be shown.";
        return `Its last map was too short, ${cut} of 16 octets: ${shown}`;
    }

    drawPayload(source) {
        const payload = source?.payload, cut = source?.cut_octets ?? null;
        const shape = JSON.stringify([source?.address, payload, cut]);
        if (shape === this.payloadShape) return;
        this.payloadShape = shape;
        this.payload.hidden = !source;
        if (!source) return;
        const short = cut === null
            ? null
            : h("p", { class: "refused" }, symbol("warn", 18), h("span", this.shortWords(source, cut)));
        if (!payload) {
            return fill(
                this.payload,
                h("div", { class: "card-head" }, h("h2", "Payload")),
                short ?? h("p", { class: "hint" }, "This map holds no message of either codec."),
            );
        }
        const [kind, word] = qualities[payload.quality];
        const fact = (name, text) => [h("dt", name), h("dd", text)];
        const other = {
            clean: payload.codec === "v1" ? "No bits of other apps in its place" : "The code is right",
            corrected: "The code put one bit right",
            polluted: "Other apps set bits in its place, so do not trust it",
            unknown: "Not certain: its place was never seen without it",
        }[payload.quality];
        const moves = payload.codec === "v2"
            ? "Stays where it is"
            : payload.stay === null
            ? payload.moves ? "Once" : "Not yet"
            : `Every ${payload.stay} s, ${counted(payload.moves, "time")} seen`;
        fill(
            this.payload,
            h(
                "div",
                { class: "card-head" },
                h("h2", "Payload"),
                h(
                    "span",
                    { class: `tag tag-${kind}` },
                    payload.codec === "v2" && kind === "ok" ? "Clean" : word,
                ),
            ),
            h("p", { class: "value" }, spaced(payload.octets)),
            short,
            h(
                "dl",
                { class: "facts" },
                fact("Codec", `${payload.codec}, found at octet ${payload.position * 8}`),
                fact("Quality", other),
                fact("Moves", moves),
            ),
        );
    }
}
