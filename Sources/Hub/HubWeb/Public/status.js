// SPDX-License-Identifier: Apache-2.0
// What the frame can be asked: how the hub is, and which keys there are.
import { h } from "./dom.js";
import { dialog } from "./overlays.js";
import { clock, coordinates, count, place, plain, span } from "./text.js";

/// What is said where the clocks of browser and hub differ; null where they do not.
function clockWords(ahead) {
    if (Math.abs(ahead) < 10000) return null;
    const long = Math.abs(ahead) < 120000 ? `${Math.round(Math.abs(ahead) / 1000)} s` : span(Math.abs(ahead));
    return `This device’s clock is ${long} ${
        ahead > 0 ? "behind" : "ahead of"
    } the hub’s. Ages and times follow the hub’s.`;
}

/// Shows how the hub, its radio and its place are.
export function showStatus(app) {
    const { hub, link, known } = app.hub.state;
    const trouble = link === "live" && hub.storage.trouble;
    const row = (label, text) => h("div", h("span", { class: "label" }, label), h("span", text));
    const where = hub?.location;
    dialog(
        "Status",
        h(
            "div",
            { class: "status-list" },
            row(
                app.hub.transport.words.who,
                link === "live"
                    ? [hub.name, hub.version && `Lantern ${hub.version}`].filter(Boolean).join(", ")
                    : `Not answering${known ? ` since ${clock(known, true)}` : ""}`,
            ),
            row(
                "Radio",
                !hub
                    ? "Not known"
                    : link !== "live"
                    ? app.notKnown
                    : hub.radio.state === "scanning"
                    ? `${hub.radio.name}, ${hub.radio.title.toLowerCase() || "scanning"}, ${
                        count(hub.radio.reports_per_minute)
                    } reports a minute`
                    : hub.radio.title,
            ),
            row(
                "Place",
                !where || where.state === "off"
                    ? "Not set"
                    : where.state === "fix"
                    ? `${coordinates(where)}, ${place(where)}`
                    : "No fix",
            ),
            trouble ? row("Storage", plain(trouble)) : null,
            clockWords(app.hub.transport.ahead) ? row("Clock", clockWords(app.hub.transport.ahead)) : null,
        ),
        { sheet: true },
    );
}

/// Shows the keys; `places` are [page, word, letter].
export function showKeys(places) {
    const rows = [
        ["/", "Search"],
        ["↑ ↓", "Move in a list"],
        ["Space", "Tick"],
        ["Enter", "Open"],
        ["Esc", "Close"],
        ["Ctrl z", "Undo"],
        ...places.map(([, word, letter]) => [`g ${letter}`, word]),
    ];
    dialog(
        "Keys",
        h("div", { class: "keys" }, rows.map(([keys, word]) => [h("kbd", keys), h("span", word)])),
    );
}
