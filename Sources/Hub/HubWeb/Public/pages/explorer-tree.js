// The tree of one device: services as group headers, characteristics with what they are worth and what can be done.
import { fill, h, mark, say } from "../dom.js";
import { keyed } from "../list.js";
import { symbol } from "../marks.js";
import { counted, plain } from "../text.js";
import { canWords, handleWord, shortUUID, valueWords } from "./explorer-words.js";

/// The tree as rows: heads, and what is below those that are open. `sections` are {key, name, uuid, count, rows}, where a
/// row is {key, name, uuid, words, why, tags}.
export class Tree {
    constructor({ choose, label }) {
        this.choose = choose;
        this.closed = new Set();
        this.sections = [];
        this.chosen = null;
        this.active = null;
        this.notes = h("div");
        this.body = h("div", {
            class: "tree-body",
            role: "tree",
            tabindex: "0",
            "aria-label": label,
            onkeydown: (event) => this.key(event),
            onclick: (event) => this.click(event),
        });
        this.element = h("div", { class: "explorer-tree" }, this.notes, this.body);
    }

    show(sections, chosen) {
        this.sections = sections;
        this.chosen = chosen;
        this.draw();
    }

    get lines() {
        return this.sections.flatMap((section) => {
            const open = !this.closed.has(section.key), { length } = section.rows;
            const rows = section.rows.map((row, index) => ({
                ...row,
                section,
                isLast: index === length - 1,
            }));
            return [{ ...section, isHead: true, open }, ...(open ? rows : [])];
        });
    }

    draw() {
        const lines = this.lines;
        if (!lines.some(({ key }) => key === this.active)) {
            this.active = lines.find(({ key }) => key === this.chosen)?.key ?? lines[0]?.key ?? null;
        }
        keyed(
            this.body,
            lines,
            ({ key }) => key,
            (line) => line.isHead ? head(line) : row(line),
            (element, line) => this.update(element, line),
        );
        mark(this.body, "aria-activedescendant", this.active && name(this.active));
    }

    update(element, line) {
        element.line = line;
        mark(element, "data-active", line.key === this.active || null);
        if (line.isHead) {
            mark(element, "aria-expanded", line.rows.length ? String(line.open) : null);
            say(element.cells.count, line.count ?? "");
            say(element.cells.handles, line.handles ?? "");
            return;
        }
        const { cells } = element;
        mark(element, "aria-selected", String(line.key === this.chosen));
        element.classList.toggle("is-last", line.isLast);
        if (cells.said !== line.words) {
            cells.said = line.words;
            say(cells.worth, plain(line.words, 120));
            mark(cells.worth, "title", line.words ? plain(line.words, 1000) : null);
        }
        cells.worth.classList.toggle("is-why", Boolean(line.why));
        cells.worth.classList.toggle("is-none", Boolean(line.none));
        const shape = line.tags.map(({ word, lit }) => `${word}${lit}`).join();
        if (cells.shape !== shape) {
            cells.shape = shape;
            fill(
                cells.can,
                line.tags.map(({ word, lit }) =>
                    h(
                        "span",
                        { class: lit ? "tag lit" : "tag tag-quiet" },
                        word,
                        lit ? h("span", { class: "spoken" }, ", on") : null,
                    )
                ),
            );
        }
    }

    // MARK: Choosing

    click(event) {
        const line = event.target.closest("[role=treeitem]")?.line;
        if (!line) return;
        this.active = line.key;
        if (line.isHead) this.toggle(line.key);
        else this.pick(line);
    }

    toggle(key, open = this.closed.has(key)) {
        if (open) this.closed.delete(key);
        else this.closed.add(key);
        this.draw();
    }

    pick(line) {
        this.chosen = line.key;
        this.draw();
        this.choose(line);
    }

    key(event) {
        const lines = this.lines, at = lines.findIndex(({ key }) => key === this.active), line = lines[at];
        if (!line) return;
        const to = {
            ArrowDown: at + 1,
            ArrowUp: at - 1,
            Home: 0,
            End: lines.length - 1,
            PageDown: at + 8,
            PageUp: at - 8,
        }[
            event.key
        ];
        if (to !== undefined) this.active = lines[Math.min(lines.length - 1, Math.max(0, to))].key;
        else if (event.key === "ArrowRight") {
            if (!line.isHead) return;
            if (line.open) this.active = lines[Math.min(lines.length - 1, at + 1)].key;
            else this.toggle(line.key, true);
        } else if (event.key === "ArrowLeft") {
            if (!line.isHead) this.active = line.section.key;
            else this.toggle(line.key, false);
        } else if (event.key === "Enter" || event.key === " ") {
            if (line.isHead) this.toggle(line.key);
            else this.pick(line);
        } else return;
        event.preventDefault();
        this.draw();
        this.body.querySelector("[data-active]")?.scrollIntoView({ block: "nearest" });
    }
}

const name = (key) => `tree-${key}`;

function uuid(text) {
    const short = shortUUID(text);
    return text
        ? h("span", { class: short.length > 8 ? "octets uuid long cut" : "octets uuid", title: text }, short)
        : null;
}

function head(line) {
    const count = h("span", { class: "hint octets" }), handles = h("span", { class: "hint octets handles" });
    const element = h(
        "div",
        {
            class: line.name ? "tree-head" : "tree-head is-unknown",
            role: "treeitem",
            "aria-level": "1",
            id: name(line.key),
        },
        symbol("down", 16),
        h("span", { class: "cut" }, plain(line.name ?? "Unknown service", 100)),
        uuid(line.uuid),
        count,
        handles,
    );
    element.cells = { count, handles };
    return element;
}

function row(line) {
    const cells = { worth: h("bdi", { class: "worth cut" }), can: h("span", { class: "can" }) };
    // Of a long UUID its own part is shown; the rest is the same for all of a service.
    const short = shortUUID(line.uuid);
    const element = h(
        "div",
        {
            class: line.name ? "tree-row" : "tree-row is-unknown",
            role: "treeitem",
            "aria-level": "2",
            id: name(line.key),
        },
        h(
            "span",
            { class: "called" },
            h("bdi", { class: "cut" }, plain(line.name ?? "Unknown", 100)),
            line.uuid
                ? h(
                    "span",
                    { class: "octets uuid", title: line.uuid },
                    short.length > 8 ? `…${short.slice(4, 8)}` : short,
                )
                : null,
        ),
        cells.worth,
        cells.can,
    );
    element.cells = cells;
    return element;
}

/// What every device has, and nobody looks for first: Generic Access and Generic Attribute.
const isGeneric = ({ uuid }) => ["1800", "1801"].includes(shortUUID(uuid));

/// What a tree of the hub looks like in rows, the device's own services first; `live` says what is listened to and
/// which value came last.
export function serviceSections(tree, live) {
    const services = [
        ...tree.services.filter((one) => !isGeneric(one)),
        ...tree.services.filter(isGeneric),
    ];
    return services.map((service) => ({
        key: `s${service.handle}`,
        name: service.name,
        uuid: service.uuid,
        count: service.primary ? "" : "secondary",
        handles: `${handleWord(service.handle)} to ${handleWord(service.end_handle)}`,
        rows: service.characteristics.map((one) => {
            const state = live(one), { words, why, none } = valueWords(state.value ?? one, one);
            return {
                key: `c${one.value_handle}`,
                name: one.name ?? one.description,
                uuid: one.uuid,
                words,
                why,
                none,
                tags: canWords(one, state.listens),
                characteristic: one,
                service,
            };
        }),
    }));
}

/// What a device advertises, as a group of the tree.
export function advertising(detail) {
    const { structures } = detail;
    return {
        key: "advertising",
        name: "Advertising",
        uuid: null,
        count: counted(structures.length, "structure"),
        rows: structures.map((one, index) => ({
            key: `a${index}`,
            name: one.name,
            uuid: one.type === null ? null : one.type.toString(16).toUpperCase().padStart(2, "0"),
            words: one.fault ?? one.text ?? counted(one.octets.length / 2, "octet"),
            why: Boolean(one.fault),
            tags: one.source === "scan_response" ? [{ word: "Response", lit: false }] : [],
            structure: one,
            detail,
        })),
    };
}
