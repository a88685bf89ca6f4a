// One value in words: large and live, what it says beside its octets, what describes it.
import { fill, h } from "../dom.js";
import { air, count, counted, plain } from "../text.js";
import { copyButton } from "../controls.js";
import { dump, length, spaced } from "./explorer-octets.js";
import { incompleteWords, shortUUID, unitWords, valueWords } from "./explorer-words.js";

/// The live value: a large number with its unit, or words.
export function liveWords(value, one, listens) {
    if (typeof value.plotted === "number") {
        const text = Number.isInteger(value.plotted)
            ? count(value.plotted)
            : String(Number(value.plotted.toPrecision(6)));
        return [
            h("span", { class: text.length > 9 ? "live-words" : "live-number" }, text.replace("-", "\u2212")),
            value.unit
                ? h(
                    "span",
                    { class: "live-unit" },
                    unitWords(value.unit),
                )
                : null,
        ];
    }
    if (value.error) return h("span", { class: "hint" }, "No value");
    if (value.octets === null || value.octets === undefined) {
        return h(
            "span",
            { class: "hint" },
            listens ? "Nothing has come yet" : valueWords(value, one).words,
        );
    }
    const { words } = valueWords(value, one);
    return h("span", { class: words.length > 24 ? "live-words small" : "live-words" }, air(words));
}

/// The cards of a value and of its descriptors: {said, descriptors, draw}.
export function saidCards() {
    const said = h("section", { class: "card value-said", "aria-label": "Value" });
    const descriptors = h("section", { class: "card value-descriptors", "aria-label": "Descriptors" });
    let shape = null;
    return {
        said,
        descriptors,
        /// Draws a characteristic and the value that is its newest.
        draw(one, value, listens) {
            const octets = value.octets, fields = value.fields ?? [];
            // A few octets that say nothing more stand large above already.
            const isSaid = !fields.length && !value.text && length(octets) <= 6 &&
                typeof value.plotted !== "number";
            said.hidden = octets === null || octets === undefined || isSaid;
            const now = JSON.stringify([
                one.value_handle,
                octets,
                value.text,
                fields,
                value.misfit,
                value.incomplete,
                isSaid,
                listens,
            ]);
            if (now !== shape) {
                shape = now;
                const isShort = length(octets) <= 8, incomplete = incompleteWords(value);
                if (!said.hidden) {
                    fill(
                        said,
                        h(
                            "div",
                            { class: "card-head" },
                            h("h2", { class: "card-title" }, "Value"),
                            h("span", { class: "grow" }),
                            isShort ? h("span", { class: "octets" }, spaced(octets) || "Empty") : [
                                h("span", { class: "hint" }, counted(length(octets), "octet")),
                                copyButton(octets, "Copy the octets"),
                            ],
                        ),
                        fields.length
                            ? h(
                                "dl",
                                { class: "value-fields" },
                                fields.map((field) =>
                                    h("div", h("dt", air(field.name)), h("dd", air(field.value)))
                                ),
                            )
                            : value.text
                            ? h("p", { class: "value-text" }, air(value.text))
                            : null,
                        value.misfit ? h("p", { class: "hint" }, plain(value.misfit, 300)) : null,
                        incomplete ? h("p", { class: "hint" }, incomplete) : null,
                        isShort ? null : h("pre", {
                            class: "octets value-octets",
                            tabindex: "0",
                            role: "region",
                            "aria-label": "Octets",
                        }, dump(octets, 8)),
                    );
                }
                // What switches values on is read once; while values are listened to it is on.
                const own = one.descriptors ?? [];
                descriptors.hidden = own.length === 0;
                fill(
                    descriptors,
                    h("div", { class: "card-head" }, h("h2", { class: "card-title" }, "Descriptors")),
                    h(
                        "dl",
                        { class: "value-fields" },
                        own.map((it) =>
                            h(
                                "div",
                                h(
                                    "dt",
                                    air(it.name ?? "Unknown"),
                                    " ",
                                    h("span", { class: "octets hint" }, shortUUID(it.uuid)),
                                ),
                                h("dd", air(it.uuid === "2902" && listens ? "on" : valueWords(it).words)),
                            )
                        ),
                    ),
                );
            }
        },
    };
}
