// The rows that settings are made of: name and meaning left, control right.
import { h, say } from "../dom.js";

export const rows = (...items) => items.flat().filter(Boolean);
export const row = (name, meaning, ...controls) =>
    h(
        "div",
        { class: "setting" },
        h(
            "div",
            { class: "grow" },
            h("div", { class: "setting-name" }, name),
            meaning ? h("div", { class: "hint" }, meaning) : null,
        ),
        h("div", { class: "controls" }, controls.flat().filter(Boolean)),
    );

/// A row that begins a card of its own on a phone.
export function parted(element) {
    element.dataset.parted = "";
    return element;
}

export function select(label, options, value, change) {
    const element = h("select", {
        class: "field",
        "aria-label": label,
        onchange: () => change(element.value),
    }, Object.entries(options).map(([name, word]) => h("option", { value: name }, word)));
    if (!(String(value) in options)) element.append(h("option", { value: String(value) }, String(value)));
    element.value = String(value);
    return element;
}

export function slider(label, value, words, change) {
    const out = h("output", { class: "slider-value" }, words(value));
    const element = h("input", {
        class: "slider",
        type: "range",
        min: 0,
        max: 100,
        step: 5,
        "aria-label": label,
        "aria-valuetext": words(value),
        value: Math.round(value * 100),
        oninput: () => {
            say(out, words(element.value / 100));
            element.setAttribute("aria-valuetext", words(element.value / 100));
            element.style.setProperty("--part", `${element.value}%`);
        },
        onchange: () => change(element.value / 100),
    });
    element.style.setProperty("--part", `${element.value}%`);
    return [element, out];
}
