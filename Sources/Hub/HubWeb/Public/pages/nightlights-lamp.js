// A lamp drawn before the night, as it shines; its battery; the cards of all lamps.
import { h, s } from "../dom.js";
import { air, plain } from "../text.js";
import { endOf, nameEnd, told } from "../names.js";

const places = [[-27, -20], [27, -20], [-27, 22], [27, 22]];
const dark = "#1B2130";
let made = 0;

const isLit = (color) => color && color !== "#000000";
/// As bright as an eye sees it: a faint light is still a light.
const seen = (color) => (isLit(color) ? color : dark);

/// The four LEDs in their dome; `numbers` writes their numbers on them.
export function lampPicture(colors, { wide = false, numbers = false } = {}) {
    const id = `glow-${made += 1}`;
    const lit = colors.filter(isLit);
    const [left, top, width, height] = wide ? [-181, -88, 362, 186] : [-90, -84, 180, 180];
    return s(
        "svg",
        {
            class: "lamp-picture",
            viewBox: `${left} ${top} ${width} ${height}`,
            preserveAspectRatio: "xMidYMid slice",
            "aria-hidden": "true",
        },
        s(
            "defs",
            s(
                "filter",
                { id, x: "-1", y: "-1", width: "3", height: "3" },
                s("feGaussianBlur", { stdDeviation: 11 }),
            ),
            s("linearGradient", { id: `${id}-sky`, x2: "0", y2: "1" }, [
                s("stop", { "stop-color": "#10141F" }),
                s("stop", { offset: "1", "stop-color": "#1A1F2E" }),
            ]),
            s("radialGradient", { id: `${id}-air` }, [
                s("stop", { "stop-color": lit[0] ?? "#10141F", "stop-opacity": lit.length ? ".34" : "0" }),
                s("stop", { offset: "1", "stop-color": lit[0] ?? "#10141F", "stop-opacity": "0" }),
            ]),
        ),
        s("rect", { x: left, y: top, width, height, fill: `url(#${id}-sky)` }),
        s("ellipse", { cx: 0, cy: 0, rx: width * 0.48, ry: height * 0.62, fill: `url(#${id}-air)` }),
        s("ellipse", { cx: 0, cy: 78, rx: 92, ry: 10, fill: "#0A0D14", opacity: ".6" }),
        s("path", {
            d: "M-62 62V-8a62 62 0 0 1 124 0v70Z",
            fill: lit[0] ?? "#2B3244",
            opacity: lit.length ? ".2" : "1",
        }),
        s("path", {
            d: "M-62 62V-8a62 62 0 0 1 124 0v70Z",
            fill: "#2B3244",
            "fill-opacity": ".55",
            stroke: "#FFFFFF",
            "stroke-opacity": ".16",
        }),
        places.map(([cx, cy], index) =>
            isLit(colors[index])
                ? s("circle", { cx, cy, r: 25, fill: colors[index], opacity: ".8", filter: `url(#${id})` })
                : null
        ),
        places.map(([cx, cy], index) => [
            s("circle", {
                cx,
                cy,
                r: 13,
                fill: seen(colors[index]),
                stroke: "#FFFFFF",
                "stroke-opacity": isLit(colors[index]) ? ".5" : ".12",
                "stroke-width": 1.4,
            }),
            isLit(colors[index]) && !numbers
                ? s("circle", { cx: cx - 4, cy: cy - 4, r: 3.4, fill: "#FFFFFF", opacity: ".45" })
                : null,
            numbers
                ? s(
                    "text",
                    {
                        x: cx,
                        y: cy + 4.5,
                        "text-anchor": "middle",
                        class: isLit(colors[index]) ? "led-number" : "led-number unlit",
                    },
                    String(index + 1),
                )
                : null,
        ]),
        s("rect", { x: -72, y: 60, width: 144, height: 17, rx: 8.5, fill: "#3A4357" }),
        s("rect", { x: -72, y: 60, width: 144, height: 7, rx: 3.5, fill: "#465069" }),
    );
}

/// The colours that the LEDs show; none where nobody knows.
export const colorsOf = (lamp) => lamp?.leds?.colors ?? [];

/// A capsule with its level, and a bolt while it is charged; always with the per cent.
export function battery(percent, isCharging) {
    if (percent === null || percent === undefined) return h("span", { class: "hint" }, "Battery not known");
    const kind = isCharging ? "charging" : percent <= 10 ? "empty" : percent <= 20 ? "low" : "";
    return h(
        "span",
        { class: kind ? `battery is-${kind}` : "battery" },
        s(
            "svg",
            { width: 29, height: 13, viewBox: "0 0 29 13", "aria-hidden": "true" },
            s("rect", { class: "case", x: 0.6, y: 0.6, width: 24.8, height: 11.8, rx: 3.6 }),
            s("path", { class: "cap", d: "M27.4 4.4v4.2" }),
            s("rect", {
                class: "level",
                x: 2.4,
                y: 2.4,
                width: Math.max(1.5, 21.2 * percent / 100),
                height: 8.2,
                rx: 2,
            }),
            isCharging ? s("path", { class: "bolt", d: "M14 2.2 9.8 7h3l-1 3.8L16 6h-3l1-3.8Z" }) : null,
        ),
        h("span", `${percent}%${kind ? `, ${batteryWords[kind]}` : ""}`),
    );
}
const batteryWords = { charging: "charging", low: "low", empty: "almost empty" };
/// "Battery low" of a lamp that wants to be charged, else null.
export const lowBattery = (lamp) => {
    const { battery_percent: percent = null, charging } = lamp ?? {};
    return percent === null || percent > 20 || charging
        ? null
        : `Battery ${percent > 10 ? "low" : "almost empty"}`;
};

/// What a lamp is called: its child's name, else that it is new, with its last octets.
export function lampName({ name, address }) {
    return name
        ? told(air(name), "lamp", name, address)
        : h("span", "New lamp ", nameEnd(`…${address.slice(-5)}`));
}
export function lampText({ name, address }) {
    const end = endOf("lamp", name, address, !name);
    return [name ? plain(name) : "New lamp", end].filter(Boolean).join(" ");
}
/// "Mia’s", or "this lamp’s" for one without a name.
export const whose = (name) => (name ? `${plain(name)}${/[sxzß]$/i.test(name) ? "’" : "’s"}` : "the new");

/// All lamps that are heard or remembered, those with a name first: {address, name, memory, device, dash, known, colors}.
export function allLamps({ memories, hub, lampAddress, dash }) {
    const found = new Map();
    for (const memory of memories.values()) {
        found.set(memory.address, { address: memory.address, name: memory.name, memory });
    }
    for (const device of hub.state.devices.values()) {
        if (device.kind !== "nightlight") continue;
        const { address } = device, memory = memories.get(address);
        found.set(address, { address, name: memory?.name ?? null, memory, device });
    }
    for (const lamp of found.values()) {
        lamp.dash = lamp.address === lampAddress ? dash : null;
        // A link that has ended knows nothing of what the hub has sent since.
        const { memory } = lamp,
            isOld = lamp.dash?.job.phase === "ended" && memory?.known &&
                !(Date.parse(memory.seen) < Date.parse(lamp.dash.read));
        lamp.known = (isOld ? null : lamp.dash?.lamp) ?? memory?.known ?? null;
        if (lamp.known) lamp.name = lamp.known.name;
        // Of a lamp that is away nobody knows what shines there now.
        lamp.colors = lamp.dash && lamp.dash.job.phase !== "ended" ? colorsOf(lamp.known) : [];
    }
    return [...found.values()].sort((a, b) =>
        Boolean(b.name) - Boolean(a.name) || lampText(a).localeCompare(lampText(b)) ||
        a.address.localeCompare(b.address)
    );
}

/// The cards of all lamps, of which one is chosen; `lamps` are {address, name, title, text, colors, battery, pending}.
export function lampCards(lamps, chosen) {
    return lamps.map((lamp) =>
        h(
            "a",
            {
                class: "card lamp-card",
                href: `#/nightlights/${lamp.address.replaceAll(":", "")}`,
                "aria-current": lamp.address === chosen ? "true" : null,
            },
            h("span", { class: "lamp-small" }, lampPicture(lamp.colors)),
            chip(lamp),
            h(
                "span",
                { class: "lamp-words" },
                h(
                    "span",
                    { class: "lamp-name" },
                    h("span", { class: "cut" }, lampName(lamp)),
                    lamp.battery ? h("span", { class: "tag tag-warn" }, lamp.battery) : null,
                    lamp.pending ? h("span", { class: "tag tag-warn" }, `${lamp.pending} waiting`) : null,
                ),
                h("span", { class: "second" }, lamp.title),
                h("span", { class: "hint cut" }, lamp.text),
            ),
        )
    );
}

function chip({ colors }) {
    const color = colors.find(isLit);
    return s(
        "svg",
        { class: "lamp-dot", width: 12, height: 12, viewBox: "0 0 12 12", "aria-hidden": "true" },
        s("circle", {
            cx: 6,
            cy: 6,
            r: color ? 5.5 : 4,
            class: color ? "lit" : "unlit",
            fill: color ?? "none",
        }),
    );
}

/// Links to the views of a lamp, which a phone has instead of tabs.
export const viewLinks = (path, words) =>
    Object.entries(words).map(([name, word]) => h("a", { class: "button", href: `${path}/${name}` }, word));
