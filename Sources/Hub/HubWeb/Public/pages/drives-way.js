// SPDX-License-Identifier: Apache-2.0
// The way of a drive as a small map without ground: where it began and ended, and where its sources were heard best.
import { h, s } from "../dom.js";
import { markGroup } from "../marks.js";
import { counted } from "../text.js";
import { scaleOf } from "./map-scale.js";

const width = 720, height = 360, edge = 28;
const metresOfDegree = 111320;

/// The picture; `fresh` are sources that were new, `met` those that were known.
export function wayOf(points, fresh, met, units) {
    if (points.length < 2) return h("p", { class: "hint" }, "Of its way too little is known to be drawn.");
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
    const pin = (source, size) => {
        const [left, top] = [x(unrolled(source.longitude)), y(source.latitude)];
        if (left < 8 || left > width - 8 || top < 8 || top > height - 8) return null;
        const group = markGroup(source.type, "solid", size);
        group.setAttribute(
            "transform",
            `translate(${left - size / 2} ${top - size / 2}) scale(${size / 32})`,
        );
        return group;
    };
    const scale = scaleOf(pixels, units, 140), bottom = height - 12;
    return s(
        "svg",
        {
            class: "drive-map",
            viewBox: `0 0 ${width} ${height}`,
            role: "img",
            "aria-label": `The way, ${counted(points.length, "point")}, with ${
                counted(placed(fresh).length, "new source")
            } and ${counted(placed(met).length, "known one")}. The lists below say the same.`,
        },
        s("path", { class: "drive-casing", d: line }),
        s("path", { class: "drive-line", d: line }),
        placed(met).map((source) => pin(source, 16)),
        placed(fresh).map((source) => pin(source, 24)),
        s("circle", { class: "drive-begin", cx: x(places[0][1]), cy: y(places[0][0]), r: 6 }),
        s("circle", { class: "drive-end", cx: x(places.at(-1)[1]), cy: y(places.at(-1)[0]), r: 6 }),
        s("path", { class: "drive-scale", d: `M12 ${bottom - 5}v5h${scale.pixels.toFixed(1)}v-5` }),
        s("text", { x: 16 + scale.pixels, y: bottom }, scale.words),
    );
}
