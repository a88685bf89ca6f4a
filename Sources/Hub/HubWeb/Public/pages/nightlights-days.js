// The days of a group to press and to draw over, and the week as a whole.
import { fill, h } from "../dom.js";
import { axis } from "./nightlights-bar.js";
import { dayStretches } from "./nightlights-cards.js";
import { dayKeys, dayNames, dayOf, minutes } from "./nightlights-time.js";

const shortNames = ["M", "T", "W", "T", "F", "S", "S"];

/// The days of a group: pressed one by one, or a finger drawn over several.
export function dayRow(group, index, { edit, toggleDay, unselect }) {
    const row = h("div", { class: "day-row", role: "group", "aria-label": "Days" });
    let drawn = null;
    const take = (event) => {
        const under = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-day]");
        if (!under || under.parentNode !== row || drawn.has(under.dataset.day)) return;
        drawn.add(under.dataset.day);
        under.classList.add("drawn");
    };
    row.addEventListener("pointerdown", (event) => {
        if (event.button || !event.target.closest("[data-day]")) return;
        drawn = new Set();
        take(event);
    });
    row.addEventListener("pointermove", (event) => drawn && event.buttons && take(event));
    row.addEventListener("pointerup", () => {
        const days = [...drawn ?? []];
        drawn = null;
        if (days.length < 2) return;
        edit((all) => {
            const one = all.groups[index];
            for (const other of all.groups) {
                if (other !== one) other.days = other.days.filter((key) => !days.includes(key));
            }
            one.days = dayKeys.filter((key) => one.days.includes(key) || days.includes(key));
            unselect();
        });
    });
    row.append(...dayKeys.map((key, place) =>
        h("button", {
            class: "day",
            type: "button",
            "data-day": key,
            "aria-pressed": String(group.days.includes(key)),
            "aria-label": dayNames[place],
            onclick: (event) => {
                // A keyboard has no pointer; a drag over several is done already.
                if (event.detail && !row.isConnected) return;
                toggleDay(index, key);
            },
        }, shortNames[place])
    ));
    return row;
}

/// Draws the whole week, a line for each day, from midnight to midnight.
export function drawWhole(whole, page, week, conflicts) {
    const today = page.dash?.now ? dayOf(page.dash.now.slice(0, 10)) : -1;
    fill(
        whole,
        h("h2", "The whole week"),
        h(
            "div",
            { class: "week-lines wide-lines" },
            dayNames.map((word, index) => {
                const met = conflicts.filter(({ second }) => second?.day === dayKeys[index]);
                return h(
                    "div",
                    { class: `week-line${index === today ? " today" : ""}` },
                    h("span", word.slice(0, 3)),
                    h(
                        "div",
                        { class: "lane" },
                        dayStretches(week, index).map(({ from, to, color }) => {
                            const one = h("div", { class: "stretch" });
                            one.style.left = `${from / 14.4}%`;
                            one.style.width = `${(to - from) / 14.4}%`;
                            one.style.background = color;
                            return one;
                        }),
                        met.map(({ second, minutes: length }) => {
                            const one = h("div", { class: "stretch meets" });
                            one.style.left = `${minutes(second.on) / 14.4}%`;
                            one.style.width = `${length / 14.4}%`;
                            return one;
                        }),
                    ),
                );
            }),
        ),
        axis(24, 6, { kind: "whole-axis" }),
    );
}

/// How many things of two weeks are not the same: days with other periods, and the name.
export function differences(one, other) {
    const on = (week, key) =>
        JSON.stringify(week.groups.find(({ days }) => days.includes(key))?.periods ?? []);
    return dayKeys.filter((key) => on(one, key) !== on(other, key)).length +
        (one.name !== other.name ? 1 : 0);
}
