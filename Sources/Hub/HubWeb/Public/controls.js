// Controls that many pages have: buttons, switches, segments, and what copies a text.
import { h, mark } from "./dom.js";
import { symbol } from "./marks.js";
import { toast } from "./overlays.js";

/// A button; `action` gets the button itself. `label` is its name when it shows only a symbol.
export function button(content, action, { kind = "", label = null } = {}) {
    const properties = { class: `button ${kind}`.trim(), type: "button", "aria-label": label };
    const element = h("button", { ...properties, onclick: () => action(element) }, content);
    return element;
}

/// A switch; `change` gets whether it is on, and the switch itself.
export function toggle(label, on, change) {
    const element = h("input", {
        type: "checkbox",
        class: "switch",
        role: "switch",
        "aria-label": label,
        checked: on,
        onchange: () => change(element.checked, element),
    });
    return element;
}

/// Two to four words of which one is chosen; `words` are {name: word}.
export function segments(words, chosen, choose, kind = "") {
    const element = h("div", { class: `segments ${kind}`.trim() });
    for (const [name, word] of Object.entries(words)) {
        element.append(h("button", {
            type: "button",
            "aria-pressed": String(name === chosen),
            onclick: (event) => {
                for (const other of element.children) {
                    mark(other, "aria-pressed", String(other === event.target));
                }
                choose(name);
            },
        }, word));
    }
    return element;
}

/// Puts a text on the clipboard and says so, or what to do where the browser forbids it.
export function copy(text, done = "Copied.", instead = "Select the text instead.") {
    const refused = () => toast(`This browser does not allow copying. ${instead}`);
    if (!navigator.clipboard) return refused();
    return navigator.clipboard.writeText(text).then(() => toast(done), refused);
}

export function copyButton(text, label) {
    return button(symbol("copy", 18), () => copy(text), { kind: "icon", label });
}

/// A row of a menu that takes away a file; `file` is what a transport says of it, and `done` closes the menu.
export function fileRow(file, words, done) {
    const taken = (event) => {
        file.onclick?.(event);
        setTimeout(done, 100);
    };
    return h("a", { class: "button menu-row", ...file, onclick: taken }, symbol("download"), words);
}
