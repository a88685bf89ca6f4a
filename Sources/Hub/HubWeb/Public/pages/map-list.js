// SPDX-License-Identifier: Apache-2.0
// The list "In view": it says what the map shows, and does what a pointer does there.
import { button } from "../controls.js";
import { fill, h, mark, say } from "../dom.js";
import { LongList } from "../list.js";
import { bars, detectionMark, isQuiet, signalWords, spoken, symbol, tags, types } from "../marks.js";
import { air, alias, count, counted, far } from "../text.js";
import { clusterPicture, knownPicture } from "./map-pictures.js";

const nameOf = (type) => types[type]?.[0] ?? "Unknown";

/// "12 sources: 5 Flock Safety, 4 Raven and others".
export function clusterWords({ count: number, types: shares }) {
    const named = shares.map((one) => `${count(one.count)} ${nameOf(one.type)}`);
    const rest = number - shares.reduce((sum, one) => sum + one.count, 0);
    return `${named.join(", ")}${rest > 0 ? " and others" : ""}`;
}

/// ±18 m; where nothing can be said of that, the place is the one where it was heard best.
export const whereWords = (item) => item.radius ? `±${far(item.radius)}` : "Heard best here";

/// "283 sources in 6 clusters, 14 pins".
export function viewWords({ pins, clusters, elsewhere }) {
    const sources = pins.length + clusters.reduce((sum, one) => sum + one.count, 0);
    if (!sources && elsewhere.length) return "Nothing here";
    if (!clusters.length) return counted(sources, "source");
    const alone = pins.length ? `, ${counted(pins.length, "pin")}` : "";
    return `${counted(sources, "source")} in ${counted(clusters.length, "cluster")}${alone}`;
}

/// "14 elsewhere" under the search, where the list is not in sight: pressed, it goes there.
export class Elsewhere {
    constructor(page) {
        this.page = page;
        this.button = button("", () => this.go(), { kind: "small" });
        this.element = h("div", { class: "map-there", role: "status" });
    }

    draw({ pins, clusters, elsewhere }) {
        const { whole } = this.page.data, number = whole?.sources ?? elsewhere.length;
        const isWanted = elsewhere.length > 0 && !pins.length && !clusters.length;
        if (isWanted) say(this.button, `${count(number)} elsewhere`);
        fill(this.element, isWanted ? this.button : null);
    }

    go() {
        const { data } = this.page, [first, ...others] = data.elsewhere;
        if (others.length) data.showAll();
        else if (first) this.page.choose(first, { wantsCard: true, fromList: true });
    }
}

export class MapList {
    /// `choose(item, wantsCard)` is told what is opened: by Enter with the focus for what opens, by Space without.
    constructor(choose) {
        this.pick = choose;
        this.rows = [];
        this.summary = "";
        this.list = new LongList(this, "In view");
        this.list.element.removeAttribute("aria-multiselectable");
        this.words = h("span", { class: "hint" });
        this.none = h("div", { class: "empty", hidden: true });
        this.element = h(
            "div",
            { class: "map-list" },
            h("div", { class: "map-list-head" }, this.title = h("h2", "In view"), this.words),
            this.none,
            this.list.element,
        );
    }

    /// "In view", or "Sources" where no map has a view.
    name(title) {
        say(this.title, title);
        mark(this.list.element, "aria-label", title);
    }

    get total() {
        return this.rows.length;
    }
    stop() {
        this.list.stop();
    }

    // MARK: What LongList asks

    key(row) {
        return row.key.replace(/[^\w-]/g, "_");
    }
    heading(row, before) {
        return row.isElsewhere && !before?.isElsewhere ? "Elsewhere" : null;
    }
    load() {}
    choose(row) {
        this.pick(row, true);
    }
    tickRow(row) {
        this.pick(row, false);
    }

    create() {
        const element = h("div", { class: "long-row", role: "row" });
        element.picture = h("span", { role: "gridcell", class: "mark-cell" });
        element.first = h("div", { class: "first" });
        element.second = h("div", { class: "hint cut" });
        element.end = h("span", { role: "gridcell", class: "end where" });
        element.append(
            element.picture,
            h("div", { class: "name", role: "gridcell" }, element.first, element.second),
            element.end,
        );
        return element;
    }

    update(element, row) {
        mark(element, "aria-selected", String(row.key === this.chosen));
        mark(element, "data-chosen", row.key === this.chosen ? true : null);
        const shape = JSON.stringify([
            row.count,
            row.types,
            whereWords(row),
            row.rssi,
            row.mine,
            row.muted,
            row.new,
        ]);
        if (element.shape === shape) return;
        element.shape = shape;
        const title = (text) => h("span", { class: "title cut" }, text);
        if (row.kind === "cluster") {
            fill(element.picture, clusterPicture(row, 32));
            fill(element.first, title(counted(row.count, "source")));
            fill(element.second, clusterWords(row));
            fill(element.end, spoken("Open"), symbol("right", 18));
        } else if (row.kind === "known") {
            fill(element.picture, knownPicture());
            fill(element.first, title(row.name ? air(row.name) : "Known camera"));
            fill(element.second, "Known camera, ", air(row.set));
            fill(element.end);
        } else {
            fill(element.picture, detectionMark(row.type, "soft", 32));
            fill(element.first, title(nameOf(row.type)), h("span", { class: "tags" }, tags(row)));
            fill(element.second, alias(row));
            fill(
                element.end,
                h("span", { class: "second" }, whereWords(row)),
                spoken(signalWords(row.rssi)),
                bars(row.rssi),
            );
            element.classList.toggle("is-quiet", isQuiet(row));
        }
    }

    // MARK: What the page tells

    /// Lists what is in view; who reads on keeps the row that was active.
    show(seen, chosen) {
        const active = this.rows[this.list.active]?.key;
        this.rows = [
            ...seen.pins,
            ...seen.clusters,
            ...seen.known,
            ...seen.elsewhere.map((row) => ({ ...row, isElsewhere: true })),
        ];
        this.chosen = chosen;
        const place = this.rows.findIndex((row) => row.key === active);
        Object.assign(this.list, { offsets: [0], heads: [] });
        this.list.active = Math.max(0, place);
        this.list.draw();
        say(this.words, viewWords(seen));
        this.list.element.hidden = !this.rows.length;
        this.none.hidden = seen.pins.length + seen.clusters.length + seen.elsewhere.length > 0;
    }

    choosing(key, reveals) {
        this.chosen = key;
        const place = this.rows.findIndex((row) => row.key === key);
        if (place >= 0 && reveals) {
            this.list.active = place;
            this.list.reveal();
        }
        this.list.draw();
    }

    /// What is said where nothing is in view.
    empty(...items) {
        fill(this.none, ...items);
    }
}
