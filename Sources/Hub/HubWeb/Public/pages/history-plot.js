// The signal of a source over time.
import { h, s } from "../dom.js";
import { clock, counted, day, dBm, signed } from "../text.js";

/// The signal by drive: gaps between drives, the strongest named.
export function plot(drives) {
    // As wide as the card is, so that letters keep their size on a phone.
    const between = innerWidth >= 720 && innerWidth < 1100;
    const width = between ? innerWidth - 154 : Math.min(366, innerWidth - 66),
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
