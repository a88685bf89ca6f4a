// The first run: what a person has, and the way to the page for it.
import { fill, h, s, say } from "../dom.js";
import { button } from "../controls.js";
import { busyArc, lantern, symbol } from "../marks.js";
import { age, counted } from "../text.js";
import { deviceSheet, stateWords } from "./device-card.js";
import { finderOf, radioSwitch } from "./scanner-cards.js";

const hint = (text) => h("div", { class: "hint" }, text);

/// What somebody may have: a page for it, or a section of this one; its symbol, its name, what it is for, the kind of
/// device and the word for it.
const choices = [
    ["finder", "scanner", "A FlockFinder", "Notices surveillance cameras", "flockfinder", "FlockFinder"],
    ["nightlights", "nightlights", "A nightlight", "A lamp with a week of its own", "nightlight", "lamp"],
    ["bulbs", "bulbs", "A light bulb", "An LED bulb with Bluetooth", "bulb", "bulb"],
    ["wifi", "wifi", "A new ESP32", "Give it your Wi-Fi", "wifiset", "device"],
    ["explorer", "explorer", "Another gadget", "See what it says and can do", null, null],
    ["nothing", "eye", "Nothing yet", "Look around all the same", null, null],
];

export class FirstRun {
    constructor(app) {
        this.app = app;
        this.began = Date.now();
        this.steps = h("div", { class: "card steps" });
        this.looking = hint("");
        const { finder, demo } = app.hub.transport.words, words = `${finder} What it finds arrives here.`;
        const heading = (text) => h("h2", { tabindex: "-1" }, text);
        this.near = new Map();
        this.asks = h(
            "section",
            { class: "card welcome" },
            waves(),
            heading("What do you have?"),
            h("p", "Choose one to begin with. There is a page for each, and you can come back at any time."),
            h("ul", { class: "first-choices" }, choices.map((one) => h("li", this.choice(...one)))),
        );
        this.finder = h(
            "section",
            { class: "first-part" },
            heading("Waiting for the first detection"),
            h("p", { class: "second" }, words),
            this.steps,
        );
        this.own = h("span");
        this.nothing = h(
            "section",
            { class: "first-part" },
            heading("Nothing at hand"),
            h(
                "div",
                { class: "card steps" },
                step(
                    h("span", { class: "step-mark" }, symbol("scanner", 18)),
                    "This radio",
                    hint(
                        app.hub.transport.lacks.radio ??
                            "It can notice cameras without a FlockFinder, by Bluetooth alone",
                    ),
                    this.own,
                ),
                demo
                    ? step(
                        h("span", { class: "step-mark" }, symbol("play", 18)),
                        "Simulated devices",
                        h(
                            "div",
                            { class: "hint" },
                            demo.map((words, index) =>
                                index === 1 ? h("code", { class: "octets" }, words) : words
                            ),
                        ),
                    )
                    : null,
            ),
        );
        this.element = h("div", { class: "narrow-page" }, this.asks, this.finder, this.nothing);
    }

    /// A link to a page, or to a section of this one.
    choice(where, drawn, title, text, kind, word) {
        const about = h("span", { class: "hint" }, text);
        if (kind) this.near.set(about, { text, kind, word });
        const inside = [
            h("span", { class: "tile" }, symbol(drawn)),
            h("span", { class: "grow" }, h("span", { class: "choice-title" }, title), about),
            symbol(where in this.parts ? "down" : "right", 18),
        ];
        if (!(where in this.parts)) return h("a", { class: "first-choice", href: `#/${where}` }, inside);
        return h("button", {
            class: "first-choice",
            type: "button",
            onclick: () => {
                const head = this.parts[where]().querySelector("h2");
                head.scrollIntoView({ block: "start" });
                head.focus({ preventScroll: true });
            },
        }, inside);
    }
    parts = { finder: () => this.finder, nothing: () => this.nothing };

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
        for (const [about, { text, kind, word }] of this.near) {
            const count = [...devices.values()].filter((device) => device.kind === kind).length;
            say(about, count ? `${counted(count, word)} near` : text);
        }
        // Whoever has a FlockFinder that is connected is asked later what else there is.
        const first = ready ? this.finder : this.asks;
        if (this.element.firstChild !== first) this.element.prepend(first);
        const own = this.app.hub.state.settings.this_radio;
        const shape = JSON.stringify([hub.radio.name, devices.size, ready, placed, own]);
        if (shape === this.shape) return;
        this.shape = shape;
        const done = () => h("span", { class: "step-mark done" }, symbol("check", 18));
        const waiting = (content) => h("span", { class: "step-mark" }, content);
        const { transport } = this.app.hub, offer = transport.offer ?? (() => deviceSheet(this.app));
        const choose = () => button("Choose a device", offer, { kind: "small" });
        const place = () => h("a", { class: "button small", href: "#/settings/location" }, "Set place");
        fill(this.own, radioSwitch(this.app).querySelector("input"));
        fill(
            this.steps,
            step(
                done(),
                "Radio",
                hint(`${hub.radio.name} is listening, ${counted(devices.size, "device")} heard`),
            ),
            step(ready ? done() : waiting(busyArc(24)), "FlockFinder", this.looking, ready ? null : choose()),
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
