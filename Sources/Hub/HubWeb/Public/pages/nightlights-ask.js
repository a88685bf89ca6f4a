// What is asked when a night was changed: for tonight only, or for the week; and what is sent then.
import { fill, h, mark } from "../dom.js";
import { symbol } from "../marks.js";
import { button } from "../controls.js";
import { dayKeys, dayOf } from "./nightlights-time.js";
import { daysWords } from "./nightlights-words.js";

/// The bar of a change: `edited` says what was changed, `undo` takes it back, `draw` shows the night anew.
export function askBar(page, { edited, undo, draw }) {
    const element = h("div", {
        class: "ask",
        role: "group",
        "aria-label": "What to do with the change",
        hidden: true,
    });

    const plainPeriod = ({ on, off, color, timeout_minutes }) => ({ on, off, color, timeout_minutes });
    const replaced = (periods, { old, ...next }) => {
        const rest = periods.map(plainPeriod), one = plainPeriod(next);
        const index = old ? rest.findIndex(({ on, off }) => on === old.on && off === old.off) : -1;
        if (index < 0) rest.push(one);
        else rest[index] = one;
        return rest.sort((a, b) => (a.on < b.on ? -1 : 1));
    };
    const groupOf = (date) => page.lamp.week.groups.find(({ days }) => days.includes(dayKeys[dayOf(date)]));

    async function send(change, done) {
        const one = page.draft, { seen } = one;
        let isTaken = false;
        try {
            isTaken = await page.send(change, { seen, done });
        } catch (error) {
            // Who sends it again has seen what the lamp has now.
            if (error.status === 409) page.draft = { ...page.draft, seen: page.dash?.changes };
            throw error;
        }
        // What was refused can be changed, or taken back.
        if (isTaken && page.draft === one) page.draft = null;
        draw();
    }
    const tonight = () => {
        const next = edited(), { lamp } = page;
        const periods = lamp.tonight ? lamp.tonight.periods : groupOf(next.date)?.periods ?? [];
        return send(
            { tonight: { periods: replaced(periods, next) }, tonight_days: lamp.tonight_days_left ?? 1 },
            "Only tonight. The week is back tomorrow.",
        );
    };
    const always = () => {
        const next = edited(), { week } = page.lamp, group = groupOf(next.date);
        const groups = week.groups.map((one) => ({
            days: one.days,
            periods: one === group ? replaced(one.periods, next) : one.periods.map(plainPeriod),
        }));
        return send({ week: { name: week.name, groups } }, `Every ${daysWords(group.days)} from now on.`);
    };

    function changeWords({ old, on, off, color }) {
        if (!old) return `New light period, ${on} to ${off}`;
        const found = [];
        if (on !== old.on) found.push(`On at ${on} instead of ${old.on}`);
        if (off !== old.off) found.push(`${found.length ? "off" : "Off"} at ${off} instead of ${old.off}`);
        if (color !== old.color) found.push(found.length ? "another colour" : "Another colour");
        return found.join(", ");
    }

    function refresh() {
        const next = edited();
        const differs = next && (!next.old || changeWords(next));
        element.hidden = !differs || !page.draft.isAsked;
        if (element.hidden) return;
        const isWeek = !next.old || next.old.source === "week", group = groupOf(next.date);
        const today = page.dash?.now?.slice(0, 10);
        const { away } = page.app;
        const canTonight = page.isLive && (next.old ? next.old.tonight : next.date === today);
        const canWeek = isWeek && group && !page.plan.tonight;
        const isLong = (page.lamp.tonight_days_left ?? 1) > 1;
        fill(
            element,
            h(
                "p",
                { class: "grow" },
                h("strong", `${changeWords(next)}. `),
                h(
                    "span",
                    { class: "second" },
                    away
                        ? `${page.app.notNow}.`
                        : canTonight && isWeek
                        ? "Only tonight, or always?"
                        : canTonight
                        ? ""
                        : page.isLive
                        ? "What began on another day can only be changed for the whole week."
                        : canWeek
                        ? "The lamp is away: a change of the week is kept and sent when it is back. Tonight alone can be changed when it is here."
                        : "The lamp is away: tonight’s own schedule can be changed when it is back.",
                ),
            ),
            h(
                "div",
                { class: "actions" },
                button([symbol("undo", 18), h("span", { class: "wide-word" }, "Undo")], undo, {
                    kind: "quiet undo",
                    label: "Undo",
                }),
                canWeek
                    ? button(`Every ${daysWords(group.days)}`, (self) => page.app.run(self, always), {
                        kind: canTonight ? "every" : "main",
                    })
                    : null,
                canTonight
                    ? button(
                        isLong ? `For these ${page.lamp.tonight_days_left} days` : "Tonight only",
                        (self) => page.app.run(self, tonight),
                        { kind: "main" },
                    )
                    : null,
            ),
        );
        // It can be taken back all the same.
        for (const one of element.querySelectorAll(".button:not(.undo)")) {
            mark(one, "aria-disabled", away ? "true" : null);
        }
    }

    return { element, refresh };
}
