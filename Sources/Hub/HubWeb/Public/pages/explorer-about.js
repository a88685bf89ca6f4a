// What a device says of itself on the air: its signal, how often, what is in its advertisements.
import { h, s } from "../dom.js";
import { copyButton } from "../controls.js";
import { air, clock, count, counted, day, dBm, plain, signed } from "../text.js";
import { dump, length, spaced } from "./explorer-octets.js";
import { encryptionWords, everyWords, lacksSentence } from "./explorer-words.js";
import { silent } from "./explorer-board.js";

const kinds = {
    public: "Public, stays",
    random: "Random, may change",
    anonymous: "None",
    identifier: "Known to this system only",
};

const card = (title, beside, ...content) =>
    h(
        "section",
        { class: "card", "aria-label": title },
        h(
            "div",
            { class: "card-head" },
            h("h2", { class: "card-title" }, title),
            h("span", { class: "grow" }),
            beside,
        ),
        content,
    );

const facts = (rows) =>
    h(
        "dl",
        { class: "value-fields" },
        rows.filter(Boolean).map(([name, words]) => h("div", h("dt", name), h("dd", words))),
    );

const octetsCard = (title, octets, hint = null) =>
    octets
        ? card(
            title,
            [
                h("span", { class: "hint" }, counted(length(octets), "octet")),
                copyButton(octets, `Copy the octets of the ${title.toLowerCase()}`),
            ],
            h(
                "pre",
                {
                    class: "octets value-octets",
                    tabindex: "0",
                    role: "region",
                    "aria-label": `Octets of the ${title.toLowerCase()}`,
                },
                dump(octets, 8),
            ),
            hint ? h("p", { class: "hint" }, hint) : null,
        )
        : null;

/// Cards about a device that is heard; `lacks` is what the radio does not tell.
export function aboutDevice(detail, lacks) {
    const isComposed = lacks.includes("advertised_octets");
    return [
        card("Signal", h("span", { class: "hint" }, "10 min"), history(detail.long_history)),
        card(
            "On the air",
            null,
            facts([
                ["Strength", dBm(detail.rssi)],
                [
                    "Advertises",
                    detail.interval === null ? "Heard once" : everyWords(detail.interval),
                ],
                ["Reports", count(detail.reports)],
                ["First heard", clock(detail.first_heard, true)],
                ["Address", kinds[detail.address_kind] ?? detail.address_kind],
                [
                    "Accepts connections",
                    detail.connectable === null ? "Not known" : detail.connectable ? "Yes" : "No",
                ],
                detail.makers.length ? ["Maker", air(detail.makers.join(", "))] : null,
                detail.appearance_name ? ["Looks like", air(detail.appearance_name)] : null,
                detail.tx_power === null ? null : ["Sends with", dBm(detail.tx_power)],
                detail.service_names.length ? ["Services", air(detail.service_names.join(", "))] : null,
            ]),
        ),
        octetsCard(
            "Advertisement",
            detail.octets,
            isComposed
                ? "This radio does not pass on octets. These are rebuilt from what it reports, with the scan response."
                : null,
        ),
        octetsCard("Scan response", detail.scan_response_octets),
    ];
}

/// Cards about a save.
export function aboutSave({ save, mtu, octets, scan_response_octets }) {
    return [
        card(
            "Save",
            null,
            facts([
                ["Saved", `${day(save.time)}, ${clock(save.time)}`],
                save.device_name ? ["Calls itself", air(save.device_name)] : null,
                save.address ? ["Address", h("span", { class: "octets" }, save.address)] : null,
                ["Services", count(save.services)],
                ["Characteristics", count(save.characteristics)],
                ["Values read", count(save.values)],
                mtu === null ? null : ["MTU then", counted(mtu, "octet")],
            ]),
        ),
        octetsCard("Advertisement", octets),
        octetsCard("Scan response", scan_response_octets),
    ];
}

/// Cards about one structure of an advertisement.
export function aboutStructure({ octets, text, fault }) {
    return [
        fault ? h("div", { class: "note warn" }, h("bdi", fault)) : null,
        card(
            "Value",
            length(octets) <= 8 ? h("span", { class: "octets" }, spaced(octets) || "Empty") : [
                h("span", { class: "hint" }, counted(length(octets), "octet")),
                copyButton(octets, "Copy the octets"),
            ],
            text === null ? null : h("p", { class: "value-text" }, air(text)),
            length(octets) <= 8 ? null : h("pre", {
                class: "octets value-octets",
                tabindex: "0",
                role: "region",
                "aria-label": "Octets",
            }, dump(octets, 8)),
        ),
    ];
}

/// What is known of a link, and how it has changed; `radio` is the hub's.
export function aboutLink(link, radio) {
    const { changes, mtu, supervision_timeout, latency, rssi, can_pair } = link;
    const fact = (name, text) => text === null ? null : h("div", h("dt", name), h("dd", text));
    return [
        h(
            "dl",
            { class: "value-fields link-facts" },
            fact("MTU", mtu === null ? null : counted(mtu, "octet")),
            fact("Strength of the link", rssi === null ? null : dBm(rssi)),
            fact(
                "Counts as lost after",
                supervision_timeout === null ? null : `${supervision_timeout / 1000} s`,
            ),
            fact("Intervals it may skip", latency === null ? null : String(latency)),
            fact("Encryption", encryptionWords(link)),
        ),
        [
            lacksSentence(radio),
            can_pair ? null : "This radio cannot pair. Pair in the system's Bluetooth settings.",
        ]
            .filter(Boolean).map((text) => h("p", { class: "hint link-lacks" }, text)),
        changes.length
            ? h(
                "ul",
                { class: "value-changes", "aria-label": "Changes of the link" },
                [...changes].reverse().map(({ time, text }) =>
                    h("li", h("span", plain(text)), h("span", { class: "hint" }, clock(time, true)))
                ),
            )
            : null,
    ];
}

/// Strengths as a plot, a point for each 2 s, the newest last.
function history(values) {
    const known = values.filter((value) => value !== silent);
    if (!known.length) return h("p", { class: "hint" }, "Nothing has been heard of it yet.");
    const width = 318, height = 116, y = (rssi) => 8 + 80 * (-40 - Math.max(-100, Math.min(-40, rssi))) / 60;
    const x = (index) => 34 + (width - 40) * (300 - values.length + index) / 299, parts = [];
    values.forEach((value, index) => {
        if (value === silent) return;
        parts.push(
            `${index && values[index - 1] !== silent ? "L" : "M"}${x(index).toFixed(1)} ${
                y(value).toFixed(1)
            }`,
        );
    });
    if (parts.length === 1) parts.push("h.01");
    return s(
        "svg",
        {
            class: "plot explorer-plot",
            viewBox: `0 0 ${width} ${height}`,
            role: "img",
            "aria-label": `The last 10 minutes: ${dBm(Math.min(...known))} to ${
                dBm(Math.max(...known))
            }, now ${dBm(known.at(-1))}`,
        },
        [-50, -70, -90].flatMap((level) => [
            s("line", { class: "grid", x1: 34, x2: width - 4, y1: y(level), y2: y(level) }),
            s("text", { x: 28, y: y(level) + 4, "text-anchor": "end" }, signed(level)),
        ]),
        s("path", { class: "plot-line", d: parts.join("") }),
        s("text", { x: 34, y: height - 6 }, "\u221210 min"),
        s("text", { class: "plot-now", x: width - 4, y: height - 6, "text-anchor": "end" }, "Now"),
    );
}
