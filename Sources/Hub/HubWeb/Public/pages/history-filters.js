// The filters of the history: search, chips that are set and can be set, and filters kept under a name.
import { fill, h, say } from "../dom.js";
import { symbol, types } from "../marks.js";
import { air, percent, plain } from "../text.js";
import { dialog, toast } from "../overlays.js";

export const periods = { 1: "Last day", 7: "Last 7 days", 30: "Last 30 days", 365: "Last year" };
export const states = { new: "New", mine: "Mine", muted: "Muted", false_alarm: "False alarm" };
const places = { with: "With a place", without: "Without a place" };
// What can be filtered by, in the order in which it is drawn.
const parts = { days: "Time", min_confidence: "Confidence", type: "Kind", state: "State", place: "Place" };

/// Nothing that is filtered by.
export const emptyFilter = () => ({
    text: "",
    days: null,
    min_confidence: 0,
    type: [],
    state: [],
    place: null,
});

/// A filter that is kept, as far as it is one: whoever has kept it may have written anything.
const kept = (filter) => {
    const found = emptyFilter(),
        list = (value, known) => [value].flat().filter((one) => Object.hasOwn(known, one));
    if (typeof filter.text === "string") found.text = filter.text;
    if (Object.hasOwn(periods, filter.days)) found.days = Number(filter.days);
    if (filter.min_confidence >= 0 && filter.min_confidence <= 1) {
        found.min_confidence = Number(filter.min_confidence);
    }
    found.type = list(filter.type, types);
    found.state = list(filter.state, states);
    if (Object.hasOwn(places, filter.place)) found.place = filter.place;
    return found;
};
const isSet = (value) => Array.isArray(value) ? value.length > 0 : Boolean(value);

/// What is chosen is the app's: History and Map show the same.
export class Filters {
    /// `look` begins the names of its styles; `without` are parts that the page does not offer.
    constructor(app, changed, { look = "history", label, placeholder, without = [], entered } = {}) {
        this.app = app;
        this.changed = changed;
        this.parts = Object.fromEntries(Object.entries(parts).filter(([name]) => !without.includes(name)));
        this.app.chosen ??= emptyFilter();
        this.field = h("input", {
            class: "field",
            type: "search",
            placeholder: placeholder ?? "Name, address, network or note",
            "aria-label": label ?? "Search in the history",
            value: this.chosen.text,
            onkeydown: (event) => {
                if (event.key === "Enter") entered?.(this.field.value);
            },
            maxlength: 200,
            spellcheck: "false",
            oninput: () => {
                this.chosen.text = this.field.value.trim();
                clearTimeout(this.timer);
                this.timer = setTimeout(() => this.update(), 150);
            },
        });
        this.chips = h("div", { class: "chips" });
        this.counts = h("span", { class: "hint counts", role: "status" });
        this.saved = h(
            "button",
            { class: "chip on-desktop", type: "button", onclick: () => this.showSaved() },
            symbol("star", 16),
            "Saved filters",
            symbol("down", 16),
        );
        this.element = h(
            "div",
            { class: `${look}-filters` },
            h(
                "div",
                { class: "search" },
                symbol("search"),
                this.field,
                h("kbd", { "aria-hidden": "true" }, "/"),
            ),
            this.chips,
            this.counts,
            this.saved,
        );
        this.draw();
    }

    get chosen() {
        return this.app.chosen;
    }
    set chosen(value) {
        this.app.chosen = value;
    }

    /// What the hub is asked.
    value() {
        const { text, days, min_confidence, type, state } = this.chosen;
        const place = this.parts.place ? this.chosen.place : null;
        // A whole minute, so that pages of one search have the same beginning.
        const since = days
            ? new Date(Math.floor(this.app.time / 60000) * 60000 - days * 86400000).toISOString()
            : null;
        return { text: text || null, since, min_confidence: min_confidence || null, type, state, place };
    }

    get count() {
        return ["text", ...Object.keys(this.parts)].filter((name) => isSet(this.chosen[name])).length;
    }

    clear() {
        this.show({});
    }
    /// Filters by this alone.
    show(some) {
        this.chosen = { ...emptyFilter(), ...some };
        this.field.value = this.chosen.text;
        this.update();
    }

    update() {
        this.draw();
        this.changed();
    }

    say(text) {
        say(this.counts, text);
    }

    draw() {
        const chosen = this.chosen;
        const set = (word, off) =>
            h(
                "button",
                {
                    class: "chip set",
                    type: "button",
                    "aria-label": `Remove the filter ${word}`,
                    onclick: () => {
                        off();
                        this.update();
                        this.field.focus();
                    },
                },
                word,
                symbol("close", 14),
            );
        fill(
            this.chips,
            chosen.days
                ? set(periods[chosen.days], () => {
                    chosen.days = null;
                })
                : null,
            chosen.min_confidence
                ? set(`≥ ${percent(chosen.min_confidence)}`, () => {
                    chosen.min_confidence = 0;
                })
                : null,
            chosen.type.map((type) =>
                set(types[type][0], () => {
                    chosen.type = chosen.type.filter((one) => one !== type);
                })
            ),
            chosen.state.map((state) =>
                set(states[state], () => {
                    chosen.state = chosen.state.filter((one) => one !== state);
                })
            ),
            chosen.place && this.parts.place
                ? set(places[chosen.place], () => {
                    chosen.place = null;
                })
                : null,
            Object.entries(this.parts).filter(([name]) => !isSet(chosen[name])).map(([name, word]) =>
                h(
                    "button",
                    { class: "chip on-phone", type: "button", onclick: () => this.showChoice(name) },
                    word,
                )
            ),
            h(
                "button",
                {
                    class: "button quiet small",
                    type: "button",
                    "aria-label": "Filter",
                    onclick: () => this.showChoice(),
                },
                h("span", { class: "on-phone" }, symbol("filter", 18)),
                h("span", { class: "on-desktop" }, symbol("plus", 16), "Filter"),
            ),
        );
    }

    /// Asks for everything that can be filtered by, or for one part of it.
    showChoice(part = null) {
        const chosen = this.chosen;
        const select = (label, options, value, change) =>
            h(
                "label",
                { class: "choice" },
                h("span", label),
                h(
                    "select",
                    {
                        class: "field",
                        onchange: (event) => {
                            change(event.target.value);
                            this.update();
                        },
                    },
                    Object.entries(options).map(([name, word]) =>
                        h("option", { value: name, selected: name === String(value ?? "") }, word)
                    ),
                ),
            );
        const out = h("output", percent(chosen.min_confidence));
        const many = (label, options, list) =>
            h(
                "fieldset",
                { class: "choices" },
                h("legend", { class: part ? "spoken" : "" }, label),
                Object.entries(options).map(([name, word]) =>
                    h(
                        "label",
                        { class: "chip" },
                        h("input", {
                            type: "checkbox",
                            checked: list.includes(name),
                            onchange: (event) => {
                                if (event.target.checked) list.push(name);
                                else list.splice(list.indexOf(name), 1);
                                this.update();
                            },
                        }),
                        word,
                    )
                ),
            );
        const choices = {
            days: () =>
                select(parts.days, { "": "Any time", ...periods }, chosen.days, (value) => {
                    chosen.days = Number(value) || null;
                }),
            min_confidence: () =>
                h(
                    "label",
                    { class: "choice" },
                    h("span", "Confidence from"),
                    h("input", {
                        class: "slider",
                        type: "range",
                        min: 0,
                        max: 100,
                        step: 5,
                        value: chosen.min_confidence * 100,
                        oninput: (event) => {
                            event.target.style.setProperty("--part", `${event.target.value}%`);
                            chosen.min_confidence = event.target.value / 100;
                            say(out, percent(chosen.min_confidence));
                        },
                        onchange: () => this.update(),
                    }),
                    out,
                ),
            place: () =>
                select(parts.place, { "": "Any", ...places }, chosen.place, (value) => {
                    chosen.place = value || null;
                }),
            state: () => many(parts.state, states, chosen.state),
            type: () =>
                many(
                    parts.type,
                    Object.fromEntries(Object.entries(types).map(([name, [word]]) => [name, word])),
                    chosen.type,
                ),
        };
        const offered = Object.keys(choices).filter((name) => name in this.parts);
        const shown = part ? [choices[part]()] : offered.map((name) => choices[name]());
        const actions = [["Show", "main", () => {}]];
        if (!part) actions.unshift(["Clear filters", "quiet", () => this.clear()]);
        dialog(part ? parts[part] : "Filter", h("div", { class: "stack" }, shown), { sheet: true, actions });
    }

    showSaved() {
        const list = this.app.hub.state.settings.saved_filters;
        const name = h("input", {
            class: "field",
            maxlength: 40,
            placeholder: "Name",
            "aria-label": "Name of this filter",
        });
        const save = (filters) =>
            this.app.hub.changeSettings({ saved_filters: filters }).catch((error) => toast(error.message));
        const rows = list.map((one, index) =>
            h(
                "div",
                { class: "line-row saved-row" },
                h("button", {
                    class: "button quiet",
                    type: "button",
                    onclick: () => {
                        this.show(kept(one.filter));
                        overlay.close();
                    },
                }, air(one.name)),
                h("span", { class: "grow" }),
                h("button", {
                    class: "button icon",
                    type: "button",
                    "aria-label": `Forget ${plain(one.name)}`,
                    onclick: (event) => {
                        event.target.closest(".saved-row").remove();
                        save(list.filter((_, other) => other !== index));
                    },
                }, symbol("trash", 18)),
            )
        );
        const overlay = dialog(
            "Saved filters",
            h(
                "div",
                { class: "stack" },
                rows.length ? rows : h(
                    "p",
                    { class: "second" },
                    "A saved filter can be used in any browser.",
                ),
                name,
            ),
            {
                sheet: true,
                actions: [["Save this filter", "main", () => {
                    if (!name.value.trim()) {
                        name.focus();
                        return false;
                    }
                    return save([...list, { name: name.value.trim(), filter: structuredClone(this.chosen) }]);
                }]],
            },
        );
    }
}
