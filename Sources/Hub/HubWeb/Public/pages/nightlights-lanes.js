// A thin lane for each source in order of priority, hatched where a higher one wins; the same as a list.
import { fill, h } from "../dom.js";
import { button } from "../controls.js";
import { lengthWords } from "./nightlights-time.js";
import { weekWord } from "./nightlights-words.js";

export const sourceWords = {
    week: "Week",
    day: "Tonight only",
    button: "Child button",
    proof: "Colour test",
};
const ranks = ["off", "week", "day", "button", "proof"];
const rank = (source) => ranks.indexOf(source);

/// Makes stretches of a night: a class, from, to and a colour.
export const blocks = (scale) => (kind, from, to, color) => {
    const element = h("div", { class: `stretch ${kind}` });
    element.style.left = `${scale.place(from)}%`;
    element.style.width = `${Math.max(0, scale.place(to) - scale.place(from))}%`;
    if (color) element.style.background = color;
    return element;
};

/// Draws the lanes of a night, and its list for a narrow page.
export function drawLanes(page, scale, lanes, list, lampNow) {
    const { app } = page, block = blocks(scale);
    const { night, lamp } = page;
    const meet = (one, other) =>
        Date.parse(one.from) < Date.parse(other.to) && Date.parse(one.to) > Date.parse(other.from);
    // What is for tonight only stands in the week's place, also where it is dark.
    const week = night.week.filter((span) =>
        !page.plan.tonight || night.shines.some((one) => one.source === "week" && meet(one, span))
    );
    const covered = (spans, source) =>
        spans.flatMap((span) => [
            block("", span.from, span.to, span.color),
            ...night.shines.filter((one) =>
                one.source !== source && rank(one.source) > rank(source) && meet(one, span)
            ).map((one) =>
                block(
                    "beaten",
                    Math.max(Date.parse(one.from), Date.parse(span.from)),
                    Math.min(Date.parse(one.to), Date.parse(span.to)),
                )
            ),
        ]);
    const row = (word, spans, source, none) =>
        h(
            "div",
            { class: "lane-row" },
            h("span", { class: "lane-word" }, word),
            spans.length
                ? h("div", { class: "lane" }, covered(spans, source))
                : h("span", { class: "hint" }, none),
        );
    const guest = (source) => (night.guest?.source === source ? [night.guest] : []);
    fill(
        lanes,
        row("Colour test", guest("proof"), "proof", page.isLive ? "Off" : "Not known"),
        row("Child button", guest("button"), "button", page.isLive ? "Not pressed" : "Not known"),
        row("Tonight only", night.day, "day", page.plan.tonight ? "Dark" : "No change for tonight yet"),
        row(
            weekWord(lamp?.week),
            week,
            "week",
            page.plan.tonight ? "Not used tonight" : "Nothing tonight",
        ),
        h("p", { class: "hint lane-note" }, "Where lines overlap, the highest one wins."),
        lamp?.tonight && page.isLive
            ? h(
                "div",
                { class: "lane-row" },
                h("span", { class: "lane-word" }),
                button("Back to the week", (self) =>
                    app.run(self, () =>
                        page.send({ clear_tonight: true }, {
                            seen: page.dash.changes,
                            done: "The week applies again.",
                        })), { kind: "small" }),
            )
            : null,
    );
    const lit = night.shines.filter(({ source }) => source !== "off");
    const now = page.isLive ? lampNow() : 0;
    fill(
        list,
        lit.map(({ from, to, source, color }) => {
            const [start, end] = [Date.parse(from), Date.parse(to)], isNow = start <= now && now < end;
            const dot = h("i", { class: "dot-square" });
            dot.style.background = color;
            return h(
                "li",
                { class: isNow ? "is-now" : "" },
                dot,
                h("span", { class: "stretch-time" }, scale.clock(start)),
                h("span", { class: "grow" }, sourceWords[source] ?? source),
                h(
                    "span",
                    { class: "hint" },
                    isNow ? `${lengthWords((end - now) / 60000)} left` : `until ${scale.clock(end)}`,
                ),
            );
        }),
        lit.length ? null : h("li", { class: "hint" }, "Dark all night"),
    );
}
