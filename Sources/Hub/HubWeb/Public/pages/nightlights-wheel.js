// The colour wheel with its white middle, the dimmer under it, and the last colours; by pointer, touch and keys.
import { fill, h, mark } from "../dom.js";
import { symbol } from "../marks.js";
import { fromHSV, toHSV } from "./nightlights-time.js";

const usual = ["#ff9a2e", "#ff5c9e", "#ffd79c", "#7b6cff", "#30a6ff", "#39c98b", "#ffffff"];
const stored = "lantern.colours";

/// The seven colours that were used last.
export function lastColours() {
    let own = [];
    try {
        own = JSON.parse(localStorage.getItem(stored) ?? "[]").filter((one) => /^#[0-9a-f]{6}$/.test(one));
    } catch {
        // A browser that keeps nothing has the usual ones.
    }
    return [...new Set([...own, ...usual])].slice(0, 7);
}
export function rememberColour(color) {
    try {
        const now = lastColours().filter((one) => one !== color);
        localStorage.setItem(stored, JSON.stringify([color, ...now].slice(0, 7)));
    } catch {
        // As above.
    }
}

/// What a hue is called, for those who do not see the wheel.
function hueWord({ hue, saturation }) {
    if (saturation < 0.12) return "White";
    const words = [
        "Red",
        "Orange",
        "Yellow",
        "Lime",
        "Green",
        "Turquoise",
        "Cyan",
        "Sky blue",
        "Blue",
        "Violet",
        "Magenta",
        "Pink",
    ];
    return words[Math.round(hue / 30) % 12];
}

/// A control for one colour; `change` gets the colour, and whether that was the end of a move.
export function colourControl(color, change, { wheel: hasWheel = true } = {}) {
    let value = toHSV(color);
    if (!value.brightness) value.brightness = 0.01;
    const thumb = h("span", { class: "wheel-thumb", "aria-hidden": "true" });
    const wheel = h(
        "div",
        {
            class: "wheel",
            role: "slider",
            tabindex: "0",
            "aria-label": "Colour",
            "aria-valuemin": 0,
            "aria-valuemax": 359,
        },
        h("span", { class: "wheel-white", "aria-hidden": "true" }),
        thumb,
    );
    const dimmer = h("input", {
        class: "dimmer",
        type: "range",
        min: 1,
        max: 100,
        "aria-label": "Brightness",
        oninput: () => set({ ...value, brightness: dimmer.value / 100 }, false),
        onchange: () => set({ ...value, brightness: dimmer.value / 100 }, true),
    });
    const level = h("span", { class: "dimmer-level" });
    const swatches = h("div", { class: "swatches", role: "group", "aria-label": "Last colours" });
    const element = h(
        "div",
        { class: "colour-control" },
        hasWheel ? wheel : null,
        h("div", { class: "dimmer-row" }, symbol("sun", 18), dimmer, level),
        swatches,
    );

    const current = () => fromHSV(value);
    function draw() {
        const full = fromHSV({ ...value, brightness: 1 });
        const angle = value.hue * Math.PI / 180;
        thumb.style.left = `${50 + 50 * value.saturation * Math.cos(angle)}%`;
        thumb.style.top = `${50 + 50 * value.saturation * Math.sin(angle)}%`;
        thumb.style.background = full;
        mark(wheel, "aria-valuenow", Math.round(value.hue) % 360);
        mark(
            wheel,
            "aria-valuetext",
            `${hueWord(value)}, ${Math.round(value.saturation * 100)}% colour, ${
                Math.round(value.brightness * 100)
            }% bright`,
        );
        const percent = Math.max(1, Math.round(value.brightness * 100));
        if (Number(dimmer.value) !== percent) dimmer.value = percent;
        dimmer.style.setProperty("--full", full);
        dimmer.style.setProperty("--now", current());
        level.textContent = `${percent}%`;
        const now = current();
        for (const one of swatches.children) mark(one, "aria-pressed", String(one.dataset.color === now));
    }
    function set(next, isFinal) {
        value = next;
        draw();
        change(current(), isFinal);
    }
    function drawSwatches() {
        fill(
            swatches,
            lastColours().map((one) => {
                const swatch = h("button", {
                    class: "swatch",
                    type: "button",
                    "data-color": one,
                    "aria-label": `${hueWord(toHSV(one))}, ${one}`,
                    onclick: () => set(toHSV(one), true),
                });
                swatch.style.background = one;
                return swatch;
            }),
        );
    }

    let dragging = false;
    const point = (event, isFinal) => {
        const { left, top, width, height } = wheel.getBoundingClientRect();
        const x = (event.clientX - left) / width * 2 - 1, y = (event.clientY - top) / height * 2 - 1;
        const distance = Math.hypot(x, y);
        // The middle is white, and easy to hit.
        const saturation = distance * width / 2 < 13 ? 0 : Math.min(1, distance);
        const hue = (Math.atan2(y, x) * 180 / Math.PI + 360) % 360;
        set({ ...value, hue: saturation ? hue : value.hue, saturation }, isFinal);
    };
    wheel.addEventListener("pointerdown", (event) => {
        dragging = true;
        wheel.setPointerCapture(event.pointerId);
        wheel.focus({ preventScroll: true });
        point(event, false);
    });
    wheel.addEventListener("pointermove", (event) => dragging && point(event, false));
    wheel.addEventListener("pointerup", (event) => {
        if (dragging) point(event, true);
        dragging = false;
    });
    wheel.addEventListener("pointercancel", () => dragging = false);
    wheel.addEventListener("keydown", (event) => {
        const step = event.shiftKey ? 1 : 5;
        const { hue, saturation } = value;
        const next = {
            ArrowRight: { hue: hue + step },
            ArrowLeft: { hue: hue - step },
            ArrowUp: { saturation: saturation + step / 100 },
            ArrowDown: { saturation: saturation - step / 100 },
            Home: { saturation: 0 },
            End: { saturation: 1 },
        }[event.key];
        if (!next) return;
        event.preventDefault();
        const one = { ...value, ...next };
        set({
            hue: (one.hue + 360) % 360,
            saturation: Math.max(0, Math.min(1, one.saturation)),
            brightness: one.brightness,
        }, true);
    });
    drawSwatches();
    draw();
    return {
        element,
        get color() {
            return current();
        },
        /// Shows another colour without telling.
        show(next) {
            if (dragging || next === current()) return;
            const read = toHSV(next);
            // A white or black one has no hue: the thumb stays.
            value = {
                ...read,
                hue: read.saturation ? read.hue : value.hue,
                brightness: read.brightness || 0.01,
            };
            draw();
        },
        again: drawSwatches,
    };
}
