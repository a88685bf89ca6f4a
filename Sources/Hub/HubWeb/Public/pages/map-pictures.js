// SPDX-License-Identifier: Apache-2.0
// The marks of the map beside pins: a ring of kinds for a cluster, a hollow diamond for a known camera.
import { s, say } from "../dom.js";
import { types } from "../marks.js";
import { count } from "../text.js";

const around = 100;

/// 940, 1,940, 19k: what fits into a ring.
export function shortCount(number) {
    if (number < 10000) return count(number);
    return number < 1e6 ? `${Math.floor(number / 1000)}k` : `${(number / 1e6).toFixed(1)}M`;
}

/// A ring of 5 px in the colours of the commonest kinds with the number within: 36, 44 or 52 px by default.
export function clusterPicture({ count: number, types: shares }, size = 0) {
    const wide = size || (number < 10 ? 36 : number < 100 ? 44 : 52), width = size ? 4 : 5;
    const radius = wide / 2 - width / 2;
    const whole = shares.reduce((sum, one) => sum + one.count, 0) || 1;
    const gap = shares.length > 1 ? 1.6 : 0, arcs = [];
    let from = 0;
    for (const { type, count: part } of shares) {
        const length = around * part / whole;
        arcs.push(s("circle", {
            class: `cluster-arc type-${types[type] ? type : "unknown"}`,
            r: radius,
            pathLength: around,
            "stroke-width": width,
            "stroke-dasharray": `${Math.max(0.5, length - gap)} ${around}`,
            "stroke-dashoffset": -from,
        }));
        from += length;
    }
    const words = size ? null : s("text", { class: "cluster-count", y: 4.5 });
    if (words) say(words, shortCount(number));
    return s(
        "svg",
        {
            class: "cluster-picture",
            viewBox: `${-wide / 2} ${-wide / 2} ${wide} ${wide}`,
            width: wide,
            height: wide,
            "aria-hidden": "true",
        },
        s("circle", { class: "cluster-ground", r: wide / 2 }),
        s("g", { transform: "rotate(-90)" }, arcs),
        words,
    );
}

/// The diamond of a known camera as in the map.
export function knownPicture(size = 32) {
    return s(
        "svg",
        {
            class: "known-picture",
            viewBox: "-16 -16 32 32",
            width: size,
            height: size,
            "aria-hidden": "true",
        },
        s("path", { d: "M0 -9 9 0 0 9 -9 0Z" }),
    );
}
