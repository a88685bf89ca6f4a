// Bulbs: those near, one of them or all together in hand. What is shown follows from the address, the hub's word and
// what was chosen here; a link to a bulb lasts while this page is there.
import { fill, h, mark, say } from "../dom.js";
import { symbol } from "../marks.js";
import { counted, dBm, heard } from "../text.js";
import { button } from "../controls.js";
import { toast } from "../overlays.js";
import { addBulb } from "./bulbs-add.js";
import { bulbList } from "./bulbs-list.js";
import { lightView, waitView } from "./bulbs-light.js";
import { dialectCard, effectsCard, saidCard } from "./bulbs-cards.js";
import { stateOf, stateWords } from "./bulbs-words.js";

export const open = (app, rest) => new BulbsPage(app, rest);

class BulbsPage {
    constructor(app, rest) {
        this.app = app;
        // By the numbers of devices: the hub's word, why there is none, and what waits to be sent.
        this.bulbs = new Map();
        this.refusals = new Map();
        this.lines = new Map();
        this.connecting = new Map();
        // Jobs that this page has left.
        this.given = new Set();
        // Bulbs whose link has ended while nobody saw this page.
        this.slept = new Set();
        // By which the hub knows how many pages have a bulb in hand.
        this.name = Math.random().toString(36).slice(2);
        this.dialects = [];
        this.speed = 60;
        app.main.className = "reading";
        app.header.classList.add("bulb-header");
        this.allOff = button([symbol("power", 18), h("span", "All off")], () => this.switchAllOff());
        app.actions.replaceChildren(this.allOff);
        this.listBox = bulbList(this);
        this.mainBox = h("div", { class: "bulbs-main" });
        this.side = h("div", { class: "bulbs-side" });
        this.cards = [saidCard(this), effectsCard(this), dialectCard(this)];
        this.side.append(...this.cards.map(({ element }) => element));
        this.box = h("div", { class: "bulbs" }, this.listBox.element, this.mainBox, this.side);
        this.empty = h(
            "div",
            { class: "empty" },
            h("h2"),
            h("p"),
            button([symbol("plus", 18), "Another bulb"], () => addBulb(this)),
        );
        app.main.append(this.box, this.empty);
        this.ends = [
            app.hub.on("bulb_changed", ({ bulb }) => this.take(bulb)),
            app.hub.on("state", () => this.adopt()),
            app.hub.on("device_changed", ({ device }) => device.kind === "bulb" && this.draw()),
            app.hub.on("device_gone", () => this.draw()),
            app.hub.on("hub_changed", () => this.radioChanged()),
        ];
        this.timer = setInterval(() => this.keep(), 10000);
        this.hidden = () => this.leave();
        addEventListener("pagehide", this.hidden);
        this.radioChanged();
        this.turn(rest);
        this.begin();
    }

    async begin() {
        try {
            this.dialects = (await this.app.hub.jobs.bulbDialects()).items;
        } catch {
            // Names of effects are missing until the hub is back.
        }
        await this.adopt();
        if (!this.isClosed) this.choose();
    }

    // MARK: Life

    /// Another address of this page.
    turn([first]) {
        this.chosen = first === "all" ? "all" : first ? Number(first) : null;
        if (this.hasBegun) this.choose();
    }

    /// Connects to what was chosen; without a choice to the first bulb that is near.
    choose() {
        this.hasBegun = true;
        const near = this.devices;
        this.chosen ??= near.length ? near[0].id : null;
        if (this.app.unknown) return this.draw();
        for (const id of this.chosenIds) {
            if (!this.isOpen(id) && !this.refusals.has(id)) this.connect(id);
        }
        this.draw();
    }

    /// Takes over the bulbs that a page of before, or another one, has open.
    async adopt() {
        const { jobs } = this.app.hub;
        // What begins meanwhile may be missing in the answer.
        const before = new Set([...this.bulbs.values()].map(({ job }) => job.id));
        try {
            const { items } = await jobs.list();
            const mine = items.filter(({ kind, id }) => kind === "bulb" && !this.given.has(id));
            for (const bulb of await Promise.all(mine.map(({ id }) => jobs.keepBulb(id, this.name)))) {
                if (this.isClosed) jobs.leaveBulb(bulb.job.id, this.name).catch(() => {});
                this.take(bulb);
            }
            // What the hub does not know any more has ended while it was away.
            const ids = new Set(mine.map(({ id }) => id));
            for (const [device, { job }] of this.bulbs) {
                if (job.phase !== "ended" && !ids.has(job.id) && before.has(job.id)) {
                    this.bulbs.delete(device);
                }
            }
        } catch {
            // It is asked again when the hub is back.
        }
        if (this.hasBegun) this.choose();
    }

    /// What could not be connected to without a radio is when it is back.
    radioChanged() {
        const { isWithoutRadio } = this.app, isBack = this.wasWithoutRadio && !isWithoutRadio;
        this.wasWithoutRadio = isWithoutRadio;
        if (isBack && this.hasBegun) this.choose();
    }

    connect(device, how = {}) {
        if (this.connecting.has(device)) return this.connecting.get(device);
        this.refusals.delete(device);
        const work = this.open(device, how);
        this.connecting.set(device, work);
        this.draw();
        return work;
    }
    async open(device, how) {
        try {
            const bulb = await this.app.hub.jobs.beginBulb(device, this.name, how);
            if (this.isClosed) return this.app.hub.jobs.leaveBulb(bulb.job.id, this.name);
            this.take(bulb);
        } catch (error) {
            this.refusals.set(device, error.message);
        }
        this.connecting.delete(device);
        this.draw();
    }

    /// Speaks to a bulb in another way; null for what it shows. The hub remembers it.
    async speak(device, dialect) {
        const { hub } = this.app, { address } = hub.state.devices.get(device) ?? this.bulbs.get(device).job;
        const others = (hub.state.settings.bulbs?.dialects ?? []).filter((one) => one.address !== address);
        const dialects = dialect ? [...others, { address, dialect }] : others;
        await hub.changeSettings({ bulbs: { dialects } });
        // One that is under way would speak as before.
        await this.connecting.get(device);
        await this.connect(device, { dialect });
    }

    /// Tries a device that does not say that it is a bulb.
    async look(device) {
        this.looked = device;
        this.goTo(device);
        await this.connect(device);
    }

    /// The hub's word.
    take(bulb) {
        const { id, device, phase, reason } = bulb.job, known = this.bulbs.get(device);
        if (this.given.has(id) || this.isClosed) return;
        if (known && (known.job.id > id || known.job.id === id && known.revision > bulb.revision)) return;
        const wasOpen = known?.job.id === id && known.job.phase !== "ended";
        this.bulbs.set(device, bulb);
        // Another page has spoken to it in another way, or let it go: this one still wants it.
        if (phase === "ended" && reason === null && wasOpen) this.connect(device);
        // A browser lets a page that nobody sees sleep, and so the hub its bulbs go.
        if (phase === "ended" && document.hidden) this.slept.add(device);
        this.draw();
    }

    keep() {
        if (this.app.away) return;
        for (const { job } of this.bulbs.values()) {
            if (job.phase === "ended") continue;
            this.app.hub.jobs.keepBulb(job.id, this.name).catch((error) => {
                if (error.status === 404) this.adopt();
            });
        }
    }

    /// Handles that somebody sees this page again.
    woke() {
        this.keep();
        for (const id of this.slept) if (this.chosenIds.includes(id)) this.connect(id);
        this.slept.clear();
    }

    /// Has no bulb in hand any more; who was the last to have one ends its link.
    leave() {
        for (const { job } of this.bulbs.values()) {
            if (job.phase === "ended") continue;
            this.given.add(job.id);
            this.app.hub.jobs.leaveBulb(job.id, this.name).catch(() => {});
        }
    }

    close() {
        this.isClosed = true;
        clearInterval(this.timer);
        for (const end of this.ends) end();
        removeEventListener("pagehide", this.hidden);
        this.app.header.classList.remove("bulb-header");
        this.leave();
    }

    // MARK: What there is

    get devices() {
        const known = this.app.hub.state.devices;
        const gone = [...this.bulbs.values()].filter(({ job }) => !known.has(job.device)).map(({ job }) => ({
            ...job,
            id: job.device,
            rssi: null,
        }));
        const is = ({ id, kind }) => kind === "bulb" || id === this.looked || this.bulbs.has(id);
        return [...known.values()].filter(is).concat(gone)
            .sort((a, b) => a.id - b.id);
    }
    get chosenIds() {
        return this.chosen === "all"
            ? this.devices.map(({ id }) => id)
            : this.chosen === null
            ? []
            : [this.chosen];
    }
    /// The bulb that is in hand; of all together the first one that is open.
    get bulb() {
        const ids = this.chosenIds;
        return this.bulbs.get(ids.find((id) => this.isOpen(id)) ?? ids[0]);
    }
    isOpen(id) {
        return this.bulbs.get(id)?.job.phase === "open";
    }
    dialectOf(bulb) {
        return this.dialects.find(({ dialect }) => dialect === bulb?.dialect);
    }
    effectsOf(bulb) {
        return this.dialectOf(bulb)?.effects ?? [];
    }

    // MARK: What is asked

    /// Gives a command to what is in hand; of what waits only the newest of a kind is sent.
    give(command, ids = this.chosenIds) {
        for (const id of ids) {
            if (!this.isOpen(id)) continue;
            const line = this.lines.get(id) ?? { waiting: new Map(), sends: false };
            this.lines.set(id, line);
            const kind = ["on", "off"].includes(command.command) ? "power" : "light";
            if (command.command === "state") line.waiting.set("state", command);
            else line.waiting.set(kind, command);
            if (!line.sends) this.send(id, line);
        }
    }

    async send(id, line) {
        line.sends = true;
        const { jobs } = this.app.hub;
        while (line.waiting.size && this.isOpen(id)) {
            const [kind, command] = line.waiting.entries().next().value, job = this.bulbs.get(id).job.id;
            line.waiting.delete(kind);
            try {
                this.take(
                    await (command.turn
                        ? jobs.startBulbCycle(job, command.turn)
                        : jobs.commandBulb(job, command)),
                );
            } catch (error) {
                toast(error.message);
            }
        }
        line.waiting.clear();
        line.sends = false;
        this.draw();
    }
    /// Whether something is on its way to the bulb in hand: what it answers to is older than what is shown.
    get isSending() {
        return this.chosenIds.some((id) => this.lines.get(id)?.sends);
    }

    async stopCycle() {
        for (const id of this.chosenIds) {
            const bulb = this.bulbs.get(id);
            if (bulb?.turn && this.isOpen(id)) this.take(await this.app.hub.jobs.stopBulbCycle(bulb.job.id));
        }
    }

    switchAllOff() {
        const on = this.devices.map(({ id }) => id).filter((id) =>
            this.isOpen(id) && stateOf(this.bulbs.get(id))?.power
        );
        this.give({ command: "off" }, on);
    }

    // MARK: Drawing

    refresh() {
        this.draw();
    }

    tick() {
        for (const card of this.cards) card.tick?.();
        this.shown?.tick?.();
    }

    draw() {
        if (this.isClosed) return;
        const { app, devices } = this, any = devices.length > 0;
        this.chosen = this.chosen === "all" || devices.some(({ id }) => id === this.chosen)
            ? this.chosen
            : null;
        if (any && this.chosen === null && this.hasBegun) {
            this.chosen = devices[0].id;
            if (!this.isOpen(this.chosen) && !this.refusals.has(this.chosen) && !app.unknown) {
                this.connect(this.chosen);
            }
        }
        const states = devices.map(({ id }) => this.isOpen(id) ? stateOf(this.bulbs.get(id)) : null);
        const on = states.filter((state) => state?.power).length;
        const known = states.some(Boolean) ? `, ${on === 1 ? "1 is" : `${on} are`} on` : "";
        app.head("Bulbs", !any ? "" : app.away ? app.asOf : counted(devices.length, "bulb") + known);
        this.allOff.hidden = !any;
        mark(this.allOff, "aria-disabled", on && !app.away ? null : "true");
        mark(this.box, "inert", app.away || null);
        this.box.hidden = !any;
        this.empty.hidden = any;
        app.header.classList.toggle("bulb-header", any);
        say(this.empty.querySelector("h2"), app.unknown ?? "No bulb is near");
        say(
            this.empty.querySelector("p"),
            app.unknown
                ? "Bulbs appear here as soon as they are heard again."
                : "Switch a bulb on and close its own app: most bulbs talk to only one. It appears here by itself.",
        );
        this.empty.querySelector("button").hidden = Boolean(app.unknown);
        if (!any) return;
        this.listBox.draw(devices);
        this.drawMain();
        for (const card of this.cards) card.refresh();
    }

    /// What a bulb does, in a few words.
    wordsOf(id) {
        const bulb = this.bulbs.get(id);
        if (this.connecting.has(id) || bulb?.job.phase === "connecting") return "Connecting";
        if (this.refusals.has(id)) return "Not connected";
        if (!bulb) return "Not connected";
        if (bulb.job.phase === "ended") return bulb.job.reason ? "Not connected any more" : "Not connected";
        if (bulb.turn) return "All hues";
        return stateWords(stateOf(bulb), this.effectsOf(bulb)) || "Does not say what it does";
    }

    goTo(chosen) {
        // Who chooses it once more wants it tried once more.
        if (this.chosen === chosen) {
            for (const id of this.chosenIds) if (!this.isOpen(id)) this.connect(id);
        }
        location.hash = `#/bulbs/${chosen}`;
    }

    drawMain() {
        const ids = this.chosenIds, anyOpen = ids.some((id) => this.isOpen(id));
        const key = `${this.chosen} ${anyOpen ? "light" : "wait"}`;
        if (key !== this.mainKey) {
            this.mainKey = key;
            this.shown = anyOpen ? lightView(this) : waitView(this);
            fill(this.mainBox, this.shown.element);
        }
        this.shown.refresh();
    }

    /// The second line below a bulb's name on a phone.
    lineOf(device, bulb) {
        const dialect = this.dialectOf(bulb)?.name, answered = bulb?.said_time;
        return [
            dialect,
            device.rssi === null || device.rssi === undefined ? null : dBm(device.rssi),
            answered
                ? heard(answered, this.app.time).replace("heard", "answered").replace(/^(\d)/, "answered $1")
                : null,
        ].filter(Boolean).join(", ");
    }
}
