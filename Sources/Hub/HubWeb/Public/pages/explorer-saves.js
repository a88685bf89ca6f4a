// Devices that are kept as saves: the list, two of them compared, one of them served again as a device.
import { fill, h, mark, say } from "../dom.js";
import { state as stateMark, symbol } from "../marks.js";
import { clock, counted, day, plain } from "../text.js";
import { button, fileRow } from "../controls.js";
import { dialog, toast } from "../overlays.js";
import { compareView } from "./explorer-compare.js";
import { compareSave } from "./explorer-save.js";

const tick = () => h("i", symbol("check", 14));

export class SavesView {
    constructor(page) {
        this.page = page;
        this.app = page.app;
        this.requests = page.requests;
        this.items = null;
        this.serving = null;
        this.ticked = new Set();
        this.isOpen = false;
        this.title = "Saves";
        this.parent = ["explorer", "Explorer"];
        this.file = h("input", {
            type: "file",
            accept: ".json,application/json",
            hidden: true,
            onchange: () => this.take(this.file),
        });
        this.importButton = button([symbol("upload", 18), "Import a file"], () => this.file.click());
        this.compareButton = button([symbol("compare", 18), h("span")], () => this.compare(), {
            kind: "main",
        });
        this.bar = h(
            "div",
            { class: "saves-bar" },
            h("p", { class: "hint" }),
            this.importButton,
            this.compareButton,
            this.file,
        );
        this.air = h("section", { class: "card saves-air", "aria-label": "On the air", hidden: true });
        this.list = h("ul", { class: "card saves-list", "aria-label": "Saves" });
        this.empty = h(
            "div",
            { class: "empty", hidden: true },
            h("h2", "No saves yet"),
            h(
                "p",
                "Connect to a device and press Save. Its services and values are kept here. " +
                    (this.app.hub.transport.lacks.serving
                        ? "Compare them later."
                        : "Compare them later, or let Lantern stand in for the device."),
            ),
            button("Import a file", () => this.file.click()),
        );
        this.comparison = h("div", { class: "saves-comparison", hidden: true });
        this.all = h("div", { class: "saves-all" }, this.bar, this.air, this.list, this.empty);
        this.element = h("div", { class: "explorer-saves", hidden: true }, this.all, this.comparison);
    }

    /// Another address: saves, or compare/3/4.
    turn(first, [before, after]) {
        this.isOpen = first === "saves" || first === "compare";
        this.pair = first === "compare" ? [Number(before), Number(after)] : null;
        this.parent = this.pair ? ["explorer/saves", "Saves"] : ["explorer", "Explorer"];
        this.title = this.pair ? "Compare saves" : "Saves";
        this.element.hidden = !this.isOpen;
        if (!this.isOpen) return;
        this.element.scrollTop = 0;
        this.fetch();
    }

    /// What is served now, for who shows one save.
    async fetchServing() {
        const told = this.told, serving = await this.requests.serving();
        if (told === this.told) this.serving = serving;
    }

    get numbers() {
        return this.items && !this.pair ? counted(this.items.length, "device") + " kept" : "";
    }

    async fetch() {
        if (!this.isOpen) return;
        if (this.pair) return this.fetchPair();
        const told = this.told;
        try {
            const [{ items }, serving] = await Promise.all([this.requests.saves(), this.requests.serving()]);
            this.items = items;
            // What an event has told meanwhile is newer.
            if (told === this.told) this.serving = serving;
        } catch {
            // It is fetched again when the hub is back.
        }
        for (const id of this.ticked) if (!this.items?.some((one) => one.id === id)) this.ticked.delete(id);
        this.page.draw();
    }

    async fetchPair() {
        const pair = this.pair;
        let shown;
        try {
            shown = compareView(await this.requests.differences(...pair), () => {
                location.hash = `#/explorer/compare/${pair[1]}/${pair[0]}`;
            });
        } catch (error) {
            shown = h(
                "div",
                { class: "empty" },
                h("h2", "These cannot be compared"),
                h("p", error.message),
                h("a", { class: "button", href: "#/explorer/saves" }, "All saves"),
            );
        }
        if (pair === this.pair) fill(this.comparison, shown);
    }

    serves(serving) {
        this.told = (this.told ?? 0) + 1;
        this.serving = serving;
        this.page.draw();
    }

    // MARK: What is done with saves

    compare() {
        if (this.ticked.size !== 2) return;
        // The older one is before.
        const [one, other] = this.items.filter(({ id }) => this.ticked.has(id));
        location.hash = `#/explorer/compare/${other.id}/${one.id}`;
    }

    async take(input) {
        const [file] = input.files;
        if (!file) return;
        if (file.size > 1_048_576) toast("The file is larger than 1 MB, so it is not a saved device.");
        else {
            await this.app.run(
                this.importButton,
                () => this.requests.importSave(file, file.name.replace(/\.json$/i, "").slice(0, 100)),
                () => toast("Imported."),
            );
        }
        input.value = "";
        this.fetch();
    }

    rename(one) {
        const field = h("input", {
            class: "field",
            type: "text",
            maxlength: 100,
            "aria-label": "Name",
            spellcheck: "false",
        });
        const keep = () => {
            const name = field.value.trim();
            if (name && name !== one.name) {
                this.app.run(null, () => this.requests.renameSave(one.id, name), () => this.fetch());
            }
        };
        const element = dialog("Rename", h("div", { class: "stack" }, field), {
            sheet: true,
            actions: [["Keep", "main", keep]],
        });
        field.value = one.name;
        field.select();
        field.addEventListener("keydown", (event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            keep();
            element.close();
        });
    }

    async remove(one) {
        await this.app.run(null, async () => {
            const file = await this.requests.saveFile(one.id);
            await this.requests.deleteSave(one.id);
            return file;
        }, (file) => {
            toast(
                "Save deleted.",
                () =>
                    this.app.run(
                        null,
                        () => this.requests.importSave(JSON.stringify(file), one.name),
                        () => this.fetch(),
                    ),
            );
            if (this.page.saved.id === one.id) location.hash = "#/explorer/saves";
            this.fetch();
        });
    }

    async serve(one, control) {
        const told = this.told;
        await this.app.run(
            control,
            () => this.requests.serve(one.id, null),
            // What an event has told meanwhile is as new, or newer.
            (serving) => told === this.told && this.serves(serving),
        );
    }
    async endServing(control) {
        await this.app.run(control, () => this.requests.endServing());
    }

    showMenu(one) {
        const row = (drawn, word, action) =>
            button([symbol(drawn), word], () => {
                element.close();
                action();
            }, { kind: "menu-row" });
        const element = dialog(
            h("bdi", { class: "cut" }, plain(one.name, 100)),
            h(
                "div",
                { class: "stack explorer-menu" },
                row("compare", "Compare with another", () => compareSave(this, one)),
                row("note", "Rename", () => this.rename(one)),
                fileRow(this.requests.saveLink(one.id), "Download the file", () => element.close()),
                row("trash", "Delete", () => this.remove(one)),
            ),
            { sheet: true },
        );
    }

    // MARK: Drawing

    tick() {}

    draw() {
        const { app, items, pair } = this;
        this.all.hidden = Boolean(pair);
        this.comparison.hidden = !pair;
        mark(this.element, "inert", app.away || null);
        if (pair) return;
        const none = items !== null && items.length === 0;
        this.empty.hidden = !none;
        this.bar.hidden = none;
        this.list.hidden = !items?.length;
        const two = this.ticked.size === 2;
        this.compareButton.hidden = (items?.length ?? 0) < 2;
        mark(this.compareButton, "aria-disabled", two ? null : "true");
        say(this.compareButton.lastChild, "Compare");
        say(
            this.bar.firstChild,
            two ? "Two are ticked" : this.compareButton.hidden ? "" : "Tick two to compare them",
        );
        this.drawAir();
        const shape = JSON.stringify([
            items,
            [...this.ticked],
            this.serving?.state,
            this.serving?.save,
        ]);
        if (shape === this.shape) return;
        this.shape = shape;
        fill(this.list, (items ?? []).map((one) => this.row(one)));
    }

    row(one) {
        const { serving } = this, on = this.ticked.has(one.id), name = plain(one.name, 100);
        const isOn = serving && serving.save === one.id && serving.state !== "off" &&
            serving.state !== "failed";
        const parts = [
            // A name that begins with the device's says it already.
            one.device_name && !one.name.startsWith(one.device_name) ? plain(one.device_name, 60) : null,
            `${day(one.time, this.app.time)}, ${clock(one.time)}`,
            counted(one.services, "service"),
            counted(one.values, "value"),
        ].filter(Boolean);
        return h(
            "li",
            { class: "save-row" },
            h("button", {
                class: "tick",
                type: "button",
                role: "checkbox",
                "aria-checked": String(on),
                "aria-label": `Tick ${name}`,
                onclick: () => {
                    if (!this.ticked.delete(one.id)) this.ticked.add(one.id);
                    this.draw();
                },
            }, tick()),
            h(
                "div",
                { class: "grow" },
                h("a", { class: "cut", href: `#/explorer/save/${one.id}` }, h("bdi", name)),
                h("div", { class: "hint cut" }, h("bdi", parts.join(", "))),
            ),
            this.app.hub.transport.lacks.serving
                ? null
                : isOn
                ? button("Stop", (self) => this.endServing(self), {
                    kind: "small",
                    label: `Stop serving ${name}`,
                })
                : button("Serve", (self) => this.serve(one, self), {
                    kind: "small",
                    label: `Serve ${name} as a device`,
                }),
            button(symbol("more", 18), () => this.showMenu(one), {
                kind: "icon",
                label: `More about ${name}`,
            }),
        );
    }

    /// What is served, or why nothing can be.
    drawAir() {
        const { serving } = this, quiet = !serving || serving.state === "off";
        this.air.hidden = quiet;
        const shape = JSON.stringify(serving);
        if (shape === this.airShape || quiet) return;
        this.airShape = shape;
        const state = {
            starting: ["connecting", "Starting"],
            on: ["live", "On the air"],
            failed: ["missing", "Not on the air"],
        }[serving.state];
        fill(
            this.air,
            h(
                "div",
                { class: "card-head" },
                stateMark(...state),
                h("span", { class: "grow" }),
                serving.state === "failed"
                    ? null
                    : button("Stop", (self) => this.endServing(self), { kind: "small" }),
            ),
            h("h2", h("bdi", plain(serving.title ?? "", 100))),
            h(
                "p",
                { class: "hint" },
                serving.state === "failed" ? plain(serving.reason ?? "", 300) : [
                    serving.name ? ["As ", h("bdi", plain(serving.name, 60)), ", "] : "Without a name, ",
                    serving.since ? `since ${clock(serving.since)}, ` : "",
                    `${counted(serving.clients, "client")}, ${counted(serving.writes, "write")}`,
                ],
            ),
            serving.lines.length
                ? h(
                    "ul",
                    { class: "value-changes", "aria-label": "What clients did" },
                    [...serving.lines].reverse().slice(0, 8).map(({ time, text }) =>
                        h("li", h("bdi", plain(text, 200)), h("span", { class: "hint" }, clock(time, true)))
                    ),
                )
                : null,
        );
    }
}
