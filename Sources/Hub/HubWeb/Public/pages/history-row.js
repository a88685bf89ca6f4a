// One row of the history: a source, or a single detection.
import { fill, h, say } from "../dom.js";
import {
    bars,
    detectionMark,
    isQuiet,
    ring,
    signalWords,
    spoken,
    sureRing,
    symbol,
    tags,
    types,
} from "../marks.js";
import { alias, aliasText, certainty, clock, count, dBm, percent, place } from "../text.js";

/// The row as it is made once; the rest is filled by `drawRow` and by the page.
export function sourceRow(row) {
    const element = h("div", { class: "long-row", role: "row" });
    const name = types[row.type]?.[0] ?? "Unknown";
    element.tags = h("span", { class: "tags" });
    element.count = h("span", { class: "end seen", role: "gridcell" });
    element.tick = h("span", {
        class: "tick",
        role: "checkbox",
        "aria-label": `Tick ${name}, ${aliasText(row)}`,
    }, h("i", symbol("check", 14)));
    element.last = h("span", { class: "end last", role: "gridcell" });
    element.confidence = h("span", { class: "confidence", role: "gridcell" });
    element.signal = h("span", { class: "signal", role: "gridcell" });
    element.append(
        h("span", { role: "gridcell", class: "tick-cell" }, element.tick),
        h("span", { role: "gridcell", class: "mark-cell" }, detectionMark(row.type, "soft", 32)),
        h(
            "div",
            { class: "name", role: "gridcell" },
            h("div", { class: "first" }, h("span", { class: "title cut" }, name), element.tags),
            h("div", { class: "hint cut" }, alias(row)),
        ),
        element.confidence,
        element.count,
        element.signal,
        element.last,
    );
    return element;
}

/// Fills a row that stays with what has changed of its source or detection.
export function drawRow(element, row, isSource) {
    const { mine, muted, false_alarm, rssi, confidence, last } = row;
    const figures = [row.new, mine, muted, false_alarm, row.count, last, rssi, confidence];
    const flags = JSON.stringify([...figures, place(row)]);
    if (element.flags === flags) return;
    element.flags = flags;
    fill(element.tags, tags(row));
    drawFigures(element, row);
    element.classList.toggle("is-quiet", isQuiet(row));
    say(element.count, isSource ? count(row.count) : place(row));
    element.count.classList.toggle("times", isSource);
    say(element.last, clock(row.last ?? row.received, !isSource));
}

/// Its confidence and its strongest signal.
function drawFigures(element, row) {
    const known = row.confidence !== null && row.confidence !== undefined;
    const words = known ? certainty(row.confidence) : "Not known";
    fill(
        element.confidence,
        known ? sureRing(row.confidence, row.type) : [ring(0), spoken("Confidence not known")],
        h("span", { class: "wide", "aria-hidden": "true" }, words),
        known
            ? h("span", { class: "wide per-cent second", "aria-hidden": "true" }, percent(row.confidence))
            : null,
    );
    fill(
        element.signal,
        bars(row.rssi),
        spoken(signalWords(row.rssi)),
        h("span", { class: "wide second", "aria-hidden": "true" }, dBm(row.rssi)),
    );
}
