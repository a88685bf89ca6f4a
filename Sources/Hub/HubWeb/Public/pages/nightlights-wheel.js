// The colour wheel with its dimmer, and under it the colours that were used last.
import { h, mark } from "../dom.js";
import { colourPicker, swatches } from "../colour-wheel.js";

const usual = ["#ff9a2e", "#ff5c9e", "#ffd79c", "#7b6cff", "#30a6ff", "#39c98b", "#ffffff"];
const stored = "lantern.colours";

/// The seven colours that were used last.
export function lastColours() {
    let own = [];
    try {
        own = JSON.parse(localStorage.getItem(stored) ?? "[]").filter((one) => /^#[0-9a-f]{6}$/.test(one));
    } catch {
        // A browser that keeps nothing has the usual ones.
    }
    return [...new Set([...own, ...usual])].slice(0, 7);
}
export function rememberColour(color) {
    try {
        const now = lastColours().filter((one) => one !== color);
        localStorage.setItem(stored, JSON.stringify([color, ...now].slice(0, 7)));
    } catch {
        // As above.
    }
}

/// A control for one colour, "#rrggbb"; `change` gets the colour, and whether that was the end of a move.
export function colourControl(color, change) {
    const current = () => picker.colour.toLowerCase();
    const draw = () => {
        for (const one of last.children) mark(one, "aria-pressed", String(one.title === current()));
    };
    const tell = (isFinal) => {
        draw();
        change(current(), isFinal);
    };
    const picker = colourPicker({ colour: color, input: () => tell(false), change: () => tell(true) });
    // What does not shine at all is no light.
    picker.range.min = 1;
    const last = swatches({
        colours: lastColours(),
        label: "Last colours",
        choose: (one) => {
            picker.set(one);
            tell(true);
        },
    });
    draw();
    return {
        element: h("div", { class: "colour-control" }, picker.element, last),
        get color() {
            return current();
        },
        /// Shows another colour without telling.
        show(next) {
            picker.set(next);
            draw();
        },
    };
}
