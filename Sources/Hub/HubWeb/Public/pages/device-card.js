// One device and the devices around: the list that ticks, and the sheet with what can be done.
import { fill, h, mark, say } from "../dom.js";
import { keyed } from "../list.js";
import { bars, signalWords, spoken, state as stateMark, symbol } from "../marks.js";
import { count, dBm, deviceName, deviceText, distance, heard, span, clock } from "../text.js";
import { dialog } from "../overlays.js";

const kinds = { flockfinder: "FlockFinder", wifiset: "Wi-Fi set-up", nightlight: "Nightlight", bulb: "Bulb", other: "" };

/// The state of a device as a mark and a word.
export function stateWords(device, away) {
    if (away) return stateMark("unknown", "Not known while the hub is away");
    if (device.state === "connected") return stateMark("connected", "Connected");
    if (device.state === "connecting") return stateMark("connecting", "Connecting");
    if (device.state === "lost") {
        const seconds = Math.max(0, Math.ceil((Date.parse(device.next_try) - Date.now()) / 1000));
        return stateMark("lost", seconds > 0 ? `Lost, trying again in ${seconds} s` : "Lost, trying again");
    }
    return stateMark("none", "Not connected");
}

/// The list "Devices around", strongest kinds first; its element is filled by refresh() and its ages move with tick().
export function deviceList(app) {
    const list = h("ul", { class: "around-list" });
    const total = h("span", { class: "hint" });
    const near = h("button", { class: "button icon", type: "button", "aria-pressed": "false", "aria-label": "Only those that something can be done with",
        onclick: () => { mark(near, "aria-pressed", String(near.getAttribute("aria-pressed") !== "true")); refresh(); } }, symbol("filter", 18));
    const order = ["flockfinder", "wifiset", "nightlight", "bulb", "other"];
    const detail = (device) => {
        const words = [device.note || kinds[device.kind], app.away && device.last_heard ? `heard at ${clock(device.last_heard)}` : heard(device.last_heard, app.time)];
        const text = words.filter(Boolean).join(", ");
        return text[0].toUpperCase() + text.slice(1);
    };
    const row = (device) => {
        const element = h("li", { class: "around-row" });
        element.signal = h("span");
        element.name = h("div", { class: "cut" });
        element.detail = h("div", { class: "hint cut" });
        element.action = h("div", { class: "around-action" });
        element.append(element.signal, h("div", { class: "name" }, element.name, element.detail), element.action);
        return element;
    };
    const update = (element, device) => {
        element.device = device;
        const alive = app.time - Date.parse(device.last_heard) < 30000;
        const shape = JSON.stringify([device.rssi, alive, device.state, device.name, device.own_name, device.kind, app.away]);
        if (shape === element.shape) return;
        element.shape = shape;
        fill(element.signal, bars(device.rssi, alive), spoken(alive ? signalWords(device.rssi) : "Not heard for 30 s"));
        fill(element.name, deviceName(device));
        fill(element.action, action(device));
    };
    const action = (device) => {
        const name = deviceText(device);
        if (device.kind === "flockfinder") {
            if (app.away) return h("span", { class: "hint" }, "Not known");
            if (device.state === "connected") return h("span", { class: "connected" }, "Connected");
            const button = h("button", { class: "button small", type: "button", "aria-label": `Connect ${name}`,
                onclick: () => app.run(button, () => app.hub.connect(device.id)) }, "Connect");
            return button;
        }
        const [word, page, kind] = { wifiset: ["Set up", "wifi", "button small"], nightlight: ["Open", "nightlights", "button small"],
            bulb: ["Open", "bulbs", "button small"] }[device.kind] ?? ["Explore", "explorer", ""];
        return h("a", { class: kind, href: `#/${page}`, "aria-label": `${word} ${name}` }, word);
    };
    const refresh = () => {
        const all = [...app.hub.state.devices.values()], only = near.getAttribute("aria-pressed") === "true";
        const shown = all.filter((device) => !only || device.kind !== "other").sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || a.id - b.id);
        say(total, count(all.length));
        keyed(list, shown, (device) => device.id, row, update);
        tick();
    };
    const tick = () => { for (const element of list.children) if (element.device) { update(element, element.device); say(element.detail, detail(element.device)); } };
    const element = h("div", h("div", { class: "card-head" }, h("h2", "Devices around"), total, h("span", { class: "grow" }), near), list);
    return { element, refresh, tick };
}

/// The sheet of a device (or, without one, only the devices around).
export function deviceSheet(app, id) {
    const answer = h("div", { class: "answer", role: "status" });
    const around = deviceList(app);
    const top = h("div", { class: "stack" });
    const device = () => app.hub.state.devices.get(id);
    const draw = () => {
        const one = device();
        around.refresh();
        if (!one) return;
        const figure = (value, word) => h("div", h("div", { class: "figure" }, value), h("div", { class: "label" }, word));
        const command = (word, name) => {
            const button = h("button", { class: "button", type: "button", onclick: () => app.run(button, () => app.hub.command(id, name),
                (done) => fill(answer, symbol("check", 20), h("span", `Answered in ${done.milliseconds} ms: ${done.answer}`))) }, word);
            return button;
        };
        const toggle = (title, text, on, change) => {
            const input = h("input", { type: "checkbox", class: "switch", role: "switch", "aria-label": title, checked: on, onchange: () => app.run(input, () => change(input.checked)) });
            return h("div", { class: "line-row" }, h("div", { class: "grow" }, h("div", title), h("div", { class: "hint" }, text)), input);
        };
        const leave = h("button", { class: "button danger wide-button", type: "button", onclick: () => app.run(leave, () => app.hub.disconnect(id)) }, "Disconnect");
        const join = h("button", { class: "button main wide-button", type: "button", onclick: () => app.run(join, () => app.hub.connect(id)) }, "Connect");
        const connected = one.state === "connected";
        fill(top, h("div", { class: "octets hint" }, one.address), h("div", stateWords(one, app.away)),
            h("div", { class: "figures" }, figure(count(one.received), "Received"), figure(count(one.refused), "Refused"),
                figure(dBm(one.rssi).replace(" dBm", ""), `dBm, ${distance(one.rssi).toLowerCase()}`),
                figure(connected ? span(Date.now() - Date.parse(one.connected_since)).replace(" min", "") : "No", "Connected")),
            connected ? h("div", { class: "sheet-commands" }, command("Ping", "PING"), command("Status", "STATUS"), command("Reset counters", "RESET")) : null, answer,
            connected ? toggle("Raw stream", "Everything the device hears, shown in Debug", one.stream, (on) => app.hub.command(id, on ? "stream_on" : "stream_off")) : null,
            toggle("Connect by itself", "Whenever it is heard", one.auto_connect, (on) => app.hub.changeDevice(id, { auto_connect: on })),
            connected ? leave : join);
    };
    draw();
    const ends = ["device_changed", "device_gone"].map((name) => app.hub.on(name, (event) => {
        if (name === "device_changed" && event.device.id === id && document.activeElement?.closest("dialog")) return around.refresh();
        draw();
    }));
    const timer = setInterval(around.tick, 1000);
    dialog(id ? deviceName(device()) : "Choose a device", h("div", { class: "stack" }, id ? top : null, around.element),
        { sheet: true, closed: () => { for (const end of ends) end(); clearInterval(timer); } });
}
