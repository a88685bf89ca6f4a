// What a phone has no room for beside the title of the history: what is listed, what is ticked, what is kept.
import { h } from "../dom.js";
import { symbol } from "../marks.js";
import { button, segments } from "../controls.js";
import { dialog } from "../overlays.js";

/// `kinds` are {name: word} with the `kind` that is listed; each row is [symbol, word, action].
export function showMenu(kinds, kind, choose, rows) {
    const element = dialog(
        "History",
        h(
            "div",
            { class: "stack" },
            segments(kinds, kind, (name) => {
                element.close();
                choose(name);
            }),
            rows.map(([name, word, action]) =>
                button([symbol(name), word], () => {
                    element.close();
                    action();
                }, { kind: "menu-row" })
            ),
        ),
        { sheet: true },
    );
}
