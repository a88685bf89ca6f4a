// Lists and tables from data: keyed rows that are kept while they stay, and a long list of which only what
// is seen is in the page.
import { h, mark, say } from "./dom.js";

/// Makes the children of an element those of the items: one for each key, kept, moved, made or taken away.
///
/// What goes is taken away first: else each row that stays would be moved before it, which lays out and
/// paints all of them anew.
export function keyed(parent, items, key, create, update = () => {}) {
    const held = parent.rows ?? (parent.rows = new Map());
    const names = items.map(key), wanted = new Set(names);
    for (const [name, row] of held) {
        if (wanted.has(name)) continue;
        row.remove();
        held.delete(name);
    }
    let place = parent.firstChild;
    items.forEach((item, index) => {
        const name = names[index];
        let row = held.get(name);
        if (!row) {
            row = create(item);
            held.set(name, row);
        }
        update(row, item);
        if (row === place) place = place.nextSibling;
        else parent.insertBefore(row, place);
    });
}

/// A long grid. Rows come in pages from `load(count)`; rows that are not there yet are grey blocks.
///
/// `source` has: total (rows there will be), rows (those loaded), heading(row, before) (text of a group
/// header or null), summary (what the first header says besides),
/// create(row), update(element, row), load() (fetches the next page), choose(row), tickRow(row).
export class LongList {
    constructor(source, label) {
        this.source = source;
        this.rowHeight = 56;
        this.headHeight = 32;
        this.offsets = [0];
        this.heads = [];
        this.active = 0;
        this.body = h("div", { class: "long-body", role: "rowgroup" });
        this.element = h("div", {
            class: "long-list",
            role: "grid",
            tabindex: "0",
            "aria-label": label,
            "aria-multiselectable": "true",
        }, this.body);
        this.element.addEventListener("scroll", () => this.draw(), { passive: true });
        this.element.addEventListener("keydown", (event) => this.key(event));
        this.element.addEventListener("click", (event) => this.click(event));
        this.element.addEventListener("pointerdown", (event) => this.press(event));
        for (const name of ["pointermove", "pointerup", "pointercancel", "scroll"]) {
            this.element.addEventListener(name, (event) => this.release(event), { passive: true });
        }
        this.watcher = new ResizeObserver(() => {
            this.rowHeight = parseFloat(getComputedStyle(this.element).getPropertyValue("--row")) || 56;
            this.draw();
        });
        this.watcher.observe(this.element);
    }

    /// Begins again: other rows.
    reset() {
        this.offsets = [0];
        this.heads = [];
        this.active = 0;
        this.element.scrollTop = 0;
        this.draw();
    }

    measure() {
        const rows = this.source.rows;
        if (this.measured !== this.rowHeight) {
            this.offsets = [0];
            this.heads = [];
            this.measured = this.rowHeight;
        }
        for (let index = this.heads.length; index < rows.length; index += 1) {
            const head = this.source.heading(rows[index], rows[index - 1]);
            this.heads.push(head);
            this.offsets.push(this.offsets[index] + (head === null ? 0 : this.headHeight) + this.rowHeight);
        }
        const end = this.offsets[rows.length] ?? 0;
        return end + Math.max(0, this.source.total - rows.length) * this.rowHeight;
    }

    indexAt(offset) {
        const rows = this.source.rows.length, end = this.offsets[rows];
        if (offset >= end) return rows + Math.floor((offset - end) / this.rowHeight);
        let low = 0, high = rows;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (this.offsets[middle + 1] <= offset) low = middle + 1;
            else high = middle;
        }
        return low;
    }

    top(index) {
        const rows = this.source.rows.length;
        return index <= rows ? this.offsets[index] : this.offsets[rows] + (index - rows) * this.rowHeight;
    }

    /// Draws what is seen and twelve rows around it.
    draw() {
        const height = this.measure(), { scrollTop, clientHeight } = this.element;
        if (this.drawn !== height) this.body.style.height = `${this.drawn = height}px`;
        const first = Math.max(0, this.indexAt(scrollTop) - 12);
        const last = Math.min(this.source.total, this.indexAt(scrollTop + clientHeight) + 12);
        const items = [];
        for (let index = first; index < last; index += 1) {
            const row = this.source.rows[index];
            if (row && this.heads[index] !== null) {
                items.push({ head: this.heads[index], index, key: `h${index}-${this.heads[index]}` });
            }
            items.push(row ? { row, index, key: `r${this.source.key(row)}` } : { index, key: `g${index}` });
        }
        keyed(
            this.body,
            items,
            (item) => item.key,
            (item) => this.make(item),
            (element, item) => this.place(element, item),
        );
        mark(this.element, "aria-rowcount", this.source.total);
        const current = this.source.rows[this.active];
        mark(
            this.element,
            "aria-activedescendant",
            current && this.active >= first && this.active < last ? this.rowName(current) : null,
        );
        if (last > this.source.rows.length && this.source.rows.length < this.source.total) this.source.load();
    }

    rowName(row) {
        return `row-${this.source.key(row)}`;
    }

    make(item) {
        if (item.head !== undefined) {
            const words = h("span", { role: "gridcell" }, item.head);
            const all = item.index ? null : h("span", { class: "all", role: "gridcell" });
            return h("div", { class: "long-head", role: "row" }, words, all);
        }
        if (!item.row) {
            return h(
                "div",
                { class: "long-row ghost", role: "row" },
                h("span", { role: "gridcell" }, h("span", { class: "spoken" }, "Loading")),
                h("span", { class: "block", "aria-hidden": "true" }),
            );
        }
        const element = this.source.create(item.row);
        element.id = this.rowName(item.row);
        return element;
    }

    place(element, item) {
        const head = item.row && this.heads[item.index] !== null ? this.headHeight : 0;
        const top = this.top(item.index) + head;
        if (element.top !== top) element.style.transform = `translateY(${element.top = top}px)`;
        element.index = item.index;
        if (item.head !== undefined) {
            if (!item.index) say(element.lastChild, this.source.summary);
            return;
        }
        mark(element, "aria-rowindex", item.index + 1);
        mark(element, "data-active", item.index === this.active ? true : null);
        if (item.row) this.source.update(element, item.row);
    }

    /// A finger that stays on a row for half a second ticks it.
    press(event) {
        const element = event.target.closest(".long-row");
        const row = element && this.source.rows[element.index];
        this.wasLong = false;
        if (!row || event.pointerType !== "touch") return;
        this.pressed = { x: event.clientX, y: event.clientY };
        this.pressed.timer = setTimeout(() => {
            this.wasLong = true;
            this.source.tickRow(row);
        }, 500);
    }

    release(event) {
        if (!this.pressed) return;
        const { x, y, timer } = this.pressed;
        if (event.type === "pointermove" && Math.hypot(event.clientX - x, event.clientY - y) < 10) return;
        clearTimeout(timer);
        this.pressed = null;
    }

    click(event) {
        const element = event.target.closest(".long-row");
        const row = element && this.source.rows[element.index];
        // The end of a long press opens nothing.
        if (!row || this.wasLong) return;
        this.active = element.index;
        if (event.target.closest(".tick")) this.source.tickRow(row, event.shiftKey);
        else this.source.choose(row);
        this.draw();
    }

    key(event) {
        const page = Math.max(1, Math.floor(this.element.clientHeight / this.rowHeight) - 1);
        const step = {
            ArrowDown: 1,
            ArrowUp: -1,
            PageDown: page,
            PageUp: -page,
            Home: -Infinity,
            End: Infinity,
        }[event.key];
        const row = this.source.rows[this.active];
        if (step !== undefined) {
            const to = Math.min(this.source.rows.length - 1, Math.max(0, this.active + step));
            if (event.shiftKey && row) this.source.tickRow(row, false, true);
            this.active = Math.max(0, to);
            this.reveal();
            if (event.shiftKey && this.source.rows[to]) {
                this.source.tickRow(this.source.rows[to], false, true);
            }
        } else if (event.key === " " && row) this.source.tickRow(row, event.shiftKey);
        else if (event.key === "Enter" && row) this.source.choose(row);
        else return;
        event.preventDefault();
        this.draw();
    }

    reveal() {
        const top = this.top(this.active), bottom = this.top(this.active + 1), view = this.element;
        if (top < view.scrollTop) view.scrollTop = top;
        else if (bottom > view.scrollTop + view.clientHeight) view.scrollTop = bottom - view.clientHeight;
    }

    stop() {
        clearTimeout(this.pressed?.timer);
        this.watcher.disconnect();
    }
}
