// What lies over a page for a while: toasts, dialogs and sheets.
import { h, holdFocus } from "./dom.js";
import { symbol } from "./marks.js";
import { plain } from "./text.js";

const lasts = 6000;
let toasts;

/// Puts what is said where it covers nothing that it is about: at the bottom, or at the top while what has the focus,
/// or what was pressed for it, stands there.
function keepClear() {
    const held = document.activeElement,
        isLow = (one) => one?.getBoundingClientRect().height <= innerHeight / 2;
    const within = [".long-row, li, .setting, .note", "dialog"].map((name) => held?.closest(name)).find(
        isLow,
    );
    const about = within ?? held;
    // What is being pressed in it stays where it is.
    if (toasts.contains(held)) return;
    toasts.classList.remove("high");
    if (!about || (about.contains(toasts) && !about.matches("dialog"))) return;
    const [one, other] = [about, toasts].map((element) => element.getBoundingClientRect());
    // What is as large as the window cannot be left free.
    if (one.height > innerHeight / 2) return;
    const isOver = one.bottom > other.top && one.top < other.bottom && one.right > other.left &&
        one.left < other.right;
    toasts.classList.toggle("high", isOver);
}

/// Says something for 6 s, longer while it has the focus or the pointer; `undo` is called when that is
/// wanted.
export function toast(text, undo) {
    if (!toasts) {
        toasts = h("div", { class: "toasts", role: "status", "aria-live": "polite" });
        document.addEventListener("focusin", () => toasts.firstChild && keepClear());
    }
    // A dialog covers all that is not in it.
    const place = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
    if (toasts.parentNode !== place) place.append(toasts);
    const element = h("div", { class: "toast" }, h("bdi", plain(text)));
    let timer;
    const close = () => {
        clearTimeout(timer);
        element.remove();
    };
    const start = () => {
        timer = setTimeout(close, lasts);
    };
    if (undo) {
        element.append(h("button", {
            class: "button small",
            type: "button",
            onclick: () => {
                close();
                undo();
            },
        }, "Undo"));
    }
    for (const name of ["pointerenter", "focusin"]) element.addEventListener(name, () => clearTimeout(timer));
    for (const name of ["pointerleave", "focusout"]) element.addEventListener(name, start);
    toasts.replaceChildren(element);
    keepClear();
    start();
    return close;
}

/// Takes back what was said last, if it is still there and can be.
export function undo() {
    const take = toasts?.querySelector("button");
    take?.click();
    return Boolean(take);
}

/// Lets a sheet follow the finger that takes it at its top; far enough down it closes.
export function followFinger(element, close) {
    let from = null;
    element.addEventListener("pointerdown", (event) => {
        const { top, height } = element.getBoundingClientRect();
        from = height && event.clientY - top < 40 && !event.target.closest("button") ? event.clientY : null;
        if (from !== null) element.setPointerCapture(event.pointerId);
    });
    element.addEventListener("pointermove", (event) => {
        if (from !== null) element.style.transform = `translateY(${Math.max(0, event.clientY - from)}px)`;
    });
    for (const name of ["pointerup", "pointercancel"]) {
        element.addEventListener(name, (event) => {
            const far = from !== null && event.clientY - from > 80;
            from = null;
            element.style.transform = "";
            if (far && name === "pointerup") close();
        });
    }
}

/// A dialog, on a phone a sheet if wanted: closes by ×, Escape, a touch beside it or a drag down.
///
/// `actions` are [word, kind, action]; an action that returns false keeps it open. A touch beside a `firm` one means nothing.
export function dialog(title, content, { sheet = false, firm = false, actions = [], closed } = {}) {
    const close = () => element.close();
    const bringBack = holdFocus(document.body);
    const element = h(
        "dialog",
        { class: sheet ? "sheet" : "", "aria-label": typeof title === "string" ? title : title.textContent },
        h(
            "div",
            { class: "sheet-head" },
            h("h2", title),
            h(
                "button",
                { class: "button icon close", type: "button", "aria-label": "Close", onclick: close },
                symbol("close"),
            ),
        ),
        content,
        actions.length
            ? h(
                "div",
                { class: "actions" },
                actions.map(([word, kind, action]) =>
                    h("button", {
                        class: `button ${kind}`,
                        type: "button",
                        onclick: async () => {
                            if (await action() !== false) close();
                        },
                    }, word)
                ),
            )
            : null,
    );
    element.addEventListener("click", (event) => {
        // Whoever follows a link to another page has done with it.
        if ((event.target === element && !firm) || event.target.closest("a[href^='#/']")) close();
    });
    element.addEventListener("close", () => {
        if (element.contains(toasts)) document.body.append(toasts);
        element.remove();
        closed?.();
        // What opened it may have been made anew meanwhile.
        if (document.activeElement === document.body) bringBack();
    });
    if (sheet) followFinger(element, close);
    document.body.append(element);
    element.showModal();
    return element;
}
