// The cards beside the Scanner's picture: the FlockFinder and its connection, and the place.
import { fill, h, say } from "../dom.js";
import { button, toggle } from "../controls.js";
import { bars, spoken, state as stateMark, symbol } from "../marks.js";
import {
    age,
    clock,
    coordinates,
    count,
    dBm,
    deviceName,
    distance,
    heading,
    place,
    placeSource,
    plain,
    speed,
} from "../text.js";
import { deviceSheet, stateWords } from "./device-card.js";
import { toast } from "../overlays.js";

const activities = {
    driving: "Driving",
    walking: "Walking",
    running: "Running",
    cycling: "Cycling",
    stationary: "Not moving",
};

/// The FlockFinder that the page is about: one that something is under way with, else the first.
export function finderOf(hub) {
    const finders = [...hub.state.devices.values()].filter((device) => device.kind === "flockfinder");
    return finders.find((device) => device.state === "connected") ??
        finders.find((device) => device.state !== "none") ?? finders[0];
}

/// The switch of the hub's own radio, which needs no FlockFinder.
export function radioSwitch(app) {
    const { settings } = app.hub.state, { lacks } = app.hub.transport;
    if (lacks.radio) {
        const words = h(
            "div",
            { class: "grow" },
            h("div", "Notice with this radio"),
            h("div", { class: "hint" }, lacks.radio),
        );
        return h("div", { class: "line-row" }, words);
    }
    return h(
        "div",
        { class: "line-row" },
        h("span", { class: "grow" }, "Notice with this radio"),
        h("span", { class: "hint" }, settings.this_radio ? "Bluetooth only" : "Off"),
        toggle(
            "Notice cameras with this radio",
            settings.this_radio,
            (on, self) => app.run(self, () => app.hub.changeSettings({ this_radio: on })),
        ),
    );
}

export class ConnectionCard {
    constructor(app, phone) {
        this.app = app;
        this.hub = app.hub;
        this.phone = phone;
        this.element = h("section", { class: "card connection", "aria-label": "FlockFinder" });
    }

    draw() {
        const device = finderOf(this.hub), away = this.app.away, now = this.app.time;
        const { id, state, name, own_name, stream, reason, connectable } = device ?? {};
        const shape = JSON.stringify([
            id,
            state,
            name,
            own_name,
            stream,
            reason,
            connectable,
            away,
            this.phone.matches,
            this.hub.state.settings.this_radio,
        ]);
        if (shape !== this.shape) {
            this.shape = shape;
            fill(this.element, this.build(device, away, now));
        }
        if (!device || away || state !== "connected") {
            if (device) fill(this.stateLine, stateWords(device, this.app));
            return;
        }
        fill(this.strength, bars(device.rssi), h("span", dBm(device.rssi)));
        say(this.near, device.rssi === null ? "" : distance(device.rssi));
        say(this.received, count(device.received));
        say(this.refused, count(device.refused));
        const since = device.last_received ? age(device.last_received, now) : "None yet";
        say(this.since, this.phone.matches && /\d (s|min)$/.test(since) ? `${since} ago` : since);
    }

    build(device, away, now) {
        this.stateLine = h("div");
        if (!device) {
            return [
                stateMark("looking", "Looking around"),
                h("h2", "No FlockFinder yet"),
                h("p", { class: "hint" }, this.hub.transport.words.finder),
                away ? null : radioSwitch(this.app),
            ];
        }
        fill(this.stateLine, stateWords(device, this.app));
        if (away) return this.buildAway(device, now);
        return device.state === "connected" ? this.buildConnected(device) : this.buildApart(device);
    }

    buildAway(device, now) {
        const text = device.state === "connected"
            ? `Was connected at ${clock(now, true)}, ${dBm(device.rssi)}`
            : `Was not connected at ${clock(now, true)}`;
        return [
            this.stateLine,
            h("h2", { class: "second cut" }, deviceName(device)),
            h("p", { class: "hint" }, text),
        ];
    }

    buildApart(device) {
        const why = device.connectable === false
            ? "Another phone or program is connected to it. Disconnect it there."
            : device.last_heard === null
            ? "It is not near. Lantern connects to it as soon as it hears it."
            : "It is near, and Lantern can connect to it.";
        const connect = button("Connect", (self) => this.app.run(self, () => this.hub.connect(device.id)), {
            kind: "main",
        });
        return [
            this.stateLine,
            h("h2", { class: "cut" }, deviceName(device)),
            h("p", { class: "hint" }, plain(device.reason ?? why)),
            device.state === "connecting" ? null : h("div", { class: "commands" }, connect),
            radioSwitch(this.app),
        ];
    }

    buildConnected(device) {
        this.strength = h("div", { class: "strength" });
        this.near = h("div", { class: "hint near" });
        const look = this.phone.matches ? "number" : "figure";
        [this.received, this.refused, this.since] = [0, 1, 2].map(() => h("span", { class: look }));
        const name = h(
            "div",
            { class: "grow" },
            this.stateLine,
            h("h2", { class: "cut" }, deviceName(device)),
            device.own_name || device.name ? h("div", { class: "octets hint" }, device.address) : null,
        );
        const top = h("div", { class: "connection-top" }, name, h("div", this.strength, this.near));
        return this.phone.matches ? [top, this.buildSummary(device)] : [top, ...this.buildCommands(device)];
    }

    buildSummary(device) {
        const open = { class: "summary", type: "button", onclick: () => deviceSheet(this.app, device.id) };
        return h(
            "button",
            open,
            h("span", this.received, " received"),
            h("span", this.refused, " refused"),
            h("span", "last ", this.since),
            symbol("right", 18),
            spoken("Open the device"),
        );
    }

    buildCommands(device) {
        const { app, hub } = this, { id } = device;
        const figure = (value, word) => h("div", value, h("span", { class: "label" }, word));
        const answered = (answer) => toast(`Answered in ${answer.milliseconds} ms: ${answer.answer}`);
        const command = (word, name) =>
            button(word, (self) => app.run(self, () => hub.command(id, name), answered), { kind: "small" });
        const stream = toggle(
            "Raw stream",
            device.stream,
            (on, self) => app.run(self, () => hub.command(id, on ? "stream_on" : "stream_off")),
        );
        const leave = button("Disconnect", (self) => app.run(self, () => hub.disconnect(id)), {
            kind: "quiet small",
        });
        return [
            h(
                "div",
                { class: "figures" },
                figure(this.received, "Received"),
                figure(this.refused, "Refused"),
                figure(this.since, "Since the last"),
            ),
            h(
                "div",
                { class: "line-row" },
                h("span", { class: "grow" }, "Raw stream"),
                h("span", { class: "hint" }, device.stream ? "Shown in Debug" : "Off"),
                stream,
            ),
            radioSwitch(this.app),
            h(
                "div",
                { class: "commands" },
                command("Ping", "PING"),
                command("Status", "STATUS"),
                command("Reset counters", "RESET"),
                h("span", { class: "grow" }),
                leave,
            ),
        ];
    }
}

export class PlaceCard {
    constructor(app) {
        this.app = app;
        this.element = h("section", { class: "card place-card", "aria-label": "Place" });
    }

    draw() {
        const { hub } = this.app.hub.state, where = hub.location, known = where.state === "fix";
        const off = where.state === "off";
        const title = known ? activities[where.activity] ?? "Place" : off ? "No place" : "No fix";
        const stored = "Detections are stored without a place.";
        const why = plain(where.reason ?? "No place is known yet.");
        const text = known ? coordinates(where) : off ? stored : `${why} ${stored}`;
        fill(
            this.element,
            h("span", { class: "tile" }, symbol(where.activity === "driving" ? "car" : "place", 20)),
            h(
                "div",
                { class: "grow" },
                h(
                    "div",
                    { class: "place-line" },
                    h(
                        "span",
                        h("strong", title),
                        h("span", { class: "second" }, known ? motion(where) : ""),
                    ),
                    known ? h("span", { class: "accuracy" }, place(where)) : null,
                ),
                h(
                    "div",
                    { class: "place-line hint" },
                    h("span", text),
                    known ? h("span", this.when(where)) : null,
                ),
            ),
            known ? null : h("a", { class: "button small", href: "#/settings/location" }, "Set place"),
        );
    }

    when(where) {
        if (this.app.away) return `at ${clock(this.app.time, true)}`;
        const source = placeSource(where);
        return where.source === "fixed" || !where.time
            ? source
            : `${source}, ${age(where.time, this.app.time).replace("Now", "now")}`;
    }
}

/// " 43 km/h, north-east", or nothing when it does not move.
function motion(where) {
    return where.speed > 0.5 ? ` ${speed(where.speed)}, ${heading(where.heading ?? 0)}` : "";
}
