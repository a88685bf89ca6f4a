// One row of the history: a source, or a single detection.
import { fill, h } from "../dom.js";
import { bars, detectionMark, ring, signalWords, spoken, sureRing, symbol, types } from "../marks.js";
import { alias, aliasText, certainty, dBm, percent } from "../text.js";

/// The row as it is made once; the rest is filled by `drawFigures` and by the page.
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

/// What may change in a row that stays: its confidence and its strongest signal.
export function drawFigures(element, row) {
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
