// A page that comes with a later version: what it will show, and where the same is had today.
import { h } from "../dom.js";

const words = {
    explorer: [
        "Explorer",
        "Services and values of any device. It comes with a later version; until then, use lantern " +
        "gatt on the hub.",
        "#/devices",
        "Open Devices",
    ],
};

export function open(app, _rest, key) {
    const [title, text, address, word] = words[key];
    app.head(title);
    app.main.className = "reading";
    app.main.replaceChildren(
        h(
            "div",
            { class: "empty" },
            h("h2", title),
            h("p", text),
            h("a", { class: "button", href: address }, word),
        ),
    );
}
