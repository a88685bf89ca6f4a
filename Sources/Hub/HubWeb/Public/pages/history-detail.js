// The detail of a source: what it is, how strong it was, why it was raised, its octets.
import { fill, h, mark, s } from "../dom.js";
import { copyButton } from "../controls.js";
import { detectionMark, isQuiet, ring, symbol, tags, types } from "../marks.js";
import {
    air,
    alias,
    certainty,
    clock,
    count,
    counted,
    day,
    dBm,
    escaped,
    percent,
    place,
    plain,
    signed,
} from "../text.js";
import { dialog, toast } from "../overlays.js";

const gap = 20 * 60000;
// Notes that were typed and not kept, by the number of their source.
const drafts = new Map();

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

export class SourceDetail {
    constructor(app) {
        this.app = app;
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
        const change = (values, word) =>
            this.app.run(null, () => send(values, source), (changed) => {
                const back = Object.fromEntries(Object.keys(values).map((name) => [name, source[name]]));
                toast(word, () => this.app.run(null, () => send(back, changed)));
            });
        const toggle = (name, drawn, word, on, off) =>
            h(
                "button",
                {
                    class: "card big-button",
                    type: "button",
                    "aria-pressed": String(source[name]),
                    onclick: () => change({ [name]: !source[name] }, source[name] ? off : on),
                },
                symbol(drawn, 20),
                h("span", word),
            );
        this.actions = h(
            "div",
            { class: "four" },
            toggle(
                "mine",
                "mine",
                "Mine",
                "Marked as mine. It raises no alert.",
                "No longer marked as mine.",
            ),
            toggle(
                "muted",
                "mute",
                source.muted ? "Muted" : "Mute",
                "Muted. It raises no alert.",
                "No longer muted.",
            ),
            toggle(
                "false_alarm",
                "flag",
                "False alarm",
                "Marked as a false alarm.",
                "No longer a false alarm.",
            ),
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
                        source.ssid
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
                "p",
                { class: "hint marks-words" },
                "A source is mine, muted or a false alarm: one of the three at a time. The filter State lists them.",
            ),
            source.note ? h("div", { class: "note" }, symbol("note", 18), air(source.note)) : null,
            h(
                "div",
                { class: "card figures detail-figures" },
                figure(count(source.count), "Sightings"),
                figure(count(drives.length), drives.length === 1 ? "Pass" : "Passes", "on-desktop"),
                figure(place(source), "Place"),
                sure === null ? null : figure(percent(sure), certainty(sure), "on-phone"),
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
        if (reason.kind === "confidence") {
            const words = h(
                "span",
                { class: "grow" },
                air(reason.text),
                h("strong", air(reason.value ?? "")),
            );
            return h("li", ring(source.confidence ?? 0), words, h("span"));
        }
        return h(
            "li",
            { class: reason.kind === "note" ? "second" : "" },
            h(
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

    octets(detection) {
        const pairs = detection.octets.match(/../g) ?? [];
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
                h("h2", "Raw octets"),
                h("span", { class: "grow" }),
                h("span", { class: "hint" }, counted(pairs.length, "octet")),
                copyButton(escaped(text), "Copy the octets as text"),
            ),
            h("pre", {
                class: "octets",
                tabindex: "0",
                role: "region",
                "aria-label": "Octets of the last sighting",
            }, pairs.length ? lines.join("\n") : "It was imported, so there are none."),
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
        let isKept = false;
        dialog("Note", field, {
            sheet: true,
            actions: [["Keep", "main", () => {
                isKept = true;
                drafts.delete(source.id);
                if (field.value !== source.note) change({ note: field.value.trim() }, "Note kept.");
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

/// The signal by drive: gaps between drives, the strongest named.
function plot(drives) {
    // As wide as the card is, so that letters keep their size on a phone.
    const between = innerWidth >= 720 && innerWidth < 1100;
    const width = between ? 560 : Math.min(366, innerWidth - 66),
        height = 148,
        left = 30,
        shown = drives.slice(-4);
    if (!shown.length) return h("p", { class: "hint" }, "No sightings are kept.");
    const y = (rssi) => 6 + 112 * (-45 - Math.max(-95, Math.min(-45, rssi))) / 50;
    const each = (width - left - 8) / shown.length, parts = [];
    for (const level of [-50, -70, -85]) {
        parts.push(
            s("line", { class: "grid", x1: left, x2: width - 4, y1: y(level), y2: y(level) }),
            s("text", { class: "axis", x: left - 6, y: y(level) + 4, "text-anchor": "end" }, signed(level)),
        );
    }
    let best = null;
    shown.forEach((drive, index) => {
        const from = left + index * each + 10, wide = each - 20, long = drive.end - drive.begin || 1;
        const points = drive.rows.map((
            row,
        ) => [
            from +
            (drive.rows.length === 1 ? wide / 2 : wide * (Date.parse(row.received) - drive.begin) / long),
            y(row.rssi),
            row.rssi,
        ]);
        for (const point of points) if (!best || point[2] > best[2]) best = point;
        if (index) {
            parts.push(s("line", { class: "grid dashed", x1: from - 10, x2: from - 10, y1: 4, y2: 118 }));
        }
        const text = points.map((point) => `${point[0].toFixed(1)} ${point[1].toFixed(1)}`);
        const words = day(drive.end).split(" ");
        const same = shown.filter((one) => day(one.end) === day(drive.end)).length > 1;
        parts.push(
            s("path", { class: "plot-line", d: `M${text.join("L")}` }),
            s("path", { class: "plot-dots", d: text.map((point) => `M${point}h.01`).join("") }),
            s(
                "text",
                { class: "axis", x: from + wide / 2, y: height - 8, "text-anchor": "middle" },
                same ? clock(drive.end) : words.slice(0, 2).join(" "),
            ),
        );
    });
    const before = best[0] > left + 110;
    parts.push(
        s("circle", { class: "plot-best", cx: best[0], cy: best[1], r: 5.5 }),
        s("text", {
            class: "plot-word",
            x: best[0] + (before ? -10 : 10),
            y: best[1] + 1,
            "text-anchor": before ? "end" : "start",
        }, `${signed(best[2])} strongest`),
    );
    return s("svg", {
        class: "plot",
        viewBox: `0 0 ${width} ${height}`,
        role: "img",
        "aria-label": `${counted(drives.length, "pass", "passes")}, the strongest ${dBm(best[2])}`,
    }, parts);
}
