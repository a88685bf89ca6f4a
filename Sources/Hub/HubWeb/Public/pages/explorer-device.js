// One device: what it is and how the link is, its services and values as a tree, what it advertises.
import { fill, h, mark } from "../dom.js";
import { bars, busyArc, symbol } from "../marks.js";
import { clock, dBm, deviceName, deviceText, plain } from "../text.js";
import { button, copy } from "../controls.js";
import { dialog, toast } from "../overlays.js";
import { aboutDevice, aboutLink } from "./explorer-about.js";
import { advertising, serviceSections, Tree } from "./explorer-tree.js";
import { ValueView } from "./explorer-value.js";
import { airWords, linkWords } from "./explorer-words.js";
import { saveAndCompare, saveDevice } from "./explorer-save.js";

const steps = { connecting: "Connecting", discovering: "Looking for services", reading: "Reading values" };

export class DeviceView {
    constructor(page) {
        this.page = page;
        this.app = page.app;
        this.id = null;
        this.title = h("h2");
        this.facts = h("div", { class: "facts cut" });
        this.strength = h("div", { class: "strength" });
        this.connectButton = button("Connect", () => this.connect(), { kind: "main" });
        this.saveButton = button([symbol("download", 18), h("span", "Save")], () => saveDevice(this), {
            kind: "for-open",
            label: "Save",
        });
        this.compareButton = button(
            [symbol("compare", 18), h("span", "Compare")],
            () => saveAndCompare(this),
            {
                kind: "for-open",
                label: "Compare",
            },
        );
        this.menuButton = button(symbol("more", 18), () => this.showMenu(), {
            kind: "icon filled",
            label: "More",
        });
        // Always in sight: a phone has it at the very top.
        [this.endButton, this.phoneEnd] = ["for-wide", "text explorer-end"].map((kind) =>
            button("Disconnect", () => this.release(), { kind })
        );
        this.phoneMenu = button(symbol("more", 22), () => page.showMenu(), {
            kind: "icon explorer-more",
            label: "More",
        });
        this.tree = new Tree({ label: "Services and values", choose: (line) => this.choose(line) });
        this.value = new ValueView(this);
        // Where no pane has room for it, what is known of the device itself follows its values.
        this.aboutBox = h("div", { class: "stack explorer-about" });
        this.tree.element.append(this.aboutBox);
        this.nobody = h(
            "div",
            { class: "empty" },
            h("h2", "No device chosen"),
            h("p", "Choose one in the list to see what it advertises, and to connect to it."),
        );
        this.top = h(
            "div",
            { class: "explorer-top" },
            h("div", { class: "names" }, this.title, this.facts),
            this.strength,
            this.connectButton,
            this.saveButton,
            this.compareButton,
            this.endButton,
            this.menuButton,
        );
        this.element = h(
            "section",
            { class: "explorer-device", "aria-label": "Device" },
            this.top,
            this.tree.element,
            this.nobody,
        );
    }

    get device() {
        return this.page.device ?? (this.detail?.id === this.id ? this.detail : null);
    }
    get work() {
        return this.page.works.of(this.id);
    }
    /// Everything about it, while no value is chosen.
    get cards() {
        return this.detail ? aboutDevice(this.detail, this.app.hub.state.hub.radio.lacks) : null;
    }
    get isOpen() {
        return this.page.works.isOpen(this.id);
    }

    open(id) {
        this.id = id;
        this.detail = null;
        this.gone = null;
        this.tree.chosen = null;
        this.tree.active = null;
        this.tree.closed.clear();
        this.tree.element.scrollTop = 0;
        this.key = null;
        this.noteShape = null;
        this.value.show(null);
        this.about();
    }

    /// What the device advertises, once more.
    async about() {
        const id = this.id;
        if (id === null || this.asks) return;
        this.asks = true;
        try {
            const detail = await this.page.requests.device(id);
            if (id === this.id) {
                this.detail = detail;
                this.gone = null;
            }
        } catch (error) {
            if (id === this.id && error.status === 404) this.gone = error.message;
        }
        this.asks = false;
        if (id !== this.id) return this.about();
        this.draw();
    }

    // MARK: What is chosen

    choose(line) {
        this.key = line?.key ?? null;
        if (!line) {
            this.tree.chosen = null;
            this.tree.draw();
            this.tree.body.focus({ preventScroll: true });
        }
        this.value.show(line);
        // What was chosen is seen above the sheet of a phone.
        if (line && innerWidth < 720) {
            this.tree.body.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "start" });
        }
    }

    valuesCame(device) {
        if (device !== this.id) return;
        // As often as a person can read.
        this.soon ??= setTimeout(() => {
            this.soon = null;
            this.drawTree();
            this.value.draw();
        }, 200);
    }

    // MARK: What can be done

    /// Connects, or gives up what is under way.
    connect() {
        const { works } = this.page, phase = this.work?.explorer.job.phase;
        if (phase === "connecting") works.release(this.id);
        else works.connect(this.id);
    }

    /// Lets the device go; the focus is then where one goes on.
    release() {
        this.page.works.release(this.id);
        this.connectButton.focus({ preventScroll: true });
    }

    /// Pairs; what the device shows or asks is a dialog, which says what comes of it, too.
    pair(job) {
        const { app, page } = this;
        return app.run(null, async () => {
            try {
                app.pairings.asked.delete(job.address);
                page.works.take(await page.requests.pair(job.id));
                // A dialog has said more.
                if (!app.pairings.asked.has(job.address)) toast("Paired. The link is encrypted.");
            } catch (error) {
                if (!app.pairings.shows(job.address)) throw error;
            }
        });
    }

    showMenu() {
        const { isOpen, work, app } = this, device = this.device, works = this.page.works;
        const rows = [];
        const explorer = work?.explorer;
        if (isOpen && !this.saveButton.checkVisibility()) {
            rows.push(["download", "Save", () => saveDevice(this)], [
                "compare",
                "Compare",
                () => saveAndCompare(this),
            ]);
        }
        if (isOpen) {
            rows.push([
                "refresh",
                "Read everything again",
                () =>
                    app.run(
                        null,
                        () => this.page.requests.refresh(explorer.job.id),
                        (word) => works.take(word),
                    ),
            ]);
            if (explorer.pairing) {
                rows.push([
                    "close",
                    "Cancel pairing",
                    () => app.run(null, () => this.page.requests.cancelPairing(explorer.job.id)),
                ]);
            } else if (explorer.can_pair && explorer.security === "none") {
                rows.push(["key", "Pair", () => this.pair(explorer.job)]);
            }
        }
        rows.push(["copy", "Copy address", () => copy(device?.address ?? explorer.job.address)]);
        const element = dialog(
            device ? deviceText(device) : "Device",
            h(
                "div",
                { class: "stack explorer-menu" },
                rows.map(([name, word, action]) =>
                    button([symbol(name), word], () => {
                        element.close();
                        action();
                    }, { kind: "menu-row" })
                ),
                explorer ? aboutLink(explorer, app.hub.state.hub.radio) : null,
            ),
            { sheet: true },
        );
    }

    // MARK: Drawing

    tick() {
        this.drawFacts();
        this.value.tick();
    }

    draw() {
        const { id, page, work } = this, device = this.device, isChosen = id !== null;
        // Where nothing can be chosen, the list says why.
        this.nobody.hidden = isChosen || !page.board.all.size;
        this.top.hidden = this.tree.element.hidden = !isChosen;
        this.value.element.hidden = !isChosen || (page.isNarrow && !this.value.isOpen);
        if (!isChosen) return;
        const explorer = work?.explorer, phase = explorer?.job.phase;
        const busy = phase === "connecting" || page.works.isConnecting(id);
        const name = device ? deviceText(device) : explorer?.job.name ?? explorer?.job.address ?? "Device";
        if (this.called !== name) {
            this.called = name;
            fill(this.title, device ? deviceName(device) : plain(name));
        }
        for (const one of [this.saveButton, this.compareButton]) one.hidden = !this.isOpen || !work.tree;
        this.connectButton.hidden = this.isOpen;
        this.endButton.hidden = !this.isOpen;
        const isCancel = phase === "connecting";
        this.connectButton.classList.toggle("main", !isCancel);
        mark(this.connectButton, "aria-busy", busy && !isCancel || null);
        const cannot = (device?.connectable === false && !busy) || Boolean(page.app.unknown);
        mark(this.connectButton, "aria-disabled", cannot ? "true" : null);
        this.connectButton.disabled = cannot;
        const word = isCancel
            ? "Cancel"
            : busy
            ? "Connecting"
            : phase === "ended"
            ? "Connect again"
            : "Connect";
        if (this.connectButton.textContent !== word) {
            fill(this.connectButton, busy && !isCancel ? [busyArc(16), word] : word);
        }
        mark(this.top, "inert", page.app.away || null);
        this.drawFacts();
        this.drawNotes(device, explorer, busy);
        this.drawTree();
        this.value.draw();
    }

    drawFacts() {
        if (this.id === null) return;
        const { app, work } = this, device = this.device, explorer = work?.explorer;
        const link = this.isOpen ? linkWords(explorer) : "";
        const address = device?.address ?? explorer?.job.address ?? "";
        const words = link || (device ? airWords(device, app.time) : this.gone ? "not heard now" : "");
        const shape = `${address} ${words}`;
        if (shape !== this.factShape) {
            this.factShape = shape;
            fill(
                this.facts,
                h("bdi", { class: "octets address" }, address),
                words ? h("span", h("span", { class: "comma" }, ", "), words) : null,
            );
        }
        const rssi = this.isOpen ? explorer.rssi ?? device?.rssi : device?.rssi;
        if (rssi !== this.drawnStrength) {
            this.drawnStrength = rssi;
            fill(
                this.strength,
                rssi === null || rssi === undefined ? null : [bars(rssi), dBm(rssi)],
            );
        }
    }

    drawNotes(device, explorer, busy) {
        const { page, id } = this, notes = [];
        const reason = explorer?.job.phase === "ended" ? explorer.job.reason : null;
        const refusal = page.works.refusals.get(id);
        if (refusal) notes.push(["warn", "Not connected", refusal]);
        else if (reason) {
            const seen = this.work.tree
                ? ` What you see is as it was at ${clock(this.work.ended, true)}.`
                : "";
            notes.push(["warn", "Not connected any more", reason + seen]);
        } else if (busy || (explorer && this.isOpen && explorer.step !== "ready")) {
            const read = explorer?.step === "reading" ? `, ${explorer.read} of ${explorer.to_read}` : "";
            notes.push(["", `${steps[explorer?.step] ?? "Connecting"}${read}`, null]);
        } else if (this.gone && !explorer) notes.push(["", "Not heard any more", this.gone]);
        else if (device?.connectable === false && !explorer) {
            notes.push(["", "It does not accept connections", "What it advertises is all there is to see."]);
        }
        if (this.isOpen && explorer.trouble) notes.push(["warn", null, explorer.trouble]);
        const shape = JSON.stringify(notes);
        if (shape === this.noteShape) return;
        this.noteShape = shape;
        fill(
            this.tree.notes,
            notes.map(([kind, title, text]) =>
                h(
                    "div",
                    { class: `note ${kind}`, role: kind ? "alert" : "status" },
                    kind ? symbol("warn", 18) : text ? symbol("info", 18) : busyArc(16),
                    h(
                        "span",
                        { class: "grow" },
                        title ? h("strong", text ? `${title}. ` : title) : null,
                        text ? h("bdi", plain(text, 400)) : null,
                    ),
                )
            ),
        );
    }

    drawTree() {
        const { work, detail } = this, sections = [];
        const isOpen = this.isOpen;
        if (work?.tree) {
            const watched = new Set(isOpen ? work.explorer.watched : []);
            sections.push(
                ...serviceSections(work.tree, (one) => ({
                    value: work.values.get(one.value_handle)?.last ?? null,
                    listens: watched.has(one.value_handle),
                })),
            );
        }
        if (detail) sections.push(advertising(detail));
        this.tree.show(sections, this.key);
        const shape = this.page.isNarrow && detail ? JSON.stringify(detail) : null;
        if (shape !== this.aboutShape) {
            this.aboutShape = shape;
            fill(this.aboutBox, shape && this.cards);
        }
        if (this.key && this.value.line) {
            const line = sections.flatMap(({ rows }) => rows).find(({ key }) => key === this.key);
            if (line) this.value.line = line;
        }
    }

    close() {
        clearTimeout(this.soon);
        this.value.close();
    }
}
