// One time of light of the week: its markers, its colour, whether it ends early; beside the week, on a phone a sheet.
import { fill, h, mark, say } from "../dom.js";
import { symbol } from "../marks.js";
import { button, toggle } from "../controls.js";
import { dialog } from "../overlays.js";
import { ColourTest, testRow } from "./nightlights-colour.js";
import { colourControl, rememberColour } from "./nightlights-wheel.js";
import { daysWords } from "./nightlights-words.js";
import { minutes, readClock } from "./nightlights-time.js";

/// `edit` changes the chosen period, `remove` takes it away.
export function periodPanel({ edit, remove, page }) {
    const body = h("div", { class: "period-panel" });
    const element = h(
        "section",
        { class: "card colour-card", "aria-label": "Light period", hidden: true },
        body,
    );
    const test = new ColourTest(page);
    let shape, shown = null, row = null, sheet = null;

    function make({ group, period, conflict }) {
        const nextDay = minutes(period.off) <= minutes(period.on);
        const time = (label, key) => {
            const id = `period-${key}`;
            const field = h("input", {
                class: "field time",
                id,
                inputmode: "numeric",
                maxlength: 5,
                autocomplete: "off",
                value: period[key],
                onchange: () => {
                    const other = key === "on" ? period.off : period.on;
                    const next = readClock(field.value);
                    if (!next || next === other) return mark(field, "aria-invalid", "true");
                    edit({ [key]: next });
                },
            });
            if (key === "off" && conflict) mark(field, "aria-invalid", "true");
            return h("div", { class: "time-field" }, h("label", { class: "label", for: id }, label), field);
        };
        const code = h("span", { class: "octets hint" }, period.color.toUpperCase());
        const control = colourControl(period.color, (color, isFinal) => {
            say(code, color.toUpperCase());
            if (test.isOn) test.show(color);
            if (!isFinal) return;
            rememberColour(color);
            edit({ color });
        });
        const early = period.timeout_minutes !== null;
        const length = h("input", {
            class: "field short",
            type: "number",
            min: 1,
            max: 255,
            value: period.timeout_minutes ?? 60,
            "aria-label": "Minutes after which it ends",
            onchange: () => {
                const next = Math.round(Number(length.value));
                if (next >= 1 && next <= 255) edit({ timeout_minutes: next });
                else mark(length, "aria-invalid", "true");
            },
        });
        row = testRow(page, test, () => control.color);
        row.refresh();
        return [
            h(
                "div",
                { class: "colour-head" },
                h("h2", { class: "grow" }, `${daysWords(group.days)}, ${period.on}`),
                button(symbol("trash", 18), () => {
                    sheet?.close();
                    remove();
                }, { kind: "icon", label: "Remove this period" }),
            ),
            h(
                "div",
                { class: "time-fields" },
                time("On", "on"),
                time(nextDay ? "Off, next day" : "Off", "off"),
            ),
            conflict
                ? h(
                    "div",
                    { class: "note danger" },
                    symbol("warn", 18),
                    h("span", { class: "grow" }, conflict.text),
                    button(`End at ${conflict.second.on}`, () => edit({ off: conflict.second.on }), {
                        kind: "small",
                    }),
                )
                : null,
            h("div", { class: "colour-head" }, h("h3", { class: "grow" }, "Colour"), code),
            control.element,
            h(
                "div",
                { class: "setting-row" },
                h(
                    "div",
                    { class: "grow" },
                    h("div", { class: "setting-word" }, "End early"),
                    h("div", { class: "hint" }, "After a number of minutes"),
                ),
                early ? length : null,
                toggle("End early", early, (on) => edit({ timeout_minutes: on ? 60 : null })),
            ),
            row.element,
        ];
    }

    function draw() {
        element.hidden = !shown || page.narrow.matches;
        const wants = JSON.stringify(shown);
        if (wants === shape) return row?.refresh();
        shape = wants;
        fill(body, shown ? make(shown) : []);
        if (!shown) sheet?.close();
    }
    return {
        element,
        show(next) {
            shown = next;
            draw();
        },
        open() {
            if (sheet || !shown) return;
            sheet = dialog("Light period", body, {
                sheet: true,
                closed: () => {
                    sheet = null;
                    element.append(body);
                },
            });
        },
        tick: () => row?.refresh(),
        close() {
            sheet?.close();
            test.end().catch(() => {});
        },
    };
}
