// One device and the devices around: the list that ticks, and the sheet with what can be done.
import { fill, h, mark, say } from "../dom.js";
import { keyed } from "../list.js";
import { button, toggle } from "../controls.js";
import { bars, signalWords, spoken, state as stateMark, symbol } from "../marks.js";
import { clock, count, dBm, deviceName, deviceText, distance, heard, span } from "../text.js";
import { dialog } from "../overlays.js";

const kinds = {
    flockfinder: "FlockFinder",
    wifiset: "Wi-Fi set-up",
    nightlight: "Nightlight",
    bulb: "Bulb",
    other: "",
};

/// What there is for a device: the word, and the page that opens with it.
export function pageOf({ id, kind, address }) {
    if (kind === "wifiset") return ["Set up", `wifi/device/${id}`];
    if (kind === "nightlight") return ["Open", `nightlights/${address.replaceAll(":", "")}`];
    if (kind === "bulb") return ["Open", `bulbs/${id}`];
    return ["Explore", `explorer/device/${id}`];
}

/// The state of a device as a mark and a word.
export function stateWords(device, { away, notKnown, time }) {
    if (away) return stateMark("unknown", notKnown);
    if (device.state === "connected") return stateMark("connected", "Connected");
    if (device.state === "connecting") return stateMark("connecting", "Connecting");
    if (device.state === "lost") {
        const seconds = Math.max(0, Math.ceil((Date.parse(device.next_try) - time) / 1000));
        return stateMark("lost", seconds > 0 ? `Lost, trying again in ${seconds} s` : "Lost, trying again");
    }
    return stateMark("none", "Not connected");
}

/// The list "Devices around", strongest kinds first; its element is filled by refresh() and its ages move
/// with tick().
export function deviceList(app) {
    const list = h("ul", { class: "around-list" });
    const total = h("span", { class: "hint" });
    const near = h("button", {
        class: "button icon",
        type: "button",
        "aria-pressed": "false",
        "aria-label": "Show only FlockFinders, lamps, bulbs and Wi-Fi devices",
        onclick: () => {
            mark(near, "aria-pressed", String(near.getAttribute("aria-pressed") !== "true"));
            refresh();
        },
    }, symbol("filter", 18));
    const order = ["flockfinder", "wifiset", "nightlight", "bulb", "other"];
    const detail = (device) => {
        const words = [
            device.note || kinds[device.kind],
            app.away && device.last_heard
                ? `heard at ${clock(device.last_heard)}`
                : heard(device.last_heard, app.time),
        ];
        // What it is may be cut, when it was heard never.
        const [what, when] = words[0] ? words : [words[1], null];
        const said = what[0].toUpperCase() + what.slice(1);
        return when ? [`${said},`, ` ${when}`] : [said, ""];
    };
    const row = () => {
        const element = h("li", { class: "around-row" });
        element.signal = h("span");
        element.name = h("div", { class: "cut" });
        element.what = h("span", { class: "cut" });
        element.when = h("span", { class: "when" });
        element.action = h("div", { class: "around-action" });
        element.append(
            element.signal,
            h(
                "div",
                { class: "name" },
                element.name,
                h("div", { class: "hint" }, element.what, element.when),
            ),
            element.action,
        );
        return element;
    };
    const update = (element, device) => {
        element.device = device;
        const alive = device.rssi !== null && app.time - Date.parse(device.last_heard) < 30000;
        const shape = JSON.stringify([
            device.rssi,
            alive,
            device.state,
            deviceText(device),
            device.kind,
            app.unknown,
        ]);
        if (shape === element.shape) return;
        element.shape = shape;
        fill(
            element.signal,
            bars(device.rssi, alive),
            spoken(alive ? signalWords(device.rssi) : "Not heard for 30 s or more"),
        );
        fill(element.name, deviceName(device));
        fill(element.action, action(device));
    };
    const action = (device) => {
        const name = deviceText(device);
        if (device.kind === "flockfinder") {
            if (app.unknown) return h("span", { class: "hint" }, "Not known");
            if (device.state === "connected") return h("span", { class: "connected" }, "Connected");
            return button("Connect", (self) => app.run(self, () => app.hub.connect(device.id)), {
                kind: "small",
                label: `Connect ${name}`,
            });
        }
        const [word, page] = pageOf(device), kind = device.kind === "other" ? "" : "button small";
        // Without the hub, or its radio, none of these pages could do anything.
        if (app.unknown) return h("span", { class: `${kind} locked`, "aria-disabled": "true" }, word);
        return h("a", { class: kind, href: `#/${page}`, "aria-label": `${word} ${name}` }, word);
    };
    const refresh = () => {
        const all = [...app.hub.state.devices.values()], only = near.getAttribute("aria-pressed") === "true";
        const shown = all.filter((device) => !only || device.kind !== "other").sort((a, b) =>
            order.indexOf(a.kind) - order.indexOf(b.kind) || a.id - b.id
        );
        say(total, count(all.length));
        keyed(list, shown, (device) => device.id, row, update);
        tick();
    };
    const tick = () => {
        for (const element of list.children) {
            // One that has just gone is not named again: its name would be told from the others' for ever.
            if (element.device && app.hub.state.devices.has(element.device.id)) {
                update(element, element.device);
                const [what, when] = detail(element.device);
                say(element.what, what);
                say(element.when, when);
            }
        }
    };
    const element = h(
        "div",
        h(
            "div",
            { class: "card-head" },
            h("h2", "Devices around"),
            total,
            h("span", { class: "grow" }),
            near,
        ),
        list,
    );
    return { element, refresh, tick };
}

/// The sheet of a device (or, without one, only the devices around).
export function deviceSheet(app, id) {
    const answer = h("div", { class: "answer", role: "status" });
    const around = deviceList(app);
    const top = h("div", { class: "stack" });
    const device = () => app.hub.state.devices.get(id);
    const [received, refused, strength, near, since] = [0, 1, 2, 3, 4].map(() => h("span"));
    const figure = (value, word) =>
        h("div", h("div", { class: "figure" }, value), h("div", { class: "label" }, word));
    const answered = (done) =>
        fill(answer, symbol("check", 20), h("span", `Answered in ${done.milliseconds} ms: ${done.answer}`));
    const command = (word, name) =>
        button(word, (self) => app.run(self, () => app.hub.command(id, name), answered));
    const choice = (title, text, on, change) =>
        h(
            "div",
            { class: "line-row" },
            h("div", { class: "grow" }, h("div", title), h("div", { class: "hint" }, text)),
            toggle(title, on, (now, self) => app.run(self, () => change(now))),
        );
    const wide = (word, kind, work) =>
        button(word, (self) => app.run(self, work), { kind: `${kind} wide-button` });
    const build = (one) => {
        const connected = one.state === "connected";
        fill(
            top,
            h("div", { class: "octets hint" }, one.address),
            connected && !app.away ? null : h("div", stateWords(one, app)),
            h(
                "div",
                { class: "figures" },
                figure(received, "Received"),
                figure(refused, "Refused"),
                figure(strength, near),
                figure(since, "Connected"),
            ),
            connected
                ? h(
                    "div",
                    { class: "sheet-commands" },
                    command("Ping", "PING"),
                    command("Status", "STATUS"),
                    command("Reset counters", "RESET"),
                )
                : null,
            connected ? answer : null,
            connected
                ? choice(
                    "Raw stream",
                    "Everything the device hears, shown in Debug",
                    one.stream,
                    (on) => app.hub.command(id, on ? "stream_on" : "stream_off"),
                )
                : null,
            choice(
                "Connect by itself",
                "Whenever it is heard",
                one.auto_connect,
                (on) => app.hub.changeDevice(id, { auto_connect: on }),
            ),
            connected
                ? wide("Disconnect", "danger", () => app.hub.disconnect(id))
                : wide("Connect", "main", () => app.hub.connect(id)),
        );
    };
    let shape;
    const draw = () => {
        const one = device();
        around.refresh();
        if (!one) return;
        // Built again only when another control is wanted, so that the focus and a press in progress stay.
        const wanted = JSON.stringify([one.state, one.stream, one.auto_connect, app.away]);
        if (wanted !== shape) {
            shape = wanted;
            build(one);
        }
        say(received, count(one.received));
        say(refused, count(one.refused));
        say(strength, dBm(one.rssi).replace(" dBm", ""));
        say(near, one.rssi === null ? "Signal" : `dBm, ${distance(one.rssi).toLowerCase()}`);
        say(
            since,
            one.state === "connected"
                ? span(app.time - Date.parse(one.connected_since)).replace(/(h \d+) min/, "$1")
                : "No",
        );
    };
    draw();
    const ends = ["device_changed", "device_gone", "link"].map((name) => app.hub.on(name, draw));
    const timer = setInterval(around.tick, 1000);
    dialog(
        id ? deviceName(device()) : "Choose a device",
        h("div", { class: "stack" }, id ? top : null, around.element),
        {
            sheet: true,
            closed: () => {
                for (const end of ends) end();
                clearInterval(timer);
            },
        },
    );
}
