// The frame: routes, keyboard, theme, what the way to the hub is like. Each page is a module of its own.
import { fill, h, mark, say } from "./dom.js";
import { Hub } from "./hub.js";
import { Alerts } from "./alerts.js";
import { BrowserPlace } from "./browser-place.js";
import { Pairings } from "./pairing.js";
import { isWithoutRadio, radioNote } from "./radio-note.js";
import { showKeys, showStatus } from "./status.js";
import { toast, undo } from "./overlays.js";
import { lantern, state as stateMark, symbol } from "./marks.js";
import { clock, place, useUnits } from "./text.js";
import { fetchLater, pages } from "./pages.js";
import { drawWaiting, fetchPage, isServed } from "./waiting.js";
import { begin as beginLines } from "./pages/debug-lines.js";
import { openLogin } from "./pages/login.js";

const items = [
    ["scanner", "Scanner", "s"],
    ["map", "Map", "m"],
    ["history", "History", "h"],
    null,
    ["wifi", "Wi-Fi", "w"],
    ["nightlights", "Nightlights", "n"],
    ["bulbs", "Bulbs", "b"],
    null,
    ["explorer", "Explorer", "e"],
    ["overflow", "Overflow", "o"],
    ["debug", "Debug", "d"],
];
const tabs = [["scanner", "Scanner"], ["map", "Map"], ["history", "History"], ["devices", "Devices"], [
    "settings",
    "Settings",
]];
const belowDevices = new Set(["wifi", "nightlights", "bulbs", "explorer", "overflow", "debug"]);

const places = [...items.filter(Boolean), ["devices", "Devices", "v"], ["settings", "Settings", "t"]];

class App {
    constructor() {
        this.hub = new Hub();
        this.alerts = new Alerts(this.hub);
        this.browserPlace = new BrowserPlace(this.hub);
        this.pairings = new Pairings(this);
        this.page = null;
        this.build();
        addEventListener("hashchange", () => this.route());
        addEventListener("keydown", (event) => this.key(event));
        document.addEventListener("visibilitychange", () => document.hidden || this.page?.woke?.());
        this.hub.on("link", () => this.link());
        this.hub.on("state", () => this.refresh());
        this.hub.on("hub_changed", () => this.refresh());
        this.hub.on("settings_changed", () => this.refresh());
        setInterval(() => this.tick(), 1000);
        beginLines(this.hub);
        this.theme();
        this.link();
        this.hub.run();
    }

    get away() {
        return this.hub.state.link !== "live";
    }
    /// The time that ages are counted to: now, or when the hub was last heard.
    get time() {
        return this.away && this.hub.state.known ? this.hub.state.known : this.hub.now;
    }

    /// Whether the hub has no radio to hear and reach devices with.
    get isWithoutRadio() {
        return isWithoutRadio(this.hub.state);
    }
    /// Why nobody knows what is near; null where that is known.
    get unknown() {
        if (this.away) return this.notKnown;
        return this.isWithoutRadio ? "Not known without the radio" : null;
    }
    /// What is said while nothing answers: of what is not known, of what cannot be done, and to who tries it.
    get notKnown() {
        return `Not known ${this.hub.transport.words.meanwhile}`;
    }
    get notNow() {
        return `Not ${this.hub.transport.words.meanwhile}`;
    }
    get tryLater() {
        return `${this.hub.transport.words.away}. Try again when it is back.`;
    }
    /// What the header says of numbers that were known at a time.
    get asOf() {
        return `As of ${clock(this.time, true)}`;
    }

    build() {
        const link = ([name, word], size) =>
            h("a", { href: `#/${name}`, "data-page": name, title: word }, [
                symbol(name, size),
                h("span", word),
            ]);
        this.title = h("h1");
        this.numbers = h("span", { class: "numbers cut" });
        this.back = h("a", { class: "back" });
        this.actions = h("div", { class: "actions" });
        this.status = h("button", { class: "status", type: "button", onclick: () => showStatus(this) });
        this.header = h(
            "header",
            this.back,
            this.title,
            this.numbers,
            h("span", { class: "grow" }),
            this.actions,
            this.status,
        );
        this.main = h("main", { id: "main", tabindex: "-1" });
        this.banner = h("div", { class: "banner", role: "status", hidden: true });
        this.bannerText = h("p");
        this.banner.append(
            symbol("warn"),
            this.bannerText,
            h("button", { class: "button", type: "button", onclick: () => this.hub.tryNow() }, "Try now"),
        );
        this.radioNote = radioNote(this);
        this.announcer = h("div", { class: "spoken", role: "status", "aria-live": "polite" });
        this.shell = h(
            "div",
            { class: "shell" },
            h(
                "nav",
                { class: "rail", "aria-label": "Pages" },
                h("a", { class: "brand", href: "#/scanner", "aria-label": "Lantern" }, lantern(34)),
                items.map((item) => (item ? link(item, 21) : h("hr"))),
                h("span", { class: "grow" }),
                link(["settings", "Settings"], 21),
            ),
            this.banner,
            // What there is to say of the way itself; a hub has nothing.
            this.hub.transport.bar?.(this) ?? null,
            this.header,
            this.radioNote.element,
            this.main,
            h(
                "nav",
                { class: "tabs", "aria-label": "Main pages" },
                tabs.map(([name, word]) =>
                    h(
                        "a",
                        { href: `#/${name}`, "data-page": name },
                        h("i", symbol(name, 22)),
                        h("span", word),
                    )
                ),
            ),
        );
        document.body.append(
            h("a", {
                class: "skip button",
                href: "#main",
                onclick: (event) => {
                    event.preventDefault();
                    this.main.focus();
                },
            }, "Go to the content"),
            this.shell,
            this.announcer,
        );
    }

    /// Says something to a screen reader, at most once in 10 s.
    announce(text) {
        if (Date.now() - (this.announced ?? 0) < 10000) return;
        this.announced = Date.now();
        say(this.announcer, text);
    }

    theme() {
        const choice = this.hub.state.settings?.theme ?? "system";
        mark(document.documentElement, "data-theme", choice === "system" ? null : choice);
    }

    // MARK: Routes

    async route() {
        // What the hub is like is known first; the page that is wanted then is opened.
        if (!this.hub.state.hub) return;
        const [name, ...rest] = location.hash.replace(/^#\//, "").split("/");
        const key = Object.hasOwn(pages, name) ? name : "scanner";
        const wanted = this.wanted = {};
        if (this.page?.address === key && this.page.turn) {
            this.isComing = false;
            this.page.turn(rest);
            return this.current(key);
        }
        let page = pages[key];
        this.isComing = true;
        try {
            // One that has to be fetched first; without that, a page opens at once.
            if (typeof page === "function") page = await fetchPage(page, this.isMissed && !this.away);
        } catch {
            return this.miss(key, wanted);
        }
        // Somebody may have chosen another one meanwhile.
        if (this.wanted !== wanted) return;
        this.isMissed = this.isComing = false;
        this.leave(key);
        this.page = page.open(this, rest, key) ?? {};
        this.page.address = key;
        this.current(key);
        this.refresh();
        fetchLater(this);
    }

    /// Closes the page, for the one of this name.
    leave(key) {
        this.page?.close?.();
        document.documentElement.dataset.page = key;
        // Who chose a link in the page goes on at the beginning of the next one.
        if (this.main.contains(document.activeElement)) this.main.focus();
        this.actions.replaceChildren();
        this.main.replaceChildren();
        say(this.numbers, "");
        this.main.className = "";
        this.header.classList.remove("steps", "bare");
        this.parent(belowDevices.has(key) ? ["devices", "Devices"] : null);
        this.main.scrollTop = 0;
    }

    /// A page could not be fetched: its place says so until the hub is back, or somebody tries again.
    async miss(key, wanted) {
        // A browser keeps in mind what it could not fetch: all is loaded anew, where that is possible.
        const isBack = this.isMissed && !this.away && await isServed();
        if (this.wanted !== wanted) return;
        if (isBack) return this.hub.transport.reload();
        this.leave(key);
        Object.assign(this, { page: null, isMissed: true, isComing: false });
        this.current(key);
        this.refresh();
    }

    current(key) {
        for (const link of this.shell.querySelectorAll(":is(.rail, .tabs) a")) {
            const here = link.dataset.page === (key === "drives" ? "history" : key) ||
                (link.closest(".tabs") && link.dataset.page === "devices" && belowDevices.has(key));
            mark(link, "aria-current", here ? "page" : null);
        }
    }

    /// What the header says: the title, and the page above it on a phone.
    head(title, numbers) {
        say(this.title, title);
        document.title = `${title}, Lantern`;
        if (numbers !== undefined) say(this.numbers, numbers);
    }
    parent(above) {
        this.header.classList.toggle("below", Boolean(above));
        mark(this.back, "href", above && `#/${above[0]}`);
        this.back.hidden = !above;
        fill(this.back, above ? [symbol("left"), h("span", above[1])] : []);
    }

    // MARK: What is known

    link() {
        const link = this.hub.state.link;
        if (link === "login") {
            if (!this.login) this.login = openLogin(this);
            this.shell.hidden = true;
        } else if (this.login) {
            if (link !== "live") return;
            this.login.close();
            this.login = null;
            this.shell.hidden = false;
        }
        // What was being fetched when the hub went may never come.
        if (link === "away" && this.isComing) this.isMissed = true;
        // Without the hub, too, where it is known what was known last.
        if ((link === "live" || link === "away") && (!this.page || this.isComing)) this.route();
        if (link === "live" && this.page) fetchLater(this);
        this.refresh();
    }

    refresh() {
        const { hub, link, known } = this.hub.state;
        this.theme();
        useUnits(this.hub.state.settings?.units);
        this.banner.hidden = link !== "away";
        if (!this.page && link !== "login") drawWaiting(this);
        fill(this.status, this.statusMarks());
        const words = [...this.status.children].map((part) => part.textContent);
        mark(this.status, "aria-label", `Status: ${words.join(", ")}`);
        if (link === "away" && known) this.tickBanner();
        this.drawRadioNote();
        if (hub) this.page?.refresh?.();
    }

    drawRadioNote() {
        const { address } = this.page ?? {};
        this.radioNote.draw(address === "devices" || (belowDevices.has(address) && address !== "debug"));
    }

    statusMarks() {
        const { hub, link, refusal } = this.hub.state;
        if (link === "connecting") return [stateMark("connecting", "Connecting")];
        if (link !== "live" || !hub) {
            return [
                stateMark("none", `${this.hub.transport.words.who} not ${refusal ? "working" : "answering"}`),
            ];
        }
        if (hub.radio.state !== "scanning") return [stateMark("missing", "No radio")];
        if (hub.storage.trouble) return [stateMark("missing", "Not storing")];
        const fix = hub.location.state === "fix";
        return [
            h(
                "span",
                { class: "wide" },
                symbol("place", 16),
                fix ? place(hub.location) : hub.location.state === "off" ? "No place" : "No fix",
            ),
            h("span", { class: "wide" }, symbol("scanner", 16), "Scanning"),
            stateMark("live", "Live"),
        ];
    }

    get awayTitle() {
        const { broken, away } = this.hub.transport.words;
        return this.hub.state.refusal ? broken : away;
    }

    tickBanner() {
        const { known, next } = this.hub.state;
        const seconds = Math.max(0, Math.ceil((next - Date.now()) / 1000));
        const when = known ? `You see what was known at ${clock(known, true)}. ` : "";
        const again = seconds > 0 ? `Trying again in ${seconds} s.` : "Trying now.";
        if (!this.bannerText.firstChild) {
            this.bannerText.append(
                h("strong"),
                h("span", { "aria-hidden": "true" }),
            );
        }
        say(this.bannerText.firstChild, `${this.awayTitle}. `);
        say(this.bannerText.lastChild, when + again);
    }

    tick() {
        if (document.hidden) return;
        if (this.hub.state.link === "away") this.tickBanner();
        this.page?.tick?.();
    }

    /// Runs a command of a button: busy while it runs, the reason when it fails.
    async run(button, work, done) {
        if (this.away) {
            toast(this.tryLater);
            return;
        }
        if (button?.getAttribute("aria-busy")) return;
        // Not disabled: the focus would be lost.
        if (button) mark(button, "aria-busy", "true");
        try {
            const answer = await work();
            if (done) await done(answer);
        } catch (error) {
            toast(error.message);
        } finally {
            if (button) mark(button, "aria-busy", null);
        }
    }

    // MARK: Keyboard

    key(event) {
        const typing = event.target.matches("input:not([type=checkbox], [type=range]), textarea, select");
        if ((event.ctrlKey || event.metaKey) && event.key === "z" && !typing && undo()) {
            return event.preventDefault();
        }
        if (
            event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]") ||
            this.login
        ) return;
        if (event.key === "Escape") {
            if (typing) event.target.blur();
            else this.page?.escape?.();
            return;
        }
        if (typing) return;
        // When they were pressed counts, not when a busy page comes to it.
        if (event.timeStamp - this.going < 1500) {
            this.going = undefined;
            const target = places.find((item) => item[2] === event.key);
            if (target) location.hash = `#/${target[0]}`;
        } else if (event.key === "g") this.going = event.timeStamp;
        else if (event.key === "/") this.main.querySelector("input[type=search]")?.focus();
        else if (event.key === "?") this.showKeys();
        else return;
        event.preventDefault();
    }

    showKeys() {
        showKeys(places);
    }
}

new App();
