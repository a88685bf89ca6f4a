// Elements from data. Text goes in as text only: nothing here reads markup.

const svgNamespace = "http://www.w3.org/2000/svg";

function apply(element, properties) {
    for (const [name, value] of Object.entries(properties)) {
        if (value === undefined || value === null || value === false) continue;
        if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
        else if (name === "class") element.setAttribute("class", value);
        else if (name === "value" || name === "checked" || name === "disabled") element[name] = value;
        else element.setAttribute(name, value === true ? "" : String(value));
    }
}

function isContent(value) {
    return value === null || typeof value !== "object" || value instanceof Node || Array.isArray(value);
}

function build(element, rest) {
    const items = rest.length && !isContent(rest[0]) ? (apply(element, rest[0]), rest.slice(1)) : rest;
    for (const item of items.flat(3)) {
        if (item === undefined || item === null || item === false) continue;
        element.append(item instanceof Node ? item : document.createTextNode(String(item)));
    }
    return element;
}

/// An HTML element: `h("p", {class: "hint"}, "text", other)`.
export const h = (tag, ...rest) => build(document.createElement(tag), rest);

/// An SVG element, in the same way.
export const s = (tag, ...rest) => build(document.createElementNS(svgNamespace, tag), rest);

const controls = "a[href], button, input, select, textarea, [tabindex]";
const nameOf = (control) => control.getAttribute("aria-label") ?? control.textContent;

/// Remembers what has the focus within an element.
///
/// The answer brings it back, should it be lost: to the same control, to one of the same name that has taken
/// its place, or to the one that stands there now.
export function holdFocus(within) {
    const held = document.activeElement;
    if (!held || held === within || !within.contains(held)) return () => {};
    const name = nameOf(held), place = [...within.querySelectorAll(controls)].indexOf(held);
    return () => {
        if (document.activeElement === held) return;
        const now = [...within.querySelectorAll(controls)];
        const same = (one) => one.tagName === held.tagName && nameOf(one) === name;
        const next = held.isConnected ? held : now.find(same) ?? now[Math.min(place, now.length - 1)];
        next?.focus({ preventScroll: true });
    };
}

/// Puts what is given in the place of what an element holds, and leaves it alone if nothing has changed.
///
/// What had the focus within has it afterwards.
export function fill(element, ...items) {
    const nodes = items.flat(3).filter((item) => item !== undefined && item !== null && item !== false)
        .map((item) => (item instanceof Node ? item : document.createTextNode(String(item))));
    const now = [...element.childNodes];
    if (
        now.length === nodes.length && now.every((node, index) =>
            node.isEqualNode(nodes[index]) &&
            node.nodeType === Node.TEXT_NODE
        )
    ) return element;
    const bringBack = holdFocus(element);
    element.replaceChildren(...nodes);
    bringBack();
    return element;
}

/// Sets a text when it differs, so that screen readers and selections are left in peace.
export function say(element, text) {
    if (element.textContent !== text) element.textContent = text;
}

/// Sets or takes away an attribute when it differs.
export function mark(element, name, value) {
    if (value === false || value === null || value === undefined) element.removeAttribute(name);
    else if (element.getAttribute(name) !== String(value === true ? "" : value)) {
        element.setAttribute(name, value === true ? "" : value);
    }
}
