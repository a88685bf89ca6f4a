// The tab Devices of a phone: what wants something now, what is at home, the tools.
import { fill, h } from "../dom.js";
import { state as stateMark, symbol } from "../marks.js";
import { counted, dBm, deviceName } from "../text.js";
import { deviceSheet } from "./device-card.js";
import { addButton } from "./device-dialogs.js";
import { linesAMinute } from "./debug-lines.js";
import { Home } from "./devices-home.js";

/// What shines, as dots: full ones now, rings for what was.
function dots({ colors, isNow }) {
    if (!colors.length) return null;
    return h(
        "span",
        { class: isNow ? "light-dots" : "light-dots was", "aria-hidden": "true" },
        colors.map((color) => {
            const dot = h("i");
            dot.style.setProperty("--light", color);
            return dot;
        }),
    );
}

export function open(app) {
    app.main.className = "reading";
    // It goes on while other pages are looked at, and so knows how they have left the lights.
    const home = app.home ??= new Home(app);
    const shape = () => {
        const devices = [...app.hub.state.devices.values()],
            of = (kind) => devices.filter((device) => device.kind === kind);
        const waiting = of("wifiset"),
            finder = of("flockfinder")[0],
            lamps = of("nightlight"),
            bulbs = of("bulb");
        app.head("Devices", app.away ? app.asOf : `${counted(devices.length, "device")} around`);
        const tile = (page, drawn, title, text, warm, beside) => {
            const inside = [
                h("span", { class: warm ? "tile warm" : "tile plain" }, symbol(drawn)),
                beside,
                h("span", { class: "tile-title" }, title),
                h("span", { class: "hint" }, text),
            ];
            return page ? h("a", { class: "card home-tile", href: `#/${page}` }, inside) : h("button", {
                class: "card home-tile",
                type: "button",
                onclick: () => deviceSheet(app, finder?.id),
            }, inside);
        };
        const tool = (page, drawn, title, text) =>
            h(
                "a",
                { class: "tool", href: `#/${page}` },
                h("span", { class: "tile plain" }, symbol(drawn)),
                h("span", { class: "grow" }, h("span", title), h("span", { class: "hint" }, text)),
                symbol("right", 18),
            );
        const connected = finder?.state === "connected", { unknown } = app;
        const lampLight = home.lampWords(lamps), bulbLight = home.bulbWords(bulbs);
        // What was seen of a light holds without the radio, too; what is near does not.
        const near = (devices, word) =>
            unknown ?? (devices.length ? `${counted(devices.length, word)} near` : "None near");
        fill(
            app.main,
            h(
                "div",
                { class: "devices" },
                unknown ? null : waiting.map((device) =>
                    h(
                        "section",
                        { class: "card wants" },
                        h("span", { class: "tile warm" }, symbol("wifi")),
                        h(
                            "div",
                            { class: "grow" },
                            h(
                                "div",
                                { class: "cut" },
                                deviceName(device, true),
                            ),
                            h(
                                "div",
                                { class: "hint" },
                                device.state === "none" ? "Is near and needs Wi-Fi" : "Is being set up",
                            ),
                        ),
                        device.state === "none"
                            ? h("a", { class: "button main", href: `#/wifi/device/${device.id}` }, "Set up")
                            : h("a", { class: "button", href: "#/wifi" }, "Open"),
                    )
                ),
                h("h2", "At home"),
                h(
                    "div",
                    { class: "tiles" },
                    tile(
                        "nightlights",
                        "nightlights",
                        "Nightlights",
                        lampLight.text ?? near(lamps, "lamp"),
                        lampLight.isLit,
                        dots(lampLight),
                    ),
                    tile(
                        "bulbs",
                        "bulbs",
                        "Bulbs",
                        bulbLight.text ?? near(bulbs, "bulb"),
                        bulbLight.isLit,
                        dots(bulbLight),
                    ),
                    tile(
                        "wifi",
                        "wifi",
                        "Wi-Fi set-up",
                        unknown ??
                            (waiting.length
                                ? `${counted(waiting.length, "device")} ${
                                    waiting.length === 1 ? "waits" : "wait"
                                }`
                                : "No device is waiting"),
                        waiting.length > 0 && !unknown,
                    ),
                    tile(
                        null,
                        "scanner",
                        "FlockFinder",
                        unknown ??
                            (connected
                                ? `Connected, ${dBm(finder.rssi)}`
                                : finder
                                ? "Not connected"
                                : "None near"),
                        false,
                        connected && !unknown ? stateMark("live", "") : null,
                    ),
                ),
                h("h2", "Tools"),
                h(
                    "div",
                    { class: "card tools" },
                    tool(
                        "explorer",
                        "explorer",
                        "Explorer",
                        unknown ?? `${counted(devices.length, "device")} heard`,
                    ),
                    tool("overflow", "overflow", "Overflow", unknown ?? home.overflowWords),
                    tool(
                        "debug",
                        "debug",
                        "Debug stream",
                        app.away ? app.asOf : `${counted(linesAMinute(), "line")} a minute`,
                    ),
                ),
                app.away ? null : addButton(app, [symbol("plus", 18), "Add a device by its address"], {
                    kind: "quiet add-device",
                }),
            ),
        );
    };
    let drawn = 0, timer = null;
    const soon = () => {
        timer ??= setTimeout(() => {
            timer = null;
            if (!app.main.contains(document.activeElement) || document.activeElement === app.main) shape();
        }, Math.max(0, 2000 - (Date.now() - drawn)));
        drawn = Date.now();
    };
    const ends = ["device_changed", "device_gone"].map((name) => app.hub.on(name, soon));
    home.changed = soon;
    home.fetch();
    let ticks = 0;
    return {
        refresh: shape,
        // Ages on it are of minutes.
        tick: () => (ticks += 1) % 30 || soon(),
        close: () => {
            for (const end of ends) end();
            home.changed = () => {};
            clearTimeout(timer);
        },
    };
}
