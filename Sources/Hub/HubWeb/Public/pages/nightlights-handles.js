// Markers that are dragged along a band, by mouse, finger and keys: steps of 5 minutes, of 1 with Shift.
import { h, mark, say } from "../dom.js";

/// A marker; `read` gives {place (per cent), clock, words, least, most, value} of a minute count, `move` gets a
/// minute count, `end` is called when a move is over.
export function handle(label, { value, read, least, most, move, end, band }) {
    const bubble = h("span", { class: "bubble", "aria-hidden": "true" });
    const element = h(
        "div",
        { class: "grip", role: "slider", tabindex: "0", "aria-label": label },
        h("i", { "aria-hidden": "true" }),
        bubble,
    );
    let now = value, start = null, timer;
    const draw = () => {
        const { place, clock, words } = read(now);
        element.style.left = `${place}%`;
        say(bubble, clock);
        mark(element, "aria-valuemin", Math.round(least()));
        mark(element, "aria-valuemax", Math.round(most()));
        mark(element, "aria-valuenow", Math.round(now));
        mark(element, "aria-valuetext", `${label}, ${words}`);
    };
    const go = (wanted, step) => {
        // On the step of the clock, whatever the marker stood on before.
        const low = Math.ceil(least() / step) * step, high = Math.floor(most() / step) * step;
        const next = Math.max(low, Math.min(high, Math.round(wanted / step) * step));
        if (next === now || low > high) return;
        now = next;
        move(now);
        draw();
    };
    element.addEventListener("pointerdown", (event) => {
        if (event.button) return;
        event.preventDefault();
        event.stopPropagation();
        start = { x: event.clientX, value: now, width: band().getBoundingClientRect().width };
        element.setPointerCapture(event.pointerId);
        element.focus({ preventScroll: true });
        element.classList.add("dragged");
    });
    element.addEventListener("pointermove", (event) => {
        if (!start) return;
        const whole = read(null).span;
        go(start.value + (event.clientX - start.x) / start.width * whole, event.shiftKey ? 1 : 5);
    });
    for (const name of ["pointerup", "pointercancel"]) {
        element.addEventListener(name, () => {
            if (!start) return;
            start = null;
            element.classList.remove("dragged");
            end();
        });
    }
    element.addEventListener("keydown", (event) => {
        const step = event.shiftKey ? 1 : 5;
        const by = {
            ArrowLeft: -step,
            ArrowDown: -step,
            ArrowRight: step,
            ArrowUp: step,
            PageDown: -60,
            PageUp: 60,
        }[event.key];
        if (!by) return;
        event.preventDefault();
        const size = Math.abs(by) === 60 ? 5 : step;
        go(now + by, size);
        clearTimeout(timer);
        // The question comes when the keys rest.
        timer = setTimeout(end, 500);
    });
    draw();
    return {
        element,
        get isDragged() {
            return Boolean(start);
        },
        set(next) {
            now = next;
            draw();
        },
    };
}
