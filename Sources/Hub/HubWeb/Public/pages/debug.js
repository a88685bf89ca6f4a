// Debug stream: lines of the device and of the hub, newest at the bottom, followed until scrolled or
// paused; captures.
import { fill, h, mark, say } from "../dom.js";
import { keyed } from "../list.js";
import { symbol } from "../marks.js";
import { air, clock, count, counted, deviceText, escaped, length, plain, size } from "../text.js";
import { button, copy, segments, toggle } from "../controls.js";
import { filterFault, isSilent, lineFilter, lines, linesAMinute, newest } from "./debug-lines.js";

const shown = 400;
const phone = matchMedia("(max-width: 719px)");

export function open(app) {
    return new Debug(app);
}

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
            else if (!isSilent(name)) {
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
        const words = (drawn, word) => [symbol(drawn, 18), h("span", word)];
        this.pause = button(words("pause", "Pause"), () => this.setPaused(this.pausedAt === undefined), {
            label: "Pause",
        });
        fill(
            this.app.actions,
            this.pause,
            button(symbol("copy", 18), () => this.copy(), {
                kind: "icon filled",
                label: "Copy what is shown",
            }),
            button(words("download", "Save"), () => this.save(), { label: "Save" }),
        );
        const who = segments(
            { All: "All", Device: "Device", Hub: this.app.hub.transport.words.who },
            this.who,
            (word) => {
                this.who = word;
                this.follows = true;
                this.draw();
            },
        );
        this.field = h("input", {
            class: "field",
            type: "search",
            placeholder: phone.matches ? "Filter lines" : "Filter, for example rssi > \u221270",
            "aria-label": "Filter lines",
            maxlength: 200,
            spellcheck: "false",
            oninput: () => {
                this.matches = lineFilter(this.field.value);
                this.follows = true;
                this.draw();
                this.tellFault();
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
        this.fault = h("span", { class: "fault", role: "status" });
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
                who,
                this.fault,
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
            this.app.away ? this.app.asOf : `${counted(linesAMinute(), "line")} a minute`,
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
                        : "Nothing yet. Lines from the device and from Lantern appear here as they come.",
                ),
            );
        }
        const json = h("pre");
        return h(
            "details",
            {
                class: `line ${line.look}`,
                ontoggle: (event) => {
                    if (!event.target.open) return;
                    // What somebody reads stays where it is.
                    this.follows = false;
                    this.tell();
                    json.textContent ||= escaped(JSON.stringify(JSON.parse(line.raw), null, 2));
                },
            },
            h("summary", this.summary(line)),
            json,
        );
    }

    summary(line) {
        const date = new Date(line.time);
        return [
            h(
                "span",
                { class: "hint when" },
                `${clock(date, true)}.${String(date.getMilliseconds()).padStart(3, "0")}`,
            ),
            h(
                "span",
                { class: `who ${line.who === "Hub" ? "tag-mine" : "tag-quiet"}` },
                line.who === "Hub" ? this.app.hub.transport.words.who : line.who,
            ),
            h("span", { class: "event" }, air(line.name)),
            h(
                "span",
                { class: "said" },
                line.look === "refused"
                    ? [
                        "Refused: ",
                        air(line.text, { class: "air reason" }),
                        h("span", { class: "hint" }, ` ${line.rest}`),
                    ]
                    : line.text
                    ? air(line.text)
                    : line.pairs.map(([key, item]) =>
                        h("span", { class: "pair" }, h("span", { class: "hint" }, plain(key)), " ", air(item))
                    ),
            ),
        ];
    }

    /// Says what is wrong with the filter, where it stands.
    tellFault() {
        const fault = filterFault(this.field.value);
        say(this.fault, fault ?? "");
        mark(this.field, "aria-invalid", fault ? "true" : null);
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
        this.pausedAt = paused ? newest() : undefined;
        fill(this.pause, symbol(paused ? "play" : "pause", 18), h("span", paused ? "Resume" : "Pause"));
        mark(this.pause, "aria-label", paused ? "Resume" : "Pause");
        this.draw();
    }

    text() {
        return this.chosen().map((line) => line.raw).join("\n") + "\n";
    }
    copy() {
        return copy(
            this.text(),
            `${counted(this.chosen().length, "line")} copied.`,
            "Save the lines instead.",
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
        const told = (answer) => {
            hub.capture = answer;
            this.side();
        };
        const act = (word, drawn, work) =>
            button([symbol(drawn, 16), word], (self) => this.app.run(self, work, told), { kind: "small" });
        const get = capture.file && !capture.running
            ? h(
                "a",
                { class: "button small", ...this.hub.captureFile() },
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
            capture.reason ? h("p", { class: "second" }, plain(capture.reason)) : null,
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
        for (const card of [this.card, this.stream]) mark(card, "inert", this.app.away ? true : null);
        if (finder) {
            const input = toggle(
                "Raw stream",
                finder.stream,
                (on, self) =>
                    this.app.run(self, () => this.hub.command(finder.id, on ? "stream_on" : "stream_off")),
            );
            fill(
                this.stream,
                h(
                    "div",
                    { class: "grow" },
                    h("div", "Raw stream"),
                    h("div", { class: "hint words" }, `From ${deviceText(finder)}`),
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
