// SPDX-License-Identifier: Apache-2.0
// What the map says beside what it draws: where tiles come from, what is missing, what to do.
import { fill, h, mark } from "../dom.js";
import { copyButton } from "../controls.js";
import { percent, plain } from "../text.js";

/// The line at the foot of the map.
export function drawNote(page) {
    const { settings, hub } = page.hub.state, map = settings.map ?? { tiles: "none" };
    const file = map.tiles === "file" ? hub.map_file : null, isPlain = map.tiles !== "server" && !file;
    const { progress } = page.data;
    const choose = page.hub.transport.forgets ? null : h("a", { href: "#/settings/map" }, "Choose a map");
    const failing = map.tiles === "server" && page.tiles && !page.tiles.came && page.tiles.lost > 3;
    const look = page.note.classList, isUsual = progress === null && !failing && !page.isBlocked;
    look.toggle("is-quiet", isUsual && isPlain);
    look.toggle("is-thanks", isUsual && !isPlain);
    const shape = JSON.stringify([progress, failing, page.isBlocked, map, file]);
    if (page.note.shape === shape) return;
    page.note.shape = shape;
    if (progress !== null) {
        fill(page.note, `The map is being made from what is stored, ${percent(progress)}`);
    } else if (page.isBlocked) {
        const again = h("button", {
            class: "button small",
            type: "button",
            onclick: () => location.reload(),
        });
        again.textContent = "Load this page again";
        fill(page.note, "Another map server was chosen", again);
    } else if (failing) fill(page.note, "The map server does not answer", choose);
    else if (map.tiles === "file" && !file) {
        fill(page.note, "The hub has no map file, nothing is fetched", choose);
    } else if (isPlain) fill(page.note, "No map server is set, nothing is fetched", choose);
    else fill(page.note, h("bdi", plain((file ? file.attribution || file.name : map.attribution) ?? "")));
    page.note.hidden = !page.note.textContent;
}

/// Without Leaflet there is a list, and no view.
export function setPlain(page, isPlain) {
    page.isPlain = isPlain;
    page.whole.classList.toggle("is-plain", isPlain);
    const title = isPlain ? "Sources" : "In view";
    mark(page.sidebar, "aria-label", title);
    page.list.name(title);
}

/// What lies over a map that has nothing to show, and what the list says then.
export function drawPane(page, kind = kindOf(page)) {
    page.pane.hidden = !["missing", "nothing", "unplaced", "away"].includes(kind);
    if (page.pane.kind === kind) return;
    page.pane.kind = kind;
    const words = panes[kind]?.(page) ?? [];
    fill(page.pane, page.pane.hidden ? [] : h("div", { class: "card empty" }, words));
    page.list.empty(page.pane.hidden ? words : h("p", "Nothing in view"));
}

function kindOf({ data, app, hub, filters, layers }) {
    if (!data.isKnown) return app.away ? "away" : "asking";
    if (data.pins.length || data.clusters.length) return data.whole ? "some" : "view";
    if (data.progress !== null || !data.whole) return "view";
    if (data.whole.sources > 0) return "view";
    if (filters.count) return "filtered";
    if (!layers.on.quiet && hub.state.hub.storage.sources) return "quiet";
    return hub.state.hub.storage.sources ? "unplaced" : "nothing";
}

const link = (href, word) => h("a", { class: "button", href }, word);
const act = (word, action) => h("button", { class: "button", type: "button", onclick: action }, word);

const panes = {
    missing: ({ app }) => {
        const [text, install] = app.hub.transport.words.leaflet;
        return [
            h("h2", "The map needs Leaflet"),
            h("p", text),
            install
                ? h(
                    "div",
                    { class: "command" },
                    h("code", { class: "octets" }, install),
                    copyButton(install, "Copy"),
                )
                : null,
            link("#/history", "Open History"),
        ];
    },
    nothing: ({ app }) => [
        h("h2", "Nothing noticed yet"),
        h("p", `Where cameras were noticed is shown here. ${app.hub.transport.words.finder}`),
        link("#/scanner", "Open Scanner"),
    ],
    unplaced: () => [
        h("h2", "No place is known yet"),
        h(
            "p",
            "What was noticed so far has no place. Tell Lantern where it is, and the next detections have one.",
        ),
        link("#/settings/location", "Set the place"),
    ],
    away: ({ app }) => [
        h("h2", app.notKnown),
        h("p", "The map appears here by itself when it is back."),
    ],
    asking: () => [h("p", "Asking what is here.")],
    quiet: (page) => [
        h("h2", "Everything here has a mark"),
        h("p", "Sources that are mine, muted or a false alarm are left out."),
        act("Show muted and mine", () => page.layers.set("quiet", true)),
    ],
    filtered: (page) => [
        h("h2", "Nothing matches"),
        h("p", "The filters hide everything."),
        act("Clear filters", () => page.filters.clear()),
    ],
    view: (page) => [
        h("h2", "Nothing in view"),
        h("p", "Move the map, or zoom out."),
        act("Show everything", () => showEverything(page)),
    ],
};

async function showEverything(page) {
    page.wantsAll = true;
    await page.data.ask();
}
