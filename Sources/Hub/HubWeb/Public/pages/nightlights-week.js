// The week: a card for each group of days, 36 hours wide; conflicts are marked where they are before anything is sent.
import { fill, h, mark, say } from "../dom.js";
import { symbol } from "../marks.js";
import { button } from "../controls.js";
import { toast } from "../overlays.js";
import { handle } from "./nightlights-handles.js";
import { periodPanel } from "./nightlights-period.js";
import { previewCard } from "./nightlights-preview.js";
import { at, axis, barFoot, hours, of, outlines, periodBlock, width } from "./nightlights-bar.js";
import { dayRow, differences, drawWhole } from "./nightlights-days.js";
import { daysWords, pendingWords } from "./nightlights-words.js";
import { whose } from "./nightlights-lamp.js";
import { clockText, dayKeys, dayNames, lasts, minutes } from "./nightlights-time.js";

const copy = (value) => JSON.parse(JSON.stringify(value));

export function weekView(page) {
    const { app } = page;
    const cards = h("div", { class: "group-cards" }),
        whole = h("section", { class: "card", "aria-label": "The whole week" });
    const name = h("input", {
        class: "field week-name",
        maxlength: 24,
        "aria-label": "Name of the week",
        autocomplete: "off",
        onchange: () => edit((week) => week.name = name.value.trim()),
    });
    const addGroup = button([symbol("plus", 18), "Day group"], () => splitGroup(), { kind: "add-group" });
    const foot = h("div", { class: "card week-foot", role: "group", "aria-label": "Changes" });
    const count = h("strong"), blocked = h("p", { class: "blocked" });
    const undoButton = button([symbol("undo", 18), h("span", { class: "wide-word" }, "Undo")], () => undo(), {
        kind: "quiet undo",
        label: "Undo",
    });
    const compare = button([
        symbol("compare", 18),
        h("span", { class: "wide-word" }, "Compare with the lamp"),
    ], () => {
        isCompared = !isCompared;
        mark(compare, "aria-pressed", String(isCompared));
        draw(true);
    }, { label: "Compare with the lamp", kind: "compare" });
    const send = button("Send", (self) => !isBlocked() && app.run(self, sendAll), { kind: "main" });
    foot.append(h("div", { class: "grow" }, count, blocked), undoButton, compare, send);
    const waits = h("p", { class: "hint" }, pendingWords);
    const element = h(
        "div",
        { class: "week-view" },
        h(
            "div",
            { class: "week-top" },
            name,
            h(
                "p",
                { class: "hint grow" },
                "A period belongs to the day on which it starts. The hatched part is the next morning.",
            ),
            addGroup,
        ),
        cards,
        waits,
        whole,
        foot,
    );
    const panel = periodPanel({ edit: editPeriod, remove: removePeriod, page });
    const preview = previewCard(page, () => draft()?.week);
    const side = h("div", { class: "week-side" }, panel.element, preview.element);
    // What is sent stands under all that is looked at.
    if (page.narrow.matches) foot.before(preview.element);
    let shape, conflicts = [], wasAway = false, isCompared = false, checking = 0, handles = [];

    // MARK: The draft

    function draft() {
        const { lamp } = page;
        if (!page.weekDraft && lamp?.week) {
            page.weekDraft = {
                week: copy(lamp.week),
                base: JSON.stringify(lamp.week),
                undo: [],
                seen: page.dash?.changes,
            };
        }
        return page.weekDraft;
    }
    const week = () => draft().week;
    const isChanged = () => JSON.stringify(week()) !== draft().base;

    function remember() {
        const one = draft();
        one.undo.push(JSON.stringify(one.week));
        if (one.undo.length > 100) one.undo.shift();
    }
    function edit(change, { isMove = false } = {}) {
        if (!isMove) remember();
        change(week());
        week().groups = week().groups.filter(({ days }) => days.length);
        if (!isMove) changed();
    }
    function changed() {
        draw(true);
        check();
    }
    function undo() {
        const one = draft(), last = one.undo.pop();
        if (!last) return;
        one.week = JSON.parse(last);
        one.selected = null;
        changed();
    }
    function editPeriod(change) {
        const { selected } = draft();
        edit((all) => Object.assign(all.groups[selected.group].periods[selected.period], change));
    }
    function removePeriod() {
        const { selected } = draft();
        draft().selected = null;
        edit((all) => all.groups[selected.group].periods.splice(selected.period, 1));
        toast("Period removed.", undo);
    }
    const selectedIn = (index) => draft().selected?.group === index;
    /// Shows the markers of a period; on a phone all else of it when it is pressed once more.
    function select(group, period) {
        const isAgain = selectedIn(group) && draft().selected.period === period;
        draft().selected = { group, period };
        draw(true);
        if (page.narrow.matches && isAgain) panel.open();
    }

    /// Gives a group a day, which another one loses; a day that it has already gets a group of its own.
    function toggleDay(index, key) {
        edit((all) => {
            const group = all.groups[index];
            if (group.days.includes(key)) {
                if (group.days.length === 1) return;
                group.days = group.days.filter((one) => one !== key);
                all.groups.splice(index + 1, 0, { days: [key], periods: copy(group.periods) });
            } else {
                for (const other of all.groups) other.days = other.days.filter((one) => one !== key);
                group.days = dayKeys.filter((one) => one === key || group.days.includes(one));
            }
            draft().selected = null;
        });
    }
    function splitGroup() {
        const groups = week().groups, index = groups.findIndex(({ days }) => days.length > 1);
        if (index < 0) return toast("Each day has a group of its own already.");
        toggleDay(index, groups[index].days.at(-1));
    }
    function addPeriod(index) {
        const busy = (start) =>
            week().groups[index].periods.some((one) => {
                const from = minutes(one.on);
                return start < from + lasts(one) && start + 60 > from;
            });
        const start = [1170, 1080, 1020, 360, 720, 540].concat([...Array(24).keys()].map((hour) => hour * 60))
            .find((one) => !busy(one));
        if (week().groups[index].periods.length >= 6 || start === undefined) {
            return toast("A day has at most 6 periods.");
        }
        edit((all) =>
            all.groups[index].periods.push({
                on: clockText(start),
                off: clockText(start + 60),
                color: "#ff9a2e",
                timeout_minutes: null,
            })
        );
        select(index, week().groups[index].periods.length - 1);
    }

    /// Has the hub say what a lamp would refuse.
    async function check() {
        const asked = checking += 1, one = week();
        try {
            const answer = await page.hub.jobs.previewLight({ week: one });
            if (asked !== checking) return;
            conflicts = answer.conflicts;
        } catch (error) {
            if (asked !== checking) return;
            conflicts = [{ text: error.message, first: null, second: null, minutes: null }];
        }
        draw(true);
    }
    const isBlocked = () => !isChanged() || conflicts.length > 0 || app.away;

    async function sendAll() {
        const one = draft(), sent = JSON.stringify(one.week);
        let isTaken = false;
        one.isSending = true;
        try {
            isTaken = await page.send({ week: one.week }, {
                seen: one.seen,
                done: `${
                    whose(page.lamp.name).replace(/^./, (one) => one.toUpperCase())
                } lamp has the week now.`,
            });
        } catch (error) {
            // Who sends it again has seen what the lamp has now.
            if (error.status === 409) one.seen = page.dash?.changes;
            throw error;
        } finally {
            one.isSending = false;
        }
        if (!isTaken || page.weekDraft !== one) return;
        if (JSON.stringify(one.week) === sent) {
            page.weekDraft = null;
            conflicts = [];
        } else Object.assign(one, { base: JSON.stringify(page.lamp.week), seen: page.dash?.changes });
        draw(true);
    }

    // MARK: Drawing

    function groupCard(group, index) {
        const bar = h("div", { class: "week-bar" });
        for (const hour of [6, 12, 18, 24, 30]) {
            const line = h("i", { class: "hour-line" });
            line.style.left = `${hour / hours * 100}%`;
            bar.append(line);
        }
        bar.append(at(h("div", { class: "next-morning", "aria-hidden": "true" }), 1440, width));
        if (isCompared) bar.append(...outlines(page.lamp.week, group, "outline", "The lamp has"));
        const { pendingWeek } = page.plan;
        if (pendingWeek) bar.append(...outlines(pendingWeek, group, "pending", "Waits for the lamp:"));
        const mine = conflicts.filter((one) =>
            group.periods.some((period) => of(one, group, period) === "first")
        );
        group.periods.forEach((period, place) => {
            const { selected } = draft();
            const chosen = selected?.group === index && selected?.period === place;
            const { block, marks, from, to } = periodBlock(group, period, {
                chosen,
                conflicts,
                select: () => select(index, place),
            });
            bar.append(block, ...marks);
            if (!chosen) return;
            const reader = (value) =>
                value === null ? { span: width } : {
                    // A long one ends where the bar does.
                    place: Math.min(100, value / width * 100),
                    clock: clockText(value),
                    words: `${clockText(value)}, ${value >= 1440 ? "the next day" : daysWords(group.days)}`,
                };
            const live = { from, to };
            let isBegun = false;
            const move = (which) => (value) => {
                if (!isBegun) remember();
                isBegun = true;
                live[which] = value;
                edit(() => {
                    period.on = clockText(live.from);
                    period.off = clockText(live.to);
                }, { isMove: true });
                at(block, live.from, live.to);
                say(block.querySelector(".period-label"), `${period.on} to ${period.off}`);
            };
            const end = () => {
                if (!isBegun) return;
                isBegun = false;
                changed();
            };
            const bandOf = () => bar;
            handles.push(
                handle("On", {
                    value: from,
                    read: reader,
                    least: () => Math.max(0, live.to - 1435),
                    most: () => Math.min(1435, live.to - 5),
                    move: move("from"),
                    end,
                    band: bandOf,
                }),
                handle("Off", {
                    value: to,
                    read: reader,
                    least: () => live.from + 5,
                    most: () => Math.min(Math.max(width, to), live.from + 1435),
                    move: move("to"),
                    end,
                    band: bandOf,
                }),
            );
            bar.append(...handles.slice(-2).map((one) => one.element));
        });
        const words = `${group.periods.length} ${group.periods.length === 1 ? "period" : "periods"}`;
        return h(
            "section",
            {
                class: `card group-card${mine.length ? " meets-card" : ""}`,
                "aria-label": daysWords(group.days),
            },
            h(
                "div",
                { class: "group-head" },
                dayRow(group, index, { edit, toggleDay, unselect: () => draft().selected = null }),
                h("h2", { class: "grow" }, daysWords(group.days)),
                h("span", { class: "hint" }, words),
                mine.length ? h("span", { class: "tag tag-danger" }, "Conflict") : null,
                button(symbol("plus", 18), () => addPeriod(index), {
                    kind: "icon",
                    label: `New period on ${daysWords(group.days)}`,
                }),
            ),
            bar,
            axis(hours, 6, { odd: 12 }),
            barFoot({
                conflict: mine[0],
                repair: () =>
                    edit(() =>
                        group.periods.find((period) => of(mine[0], group, period) === "first").off =
                            mine[0].second.on
                    ),
                edit: page.narrow.matches && selectedIn(index) ? () => panel.open() : null,
            }),
        );
    }

    function draw(force = false) {
        if (!draft()) {
            cards.replaceChildren(h("p", { class: "hint" }, "Nothing is known of this lamp’s week yet."));
            [whole, foot, addGroup, name, waits].forEach((one) => one.hidden = true);
            return;
        }
        // A lamp that was changed meanwhile is followed while there is nothing of one's own.
        if (JSON.stringify(page.lamp.week) !== draft().base) {
            if (!isChanged()) page.weekDraft = null;
            else if (!draft().isTold && !draft().isSending) {
                draft().isTold = true;
                toast("The lamp’s week was changed meanwhile. Yours was not sent.");
            }
        }
        if (!isChanged()) draft().seen = page.dash?.changes;
        [whole, foot, addGroup, name].forEach((one) => one.hidden = false);
        // What was changed meanwhile nobody has looked at.
        if (wasAway && !app.away && isChanged()) check();
        wasAway = app.away;
        if (handles.some((one) => one.isDragged)) return;
        const { pendingWeek } = page.plan;
        const wants = JSON.stringify([
            draft(),
            conflicts,
            isCompared,
            page.lamp.week,
            pendingWeek,
            page.isLive,
            app.away,
        ]);
        if (wants === shape && !force) return;
        shape = wants;
        waits.hidden = !pendingWeek;
        if (document.activeElement !== name) name.value = week().name;
        name.placeholder = "Name of the week";
        const held = document.activeElement?.classList.contains("grip")
            ? document.activeElement.getAttribute("aria-label")
            : null;
        handles = [];
        fill(cards, week().groups.map((group, index) => groupCard(group, index)));
        if (held) cards.querySelector(`.grip[aria-label="${held}"]`)?.focus({ preventScroll: true });
        drawWhole(whole, page, week(), conflicts);
        const number = differences(JSON.parse(draft().base), week()), isNear = page.isLive || app.away;
        say(
            count,
            number
                ? `${number} ${number === 1 ? "day is" : "days are"} not on the lamp yet`
                : isChanged()
                ? "These groups are not on the lamp yet"
                : "Same as on the lamp",
        );
        const where = conflicts[0]?.first ? ` on ${dayNames[dayKeys.indexOf(conflicts[0].first.day)]}` : "";
        const met = where ? `Solve the conflict${where} first` : conflicts[0]?.text ?? "";
        const why = !app.away ? met : isChanged() ? app.notNow : "";
        say(blocked, why);
        blocked.hidden = !why;
        foot.classList.toggle("idle", !isChanged() && !draft().undo.length);
        const sends = isNear ? `Send to ${whose(page.lamp.name)} lamp` : "Send when it is back";
        say(send, page.narrow.matches ? "Send" : sends);
        mark(send, "aria-label", sends);
        mark(send, "aria-disabled", isBlocked() ? "true" : null);
        mark(undoButton, "aria-disabled", draft().undo.length ? null : "true");
        const { selected } = draft();
        const group = selected && week().groups[selected.group], period = group?.periods[selected.period];
        panel.show(
            period
                ? { group, period, conflict: conflicts.find((one) => of(one, group, period) === "first") }
                : null,
        );
        preview.refresh(true);
    }

    return {
        element,
        side: page.narrow.matches ? null : side,
        withoutNow: true,
        refresh: () => draw(),
        tick: () => panel.tick(),
        close: () => panel.close(),
    };
}
