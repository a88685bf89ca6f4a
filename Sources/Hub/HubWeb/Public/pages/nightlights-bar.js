// A bar of 36 hours: periods, where they meet others, and what the lamp has.
import { h } from "../dom.js";
import { symbol } from "../marks.js";
import { button } from "../controls.js";
import { clockText, lasts, minutes, readable } from "./nightlights-time.js";
import { daysWords } from "./nightlights-words.js";

export const hours = 36, width = hours * 60;

/// Puts something from a minute to another.
export const at = (element, from, to) => {
    element.style.left = `${Math.max(0, from) / width * 100}%`;
    element.style.width = `${(Math.min(width, to) - Math.max(0, from)) / width * 100}%`;
    return element;
};
/// The hours under a bar of so many; the first is that of its left end, the odd ones are left out where it is narrow.
export const axis = (span, step, { first = 0, odd = 1, kind = "" } = {}) =>
    h(
        "div",
        { class: `axis ${kind}`, "aria-hidden": "true" },
        Array.from({ length: span / step + 1 }, (_, index) => {
            const hour = index * step;
            const word = h("span", { class: hour % odd ? "axis-odd" : "" }, clockText((first + hour) * 60));
            word.style.left = `${hour / span * 100}%`;
            return word;
        }),
    );
/// Which side of a conflict a period of a group is: first, second or null.
export const of = (conflict, group, period) => {
    const is = (side) =>
        side && group.days.includes(side.day) && side.on === period.on && side.off === period.off;
    return is(conflict?.first) ? "first" : is(conflict?.second) ? "second" : null;
};

/// A period of the bar, and marks where it meets another one.
export function periodBlock(group, period, { chosen, conflicts, select }) {
    const from = minutes(period.on), to = from + lasts(period);
    const ends = period.timeout_minutes ? Math.min(to, from + period.timeout_minutes) : to;
    const words = `${period.on} to ${period.off}`,
        early = ends < to ? `, ends after ${period.timeout_minutes} min` : "";
    const lit = h("span", { class: "period-lit" });
    // Of the part that the bar has room for.
    const part = (Math.min(ends, width) - from) / (Math.min(to, width) - from);
    lit.style.width = `${part * 100}%`;
    lit.style.background = period.color;
    const rest = h("span", { class: "period-rest" });
    rest.style.background = `color-mix(in srgb, ${period.color} 26%, var(--surface))`;
    // What does not fit is left out, not cut.
    const label = h(
        "span",
        { class: "period-label" },
        early
            ? [
                h("span", { class: "label-long" }, words + early),
                h("span", { class: "label-short" }, `${period.timeout_minutes} min`),
            ]
            : h("span", { class: "label-middle" }, words),
    );
    const isEarly = ends < to && ends - from < (to - from) / 2;
    label.style.color = isEarly ? "var(--ink)" : readable(period.color);
    label.style.left = isEarly ? `${part * 100}%` : "0";
    const block = at(
        h(
            "button",
            {
                class: `period${chosen ? " chosen" : ""}`,
                type: "button",
                "aria-pressed": String(chosen),
                "aria-label": `${daysWords(group.days)}, ${words}${early}`,
                onclick: () => select(),
            },
            ends < to ? rest : null,
            lit,
            label,
        ),
        from,
        to,
    );
    const met = conflicts.filter((one) => of(one, group, period) === "first");
    const marks = met.slice(0, 1).map((one) => {
        const end = minutes(one.second.on) + (one.first.day === one.second.day ? 0 : 1440);
        return at(h("span", { class: "meets", "aria-hidden": "true" }), end, end + one.minutes);
    });
    return { block, marks, from, to };
}

/// Outlines of what another week has on the days of a group: what the lamp has, or what waits for it; `words` begin
/// what they say.
export function outlines(week, group, kind, words) {
    const found = new Map();
    for (const { days, periods } of week.groups) {
        if (!days.some((day) => group.days.includes(day))) continue;
        for (const period of periods) found.set(`${period.on} to ${period.off}`, period);
    }
    return [...found].map(([times, period]) =>
        at(
            h(
                "span",
                { class: kind, title: `${words} ${times}` },
                h("span", { class: "spoken" }, `${words} ${times}.`),
            ),
            minutes(period.on),
            minutes(period.on) + lasts(period),
        )
    );
}

/// What stands below a bar: a conflict with its repair, and on a phone the way to all else of the chosen period.
export function barFoot({ conflict, repair, edit }) {
    const end = conflict && button(`End at ${conflict.second.on}`, repair, { kind: edit ? "" : "small" });
    const note = conflict &&
        h(
            "div",
            { class: "note danger" },
            symbol("warn", 18),
            h("span", { class: "grow" }, conflict.text),
            edit ? null : end,
        );
    return [note, edit ? h("div", { class: "bar-actions" }, end, button("Edit period", edit)) : null];
}
