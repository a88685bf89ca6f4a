// Tonight, from noon to noon: what really shines as one band, what each source wants as thin lanes, markers to
// drag; then asked whether it is for tonight only or for the week.
import { fill, h, say } from "../dom.js";
import { symbol } from "../marks.js";
import { button } from "../controls.js";
import { toast } from "../overlays.js";
import { colourCard } from "./nightlights-colour.js";
import { askBar } from "./nightlights-ask.js";
import { axis } from "./nightlights-bar.js";
import { handle } from "./nightlights-handles.js";
import { blocks, drawLanes, sourceWords } from "./nightlights-lanes.js";
import { buttonCard, weekCard } from "./nightlights-cards.js";
import { pendingWords } from "./nightlights-words.js";
import { dateWords, dayNames, dayOf, nextDate, NightScale } from "./nightlights-time.js";

export function todayView(page) {
    const { app } = page;
    const heading = h("h2", "Tonight"), dates = h("p", { class: "hint" });
    const add = button([symbol("plus", 18), "Light period"], () => addPeriod(), { kind: "add-period" });
    const bandBox = h("div", { class: "band-box" });
    const lanes = h("div", { class: "lanes" }), list = h("ul", { class: "stretches" });
    const asking = askBar(page, { edited, undo, draw: () => draw(true) }), ask = asking.element;
    const card = h(
        "section",
        { class: "card tonight", "aria-label": "Tonight" },
        h("div", { class: "tonight-head" }, h("div", { class: "grow" }, heading, dates), add),
        bandBox,
        lanes,
        list,
        ask,
    );
    const week = weekCard(page), child = buttonCard(page);
    const element = h(
        "div",
        { class: "today-view" },
        card,
        h("div", { class: "lamp-pair" }, week.element, child.element),
    );
    const target = {
        get color() {
            return page.draft?.color ?? chosen()?.color;
        },
        get words() {
            const one = page.draft?.on ?? chosen()?.on;
            return one ? `Light period from ${one}` : null;
        },
        set(color, isFinal) {
            const period = chosen();
            if (!period && !page.draft) return;
            page.draft = page.draft
                ? { ...page.draft, color }
                : { index: page.night.periods.indexOf(period), color };
            page.draft.seen ??= page.dash?.changes;
            if (isFinal) page.draft.isAsked = true;
            draw(true);
        },
    };
    const colour = colourCard(page, target);
    let scale, handles = [], shape, base, overlay;

    /// The period whose colour is shown: the one that shines, else the first.
    function chosen() {
        const { night } = page;
        if (!night) return null;
        if (page.draft && page.draft.index >= 0) return night.periods[page.draft.index];
        const now = page.dash?.now ? Date.parse(page.dash.now) : null;
        const shining = night.periods.find(({ from, to }) => now >= Date.parse(from) && now < Date.parse(to));
        return shining ?? night.periods[0] ?? null;
    }

    // MARK: The change that was not sent

    /// The period as it was and as it is to be: markers as minutes since noon.
    function edited() {
        const { draft, night } = page;
        if (!draft) return null;
        const old = night.periods[draft.index] ?? null;
        const since = (moment) => (Date.parse(moment) - scale.from) / 60000;
        const from = draft.from ?? (old ? since(old.from) : 480),
            to = draft.to ?? (old ? since(old.to) : 540);
        const words = (value) => scale.clock(scale.from + value * 60000);
        return {
            old,
            from,
            to,
            on: draft.from === undefined && old ? old.on : words(from),
            off: draft.to === undefined && old ? old.off : words(to),
            color: draft.color ?? old?.color ?? "#ff9a2e",
            date: old?.date ?? (from < 720 ? night.date : nextDate(night.date)),
            timeout_minutes: old?.timeout_minutes ?? null,
        };
    }

    function addPeriod() {
        const { night } = page;
        const busy = night.periods.map((
            { from, to },
        ) => [(Date.parse(from) - scale.from) / 60000, (Date.parse(to) - scale.from) / 60000]);
        const free = [...Array(23).keys()].map((hour) => 360 + hour * 60).map((start) => start % 1440)
            .find((start) =>
                start + 60 <= 1440 && busy.every(([from, to]) => start + 60 <= from || start >= to)
            );
        if (free === undefined) return toast("There is no free hour tonight.");
        page.draft = {
            index: -1,
            from: free,
            to: free + 60,
            color: colour.control.color,
            seen: page.dash?.changes,
            isAsked: true,
        };
        draw(true);
        handles[handles.length - 2]?.element.focus();
    }

    function undo() {
        page.draft = null;
        draw(true);
    }

    // MARK: Drawing

    const block = (...stretch) => blocks(scale)(...stretch);
    const isIn = (inner, outer) =>
        Date.parse(inner.from) >= Date.parse(outer.from) && Date.parse(inner.to) <= Date.parse(outer.to);

    function drawBase() {
        const { night } = page, next = edited();
        const own = (one) => next?.old && one.source === next.old.source && isIn(one, next.old);
        fill(
            base,
            night.shines.filter((one) =>
                one.source !== "off" && one.source !== night.guest?.source && !own(one)
            )
                .map((one) => block("", one.from, one.to, one.color)),
            next?.old && !ask.hidden ? block("ghost", next.old.from, next.old.to) : null,
            next
                ? block("draft", scale.from + next.from * 60000, scale.from + ends(next) * 60000, next.color)
                : null,
            night.guest ? block("guest", night.guest.from, night.guest.to, night.guest.color) : null,
        );
    }
    /// When it is dark at the latest.
    const ends = ({ from, to, timeout_minutes }) =>
        timeout_minutes ? Math.min(to, from + timeout_minutes) : to;

    function drawBand() {
        const { night } = page;
        scale = new NightScale(night);
        base = h("div", { class: "band-base" });
        overlay = h("div", { class: "band-over" });
        const band = h(
            "div",
            { class: "band" },
            [3, 6, 9, 12, 15, 18, 21].map((hour) => {
                const line = h("i", { class: "hour-line" });
                line.style.left = `${hour / 24 * 100}%`;
                return line;
            }),
            base,
            // What waits for the lamp.
            (page.plan.pendingNight?.shines ?? []).filter(({ source }) => source !== "off")
                .map(({ from, to }) => block("pending", from, to)),
            overlay,
        );
        handles = [];
        const since = (moment) => (Date.parse(moment) - scale.from) / 60000;
        const span = (scale.to - scale.from) / 60000;
        const reader = (value) =>
            value === null ? { span } : {
                place: scale.place(scale.from + value * 60000),
                clock: scale.clock(scale.from + value * 60000),
                words: `${scale.clock(scale.from + value * 60000)}, ${
                    dayNames[(dayOf(night.date) + Math.floor((value + 720) / 1440)) % 7]
                }`,
            };
        const shown = night.periods.map((period, index) => ({
            index,
            from: since(period.from),
            to: since(period.to),
        }));
        if (page.draft) {
            const next = edited();
            const place = shown.find(({ index }) => index === page.draft.index);
            if (place) Object.assign(place, { from: next.from, to: next.to });
            else shown.push({ index: -1, from: next.from, to: next.to });
        }
        const canEdit = page.lamp?.week && !page.app.away;
        for (const one of canEdit ? shown : []) {
            const others = shown.filter((other) => other !== one);
            const before = Math.max(0, ...others.filter(({ from }) => from < one.from).map(({ to }) => to));
            // What shines past noon may end whenever a day has passed.
            const after = Math.min(
                one.to > span ? one.from + 1435 : span,
                ...others.filter(({ from }) => from > one.from).map(({ from }) => from),
            );
            const change = (which) => (value) => {
                if (page.draft?.index !== one.index) page.draft = { index: one.index };
                page.draft = { ...page.draft, [which]: value };
                page.draft.seen ??= page.dash?.changes;
                one[which] = value;
                drawBase();
            };
            const end = () => {
                if (!page.draft) return;
                page.draft = { ...page.draft, isAsked: true };
                asking.refresh();
                drawBase();
                colour.refresh();
            };
            const bandOf = () => band;
            handles.push(
                handle("On", {
                    value: one.from,
                    read: reader,
                    least: () => before,
                    most: () => Math.min(one.to, span) - 5,
                    move: change("from"),
                    end,
                    band: bandOf,
                }),
                handle("Off", {
                    value: one.to,
                    read: reader,
                    least: () => one.from + 5,
                    most: () => after,
                    move: change("to"),
                    end,
                    band: bandOf,
                }),
            );
        }
        const now = page.dash?.job.phase === "open" && page.dash.now
            ? h("div", { class: app.away ? "now-line old" : "now-line" }, h("span", { class: "now-word" }))
            : null;
        fill(overlay, handles.map((one) => one.element));
        fill(
            bandBox,
            h("span", { class: "lane-word strong" }, "Shines"),
            h("div", { class: "band-hold" }, band, axis(24, 3, { first: 12, odd: 6 }), now),
            page.plan.pendingNight ? h("p", { class: "hint pending-words" }, pendingWords) : null,
            h("p", { class: "spoken" }, summary()),
        );
        drawBase();
        tickNow();
    }
    const summary = () =>
        page.night.shines.filter(({ source }) => source !== "off").map(({ from, to, source }) =>
            `${scale.clock(Date.parse(from))} to ${scale.clock(Date.parse(to))}, ${
                sourceWords[source] ?? source
            }.`
        ).join(" ") || "Dark all night.";

    /// The lamp's own time now: what it said, and the time since.
    const lampNow = () => Date.parse(page.dash.now) + Math.max(0, app.time - Date.parse(page.dash.read));
    function tickNow() {
        const line = bandBox.querySelector(".now-line");
        if (!line || !page.dash?.now) return;
        const now = lampNow();
        line.hidden = now > scale.to;
        line.style.left = `${scale.place(now)}%`;
        say(line.firstChild, scale.clock(now));
    }

    function draw(force = false) {
        if (!page.night) {
            shape = null;
            fill(
                bandBox,
                h(
                    "p",
                    { class: "hint" },
                    page.lamp ? "The lamp’s week is not known." : "Nothing is known of this lamp yet.",
                ),
            );
            [lanes, list].forEach((one) => fill(one));
            ask.hidden = true;
            add.hidden = true;
            return;
        }
        if (handles.some((one) => one.isDragged)) return;
        const wants = JSON.stringify([
            page.night,
            page.plan.pendingNight,
            page.lamp?.week,
            page.lamp?.tonight,
            page.isLive,
            app.away,
        ]);
        if (wants !== shape || force) {
            shape = wants;
            if (page.draft && page.draft.index >= page.night.periods.length) page.draft = null;
            const held = document.activeElement?.classList.contains("grip")
                ? [...overlay.querySelectorAll(".grip")].indexOf(document.activeElement)
                : -1;
            say(
                dates,
                `${
                    dateWords(page.night.date).replace(/ \S+$/, (month) =>
                        sameMonth(page.night) ? "" : month)
                } to ${dateWords(nextDate(page.night.date))}`,
            );
            drawBand();
            drawLanes(page, scale, lanes, list, lampNow);
            if (held >= 0) handles[held]?.element.focus({ preventScroll: true });
        }
        add.hidden = app.away || !page.lamp?.week;
        asking.refresh();
    }

    return {
        element,
        side: colour.element,
        refresh() {
            draw();
            week.refresh();
            child.refresh();
            colour.refresh();
        },
        tick() {
            tickNow();
            colour.refresh();
        },
        escape: undo,
        close: () => colour.test.end().catch(() => {}),
    };
}

const sameMonth = ({ date }) => date.slice(0, 7) === nextDate(date).slice(0, 7);
