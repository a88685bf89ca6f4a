// SPDX-License-Identifier: Apache-2.0
// The box that selects what is exported: drawn by a pointer, or moved and sized by keys.
import { h, say } from "../dom.js";
import { button } from "../controls.js";
import { counted } from "../text.js";
import { offerExport } from "./history-export.js";
import { boxOf, boxText } from "./map-view.js";

const least = 24, step = 16;
const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const corners = ["nw", "ne", "sw", "se"];

export class MapBox {
    constructor(page) {
        this.page = page;
        this.words = h("span", { role: "status" });
        this.frame = h(
            "div",
            {
                class: "map-box",
                tabindex: "0",
                role: "application",
                "aria-roledescription": "box",
                "aria-label":
                    "Box to export. Arrow keys move it, with Shift they change its size, Enter exports.",
            },
            corners.map((name) => h("i", { class: `corner ${name}`, "data-corner": name })),
        );
        this.layer = h("div", { class: "map-box-layer", hidden: true }, this.frame);
        this.bar = h(
            "div",
            { class: "map-box-bar", role: "group", "aria-label": "Box to export", hidden: true },
            this.words,
            button("Export", () => this.finish(), { kind: "small main" }),
            button("Cancel", () => this.stop(), { kind: "small" }),
        );
        page.whole.append(this.layer, this.bar);
        this.frame.addEventListener("keydown", (event) => this.key(event));
        this.layer.addEventListener("pointerdown", (event) => this.press(event));
        this.layer.addEventListener("pointermove", (event) => this.drag(event));
        for (const name of ["pointerup", "pointercancel"]) {
            this.layer.addEventListener(name, () => {
                this.from = null;
                this.changed();
            });
        }
    }

    get isOpen() {
        return !this.layer.hidden;
    }

    /// Begins with the middle half of what is in view.
    start() {
        const { page } = this;
        if (!page.view || page.app.away) return;
        page.showList(false);
        page.choose(null);
        const { left, top, right, bottom } = page.insets(), { x, y } = page.view.map.getSize();
        const wide = x - left - right, high = y - top - bottom;
        this.rect = { x: left + wide / 4, y: top + high / 4, wide: wide / 2, high: high / 2 };
        this.layer.hidden = this.bar.hidden = false;
        page.whole.classList.add("is-boxing");
        this.draw();
        this.frame.focus({ preventScroll: true });
        this.changed();
    }

    stop() {
        this.layer.hidden = this.bar.hidden = true;
        this.page.whole.classList.remove("is-boxing");
        clearTimeout(this.timer);
        this.asking = null;
        (this.page.isSmall ? this.page.listing : this.page.boxing).focus();
    }

    /// The degrees of the box.
    get box() {
        const { map, leaflet } = this.page.view, { x, y, wide, high } = this.rect;
        return boxOf(leaflet.latLngBounds(
            map.containerPointToLatLng([x, y + high]),
            map.containerPointToLatLng([x + wide, y]),
        ));
    }
    get filter() {
        return { ...this.page.filters.value(), box: boxText(this.box) };
    }

    finish() {
        const { filter } = this;
        this.stop();
        offerExport(this.page.hub, filter, "Exactly what lies in the box and passes the filters.");
    }

    // MARK: Pointer and keys

    place(event) {
        const outer = this.layer.getBoundingClientRect();
        return { x: event.clientX - outer.left, y: event.clientY - outer.top };
    }

    press(event) {
        event.preventDefault();
        this.layer.setPointerCapture(event.pointerId);
        this.frame.focus({ preventScroll: true });
        const at = this.place(event), corner = event.target.dataset.corner, { x, y, wide, high } = this.rect;
        if (corner) {
            // The opposite corner stays.
            this.from = { x: corner.includes("w") ? x + wide : x, y: corner.includes("n") ? y + high : y };
        } else if (event.target === this.frame) this.from = { ...at, rect: { ...this.rect } };
        else this.from = at;
        this.drag(event);
    }

    drag(event) {
        if (!this.from) return;
        const at = this.place(event), { x, y, rect } = this.from;
        if (rect) Object.assign(this.rect, { x: rect.x + at.x - x, y: rect.y + at.y - y });
        else {
            this.rect = {
                x: Math.min(x, at.x),
                y: Math.min(y, at.y),
                wide: Math.max(1, Math.abs(at.x - x)),
                high: Math.max(1, Math.abs(at.y - y)),
            };
        }
        this.draw();
    }

    key(event) {
        const way = moves[event.key];
        if (event.key === "Enter") this.finish();
        else if (way && event.shiftKey) {
            this.rect.wide = Math.max(least, this.rect.wide + way[0] * step);
            this.rect.high = Math.max(least, this.rect.high + way[1] * step);
        } else if (way) {
            this.rect.x += way[0] * step;
            this.rect.y += way[1] * step;
        } else return;
        event.preventDefault();
        if (!this.isOpen) return;
        this.draw();
        this.changed();
    }

    draw() {
        const { x, y } = this.page.view.map.getSize(), { rect } = this;
        rect.wide = Math.min(rect.wide, x);
        rect.high = Math.min(rect.high, y);
        rect.x = Math.max(0, Math.min(rect.x, x - rect.wide));
        rect.y = Math.max(0, Math.min(rect.y, y - rect.high));
        Object.assign(this.frame.style, {
            transform: `translate(${Math.round(rect.x)}px, ${Math.round(rect.y)}px)`,
            width: `${Math.round(rect.wide)}px`,
            height: `${Math.round(rect.high)}px`,
        });
    }

    /// Says how much lies within, once it has stood for a moment.
    changed() {
        clearTimeout(this.timer);
        const turn = this.asking = {}, { hub, app } = this.page;
        this.timer = setTimeout(async () => {
            try {
                const filter = { ...this.filter, limit: 1 };
                const [sources, detections] = await Promise.all([
                    hub.sources(filter),
                    hub.detections(filter),
                ]);
                if (this.asking !== turn) return;
                const number = counted(detections.total, "detection");
                say(this.words, `${number} of ${counted(sources.total, "source")}`);
            } catch (error) {
                if (this.asking === turn && !app.away) say(this.words, error.message);
            }
        }, 250);
    }
}
