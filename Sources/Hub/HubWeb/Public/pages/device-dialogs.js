// What is asked about a device: a name of one's own, and the address of one that was not heard yet.
import { fill, h, mark } from "../dom.js";
import { button } from "../controls.js";
import { symbol } from "../marks.js";
import { air, deviceText } from "../text.js";
import { dialog, toast } from "../overlays.js";

export function rename(app, device) {
    const field = h("input", {
        class: "field",
        maxlength: 60,
        "aria-label": "Name",
        value: device.own_name ?? "",
    });
    dialog(
        "Rename",
        h(
            "div",
            { class: "stack" },
            h(
                "p",
                { class: "second" },
                "It calls itself ",
                device.name ? air(device.name) : "nothing",
                ". An empty name gives it that name back.",
            ),
            field,
        ),
        {
            sheet: true,
            actions: [[
                "Keep",
                "main",
                () =>
                    app.hub.changeDevice(device.id, { own_name: field.value.trim() || null }).catch(
                        (error) => {
                            toast(error.message);
                            return false;
                        },
                    ),
            ]],
        },
    );
    field.focus();
}

/// What brings another device: its address, or the browser's own choice; null where all that there are come by themselves.
export function addButton(app, words, options) {
    const { transport } = app.hub;
    if (!transport.lacks.address) return button(words, () => addDevice(app), options);
    return transport.offer ? button("Choose a device", transport.offer, options) : null;
}

/// Asks for the address of a FlockFinder that is off, far away or does not say its name.
export function addDevice(app) {
    const refused = h("p", { id: "address-refused", class: "refused", role: "alert", hidden: true });
    const address = h("input", {
        class: "field octets",
        maxlength: 60,
        autocomplete: "off",
        autocapitalize: "characters",
        spellcheck: "false",
        placeholder: "F0:F1:F2:F3:F4:F5",
        "aria-describedby": "address-refused",
        oninput: () => {
            mark(address, "aria-invalid", null);
            refused.hidden = true;
        },
    });
    const name = h("input", { class: "field", maxlength: 60, autocomplete: "off" });
    const refuse = (words) => {
        fill(refused, symbol("warn", 18), h("span", words));
        refused.hidden = false;
        mark(address, "aria-invalid", "true");
        address.focus();
        return false;
    };
    const add = async () => {
        const text = address.value.trim();
        if (!text) return refuse("Type the address first.");
        try {
            const device = await app.hub.addDevice(text, name.value.trim() || null);
            const when = device.auto_connect ? " Lantern connects to it as soon as it is heard." : "";
            toast(`${deviceText(device)} is known now.${when}`);
        } catch (error) {
            return refuse(error.message);
        }
    };
    dialog(
        "Add a device",
        h(
            "div",
            { class: "stack" },
            h(
                "p",
                { class: "second" },
                "For a FlockFinder that is off or far away. Its address is in its log and in lantern scan; " +
                    "add /P or /R to say that it is public or random.",
            ),
            h("label", "Address", address),
            refused,
            h("label", "A name of your own, if you like", name),
        ),
        { sheet: true, actions: [["Add", "main", add]] },
    );
    address.focus();
}
