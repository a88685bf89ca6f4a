// Detection marks, symbols and indicators, drawn as SVG from the notation of the drawn guide: P path, C
// circle, R rectangle,
// "•" filled. Shape says the class, the drawing says the make, colour only repeats it.
import { h, s } from "./dom.js";
import { dBm, distance, percent } from "./text.js";

const symbols = {
    scanner: "P M8.3 15.7a5.2 5.2 0 1 1 7.4 0M5.3 18.7a9.5 9.5 0 1 1 13.4 0M12 15.5V21; •C 12 12 1.6",
    map: "P M9 4.2 3.5 6.4v13.2L9 17.4l6 2.4 5.5-2.2V4.4L15 6.6 9 4.2ZM9 4.2v13.2M15 6.6v13.2",
    history: "P M4.3 12.4a7.8 7.8 0 1 0 2.2-5.8L4.2 9M4.2 4.4V9h4.6M12 8v4.4l3 1.8",
    devices: "R 4 4 6.6 6.6 2; R 13.4 4 6.6 6.6 3.3; R 4 13.4 6.6 6.6 2; R 13.4 13.4 6.6 6.6 2",
    settings: "P M4 7.5h8.5M17.5 7.5H20M4 16.5h2.5M11.5 16.5H20; C 15 7.5 2.5; C 9 16.5 2.5",
    wifi: "P M2.8 9.6a13.2 13.2 0 0 1 18.4 0M6 13.1a8.6 8.6 0 0 1 12 0M9.2 16.5a4 4 0 0 1 5.6 0; " +
        "•C 12 19.4 1.3",
    nightlights: "P M19.6 14.4A8 8 0 1 1 9.6 4.4a6.4 6.4 0 0 0 10 10Z",
    bulbs: "P M9.3 17.4h5.4M10.2 20.5h3.6M12 3.5a6.1 6.1 0 0 0-3.9 10.8c.8.7 1.2 1.5 1.2 2.4v.7h5.4v-.7" +
        "c0-.9.4-1.7 1.2-2.4A6.1 6.1 0 0 0 12 3.5Z",
    explorer: "P M6 6v10.2a2.3 2.3 0 0 0 2.3 2.3h4.2M6 10h6.5; C 6 4.4 1.7; R 13 7.4 7 5.2 1.6; " +
        "R 13 15.9 7 5.2 1.6",
    debug: "P M5 7.2 9.8 12 5 16.8M12.4 17H19",
    overflow: "•C 5 6 1.2; •C 12 6 2.4; •C 19 6 1.2; •C 5 12 2.4; •C 12 12 1.2; •C 19 12 1.2; •C 5 18 1.2; " +
        "•C 12 18 1.2; •C 19 18 2.4",
    more: "•C 5.5 12 1.6; •C 12 12 1.6; •C 18.5 12 1.6",
    search: "C 11 11 6.3; P m15.7 15.7 4.3 4.3",
    filter: "P M4 6.8h16M7 12h10M10 17.2h4",
    right: "P m9.6 6.2 5.8 5.8-5.8 5.8",
    left: "P M14.4 6.2 8.6 12l5.8 5.8",
    down: "P m6.2 9.6 5.8 5.8 5.8-5.8",
    close: "P m6.6 6.6 10.8 10.8M17.4 6.6 6.6 17.4",
    check: "P m5 12.6 4.4 4.4L19 7.4",
    plus: "P M12 5v14M5 12h14",
    warn: "P M12 4.4 3 19.4h18L12 4.4ZM12 10v4; •C 12 16.7 1.05",
    info: "C 12 12 8.2; P M12 11.2v5; •C 12 8 1.1",
    lock: "R 5.5 10.6 13 9.2 2.4; P M8.4 10.6V8.1a3.6 3.6 0 0 1 7.2 0v2.5",
    unlock: "R 5.5 10.6 13 9.2 2.4; P M8.4 10.6V7.6a3.6 3.6 0 0 1 7-1.2",
    eye: "P M2.8 12S6 6 12 6s9.2 6 9.2 6-3.2 6-9.2 6-9.2-6-9.2-6Z; C 12 12 2.7",
    eyeoff: "P M9.6 6.3A9.6 9.6 0 0 1 12 6c6 0 9.2 6 9.2 6a15 15 0 0 1-2.6 3.2" +
        "M6.2 8A15 15 0 0 0 2.8 12S6 18 12 18a9 9 0 0 0 3.9-.9M4.4 4.4l15.2 15.2",
    pause: "P M8.6 6v12M15.4 6v12",
    play: "P M8 5.4v13.2L19 12 8 5.4Z",
    stop: "•R 6.4 6.4 11.2 11.2 2.2",
    record: "•C 12 12 5.4; C 12 12 8.6",
    copy: "R 8.6 8.6 11 11 2.4; P " +
        "M15.4 8.6V6.8a2.4 2.4 0 0 0-2.4-2.4H6.8a2.4 2.4 0 0 0-2.4 2.4V13a2.4 2.4 0 0 0 2.4 2.4h1.8",
    download: "P M12 4v11M7.4 10.6 12 15.2l4.6-4.6M5 19.6h14",
    upload: "P M12 15.2V4.2M7.4 8.6 12 4l4.6 4.6M5 19.6h14",
    trash: "P M4.8 7.2h14.4M9.4 7V4.8h5.2V7M6.8 7.2l.9 12h8.6l.9-12M10.3 11v5M13.7 11v5",
    undo: "P M8.6 5.2 4.6 9.2l4 4M4.8 9.2h9a5.2 5.2 0 0 1 0 10.4H9",
    refresh: "P M19.4 12.6A7.5 7.5 0 1 1 17.2 6.5L19.4 9M19.4 4.6V9H15",
    power: "P M12 3.8v8M7.2 6.8a7.2 7.2 0 1 0 9.6 0",
    place: "P M20 4 3.8 10.7l7 2.5 2.5 7L20 4Z",
    layers: "P M12 4 3.6 8.4 12 12.8l8.4-4.4L12 4ZM4 12.8l8 4.2 8-4.2M4 16.8l8 4.2 8-4.2",
    bell: "P M6.4 10.4a5.6 5.6 0 0 1 11.2 0c0 4.4 1.9 5.8 1.9 5.8h-15s1.9-1.4 1.9-5.8Z" +
        "M10.2 19.4a2 2 0 0 0 3.6 0",
    mute: "P M8.2 6.4a5.6 5.6 0 0 1 9.4 4c0 1.6.2 2.8.6 3.7M15.6 16.2H4.5s1.9-1.4 1.9-5.8" +
        "c0-.5.1-.9.2-1.4M10.2 19.4a2 2 0 0 0 3.6 0M4.2 4.2l15.6 15.6",
    mine: "C 12 8.2 3.7; P M5 19.8a7 7 0 0 1 14 0",
    flag: "P M6 20.5V4.6h11.8l-2.6 4.2 2.6 4.2H6",
    note: "P m4.6 19.4.9-4.1L16.1 4.7a1.9 1.9 0 0 1 2.7 0l.5.5a1.9 1.9 0 0 1 0 2.7L8.7 18.5l-4.1.9Z" +
        "M14.4 6.4l3.2 3.2",
    link: "P M10.4 8H8a4 4 0 0 0 0 8h2.4M13.6 8H16a4 4 0 0 1 0 8h-2.4M8.8 12h6.4",
    key: "C 8.2 15.8 3.7; P m10.9 13.1 8-8M15.4 8.6l2.7 2.7",
    clock: "C 12 12 8; P M12 7.4V12l3.1 1.9",
    sun: "C 12 12 3.8; P M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.4M5.6 18.4 7 17M17 7l1.4-1.4",
    theme: "C 12 12 8; •P M12 4a8 8 0 0 1 0 16Z",
    sound: "P M4.4 9.8v4.4h3.4l4.2 3.7V6.1L7.8 9.8H4.4ZM15.4 9.2a4.2 4.2 0 0 1 0 5.6" +
        "M17.9 6.8a7.8 7.8 0 0 1 0 10.4",
    compare: "P M9 4.6H6a1.8 1.8 0 0 0-1.8 1.8v11.2A1.8 1.8 0 0 0 6 19.4h3" +
        "M15 4.6h3a1.8 1.8 0 0 1 1.8 1.8v11.2a1.8 1.8 0 0 1-1.8 1.8h-3M12 3v18",
    folder:
        "P M4 18V7a2 2 0 0 1 2-2h3.6l2 2.2H18a2 2 0 0 1 2 2V18a1.6 1.6 0 0 1-1.6 1.6H5.6A1.6 1.6 0 0 1 4 18Z",
    out: "P M8 16 16.6 7.4M9.6 7.2h7.2v7.2",
    storage: "P M5 6.6c0-1.5 3.1-2.6 7-2.6s7 1.1 7 2.6-3.1 2.6-7 2.6-7-1.1-7-2.6ZM5 6.6v10.8" +
        "c0 1.5 3.1 2.6 7 2.6s7-1.1 7-2.6V6.6M5 12c0 1.5 3.1 2.6 7 2.6s7-1.1 7-2.6",
    box: "P M4.6 8.4V6.2a1.6 1.6 0 0 1 1.6-1.6h2.2M15.6 4.6h2.2a1.6 1.6 0 0 1 1.6 1.6v2.2M19.4 15.6v2.2" +
        "a1.6 1.6 0 0 1-1.6 1.6h-2.2M8.4 19.4H6.2a1.6 1.6 0 0 1-1.6-1.6v-2.2M11.2 4.6h1.6M11.2 19.4h1.6" +
        "M4.6 11.2v1.6M19.4 11.2v1.6",
    list: "P M9 6.4h10.6M9 12h10.6M9 17.6h10.6; •C 5 6.4 1.15; •C 5 12 1.15; •C 5 17.6 1.15",
    minus: "P M5 12h14",
    star: "P m12 4.2 2.4 4.9 5.4.8-3.9 3.8.9 5.3-4.8-2.5L7.2 19l.9-5.3-3.9-3.8 5.4-.8L12 4.2Z",
    car: "P M4.2 16.4v-3.6l2-5a1.6 1.6 0 0 1 1.5-1h8.6a1.6 1.6 0 0 1 1.5 1l2 5v3.6H4.2ZM4.2 12.8h15.6" +
        "M6.6 16.4v1.9M17.4 16.4v1.9",
    building:
        "P M6.4 20V5.6a1.2 1.2 0 0 1 1.2-1.2h8.8a1.2 1.2 0 0 1 1.2 1.2V20M4.4 20h15.2M10 8.2h.01M14 8.2h.01" +
        "M10 11.6h.01M14 11.6h.01M12 20v-3.8",
    wave: "P M3 13c2.1-5.4 4.2-5.4 6.2 0s4 5.4 6 0 3.7-5.2 5.8-1.4",
    lost: "P M19.4 12.6A7.5 7.5 0 1 1 17.2 6.5L19.4 9M19.4 4.6V9H15",
};

/// The kinds of detection: name, what it is in words, class, drawing.
export const types = {
    flock_safety: [
        "Flock Safety",
        "Plate reader",
        "diamond",
        "P M2.6 11.4V8.7l1.5-3.5a1 1 0 0 1 .9-.6h6a1 1 0 0 1 .9.6l1.5 3.5v2.7ZM2.6 8.7h10.8" +
        "M4 11.4v1.2M12 11.4v1.2",
    ],
    penguin: [
        "Penguin",
        "Reader battery",
        "diamond",
        "R 2.6 4.8 9.4 6.6 1.5; P M14 7v2.2M7.3 6.5v3.2M5.7 8.1h3.2",
    ],
    pigvision: [
        "Pigvision",
        "Plate reader",
        "diamond",
        "P M1.8 8S4 4.4 8 4.4 14.2 8 14.2 8 12 11.6 8 11.6 1.8 8 1.8 8Z; C 8 8 1.6",
    ],
    raven: ["Raven", "Gunshot detector", "hexagon", "P M2.4 7v2M5.2 5v6M8 2.6v10.8M10.8 5v6M13.6 7v2"],
    verkada: [
        "Verkada",
        "Office camera",
        "square",
        "P M4 13.2V3.6a.8.8 0 0 1 .8-.8h6.4a.8.8 0 0 1 .8.8v9.6M2.6 13.2h10.8M6.5 5.8h.01M9.5 5.8h.01" +
        "M6.5 8.6h.01M9.5 8.6h.01",
    ],
    axis: [
        "Axis",
        "Pro IP camera",
        "square",
        "R 2.2 4.2 8 5 1.2; P m10.2 5.9 3.6-1.3v4.2l-3.6-1.3M6.2 9.2v3.6M4 12.8h4.4",
    ],
    hikvision: [
        "Hikvision",
        "Pro camera",
        "square",
        "P M2 4.4h12M3.4 4.4v2a4.6 4.6 0 0 0 9.2 0v-2; C 8 6.9 1.2",
    ],
    dahua: ["Dahua", "Pro camera", "square", "C 8 8 5.6; C 8 8 2"],
    lorex: ["Lorex", "Home camera", "circle", "P m2.6 6.2 8.2-2.8 1.6 4.4-8.2 2.9ZM6.8 9.8v3.4H3.4"],
    reolink: ["Reolink", "Home IP camera", "circle", "C 4.9 8 2.7; C 11.1 8 2.7"],
    arlo: ["Arlo", "Wireless camera", "circle", "P M2.6 5.6h2.3l1.1-1.7h4l1.1 1.7h2.3v6.5H2.6Z; C 8 8.6 1.9"],
    wyze: ["Wyze", "Low-cost camera", "circle", "R 4 2.6 8 7.6 1.6; C 8 6.4 1.5; P M8 10.2v2.6M5.2 12.8h5.6"],
    eufy: ["Eufy", "Home camera", "circle", "R 4.8 2 6.4 12 3.2; C 8 6 1.3; P M8 11h.01"],
    ring: [
        "Ring",
        "Doorbell",
        "shield",
        "P M4.1 7a3.9 3.9 0 0 1 7.8 0c0 3 1.2 3.9 1.2 3.9H2.9S4.1 10 4.1 7ZM6.9 13h2.2",
    ],
    nest: ["Nest", "Camera, doorbell", "shield", "P M2.6 8 8 3.2 13.4 8M4.2 6.8v5.8h7.6V6.8"],
    unknown: [
        "Unknown",
        "Not identified",
        "ring",
        "P M5.7 5.9a2.4 2.4 0 1 1 3.7 2c-.9.6-1.4 1-1.4 2M8 12.3h.01",
    ],
};

/// The classes: outline, width of its stroke, scale of the drawing, and how far that is lifted.
export const shapes = {
    diamond: ["P M16 2.8 29.2 16 16 29.2 2.8 16Z", 3.6, 0.94, 0],
    hexagon: ["P M16 3.3 27 9.65v12.7L16 28.7 5 22.35V9.65Z", 3, 1.06, 0],
    square: ["R 3.4 3.4 25.2 25.2 5.6", 1, 1.06, 0],
    circle: ["C 16 16 13.6", 1, 1.06, 0],
    shield: ["P M5 4.6h22v11.6c0 6.4-4.6 10-11 12.4C9.6 26.2 5 22.6 5 16.2Z", 3, 0.98, -1],
    ring: ["C 16 16 12.6", 2, 1.06, 0],
};

function figures(notation) {
    return notation.split("; ").map((part) => {
        const filled = part.startsWith("•");
        const [kind, ...rest] = part.replace("•", "").trim().split(" ");
        const look = filled ? { fill: "currentColor", stroke: "none" } : {};
        if (kind === "P") return s("path", { d: rest.join(" "), ...look });
        const [x, y, a, b, radius] = rest.map(Number);
        if (kind === "C") return s("circle", { cx: x, cy: y, r: a, ...look });
        return s("rect", { x, y, width: a, height: b, rx: radius, ...look });
    });
}

/// A symbol of 24 × 24; it says nothing by itself.
export function symbol(name, size = 20) {
    return s("svg", {
        class: "symbol",
        viewBox: "0 0 24 24",
        width: size,
        height: size,
        "aria-hidden": "true",
        "stroke-width": name === "pause" ? 2.6 : 1.75,
    }, figures(symbols[name]));
}

/// A picture with more sources than this is drawn calmly: the strongest few have their marks, the others are dots.
export const calm = { above: 50, marks: 12 };

/// The mark of a kind of detection as a group of 32 × 32: "solid" on plots, "soft" in lists; no drawing
/// below 20 px.
export function markGroup(type, look, size) {
    const known = types[type] ? type : "unknown";
    const [, , shape, drawing] = types[known];
    const [outline, stroke, scale, lift] = shapes[shape];
    const group = s(
        "g",
        { class: `mark mark-${look} mark-${shape} type-${known}` },
        s("g", { class: "mark-shape", "stroke-width": stroke, "stroke-linejoin": "round" }, figures(outline)),
    );
    if (size >= 20) {
        group.append(
            s("g", {
                class: "mark-drawing",
                "stroke-width": 1.5,
                transform: `translate(${16 - 8 * scale} ${16 - 8 * scale + lift}) scale(${scale})`,
            }, figures(drawing)),
        );
    }
    return group;
}

/// The same as a picture of its own.
export function detectionMark(type, look = "soft", size = 32) {
    return s("svg", {
        class: "mark-box",
        viewBox: "0 0 32 32",
        width: size,
        height: size,
        "aria-hidden": "true",
    }, markGroup(type, look, size));
}

/// Four bars that follow the distance words; none when it has not been heard.
export function bars(rssi, heardNow = true) {
    const level = !heardNow || rssi === null || rssi === undefined
        ? 0
        : rssi >= -50
        ? 4
        : rssi >= -70
        ? 3
        : rssi >= -85
        ? 2
        : 1;
    return s(
        "svg",
        { class: "bars", viewBox: "0 0 17 14", width: 17, height: 14, "aria-hidden": "true" },
        [4, 7.3, 10.6, 13.9].map((height, index) =>
            s("rect", {
                x: index * 4.6,
                y: 14 - height,
                width: 3,
                height,
                rx: 1,
                class: index < level ? "on" : "off",
            })
        ),
    );
}

/// The same for Wi-Fi, whose steps are others.
export const wifiBars = (rssi) => bars(rssi >= -50 ? -50 : rssi >= -60 ? -70 : rssi >= -70 ? -85 : -99);

/// The ring of confidence, filled clockwise from the top.
export function ring(confidence, size = 18) {
    const around = 2 * Math.PI * 7.7;
    return s(
        "svg",
        {
            class: confidence < 0.5 ? "ring low" : "ring",
            viewBox: "0 0 18 18",
            width: size,
            height: size,
            "aria-hidden": "true",
        },
        s("circle", { class: "rest", cx: 9, cy: 9, r: 7.7 }),
        s("circle", {
            class: "full",
            cx: 9,
            cy: 9,
            r: 7.7,
            transform: "rotate(-90 9 9)",
            "stroke-dasharray": `${around * Math.min(1, confidence)} ${around}`,
        }),
    );
}

/// Words for screen readers only.
export const spoken = (text) => h("span", { class: "spoken" }, text);
/// "82% sure that it is a Flock Safety plate reader".
export function sureWords(value, type) {
    const [name, kind] = Object.hasOwn(types, type) && type !== "unknown"
        ? types[type]
        : ["", "Camera or sensor of a kind that is not known"];
    const what = `${name} ${kind[0].toLowerCase()}${kind.slice(1).replace(", ", " or ")}`.trim();
    return `${percent(value)} sure that it is ${/^A[rx]/.test(what) ? "an" : "a"} ${what}`;
}
/// The ring of confidence, which says of what.
export const sureRing = (value, type) =>
    h("span", { class: "sure", title: sureWords(value, type) }, ring(value), spoken(sureWords(value, type)));
export const signalWords = (rssi) => `${distance(rssi)}, ${dBm(rssi)}`;

/// A state: a mark of its own shape and the word, always both.
export function state(kind, word) {
    const drawn = kind === "lost"
        ? symbol("lost", 14)
        : kind === "missing"
        ? symbol("warn", 16)
        : kind === "connecting"
        ? busyArc(12)
        : h("span", { class: "dot" });
    return h("span", { class: `state state-${kind}` }, drawn, h("span", word));
}

/// An arc that turns while something is under way.
export function busyArc(size = 16) {
    return s(
        "svg",
        { class: "busy", viewBox: "0 0 16 16", width: size, height: size, "aria-hidden": "true" },
        s("circle", { class: "rest", cx: 8, cy: 8, r: 6.5 }),
        s("circle", { class: "full", cx: 8, cy: 8, r: 6.5, "stroke-dasharray": "11 41" }),
    );
}

/// The mark of Lantern.
export function lantern(size = 32) {
    return s(
        "svg",
        { class: "lantern", viewBox: "0 0 32 32", width: size, height: size, "aria-hidden": "true" },
        s("path", { d: "M11.2 8.6a4.8 4.8 0 0 1 9.6 0", class: "handle" }),
        s("rect", { x: 8.4, y: 8.6, width: 15.2, height: 3.2, rx: 1.6 }),
        s("rect", { x: 7.4, y: 25.6, width: 17.2, height: 3.2, rx: 1.6 }),
        s("path", { d: "M10.2 13.6h11.6l1.2 10.2H9z", class: "glass" }),
        s("path", {
            d: "M16 13.8c2.7 2.5 3.9 4.3 3.9 6.2a3.9 3.9 0 0 1-7.8 0c0-1.9 1.2-3.7 3.9-6.2Z",
            class: "flame",
        }),
    );
}

/// The small words beside a name: New, Mine, Muted, False alarm.
export function tags(item) {
    return [
        item.mine && ["mine", "Mine"],
        item.muted && ["quiet", "Muted"],
        item.false_alarm && ["quiet", "False alarm"],
        item.new && !isQuiet(item) && ["new", "New"],
    ].filter(Boolean)
        .map(([kind, word]) => h("span", { class: `tag tag-${kind}` }, word));
}
export const isQuiet = (item) => Boolean(item.mine || item.muted || item.false_alarm);
