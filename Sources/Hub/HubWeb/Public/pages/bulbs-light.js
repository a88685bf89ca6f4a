// What shines: colour, white and effects of the bulb in hand, or of all together; and what is shown while there is no
// link to it.
import { fill, h, mark, say } from "../dom.js";
import { busyArc, symbol } from "../marks.js";
import { air, deviceName, deviceText } from "../text.js";
import { button, segments, toggle } from "../controls.js";
import { toast } from "../overlays.js";
import { colourPicker, swatches } from "../colour-wheel.js";
import { effectButtons, speedSlider } from "./bulbs-effects.js";
import { stateOf, whiteLight } from "./bulbs-words.js";

const words = { colour: "Colour", white: "White", effects: "Effects" };

/// The bulb is looked for, could not be connected to, or has gone.
export function waitView(page) {
    const { app } = page;
    const title = h("h2"), text = h("p", { class: "second" }), busy = h("span", busyArc(24));
    const actions = h("div", { class: "actions" });
    let shape;
    const element = h(
        "section",
        { class: "card bulb-wait", "aria-live": "polite" },
        busy,
        h("div", { class: "grow" }, title, text, actions),
    );
    return {
        element,
        refresh() {
            const ids = page.chosenIds, bulb = page.bulbs.get(ids[0]);
            const refusal = page.refusals.get(ids[0]);
            const ended = bulb?.job.phase === "ended" && !page.connecting.has(ids[0]);
            const { away, unknown } = app;
            const waits = Boolean(unknown) || (!refusal && !ended), fitting = ended ? bulb.fitting : [];
            busy.hidden = !waits || Boolean(unknown);
            say(
                title,
                away
                    ? unknown
                    : unknown
                    ? "Not connected"
                    : refusal
                    ? "Couldn’t connect"
                    : fitting.length
                    ? "Which kind of bulb is it?"
                    : ended
                    ? "The bulb is not connected any more"
                    : "Connecting",
            );
            fill(
                text,
                unknown
                    ? `Lantern connects to the bulb by itself when ${away ? "it" : "the radio"} is back.`
                    : refusal
                    ? air(refusal)
                    : ended
                    ? air(bulb.job.reason ?? "Lantern disconnected from it.")
                    : "Lantern looks for the bulb and connects to it.",
            );
            const again = () => {
                for (const id of page.chosenIds) if (!page.isOpen(id)) page.connect(id);
            };
            const key = JSON.stringify([waits, fitting, page.dialects.length, ids]);
            if (key === shape) return;
            shape = key;
            fill(
                actions,
                fitting.map((word) =>
                    button(
                        `It is ${page.dialects.find(({ dialect }) => dialect === word)?.name ?? word}`,
                        (self) => app.run(self, () => page.speak(ids[0], word)),
                    )
                ),
                waits ? null : button("Connect again", again, { kind: "main" }),
            );
        },
    };
}

/// What a bulb shines, and with what it is changed.
export function lightView(page) {
    const { app } = page;
    const name = h("h2", { class: "cut" }), address = h("p", { class: "octets hint bulb-only-wide" });
    const line = h("p", { class: "hint bulb-only-phone" }),
        value = h("span", { class: "octets bulb-only-wide" });
    const power = h("div", { class: "bulb-only-phone switch-box" });
    const trouble = h("p", { class: "note bulb-trouble", role: "status", hidden: true });
    const box = h("div", { class: "bulb-view" });
    page.view ??= "colour";
    const choice = segments(words, page.view, (view) => {
        page.view = view;
        show();
        page.draw();
    });
    mark(choice, "role", "group");
    mark(choice, "aria-label", "What shines");
    const picker = colourPicker({
        colour: "#FFFFFF",
        label: "Colour of the bulb",
        input: (colour) => page.give({ command: "color", color: colour }),
        change: (colour) => page.give({ command: "color", color: colour }),
    });
    const favourites = h("div", { class: "wheel-box" });
    const white = whitePart(page), effects = h("div", { class: "wheel-box" });
    const parts = {
        colour: h("div", { class: "wheel-box" }, picker.element, favourites),
        white: white.element,
        effects,
    };
    let effectsShape, favouritesShape, nameShape;
    const show = () => {
        mark(box, "class", page.view === "effects" ? "bulb-view plain" : "bulb-view");
        fill(box, parts[page.view]);
    };
    show();
    const element = h(
        "section",
        { class: "card bulb-main", "aria-label": "Light" },
        h("div", { class: "bulb-head" }, h("div", { class: "grow cut" }, name, address, line), value, power),
        choice,
        trouble,
        box,
    );

    const refreshFavourites = () => {
        const kept = (app.hub.state.settings?.bulbs?.favourites ?? []).map((one) => one.toUpperCase());
        const now = picker.colour.toUpperCase(), is = kept.includes(now);
        const shape = JSON.stringify([kept, is ? now : null]);
        if (shape === favouritesShape) return;
        favouritesShape = shape;
        const keep = (favourites) => app.hub.changeSettings({ bulbs: { favourites } });
        const edit = is
            ? button(
                h("i", symbol("trash", 18)),
                (self) =>
                    app.run(self, () =>
                        keep(kept.filter((one) => one !== now)), () =>
                        toast("Removed from the favourites.", () => keep(kept))),
                { label: "Remove this colour from the favourites" },
            )
            : button(
                h("i", symbol("plus", 18)),
                (self) => app.run(self, () => keep([...kept, picker.colour])),
                { label: "Keep this colour as a favourite" },
            );
        mark(edit, "class", "swatch add");
        fill(
            favourites,
            swatches({
                colours: kept,
                chosen: now,
                label: "Favourites",
                last: is || kept.length < 24 ? edit : null,
                choose: (colour) => {
                    picker.set(colour);
                    page.give({ command: "color", color: colour });
                    refreshFavourites();
                },
            }),
        );
    };

    return {
        element,
        refresh() {
            const { bulb } = page, all = page.chosen === "all", state = stateOf(bulb);
            const device = page.devices.find(({ id }) => id === page.chosen);
            const key = all ? "all" : device && `${deviceText(device)} ${device.address}`;
            if (nameShape !== key) {
                nameShape = key;
                fill(name, all ? "All together" : deviceName(device));
                fill(
                    power,
                    all ? null : toggle(`${deviceText(device)} shines`, false, (on) => {
                        page.give({ command: on ? "on" : "off" });
                    }),
                );
            }
            say(
                address,
                all ? `${page.chosenIds.filter((id) => page.isOpen(id)).length} connected` : device.address,
            );
            mark(address, "class", all ? "hint bulb-only-wide" : "octets hint bulb-only-wide");
            const shines = power.querySelector("input");
            if (shines) shines.checked = Boolean(state?.power);
            const { trouble: what } = bulb ?? {};
            trouble.hidden = !what;
            if (what && trouble.textContent !== what) fill(trouble, symbol("warn", 18), h("span", air(what)));
            if (!page.isSending) {
                if (bulb?.turn && bulb.hue) picker.set(bulb.hue);
                else if (state?.mode === "color") picker.set(state.color);
            }
            say(value, state?.mode === "color" && state.power ? picker.colour : "");
            refreshFavourites();
            white.refresh(state, page.dialectOf(bulb), all);
            const list = all ? [] : page.effectsOf(bulb);
            const now = JSON.stringify([list.length, state?.power && state.effect, bulb?.turn, page.chosen]);
            if (now !== effectsShape) {
                effectsShape = now;
                fill(
                    effects,
                    effectButtons(page, list, "effects many"),
                    page.dialectOf(bulb)?.speed || bulb?.turn || all ? speedSlider(page) : null,
                    h(
                        "p",
                        { class: "hint" },
                        all
                            ? "Built-in effects differ from bulb to bulb: choose one bulb for those."
                            : list.length
                            ? "All hues is played by Lantern, while this page is open; the others by the bulb itself."
                            : "Bulbs of this dialect have no effects of their own. Lantern plays All hues, while this page is open.",
                    ),
                );
            }
            this.tick();
        },
        tick() {
            const device = page.devices.find(({ id }) => id === page.chosen);
            say(line, page.chosen === "all" ? "" : page.lineOf(device ?? {}, page.bulb));
        },
    };
}

/// White light: how bright.
function whitePart(page) {
    const range = h("input", {
        class: "dimmer",
        type: "range",
        min: "0",
        max: "100",
        step: "1",
        value: "100",
        "aria-label": "Brightness of the white light",
        oninput: () => {
            draw();
            page.give({ command: "white", white_percent: Number(range.value) });
        },
    });
    const held = (on) => () => range.held = on;
    range.addEventListener("pointerdown", held(true));
    for (const name of ["pointerup", "pointercancel", "blur"]) range.addEventListener(name, held(false));
    const value = h("output", { class: "dimmer-value", "aria-hidden": "true" }),
        text = h("p", { class: "hint" });
    const draw = () => {
        say(value, `${range.value}%`);
        mark(range, "aria-valuetext", `${range.value}%`);
    };
    const row = h("div", { class: "dimmer-row" }, symbol("sun"), range, value);
    row.style.setProperty("--full", whiteLight);
    const shine = button(
        "Shine white",
        () => page.give({ command: "white", white_percent: Number(range.value) }),
        {
            kind: "main",
        },
    );
    draw();
    return {
        element: h("div", { class: "wheel-box" }, row, shine, text),
        refresh(state, dialect, all) {
            const is = state?.mode === "white" && state.power;
            if (is && !range.held && !page.isSending) range.value = String(state.white_percent);
            shine.hidden = Boolean(is) && !all;
            draw();
            say(
                text,
                all
                    ? "With the white LEDs of bulbs that have them, else with all three colours."
                    : dialect?.white
                    ? "Made by the white LEDs of the bulb."
                    : "Bulbs of this dialect have no white LEDs: white is mixed from the three colours.",
            );
        },
    };
}
