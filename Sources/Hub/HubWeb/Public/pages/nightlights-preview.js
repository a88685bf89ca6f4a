// What schedules do on any date, as the hub's plan says it: nights in which the clocks change, too.
import { fill, h } from "../dom.js";
import { dateWords, NightScale } from "./nightlights-time.js";

const today = () => new Date(Date.now() - new Date().getTimezoneOffset() * 60000).toISOString().slice(0, 10);

/// `weekOf` gives the week that is looked at.
export function previewCard(page, weekOf) {
    const date = h("input", {
        class: "field date",
        type: "date",
        "aria-label": "Date",
        value: page.dash?.now?.slice(0, 10) ?? today(),
        onchange: () => refresh(true),
    });
    const band = h("div", { class: "preview-band", "aria-hidden": "true" }),
        words = h("p", { class: "second preview-words", role: "status" });
    const element = h(
        "section",
        { class: "card preview-card", "aria-label": "Preview a date" },
        h("div", { class: "colour-head" }, h("h2", { class: "grow" }, "Preview a date"), date),
        band,
        words,
    );
    let asked = 0, shape;

    async function refresh(force = false) {
        const week = weekOf(), wants = JSON.stringify([week, date.value]);
        if (!week || !date.value || wants === shape && !force || page.app.away) return;
        if (wants === shape) return;
        shape = wants;
        const number = asked += 1;
        let answer;
        try {
            answer = await page.hub.jobs.previewLight({ week, date: date.value });
        } catch (error) {
            if (number === asked) fill(words, error.message);
            return;
        }
        if (number !== asked) return;
        const { night } = answer, scale = new NightScale(night);
        const lit = night.shines.filter(({ source }) => source !== "off");
        fill(
            band,
            lit.map(({ from, to, color }) => {
                const one = h("div", { class: "stretch" });
                one.style.left = `${scale.place(from)}%`;
                one.style.width = `${scale.place(to) - scale.place(from)}%`;
                one.style.background = color;
                return one;
            }),
        );
        const times = lit.map(({ from, to }) =>
            `${scale.clock(Date.parse(from))} to ${scale.clock(Date.parse(to))}`
        );
        fill(
            words,
            h("strong", `${dateWords(night.date, { year: true })}. `),
            times.length
                ? `From noon to noon it shines ${times.join(" and ")}. `
                : "It is dark from noon to noon. ",
            answer.clock_change ?? "",
        );
    }
    return { element, refresh };
}
