// Scanner: the device, what it passes, the latest detections, the place and the devices around.
import { fill, h, mark, say } from "../dom.js";
import { keyed } from "../list.js";
import {
    bars,
    detectionMark,
    isQuiet,
    signalWords,
    spoken,
    sureRing,
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
    distance,
    percent,
    place,
    plain,
    unread,
} from "../text.js";
import { Arcs } from "./arcs.js";
import { deviceList } from "./device-card.js";
import { ConnectionCard, PlaceCard } from "./scanner-cards.js";
import { NoRadio } from "./scanner-empty.js";
import { FirstRun } from "./scanner-first.js";
import { SoundSwitch } from "./scanner-sound.js";
import { button, segments } from "../controls.js";

const phone = matchMedia("(max-width: 719px)");
// What is seen first stands first in the page, for the keyboard and for who listens.
const narrow = matchMedia("(max-width: 1099px)");
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
            ...["detection_placed", "detections_deleted", "source_changed", "device_changed", "device_gone"]
                .map((name) => this.hub.on(name, () => this.soon())),
        ];
        this.rebuild = () => {
            this.face = null;
            this.refresh();
        };
        narrow.addEventListener("change", this.rebuild);
        app.main.className = "reading";
    }

    close() {
        for (const end of this.ends) end();
        this.sound?.close();
        narrow.removeEventListener("change", this.rebuild);
        clearTimeout(this.timer);
        this.arcs?.close();
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
            this.empty = face === "radio"
                ? new NoRadio(this.app)
                : face === "first"
                ? new FirstRun(this.app)
                : null;
            if (this.empty) this.app.head("Scanner", "");
            fill(this.app.main, this.empty ? this.empty.element : this.buildLive());
        }
        if (face === "live") this.draw();
        else this.tick();
    }

    tick() {
        if (this.empty) this.empty.draw();
        else if (this.face === "live") {
            this.connection.draw();
            this.drawAges();
            this.drawArcs();
            this.around.tick();
        }
    }

    // MARK: Live

    drawArcs() {
        this.arcs.draw();
        if (this.arcs.minutes) say(this.span, `Last ${this.arcs.minutes} minutes`);
    }

    buildLive() {
        this.arcs = new Arcs(this.app, phone);
        this.pause = button(symbol("pause", 18), () => this.setPaused(!this.paused), {
            kind: "icon",
            label: "Pause the picture and the list",
        });
        mark(this.pause, "aria-pressed", "false");
        this.sound = new SoundSwitch(this.app);
        this.connection = new ConnectionCard(this.app, phone);
        this.placeCard = new PlaceCard(this.app);
        this.list = h("ul", { class: "latest" });
        this.waiting = h("button", {
            class: "chip set waiting",
            type: "button",
            hidden: true,
            onclick: () => this.release(),
        });
        const choice = segments({ all: "All", new: "New sources" }, this.filter, (name) => {
            this.filter = name;
            this.draw();
        }, "wide");
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
        this.ageHead = h("span");
        const heads = ["", "Source", "Confidence", "Signal", "Place"].map((word) => h("span", word));
        heads.push(this.ageHead);
        const picture = h(
            "section",
            { class: "card arcs-card", "aria-label": "Last minutes" },
            h(
                "div",
                { class: "card-head" },
                this.span = h("h2", "Last minutes"),
                h("span", { class: "hint cut" }, "One arc for each source that was passed"),
                h("span", { class: "grow" }),
                this.sound.element,
                this.pause,
            ),
            this.arcs.element,
        );
        const latest = h(
            "section",
            { class: "card latest-card", "aria-label": "Latest detections" },
            h(
                "div",
                { class: "card-head" },
                h("h2", "Latest detections"),
                h("span", { class: "grow" }),
                h("a", { class: "narrow", href: "#/history" }, "History"),
                choice,
            ),
            h("div", { class: "latest-head", "aria-hidden": "true" }, heads),
            this.waiting,
            this.list,
        );
        const around = h(
            "section",
            { class: "card around", "aria-label": "Devices around" },
            this.around.element,
        );
        const first = [this.connection.element, this.placeCard.element];
        this.trouble = h("div", { class: "note warn storing", role: "status" });
        this.told = null;
        const column = (...cards) => h("div", { class: "column" }, cards);
        return h(
            "div",
            { class: "scanner" },
            this.trouble,
            narrow.matches
                ? [first, picture, latest, around]
                : [column(picture, latest), column(first, around)],
        );
    }

    arrived(detection) {
        this.freshUntil.set(detection.id, Date.now() + fresh);
        if (this.freshUntil.size > 200) this.freshUntil.delete(this.freshUntil.keys().next().value);
        if (this.face !== "live") return this.refresh();
        (this.news ??= []).push(detection);
        if (this.paused || this.still) this.held.push(detection);
        this.soon();
    }

    /// Draws before long what has happened till then: a busy device sends hundreds a second, a page draws four times, and more
    /// seldom when drawing takes long, so that what arrives is never kept waiting for it.
    soon() {
        this.timer ??= setTimeout(() => {
            this.timer = null;
            const news = this.news ?? [], begin = performance.now();
            this.news = [];
            if (news.length) {
                const strongest = news.reduce((best, one) => (one.rssi > best.rssi ? one : best));
                this.app.announce(
                    `${news.length} new, the strongest ${types[strongest.type]?.[0] ?? "Unknown"}, ${
                        distance(strongest.rssi).toLowerCase()
                    }`,
                );
            }
            this.refresh();
            this.cost = performance.now() - begin;
        }, Math.max(250, 8 * (this.cost ?? 0)));
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
                ? this.app.asOf
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
        this.drawArcs();
        this.connection.draw();
        this.placeCard.draw();
        this.drawAges();
        const { trouble, unreadable } = this.hub.state.hub.storage;
        const told = trouble ? plain(trouble) : unreadable ? unread(unreadable) : null;
        this.trouble.hidden = !told || this.app.away;
        if (told && told !== this.told) {
            this.told = told;
            const words = h("p", trouble ? h("strong", "Detections are not stored. ") : null, told);
            fill(this.trouble, symbol("warn"), words);
        }
        say(this.ageHead, this.app.away ? "Heard" : "Age");
        this.around.refresh();
        this.sound.refresh();
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
                sureRing(item.confidence, item.type),
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
            element.where = h("span", { class: "wide where" }),
            element.age,
        );
        return element;
    }

    update(element, item) {
        element.item = item;
        say(element.where, place(item));
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
        mark(this.pause, "aria-label", paused ? "Resume" : "Pause the picture and the list");
        fill(this.pause, symbol(paused ? "play" : "pause", 18));
        this.arcs.paused = paused;
        this.release();
        this.draw();
    }
}
