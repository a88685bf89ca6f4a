// Names that several devices, or several sources, have: the end of the address tells them apart.
import { h } from "./dom.js";

// The addresses that were met under a name, by kind and name.
const met = new Map();
// A name that so many have is one that repeats, whoever else comes; of so many names some are forgotten.
const mostAddresses = 64, mostNames = 20000;
const keyOf = (kind, name) => `${kind} ${name}`;

/// Notes who has a name, and answers how its address ends where others have the name, too, or `always`; else null.
export function endOf(kind, name, address, always = false) {
    if (!address) return null;
    const key = keyOf(kind, name), addresses = met.get(key) ?? new Set();
    if (!addresses.has(address) && addresses.size < mostAddresses) {
        if (met.size >= mostNames) met.clear();
        met.set(key, addresses.add(address));
        // Whoever was drawn before, or is being drawn, is told apart as well.
        if (addresses.size === 2) queueMicrotask(() => tellApart(key));
    }
    return always || addresses.size > 1 ? `…${address.slice(-5)}` : null;
}

/// Who is gone needs nobody to be told from it.
export function forget(kind, name, address) {
    met.get(keyOf(kind, name))?.delete(address);
}

/// An element with a name: followed by the end of its address as soon as somebody else has the name, or where
/// `always` says so.
export function told(element, kind, name, address, always = false) {
    const end = endOf(kind, name, address, always);
    element.named = { key: keyOf(kind, name), address };
    return end ? withEnd(element, end) : element;
}

const withEnd = (element, end) => h("span", { class: "told" }, element, nameEnd(end));
/// The end of an address beside a name, in the letters of the name.
export const nameEnd = (end) => h("span", { class: "told-end" }, end);

function tellApart(key) {
    for (const element of document.querySelectorAll(".air")) {
        const { named, parentElement } = element;
        if (named?.key !== key || parentElement.classList.contains("told")) continue;
        const mark = document.createComment("");
        element.replaceWith(mark);
        mark.replaceWith(withEnd(element, `…${named.address.slice(-5)}`));
    }
}
