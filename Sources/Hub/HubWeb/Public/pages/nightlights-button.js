// The child's button: whether it does anything, how long it shines, how often, when not, shaking, its colour.
import { fill, h, mark } from "../dom.js";
import { button, toggle } from "../controls.js";
import { readClock } from "./nightlights-time.js";
import { colourControl, rememberColour } from "./nightlights-wheel.js";

export function buttonView(page) {
    const { app } = page;
    const rows = h("div", { class: "button-rows" });
    const element = h(
        "section",
        { class: "card button-card", "aria-label": "Child button" },
        h("h2", "Child button"),
        rows,
    );
    const side = h("section", { class: "card colour-card", "aria-label": "Colour of the button" });
    let shape, wanted = null;
    const set = (change, self) =>
        app.run(self, async () => {
            try {
                await page.send({ button: change }, { done: page.isLive ? "The lamp has it." : null });
            } finally {
                // What was refused, or waits, is not what the lamp has.
                shape = null;
                view.refresh();
            }
        });
    const setting = (word, about, control) =>
        h(
            "div",
            { class: "setting-row" },
            h(
                "div",
                { class: "grow" },
                h("div", { class: "setting-word" }, word),
                h("div", { class: "hint" }, about),
            ),
            control,
        );
    const number = (id, label, value, least, most, change) => {
        const field = h("input", {
            class: "field short",
            id,
            type: "number",
            min: least,
            max: most,
            value,
            "aria-label": label,
            onchange: () => {
                const next = Math.round(Number(field.value));
                if (field.value === "" || next < least || next > most) {
                    field.setAttribute("aria-invalid", "true");
                    return field.setCustomValidity(`From ${least} to ${most}`), field.reportValidity();
                }
                field.setCustomValidity("");
                field.removeAttribute("aria-invalid");
                change(next, field);
            },
        });
        return field;
    };
    const time = (label, value, change) => {
        const field = h("input", {
            class: "field time",
            inputmode: "numeric",
            maxlength: 5,
            value,
            "aria-label": label,
            onchange: () =>
                readClock(field.value)
                    ? change(readClock(field.value), field)
                    : mark(field, "aria-invalid", "true"),
        });
        return field;
    };
    const view = {
        element,
        side,
        refresh() {
            const one = page.lamp?.button;
            const wants = JSON.stringify([one, page.isLive, app.away]);
            if (
                wants === shape ||
                rows.contains(document.activeElement) &&
                    document.activeElement.matches("input[type=number], input.time") && shape
            ) return;
            shape = wants;
            if (!one) {
                return fill(rows, h("p", { class: "hint" }, "Nothing is known of this lamp’s button yet."));
            }
            const window = one.deactivation ?? { from: "07:30", to: "18:00" };
            const off = (from, to, self) => set({ from, to }, self);
            const isLimited = one.daily_presses !== 255;
            fill(
                rows,
                setting(
                    "Button",
                    "When off, pressing it does nothing",
                    toggle("Button", one.enabled, (on, self) => set({ enabled: on }, self)),
                ),
                setting(
                    "Shines for",
                    "Minutes after a press",
                    number(
                        "press-length",
                        "Minutes that it shines",
                        Math.round((one.on_seconds ?? 0) / 60),
                        0,
                        1092,
                        (value, self) => set({ on_seconds: value * 60 }, self),
                    ),
                ),
                setting(
                    "As often as the child likes",
                    "When off, only some presses count each day",
                    toggle(
                        "As often as the child likes",
                        !isLimited,
                        (on, self) => set({ daily_presses: on ? 255 : 5 }, self),
                    ),
                ),
                isLimited
                    ? setting(
                        "Presses a day",
                        "At 0, pressing it does nothing",
                        number("presses", "Presses a day", one.daily_presses ?? 0, 0, 254, (value, self) =>
                            set({ daily_presses: value }, self)),
                    )
                    : null,
                setting(
                    "Quiet hours",
                    "A time each day when pressing it does nothing",
                    toggle(
                        "Quiet hours",
                        Boolean(one.deactivation),
                        (on, self) => on ? off(window.from, window.to, self) : off("00:00", "00:00", self),
                    ),
                ),
                one.deactivation
                    ? setting(
                        "Quiet from",
                        "Can run past midnight",
                        h(
                            "span",
                            { class: "from-to" },
                            time("From", window.from, (value, self) => off(value, window.to, self)),
                            "to",
                            time("To", window.to, (value, self) => off(window.from, value, self)),
                        ),
                    )
                    : null,
                setting(
                    "Shaking changes the colour",
                    "While the button’s light shines",
                    toggle("Shaking changes the colour", one.shake, (on, self) => set({ shake: on }, self)),
                ),
            );
            const control = colourControl(wanted ?? one.color ?? "#ffa040", (color) => wanted = color);
            fill(
                side,
                h("h2", "Its colour"),
                control.element,
                button("Use this colour", (self) => {
                    rememberColour(control.color);
                    wanted = null;
                    set({ color: control.color }, self);
                }, { kind: "main" }),
            );
        },
    };
    return view;
}
