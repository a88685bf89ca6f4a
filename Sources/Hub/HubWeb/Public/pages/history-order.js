// What the list of sources is in order of, and the heads of its columns, which change that.
import { fill, h, mark } from "../dom.js";
import { symbol } from "../marks.js";
import { segments } from "../controls.js";
import { dialog } from "../overlays.js";

/// {name: word}, by the interface's names.
export const orders = { last: "Last seen", seen: "Seen most", strongest: "Strongest", confidence: "Surest" };

// The columns of each list, the order that a source's has, and the word over it.
const heads = {
    sources: { confidence: "Confidence", seen: "Seen", strongest: "Strongest", last: "Last" },
    detections: { confidence: "Confidence", place: "Place", signal: "Signal", time: "Time" },
};

/// The heads of four columns; `choose` is told the order of the one that is pressed.
export function orderHeads(choose) {
    return ["", "end seen", "", "end newest-first"].map((look) => {
        const element = h("span", { class: look });
        element.button = h("button", { class: "head", type: "button", onclick: () => choose(element.order) });
        return element;
    });
}

/// Says what is in the columns, and which one the list is in order of.
export function drawHeads(elements, kind, order) {
    Object.entries(heads[kind]).forEach(([name, word], index) => {
        const element = elements[index];
        element.order = name;
        // The latest come first always: what cannot be pressed has nothing that looks so.
        if (kind === "detections") return fill(element, word);
        fill(element, element.button);
        fill(element.button, word, name === order ? symbol("down", 14) : null);
        mark(element.button, "aria-pressed", String(name === order));
        mark(element.button, "aria-label", `Sort by ${word.toLowerCase()}`);
    });
}

/// Asks on a phone, where there are no heads.
export function askOrder(order, choose) {
    const element = dialog(
        "Sort sources by",
        segments(orders, order, (name) => {
            element.close();
            choose(name);
        }, "wrapping"),
        { sheet: true },
    );
}
