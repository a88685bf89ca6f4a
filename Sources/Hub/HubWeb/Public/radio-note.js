// SPDX-License-Identifier: Apache-2.0
// What pages of devices say while the hub has no radio: what happened, what that means, and where it says what to do.
import { fill, h } from "./dom.js";
import { symbol } from "./marks.js";

/// A radio that is full listens, but no other device can be connected to.
const reaches = new Set(["scanning", "full"]);

/// Whether the hub has no radio to reach devices with.
export const isWithoutRadio = ({ link, hub }) => link === "live" && !reaches.has(hub.radio.state);

/// The note between header and page.
export function radioNote(app) {
    const words = h("span", { class: "grow" });
    const element = h(
        "div",
        { class: "note danger radio-note", role: "status", hidden: true },
        symbol("warn", 18),
        words,
        h("a", { class: "button small", href: "#/scanner" }, "What to do"),
    );
    let shape;
    return {
        element,
        draw(isWanted) {
            element.hidden = !isWanted || !app.isWithoutRadio;
            if (element.hidden) return;
            // Why, the Scanner says together with what to type.
            const { title } = app.hub.state.hub.radio;
            if (title === shape) return;
            shape = title;
            fill(words, h("strong", `${title}. `), "Nothing is heard, and no device can be reached.");
        },
    };
}
