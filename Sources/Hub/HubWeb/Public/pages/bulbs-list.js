// The bulbs that are near: cards, on a phone chips, and all of them together.
import { fill, h } from "../dom.js";
import { symbol } from "../marks.js";
import { deviceName, deviceText } from "../text.js";
import { button, toggle } from "../controls.js";
import { addBulb } from "./bulbs-add.js";
import { stateColour, stateOf } from "./bulbs-words.js";

export function bulbList(page) {
    const chips = h("div", { class: "bulb-chips", role: "group", "aria-label": "Bulbs" }), list = h("ul");
    const add = button([symbol("plus", 18), "Another bulb"], () => addBulb(page), { kind: "quiet bulb-add" });
    const locked = h("p", { class: "hint bulb-add", hidden: true }, "Needs the radio");
    const element = h("div", { class: "bulbs-list" }, chips, list, add, locked);
    let shape;
    return {
        element,
        draw(devices) {
            element.classList.toggle("has-bulbs", devices.length > 0);
            add.disabled = page.app.isWithoutRadio;
            locked.hidden = !add.disabled;
            const now = JSON.stringify([
                page.chosen,
                add.disabled,
                devices.map((device) => [device.id, deviceText(device), page.wordsOf(device.id)]),
                devices.map(({ id }) => [page.isOpen(id), stateOf(page.bulbs.get(id))]),
            ]);
            if (now === shape) return;
            shape = now;
            const all = devices.length > 1;
            fill(list, devices.map((device) => card(page, device)), all ? together(page, devices) : null);
            fill(
                chips,
                devices.map((device) => chip(page, device)),
                all ? allChip(page) : null,
                addChip(page),
            );
        },
    };
}

function card(page, device) {
    const bulb = page.bulbs.get(device.id), state = page.isOpen(device.id) ? stateOf(bulb) : null;
    const light = stateColour(state);
    const tile = h("span", { class: light ? "bulb-tile lit" : "bulb-tile" }, symbol("bulbs", 22));
    if (light) tile.style.setProperty("--light", light);
    return h(
        "li",
        { class: "card bulb-card", "data-chosen": device.id === page.chosen },
        tile,
        h(
            "button",
            {
                class: "pick",
                type: "button",
                "aria-pressed": String(device.id === page.chosen),
                onclick: () => page.goTo(device.id),
            },
            h("span", { class: "name cut" }, deviceName(device)),
            h("span", { class: "hint cut" }, page.wordsOf(device.id)),
        ),
        page.isOpen(device.id) ? powerSwitch(page, device, state) : symbol("right", 18),
    );
}

function powerSwitch(page, device, state) {
    return toggle(
        `${deviceText(device)} shines`,
        Boolean(state?.power),
        (on) => page.give({ command: on ? "on" : "off" }, [device.id]),
    );
}

function together(page, devices) {
    const words = devices.length === 2 ? "One colour for both" : `One colour for all ${devices.length}`;
    return h(
        "li",
        { class: "card bulb-card", "data-chosen": page.chosen === "all" },
        h("span", { class: "bulb-tile" }, symbol("link", 22)),
        h(
            "button",
            {
                class: "pick",
                type: "button",
                "aria-pressed": String(page.chosen === "all"),
                onclick: () => page.goTo("all"),
            },
            h("span", { class: "name" }, "All together"),
            h("span", { class: "hint" }, words),
        ),
        symbol("right", 18),
    );
}

function chip(page, device) {
    const light = page.isOpen(device.id) ? stateColour(stateOf(page.bulbs.get(device.id))) : null;
    const dot = h("i", { class: light ? "" : "dark", "aria-hidden": "true" });
    if (light) dot.style.setProperty("--light", light);
    const set = device.id === page.chosen;
    return h(
        "button",
        {
            class: set ? "chip set" : "chip",
            type: "button",
            "aria-pressed": String(set),
            onclick: () => page.goTo(device.id),
        },
        dot,
        deviceName(device),
    );
}

function allChip(page) {
    const set = page.chosen === "all";
    return h("button", {
        class: set ? "chip set" : "chip",
        type: "button",
        "aria-pressed": String(set),
        onclick: () => page.goTo("all"),
    }, h("span", "All together"));
}

function addChip(page) {
    return h("button", {
        class: "chip",
        type: "button",
        disabled: page.app.isWithoutRadio,
        onclick: () => addBulb(page),
    }, [symbol("plus", 18), h("span", "Another bulb")]);
}
