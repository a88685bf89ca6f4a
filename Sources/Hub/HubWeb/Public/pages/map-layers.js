// SPDX-License-Identifier: Apache-2.0
// The menu of layers: what is drawn, as this browser remembers it.
import { h, mark } from "../dom.js";
import { toggle } from "../controls.js";

const words = {
    circles: "Error circles",
    route: "Route driven",
    heat: "Heat of sightings",
    known: "Known cameras",
    been: "Where I have been",
    quiet: "Muted and mine",
};
const standard = { circles: true, route: true, heat: false, known: true, been: true, quiet: true };
const place = "lantern-map-layers";

function kept() {
    try {
        return JSON.parse(localStorage.getItem(place)) ?? {};
    } catch {
        // Private windows keep nothing.
        return {};
    }
}

export class Layers {
    /// `changed(name)` is told what was switched.
    constructor(button, changed) {
        this.on = Object.fromEntries(
            Object.entries(standard).map(([name, value]) => [name, Boolean(kept()[name] ?? value)]),
        );
        this.button = button;
        this.changed = changed;
        this.switches = {};
        this.element = h(
            "div",
            { class: "map-menu", role: "group", "aria-label": "Layers", id: "map-layers", hidden: true },
            h("h2", "Layers"),
            Object.entries(words).map(([name, word]) =>
                h(
                    "label",
                    word,
                    this.switches[name] = toggle(word, this.on[name], (on) => this.set(name, on)),
                )
            ),
        );
        mark(button, "aria-controls", "map-layers");
        mark(button, "aria-expanded", "false");
    }

    /// Switches a layer on or off.
    set(name, on) {
        this.on[name] = this.switches[name].checked = on;
        try {
            localStorage.setItem(place, JSON.stringify(this.on));
        } catch {
            // It holds until the page is left.
        }
        this.changed(name);
    }

    get isOpen() {
        return !this.element.hidden;
    }
    open(wanted = !this.isOpen) {
        const held = this.element.contains(document.activeElement);
        this.element.hidden = !wanted;
        mark(this.button, "aria-expanded", String(wanted));
        if (wanted) this.element.querySelector("input").focus();
        else if (held) this.button.focus();
    }
}
