// What the debug stream keeps: one line for each event from the first moment on, and filters over them.
import { counted, escaped } from "../text.js";

const kept = 2000;
const fromDevice = new Set(["detection", "flock_stream", "flock_parse_error"]);
const quiet = new Set([
    "hub_changed",
    "settings_changed",
    "device_changed",
    "device_gone",
    "state",
    "link",
    "advertisement",
]);
const unread = new Set([
    "event",
    "time",
    "octets",
    "address",
    "address_kind",
    "extra",
    "source",
    "new",
    "mine",
    "muted",
    "false_alarm",
]);

const comparison = /([a-z_]+)\s*(<=|>=|<|>|=)\s*([-\u2212]?[\d.]+)/gi;

/// One line of an event: time, who says it, its name, its keys and values, how it is drawn.
export function lineOf(value, name) {
    const object = name === "flock_stream" && value.object && typeof value.object === "object"
        ? value.object
        : null;
    const line = {
        time: Date.parse(value.time) || Date.now(),
        who: fromDevice.has(name) ? "Device" : "Hub",
        name: object?.event ?? name.replace(/^flock_/, ""),
        look: "",
        pairs: [],
        raw: escaped(JSON.stringify(value)),
    };
    if (name === "flock_parse_error") {
        Object.assign(line, {
            name: "detection",
            look: "refused",
            text: value.reason,
            rest: `kept raw, ${counted(value.octets.length / 2, "octet")}`,
        });
    } else if (name === "flock_notice" || name === "gap") {
        Object.assign(line, {
            name: name === "gap" ? "gap" : "notice",
            look: "warning",
            text: value.text ?? `${counted(value.lost, "event")} came too fast for this page`,
        });
    } else {
        if (name === "detection") line.look = "strong";
        const told = name === "detection"
            ? {
                type: value.label,
                ssid: value.ssid,
                mac: value.mac,
                rssi: value.rssi,
                confidence: value.confidence,
                stored: value.id,
            }
            : object ?? value;
        for (const [key, item] of Object.entries(told)) {
            if (unread.has(key) || item === null) continue;
            line.pairs.push([key, typeof item === "object" ? JSON.stringify(item) : String(item)]);
        }
        line.pairs = line.pairs.slice(0, 24);
    }
    line.plain = `${line.name} ${line.text ?? ""} ${
        line.pairs.map(([key, item]) => `${key} ${item}`).join(" ")
    }`;
    return line;
}

/// What is wrong with a filter; null for one that can be understood.
export function filterFault(text) {
    const rest = text.replace(comparison, " "), sign = /(\S*)\s*(<=|>=|<|>|=)/.exec(rest);
    if (sign) {
        const [, key, how] = sign;
        return `A comparison has a name, a sign and a number, as in ${key || "rssi"} ${how} \u221270.`;
    }
    for (const [, key] of text.matchAll(comparison)) {
        const isSaid = lines.some((line) => line.pairs.some(([name]) => name === key.toLowerCase()));
        if (lines.length && !isSaid) return `No line says \u201c${key}\u201d.`;
    }
    return null;
}

/// A filter as it is typed: words that must be in a line, and comparisons such as "rssi > -70".
export function lineFilter(text) {
    const tests = [];
    const rest = text.replace(comparison, (_, key, sign, number) => {
        const wanted = Number(number.replace("\u2212", "-"));
        const compare = {
            "<": (a) => a < wanted,
            ">": (a) => a > wanted,
            "<=": (a) => a <= wanted,
            ">=": (a) => a >= wanted,
            "=": (a) => a === wanted,
        }[sign];
        tests.push((line) =>
            line.pairs.some(([name, item]) => name === key.toLowerCase() && compare(Number(item)))
        );
        return " ";
    });
    for (const word of rest.toLowerCase().split(/\s+/).filter(Boolean)) {
        tests.push((line) => line.plain.toLowerCase().includes(word));
    }
    return (line) => tests.every((test) => test(line));
}

/// The last lines, oldest first; each has a number that grows.
export const lines = [];
let number = 0;

/// Whether an event is no line: what is about the state of the page rather than what happened.
export const isSilent = (name) => quiet.has(name);
export const newest = () => number;
export const linesAMinute = () => lines.filter((line) => line.time > Date.now() - 60000).length;

/// Keeps the last lines from the first moment on, so that the page has a past when it is opened.
export function begin(hub) {
    hub.on("*", (value, name) => {
        if (quiet.has(name) || !value) return;
        lines.push(Object.assign(lineOf(value, name), { number: number += 1 }));
        if (lines.length > kept + 200) lines.splice(0, lines.length - kept);
    });
}
