// The colour wheel with its dimmer, and rows of colours to choose from; pages lay them out.
//
//     const picker = colourPicker({
//         colour: "#7C6BFF",                // what it shows at first
//         label: "Colour of the lamp",      // the name of the wheel for a screen reader; the dimmer is "Brightness"
//         input: (colour) => {},            // while a finger moves, with "#RRGGBB" as it is to be sent, dimmed
//         change: (colour) => {},           // once it is let go, and after each key
//     });
//     picker.element      the wheel and under it the dimmer; picker.wheel and picker.dimmer are its two parts
//     picker.colour       "#RRGGBB", dimmed;  picker.full: the same at full brightness;  picker.level: 0 to 1
//     picker.set(colour)  shows another one; while somebody moves it nothing happens, so that no answer tears it away
//     picker.disable(on)  no finger and no key moves it
//
//     swatches({colours: ["#FF5C9E", …], chosen: "#FF5C9E", choose: (colour) => {}, last: element})
//
// Hue goes around from red at the right, towards yellow clockwise; white is in the middle. Keys: left and right
// turn, up and down go outwards and inwards, 5 at a time and 1 with Shift; Home is white.
import { h, mark, say } from "./dom.js";
import { symbol } from "./marks.js";
import { colourName, partsOf, textOf } from "./colours.js";

/// How near its middle the wheel is white, in pixels: a target of 26.
const whiteWithin = 13;

export function colourPicker({ colour, label = "Colour", input, change }) {
    return new ColourPicker(colour, label, input ?? (() => {}), change ?? (() => {}));
}

class ColourPicker {
    constructor(colour, label, input, change) {
        Object.assign(this, { input, change });
        this.thumb = h("div", {
            class: "wheel-thumb",
            role: "slider",
            tabindex: "0",
            "aria-label": label,
            "aria-valuemin": "0",
            "aria-valuemax": "360",
            "aria-description":
                "Left and right turn the hue, up and down make it stronger and paler, Home is white.",
            onkeydown: (event) => this.key(event),
        });
        this.wheel = h(
            "div",
            { class: "wheel" },
            h("div", { class: "wheel-white", "aria-hidden": "true" }),
            this.thumb,
        );
        this.range = h("input", {
            class: "dimmer",
            type: "range",
            min: "0",
            max: "100",
            step: "1",
            "aria-label": "Brightness",
            oninput: () => this.dim(this.input),
            onchange: () => this.dim(this.change),
        });
        this.percent = h("output", { class: "dimmer-value", "aria-hidden": "true" });
        this.dimmer = h("div", { class: "dimmer-row" }, symbol("sun"), this.range, this.percent);
        this.element = h("div", { class: "colour-picker" }, this.wheel, this.dimmer);
        this.follow();
        this.parts = { hue: 0, saturation: 0, level: 1 };
        this.set(colour);
    }

    get colour() {
        return textOf(this.parts);
    }
    get full() {
        return textOf({ ...this.parts, level: 1 });
    }
    get level() {
        return this.parts.level;
    }

    set(colour) {
        if (this.isHeld || this.colour === colour?.toUpperCase()) return this.draw();
        this.parts = partsOf(colour, this.parts);
        this.draw();
    }

    disable(on) {
        this.isDisabled = on;
        mark(this.thumb, "aria-disabled", on && "true");
        mark(this.wheel, "aria-disabled", on && "true");
        this.range.disabled = on;
    }

    /// The wheel follows a mouse, a pen or a finger.
    follow() {
        const { wheel } = this;
        const take = (event) => {
            const { left, top, width, height } = wheel.getBoundingClientRect();
            const x = event.clientX - left - width / 2, y = event.clientY - top - height / 2;
            const distance = Math.hypot(x, y);
            const saturation = distance <= whiteWithin ? 0 : Math.min(1, distance / (width / 2));
            const hue = saturation ? (Math.atan2(y, x) * 180 / Math.PI + 360) % 360 : this.parts.hue;
            // Of something dark nobody would see which colour was chosen.
            this.parts = { hue, saturation, level: this.parts.level || 1 };
            this.draw();
        };
        wheel.addEventListener("pointerdown", (event) => {
            if (event.button || this.isDisabled) return;
            event.preventDefault();
            wheel.setPointerCapture(event.pointerId);
            this.isHeld = true;
            this.thumb.focus({ preventScroll: true });
            take(event);
            this.input(this.colour);
        });
        wheel.addEventListener("pointermove", (event) => {
            if (!this.isHeld) return;
            take(event);
            this.input(this.colour);
        });
        for (const name of ["pointerup", "pointercancel"]) {
            wheel.addEventListener(name, () => {
                if (!this.isHeld) return;
                this.isHeld = false;
                this.change(this.colour);
            });
        }
        this.range.addEventListener("pointerdown", () => this.isHeld = true);
        for (const name of ["pointerup", "pointercancel", "blur"]) {
            this.range.addEventListener(name, () => this.isHeld = false);
        }
    }

    key(event) {
        const step = event.shiftKey ? 1 : 5;
        let { hue, saturation, level } = this.parts;
        switch (event.key) {
            case "ArrowRight":
                hue += step;
                break;
            case "ArrowLeft":
                hue -= step;
                break;
            case "PageUp":
                hue += 30;
                break;
            case "PageDown":
                hue -= 30;
                break;
            case "ArrowUp":
                saturation += step / 100;
                break;
            case "ArrowDown":
                saturation -= step / 100;
                break;
            case "Home":
                saturation = 0;
                break;
            case "End":
                saturation = 1;
                break;
            default:
                return;
        }
        event.preventDefault();
        if (this.isDisabled || event.ctrlKey || event.metaKey || event.altKey) return;
        // A turn of what is white, or of what is dark, would be seen by nobody.
        if (hue !== this.parts.hue && !saturation) saturation = 1;
        this.parts = {
            hue: (hue + 360) % 360,
            saturation: Math.min(1, Math.max(0, saturation)),
            level: level || 1,
        };
        this.draw();
        this.change(this.colour);
    }

    dim(tell) {
        this.parts.level = Number(this.range.value) / 100;
        this.draw();
        tell(this.colour);
    }

    draw() {
        const { full, parts: { hue, saturation, level } } = this;
        const angle = hue * Math.PI / 180, percent = Math.round(level * 100);
        for (const part of [this.wheel, this.dimmer]) part.style.setProperty("--full", full);
        this.thumb.style.left = `${50 + 50 * saturation * Math.cos(angle)}%`;
        this.thumb.style.top = `${50 + 50 * saturation * Math.sin(angle)}%`;
        mark(this.thumb, "aria-valuenow", String(Math.round(hue) % 360));
        const words = saturation
            ? `${colourName(full)}, hue ${Math.round(hue) % 360}°, ${Math.round(saturation * 100)}% strong`
            : "White";
        mark(this.thumb, "aria-valuetext", words);
        if (Number(this.range.value) !== percent) this.range.value = String(percent);
        mark(this.range, "aria-valuetext", `${percent}%`);
        say(this.percent, `${percent}%`);
    }
}

/// A row of colours to choose from; `last` is what stands at its end, such as a button that adds one.
export function swatches({ colours, chosen, choose, last = null, label = "Colours" }) {
    return h(
        "div",
        { class: "swatches", role: "group", "aria-label": label },
        colours.map((colour) => {
            const one = h("button", {
                class: "swatch",
                type: "button",
                "aria-label": `${colourName(colour)} ${colour}`,
                "aria-pressed": String(colour === chosen),
                title: colour,
                onclick: () => choose(colour),
            }, h("i"));
            one.style.setProperty("--colour", colour);
            return one;
        }),
        last,
    );
}
