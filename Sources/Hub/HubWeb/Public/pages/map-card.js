// SPDX-License-Identifier: Apache-2.0
// What is known of the chosen source or camera: in a card at its pin, on a phone in a sheet.
import { fill, h } from "../dom.js";
import { button } from "../controls.js";
import {
    bars,
    detectionMark,
    isQuiet,
    signalWords,
    spoken,
    sureRing,
    symbol,
    tags,
    types,
} from "../marks.js";
import { air, alias, counted, dBm, distance, heading, percent, plain } from "../text.js";
import { toast } from "../overlays.js";
import { turned } from "../own-marks.js";
import { whereWords } from "./map-list.js";
import { clusterPicture, knownPicture } from "./map-pictures.js";

/// What is in a card; `isSheet` on a phone. `page` has app, hub, close().
export function cardContent(page, item, isSheet) {
    if (item.kind === "known") return knownContent(page, item, isSheet);
    if (item.kind === "cluster") return clusterContent(page, item, isSheet);
    const name = types[item.type]?.[0] ?? "Unknown";
    const known = item.confidence !== null && item.confidence !== undefined;
    const seen = isSheet ? `, seen ${item.count === 1 ? "once" : `${item.count} times`}` : "";
    const flag = (key, drawn, word) => {
        const element = button([symbol(drawn, 18), word], () => flip(page, item, key, element));
        element.setAttribute("aria-pressed", String(Boolean(item[key])));
        return element;
    };
    const actions = h(
        "div",
        { class: "card-actions", inert: page.app.away },
        h(
            "a",
            { class: "button main", href: `#/history/source/${item.id}` },
            isSheet ? "Why it was raised" : "Why",
        ),
        flag("mine", "mine", "Mine"),
        flag("muted", "mute", item.muted ? "Muted" : "Mute"),
    );
    const sightings = counted(item.count, "sighting");
    const figures = isSheet
        ? [
            figure("Strongest", bars(item.rssi), spoken(distance(item.rssi)), dBm(item.rssi)),
            known
                ? figure(
                    "Confidence",
                    sureRing(item.confidence, item.type),
                    h("span", { "aria-hidden": "true" }, percent(item.confidence)),
                )
                : null,
            figure("Where", whereWords(item)),
        ]
        : [
            figure(
                "Where",
                item.radius ? `${whereWords(item)} from ${sightings}` : whereWords(item),
            ),
            figure("Strongest", bars(item.rssi), signalWords(item.rssi)),
        ];
    return [
        top(
            page,
            h("div", { class: isQuiet(item) ? "faint" : "" }, detectionMark(item.type, "soft", 40)),
            [h("h2", name), tags(item)],
            [alias(item), seen],
            isSheet,
            true,
        ),
        h("div", { class: "card-figures" }, figures),
        actions,
    ];
}

/// `isName`: the second line is a name, which is cut; else it is a sentence.
function top(page, picture, first, second, isSheet, isName = false) {
    return h(
        "div",
        { class: "card-top" },
        picture,
        h(
            "div",
            { class: "name" },
            h("div", { class: "first" }, first),
            h("div", { class: isName ? "hint cut" : "hint" }, second),
        ),
        button(symbol("close", isSheet ? 20 : 16), () => page.choose(null), {
            kind: "icon close",
            label: "Close",
        }),
    );
}

const figure = (word, ...value) =>
    h("div", h("div", { class: "label" }, word), h("div", { class: "value" }, value));

function knownContent(page, item, isSheet) {
    const sides = [...new Set((item.directions ?? []).map(heading))];
    const looks = sides.length ? `To the ${sides.join(", ")}` : "Not known";
    return [
        top(
            page,
            knownPicture(40),
            h("h2", { class: "cut" }, item.name ? air(item.name) : "Known camera"),
            ["From a map that others made, not heard by Lantern"],
            isSheet,
        ),
        h(
            "div",
            { class: "card-figures" },
            figure("From", air(item.set)),
            figure("Looks", looks),
            item.reference ? figure("There", h("bdi", { class: "octets" }, plain(item.reference))) : null,
        ),
    ];
}

/// The sources of a cluster that stand so close that no zoom parts them.
function clusterContent(page, item, isSheet) {
    const { sources, total } = item;
    const row = (source) =>
        h(
            "li",
            h(
                "button",
                {
                    class: "source-row",
                    type: "button",
                    onclick: () => page.choose(source, { wantsCard: true }),
                },
                detectionMark(source.type, "soft", 32),
                h(
                    "span",
                    { class: "name" },
                    h("span", { class: "first" }, types[source.type]?.[0] ?? "Unknown", " ", tags(source)),
                    h("span", { class: "hint cut" }, alias(source)),
                ),
                spoken(signalWords(source.rssi)),
                bars(source.rssi),
            ),
        );
    return [
        top(page, clusterPicture(item, 40), h("h2", counted(item.count, "source")), [
            "Too close together to show apart on the map",
        ], isSheet),
        sources
            ? h("ul", { class: "card-sources" }, sources.map(row))
            : h("p", { class: "hint" }, "Asking for them"),
        sources && total > sources.length
            ? h(
                "p",
                { class: "hint" },
                `The ${sources.length} newest of ${total}. `,
                h("a", { href: "#/history" }, "History"),
                " lists them all.",
            )
            : null,
    ];
}

/// Marks the source as its detail does, and offers to take it back.
function flip(page, item, key, element) {
    const { app, hub } = page, { values, words, back } = turned(item, key);
    app.run(element, () => hub.changeSource(item.id, values), () => {
        toast(words, () => app.run(null, () => hub.changeSource(item.id, back)));
    });
}

/// The card at a pin, and the sheet of a phone: one of both is shown.
export class MapCard {
    constructor(page, view, sheet) {
        Object.assign(this, { page, view, sheet });
        this.body = h("div", { class: "map-card", role: "group", "aria-label": "Chosen" });
        const { left, top } = view.insets();
        this.popup = view.leaflet.popup({
            closeButton: false,
            closeOnClick: false,
            closeOnEscapeKey: false,
            autoClose: false,
            minWidth: 308,
            maxWidth: 308,
            offset: [0, -22],
            autoPanPaddingTopLeft: [left + 12, top + 12],
            autoPanPaddingBottomRight: [80, 12],
            className: "map-popup",
        });
        this.popup.setContent(this.body);
    }

    /// Shows an item, or nothing; what has the focus within keeps it.
    show(item, isSmall) {
        const shape = item && JSON.stringify([item, isSmall, this.page.app.away]);
        if (shape === this.shape) return;
        const isNew = item?.key !== this.key || isSmall !== this.isSmall;
        this.shape = shape;
        this.key = item?.key;
        this.isSmall = isSmall;
        this.sheet.hidden = !item || !isSmall;
        if (!item) {
            this.popup.remove();
            fill(this.sheet);
            return;
        }
        if (isSmall) {
            this.popup.remove();
            fill(this.sheet, h("span", { class: "handle" }), cardContent(this.page, item, true));
            return;
        }
        fill(this.sheet);
        fill(this.body, cardContent(this.page, item, false));
        if (isNew) this.popup.setLatLng(this.view.at(item)).openOn(this.view.map);
        else this.popup.setLatLng(this.view.at(item));
    }

    /// The pixels that a card takes beside and above its pin.
    get room() {
        const card = this.body.closest(".map-popup");
        return this.isSmall || !card
            ? {}
            : { beside: card.offsetWidth / 2 + 12, above: card.offsetHeight + 34 };
    }
    get element() {
        return this.isSmall ? this.sheet : this.body;
    }
    focus() {
        this.element.querySelector("a, button:not(.close)")?.focus({ preventScroll: true });
    }
}
