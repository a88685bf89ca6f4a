// What the views of the Wi-Fi set-up share: steps, networks' names, the warning.
import { h } from "../dom.js";
import { busyArc, spoken, symbol } from "../marks.js";
import { air } from "../text.js";

const octets = (digits) => new Uint8Array(digits.match(/../g).map((pair) => parseInt(pair, 16)));

/// A network's name; where it is no text, as much of it as is.
export const networkName = ({ ssid, ssid_octets }) =>
    ssid === null
        ? air(new TextDecoder().decode(octets(ssid_octets)), { title: `Octets ${ssid_octets}` })
        : air(ssid);

/// A step of four: its mark, its word, what else is known, and at the right when.
export function stepRow(state, number, word, text, time) {
    const drawn = state === "done"
        ? symbol("check", 16)
        : state === "failed"
        ? symbol("close", 15)
        : state === "busy"
        ? busyArc(24)
        : String(number);
    const words = { done: "Done:", failed: "Failed:", busy: "Now:", now: "Now:", next: "" }[state];
    return h(
        "li",
        { class: `wifi-step step-${state}`, "aria-current": state === "now" ? "step" : null },
        h("i", { "aria-hidden": "true" }, drawn),
        h(
            "div",
            { class: "grow" },
            words ? spoken(`${words} `) : null,
            h("div", { class: "step-word" }, word),
            text ? h("div", { class: "hint step-text" }, text) : null,
        ),
        time ? h("span", { class: "hint" }, time) : null,
    );
}

export const note = () =>
    h(
        "p",
        { class: "note wifi-note" },
        symbol("unlock", 18),
        h("span", "The password goes over Bluetooth without encryption. Be sure that this is your device."),
    );

/// The head of a view's card.
export const heading = (...words) => h("h2", words);
