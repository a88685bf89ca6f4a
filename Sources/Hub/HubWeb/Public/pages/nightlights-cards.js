// The two summaries under the night: the week day by day, and the child's button.
import { fill, h } from "../dom.js";
import { plain } from "../text.js";
import { axis } from "./nightlights-bar.js";
import { pendingWords } from "./nightlights-words.js";
import { dayKeys, dayNames, dayOf, lasts, lengthWords, minutes } from "./nightlights-time.js";

/// Stretches of a day that a week lights, from 0:00 to 24:00, as parts of its width; the night before runs into it.
export function dayStretches(week, index) {
    const periodsOf = (day) => week.groups.find(({ days }) => days.includes(dayKeys[day]))?.periods ?? [];
    const own = (day, shift) =>
        periodsOf(day).map((period) => {
            const from = minutes(period.on) + shift;
            return {
                from,
                to: from + Math.min(lasts(period), period.timeout_minutes ?? 1440),
                color: period.color,
            };
        });
    return [...own((index + 6) % 7, -1440), ...own(index, 0)]
        .map(({ from, to, color }) => ({ from: Math.max(0, from), to: Math.min(1440, to), color }))
        .filter(({ from, to }) => from < to);
}

/// A line for each day of a week, and the hours under them; dashed another one that waits.
export function weekLines(week, today, pending = null) {
    const stretch = (kind, { from, to, color }) => {
        const element = h("div", { class: `stretch ${kind}` });
        element.style.left = `${from / 14.4}%`;
        element.style.width = `${(to - from) / 14.4}%`;
        if (color) element.style.background = color;
        return element;
    };
    const lines = dayNames.map((name, index) =>
        h(
            "div",
            { class: `week-line${index === today ? " today" : ""}` },
            h("span", name.slice(0, 3)),
            h(
                "div",
                { class: "lane" },
                dayStretches(week, index).map((one) => stretch("", one)),
                pending &&
                    dayStretches(pending, index).map(({ from, to }) => stretch("pending", { from, to })),
            ),
        )
    );
    return [lines, axis(24, 6, { odd: 12, kind: "whole-axis" })];
}

export function weekCard(page) {
    const title = h("h2"), lines = h("div", { class: "week-lines" });
    const edit = h("a", { class: "card-link" }, "Edit");
    const element = h(
        "section",
        { class: "card", "aria-label": "Week" },
        h("div", { class: "card-head" }, title, h("span", { class: "grow" }), edit),
        lines,
    );
    let shape;
    return {
        element,
        refresh() {
            const week = page.lamp?.week, today = page.dash?.now ? dayOf(page.dash.now.slice(0, 10)) : -1;
            element.hidden = !week;
            const { pendingWeek } = page.plan, wants = JSON.stringify([week, pendingWeek, today, page.path]);
            if (!week || wants === shape) return;
            shape = wants;
            edit.href = `${page.path}/week`;
            fill(title, "Week", week.name ? h("bdi", ` “${plain(week.name)}”`) : null);
            fill(
                lines,
                weekLines(week, today, pendingWeek),
                pendingWeek ? h("p", { class: "hint" }, pendingWords) : null,
            );
        },
    };
}

/// What a button's settings mean, a row each.
export function buttonRows(settings) {
    const presses = settings.daily_presses;
    return [
        [
            "Presses a day",
            presses === null
                ? "Not known"
                : presses === 0
                ? "None"
                : presses === 255
                ? "As many as the child likes"
                : String(presses),
        ],
        ["Shines for", settings.on_seconds === null ? "Not known" : lengthOf(settings.on_seconds)],
        [
            "Quiet hours",
            settings.deactivation ? `${settings.deactivation.from} to ${settings.deactivation.to}` : "Never",
        ],
        ["Shaking changes colour", settings.shake ? "Yes" : "No"],
    ];
}
/// What the hub calls the colour; of a lamp that an older one remembers, its numbers.
const colourWord = ({ color, color_name: word }) =>
    word ? h("span", word) : h("span", { class: "octets" }, (color ?? "–").toUpperCase());
const lengthOf = (seconds) => (seconds % 60 ? `${seconds} s` : lengthWords(seconds / 60));

export function buttonCard(page) {
    const rows = h("dl", { class: "lamp-facts" }), edit = h("a", { class: "card-link" }, "Edit");
    const element = h(
        "section",
        { class: "card", "aria-label": "Child button" },
        h("div", { class: "card-head" }, h("h2", "Child button"), h("span", { class: "grow" }), edit),
        rows,
    );
    let shape;
    return {
        element,
        refresh() {
            const settings = page.lamp?.button;
            element.hidden = !settings;
            const wants = JSON.stringify([settings, page.path]);
            if (!settings || wants === shape) return;
            shape = wants;
            edit.href = `${page.path}/button`;
            const dot = h("i", { class: "led-dot" });
            dot.style.background = settings.color ?? "transparent";
            fill(
                rows,
                [["Switched on", settings.enabled ? "Yes" : "No"], ...buttonRows(settings)].map((
                    [word, value],
                ) => h("div", h("dt", word), h("dd", value))),
                h(
                    "div",
                    h("dt", "Its colour"),
                    h("dd", dot, colourWord(settings)),
                ),
            );
        },
    };
}
