// Debug stream: lines of the device and of the hub, newest at the bottom, followed until scrolled or
// paused; captures.
import { fill, h, mark, say } from "../dom.js";
import { keyed } from "../list.js";
import { symbol } from "../marks.js";
import { air, clock, count, counted, deviceText, length, plain, size } from "../text.js";
import { toast } from "../overlays.js";

const kept = 2000;
const shown = 400;
const fromDevice = new Set(["detection", "flock_stream", "flock_parse_error"]);
const quiet = new Set([
    "hub_changed",
    "settings_changed",
    "device_changed",
    "device_gone",
    "state",
    "link",
    "advertisement",
]);
const unread = new Set([
    "event",
    "time",
    "octets",
    "address",
    "address_kind",
    "extra",
    "source",
    "new",
    "mine",
    "muted",
    "false_alarm",
]);

/// One line of an event: time, who says it, its name, its keys and values, how it is drawn.
export function lineOf(value, name) {
    const object = name === "flock_stream" && value.object && typeof value.object === "object"
        ? value.object
        : null;
    const line = {
        time: Date.parse(value.time) || Date.now(),
        who: fromDevice.has(name) ? "Device" : "Hub",
        name: object?.event ?? name.replace(/^flock_/, ""),
        look: "",
        pairs: [],
        raw: JSON.stringify(value),
    };
    if (name === "flock_parse_error") {
        Object.assign(line, {
            name: "detection",
            look: "refused",
            text: value.reason,
            rest: `kept raw, ${counted(value.octets.length / 2, "octet")}`,
        });
    } else if (name === "flock_notice" || name === "gap") {
        Object.assign(line, {
            name: name === "gap" ? "gap" : "notice",
            look: "warning",
            text: value.text ?? `${counted(value.lost, "event")} came too fast for this page`,
        });
    } else {
        if (name === "detection") line.look = "strong";
        const told = name === "detection"
            ? {
                type: value.label,
                ssid: value.ssid,
                mac: value.mac,
                rssi: value.rssi,
                confidence: value.confidence,
                stored: value.id,
            }
            : object ?? value;
        for (const [key, item] of Object.entries(told)) {
            if (unread.has(key) || item === null) continue;
            line.pairs.push([key, typeof item === "object" ? JSON.stringify(item) : String(item)]);
        }
        line.pairs = line.pairs.slice(0, 24);
    }
    line.plain = `${line.name} ${line.text ?? ""} ${
        line.pairs.map(([key, item]) => `${key} ${item}`).join(" ")
    }`;
    return line;
}

/// A filter as it is typed: words that must be in a line, and comparisons such as "rssi > -70".
export function lineFilter(text) {
    const tests = [];
    const rest = text.replace(/([a-z_]+)\s*(<=|>=|<|>|=)\s*([-\u2212]?[\d.]+)/gi, (_, key, sign, number) => {
        const wanted = Number(number.replace("\u2212", "-"));
        const compare = {
            "<": (a) => a < wanted,
            ">": (a) => a > wanted,
            "<=": (a) => a <= wanted,
            ">=": (a) => a >= wanted,
            "=": (a) => a === wanted,
        }[sign];
        tests.push((line) =>
            line.pairs.some(([name, item]) => name === key.toLowerCase() && compare(Number(item)))
        );
        return " ";
    });
    for (const word of rest.toLowerCase().split(/\s+/).filter(Boolean)) {
        tests.push((line) => line.plain.toLowerCase().includes(word));
    }
    return (line) => tests.every((test) => test(line));
}

let lines = [], number = 0, heardBy = null;

/// Keeps the last lines from the first moment on, so that the page has a past when it is opened.
function listen(hub) {
    if (heardBy === hub) return;
    heardBy = hub;
    hub.on("*", (value, name) => {
        if (quiet.has(name) || !value) return;
        lines.push(Object.assign(lineOf(value, name), { number: number += 1 }));
        if (lines.length > kept + 200) lines.splice(0, lines.length - kept);
    });
}

export function begin(hub) {
    listen(hub);
}
export function open(app) {
    return new Debug(app);
}
export const linesAMinute = () => lines.filter((line) => line.time > Date.now() - 60000).length;

class Debug {
    constructor(app) {
        this.app = app;
        this.hub = app.hub;
        this.who = "All";
        this.follows = true;
        this.matches = () => true;
        app.main.className = "working";
        fill(app.main, this.build());
        this.end = this.hub.on("*", (_, name) => {
            if (name === "hub_changed" || name === "device_changed") this.side();
            else if (!quiet.has(name)) {
                this.timer ??= setTimeout(() => {
                    this.timer = null;
                    this.draw();
                }, 250);
            }
        });
        this.draw();
        this.side();
    }

    close() {
        this.end();
        clearTimeout(this.timer);
    }

    build() {
        const button = (word, drawn, action, kind) =>
            h(
                "button",
                { class: `button ${kind}`, type: "button", "aria-label": word, onclick: action },
                symbol(drawn, 18),
                kind.includes("icon") ? null : h("span", word),
            );
        this.pause = button("Pause", "pause", () => this.setPaused(this.pausedAt === undefined), "");
        fill(
            this.app.actions,
            this.pause,
            button("Copy what is shown", "copy", () => this.copy(), "icon filled"),
            button("Save", "download", () => this.save(), ""),
        );
        const segment = (word) =>
            h("button", {
                type: "button",
                "aria-pressed": String(word === this.who),
                onclick: (event) => {
                    this.who = word;
                    for (const other of event.target.parentNode.children) {
                        mark(other, "aria-pressed", other === event.target ? "true" : "false");
                    }
                    this.draw();
                },
            }, word);
        this.field = h("input", {
            class: "field",
            type: "search",
            placeholder: "Filter lines, for example rssi > \u221270",
            "aria-label": "Filter lines",
            maxlength: 200,
            spellcheck: "false",
            oninput: () => {
                this.matches = lineFilter(this.field.value);
                this.draw();
            },
        });
        this.following = h("button", {
            class: "button quiet small following",
            type: "button",
            onclick: () => {
                this.setPaused(false);
                this.follows = true;
                this.draw();
            },
        });
        this.log = h("div", {
            class: "log octets",
            role: "log",
            "aria-live": "off",
            "aria-label": "Lines",
            tabindex: "0",
            onscroll: () => {
                this.follows = this.log.scrollHeight - this.log.scrollTop - this.log.clientHeight < 40;
                this.tell();
            },
        });
        this.card = h("section", { class: "card", "aria-label": "Capture" });
        this.counts = h("section", { class: "card", "aria-label": "Last 5 minutes" });
        this.stream = h("section", { class: "card stream-card", "aria-label": "Raw stream" });
        return h(
            "div",
            { class: "debug" },
            h(
                "div",
                { class: "debug-filters" },
                h(
                    "div",
                    { class: "search" },
                    symbol("search"),
                    this.field,
                    h("kbd", { "aria-hidden": "true" }, "/"),
                ),
                h("div", { class: "segments" }, ["All", "Device", "Hub"].map(segment)),
                h("span", { class: "grow" }),
                this.following,
            ),
            this.log,
            h(
                "aside",
                { class: "debug-side", "aria-label": "Capture and counts" },
                this.card,
                this.counts,
                this.stream,
            ),
        );
    }

    chosen() {
        const until = this.pausedAt ?? Infinity;
        return lines.filter((line) =>
            line.number <= until && (this.who === "All" || line.who === this.who) && this.matches(line)
        );
    }

    draw() {
        this.app.head(
            "Debug stream",
            this.app.away
                ? `As of ${clock(this.app.time, true)}`
                : `${counted(linesAMinute(), "line")} a minute`,
        );
        if (this.follows || !this.log.firstChild || this.pausedAt !== undefined) {
            const rows = this.chosen().slice(-shown);
            keyed(
                this.log,
                rows.length ? rows : [{ number: 0 }],
                (line) => line.number,
                (line) => this.line(line),
            );
            if (this.follows) this.log.scrollTop = this.log.scrollHeight;
        }
        this.tell();
        this.drawCounts();
    }

    line(line) {
        if (!line.number) {
            return h(
                "div",
                { class: "empty" },
                h(
                    "p",
                    lines.length
                        ? "No line matches the filter."
                        : "Nothing has been said yet. Lines of the device and the hub arrive here.",
                ),
            );
        }
        const date = new Date(line.time);
        return h(
            "div",
            { class: `line ${line.look}` },
            h(
                "span",
                { class: "hint when" },
                `${clock(date, true)}.${String(date.getMilliseconds()).padStart(3, "0")}`,
            ),
            h("span", { class: `who ${line.who === "Hub" ? "tag-mine" : "tag-quiet"}` }, line.who),
            h("span", { class: "event" }, air(line.name)),
            h(
                "span",
                { class: "said" },
                line.look === "refused"
                    ? [
                        h("strong", "Refused: "),
                        air(line.text, { class: "air reason" }),
                        h("span", { class: "hint" }, ` ${line.rest}`),
                    ]
                    : line.text
                    ? air(line.text)
                    : line.pairs.map(([key, item]) =>
                        h("span", { class: "pair" }, h("span", { class: "hint" }, plain(key)), " ", air(item))
                    ),
            ),
        );
    }

    tell() {
        const after = lines.length ? lines.at(-1).number : 0;
        const newer = this.pausedAt !== undefined ? after - this.pausedAt : 0;
        this.following.classList.toggle("idle", this.follows && this.pausedAt === undefined);
        say(
            this.following,
            this.pausedAt !== undefined
                ? `Paused, ${count(newer)} new`
                : this.follows
                ? "Following the newest line"
                : "Scrolled back. Follow again",
        );
    }

    setPaused(paused) {
        this.pausedAt = paused ? number : undefined;
        fill(this.pause, symbol(paused ? "play" : "pause", 18), h("span", paused ? "Go on" : "Pause"));
        mark(this.pause, "aria-label", paused ? "Go on" : "Pause");
        this.draw();
    }

    text() {
        return this.chosen().map((line) => line.raw).join("\n") + "\n";
    }
    copy() {
        navigator.clipboard.writeText(this.text()).then(
            () => toast(`${counted(this.chosen().length, "line")} copied.`),
            () => toast("This browser does not allow copying. Save the lines instead."),
        );
    }
    save() {
        const address = URL.createObjectURL(new Blob([this.text()], { type: "application/x-ndjson" }));
        h("a", {
            href: address,
            download: `lantern-${new Date().toISOString().slice(0, 19).replaceAll(":", "-")}.jsonl`,
        }).click();
        setTimeout(() => URL.revokeObjectURL(address), 10000);
    }

    drawCounts() {
        const names = new Map(), since = Date.now() - 300000;
        for (const line of lines) {
            if (line.time > since) {
                const name = line.look === "refused" ? "refused" : plain(line.name).slice(0, 40);
                names.set(name, (names.get(name) ?? 0) + 1);
            }
        }
        const rows = [...names].sort((a, b) => b[1] - a[1]).slice(0, 8), most = rows[0]?.[1] ?? 1;
        fill(
            this.counts,
            h("h2", { class: "card-title" }, "Last 5 minutes"),
            rows.length
                ? rows.map(([name, number]) => {
                    const bar = h("i", { class: name === "refused" ? "bad" : "" });
                    bar.style.width = `${Math.max(1, 100 * number / most)}%`;
                    return h(
                        "div",
                        { class: "count-row" },
                        h("span", { class: "octets cut" }, name),
                        h("span", { class: "second" }, count(number)),
                        h("span", { class: "bar" }, bar),
                    );
                })
                : h("p", { class: "hint" }, "Nothing yet"),
        );
    }

    side() {
        const { hub, devices } = this.hub.state, capture = hub.capture;
        const act = (word, drawn, work) => {
            const one = h(
                "button",
                {
                    class: "button small",
                    type: "button",
                    onclick: () =>
                        this.app.run(one, work, (answer) => {
                            hub.capture = answer;
                            this.side();
                        }),
                },
                symbol(drawn, 16),
                word,
            );
            return one;
        };
        const get = capture.file && !capture.running
            ? h(
                "a",
                { class: "button small", href: this.hub.captureAddress(), download: "" },
                symbol("download", 16),
                "Download",
            )
            : null;
        this.time = h("span", { class: "figure" });
        fill(
            this.card,
            capture.running
                ? h("div", { class: "capturing" }, symbol("record", 18), "Capturing")
                : h("h2", { class: "card-title" }, "Capture"),
            capture.running
                ? h(
                    "div",
                    { class: "capture-numbers" },
                    this.time,
                    h(
                        "span",
                        { class: "second" },
                        `${size(capture.octets)}, ${counted(capture.packets, "packet")}`,
                    ),
                )
                : capture.file
                ? h(
                    "p",
                    { class: "second" },
                    `${size(capture.octets)}, ${counted(capture.packets, "packet")}`,
                )
                : null,
            h(
                "div",
                { class: "capture-actions" },
                capture.running
                    ? act("Stop", "stop", () => this.hub.stopCapture())
                    : act("Start a capture", "record", () => this.hub.startCapture()),
                get,
            ),
            h(
                "p",
                { class: "hint capture-words" },
                `All HCI traffic of ${hub.radio.name}, for Wireshark. Passwords that were sent are in it.`,
            ),
        );
        const finder = [...devices.values()].find((device) =>
            device.kind === "flockfinder" && device.state === "connected"
        );
        this.stream.hidden = !finder;
        if (finder) {
            const input = h("input", {
                type: "checkbox",
                class: "switch",
                role: "switch",
                "aria-label": "Raw stream",
                checked: finder.stream,
                onchange: () =>
                    this.app.run(
                        input,
                        () => this.hub.command(finder.id, input.checked ? "stream_on" : "stream_off"),
                    ),
            });
            fill(
                this.stream,
                h(
                    "div",
                    { class: "grow" },
                    h("div", "Raw stream"),
                    h("div", { class: "hint cut" }, `Asked of ${deviceText(finder)}`),
                ),
                input,
            );
        }
        this.tick();
    }

    tick() {
        const { capture } = this.hub.state.hub;
        if (capture.running) say(this.time, length(this.app.time - Date.parse(capture.started)));
        this.tell();
    }
    refresh() {
        this.side();
        this.draw();
    }
}
