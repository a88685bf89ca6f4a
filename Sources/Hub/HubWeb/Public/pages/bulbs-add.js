// Another bulb: a device that does not say that it is one. The hub looks at what it has before anything is written.
import { h } from "../dom.js";
import { bars, signalWords, spoken } from "../marks.js";
import { deviceName, deviceText } from "../text.js";
import { button } from "../controls.js";
import { dialog } from "../overlays.js";

export function addBulb(page) {
    const { app } = page;
    const near = [...app.hub.state.devices.values()]
        .filter(({ kind, connectable, state, rssi }) =>
            kind === "other" && connectable && state === "none" && rssi !== null
        )
        .sort((a, b) => b.rssi - a.rssi).slice(0, 30);
    const found = dialog(
        "Another bulb",
        h(
            "div",
            h(
                "p",
                { class: "second" },
                near.length
                    ? "Nearby devices that do not say what they are, the strongest first. Lantern looks at what a device offers before " +
                        "it writes anything to it."
                    : "No nearby device could be a bulb. Switch the bulb on, close its own app, and open this again.",
            ),
            h(
                "ul",
                { class: "bulb-others" },
                near.map((device) =>
                    h(
                        "li",
                        bars(device.rssi),
                        spoken(signalWords(device.rssi)),
                        h(
                            "div",
                            { class: "grow" },
                            h("div", { class: "cut" }, deviceName(device)),
                            h("div", { class: "octets hint" }, device.address),
                        ),
                        button("Look", () => {
                            found.close();
                            page.look(device.id);
                        }, { label: `Check whether ${deviceText(device)} is a bulb` }),
                    )
                ),
            ),
        ),
        { sheet: true },
    );
}
