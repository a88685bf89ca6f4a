// What a list of the history is in order of, and the heads of its columns, which change that.
import { fill, h, mark } from "../dom.js";
import { symbol } from "../marks.js";
import { segments } from "../controls.js";
import { dialog } from "../overlays.js";

/// {name: word} of each list, by the interface's names; the first is the usual one.
export const orders = {
    sources: { last: "Last seen", seen: "Seen most", strongest: "Strongest", confidence: "Surest" },
    detections: { newest: "Newest first", oldest: "Oldest first" },
};

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
        const element = elements[index], isTurned = kind === "detections";
        // Detections come in the order of time alone: what cannot be pressed has nothing that looks so.
        if (isTurned && name !== "time") return fill(element, word);
        element.order = !isTurned ? name : order === "newest" ? "oldest" : "newest";
        fill(element, element.button);
        fill(element.button, word, isTurned || name === order ? symbol("down", 14) : null);
        element.button.classList.toggle("up", isTurned && order === "oldest");
        mark(element.button, "aria-pressed", isTurned ? null : String(name === order));
        const first = isTurned ? `, ${element.order} first` : "";
        mark(element.button, "aria-label", `Sort by ${word.toLowerCase()}${first}`);
    });
}

/// Asks on a phone, where there are no heads.
export function askOrder(kind, order, choose) {
    const element = dialog(
        `Sort ${kind} by`,
        segments(orders[kind], order, (name) => {
            element.close();
            choose(name);
        }, "wrapping"),
        { sheet: true },
    );
}
