// Wi-Fi set-up: device, network, password, joining. What is shown follows from the address, the hub's word and
// what was chosen here; passwords are nowhere but in the field and, when somebody wants that, in `kept`.
import { fill, h, mark, say } from "../dom.js";
import { bars, signalWords, spoken, symbol } from "../marks.js";
import { deviceName, distance, plain } from "../text.js";
import { button } from "../controls.js";
import { toast } from "../overlays.js";
import { connectingView, endedView } from "./wifi-connecting.js";
import { devicesView } from "./wifi-devices.js";
import { networksView } from "./wifi-networks.js";
import { passwordView } from "./wifi-password.js";
import { joiningView } from "./wifi-joining.js";
import { networkName, note, stepRow } from "./wifi-parts.js";

const views = {
    devices: [1, "Choose a device", devicesView],
    connecting: [1, "Connecting", connectingView],
    refused: [1, "Not connected", connectingView],
    ended: [1, "Not connected", endedView],
    networks: [2, "Choose a network", networksView],
    password: [3, "Password", passwordView],
    joining: [4, "Joining", joiningView],
};

const stepWords = {
    sent: "Sent",
    accepted: "Accepted",
    button: "Press the button of the device",
    joining: "Joining",
    joined: "Joined",
    failed: "It could not join",
};

export const open = (app, rest) => new WifiPage(app, rest);

class WifiPage {
    constructor(app, rest) {
        this.app = app;
        this.joined = new Set();
        app.main.className = "reading";
        app.header.classList.add("steps");
        this.count = h("span", { class: "step-count" });
        this.leave = h("a", {
            class: "button icon step-close",
            href: "#/devices",
            "aria-label": "Close",
        }, symbol("close"));
        app.actions.replaceChildren(this.count, this.leave);
        this.card = h("section", { class: "card wifi-device", "aria-label": "Device" });
        this.steps = h("section", { class: "card wifi-steps", "aria-label": "Steps" });
        this.note = note();
        this.stage = h("div", { class: "wifi-stage" });
        this.told = h("p", { class: "spoken", role: "status" });
        app.main.append(
            h(
                "div",
                { class: "wifi" },
                h("div", { class: "wifi-side" }, this.card, this.steps, this.note),
                this.stage,
                this.told,
            ),
        );
        this.narrow = matchMedia("(max-width: 719px)");
        this.turned = () => this.draw();
        this.narrow.addEventListener("change", this.turned);
        this.hidden = () => this.forget();
        addEventListener("pagehide", this.hidden);
        this.ends = [
            app.hub.on("wifi_setup_changed", ({ setup }) => this.take(setup)),
            app.hub.on("state", () => this.fetch()),
            app.hub.on("device_changed", () => this.draw()),
            app.hub.on("device_gone", () => this.draw()),
        ];
        this.timer = setInterval(() => this.keep(), 10000);
        this.begin(rest);
    }

    // MARK: Life

    /// Another address of this page.
    turn(rest) {
        this.begin(rest);
        this.refresh();
    }

    begin([first, second]) {
        this.place = second;
        if (first === "device") return this.connect(Number(second));
        const id = first ? Number(first) : null;
        if (id === this.id) return;
        this.release();
        this.id = id;
        if (id) this.fetch();
    }

    /// Connects to a device; the address becomes that of the job.
    async connect(device) {
        if (this.connecting === device) return;
        this.release();
        this.connecting = device;
        this.draw();
        try {
            const setup = await this.app.hub.jobs.beginWifi(device);
            if (this.isClosed || this.connecting !== device) return this.app.hub.jobs.end(setup.job.id);
            this.id = setup.job.id;
            this.setup = setup;
            this.connecting = null;
            this.rename(`#/wifi/${this.id}`);
            this.place = undefined;
            // What has happened before its number was known here.
            this.fetch();
        } catch (error) {
            this.refused = error.message;
        }
        this.connecting = null;
        this.draw();
    }

    /// Gives up the device, unless something is under way, which the hub does to its end.
    release() {
        const { id, setup } = this;
        if (id && setup && setup.job.phase !== "ended" && !this.underWay) {
            this.app.hub.jobs.end(id).catch(() => {});
        }
        Object.assign(this, { id: null, setup: null, networks: null, chosen: null, pending: null });
        Object.assign(this, { connecting: null, fetched: 0, refused: null });
    }

    async fetch() {
        const id = this.id;
        if (!id) return;
        try {
            const { setup, networks, hidden } = await this.app.hub.jobs.wifi(id);
            if (this.id !== id) return;
            if (setup.lists) Object.assign(this, { networks, hiddenCount: hidden, fetched: setup.lists });
            this.take(setup);
        } catch (error) {
            if (error.status !== 404 || this.id !== id) return;
            this.release();
            this.rename("#/wifi");
            toast(error.message);
            this.draw();
        }
    }

    /// Whether nobody has gone on to another page, which is told a moment after the address has changed.
    get isHere() {
        return !this.isClosed && /^#\/wifi\b/.test(location.hash);
    }
    rename(address) {
        if (this.isHere) history.replaceState(null, "", address);
    }

    /// The hub's word.
    take(setup) {
        // An answer may come later than the event of what has happened since.
        if (setup.job.id !== this.id || setup.revision < (this.setup?.revision ?? 0)) return;
        const before = this.setup?.attempt?.step;
        this.setup = setup;
        const step = setup.attempt?.step;
        if (this.underWay && this.place !== "joining") {
            this.place = "joining";
            this.rename(`#/wifi/${this.id}/joining`);
        }
        if (step !== before && step) this.stepped(step);
        if (setup.lists !== this.fetched && setup.lists > 0) {
            this.fetched = setup.lists;
            this.fetch();
        }
        this.draw();
    }

    stepped(step) {
        const isUncertain = step === "failed" && this.setup.attempt.uncertain;
        say(this.told, isUncertain ? "Not known whether it joined" : stepWords[step] ?? "");
        if (step === "failed") this.pending = null;
        if (step === "joined") {
            this.joined.add(this.setup.job.device);
            if (this.pending?.again) this.kept = this.pending;
            this.pending = null;
        }
    }

    keep() {
        if (!this.id || !this.setup || this.setup.job.phase === "ended" || this.app.away) return;
        this.app.hub.jobs.keep(this.id).catch((error) => {
            if (error.status === 404) this.fetch();
        });
    }

    /// Forgets every password.
    forget() {
        this.kept = this.pending = null;
        this.stage.querySelectorAll("input").forEach((field) => field.value = "");
    }

    close() {
        this.isClosed = true;
        this.release();
        this.forget();
        this.id = null;
        for (const end of this.ends) end();
        clearInterval(this.timer);
        this.narrow.removeEventListener("change", this.turned);
        removeEventListener("pagehide", this.hidden);
    }

    // MARK: What is asked

    get underWay() {
        const attempt = this.setup?.attempt;
        return Boolean(attempt) && !["joined", "failed"].includes(attempt.step);
    }

    choose(network) {
        this.chosen = network;
        location.hash = `#/wifi/${this.id}/password`;
    }

    /// Sends a password and forgets it, but for the next device if that is wanted.
    async send(network, password, again) {
        const { ssid, ssid_octets, security } = network;
        const credentials = { ssid_octets, security: security ?? null, password };
        this.chosen = network;
        // Before the answer: the event of what becomes of it may overtake that.
        this.pending = again ? { ssid, ...credentials, again } : null;
        let setup;
        try {
            setup = await this.app.hub.jobs.sendWifi(this.id, credentials);
        } catch (error) {
            this.pending = null;
            throw error;
        } finally {
            credentials.password = null;
        }
        if (this.isHere) location.hash = `#/wifi/${this.id}/joining`;
        this.take(setup);
    }

    // MARK: Drawing

    get device() {
        const job = this.setup?.job, wanted = this.connecting ?? (this.refused ? this.tried : undefined);
        const known = this.app.hub.state.devices.get(job?.device ?? wanted);
        if (!job) return known;
        // On the link it may have said its name first.
        return known ? { ...known, name: known.name ?? job.name } : { ...job, rssi: null };
    }
    /// The device as buttons name it: its name and its last octets.
    get deviceWords() {
        const { name, own_name, address } = this.device;
        return own_name || name ? `${plain(own_name || name)} …${address.slice(-5)}` : plain(address);
    }

    view() {
        const { setup, place } = this;
        if (!this.id) return this.connecting ? "connecting" : this.refused ? "refused" : "devices";
        if (!setup) return "connecting";
        const { phase } = setup.job, { attempt } = setup;
        if (place === "joining" && attempt) return "joining";
        if (phase === "ended") return attempt?.step === "joined" ? "joining" : "ended";
        if (phase === "connecting") return "connecting";
        return place === "password" && this.chosen ? "password" : "networks";
    }

    refresh() {
        this.draw();
    }

    tick() {
        this.shown?.tick?.();
    }

    draw() {
        if (this.isClosed) return;
        const { app } = this, name = this.view(), [number, title, make] = views[name];
        const over = name === "joining" && !this.underWay;
        app.head(this.narrow.matches ? title : "Wi-Fi set-up");
        app.header.classList.toggle("bare", over);
        const above = number > 2 ? [`wifi/${this.id}`, "Networks"] : ["devices", "Devices"];
        if (app.back.getAttribute("href") !== `#/${above[0]}`) app.parent(above);
        say(this.count, `Step ${number} of 4`);
        this.count.hidden = over;
        this.leave.hidden = !over;
        if (app.away) mark(this.stage, "inert", true);
        else mark(this.stage, "inert", null);
        this.drawCard();
        this.drawSteps(number, name);
        this.note.hidden = name === "joining" && this.setup?.attempt?.step === "joined";
        const key = `${name} ${this.id} ${name === "password" ? this.chosen?.ssid_octets : ""}`;
        if (key !== this.key) {
            const moved = this.key !== undefined;
            this.key = key;
            this.shown = make(this);
            this.stage.replaceChildren(this.shown.element);
            if (moved) (this.shown.focus ?? app.main).focus();
        }
        this.shown.refresh?.();
    }

    drawCard() {
        const { device, setup, app } = this;
        this.card.hidden = !device;
        if (!device) return;
        const wants = JSON.stringify([
            device.name,
            device.own_name,
            device.rssi,
            device.state,
            setup?.protocol,
            setup?.mtu,
            setup?.can_identify,
            setup?.job.phase,
            this.underWay,
            app.away,
        ]);
        if (wants === this.cardShape) return;
        this.cardShape = wants;
        const known = device.rssi !== null && device.rssi !== undefined;
        const open = setup?.job.phase === "open" && !app.away;
        fill(
            this.card,
            h("span", { class: "tile warm" }, symbol("wifi", 24)),
            h(
                "div",
                { class: "wifi-who" },
                h("div", { class: "cut wifi-name" }, deviceName(device)),
                h("div", { class: "octets hint" }, device.address),
            ),
            known
                ? h(
                    "div",
                    { class: "wifi-near" },
                    bars(device.rssi),
                    h("span", { class: "hint", "aria-hidden": "true" }, distance(device.rssi)),
                    spoken(signalWords(device.rssi)),
                )
                : null,
            h(
                "div",
                { class: "wifi-more" },
                h(
                    "span",
                    { class: "hint grow" },
                    setup?.protocol ? `Speaks ${setup.protocol}, MTU ${setup.mtu}` : "",
                ),
                open && setup.can_identify && !this.underWay
                    ? button(
                        "Identify",
                        (self) =>
                            app.run(self, () => app.hub.jobs.identify(this.id), () =>
                                toast(
                                    "The device makes itself known: look for a light, listen for a sound.",
                                )),
                        {
                            kind: "identify",
                        },
                    )
                    : null,
                this.underWay ? null : h("a", { class: "button other", href: "#/wifi" }, "Other device"),
            ),
        );
    }

    drawSteps(number, view) {
        const { setup, chosen } = this, attempt = setup?.attempt, step = attempt?.step;
        const device = this.device, over = view === "joining" ? step : null;
        const name = view === "joining" ? attempt : chosen;
        const network = name ? name.typed && !name.ssid ? "Hidden network" : networkName(name) : null;
        const reach = this.networks
            ? `${this.networks.length + (this.hiddenCount ?? 0)} in reach of the device`
            : "";
        const rows = [
            ["Device", device ? deviceName(device) : "The device that needs Wi-Fi"],
            ["Network", number > 2 ? network : number === 2 ? reach : ""],
            ["Password", number === 4 ? "Sent over Bluetooth" : number === 2 ? "Asked next" : ""],
            ["Joining", over === "failed" ? failedWords(attempt) : over === "joined" ? "Done" : ""],
        ];
        fill(
            this.steps,
            h(
                "ol",
                rows.map(([word, text], index) => {
                    const at = index + 1;
                    const state = over === "failed" && at === 4
                        ? "failed"
                        : at < number || over === "joined"
                        ? "done"
                        : at === number
                        ? "now"
                        : "next";
                    return stepRow(state, at, word, text);
                }),
            ),
        );
    }
}

const failedWords = ({ begun, ended }) =>
    `Failed after ${Math.max(1, Math.round((Date.parse(ended) - Date.parse(begun)) / 1000))} s`;
