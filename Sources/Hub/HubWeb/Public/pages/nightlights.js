// Nightlights: cards of all lamps, and one of them: tonight, its week, its button, the weeks that are kept.
// What shines and why is the hub's word; here it is drawn, dragged and sent.
import { fill, h, mark } from "../dom.js";
import { segments } from "../controls.js";
import { toast } from "../overlays.js";
import { allLamps, lampCards, lampText, lowBattery, viewLinks, whose } from "./nightlights-lamp.js";
import { todayView } from "./nightlights-today.js";
import { weekView } from "./nightlights-week.js";
import { buttonView } from "./nightlights-button.js";
import { libraryView } from "./nightlights-library.js";
import { colourView } from "./nightlights-colour.js";
import { AwayPlan } from "./nightlights-plan.js";
import { lampWords, NowCard } from "./nightlights-now.js";
import { askName, awayNotes, emptyWords } from "./nightlights-notes.js";
import { Memories } from "./nightlights-memories.js";

const tabs = { today: "Today", week: "Week", button: "Button", library: "Library" };
const views = {
    today: todayView,
    week: weekView,
    button: buttonView,
    library: libraryView,
    colour: colourView,
};

export const open = (app, rest) => new LampsPage(app, rest);

class LampsPage {
    constructor(app, rest) {
        this.app = app;
        this.hub = app.hub;
        this.memories = new Memories();
        this.plan = new AwayPlan(this);
        // When the link to an address was lost.
        this.lost = new Map();
        // Who waits for the lamp to answer.
        this.waiting = [];
        // By which the hub knows how many pages look.
        this.name = Math.random().toString(36).slice(2);
        app.main.className = "reading lamps";
        this.cards = h("nav", { class: "lamp-cards", "aria-label": "Lamps" });
        this.now = new NowCard(this);
        this.notes = h("div", { class: "lamp-notes" });
        this.stage = h("div", { class: "lamp-stage" });
        this.side = h("div", { class: "lamp-side" });
        this.links = h("nav", { class: "lamp-links", "aria-label": "Of this lamp" });
        this.empty = h("div", { class: "empty" });
        this.frame = h(
            "div",
            { class: "lamp-frame" },
            h("div", { class: "lamp-main" }, this.cards, this.notes, this.stage, this.links),
            this.side,
        );
        app.main.append(this.empty, this.frame);
        this.narrow = matchMedia("(max-width: 719px)");
        this.turned = () => this.draw(true);
        this.narrow.addEventListener("change", this.turned);
        this.ends = [
            this.hub.on(
                "nightlight_changed",
                ({ dashboard, time }) => this.take(dashboard, Date.parse(time)),
            ),
            this.hub.on("nightlights_changed", ({ lamp }) => this.remember(lamp)),
            this.hub.on("state", () => this.again()),
            this.hub.on("device_changed", ({ device }) => this.heard(device)),
            this.hub.on("device_gone", () => this.draw()),
        ];
        this.hidden = () => this.release();
        addEventListener("pagehide", this.hidden);
        this.timer = setInterval(() => this.keep(), 10000);
        this.turn(rest);
        this.fetchMemories();
    }

    // MARK: Which lamp

    /// Another address of this page: the lamp's address without colons, and what of it.
    turn([key, tab]) {
        this.wanted = key;
        const before = this.tab;
        this.tab = views[tab] ? tab : "today";
        if (before && before !== this.tab) this.app.main.scrollTop = 0;
        this.choose();
    }

    get lamps() {
        return allLamps(this);
    }
    /// Whether a lamp is connected, or was heard a moment ago; after its link was lost it has to be heard anew.
    isNear(device) {
        if (!device || this.app.isWithoutRadio) return false;
        if (device.state === "connecting" || device.state === "connected") return true;
        const heard = Date.parse(device.last_heard ?? ""), lost = this.lost.get(device.address) ?? 0;
        return this.app.time - heard < 60000 && heard > lost;
    }

    choose() {
        const { lamps, current } = this;
        const lamp = lamps.find(({ address }) => address.replaceAll(":", "") === this.wanted) ?? current ??
            lamps.find(({ device }) => this.isNear(device)) ?? lamps[0];
        if (lamp?.address !== this.lampAddress) {
            this.release();
            this.lampAddress = lamp?.address ?? null;
            this.shown = null;
        }
        if (lamp && !this.dash && !this.beginning && !this.refused && this.isNear(lamp.device)) {
            this.begin(lamp.device);
        }
        this.draw();
    }

    get current() {
        return this.lamps.find(({ address }) => address === this.lampAddress);
    }
    get isLive() {
        return this.dash?.job.phase === "open" && Boolean(this.dash.lamp) && !this.app.away;
    }
    /// What the lamp has, or had when it was read last.
    get lamp() {
        return this.current?.known ?? this.dash?.lamp ?? null;
    }
    get night() {
        return this.isLive || this.app.away ? this.dash?.night ?? null : this.plan.night;
    }
    get path() {
        return `#/nightlights/${(this.lampAddress ?? "").replaceAll(":", "")}`;
    }

    // MARK: The link

    async begin(device) {
        const { address } = device, own = { id: null };
        Object.assign(this, { beginning: own, refused: null });
        this.draw();
        try {
            const dash = await this.hub.jobs.beginLamp(device.id, this.name);
            if (this.isClosed || this.lampAddress !== address) {
                return this.hub.jobs.leaveLamp(dash.job.id, this.name);
            }
            this.id = own.id = dash.job.id;
            // It may end before the next answer is here, and be begun anew.
            this.beginning = null;
            this.take(dash);
            this.take(await this.hub.jobs.lamp(own.id));
        } catch (error) {
            if (this.lampAddress === address && this.id === own.id) this.refused = error.message;
        } finally {
            if (this.beginning === own) this.beginning = null;
        }
        this.draw();
    }

    /// Does not look at the lamp any more; the last page that looks ends the link, and what is tried out.
    release() {
        if (this.id && this.dash?.job.phase !== "ended") {
            this.hub.jobs.leaveLamp(this.id, this.name).catch(() => {});
        }
        Object.assign(this, {
            id: null,
            dash: null,
            beginning: null,
            refused: null,
        });
        this.plan.forget();
        this.draft = null;
        this.weekDraft = null;
        this.answered();
    }

    /// Takes a dashboard; `time` is the hub's when it was told, as times at which it has heard something are.
    take(dash, time = this.app.time) {
        if (dash.job.id !== this.id || dash.revision < (this.dash?.revision ?? 0)) return;
        const before = this.dash;
        this.dash = dash;
        if (dash.refusals > (before?.refusals ?? 0) && before) toast(dash.refusal);
        if (dash.clock_note && dash.clock_note !== before?.clock_note) toast(dash.clock_note);
        if (before && dash.changes !== before.changes && !this.own) {
            toast("This lamp was changed elsewhere. You see what it has now.");
        }
        if (this.own && !dash.working) this.own = false;
        this.answered();
        if (dash.job.phase === "ended") {
            if (before?.job.phase !== "ended") this.lost.set(dash.job.address, time);
            this.slept = document.hidden;
            // Ended by nobody's fault, as by a page that was the last to look: it is begun anew, once.
            if (!dash.job.reason && this.opened !== this.lampAddress) {
                this.opened = this.lampAddress;
                return this.reopen();
            }
            this.refused = dash.job.reason ?? "The link was ended.";
        } else if (dash.lamp) this.opened = null;
        this.draw();
    }

    async again() {
        this.fetchMemories();
        if (!this.id) return this.choose();
        try {
            this.take(await this.hub.jobs.lamp(this.id));
        } catch (error) {
            if (error.status === 404) this.reopen();
        }
    }

    /// Handles that somebody sees this page again; a browser lets one that nobody sees sleep, and so the hub the lamp go.
    woke() {
        this.keep();
        if (this.slept) this.reopen();
    }

    reopen() {
        this.lost.delete(this.lampAddress);
        Object.assign(this, { id: null, dash: null, refused: null, slept: false });
        this.answered();
        this.choose();
    }

    heard(device) {
        if (device.kind !== "nightlight") return;
        if (!this.lampAddress) return this.choose();
        if (device.address === this.lampAddress && !this.id && !this.beginning && !this.refused) {
            this.choose();
        } else this.draw();
    }

    keep() {
        if (!this.id || this.dash?.job.phase === "ended" || this.app.away) return;
        this.hub.jobs.keepLamp(this.id, this.name).catch((error) => {
            if (error.status === 404) this.reopen();
        });
    }

    async fetchMemories() {
        if (await this.memories.fetch(this.hub.jobs)) this.choose();
    }
    remember(memory) {
        this.memories.take(memory);
        this.plan.isOld();
        this.choose();
    }

    // MARK: What is wanted

    /// Sends a change, or has it wait where the lamp is away. `seen` is what `changes` was. The answer says
    /// whether the lamp has taken it; why it has not is said by then.
    async send(change, { seen, done } = {}) {
        if (!this.isLive) {
            const lamp = this.current;
            const kind = lamp?.device?.address_kind ?? lamp?.memory?.address_kind;
            const address = this.lampAddress + (kind === "random" ? "/R" : kind === "public" ? "/P" : "");
            this.remember(await this.hub.jobs.addPending(address, change));
            toast("The lamp is away. This is sent when it is back.");
            return true;
        }
        this.own = true;
        const { refusals } = this.dash;
        const body = seen === undefined ? change : { ...change, if_changes: seen };
        try {
            this.take(await this.hub.jobs.changeLamp(this.id, body));
        } catch (error) {
            this.own = false;
            throw error;
        }
        const isTaken = await new Promise((resolve) => {
            this.waiting.push({ refusals, resolve });
            this.answered();
        });
        if (isTaken && done) toast(done);
        return isTaken;
    }

    /// Tells who waits for it that the lamp has answered all that was sent, or is gone.
    answered() {
        const { dash } = this, isGone = !dash || dash.job.phase === "ended";
        if (!isGone && dash.working) return;
        for (const { refusals, resolve } of this.waiting.splice(0)) {
            resolve(!isGone && dash.refusals === refusals);
        }
    }

    // MARK: Drawing

    refresh() {
        return this.app.away ? this.draw() : this.choose();
    }

    tick() {
        this.shown?.tick?.();
        this.now.tick();
    }

    escape() {
        this.shown?.escape?.();
    }

    draw(anew = false) {
        if (this.isClosed) return;
        const { app } = this, lamp = this.current, list = this.lamps;
        const narrow = this.narrow.matches;
        app.head(
            narrow && lamp && this.tab !== "today" ? tabs[this.tab] ?? "Colour" : "Nightlights",
            lamp?.name && this.tab !== "today" ? `${whose(lamp.name)} lamp` : "",
        );
        const above = narrow && lamp && this.tab !== "today"
            ? [this.path.slice(2), lampText(lamp)]
            : ["devices", "Devices"];
        if (String(above) !== this.above) app.parent(above);
        this.above = String(above);
        app.header.classList.toggle("untitled", narrow && Boolean(lamp) && this.tab === "today");
        mark(app.main, "data-tab", this.tab);
        this.frame.hidden = !lamp;
        this.empty.hidden = Boolean(lamp);
        if (!lamp) return fill(this.empty, emptyWords(this));
        this.drawHead(list);
        this.drawNotes();
        this.plan.fetch();
        const key = `${this.tab} ${this.lampAddress} ${narrow}`;
        if (!this.shown || this.key !== key || anew) {
            this.key = key;
            this.shown?.close?.();
            this.shown = views[this.tab](this);
            fill(this.stage, this.shown.element);
            this.withoutNow = this.shown.withoutNow;
            fill(this.side, this.withoutNow ? null : this.now.element, this.shown.side ?? null);
        }
        this.now.draw();
        this.shown.refresh?.();
        // What only the hub can do; a night and a week are changed without it.
        const isLocked = app.away && (this.tab === "button" || this.tab === "library");
        for (const one of [this.shown.element, this.shown.side]) one && mark(one, "inert", isLocked || null);
        mark(this.notes, "inert", app.away || null);
        const unnamed = this.isLive && !this.dash.lamp.name && this.asked !== this.lampAddress;
        if (unnamed && !document.querySelector("dialog[open]")) {
            this.asked = this.lampAddress;
            askName(this);
        }
    }

    drawNotes() {
        const { dash } = this, memory = this.current?.memory;
        const shape = JSON.stringify([
            this.isLive,
            lowBattery(this.lamp),
            [dash?.lamp?.clock?.action, dash?.lamp?.clock?.difference_seconds, !dash?.lamp?.clock?.device],
            dash?.viewers,
            memory?.pending,
            memory?.refusal,
            this.tab,
            this.refused,
            this.app.away,
            Math.floor(this.app.time / 60000),
        ]);
        if (shape === this.noteShape) return;
        this.noteShape = shape;
        fill(this.notes, awayNotes(this));
    }

    drawHead(list) {
        const cards = list.map((lamp) => ({
            address: lamp.address,
            name: lamp.name,
            colors: lamp.colors,
            battery: lowBattery(lamp.known),
            pending: lamp.memory?.pending.length ?? 0,
            ...lampWords(this, lamp),
        }));
        const shape = JSON.stringify([cards, this.lampAddress, this.tab, this.narrow.matches]);
        if (shape === this.headShape) return;
        this.headShape = shape;
        fill(this.cards, lampCards(cards, this.lampAddress));
        if (!this.app.actions.querySelector(".lamp-tabs")) {
            this.tabs = segments(tabs, this.tab, (name) => {
                location.hash = name === "today" ? this.path : `${this.path}/${name}`;
            }, "lamp-tabs");
            this.app.actions.replaceChildren(this.tabs);
        }
        [...this.tabs.children].forEach((one, index) =>
            mark(one, "aria-pressed", String(Object.keys(tabs)[index] === this.tab))
        );
        const { today: _, ...others } = tabs;
        fill(this.links, viewLinks(this.path, { colour: "Colour", ...others }));
    }

    close() {
        this.isClosed = true;
        this.release();
        this.shown?.close?.();
        for (const end of this.ends) end();
        removeEventListener("pagehide", this.hidden);
        clearInterval(this.timer);
        this.narrow.removeEventListener("change", this.turned);
        this.app.header.classList.remove("untitled");
    }
}
