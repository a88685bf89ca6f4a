// SPDX-License-Identifier: Apache-2.0
// The line above the pages that says what they show where no hub is, and changes it: an air of their own, or devices that
// a person chooses from this browser's Bluetooth.
import { button, copy } from "./controls.js";
import { fill, h } from "./dom.js";
import { symbol } from "./marks.js";
import { dialog, toast } from "./overlays.js";
import { clock } from "./text.js";

const kinds = [
    ["flockfinder", "FlockFinder", ["scanner", "map", "history"]],
    ["wifiset", "Wi-Fi device", ["wifi"]],
    ["nightlight", "Nightlight", ["nightlights"]],
    ["bulb", "Bulb", ["bulbs"]],
];
const noBluetooth =
    "This browser has no Bluetooth for pages (Safari and Firefox have none): use a hub, or Chrome or Edge.";

export class SourceBar {
    constructor(app, transport) {
        Object.assign(this, { app, transport });
        this.element = h("div", { class: "source", role: "region", "aria-label": "What these pages show" });
        fill(this.element, transport.bluetooth ? this.real() : this.invented());
        if (transport.bluetooth) this.stayAwake();
        transport.faulted = () => this.sayFault();
        if (transport.report) this.sayFault();
    }

    /// Says that the engine had to begin anew, until somebody has read it.
    sayFault() {
        const { time, text } = this.transport.report;
        const said = h(
            "div",
            { class: "source-fault", role: "status" },
            h("p", `The engine of this page had to begin anew at ${clock(time, true)}.`),
            button("Copy the report", () => copy(text, "Copied. It has nothing that you have typed."), {
                kind: "small",
            }),
            button(symbol("close", 18), () => said.remove(), { kind: "icon small", label: "Close" }),
        );
        this.fault?.remove();
        this.fault = said;
        this.element.append(said);
    }

    invented() {
        return [
            h("p", "Demo: these devices are invented, on an air inside this page."),
            navigator.bluetooth
                ? button("Use this browser's Bluetooth", () => this.transport.choose("bluetooth"), {
                    kind: "small",
                })
                : h("p", { class: "hint" }, noBluetooth),
        ];
    }

    real() {
        return [
            h(
                "p",
                "This browser's Bluetooth: only devices that you choose. Scanning all devices needs a hub.",
            ),
            button("Choose a device", () => this.offer(), { kind: "small" }),
            button("Files", () => this.files(), { kind: "small" }),
            button("Demo", () => this.transport.choose("air"), { kind: "small" }),
        ];
    }

    /// Offers the kinds of devices, that of the page first, and any device.
    offer() {
        const page = document.documentElement.dataset.page;
        const [first, ...others] = [...kinds].sort((one, two) =>
            two[2].includes(page) - one[2].includes(page)
        );
        const field = h("input", {
            type: "text",
            id: "own-services",
            placeholder: "180D, 12345678-…",
            spellcheck: "false",
        });
        const choose = (kind) => () => this.choose(kind, field.value, sheet);
        const sheet = dialog(
            "Choose a device",
            h(
                "div",
                { class: "stack" },
                h(
                    "p",
                    { class: "second" },
                    "The browser lists what is near. Switch the device on and keep it close.",
                ),
                h(
                    "div",
                    { class: "formats" },
                    button(first[1], choose(first[0]), { kind: "main" }),
                    others.map(([kind, word]) => button(word, choose(kind))),
                ),
                h("label", { for: "own-services" }, "Services of another device, by UUID"),
                field,
                h(
                    "p",
                    { class: "hint" },
                    "A page sees only services that are named before. Browsers hide serial numbers (2A25) and refuse keyboards and other input devices (1812).",
                ),
                button("Any device", choose(null)),
            ),
            { sheet: true },
        );
    }

    async choose(kind, services, sheet) {
        const named = services.split(/[\s,;]+/).filter(Boolean);
        const wrong = named.find((one) =>
            !/^(0x)?([\da-f]{4}|[\da-f]{8}|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/i.test(one)
        );
        if (wrong) return toast(`${wrong} is not a UUID: write 4, 8 or 32 hex digits.`);
        try {
            const name = await this.transport.bluetooth.choose(kind, named);
            if (name === null) return toast("No device was chosen.");
            sheet?.close?.();
            toast(`${name} is chosen.`);
        } catch (error) {
            toast(error.message);
        }
    }

    /// Offers to import detections, and says where they are exported.
    files() {
        const input = h("input", {
            type: "file",
            id: "import-file",
            accept: ".json,.csv,.gpx,.wiglecsv,.gz",
        });
        const take = async () => {
            const [file] = input.files;
            if (!file) return toast("Choose a file first.");
            try {
                const { bring, tell } = await import("./pages/history-import.js");
                const answer = await bring(this.transport, file);
                sheet.close();
                tell(file, answer);
            } catch (error) {
                toast(error.message);
            }
        };
        const sheet = dialog(
            "Files",
            h(
                "div",
                { class: "stack" },
                h(
                    "label",
                    { for: "import-file" },
                    "Detections that a hub, another browser, FlockFinder's app, flock-you, WiGLE or Kismet has exported (JSON, CSV; GPX has drives, too)",
                ),
                input,
                button("Import", take, { kind: "main" }),
                h(
                    "p",
                    { class: "second" },
                    "History exports what it shows. On a hub, type ",
                    h("code", { class: "octets" }, "lantern detections import FILE"),
                    ": what is there already is not taken twice.",
                ),
            ),
            { sheet: true },
        );
    }

    /// Keeps the screen awake while a FlockFinder is connected and the page is seen.
    stayAwake() {
        const isWanted = () =>
            !document.hidden &&
            [...this.app.hub.state.devices.values()].some((device) =>
                device.kind === "flockfinder" && device.state === "connected"
            );
        const change = async () => {
            if (this.isAskingForLock) return;
            if (!isWanted()) {
                this.lock?.release().catch(() => {});
                this.lock = null;
            } else if (!this.lock || this.lock.released) {
                this.isAskingForLock = true;
                this.lock = await navigator.wakeLock?.request("screen").catch(() => null);
                this.isAskingForLock = false;
                // The device may have gone meanwhile.
                if (this.lock && !isWanted()) change();
            }
        };
        this.app.hub.on("device_changed", change);
        document.addEventListener("visibilitychange", change);
    }
}
