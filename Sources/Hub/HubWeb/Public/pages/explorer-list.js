// The list of the Explorer: everything that is heard, of which only the rows that are seen are in the page.
import { fill, h, mark, say } from "../dom.js";
import { LongList } from "../list.js";
import { bars, spoken, symbol } from "../marks.js";
import { age, clock, counted, dBm, deviceName, deviceText, distance, plain, signed } from "../text.js";
import { button } from "../controls.js";
import { dialog } from "../overlays.js";
import { filterCount, noFilters, orders, strengths, whoIs } from "./explorer-board.js";
import { signalLine } from "./explorer-plot.js";

/// A device counts as here so long after it was heard, in milliseconds.
const here = 30000;

export class DeviceList {
    constructor(page, board) {
        this.page = page;
        this.board = board;
        this.field = h("input", {
            class: "field",
            type: "search",
            placeholder: matchMedia("(max-width: 719px)").matches
                ? "Name, maker, service, address"
                : "Name, maker, service",
            "aria-label": "Search the devices",
            maxlength: 100,
            spellcheck: "false",
            autocomplete: "off",
            oninput: () => this.setFilters({ text: this.field.value.trim() }),
            onkeydown: (event) => {
                if (event.key !== "ArrowDown" && event.key !== "Enter") return;
                event.preventDefault();
                this.long.element.focus();
            },
        });
        this.field.value = board.filters.text;
        this.filterButton = button(symbol("filter", 18), () => this.showFilters(), { kind: "icon filled" });
        this.chips = h("div", { class: "explorer-chips", role: "group", "aria-label": "Order and filters" });
        this.fresh = button("", () => this.release(true), { kind: "small explorer-new" });
        this.fresh.hidden = true;
        this.long = new LongList(this.rowSource(), "Devices");
        mark(this.long.element, "aria-multiselectable", null);
        this.empty = h("div", { class: "empty", hidden: true }, h("h2"), h("p"));
        this.count = h("span", { class: "spoken", role: "status" });
        this.element = h(
            "section",
            { class: "explorer-list", "aria-label": "Devices" },
            h(
                "div",
                { class: "explorer-find" },
                h(
                    "div",
                    { class: "search" },
                    symbol("search", 18),
                    this.field,
                ),
                this.filterButton,
            ),
            this.chips,
            this.fresh,
            this.long.element,
            this.empty,
            this.count,
        );
        this.holdWhilePointed();
        this.drawFilters();
    }

    rowSource() {
        const { board, page } = this;
        return {
            get total() {
                return board.rows.length;
            },
            get rows() {
                return board.rows;
            },
            key: ({ id }) => id,
            heading: () => null,
            create: () => row(),
            update: (element, device) => this.update(element, device),
            load: () => {},
            choose: (device) => page.choose(device.id),
            tickRow: () => {},
        };
    }

    // MARK: What holds the order

    holdWhilePointed() {
        const list = this.long.element;
        const changed = () => {
            this.board.held = list.matches(":hover") || list.matches(":focus-visible");
            if (!this.board.held && this.board.waiting) this.release(false);
        };
        for (const name of ["pointerenter", "pointerleave", "focus", "blur"]) {
            list.addEventListener(name, changed);
        }
    }

    /// Lets the list move: to what it should be now.
    release(asked) {
        if (asked) this.long.element.scrollTop = 0;
        this.arrange({ force: true });
        this.draw();
    }

    /// Orders afresh; what has the keyboard's mark keeps it.
    arrange(how) {
        const { board, long } = this, active = board.rows[long.active]?.id;
        board.sort(how);
        const now = board.rows.findIndex(({ id }) => id === active);
        long.active = Math.max(0, now >= 0 ? now : Math.min(long.active, board.rows.length - 1));
    }

    // MARK: What is wanted

    setFilters(change) {
        Object.assign(this.board.filters, change);
        this.drawFilters();
        this.long.element.scrollTop = 0;
        this.arrange({ force: true });
        this.draw();
        say(this.count, counted(this.board.rows.length, "device"));
    }

    drawFilters() {
        const { filters } = this.board, set = filterCount(filters);
        this.filterButton.classList.toggle("filter-set", set > 0);
        mark(this.filterButton, "aria-label", set ? `Order and filters, ${set} set` : "Order and filters");
        const order = h(
            "button",
            { class: "chip", type: "button", onclick: () => this.showFilters() },
            orders[filters.order],
            symbol("down", 16),
        );
        const chip = (word, isSet, change) =>
            h("button", {
                class: isSet ? "chip set" : "chip",
                type: "button",
                "aria-pressed": String(isSet),
                onclick: () => this.setFilters(change),
            }, word);
        fill(
            this.chips,
            order,
            chip(
                `≥ ${dBm(filters.rssi ?? -80)}`,
                filters.rssi !== null,
                { rssi: filters.rssi === null ? -80 : null },
            ),
            chip("Named", filters.named, { named: !filters.named }),
            chip("Can connect", filters.connectable, { connectable: !filters.connectable }),
            filters.maker !== null ? chip(plain(filters.maker, 40), true, { maker: null }) : null,
        );
    }

    showFilters() {
        const { filters, makers } = this.board;
        const tick = (name, word, hint) => {
            const input = h("input", {
                type: "checkbox",
                class: "switch",
                role: "switch",
                "aria-label": word,
                checked: filters[name],
                onchange: () => this.setFilters({ [name]: input.checked }),
            });
            return h(
                "label",
                { class: "filter-row" },
                h("span", word, h("span", { class: "hint" }, hint)),
                input,
            );
        };
        const choice = (label, chosen, options, choose) => {
            const field = h(
                "select",
                { class: "field", onchange: () => choose(field.value || null) },
                options.map(([value, word]) => h("option", { value: value ?? "" }, word)),
            );
            field.value = chosen ?? "";
            return h("label", { class: "filter-row" }, h("span", label), field);
        };
        const known = makers.some(([name]) => name === filters.maker) || filters.maker === null
            ? makers
            : [[filters.maker, 0], ...makers];
        dialog(
            "Order and filters",
            h(
                "div",
                { class: "stack explorer-filters" },
                choice("Order", filters.order, Object.entries(orders), (order) => this.setFilters({ order })),
                choice(
                    "Strength",
                    filters.rssi === null ? "" : String(filters.rssi),
                    [
                        ["", "Any"],
                        ...strengths.map((
                            rssi,
                        ) => [String(rssi), `At least ${dBm(rssi)}, ${distance(rssi).toLowerCase()}`]),
                    ],
                    (rssi) => this.setFilters({ rssi: rssi === null ? null : Number(rssi) }),
                ),
                choice(
                    "Maker",
                    filters.maker,
                    [
                        ["", "Any"],
                        ...known.slice(0, 200).map((
                            [name, number],
                        ) => [name, `${plain(name, 40)}, ${number}`]),
                    ],
                    (maker) => this.setFilters({ maker }),
                ),
                tick("named", "With a name", "It gives itself a name"),
                tick("connectable", "Can connect", "It accepts connections, or does not say"),
            ),
            {
                sheet: true,
                actions: [
                    ["Clear all", "", () => this.setFilters({ ...noFilters(), text: filters.text })],
                    ["Done", "main", () => {}],
                ],
            },
        );
    }

    // MARK: Drawing

    draw() {
        const { board, page, long } = this, { app } = page;
        this.arrange();
        this.fresh.hidden = board.waiting === 0;
        say(this.fresh, `${board.waiting} new`);
        const none = board.rows.length === 0;
        long.element.hidden = none;
        // Whether there is nothing is known once the list has come.
        this.empty.hidden = !none || !page.hasList && !app.unknown;
        if (none) this.drawEmpty(app);
        else long.draw();
    }

    drawEmpty(app) {
        const { board } = this, [title, text] = this.empty.children, hidden = board.all.size > 0;
        say(title, hidden ? "Nothing matches" : app.unknown ?? "Nothing heard yet");
        say(
            text,
            hidden
                ? `${counted(board.all.size, "device")} ${
                    board.all.size === 1 ? "is" : "are"
                } hidden by the search and the filters.`
                : app.unknown
                ? "Devices appear here by themselves when it is back."
                : "Devices appear here as soon as the radio hears them.",
        );
        const clear = this.empty.querySelector("button");
        if (hidden && !clear) {
            this.empty.append(button("Show all", () => {
                this.field.value = "";
                this.setFilters(noFilters());
                this.field.focus();
            }));
        } else if (!hidden) clear?.remove();
    }

    update(element, device) {
        const { app } = this.page, { cells } = element, chosen = device.id === this.page.device?.id;
        const isHere = app.time - Date.parse(device.last_heard) < here;
        const link = app.away ? null : this.page.linkWord(device);
        mark(element, "data-chosen", chosen || null);
        mark(element, "aria-selected", String(chosen));
        element.classList.toggle("is-gone", !isHere && !link);
        const look = `${isHere} ${device.rssi === null ? "" : distance(device.rssi)}`;
        if (cells.look !== look) {
            cells.look = look;
            fill(
                cells.bars,
                bars(device.rssi, isHere),
                spoken(isHere ? distance(device.rssi) : "Not heard now"),
            );
        }
        const name = deviceText(device);
        if (cells.called !== name) {
            cells.called = name;
            fill(cells.name, deviceName(device));
        }
        const who = whoIs(device);
        say(cells.who, plain(who, 100));
        if (cells.history !== device.history) cells.line.show(cells.history = device.history);
        // Without the hub nothing grows older: it is as it was at a time.
        const ago = app.away ? clock(device.last_heard) : age(device.last_heard, app.time);
        say(cells.strength, link || device.rssi === null ? "" : `${signed(device.rssi)} dBm, `);
        say(cells.age, link ?? (ago === "Now" ? "now" : ago));
    }

    tick() {
        if (!this.element.hidden && this.board.rows.length) this.long.draw();
    }

    close() {
        this.long.stop();
    }
}

function row() {
    const cells = {
        bars: h("span", { class: "bars-cell" }),
        name: h("span", { class: "cut" }),
        who: h("span", { class: "who cut" }),
        line: signalLine(),
        strength: h("span", { class: "strength" }),
        age: h("span"),
    };
    const element = h(
        "div",
        { class: "long-row", role: "row" },
        h("span", { class: "bars-cell", role: "gridcell" }, cells.bars),
        h("span", { class: "name cut", role: "gridcell" }, cells.name),
        h("span", { class: "who cut", role: "gridcell" }, cells.who),
        h("span", { class: "line-cell", role: "presentation" }, cells.line.element),
        h("span", { class: "age", role: "gridcell" }, cells.strength, cells.age),
    );
    element.cells = cells;
    return element;
}
