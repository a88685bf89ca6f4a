// History: sources or single detections, searched and filtered, ticked and deleted, with the detail of one.
import { fill, h, mark, say } from "../dom.js";
import { LongList } from "../list.js";
import { symbol } from "../marks.js";
import { count, counted, day } from "../text.js";
import { importing } from "./history-import.js";
import { button, segments } from "../controls.js";
import { drawRow, sourceRow } from "./history-row.js";
import { askOrder, drawHeads, orderHeads, orders } from "./history-order.js";
import { toast } from "../overlays.js";
import { offerExport } from "./history-export.js";
import { Filters } from "./history-filters.js";
import { Bulk } from "./history-bulk.js";
import { showMenu } from "./history-menu.js";
import { drawNone, drawNotKnown } from "./history-none.js";
import { SourceDetail } from "./history-detail.js";

const pageSize = 500;
const phone = matchMedia("(max-width: 719px)");
const kinds = { sources: "Sources", detections: "Detections" };
// What the lists showed last without a filter, for when the page is opened while the hub is away.
const kept = {};

export const open = (app, rest) => new History(app, rest);

class History {
    constructor(app, rest) {
        this.app = app;
        this.hub = app.hub;
        // What is listed, and what is to be: the old rows stay until the new ones are there.
        this.kind = this.wanted = "sources";
        // What each list is in order of.
        this.chosenOrders = { sources: "last", detections: "newest" };
        this.rows = [];
        this.total = 0;
        this.ticked = new Set();
        this.allTicked = false;
        // On a phone ticks are shown when they are wanted.
        this.selecting = false;
        this.filters = new Filters(app, () => this.search());
        app.main.className = "working";
        app.head("History", "");
        fill(app.main, this.build());
        this.ends = [
            ["detection", () => this.later()],
            ["detection_placed", () => this.later()],
            ["detections_deleted", () => this.later()],
            ["detections_restored", () => this.later()],
            ["source_changed", (event) => this.changed(event.source)],
            ["state", () => this.search(true)],
        ].map(([name, action]) => this.hub.on(name, action));
        this.turn(rest);
        this.search();
    }

    close() {
        for (const end of this.ends) end();
        clearTimeout(this.timer);
        this.list.stop();
        this.app.shell.classList.remove("has-detail");
    }

    filter = () => this.filters.value();
    /// How many there are, for the top of the list on a phone.
    get summary() {
        const word = this.kind === "sources" ? "source" : "detection";
        return this.total === this.all
            ? counted(this.total, word)
            : `${count(this.total)} of ${counted(this.all, word)}`;
    }
    /// The filter, and what a list is in order of.
    query(kind, limit) {
        const sort = this.chosenOrders[kind], isUsual = sort === Object.keys(orders[kind])[0];
        return { ...this.filter(), limit, ...(isUsual ? {} : { sort }) };
    }
    get order() {
        return this.chosenOrders[this.kind];
    }
    get isSorted() {
        return this.order !== Object.keys(orders[this.kind])[0];
    }
    /// The numbers of sources and of detections overlap.
    key(row) {
        return `${this.kind}-${row.id}`;
    }
    heading(row, before) {
        // Days are heads of what is in the order of time.
        if (this.isSorted && this.kind === "sources") return null;
        const time = row.last ?? row.received, words = day(time);
        return before && day(before.last ?? before.received) === words ? null : words;
    }

    build() {
        const exporting = [symbol("download", 18), h("span", "Export")];
        // On a phone the word is not shown, and how many there are is not known yet.
        this.exporting = button(exporting, () => offerExport(this.hub, this.filter()), {
            kind: "outlined export",
            label: "Export",
        });
        this.kinds = h("div", { class: "on-desktop" });
        this.more = button(symbol("more"), () => this.showMenu(), {
            kind: "icon more on-phone",
            label: "More",
        });
        this.list = new LongList(this, "Sources and detections");
        this.tickAll = h("button", {
            class: "tick",
            type: "button",
            role: "checkbox",
            "aria-checked": "false",
            "aria-label": "Tick all that the filters show",
            onclick: () => {
                this.allTicked = !this.allTicked && !this.ticked.size;
                this.ticked.clear();
                this.tickedChanged();
            },
        }, h("i", symbol("check", 14)));
        this.heads = orderHeads((order) => this.sort(order));
        this.none = h("div", { class: "empty", hidden: true });
        this.bulk = new Bulk(this);
        this.detail = new SourceDetail(this.app, (state) => {
            this.show("sources");
            this.filters.show({ state });
        });
        this.whole = h(
            "div",
            { class: "history" },
            this.filters.element,
            h(
                "div",
                { class: "history-table" },
                h(
                    "div",
                    { class: "history-head" },
                    this.tickAll,
                    h("span"),
                    h("span", "Source"),
                    this.heads,
                ),
                this.list.element,
                this.none,
                this.bulk.element,
            ),
            this.detail.element,
        );
        this.import = importing(this, this.whole);
        this.whole.append(this.import.input);
        fill(
            this.app.actions,
            this.kinds,
            h("a", { class: "button outlined on-desktop", href: "#/drives" }, "Drives"),
            h("div", { class: "on-desktop" }, this.import.button),
            this.exporting,
            this.more,
        );
        this.drawKinds();
        this.drawOrder();
        return this.whole;
    }

    /// Lists sources or detections.
    show(kind) {
        if (kind === this.wanted) return;
        this.wanted = kind;
        this.tickNothing();
        this.drawKinds();
        this.search();
    }

    /// Lists the same in another order.
    sort(order) {
        if (this.app.away) return toast(this.app.tryLater);
        this.chosenOrders[this.kind] = order;
        this.drawOrder();
        this.search();
    }

    showMenu() {
        const select = (all) => {
            this.allTicked = all;
            this.selecting = true;
            this.tickedChanged();
        };
        showMenu(kinds, this.wanted, (kind) => this.show(kind), [
            [
                "down",
                `Sorted by: ${orders[this.kind][this.order]}`,
                () => askOrder(this.kind, this.order, (order) => this.sort(order)),
            ],
            ["check", "Select", () => select(false)],
            ["check", `Select all ${this.summary}`, () => select(true)],
            ["star", "Saved filters", () => this.filters.showSaved()],
            ["upload", "Import a file", () => this.import.choose()],
            ["place", "Drives", () => location.hash = "#/drives"],
        ]);
    }

    drawKinds() {
        fill(this.kinds, segments(kinds, this.wanted, (kind) => this.show(kind)));
    }
    drawOrder() {
        drawHeads(this.heads, this.kind, this.order);
        this.whole.classList.toggle("is-detections", this.kind === "detections");
    }

    // MARK: Rows

    /// Begins again with the filters as they are; the old rows stay until the new ones are there.
    async search(keepPlace = false) {
        const turn = this.searching = {}, kind = this.wanted;
        try {
            const limit = keepPlace ? Math.max(pageSize, Math.min(1000, this.rows.length)) : pageSize;
            const answer = await this.hub[kind](this.query(kind, limit));
            if (this.searching !== turn) return;
            this.searching = null;
            this.rows = answer.items;
            this.total = answer.total;
            this.all = answer.all;
            this.next = answer.next;
            this.loading = null;
            Object.assign(this.list, { offsets: [0], heads: [] });
            const isOther = this.turnTo(kind);
            if (!this.filters.count && !this.isSorted) kept[kind] = answer;
            if (!keepPlace || isOther) this.list.reset();
            this.list.draw();
            this.drawCounts();
        } catch (error) {
            if (this.searching !== turn) return;
            this.searching = null;
            if (this.app.away) return this.showKept();
            toast(error.message);
            this.wanted = this.kind;
            this.drawKinds();
        }
    }

    /// Lists one or the other, whose numbers overlap; the answer is whether it is another list than before.
    turnTo(kind) {
        if (kind === this.kind) return false;
        this.kind = kind;
        this.drawOrder();
        this.ticked.clear();
        this.tickedChanged();
        return true;
    }

    /// Without the hub: what was shown last, where there is nothing to show.
    showKept() {
        if (this.all !== undefined && this.kind === this.wanted) return;
        const { items = [], total = 0, all } = kept[this.wanted] ?? {};
        Object.assign(this, { rows: items, total, all, next: null });
        Object.assign(this.list, { offsets: [0], heads: [] });
        this.turnTo(this.wanted);
        this.list.reset();
        this.drawCounts();
    }

    async load() {
        if (this.loading || this.searching || !this.next) return;
        const { rows, kind } = this;
        this.loading = this.next;
        try {
            const answer = await this.hub[kind]({ ...this.query(kind, 1000), cursor: this.next });
            if (this.rows !== rows) return;
            rows.push(...answer.items);
            this.next = answer.next;
            this.loading = null;
            this.list.draw();
        } catch {
            if (this.rows === rows) this.loading = null;
        }
    }

    /// Something came or went: the list is fetched again, at most every 2 s, where it is not being read.
    later() {
        this.timer ??= setTimeout(() => {
            this.timer = null;
            if (this.list.element.scrollTop < 8 && !this.ticked.size && !this.allTicked) this.search(true);
        }, 2000);
    }

    changed(source) {
        for (const row of this.rows) {
            if ((this.kind === "sources" ? row.id : row.source) === source.id) {
                Object.assign(row, source, { id: row.id });
            }
        }
        this.list.draw();
        this.detail.changed(source.id);
    }

    create(row) {
        return sourceRow(row);
    }

    update(element, row) {
        drawRow(element, row, this.kind === "sources");
        const ticked = this.allTicked || this.ticked.has(row.id);
        mark(element.tick, "aria-checked", String(ticked));
        mark(element, "aria-selected", String(ticked));
        mark(
            element,
            "data-chosen",
            (this.kind === "sources" ? row.id : row.source) === this.chosen ? true : null,
        );
    }

    drawCounts() {
        const word = this.kind === "sources" ? "source" : "detection";
        // What is exported are detections: of listed sources they are counted when that is wanted.
        const isCounted = this.kind === "detections";
        say(this.exporting.lastChild, isCounted ? `Export ${count(this.total)}` : "Export");
        mark(this.exporting, "aria-label", isCounted ? `Export ${counted(this.total, word)}` : "Export");
        this.exporting.disabled = !this.total || this.app.away;
        this.filters.say(this.all === undefined ? this.app.notKnown : this.summary);
        this.none.hidden = this.total > 0;
        this.list.element.hidden = !this.total;
        if (this.total) return;
        if (this.all === undefined) drawNotKnown(this.none, this.app.notKnown);
        else drawNone(this.none, this.all, word, this.filters);
    }

    // MARK: Choosing and ticking

    turn(rest) {
        this.chosen = rest[0] === "source" ? Number(rest[1]) : null;
        this.app.shell.classList.toggle("has-detail", this.chosen !== null);
        this.app.parent(
            this.chosen !== null && matchMedia("(max-width: 1099px)").matches ? ["history", "History"] : null,
        );
        // Where there is room for one of the two, the other has the focus no more.
        if (this.chosen === null) {
            if (this.detail.element.contains(document.activeElement)) this.list.element.focus();
        } else if (this.list.element === document.activeElement && !this.list.element.offsetParent) {
            this.detail.element.focus();
        }
        this.detail.show(this.chosen);
        this.list.draw();
    }

    choose(row) {
        if (this.selecting && phone.matches) return this.tickRow(row);
        location.hash = `#/history/source/${this.kind === "sources" ? row.id : row.source}`;
    }

    tickNothing() {
        this.ticked.clear();
        this.allTicked = false;
        this.selecting = false;
        this.tickedChanged();
    }

    tickRow(row, range, only) {
        if (this.allTicked) {
            this.allTicked = false;
            for (const one of this.rows) this.ticked.add(one.id);
        }
        if (range && this.lastTick !== undefined) {
            const ends = [this.rows.findIndex((one) => one.id === this.lastTick), this.rows.indexOf(row)]
                .sort((a, b) => a - b);
            for (let index = Math.max(0, ends[0]); index <= ends[1]; index += 1) {
                this.ticked.add(this.rows[index].id);
            }
        } else if (this.ticked.has(row.id) && !only) this.ticked.delete(row.id);
        else this.ticked.add(row.id);
        this.lastTick = row.id;
        this.tickedChanged();
    }

    tickedChanged() {
        const number = this.allTicked ? this.total : this.ticked.size;
        this.selecting ||= number > 0;
        this.whole.classList.toggle("is-selecting", this.selecting);
        this.bulk.draw(number, this.selecting && phone.matches);
        mark(this.tickAll, "aria-checked", this.allTicked ? "true" : this.ticked.size ? "mixed" : "false");
        this.list.draw();
    }

    escape() {
        if (this.ticked.size || this.allTicked || this.selecting) {
            this.tickNothing();
        } else if (this.chosen) location.hash = "#/history";
    }

    get of() {
        return this.allTicked ? { filter: this.filter() } : { [this.kind]: [...this.ticked] };
    }
    tickedFilter() {
        return this.allTicked
            ? this.filter()
            : { [this.kind === "sources" ? "source" : "id"]: [...this.ticked] };
    }

    refresh() {
        mark(this.bulk.element, "inert", this.app.away ? true : null);
        this.exporting.disabled = !this.total || this.app.away;
        this.import.button.disabled = this.app.away;
        this.detail.refresh();
    }
}
