// What stands in place of a list that has no rows.
import { fill, h } from "../dom.js";
import { counted } from "../text.js";

/// The hub is away, and nothing was shown before.
export function drawNotKnown(element, words) {
    fill(element, h("h2", words), h("p", "The list appears here by itself when it is back."));
}

/// There is nothing, or the filters hide it.
export function drawNone(element, all, word, filters) {
    if (!filters.count) {
        return fill(
            element,
            h("h2", "Nothing noticed yet"),
            h("p", "What a FlockFinder notices is kept here. Switch it on and keep it near."),
            h("a", { class: "button", href: "#/scanner" }, "Open Scanner"),
        );
    }
    const hidden = `${counted(all, word)} ${all === 1 ? "is" : "are"} hidden by ${
        counted(filters.count, "filter")
    }`;
    fill(
        element,
        h("h2", "Nothing matches"),
        h("p", hidden),
        h("button", { class: "button", type: "button", onclick: () => filters.clear() }, "Clear filters"),
    );
}
