// Scanner: the device, what it passes, the latest detections, the place and the devices around.
import { fill, h, mark, say } from "../dom.js";
import { keyed } from "../list.js";
import {
    bars,
    busyArc,
    confidenceWords,
    detectionMark,
    isQuiet,
    lantern,
    ring,
    signalWords,
    spoken,
    state as stateMark,
    symbol,
    tags,
    types,
} from "../marks.js";
import {
    age,
    alias,
    aliasText,
    certainty,
    clock,
    count,
    counted,
    dBm,
    deviceName,
    distance,
    heading,
    percent,
    place,
} from "../text.js";
import { Arcs } from "./arcs.js";
import { deviceList, deviceSheet, stateWords } from "./device-card.js";
import { toast } from "../overlays.js";

const phone = matchMedia("(max-width: 719px)");
const fresh = 1600;

export function open(app) {
    const page = new Scanner(app);
    app.head("Scanner");
    return page;
}

class Scanner {
    constructor(app) {
        this.app = app;
        this.hub = app.hub;
        this.filter = "all";
        this.paused = false;
        this.held = [];
        this.freshUntil = new Map();
        this.ends = [
            this.hub.on("detection", (detection) => this.arrived(detection)),
            ...["detections_deleted", "source_changed", "device_changed", "device_gone"].map((name) =>
                this.hub.on(name, () => this.refresh())
            ),
        ];
        app.main.className = "reading";
    }

    close() {
        for (const end of this.ends) end();
        this.arcs?.close();
    }

    get devices() {
        return [...this.hub.state.devices.values()];
    }
    get finder() {
        const finders = this.devices.filter((device) => device.kind === "flockfinder");
        return finders.find((device) => device.state !== "none") ?? finders[0];
    }

    /// Which of the page's faces is right: no radio, nothing yet, or the scanner.
    refresh() {
        const { hub, recent } = this.hub.state;
        if (!hub) return;
        const face = hub.radio.state !== "scanning" && !this.app.away
            ? "radio"
            : !recent.length && !hub.storage.detections
            ? "first"
            : "live";
        if (face !== this.face) {
            this.face = face;
            this.arcs?.close();
            this.arcs = null;
            fill(
                this.app.main,
                face === "radio"
                    ? this.buildRadio()
                    : face === "first"
                    ? this.buildFirst()
                    : this.buildLive(),
            );
        }
        if (face === "live") this.draw();
        else if (face === "first") this.drawFirst();
        this.tick();
    }

    tick() {
        const { hub } = this.hub.state;
        if (this.face === "radio") {
            const next = Date.parse(hub.radio.next_try);
            say(
                this.retry,
                next > Date.now()
                    ? `Tried by itself again in ${Math.ceil((next - Date.now()) / 1000)} s`
                    : "Trying again by itself",
            );
        } else if (this.face === "first") this.drawFirst();
        else if (this.face === "live") {
            this.drawConnection();
            this.drawAges();
            this.arcs.draw();
            this.around.tick();
        }
    }

    // MARK: Live

    buildLive() {
        this.arcs = new Arcs(this.app, phone);
        this.pause = h("button", {
            class: "button icon",
            type: "button",
            "aria-pressed": "false",
            "aria-label": "Pause the picture and the list",
            onclick: () => this.setPaused(!this.paused),
        }, symbol("pause", 18));
        this.sound = h("button", { class: "button icon", type: "button", onclick: () => this.toggleSound() });
        this.connection = h("section", { class: "card connection", "aria-label": "FlockFinder" });
        this.placeCard = h("section", { class: "card place-card", "aria-label": "Place" });
        this.list = h("ul", { class: "latest" });
        this.waiting = h("button", {
            class: "chip set waiting",
            type: "button",
            hidden: true,
            onclick: () => this.release(),
        });
        const choice = (name, word) =>
            h("button", {
                type: "button",
                "aria-pressed": String(name === this.filter),
                onclick: (event) => {
                    this.filter = name;
                    for (const button of event.target.parentNode.children) {
                        mark(button, "aria-pressed", button === event.target ? "true" : "false");
                    }
                    this.draw();
                },
            }, word);
        for (const name of ["pointerenter", "focusin"]) {
            this.list.addEventListener(name, () => {
                this.still = true;
            });
        }
        for (const name of ["pointerleave", "focusout"]) {
            this.list.addEventListener(name, () => {
                this.still = false;
                this.release();
            });
        }
        this.around = deviceList(this.app);
        return h(
            "div",
            { class: "scanner" },
            h(
                "div",
                { class: "column" },
                h(
                    "section",
                    { class: "card arcs-card", "aria-label": "Last minutes" },
                    h(
                        "div",
                        { class: "card-head" },
                        h("h2", "Last 10 minutes"),
                        h("span", { class: "hint cut" }, "One arc for each source that was passed"),
                        h("span", { class: "grow" }),
                        this.sound,
                        this.pause,
                    ),
                    this.arcs.element,
                ),
                h(
                    "section",
                    { class: "card latest-card", "aria-label": "Latest detections" },
                    h(
                        "div",
                        { class: "card-head" },
                        h("h2", "Latest detections"),
                        h("span", { class: "grow" }),
                        h("a", { class: "narrow", href: "#/history" }, "History"),
                        h(
                            "div",
                            { class: "segments wide" },
                            choice("all", "All"),
                            choice("new", "New sources"),
                        ),
                    ),
                    h(
                        "div",
                        { class: "latest-head", "aria-hidden": "true" },
                        [["", ""], ["Source", ""], ["Confidence", ""], ["Signal", ""], ["Place", ""], [
                            "Age",
                            "end",
                        ]]
                            .map(([word, kind]) => h("span", { class: kind }, word)),
                    ),
                    this.waiting,
                    this.list,
                ),
            ),
            h(
                "div",
                { class: "column" },
                this.connection,
                this.placeCard,
                h("section", { class: "card around", "aria-label": "Devices around" }, this.around.element),
            ),
        );
    }

    arrived(detection) {
        this.freshUntil.set(detection.id, Date.now() + fresh);
        if (this.freshUntil.size > 200) this.freshUntil.delete(this.freshUntil.keys().next().value);
        if (this.face !== "live") return this.refresh();
        (this.news ??= []).push(detection);
        if (this.paused || this.still) this.held.push(detection);
        // Grouped: a busy device sends hundreds a second, a page draws four times.
        this.timer ??= setTimeout(() => {
            this.timer = null;
            const strongest = this.news.reduce((best, one) => (one.rssi > best.rssi ? one : best));
            this.app.announce(
                `${this.news.length} new, the strongest ${types[strongest.type]?.[0] ?? "Unknown"}, ${
                    distance(strongest.rssi).toLowerCase()
                }`,
            );
            this.news = [];
            this.draw();
        }, 250);
    }

    draw() {
        if (this.face !== "live" || !this.list) return;
        const now = this.app.time, since = now - 10 * 60000;
        const recent = this.hub.state.recent,
            inside = recent.filter((item) => Date.parse(item.received) >= since);
        const sources = new Set(inside.map((item) => item.source));
        this.app.head(
            "Scanner",
            this.app.away
                ? `As of ${clock(now, true)}`
                : `${counted(inside.length, "detection")} of ${
                    counted(sources.size, "source")
                } in the last 10 minutes`,
        );
        const heldIds = new Set(this.held.map((item) => item.id));
        this.waiting.hidden = !this.held.length;
        say(this.waiting, `${count(this.held.length)} new`);
        const seen = new Set(), rows = [];
        for (const item of recent) {
            if (heldIds.has(item.id) || seen.has(item.source) || (this.filter === "new" && !item.new)) {
                continue;
            }
            seen.add(item.source);
            rows.push(item);
            if (rows.length === 50) break;
        }
        keyed(
            this.list,
            rows,
            (item) => item.id,
            (item) => this.row(item),
            (element, item) => this.update(element, item),
        );
        if (!rows.length) {
            keyed(this.list, [{ id: "none" }], (item) => item.id, () =>
                h(
                    "li",
                    { class: "empty" },
                    h(
                        "p",
                        this.filter === "new"
                            ? "No source was heard for the first time in the last minutes."
                            : "Nothing in the last minutes.",
                    ),
                ));
        }
        if (!this.paused) this.arcs.show(recent);
        this.arcs.draw();
        this.drawConnection();
        this.drawPlace();
        this.drawAges();
        this.around.refresh();
        const quiet = this.hub.state.settings.alerts.sound === "off";
        fill(this.sound, symbol(quiet ? "mute" : "sound", 18));
        mark(this.sound, "aria-label", quiet ? "Sound is off. Switch it on" : "Sound is on. Switch it off");
    }

    row(item) {
        const element = h("li", { class: "latest-row" });
        element.age = h("span", { class: "age" });
        element.tags = h("span", { class: "tags" });
        element.append(
            h("a", {
                class: "cover",
                href: `#/history/source/${item.source}`,
                "aria-label": `${types[item.type]?.[0] ?? "Unknown"}, ${aliasText(item)}`,
            }),
            detectionMark(item.type, "soft", phone.matches ? 36 : 32),
            h(
                "div",
                { class: "name" },
                h(
                    "div",
                    { class: "first" },
                    h("span", { class: "title cut" }, types[item.type]?.[0] ?? "Unknown"),
                    element.tags,
                ),
                h("div", { class: "hint cut" }, alias(item)),
            ),
            h(
                "div",
                { class: "confidence" },
                ring(item.confidence),
                spoken(confidenceWords(item.confidence)),
                h("span", { class: "wide", "aria-hidden": "true" }, certainty(item.confidence)),
                h("span", { class: "wide second per-cent", "aria-hidden": "true" }, percent(item.confidence)),
            ),
            h(
                "div",
                { class: "signal" },
                bars(item.rssi),
                spoken(signalWords(item.rssi)),
                h("span", { class: "wide", "aria-hidden": "true" }, distance(item.rssi)),
                h("span", { class: "wide hint level", "aria-hidden": "true" }, dBm(item.rssi)),
            ),
            h("span", { class: "wide where" }, place(item)),
            element.age,
        );
        return element;
    }

    update(element, item) {
        element.item = item;
        const flags = `${item.new}${item.mine}${item.muted}${item.false_alarm}`;
        if (element.flags !== flags) {
            element.flags = flags;
            fill(element.tags, tags(item));
            element.classList.toggle("is-quiet", isQuiet(item));
        }
        element.classList.toggle("fresh", !this.app.away && (this.freshUntil.get(item.id) ?? 0) > Date.now());
    }

    drawAges() {
        const now = this.app.time;
        for (const element of this.list.children) {
            if (!element.item) continue;
            const words = this.app.away
                ? clock(element.item.received, now - Date.parse(element.item.received) < 120000)
                : age(element.item.received, now);
            say(element.age, words);
            element.age.classList.toggle("now", words === "Now");
            if ((this.freshUntil.get(element.item.id) ?? 0) < Date.now()) element.classList.remove("fresh");
        }
    }

    release() {
        if (this.paused || !this.held.length) return;
        this.held = [];
        this.draw();
    }

    setPaused(paused) {
        this.paused = paused;
        mark(this.pause, "aria-pressed", String(paused));
        mark(this.pause, "aria-label", paused ? "Go on" : "Pause the picture and the list");
        fill(this.pause, symbol(paused ? "play" : "pause", 18));
        this.arcs.paused = paused;
        this.release();
        this.draw();
    }

    toggleSound() {
        const { alerts } = this.hub.state.settings;
        const sound = alerts.sound === "off" ? this.lastSound ?? "chime" : "off";
        if (sound === "off") this.lastSound = alerts.sound;
        this.app.run(
            this.sound,
            () => this.hub.changeSettings({ alerts: { sound } }),
            () => this.app.alerts.play(sound, alerts.volume),
        );
    }

    // MARK: The cards beside

    drawConnection() {
        const device = this.finder, away = this.app.away, now = this.app.time;
        const shape = JSON.stringify([
            device?.id,
            device?.state,
            device?.name,
            device?.own_name,
            device?.stream,
            device?.reason,
            away,
            phone.matches,
        ]);
        if (shape !== this.connectionShape) {
            this.connectionShape = shape;
            const held = this.connection.contains(document.activeElement);
            fill(this.connection, this.buildConnection(device, away, now));
            if (held) this.connection.querySelector("button, input")?.focus();
        }
        if (!device || away || device.state !== "connected") {
            if (device && this.stateLine) fill(this.stateLine, stateWords(device, away));
            return;
        }
        fill(this.strength, bars(device.rssi), h("span", dBm(device.rssi)));
        say(this.near, distance(device.rssi));
        say(this.received, count(device.received));
        say(this.refused, count(device.refused));
        say(this.since, device.last_received ? age(device.last_received, now) : "None yet");
    }

    buildConnection(device, away, now) {
        this.stateLine = h("div");
        if (!device) {
            return [
                stateMark("looking", "Looking around"),
                h("h2", "No FlockFinder yet"),
                h("p", { class: "hint" }, "Switch it on and keep it near. The hub connects to it by itself."),
            ];
        }
        fill(this.stateLine, stateWords(device, away));
        if (away) {
            return [
                this.stateLine,
                h("h2", { class: "second cut" }, deviceName(device)),
                h(
                    "p",
                    { class: "hint" },
                    device.state === "connected"
                        ? `Was connected at ${clock(now, true)}, ${dBm(device.rssi)}`
                        : `Was not connected at ${clock(now, true)}`,
                ),
            ];
        }
        if (device.state !== "connected") {
            const button = h("button", {
                class: "button main",
                type: "button",
                onclick: () => this.app.run(button, () => this.hub.connect(device.id)),
            }, "Connect");
            return [
                this.stateLine,
                h("h2", { class: "cut" }, deviceName(device)),
                h(
                    "p",
                    { class: "hint" },
                    device.reason ??
                        (device.connectable
                            ? "It is near and can be connected to."
                            : "Another phone or program holds its connection. Disconnect it there."),
                ),
                device.state === "connecting" ? null : h("div", { class: "commands" }, button),
            ];
        }
        this.strength = h("div", { class: "strength" });
        this.near = h("div", { class: "hint near" });
        [this.received, this.refused, this.since] = [0, 1, 2].map(() =>
            h("span", { class: phone.matches ? "number" : "figure" })
        );
        const top = h(
            "div",
            { class: "connection-top" },
            h(
                "div",
                { class: "grow" },
                this.stateLine,
                h("h2", { class: "cut" }, deviceName(device)),
                h("div", { class: "octets hint" }, device.address),
            ),
            h("div", this.strength, this.near),
        );
        if (phone.matches) {
            return [
                top,
                h(
                    "button",
                    {
                        class: "summary",
                        type: "button",
                        onclick: () => deviceSheet(this.app, device.id),
                    },
                    h("span", this.received, " received"),
                    h("span", this.refused, " refused"),
                    h("span", "last ", this.since),
                    symbol("right", 18),
                    spoken("Open the device"),
                ),
            ];
        }
        const figure = (value, word) => h("div", value, h("span", { class: "label" }, word));
        const command = (word, name) => {
            const button = h("button", {
                class: "button small",
                type: "button",
                onclick: () =>
                    this.app.run(
                        button,
                        () => this.hub.command(device.id, name),
                        (answer) => toast(`Answered in ${answer.milliseconds} ms: ${answer.answer}`),
                    ),
            }, word);
            return button;
        };
        const stream = h("input", {
            type: "checkbox",
            class: "switch",
            role: "switch",
            checked: device.stream,
            "aria-label": "Raw stream",
            onchange: () =>
                this.app.run(
                    stream,
                    () => this.hub.command(device.id, stream.checked ? "stream_on" : "stream_off"),
                ),
        });
        const leave = h("button", {
            class: "button quiet small",
            type: "button",
            onclick: () => this.app.run(leave, () => this.hub.disconnect(device.id)),
        }, "Disconnect");
        return [
            top,
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

    drawPlace() {
        const where = this.hub.state.hub.location, known = where.state === "fix";
        const activity = {
            driving: "Driving",
            walking: "Walking",
            running: "Running",
            cycling: "Cycling",
            stationary: "Not moving",
        }[where.activity] ?? "Place";
        const imperial = this.hub.state.settings.units === "imperial";
        const speed = where.speed > 0.5
            ? ` ${Math.round(where.speed * (imperial ? 2.237 : 3.6))} ${imperial ? "mph" : "km/h"}, ${
                heading(where.heading ?? 0)
            }`
            : "";
        fill(
            this.placeCard,
            h("span", { class: "tile" }, symbol(where.activity === "driving" ? "car" : "place", 20)),
            h(
                "div",
                { class: "grow" },
                h(
                    "div",
                    h("strong", known ? activity : where.state === "off" ? "No place" : "No fix"),
                    h("span", { class: "second" }, known ? speed : ""),
                ),
                h(
                    "div",
                    { class: "hint" },
                    known
                        ? `${where.latitude.toFixed(5)}, ${where.longitude.toFixed(5)}`
                        : where.state === "off"
                        ? "Detections are stored without a place."
                        : "Waiting for satellites. Detections are stored without a place.",
                ),
            ),
            known
                ? h(
                    "div",
                    { class: "place-age" },
                    h("div", place(where)),
                    h(
                        "div",
                        { class: "hint" },
                        this.app.away ? `at ${clock(this.app.time, true)}` : where.source,
                    ),
                )
                : h("a", { class: "button small", href: "#/settings/location" }, "Set place"),
        );
    }

    // MARK: First run and no radio

    buildFirst() {
        this.began ??= Date.now();
        this.app.head("Scanner", "");
        this.steps = h("div", { class: "card steps" });
        this.firstShape = null;
        const waves = h(
            "div",
            { class: "waves", "aria-hidden": "true" },
            [1, 2, 3, 4].map((number) => h("i", { class: `wave-${number}` })),
            lantern(44),
        );
        return h(
            "div",
            { class: "narrow-page" },
            h(
                "section",
                { class: "card welcome" },
                waves,
                h("h2", "Waiting for the first detection"),
                h(
                    "p",
                    "Switch the FlockFinder on and keep it near. The hub connects to it by itself, " +
                        "and what it finds arrives here.",
                ),
            ),
            this.steps,
            h(
                "p",
                { class: "hint centred" },
                "No FlockFinder at hand? On the hub, type ",
                h("code", { class: "octets" }, "lantern demo"),
                " to see it with simulated devices.",
            ),
        );
    }

    drawFirst() {
        const { hub } = this.hub.state, finder = this.finder, ready = finder?.state === "connected";
        const waited = age(new Date(this.began).toISOString());
        const looking = ready
            ? "Connected, nothing noticed yet"
            : finder
            ? `${stateWords(finder, false).textContent}`
            : `Looking${waited === "Now" ? "" : `, ${waited} so far`}`;
        if (!this.lookingText) this.lookingText = h("div", { class: "hint" });
        say(this.lookingText, looking);
        const shape = JSON.stringify([hub.radio.name, this.devices.length, ready, hub.location.state]);
        if (shape === this.firstShape) return;
        this.firstShape = shape;
        const step = (drawing, title, text, button) =>
            h("div", { class: "step" }, drawing, h("div", { class: "grow" }, h("div", title), text), button);
        const done = () => h("span", { class: "step-mark done" }, symbol("check", 18));
        const hint = (text) => h("div", { class: "hint" }, text);
        fill(
            this.steps,
            step(
                done(),
                "Radio",
                hint(`${hub.radio.name} is listening, ${counted(this.devices.length, "device")} heard`),
            ),
            step(
                ready ? done() : h("span", { class: "step-mark" }, busyArc(24)),
                "FlockFinder",
                this.lookingText,
                ready ? null : h("button", {
                    class: "button small",
                    type: "button",
                    onclick: () => deviceSheet(this.app),
                }, "Choose a device"),
            ),
            step(
                hub.location.state === "fix" ? done() : h("span", { class: "step-mark" }, "3"),
                "Place",
                hint("Optional, for the map and the drives"),
                hub.location.state === "fix"
                    ? null
                    : h("a", { class: "button small", href: "#/settings/location" }, "Set place"),
            ),
        );
    }

    buildRadio() {
        const { radio, storage } = this.hub.state.hub;
        this.app.head("Scanner", "");
        this.retry = h("span", { class: "hint" });
        const again = h("button", {
            class: "button main",
            type: "button",
            onclick: () => this.app.run(again, () => this.hub.retryRadio()),
        }, "Try again");
        const command = (text) =>
            h(
                "div",
                { class: "command" },
                h("code", { class: "octets" }, text),
                h("button", {
                    class: "button icon",
                    type: "button",
                    "aria-label": `Copy ${text}`,
                    onclick: () =>
                        navigator.clipboard.writeText(text).then(
                            () => toast("Copied."),
                            () => toast("This browser does not allow copying. Select the text instead."),
                        ),
                }, symbol("copy", 18)),
            );
        return h(
            "div",
            { class: "narrow-page" },
            h(
                "section",
                { class: "card trouble" },
                h("span", { class: "trouble-mark" }, symbol("warn", 24)),
                h("div", { class: "trouble-words" }, h("h2", radio.title), h("p", radio.text)),
                radio.commands.length
                    ? h(
                        "div",
                        { class: "trouble-commands" },
                        h(
                            "div",
                            radio.commands.length > 1
                                ? "On the hub, type one of these"
                                : "On the hub, type this",
                        ),
                        radio.commands.map(command),
                    )
                    : null,
                h(
                    "div",
                    { class: "trouble-actions" },
                    again,
                    h("a", { class: "button", href: "#/debug" }, "Open Debug"),
                    h("span", { class: "grow" }),
                    this.retry,
                ),
            ),
            h(
                "section",
                { class: "card kept" },
                symbol("history"),
                h(
                    "div",
                    { class: "grow" },
                    h("div", "Everything stored is still here"),
                    h(
                        "div",
                        { class: "hint" },
                        `${counted(storage.detections, "detection")}${
                            storage.last_detection
                                ? `, the last one at ${clock(storage.last_detection, true)}`
                                : ""
                        }`,
                    ),
                ),
                h("a", { href: "#/history" }, "History"),
            ),
        );
    }
}
