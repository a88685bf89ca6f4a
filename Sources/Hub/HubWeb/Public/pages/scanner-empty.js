// What the Scanner shows while there is nothing to scan: the first run, and a hub without a radio.
import { fill, h, s, say } from "../dom.js";
import { button, copyButton } from "../controls.js";
import { busyArc, lantern, symbol } from "../marks.js";
import { age, clock, counted } from "../text.js";
import { deviceSheet, stateWords } from "./device-card.js";
import { finderOf, radioSwitch } from "./scanner-cards.js";

const hint = (text) => h("div", { class: "hint" }, text);

/// Three steps to the first detection.
export class FirstRun {
    constructor(app) {
        this.app = app;
        this.began = Date.now();
        this.steps = h("div", { class: "card steps" });
        this.looking = hint("");
        const { finder, demo } = app.hub.way.words, words = `${finder} What it finds arrives here.`;
        this.element = h(
            "div",
            { class: "narrow-page" },
            h(
                "section",
                { class: "card welcome" },
                waves(),
                h("h2", "Waiting for the first detection"),
                h("p", words),
            ),
            this.steps,
            demo
                ? h(
                    "p",
                    { class: "hint centred" },
                    "No FlockFinder at hand? ",
                    demo.map((words, index) => index === 1 ? h("code", { class: "octets" }, words) : words),
                )
                : null,
        );
    }

    draw() {
        const { hub, devices } = this.app.hub.state, finder = finderOf(this.app.hub);
        const ready = finder?.state === "connected", placed = hub.location.state === "fix";
        const waited = age(new Date(this.began).toISOString());
        say(
            this.looking,
            ready
                ? "Connected, nothing noticed yet"
                : finder
                ? stateWords(finder, this.app).textContent
                : `Looking${waited === "Now" ? "" : `, ${waited} so far`}`,
        );
        const own = this.app.hub.state.settings.this_radio;
        const shape = JSON.stringify([hub.radio.name, devices.size, ready, placed, own]);
        if (shape === this.shape) return;
        this.shape = shape;
        const done = () => h("span", { class: "step-mark done" }, symbol("check", 18));
        const waiting = (content) => h("span", { class: "step-mark" }, content);
        const { way } = this.app.hub, offer = way.offer ?? (() => deviceSheet(this.app));
        const choose = () => button("Choose a device", offer, { kind: "small" });
        const place = () => h("a", { class: "button small", href: "#/settings/location" }, "Set place");
        fill(
            this.steps,
            step(
                done(),
                "Radio",
                hint(`${hub.radio.name} is listening, ${counted(devices.size, "device")} heard`),
            ),
            step(ready ? done() : waiting(busyArc(24)), "FlockFinder", this.looking, ready ? null : choose()),
            step(
                own ? done() : waiting(symbol("scanner", 18)),
                "This radio",
                hint("Notices cameras without a FlockFinder, by Bluetooth alone"),
                radioSwitch(this.app).querySelector("input"),
            ),
            step(
                placed ? done() : waiting("3"),
                "Place",
                hint("Optional, for the map"),
                placed ? null : place(),
            ),
        );
    }
}

const step = (drawing, title, text, control) =>
    h("div", { class: "step" }, drawing, h("div", { class: "grow" }, h("div", title), text), control);

/// The lantern and what it hears around.
function waves() {
    const arc = (radius, index) => {
        const d = `M${165 - radius} 158a${radius} ${radius} 0 0 1 ${2 * radius} 0`;
        return s("path", { d, opacity: 0.8 - index * 0.17 });
    };
    const picture = s("svg", { viewBox: "0 0 330 180", class: "wave-arcs" }, [44, 80, 116, 152].map(arc));
    return h("div", { class: "waves", "aria-hidden": "true" }, picture, lantern(52));
}

/// What happened to the radio, what it means, what to type, and what still works.
export class NoRadio {
    constructor(app) {
        this.app = app;
        this.retry = h("span", { class: "hint" });
        this.box = h("section", { class: "card trouble" });
        this.kept = h("section", { class: "card kept" });
        this.again = button("Try again", (self) => app.run(self, () => app.hub.retryRadio()), {
            kind: "main",
        });
        this.element = h("div", { class: "narrow-page" }, this.box, this.kept);
    }

    draw() {
        const { radio, storage } = this.app.hub.state.hub;
        const shape = JSON.stringify([radio.title, radio.text, radio.commands, storage.detections]);
        if (shape !== this.shape) {
            this.shape = shape;
            this.build(radio, storage);
        }
        const seconds = Math.ceil((Date.parse(radio.next_try) - this.app.time) / 1000);
        say(this.retry, seconds > 0 ? `Tried by itself again in ${seconds} s` : "Trying again by itself");
    }

    build(radio, storage) {
        const command = (text) =>
            h(
                "div",
                { class: "command" },
                h("code", { class: "octets" }, text),
                copyButton(text, `Copy ${text}`),
            );
        const which = radio.commands.length > 1 ? "On the hub, type one of these" : "On the hub, type this";
        const last = storage.last_detection ? `, the last one at ${clock(storage.last_detection, true)}` : "";
        fill(
            this.box,
            h("span", { class: "trouble-mark" }, symbol("warn", 24)),
            h(
                "div",
                { class: "trouble-words" },
                h("h2", radio.title),
                h("p", [radio.text, "Nothing is being recorded."].filter(Boolean).join(" ")),
            ),
            radio.commands.length
                ? h("div", { class: "trouble-commands" }, h("div", which), radio.commands.map(command))
                : null,
            h(
                "div",
                { class: "trouble-actions" },
                this.again,
                h("a", { class: "button", href: "#/debug" }, "Open Debug"),
                h("span", { class: "grow" }),
                this.retry,
            ),
        );
        fill(
            this.kept,
            symbol("history"),
            h(
                "div",
                { class: "grow" },
                h("div", storage.detections ? "Everything stored is still here" : "Nothing is stored yet"),
                storage.detections ? hint(counted(storage.detections, "detection") + last) : null,
            ),
            h("a", { href: "#/history" }, "History"),
        );
    }
}
