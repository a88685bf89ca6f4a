// The detail of a source: what it is, how strong it was, why it was raised, its octets.
import { fill, h, mark } from "../dom.js";
import { button, copyButton } from "../controls.js";
import { detectionMark, isQuiet, ring, symbol, tags, types } from "../marks.js";
import { ownMarks, turned } from "../own-marks.js";
import { air, alias, count, counted, day, escaped, ownName, percent, place, plain } from "../text.js";
import { dialog, toast } from "../overlays.js";
import { plot } from "./history-plot.js";

const gap = 20 * 60000;
/// Notes that were typed and not kept, by the number of their source: for as long as the window is open, where the
/// browser lets a page remember something.
const drafts = {
    kept: new Map(),
    name: (id) => `note-${id}`,
    get(id) {
        try {
            return sessionStorage.getItem(this.name(id)) ?? this.kept.get(id);
        } catch {
            return this.kept.get(id);
        }
    },
    set(id, text) {
        this.kept.set(id, text);
        try {
            sessionStorage.setItem(this.name(id), text);
        } catch {
            // It is there until the page is loaded again.
        }
    },
    delete(id) {
        this.kept.delete(id);
        try {
            sessionStorage.removeItem(this.name(id));
        } catch {
            // It was never there.
        }
    },
};

/// Leads to the source on the map, where it has a place.
function onMap(source) {
    const { latitude, longitude } = source.place ?? source;
    if (latitude === null || latitude === undefined) return null;
    const at = [latitude.toFixed(5), longitude.toFixed(5), 17].join(",");
    const href = `#/map/at/${at}/source/${source.id}`;
    return h("a", { class: "button show-on-map", href }, symbol("map", 18), "Show on the map");
}

/// Sightings, oldest first, parted into drives where nothing came for 20 minutes.
export function drivesOf(rows) {
    const drives = [];
    for (const row of rows) {
        const time = Date.parse(row.received), last = drives.at(-1);
        if (last && time - last.end < gap) {
            last.rows.push(row);
            last.end = time;
        } else drives.push({ rows: [row], end: time, begin: time });
    }
    return drives;
}

/// Whether octets of an advertisement have a name: a structure of the type 8 or 9.
function haveName(octets) {
    for (let at = 0; octets[at] && at + 1 < octets.length; at += 1 + octets[at]) {
        if (octets[at + 1] === 8 || octets[at + 1] === 9) return true;
    }
    return false;
}

export class SourceDetail {
    /// `list` shows all sources in some states.
    constructor(app, list) {
        this.app = app;
        this.list = list;
        this.element = h("aside", { class: "history-detail", tabindex: "-1", "aria-label": "Source" });
        this.id = null;
        this.empty();
    }

    empty() {
        fill(
            this.element,
            h(
                "div",
                { class: "empty" },
                h("h2", "No source chosen"),
                h("p", "Choose one in the list to see its signal and why it was raised."),
            ),
        );
    }

    async show(id) {
        if (id === this.id) return;
        this.id = id;
        this.element.scrollTop = 0;
        if (id === null) return this.empty();
        await this.fetch();
    }

    changed(id) {
        if (id === this.id) this.fetch();
    }

    async fetch() {
        // Of two answers that are on their way the one that was asked for last is the newer.
        const id = this.id, turn = this.asked = {};
        const isWanted = () => id === this.id && turn === this.asked;
        try {
            const source = await this.app.hub.source(id);
            if (isWanted()) this.draw(source);
        } catch (error) {
            if (isWanted()) {
                fill(
                    this.element,
                    h(
                        "div",
                        { class: "empty" },
                        h("h2", "This source cannot be shown"),
                        h("p", error.message),
                    ),
                );
            }
        }
    }

    refresh() {
        mark(this.actions ?? this.element, "inert", this.app.away ? true : null);
    }

    draw(source) {
        const drives = drivesOf(source.detections),
            color = `type-${types[source.type] ? source.type : "unknown"}`;
        // Marks are taken as they come; words must not take the place of words that nobody has seen.
        const send = (values, seen) =>
            this.app.hub.changeSource(source.id, values, "note" in values ? seen : null);
        const change = (values, word, back) =>
            this.app.run(null, () => send(values, source), (changed) => {
                // The next press means what is there now.
                if (changed.id === this.id) this.draw(changed);
                toast(word, () => this.app.run(null, () => send(back, changed)));
            });
        const toggle = (name, drawn, word) =>
            h(
                "button",
                {
                    class: "card big-button",
                    type: "button",
                    "aria-pressed": String(source[name]),
                    onclick: () => {
                        const { values, words, back } = turned(source, name);
                        change(values, words, back);
                    },
                },
                symbol(drawn, 20),
                h("span", word),
            );
        this.actions = h(
            "div",
            { class: "four" },
            toggle("mine", "mine", "Mine"),
            toggle("muted", "mute", source.muted ? "Muted" : "Mute"),
            toggle("false_alarm", "flag", "False alarm"),
            h(
                "button",
                {
                    class: "card big-button",
                    type: "button",
                    onclick: () => this.editNote(source, change),
                },
                symbol("note", 20),
                h("span", "Note"),
            ),
        );
        const figure = (value, word, look = "") =>
            h(
                "div",
                { class: look },
                h("div", { class: "figure" }, value),
                h("div", { class: "label" }, word),
            );
        const passes = counted(drives.length, "pass", "passes"), sure = source.confidence ?? null;
        const last = source.detections.at(-1);
        fill(
            this.element,
            h(
                "div",
                { class: "detail-top" },
                h("div", { class: isQuiet(source) ? "faint" : "" }, detectionMark(source.type, "soft", 48)),
                h(
                    "div",
                    { class: "name" },
                    h("div", { class: "first" }, h("h2", types[source.type]?.[0] ?? "Unknown"), tags(source)),
                    h(
                        "div",
                        { class: "hint detail-names" },
                        ownName(source)
                            ? [
                                air(source.ssid),
                                source.mac ? [", ", h("span", { class: "octets" }, plain(source.mac))] : null,
                            ]
                            : alias(source),
                    ),
                ),
            ),
            this.actions,
            h(
                "div",
                { class: "marks-words" },
                h(
                    "p",
                    { class: "hint" },
                    "Mine, Mute and False alarm replace each other. A source that has one raises no alert.",
                ),
                button("List marked sources", () => this.listMarked(), { kind: "quiet small" }),
            ),
            source.note ? h("div", { class: "note" }, symbol("note", 18), air(source.note)) : null,
            h(
                "div",
                { class: "card figures detail-figures" },
                figure(count(source.count), "Sightings"),
                figure(count(drives.length), drives.length === 1 ? "Pass" : "Passes", "on-desktop"),
                figure(place(source), "Place"),
                sure === null ? null : figure(percent(sure), "Sure", "on-phone"),
                figure(day(source.first).split(" ").slice(0, 2).join(" "), "First seen"),
            ),
            onMap(source),
            h(
                "section",
                { class: `card plot-card ${color}` },
                h(
                    "div",
                    { class: "card-head" },
                    h("h2", "Signal over time"),
                    h("span", { class: "grow" }),
                    h("span", { class: "hint" }, h("span", { class: "on-phone" }, `${passes}, `), "dBm"),
                ),
                plot(drives),
            ),
            h(
                "section",
                { class: "card why" },
                h("h2", "Why it was raised"),
                h("ul", source.reasons.map((reason) => this.reason(reason, source))),
            ),
            last ? this.octets(last) : null,
        );
    }

    reason(reason, source) {
        return h(
            "li",
            { class: reason.kind === "note" ? "second" : "" },
            reason.kind === "confidence" ? ring(source.confidence ?? 0) : h(
                "span",
                { class: reason.kind === "note" ? "hint" : "fact" },
                symbol(reason.kind === "note" ? "info" : "check", 18),
            ),
            h(
                "span",
                { class: "grow" },
                air(reason.text),
                reason.value ? h("strong", air(reason.value)) : null,
            ),
            reason.field ? h("span", { class: "octets hint" }, reason.field) : null,
        );
    }

    /// Lists the sources that have a mark; where there is room for one, the list comes in place of the detail.
    listMarked() {
        this.list(ownMarks);
        if (matchMedia("(max-width: 1099px)").matches) location.hash = "#/history";
    }

    octets(detection) {
        const { origin, advertisement } = detection.extra ?? {}, isHere = origin === "this_radio";
        // What this radio has noticed was sent by nobody as a message: its octets are the advertisement's.
        const pairs = (isHere ? advertisement ?? "" : detection.octets).match(/../g) ?? [];
        const bytes = pairs.map((pair) => parseInt(pair, 16)), lines = [];
        // So many that hexadecimal and text stand beside each other.
        const each = innerWidth < 720 ? 8 : 12;
        for (let index = 0; index < Math.min(pairs.length, 512); index += each) {
            lines.push(
                `${pairs.slice(index, index + each).join(" ").toUpperCase().padEnd(3 * each)} ${
                    bytes.slice(index, index + each).map((
                        byte,
                    ) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : "·")).join("")
                }`,
            );
        }
        const text = new TextDecoder().decode(new Uint8Array(bytes));
        return h(
            "section",
            { class: "card raw" },
            h(
                "div",
                { class: "card-head" },
                h(
                    "h2",
                    isHere ? "Its advertisement" : "The device's message",
                ),
                h("span", { class: "grow" }),
                h("span", { class: "hint" }, counted(pairs.length, "octet")),
                isHere
                    ? copyButton(pairs.join(" ").toUpperCase(), "Copy the octets")
                    : copyButton(escaped(text), "Copy the octets as text"),
            ),
            h(
                "pre",
                {
                    class: "octets",
                    tabindex: "0",
                    role: "region",
                    "aria-label": "Octets of the last sighting",
                },
                pairs.length
                    ? lines.join("\n")
                    : isHere
                    ? "They were not kept."
                    : "It was imported, so there are none.",
            ),
            isHere && pairs.length && detection.ssid && !haveName(bytes)
                ? h("p", { class: "hint" }, "Its name came in its scan response, whose octets were not kept.")
                : null,
        );
    }

    editNote(source, change) {
        const field = h("textarea", {
            class: "field",
            maxlength: 250,
            "aria-label": "Note",
            value: source.note,
        });
        // What was typed and not kept is there when the note is opened again.
        field.value = drafts.get(source.id) ?? source.note;
        // A page that is loaded anew, or closed by its system, has it, too.
        field.addEventListener("input", () => drafts.set(source.id, field.value));
        let isKept = false;
        dialog("Note", field, {
            sheet: true,
            actions: [["Keep", "main", () => {
                isKept = true;
                drafts.delete(source.id);
                if (field.value !== source.note) {
                    change({ note: field.value.trim() }, "Note kept.", { note: source.note });
                }
            }]],
            closed: () => {
                if (isKept) return;
                if (field.value === source.note) return drafts.delete(source.id);
                drafts.set(source.id, field.value);
                toast("The note is not kept yet. Open it again to go on.");
            },
        });
        field.focus();
    }
}
