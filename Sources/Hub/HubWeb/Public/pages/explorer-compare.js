// Two saves side by side: what was added, removed and changed between them.
import { h } from "../dom.js";
import { symbol } from "../marks.js";
import { air, clock, counted, day, plain } from "../text.js";
import { button } from "../controls.js";
import { bytesOf, length, spaced } from "./explorer-octets.js";
import { shortUUID } from "./explorer-words.js";

const changes = {
    added: ["tag-ok", "Added"],
    removed: ["tag-removed", "Removed"],
    changed: ["tag-warn", "Changed"],
};
const whats = {
    service: "Service",
    characteristic: "Characteristic",
    descriptor: "Descriptor",
    name: "Name",
    type: "Type",
    includes: "Included services",
    properties: "Properties",
    value: "Value",
    incomplete: "First part only",
    error: "Refusal",
};
const longest = 96;

/// `answer` is {before, after, items}; `swap` turns the two around.
export function compareView({ before, after, items }, swap) {
    const side = (word, one) =>
        h(
            "div",
            { class: "card compare-side" },
            h("div", { class: "label" }, word),
            h(
                "h2",
                { class: "cut" },
                h("a", { href: `#/explorer/save/${one.id}` }, h("bdi", plain(one.name, 100))),
            ),
            h(
                "div",
                { class: "hint cut" },
                `${day(one.time)}, ${clock(one.time)}, ${counted(one.services, "service")}, ${
                    counted(one.values, "value")
                }`,
            ),
        );
    const counts = ["added", "removed", "changed"].map((
        change,
    ) => [change, items.filter((one) => one.change === change).length])
        .filter(([, number]) => number).map(([change, number]) => `${number} ${change}`);
    return h(
        "div",
        { class: "compare" },
        h(
            "div",
            { class: "compare-sides" },
            side("Before", before),
            button(symbol("refresh", 18), swap, { kind: "icon filled", label: "Swap the two" }),
            side("After", after),
        ),
        items.length ? h("p", { class: "hint compare-count", role: "status" }, counts.join(", ")) : h(
            "div",
            { class: "empty" },
            h("h2", "No difference"),
            h("p", "Both have the same services, properties and values."),
        ),
        items.length
            ? h("ul", { class: "card compare-list", "aria-label": "Differences" }, items.map(row))
            : null,
    );
}

function row({ change, what, title, service, before, after }) {
    const [look, word] = changes[change] ?? ["tag-quiet", change];
    const isHex = (text) => text !== null && /^([0-9a-f]{2})*$/i.test(text);
    const octets = what === "value" ||
        ((before === null || isHex(before)) && (after === null || isHex(after)) && what === "characteristic");
    return h(
        "li",
        h(
            "div",
            { class: "compare-head" },
            h("span", { class: `tag ${look}` }, word),
            h("span", { class: "cut" }, air(title ?? "Name of the device")),
            h(
                "span",
                { class: "hint" },
                whats[what] ?? what,
                service ? [", ", h("span", { class: "octets" }, shortUUID(service))] : null,
            ),
        ),
        h(
            "div",
            { class: "compare-two" },
            half("Before", before, after, octets),
            half("After", after, before, octets),
        ),
    );
}

function half(word, text, other, isOctets) {
    const spokenWord = h("span", { class: "spoken" }, `${word}: `);
    if (text === null) return h("div", { class: "none" }, spokenWord, "Not there");
    if (!isOctets) return h("div", spokenWord, air(text));
    if (text === "") return h("div", { class: "none" }, spokenWord, "Empty");
    const bytes = bytesOf(text), printable = bytes.every((byte) => byte >= 32 && byte < 127);
    return h(
        "div",
        spokenWord,
        h("div", { class: "octets" }, pairs(text, other ?? text)),
        printable && bytes.length > 1
            ? h("div", { class: "hint cut" }, `“${String.fromCharCode(...bytes.slice(0, 80))}”`)
            : null,
        length(text) > longest ? h("div", { class: "hint" }, counted(length(text), "octet")) : null,
    );
}

/// Octets, those that differ from the other side's marked.
function pairs(text, other) {
    const own = spaced(text).split(" ").slice(0, longest), others = spaced(other).split(" "), parts = [];
    for (const [index, pair] of own.entries()) {
        const differs = pair !== others[index], last = parts.at(-1);
        if (last?.differs === differs) last.text += ` ${pair}`;
        else parts.push({ differs, text: pair });
    }
    return parts.flatMap(({ differs, text: words }) => [differs ? h("mark", words) : words, " "]);
}
