// Words, numbers and times as people read them, and text from the air made harmless.
import { h } from "./dom.js";
import { endOf, forget, told } from "./names.js";

const number = new Intl.NumberFormat("en");
const minus = "\u2212";

/// 1,940.
export const count = (value) => number.format(value);
/// "1 source", "2 sources".
export const counted = (value, one, many = one + "s") => `${count(value)} ${value === 1 ? one : many}`;
/// What is said when so many rows of a storage cannot be read.
export const unread = (rows) =>
    `${counted(rows, "row")} of what was kept cannot be read and ${rows === 1 ? "is" : "are"} left as ` +
    `${rows === 1 ? "it is" : "they are"}. All others are here, and new detections are stored.`;
/// −58 dBm, with a true minus.
export const signed = (value) => (value < 0 ? minus + Math.abs(value) : String(value));
export const dBm = (value) => (value === null || value === undefined ? "Not known" : `${signed(value)} dBm`);
export const percent = (value) => `${Math.round(value * 100)}%`;
/// "48 MB", in powers of 1,000 as disks are sold.
export function size(octets) {
    if (octets < 1000) return `${octets} octets`;
    for (const [unit, scale] of [["GB", 1e9], ["MB", 1e6], ["kB", 1e3]]) {
        if (octets >= scale) {
            return `${(octets / scale).toFixed(octets < 10 * scale ? 1 : 0).replace(".0", "")} ${unit}`;
        }
    }
}

const two = (value) => String(value).padStart(2, "0");
const dayNames = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const monthNames = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// 14:31, or 14:31:08.
export function clock(time, seconds = false) {
    const date = new Date(time);
    return `${two(date.getHours())}:${two(date.getMinutes())}${seconds ? ":" + two(date.getSeconds()) : ""}`;
}

const dayNumber = (date) => Math.floor((date.getTime() - date.getTimezoneOffset() * 60000) / 86400000);

/// "Today", "Yesterday", "Thu 19 Nov", with the year when it is another one.
export function day(time, now = Date.now()) {
    const date = new Date(time), today = new Date(now);
    const apart = dayNumber(today) - dayNumber(date);
    if (apart === 0) return "Today";
    if (apart === 1) return "Yesterday";
    const year = date.getFullYear() === today.getFullYear() ? "" : ` ${date.getFullYear()}`;
    return `${dayNames[date.getDay()]} ${date.getDate()} ${monthNames[date.getMonth()]}${year}`;
}

/// "Now", "4 s", "2 min", then the clock, then the day.
export function age(time, now = Date.now()) {
    const seconds = Math.max(0, Math.floor((now - Date.parse(time)) / 1000));
    if (seconds < 2) return "Now";
    if (seconds < 60) return `${seconds} s`;
    if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
    return day(time, now) === "Today" ? clock(time) : day(time, now);
}

/// "heard now", "3 s ago", "heard at 14:32".
export function heard(time, now = Date.now()) {
    if (!time) return "not heard yet";
    const words = age(time, now);
    if (words === "Now") return "heard now";
    return /^\d+ (s|min)$/.test(words) ? `${words} ago` : `heard at ${clock(time)}`;
}

/// 3:12, or 4 h 12 min in words.
export function length(milliseconds) {
    const seconds = Math.max(0, Math.floor(milliseconds / 1000));
    return `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
}
export function span(milliseconds) {
    const minutes = Math.max(0, Math.floor(milliseconds / 60000));
    return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/// "started just now", "running for 4 min", "running since yesterday, 14:31".
export function running(since, now = Date.now()) {
    const long = now - Date.parse(since);
    if (long < 60000) return "started just now";
    if (long < 86400000) return `running for ${span(long)}`;
    return `running since ${day(since, now).replace("Yesterday", "yesterday")}, ${clock(since)}`;
}

export const distance = (
    rssi,
) => (rssi >= -50 ? "Very close" : rssi >= -70 ? "Close" : rssi >= -85 ? "Medium" : "Far");
export const certainty = (
    value,
) => (value >= 0.9 ? "Very high" : value >= 0.7 ? "High" : value >= 0.5 ? "Medium" : "Low");
const points = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];
export const heading = (degrees) => points[Math.round(degrees / 45) % 8];

let isImperial = false;
/// Has lengths and speeds said in the units of the settings: metric or imperial.
export const useUnits = (units) => {
    isImperial = units === "imperial";
};
/// 850 m, 5.5 km, 12 km; 900 ft, 3.4 mi.
export function far(metres) {
    const [small, foot, large, mile, least] = isImperial
        ? ["ft", 0.3048, "mi", 1609.344, 0.2]
        : ["m", 1, "km", 1000, 1];
    const many = metres / mile;
    if (many < least) return `${count(Math.round(metres / foot))} ${small}`;
    return `${many < 10 ? many.toFixed(1) : count(Math.round(many))} ${large}`;
}
/// 43 km/h, 27 mph.
export const speed = (metresPerSecond) =>
    isImperial ? `${Math.round(metresPerSecond * 2.237)} mph` : `${Math.round(metresPerSecond * 3.6)} km/h`;

/// How well the place of a detection, a source or the hub is known: "±18 m", "Fixed", "± ?", "No fix".
export function place(item) {
    if (item.latitude === null || item.latitude === undefined) return "No fix";
    const metres = item.fix?.accuracy ?? item.place?.radius ?? item.accuracy;
    if (metres) return `±${far(metres)}`;
    return [item.fix?.source, item.source].includes("fixed") ? "Fixed" : "± ?";
}

/// Where a location comes from.
export const placeSource = ({ source }) =>
    ({ fixed: "Fixed", route: "Simulated", browser: "A browser", gpx: "A track" })[source] ?? source;

/// 52.10647 N, 8.74823 E.
export function coordinates({ latitude, longitude }) {
    const part = (value, above, below) => `${Math.abs(value).toFixed(5)} ${value < 0 ? below : above}`;
    return `${part(latitude, "N", "S")}, ${part(longitude, "E", "W")}`;
}

// Controls, zero widths, bidi marks and isolates, line separators, tags and other format characters.
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/u;
const combining = /\p{M}/u;
const longest = 400;
// No script needs more marks on one letter; a stack of hundreds would be drawn over the lines around it.
const mostMarks = 4;
const mostBoxes = 4;

/// Text in parts: what can be shown as it is, and as arrays what cannot: the numbers of the first four
/// characters of a run, and how many more there are.
function parts(text, most = longest) {
    const all = [...String(text)], found = [];
    let marks = 0, run = null;
    for (const character of all.slice(0, most)) {
        marks = combining.test(character) ? marks + 1 : 0;
        if (!unsafe.test(character) && marks <= mostMarks) {
            if (run || !found.length) found.push("");
            found[found.length - 1] += character;
            run = null;
            continue;
        }
        if (!run) found.push(run = []);
        run.push(character);
    }
    if (all.length > most) found.push("…");
    return found.map((part) =>
        typeof part === "string" ? part : [
            ...part.slice(0, mostBoxes).map(point),
            ...(part.length > mostBoxes ? [`+${part.length - mostBoxes}`] : []),
        ]
    );
}
const point = (character) => "U+" + character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");

/// Text from the air: isolated, on one line, what cannot be seen as a small box with its number, at most
/// 400 characters.
export function air(text, properties = {}) {
    const box = h("bdi", { class: "air", title: spelled(text, 4000), ...properties });
    for (const part of parts(text)) {
        if (typeof part === "string") box.append(part);
        else box.append(...part.map((one) => h("span", { class: "code-point" }, one)));
    }
    return box;
}
const spelled = (text, most) =>
    parts(text, most).map((part) => typeof part === "string" ? part : part.map((one) => `[${one}]`).join(""))
        .join("");

/// JSON or text for a file or the clipboard, in which nothing steers a terminal or hides what is there.
export const escaped = (text) =>
    text.replace(/[^\P{C}\n\t]|[\p{Zl}\p{Zp}]/gu, (character) =>
        [...Array(character.length).keys()]
            .map((index) => "\\u" + character.charCodeAt(index).toString(16).padStart(4, "0")).join(""));

/// The same as plain text, for a name that is spoken, for a notification and for the clipboard.
export const plain = (text, most = longest) => spelled(text, most);

/// The name of a detection or source; null where it has none but that of its kind, which stands above it already.
export const ownName = (item) => (item.ssid && !saysKind(item) ? item.ssid : null);
/// What a detection or source calls itself: its network, else its address in the octet font.
export function alias(item) {
    const name = ownName(item);
    if (name) return told(air(name), "source", name, item.mac);
    return item.mac ? h("bdi", { class: "octets" }, plain(item.mac)) : h("span", "No name or address");
}
export const aliasText = (item) => {
    const name = ownName(item), end = name && endOf("source", name, item.mac);
    return plain(name || item.mac || "no name or address") + (end ? ` ${plain(end)}` : "");
};
/// Sources, or detections, that have come: those of one name are told apart from the first row on.
export function meetSources(answer) {
    for (const item of answer.items) if (ownName(item)) endOf("source", item.ssid, item.mac);
    return answer;
}
/// Whether its name is only that of its kind: "Pigvision".
const saysKind = ({ ssid, label, type }) =>
    [label, type?.replace("_", " ")].some((one) => one?.toLowerCase() === ssid.trim().toLowerCase());

/// What a device is called: a name of one's own, its own, or its address; of several with one name with its end.
/// `always` has it for one alone, too.
export function deviceName(device, always = false) {
    const name = device.own_name || device.name;
    if (name) return told(air(name), "device", name, device.address, always);
    return h("bdi", { class: "octets" }, plain(device.address));
}
export function deviceText({ own_name, name, address }) {
    const end = endOf("device", own_name || name, address);
    return plain(own_name || name || address) + (end ? ` ${plain(end)}` : "");
}
/// A device that has come, and one that has gone: its name is told from the others' while both are there.
export function meetDevice(device, before) {
    const name = device.own_name || device.name;
    if (before && (before.own_name || before.name) !== name) forgetDevice(before);
    endOf("device", name, device.address);
}
export const forgetDevice = (device) =>
    device && forget("device", device.own_name || device.name, device.address);
