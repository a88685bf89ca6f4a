// SPDX-License-Identifier: Apache-2.0
// Pins, clusters and the hub's own place: elements over the map, kept while what they show stays.
import { h, mark, s } from "../dom.js";
import { detectionMark, isQuiet, markGroup, types } from "../marks.js";
import { clusterPicture } from "./map-pictures.js";

/// So many are elements; more than that could not be moved at 60 frames and go onto the canvas.
const most = 250;

/// The layer of features for a view; `set(all)` shows {key, kind, latitude, longitude, …}, the first ones first.
export function featureLayer({ leaflet, at }) {
    const Features = leaflet.Layer.extend({
        onAdd(map) {
            this.map = map;
            this.held = new Map();
            this.element = h("div", { class: "map-features" });
            map.getPane("markerPane").append(this.element);
        },
        onRemove() {
            this.element.remove();
        },
        getEvents() {
            return { viewreset: this.place, zoom: this.place, zoomanim: this.follow };
        },

        /// The answer are those that are too many.
        set(all) {
            const items = all.slice(0, most), wanted = new Set(items.map((item) => item.key));
            for (const [key, element] of this.held) {
                if (wanted.has(key)) continue;
                element.remove();
                this.held.delete(key);
            }
            for (const item of items) {
                let element = this.held.get(item.key);
                if (!element) {
                    element = makers[item.kind](item);
                    element.dataset.key = item.key;
                    this.held.set(item.key, element);
                    this.element.append(element);
                }
                element.item = item;
                updaters[item.kind]?.(element, item);
                this.put(element);
            }
            return all.slice(most);
        },

        /// Draws one again whose item has changed.
        update(element) {
            updaters[element.item.kind]?.(element, element.item);
            this.put(element);
        },
        put(element) {
            const point = this.map.latLngToLayerPoint(at(element.item)).round();
            const way = `translate(${point.x}px, ${point.y}px)`;
            if (element.way !== way) element.style.transform = element.way = way;
        },
        place() {
            for (const element of this.held.values()) this.put(element);
        },
        follow({ zoom, center }) {
            const corner = this.map.project(center, zoom).subtract(this.map.getSize().divideBy(2))
                .subtract(this.map.containerPointToLayerPoint([0, 0]));
            for (const element of this.held.values()) {
                const point = this.map.project(at(element.item), zoom).subtract(corner).round();
                element.style.transform = element.way = `translate(${point.x}px, ${point.y}px)`;
            }
        },

        /// What is under a pointer; null if nothing is.
        at(target) {
            return target?.closest?.(".map-feature")?.item ?? null;
        },
        choose(key) {
            for (const [one, element] of this.held) mark(element, "data-chosen", one === key ? true : null);
        },
        /// Lets features glow that are new.
        pulse(keys, milliseconds) {
            for (const key of keys) {
                const element = this.held.get(key);
                if (!element) continue;
                element.classList.add("fresh");
                clearTimeout(element.glow);
                element.glow = setTimeout(() => element.classList.remove("fresh"), milliseconds);
            }
        },
    });
    return new Features();
}

const patterns = new Map();
/// A pin is drawn once for each kind and copied.
function pinDrawing(type) {
    const known = types[type] ? type : "unknown";
    if (!patterns.has(known)) {
        const drawing = detectionMark(known, "solid", 30), group = markGroup(known, "solid", 30);
        const shadow = group.firstChild.cloneNode(true);
        shadow.setAttribute("class", "pin-casing");
        // A ring has no ground of its own.
        if (known === "unknown") {
            group.prepend(s("circle", { class: "pin-ground", cx: 16, cy: 16, r: 12.6 }));
        }
        drawing.replaceChildren(shadow, group);
        patterns.set(known, drawing);
    }
    return patterns.get(known).cloneNode(true);
}

const makers = {
    pin: (item) => {
        const isRing = !types[item.type] || item.type === "unknown";
        return h("div", { class: `map-feature map-pin${isRing ? " is-ring" : ""}` }, pinDrawing(item.type));
    },
    cluster: () => h("div", { class: "map-feature map-cluster" }),
    me: () =>
        h(
            "div",
            { class: "map-feature map-me" },
            s(
                "svg",
                { viewBox: "-48 -48 96 96", width: 96, height: 96, "aria-hidden": "true" },
                s("path", { class: "me-heading", d: "M0 0 L-30 -37.5 A48 48 0 0 1 30 -37.5 Z" }),
                s("circle", { class: "me-rim", r: 11 }),
                s("circle", { class: "me-dot", r: 7.5 }),
            ),
        ),
};

const updaters = {
    pin(element, item) {
        element.classList.toggle("is-quiet", isQuiet(item));
        element.classList.toggle("is-small", Boolean(item.isSmall));
    },
    cluster(element, { count: number, types: shares }) {
        const shape = JSON.stringify([number, shares]);
        if (element.shape === shape) return;
        element.shape = shape;
        element.replaceChildren(clusterPicture({ count: number, types: shares }));
    },
    me(element, { heading, away }) {
        const wedge = element.querySelector(".me-heading");
        wedge.style.display = heading === null || heading === undefined || away ? "none" : "";
        if (heading !== null && heading !== undefined) wedge.setAttribute("transform", `rotate(${heading})`);
        element.classList.toggle("is-away", Boolean(away));
    },
};
