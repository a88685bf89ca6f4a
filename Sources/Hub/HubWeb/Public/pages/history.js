// History: sources or single detections, searched and filtered, ticked and deleted, with the detail of one.
import { fill, h, mark, say } from "../dom.js";
import { LongList } from "../list.js";
import { isQuiet, symbol, tags } from "../marks.js";
import { clock, count, counted, day, place } from "../text.js";
import { button, segments } from "../controls.js";
import { drawFigures, sourceRow } from "./history-row.js";
import { toast } from "../overlays.js";
import { offerExport } from "./history-export.js";
import { Filters } from "./history-filters.js";
import { SourceDetail } from "./history-detail.js";

const pageSize = 500;
// What the lists showed last without a filter, for when the page is opened while the hub is away.
const kept = {};

export function open(app, rest) {
    return new History(app, rest);
}

class History {
    constructor(app, rest) {
        this.app = app;
        this.hub = app.hub;
        this.kind = "sources";
        this.rows = [];
        this.total = 0;
        this.ticked = new Set();
        this.allTicked = false;
        this.filters = new Filters(app, () => this.search());
        app.main.className = "working";
        app.head("History", "");
        fill(app.main, this.build());
        this.ends = [
            ["detection", () => this.later()],
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
    }

    get ids() {
        return this.kind === "sources" ? "sources" : "detections";
    }
    filter() {
        return this.filters.value();
    }
    /// The numbers of sources and of detections overlap.
    key(row) {
        return `${this.kind}-${row.id}`;
    }
    heading(row, before) {
        const time = row.last ?? row.received, words = day(time);
        return before && day(before.last ?? before.received) === words ? null : words;
    }

    build() {
        const kinds = segments({ sources: "Sources", detections: "Detections" }, this.kind, (kind) => {
            if (kind === this.kind) return;
            this.kind = kind;
            this.ticked.clear();
            this.allTicked = false;
            this.search();
        });
        const exporting = [symbol("download", 18), h("span", "Export")];
        this.exporting = button(exporting, () => offerExport(this.hub, this.filter()), { kind: "outlined" });
        fill(this.app.actions, kinds, this.exporting);
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
        this.none = h("div", { class: "empty", hidden: true });
        this.bulk = h("div", {
            class: "bulk",
            role: "toolbar",
            "aria-label": "With what is ticked",
            hidden: true,
        });
        this.bulkText = h("span");
        const act = (word, name, action, kind = "") =>
            button([symbol(name, 16), h("span", word)], action, { kind: `small ${kind}` });
        fill(
            this.bulk,
            this.bulkText,
            act("Mine", "mine", () => this.flag("mine")),
            act("Mute", "mute", () => this.flag("muted")),
            act("Export", "download", () => offerExport(this.hub, this.tickedFilter())),
            act("Delete", "trash", () => this.remove(), "danger"),
            button(symbol("close", 18), () => this.escape(), { kind: "icon", label: "Tick nothing" }),
        );
        this.detail = new SourceDetail(this.app);
        return h(
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
                    h("span", "Confidence"),
                    h("span", { class: "end seen" }, "Seen"),
                    h("span", "Strongest"),
                    h("span", { class: "end newest-first" }, "Last", symbol("down", 14)),
                ),
                this.list.element,
                this.none,
                this.bulk,
            ),
            this.detail.element,
        );
    }

    // MARK: Rows

    /// Begins again with the filters as they are; the old rows stay until the new ones are there.
    async search(keepPlace = false) {
        const turn = this.searching = {};
        try {
            const answer = await this.hub[this.ids]({
                ...this.filter(),
                limit: keepPlace ? Math.max(pageSize, Math.min(1000, this.rows.length)) : pageSize,
            });
            if (this.searching !== turn) return;
            this.rows = answer.items;
            this.total = answer.total;
            this.all = answer.all;
            this.next = answer.next;
            this.loading = null;
            if (!this.filters.count) kept[this.kind] = answer;
            if (!keepPlace) this.list.reset();
            else Object.assign(this.list, { offsets: [0], heads: [] });
            this.list.draw();
            this.drawCounts();
        } catch (error) {
            if (this.searching !== turn) return;
            if (this.app.away) this.showKept();
            else toast(error.message);
        }
    }

    /// Without the hub: what was shown last, where there is nothing to show.
    showKept() {
        if (this.all !== undefined && this.keptKind === this.kind) return;
        const { items = [], total = 0, all } = kept[this.kind] ?? {};
        Object.assign(this, { rows: items, total, all, next: null, keptKind: this.kind });
        this.list.reset();
        this.drawCounts();
    }

    async load() {
        if (this.loading || !this.next) return;
        const turn = this.searching;
        this.loading = this.next;
        try {
            const answer = await this.hub[this.ids]({ ...this.filter(), limit: 1000, cursor: this.next });
            if (this.searching !== turn) return;
            this.rows.push(...answer.items);
            this.next = answer.next;
            this.loading = null;
            this.list.draw();
        } catch {
            this.loading = null;
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
        const { mine, muted, false_alarm, rssi, confidence, last } = row;
        const flags = JSON.stringify([row.new, mine, muted, false_alarm, row.count, last, rssi, confidence]);
        if (element.flags !== flags) {
            element.flags = flags;
            fill(element.tags, tags(row));
            drawFigures(element, row);
            element.classList.toggle("is-quiet", isQuiet(row));
            say(element.count, this.kind === "sources" ? count(row.count) : place(row));
            element.count.classList.toggle("times", this.kind === "sources");
            say(element.last, clock(row.last ?? row.received));
        }
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
        this.keptKind = this.kind;
        say(this.exporting.lastChild, `Export ${count(this.total)}`);
        mark(this.exporting, "aria-label", `Export ${counted(this.total, word)}`);
        this.exporting.disabled = !this.total || this.app.away;
        this.filters.say(
            this.all === undefined
                ? "Not known while the hub is away"
                : this.total === this.all
                ? counted(this.total, word)
                : `${count(this.total)} of ${counted(this.all, word)}`,
        );
        this.none.hidden = this.total > 0;
        this.list.element.hidden = !this.total;
        if (this.total) return;
        if (this.all === undefined) {
            fill(
                this.none,
                h("h2", "Not known while the hub is away"),
                h("p", "The list comes by itself when the hub is back."),
            );
            return;
        }
        const filtered = this.filters.count;
        fill(
            this.none,
            filtered
                ? [
                    h("h2", "Nothing matches"),
                    h(
                        "p",
                        `${counted(this.all, word)} ${this.all === 1 ? "is" : "are"} hidden by ${
                            counted(filtered, "filter")
                        }`,
                    ),
                    h("button", {
                        class: "button",
                        type: "button",
                        onclick: () => this.filters.clear(),
                    }, "Clear filters"),
                ]
                : [
                    h("h2", "Nothing noticed yet"),
                    h("p", "What a FlockFinder notices is kept here. Switch it on and keep it near the hub."),
                    h("a", { class: "button", href: "#/scanner" }, "Open Scanner"),
                ],
        );
    }

    // MARK: Choosing and ticking

    turn(rest) {
        this.chosen = rest[0] === "source" ? Number(rest[1]) : null;
        this.app.shell.classList.toggle("has-detail", this.chosen !== null);
        this.app.parent(
            this.chosen !== null && matchMedia("(max-width: 1099px)").matches ? ["history", "History"] : null,
        );
        this.detail.show(this.chosen);
        this.list.draw();
    }

    choose(row) {
        location.hash = `#/history/source/${this.kind === "sources" ? row.id : row.source}`;
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
        this.bulk.hidden = !number;
        say(this.bulkText, `${count(number)} selected`);
        mark(this.tickAll, "aria-checked", this.allTicked ? "true" : this.ticked.size ? "mixed" : "false");
        this.list.draw();
    }

    escape() {
        if (this.ticked.size || this.allTicked) {
            this.ticked.clear();
            this.allTicked = false;
            this.tickedChanged();
        } else if (this.chosen) location.hash = "#/history";
    }

    get of() {
        return this.allTicked ? { filter: this.filter() } : { [this.ids]: [...this.ticked] };
    }
    tickedFilter() {
        return this.allTicked
            ? this.filter()
            : { [this.kind === "sources" ? "source" : "id"]: [...this.ticked] };
    }

    remove() {
        const number = this.allTicked ? this.total : this.ticked.size,
            word = this.kind === "sources" ? "source" : "detection";
        this.app.run(null, () => this.hub.bulk("delete", this.of), (answer) => {
            this.escape();
            toast(
                `${counted(number, word)} deleted`,
                () =>
                    this.app.run(
                        null,
                        () => this.hub.bulk("restore", { undo: answer.undo }),
                        () => this.search(true),
                    ),
            );
            return this.search(true);
        });
    }

    flag(name) {
        const of = this.of, word = name === "mine" ? "Marked as mine" : "Muted";
        this.app.run(null, () => this.hub.bulk(name, of), (answer) => {
            this.escape();
            toast(
                `${word}: ${counted(answer.changed, "source")}`,
                () => this.app.run(null, () => this.hub.bulk(name, of, false), () => this.search(true)),
            );
            return this.search(true);
        });
    }

    refresh() {
        mark(this.bulk, "inert", this.app.away ? true : null);
        this.exporting.disabled = !this.total || this.app.away;
        this.detail.refresh();
    }
}
