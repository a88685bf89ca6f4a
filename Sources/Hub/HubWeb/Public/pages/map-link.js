// SPDX-License-Identifier: Apache-2.0
// The address of a view: #/map/at/52.10615,8.74905,17/source/12/filter/text=flock&days=30
import { types } from "../marks.js";
import { emptyFilter, periods, states } from "./history-filters.js";

/// The address that brings back a view: {latitude, longitude, zoom, source, chosen}.
export function linkOf({ latitude, longitude, zoom, source, chosen }) {
    const parts = ["#/map/at", [latitude.toFixed(5), longitude.toFixed(5), zoom].join(",")];
    if (source) parts.push("source", source);
    const pairs = new URLSearchParams();
    for (const name of ["text", "days", "min_confidence"]) if (chosen[name]) pairs.append(name, chosen[name]);
    for (const name of ["type", "state"]) for (const one of chosen[name]) pairs.append(name, one);
    const text = pairs.toString();
    if (text) parts.push("filter", text);
    return parts.join("/");
}

/// What an address names, as far as it can be understood: {at, source, chosen}.
export function readLink(rest) {
    const found = {};
    for (let index = 0; index + 1 < rest.length; index += 2) found[rest[index]] = rest[index + 1];
    const [latitude, longitude, zoom] = (found.at ?? "").split(",").map((part) =>
        part === "" ? NaN : Number(part)
    );
    const isPlace = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && zoom >= 1 && zoom <= 20;
    const source = Number(found.source);
    return {
        at: isPlace ? { latitude, longitude, zoom } : null,
        source: Number.isSafeInteger(source) && source > 0 ? source : null,
        chosen: found.filter === undefined ? null : readFilter(found.filter),
    };
}

function readFilter(text) {
    const pairs = new URLSearchParams(text), chosen = emptyFilter();
    chosen.text = (pairs.get("text") ?? "").slice(0, 200);
    const days = Number(pairs.get("days")), least = Number(pairs.get("min_confidence"));
    if (days in periods) chosen.days = days;
    if (least > 0 && least <= 1) chosen.min_confidence = least;
    chosen.type = [...new Set(pairs.getAll("type"))].filter((one) => Object.hasOwn(types, one));
    chosen.state = [...new Set(pairs.getAll("state"))].filter((one) => Object.hasOwn(states, one));
    return chosen;
}

/// Degrees as somebody types them into the search: "52.106, 8.749"; null if they are none.
export function readCoordinates(text) {
    const found = /^\s*(-?\d{1,2}(?:\.\d+)?)\s*[,; ]\s*(-?\d{1,3}(?:\.\d+)?)\s*$/.exec(text);
    if (!found) return null;
    const latitude = Number(found[1]), longitude = Number(found[2]);
    return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null;
}
