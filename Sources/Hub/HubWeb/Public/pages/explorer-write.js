// What is written to a characteristic: typed as hexadecimal, text or a number, with and without a response.
import { h, mark, say } from "../dom.js";
import { symbol } from "../marks.js";
import { counted, plain } from "../text.js";
import { button, segments } from "../controls.js";
import { formats, length, numbers, octetsOf, spaced } from "./explorer-octets.js";

/// The card for writing; `write` gets octets in hexadecimal and whether a response is wanted, and says what was done.
export function writeCard(write) {
    let format = "hex", properties = [], key = null;
    // What was typed and not sent stays with its characteristic.
    const drafts = new Map();
    const field = h("input", {
        class: "field typed-hex",
        type: "text",
        "aria-label": "Value to write",
        maxlength: 3000,
        spellcheck: "false",
        autocomplete: "off",
        autocapitalize: "off",
        oninput: () => check(),
        onkeydown: (event) => {
            if (event.key !== "Enter") return;
            // Else the same key would press what the question has in focus.
            event.preventDefault();
            send();
        },
    });
    const kind = h(
        "select",
        { class: "field", "aria-label": "Kind of number", onchange: () => check() },
        Object.entries(numbers).map(([name, word]) => h("option", { value: name }, word)),
    );
    const order = h(
        "select",
        { class: "field", "aria-label": "Order of octets", onchange: () => check() },
        h("option", { value: "little" }, "Low octet first"),
        h("option", { value: "big" }, "High octet first"),
    );
    const number = h("div", { class: "two", hidden: true }, kind, order);
    const response = h("input", {
        type: "checkbox",
        class: "switch",
        role: "switch",
        checked: true,
        "aria-label": "Wait for the device's response",
    });
    const responseRow = h("label", { class: "plain-tick" }, response, "Wait for the device's response");
    const words = h("span", { class: "hint octets" });
    // Said where the eye is: over the page it would lie on the button.
    const done = h("span", { class: "hint", role: "status" });
    const refusal = h("p", { class: "refused", role: "alert", hidden: true }, symbol("warn", 18), h("span"));
    const sendButton = button("Write", () => send(), { kind: "main" });
    const choice = segments(
        Object.fromEntries(Object.entries(formats).map(([name, { word }]) => [name, word])),
        format,
        (name) => {
            format = name;
            drawFormat();
            check();
        },
    );
    mark(choice, "role", "group");
    mark(choice, "aria-label", "Typed as");
    const element = h(
        "section",
        { class: "card value-write", "aria-label": "Write" },
        h("div", { class: "card-head" }, h("h2", { class: "card-title" }, "Write")),
        choice,
        field,
        refusal,
        number,
        responseRow,
        h("div", { class: "send" }, words, done, sendButton),
    );

    const typed = () => octetsOf(field.value, format, { kind: kind.value, big: order.value === "big" });

    function refuse(text) {
        refusal.hidden = !text;
        mark(field, "aria-invalid", text ? "true" : null);
        if (text) say(refusal.lastChild, plain(text, 400));
    }

    /// What would be sent, as it is typed.
    function check() {
        refuse(null);
        say(done, "");
        if (key !== null) drafts.set(key, field.value);
        try {
            const octets = field.value || format === "text" ? typed() : "";
            const shown = octets.length > 48 ? `${spaced(octets.slice(0, 40))} …` : spaced(octets);
            say(
                words,
                octets && format !== "hex" ? shown : field.value ? counted(length(octets), "octet") : "",
            );
        } catch {
            say(words, "");
        }
    }

    function drawFormat() {
        number.hidden = format !== "number";
        field.classList.toggle("typed-hex", format === "hex");
        mark(field, "placeholder", formats[format].example);
        mark(field, "inputmode", format === "number" ? "text" : null);
    }

    async function send() {
        if (sendButton.getAttribute("aria-busy")) return;
        let octets;
        try {
            octets = typed();
            if (octets.length > 1024) {
                throw new Error(`A value has at most 512 octets, this has ${length(octets)}.`);
            }
        } catch (error) {
            refuse(error.message);
            return field.focus();
        }
        mark(sendButton, "aria-busy", "true");
        say(done, "");
        try {
            const text = await write(
                octets,
                properties.includes("write") &&
                    (response.checked || !properties.includes("write_without_response")),
            );
            if (text) say(words, "");
            say(done, text);
        } catch (error) {
            refuse(error.message);
        }
        mark(sendButton, "aria-busy", null);
    }

    drawFormat();
    return {
        element,
        /// Another characteristic, or other properties of it.
        show(of, can) {
            if (of === key && properties.join() === can.join()) return;
            const both = can.includes("write") && can.includes("write_without_response");
            if (of !== key) {
                key = of;
                field.value = drafts.get(of) ?? "";
                check();
            }
            properties = can;
            responseRow.hidden = !both;
            say(element.querySelector("h2"), can.includes("write") ? "Write" : "Write without response");
        },
    };
}
