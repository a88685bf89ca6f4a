// The third step: the password, which is nowhere but in its field until it is sent.
import { fill, h, mark } from "../dom.js";
import { symbol } from "../marks.js";
import { button, toggle } from "../controls.js";
import { heading, networkName, note } from "./wifi-parts.js";

const octets = (text) =>
    [...new TextEncoder().encode(text)].map((one) => one.toString(16).padStart(2, "0")).join("");
const lengths = { wep: "5 or 13 characters", unknown: "Nothing, if it is open" };

/// The fields of a network: its name where it is typed, its password, the reason when it is refused; and what sends it.
///
/// `words` are what is on the button; `again` is whether it may be kept for the next device.
export function passwordForm(page, network, words, { again = false } = {}) {
    const { app } = page, isOpen = network.security === "open";
    const refused = h("p", { class: "refused", id: "wifi-refused", role: "alert", hidden: true });
    const clear = (field) => {
        refused.hidden = true;
        mark(field, "aria-invalid", null);
    };
    const field = h("input", {
        class: "field",
        type: "password",
        id: "wifi-password",
        autocomplete: "off",
        autocapitalize: "off",
        autocorrect: "off",
        spellcheck: "false",
        maxlength: 256,
        placeholder: lengths[network.typed ? "unknown" : network.security] ?? "8 to 63 characters",
        "aria-label": network.typed ? "Password" : `Password of ${networkName(network).title}`,
        "aria-describedby": "wifi-refused",
        oninput: () => clear(field),
        onkeydown: (event) => {
            if (event.key === "Enter") send.click();
        },
    });
    const name = h("input", {
        class: "field",
        id: "wifi-name",
        autocomplete: "off",
        autocapitalize: "off",
        spellcheck: "false",
        maxlength: 32,
        "aria-label": "Name of the network",
        "aria-describedby": "wifi-refused",
        oninput: () => clear(name),
    });
    const eye = button(symbol("eye"), () => {
        const shown = field.type === "text";
        field.type = shown ? "password" : "text";
        mark(eye, "aria-label", shown ? "Show the password" : "Hide the password");
        fill(eye, symbol(shown ? "eye" : "eyeoff"));
        field.focus();
    }, { kind: "icon", label: "Show the password" });
    const keep = again
        ? toggle("Use it for the next device too", Boolean(page.wantsAgain), (on) => page.wantsAgain = on)
        : null;
    const refuse = (reason, where) => {
        fill(refused, symbol("warn", 18), h("span", reason));
        refused.hidden = false;
        mark(where, "aria-invalid", "true");
        where.focus();
    };
    const send = button(words, (self) => {
        if (network.typed && !name.value) return refuse("Type the name first.", name);
        const wanted = network.typed
            ? { typed: true, ssid: name.value, ssid_octets: octets(name.value), security: null }
            : network;
        return app.run(self, async () => {
            try {
                await page.send(wanted, isOpen ? "" : field.value, Boolean(page.wantsAgain) && !isOpen);
                field.value = "";
                field.type = "password";
            } catch (error) {
                refuse(
                    error.message,
                    network.typed && /name/.test(error.message) ? name : isOpen ? send : field,
                );
            }
        });
    }, { kind: "main wide-button" });
    const element = h(
        "div",
        { class: "wifi-form" },
        network.typed ? h("div", h("label", { for: "wifi-name" }, "Name of the network"), name) : null,
        isOpen ? null : h(
            "div",
            h(
                "label",
                { for: "wifi-password" },
                network.typed ? "Password" : ["Password of ", networkName(network)],
            ),
            h("div", { class: "search" }, symbol("lock", 18), field, eye),
        ),
        refused,
        keep && !isOpen
            ? h(
                "label",
                { class: "wifi-keep" },
                keep,
                h("span", "Use it for the next device too. Forgotten when this page is left."),
            )
            : null,
    );
    return { element, send, field: network.typed ? name : isOpen ? send : field };
}

export function passwordView(page) {
    const network = page.chosen;
    const form = passwordForm(
        page,
        network,
        h("span", { class: "cut" }, "Send to ", h("bdi", page.deviceWords)),
        {
            again: true,
        },
    );
    const title = network.typed ? ["Hidden network"] : [networkName(network)];
    const risk = network.security === "open"
        ? "It is open: there is no password, and anyone nearby can listen."
        : network.security === "wep"
        ? "It is secured with WEP, which is easily broken."
        : null;
    const capture = h(
        "p",
        { class: "note warn" },
        symbol("warn", 18),
        h("span", "The hub captures its radio’s traffic: the capture will hold the password."),
    );
    return {
        element: h(
            "section",
            { class: "card wifi-panel" },
            heading(title),
            risk ? h("p", { class: "second" }, risk) : null,
            form.element,
            capture,
            note(),
            h(
                "div",
                { class: "actions" },
                form.send,
                h("a", { class: "button wide-only", href: `#/wifi/${page.id}` }, "Choose another network"),
            ),
        ),
        focus: form.field,
        refresh: () => capture.hidden = !page.app.hub.state.hub?.capture.running,
    };
}
