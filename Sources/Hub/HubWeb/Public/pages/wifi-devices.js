// The first step: which device. Those that want a network, as the hub hears them.
import { fill, h } from "../dom.js";
import { bars, signalWords, spoken, symbol } from "../marks.js";
import { deviceName, deviceText, distance } from "../text.js";
import { heading } from "./wifi-parts.js";

export function devicesView(page) {
    const { app } = page;
    const list = h("ul", { class: "wifi-list" });
    const empty = h("div", { class: "empty" });
    const element = h(
        "section",
        { class: "card wifi-choice" },
        h(
            "div",
            { class: "wifi-head" },
            h(
                "div",
                { class: "grow" },
                heading("Choose a device"),
                h(
                    "p",
                    { class: "hint" },
                    "Devices nearby that can be given Wi-Fi over Bluetooth.",
                ),
            ),
        ),
        list,
        empty,
    );
    let jobs = new Map(), shape, asked;
    const ask = async () => {
        try {
            const { items } = await app.hub.jobs.list();
            jobs = new Map(items.filter((job) => job.kind === "wifi").map((job) => [job.device, job.id]));
            refresh();
        } catch {
            // It is asked again when a device changes.
        }
    };
    const isAlive = ({ last_heard }) => Boolean(last_heard) && app.time - Date.parse(last_heard) < 30000;
    const row = (device, only) => {
        const name = deviceText(device), job = jobs.get(device.id), busy = device.state !== "none";
        const done = page.joined.has(device.id);
        const alive = isAlive(device);
        const locked = app.away ? app.notNow : app.isWithoutRadio ? "Needs the radio" : null;
        return h(
            "li",
            { class: "wifi-row" },
            h(
                "span",
                { class: done || device.maybe_wifiset ? "tile plain" : "tile warm" },
                symbol("wifi", 22),
            ),
            h(
                "div",
                { class: "grow" },
                h(
                    "div",
                    { class: "wifi-title" },
                    h("span", { class: "cut" }, deviceName(device)),
                    done ? h("span", { class: "tag tag-ok" }, "Joined") : null,
                ),
                h("div", { class: "octets hint" }, device.address),
                device.maybe_wifiset
                    ? h(
                        "div",
                        { class: "hint" },
                        "May be one: Lantern checks before it writes anything to it",
                    )
                    : null,
                locked ? h("div", { class: "hint" }, locked) : null,
            ),
            h(
                "div",
                { class: "wifi-near" },
                bars(device.rssi, alive || busy),
                h(
                    "span",
                    { class: "hint", "aria-hidden": "true" },
                    alive || busy ? distance(device.rssi) : "Not heard",
                ),
                spoken(alive || busy ? signalWords(device.rssi) : "Not heard for 30 s or more"),
            ),
            locked
                ? h("button", {
                    class: "button",
                    type: "button",
                    disabled: true,
                    "aria-label": `${job ? "Continue with" : "Set up"} ${name}`,
                }, job ? "Continue" : "Set up")
                : job
                ? h(
                    "a",
                    { class: "button", href: `#/wifi/${job}`, "aria-label": `Continue with ${name}` },
                    "Continue",
                )
                : h("a", {
                    class: only ? "button main" : "button",
                    href: `#/wifi/device/${device.id}`,
                    "aria-label": `Set up ${name}`,
                }, "Set up"),
        );
    };
    const refresh = () => {
        const devices = [...app.hub.state.devices.values()]
            .filter((one) => one.kind === "wifiset" || one.maybe_wifiset)
            .sort((a, b) => a.maybe_wifiset - b.maybe_wifiset || a.id - b.id);
        const states = devices.map(({ id, state }) => `${id} ${state}`).join();
        if (states !== asked) {
            asked = states;
            if (!app.away) ask();
        }
        const wants = JSON.stringify([
            devices.map((one) => [one.id, deviceText(one), one.rssi, one.state, isAlive(one)]),
            [...jobs],
            app.unknown,
        ]);
        if (wants === shape) return;
        shape = wants;
        fill(list, devices.map((device) => row(device, devices.length === 1)));
        list.hidden = !devices.length;
        empty.hidden = devices.length > 0;
        fill(
            empty,
            h("h2", app.unknown ?? "No device is waiting"),
            h(
                "p",
                app.unknown
                    ? "Devices that want a network appear here as soon as they are heard again."
                    : "Switch the new device on and bring it near. WiFiSet and Improv devices appear here by themselves.",
            ),
        );
    };
    return { element, refresh, tick: refresh };
}
