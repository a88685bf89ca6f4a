// SPDX-License-Identifier: Apache-2.0
// The way of a drive as a small map without ground: where it began and ended, and where its sources were heard best.
import { h, s } from "../dom.js";
import { calm, markGroup, types } from "../marks.js";
import { calmed } from "./map-calm.js";
import { counted } from "../text.js";
import { scaleOf } from "./map-scale.js";

const width = 720, height = 360, edge = 28;
// Of a dot.
const room = 14;
const metresOfDegree = 111320;

/// The picture; `fresh` are sources that were new, `met` those that were known.
export function wayOf(points, fresh, met, units) {
    if (points.length < 2) {
        return h("p", { class: "hint" }, "Too little of this drive was recorded to draw it.");
    }
    // Over the date line the way goes on.
    const unrolled = (longitude) => longitude + 360 * Math.round((points[0][1] - longitude) / 360);
    const placed = (sources) => sources.filter(({ latitude }) => latitude !== null && latitude !== undefined);
    const places = points.map(([latitude, longitude]) => [latitude, unrolled(longitude)]);
    const lats = places.map(([latitude]) => latitude), lngs = places.map(([, longitude]) => longitude);
    const [south, north] = [Math.min(...lats), Math.max(...lats)];
    const [west, east] = [Math.min(...lngs), Math.max(...lngs)];
    const narrowed = Math.cos((south + north) / 2 * Math.PI / 180);
    const wide = Math.max((east - west) * narrowed * metresOfDegree, 20);
    const high = Math.max((north - south) * metresOfDegree, 20);
    const pixels = Math.min((width - 2 * edge) / wide, (height - 2 * edge) / high);
    const x = (longitude) => width / 2 + (longitude - (west + east) / 2) * narrowed * metresOfDegree * pixels;
    const y = (latitude) => height / 2 - (latitude - (south + north) / 2) * metresOfDegree * pixels;
    const at = ([latitude, longitude]) => `${x(longitude).toFixed(1)} ${y(latitude).toFixed(1)}`;
    const line = `M${places.map(at).join("L")}`;
    const spot = ({ latitude, longitude }) => ({ x: x(unrolled(longitude)), y: y(latitude) });
    const isSeen = ({ x, y }) => x >= 8 && x <= width - 8 && y >= 8 && y <= height - 8;
    const pin = (source, size) => {
        const { x: left, y: top } = spot(source), group = markGroup(source.type, "solid", size);
        group.setAttribute(
            "transform",
            `translate(${left - size / 2} ${top - size / 2}) scale(${size / 32})`,
        );
        return group;
    };
    // The strongest come first: above a number of them only a few have their marks.
    const pins = [...fresh.map((one) => [one, 24]), ...met.map((one) => [one, 16])]
        .map(([source, size]) => ({ kind: "pin", source, size }))
        .filter(({ source }) => placed([source]).length && isSeen(spot(source)))
        .sort((one, other) => other.source.rssi - one.source.rssi);
    const few = calmed(pins, ({ source }) => spot(source), () => false).filter(({ isSmall }) => !isSmall);
    const marked = pins.length > calm.above ? few.slice(0, calm.marks) : few;
    const shown = new Set(marked.map(({ source }) => source));
    // Dots that lie on each other are one.
    const cells = new Set(), isFree = (cell) => !cells.has(cell) && cells.add(cell);
    const dots = pins.filter(({ source }) => {
        const { x, y } = spot(source);
        return !shown.has(source) && isFree(`${Math.round(x / room)} ${Math.round(y / room)}`);
    }).map(({ source }) => {
        const { x: cx, y: cy } = spot(source);
        return s("circle", {
            class: `drive-dot type-${types[source.type] ? source.type : "unknown"}`,
            cx,
            cy,
            r: 4.6,
        });
    });
    const scale = scaleOf(pixels, units, 140), bottom = height - 12;
    return s(
        "svg",
        {
            class: "drive-map",
            viewBox: `0 0 ${width} ${height}`,
            role: "img",
            "aria-label": `The route, ${counted(points.length, "point")}, with ${
                counted(placed(fresh).length, "new source")
            } and ${counted(placed(met).length, "known one")}. The lists below say the same.`,
        },
        s("path", { class: "drive-casing", d: line }),
        // Most lie on the way, which goes on over them.
        dots,
        s("path", { class: "drive-line", d: line }),
        // Those that were new lie above those that were known.
        marked.sort((one, other) => one.size - other.size).map(({ source, size }) => pin(source, size)),
        s("circle", { class: "drive-begin", cx: x(places[0][1]), cy: y(places[0][0]), r: 6 }),
        s("circle", { class: "drive-end", cx: x(places.at(-1)[1]), cy: y(places.at(-1)[0]), r: 6 }),
        s("path", { class: "drive-scale", d: `M12 ${bottom - 5}v5h${scale.pixels.toFixed(1)}v-5` }),
        s("text", { x: 20 + scale.pixels, y: bottom }, scale.words),
    );
}
