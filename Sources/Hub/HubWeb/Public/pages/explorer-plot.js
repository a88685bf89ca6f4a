// Signal history as a small line, and the numbers of a value over the last minute.
import { mark, s, say } from "../dom.js";
import { signed } from "../text.js";
import { unitWords } from "./explorer-words.js";

/// How long the plot reaches back, in milliseconds.
export const reach = 60000;

const short = (value) => {
    const size = Math.abs(value);
    if (size >= 1e6 || (size > 0 && size < 0.001)) return value.toExponential(1).replace("-", "\u2212");
    return signed(Number(value.toPrecision(5)));
};

/// A small line that is changed in place: `show` takes the strengths in dBm, the newest last, 127 where nothing was heard.
export function signalLine() {
    const path = s("path", { d: "" });
    const element = s("svg", {
        class: "signal-line",
        viewBox: "0 0 50 14",
        width: 50,
        height: 14,
        "aria-hidden": "true",
    }, path);
    return {
        element,
        show(values) {
            const known = values.filter((value) => value !== 127);
            if (!known.length) return mark(path, "d", "");
            const low = Math.min(...known), range = Math.max(8, Math.max(...known) - low), parts = [];
            const step = 48 / Math.max(1, values.length - 1);
            values.forEach((value, index) => {
                if (value === 127) return;
                const place = `${(1 + index * step).toFixed(1)} ${
                    (12.5 - 11 * (value - low) / range).toFixed(1)
                }`;
                parts.push(`${index && values[index - 1] !== 127 ? "L" : "M"}${place}`);
            });
            if (parts.length === 1) parts.push("h.01");
            mark(path, "d", parts.join(""));
        },
    };
}

/// Where lines of a scale stand: at most five, at round numbers, around everything from `low` to `high`.
export function scale(low, high) {
    const least = Math.max(Math.abs(low), Math.abs(high), 1) * 1e-9;
    if (high - low < least) {
        [low, high] = [low - (Math.abs(low) * 0.01 || 1), high + (Math.abs(high) * 0.01 || 1)];
    }
    const rough = (high - low) / 3, power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough * 0.999);
    const lines = [];
    for (let line = Math.floor(low / step); line * step < high + step * 0.999; line += 1) {
        lines.push(line * step);
    }
    return lines;
}

/// The plot of numbers: `show` takes points {time, value} and the time that is now.
export function plot() {
    const width = 318, height = 156, bottom = 128, grid = s("g"), area = s("path", { class: "plot-area" });
    const line = s("path", { class: "plot-line" }), last = s("circle", { class: "plot-last", r: 3.5 });
    const from = s("text", { x: 30, y: height - 6 }, "\u221260 s");
    const until = s("text", { class: "plot-now", x: width - 4, y: height - 6, "text-anchor": "end" }, "Now");
    const element = s(
        "svg",
        { class: "plot explorer-plot", viewBox: `0 0 ${width} ${height}`, role: "img" },
        grid,
        area,
        line,
        last,
        from,
        until,
    );
    let shape;
    return {
        element,
        show(points, now, unit) {
            const shown = points.filter(({ time, value }) => time > now - reach && Number.isFinite(value));
            const values = shown.map(({ value }) => value);
            mark(element, "aria-label", sentence(values, unit));
            for (const one of [area, line, last]) one.style.display = shown.length ? "" : "none";
            const lines = shown.length ? scale(Math.min(...values), Math.max(...values)) : [0, 1];
            const x = (time) => 30 + (width - 38) * Math.max(0, 1 - (now - time) / reach);
            const y = (value) => bottom - (bottom - 10) * (value - lines[0]) / (lines.at(-1) - lines[0]);
            if (shape !== lines.join()) {
                shape = lines.join();
                grid.replaceChildren(...lines.flatMap((value) => [
                    s("line", { class: "grid", x1: 30, x2: width - 4, y1: y(value), y2: y(value) }),
                    s(
                        "text",
                        { x: 24, y: y(value) + 4, "text-anchor": "end" },
                        shown.length ? short(value) : "",
                    ),
                ]));
            }
            if (!shown.length) return;
            const places = shown.map(({ time, value }) => `${x(time).toFixed(1)} ${y(value).toFixed(1)}`);
            const [right, height_] = places.at(-1).split(" "), left = places[0].split(" ")[0];
            mark(line, "d", `M${places.join("L")}`);
            mark(area, "d", `M${places.join("L")}L${right} ${bottom}L${left} ${bottom}Z`);
            mark(last, "cx", right);
            mark(last, "cy", height_);
            say(until, now - shown.at(-1).time < 5000 ? "Now" : "");
        },
    };
}

function sentence(values, unit) {
    if (!values.length) return "No number in the last minute";
    const of = unit ? ` ${unitWords(unit)}` : "";
    return `The last minute: ${short(Math.min(...values))} to ${short(Math.max(...values))}${of}, now ${
        short(values.at(-1))
    }`;
}
