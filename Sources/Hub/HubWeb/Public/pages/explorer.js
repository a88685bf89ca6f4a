// Explorer: everything that is heard, the tree of one device, and one of its values. A link to a device lasts while
// this page is there; several devices may be open.
import { h, mark } from "../dom.js";
import { counted } from "../text.js";
import { symbol } from "../marks.js";
import { Board, noFilters } from "./explorer-board.js";
import { DeviceList } from "./explorer-list.js";
import { DeviceView } from "./explorer-device.js";
import { SavedView } from "./explorer-saved.js";
import { SavesView } from "./explorer-saves.js";
import { Works } from "./explorer-works.js";

export const open = (app, rest) => new ExplorerPage(app, rest);

class ExplorerPage {
    constructor(app, rest) {
        this.app = app;
        this.requests = app.hub.explorer;
        // What is searched and sorted by stays while other pages are looked at.
        app.explorerFilters ??= noFilters();
        this.board = new Board(app.explorerFilters);
        this.works = new Works(
            app.hub,
            (device) => this.workChanged(device),
            (device) => this.view.valuesCame(device),
        );
        this.list = new DeviceList(this, this.board);
        this.view = new DeviceView(this);
        this.saves = new SavesView(this);
        this.saved = new SavedView(this);
        this.box = h(
            "div",
            { class: "explorer" },
            this.list.element,
            this.view.element,
            this.view.value.element,
        );
        app.main.className = "working explorer-page";
        app.header.classList.add("explorer-header");
        app.main.append(this.box, this.saved.element, this.saves.element);
        this.savesLink = h(
            "a",
            { class: "button", href: "#/explorer/saves", "aria-label": "Saves" },
            symbol("folder", 18),
            h("span", "Saves"),
        );
        this.devicesLink = h(
            "a",
            { class: "button", href: "#/explorer", "aria-label": "Devices" },
            symbol("explorer", 18),
            h("span", "Devices"),
        );
        app.actions.replaceChildren(
            this.devicesLink,
            this.savesLink,
            this.view.phoneEnd,
            this.view.phoneMenu,
        );
        this.ends = [
            app.hub.on("scan_changed", (event) => this.scanned(event)),
            app.hub.on("explorer_changed", ({ explorer }) => this.works.take(explorer)),
            app.hub.on("explorer_values", (event) => this.works.came(event)),
            app.hub.on("saves_changed", () => {
                this.saves.fetch();
                this.saved.fetch();
            }),
            app.hub.on("serving_changed", ({ serving }) => this.saves.serves(serving)),
            app.hub.on("state", () => this.fetch()),
        ];
        const wide = matchMedia("(min-width: 1100px)"), turned = () => this.draw();
        wide.addEventListener("change", turned);
        this.ends.push(() => wide.removeEventListener("change", turned));
        this.timer = setInterval(() => this.keep(), 10000);
        this.turn(rest);
        this.fetch();
    }

    async fetch() {
        // What is told while the list is on its way may be newer than it.
        const told = this.told = [];
        try {
            const { items } = await this.requests.devices();
            if (this.told === told) {
                this.told = null;
                this.hasList = true;
                this.board.fill(items);
                for (const event of told) this.take(event);
                this.draw();
            }
        } catch {
            // It is fetched again when the hub is back.
        }
        await this.works.adopt();
        if (this.isClosed) return;
        this.view.about();
        this.draw();
    }

    /// Another address of this page: nothing, device/12, saves, save/3, compare/3/4.
    turn([first, ...rest]) {
        this.where = first ?? "";
        const id = first === "device" ? Number(rest[0]) : null;
        this.saves.turn(first, rest);
        this.saved.open(first === "save" ? Number(rest[0]) : null);
        if (id !== this.chosen) {
            this.chosen = id;
            this.view.open(id);
        }
        this.draw();
    }

    /// What a phone has at the top: more about the device or the save that is seen.
    showMenu() {
        if (this.saved.detail) this.saves.showMenu(this.saved.detail.save);
        else this.view.showMenu();
    }

    get device() {
        return this.chosen === null ? null : this.board.all.get(this.chosen);
    }
    get isNarrow() {
        return innerWidth < 1100;
    }

    choose(id) {
        location.hash = `#/explorer/device/${id}`;
    }

    take({ devices, signals, gone }) {
        for (const device of devices) this.board.take(device);
        for (const signal of signals) this.board.signal(signal);
        for (const id of gone) this.board.remove(id);
    }

    scanned(event) {
        const { devices } = event;
        this.told?.push(event);
        this.take(event);
        if (devices.some(({ id }) => id === this.chosen)) this.view.about();
        // Four times a second are enough, and one drawing for whatever has come.
        this.soon ??= setTimeout(() => {
            this.soon = null;
            if (!this.isClosed && !document.hidden) this.draw();
        }, 250);
    }

    workChanged(device) {
        if (this.isClosed) return;
        if (device === this.chosen) this.view.draw();
        this.list.tick();
        this.drawHead();
    }

    /// What a row says of the link to a device, if it says something.
    linkWord({ id, state }) {
        const phase = this.works.of(id)?.explorer?.job.phase;
        if (phase === "connecting" || this.works.isConnecting(id) || state === "connecting") {
            return "Connecting";
        }
        return phase === "open" || state === "connected" ? "Connected" : null;
    }

    keep() {
        if (this.app.away) return;
        this.keeps = (this.keeps ?? 0) + 1;
        // The list wants to be asked for each minute, links as often as the others.
        if (this.keeps % 2) this.requests.keepScan().catch(() => {});
        this.works.keep();
    }

    escape() {
        if (this.saved.value.isOpen) this.saved.choose(null);
        else if (this.view.value.isOpen) this.view.choose(null);
        else if (this.isNarrow && this.saved.id !== null) location.hash = "#/explorer/saves";
        else if (this.isNarrow && this.where) location.hash = "#/explorer";
    }

    refresh() {
        this.draw();
    }

    tick() {
        if (this.saves.isOpen) return this.saves.tick();
        if (this.saved.id !== null) return this.saved.tick();
        this.list.tick();
        this.view.tick();
    }

    draw() {
        if (this.isClosed) return;
        const { saves, box, app } = this;
        const { saved } = this, isSave = saved.id !== null;
        box.hidden = saves.isOpen || isSave;
        box.classList.toggle("has-device", this.chosen !== null);
        this.drawHead();
        if (saves.isOpen) return saves.draw();
        if (isSave) return saved.draw();
        mark(this.view.element, "data-away", app.away || null);
        this.list.draw();
        this.view.draw();
    }

    drawHead() {
        const { app, board, saves, saved } = this, isSave = saved.id !== null, links = this.works.openCount;
        const known = !this.hasList
            ? ""
            : app.away
            ? app.asOf
            : `${counted(board.all.size, "device")} heard${links ? `, ${links} connected` : ""}`;
        const parent = saves.isOpen
            ? saves.parent
            : isSave
            ? ["explorer/saves", "Saves"]
            : this.chosen !== null
            ? ["explorer", "Explorer"]
            : ["devices", "Devices"];
        if (app.back.getAttribute("href") !== `#/${parent[0]}`) app.parent(parent);
        app.header.classList.toggle("bare", !saves.isOpen && (isSave || this.chosen !== null));
        app.head(
            saves.isOpen ? saves.title : isSave ? "Saves" : "Explorer",
            saves.isOpen ? saves.numbers : isSave ? "" : known,
        );
        this.devicesLink.hidden = !saves.isOpen && !isSave;
        this.savesLink.hidden = saves.isOpen && !saves.pair;
        this.view.phoneEnd.hidden = !this.view.isOpen || isSave || saves.isOpen;
        this.view.phoneMenu.hidden = (this.chosen === null && !saved.detail) || saves.isOpen;
    }

    close() {
        this.isClosed = true;
        clearInterval(this.timer);
        clearTimeout(this.soon);
        for (const end of this.ends) end();
        this.app.header.classList.remove("explorer-header", "bare");
        this.list.close();
        this.view.close();
        this.saved.close();
        this.works.close();
    }
}
