// Settings: groups of rows, each takes effect at once. On a phone each group is a page of its own.
import { fill, h, say } from "../dom.js";
import { symbol } from "../marks.js";
import { counted, percent, place, placeSource, plain, running, size } from "../text.js";
import {
    aboutGroup,
    alertsGroup,
    appearanceGroup,
    detectionsGroup,
    devicesGroup,
    locationGroup,
    themes,
} from "./settings-groups.js";
import { accessGroup, radioGroup, storageGroup } from "./settings-hub.js";
import { groundWords, mapGroup } from "./settings-map.js";
import { pairingGroup } from "./settings-pairing.js";
import { sounds } from "../alerts.js";
import { toast } from "../overlays.js";

const groups = [
    ["alerts", "bell", "Alerts"],
    ["detections", "history", "Detections"],
    ["location", "place", "Location"],
    ["map", "map", "Map"],
    null,
    ["devices", "devices", "Known devices"],
    ["pairing", "lock", "Pairing"],
    ["appearance", "theme", "Appearance"],
    ["access", "key", "Access"],
    null,
    ["storage", "storage", "Storage"],
    ["radio", "scanner", "Radio"],
    ["about", "info", "About"],
];
const builders = {
    alerts: alertsGroup,
    detections: detectionsGroup,
    location: locationGroup,
    map: mapGroup,
    devices: devicesGroup,
    pairing: pairingGroup,
    appearance: appearanceGroup,
    access: accessGroup,
    storage: storageGroup,
    radio: radioGroup,
    about: aboutGroup,
};
const phone = matchMedia("(max-width: 719px)");
const silent = new Set(["about"]);

export function open(app, rest) {
    return new Settings(app, rest);
}

class Settings {
    constructor(app, rest) {
        this.app = app;
        this.hub = app.hub;
        this.ends = ["settings_changed", "device_changed"].map((name) =>
            this.hub.on(name, () => this.refresh())
        );
        this.ends.push(this.hub.on("bonds_changed", () => this.bondsChanged?.()));
        this.resize = () => this.turn(this.rest);
        phone.addEventListener("change", this.resize);
        app.main.className = "reading";
        this.turn(rest);
    }

    close() {
        for (const end of this.ends) end();
        phone.removeEventListener("change", this.resize);
        this.app.main.tabIndex = -1;
    }

    get settings() {
        return this.hub.state.settings;
    }

    /// Changes settings at once; what is refused is said and taken back.
    change(values) {
        if (this.app.away) {
            toast(this.app.tryLater);
            return this.refresh(true);
        }
        return this.hub.changeSettings(values).catch((error) => {
            toast(error.message);
            this.refresh(true);
        });
    }

    turn(rest) {
        this.rest = rest;
        this.group = groups.some((one) => one?.[0] === rest[0]) ? rest[0] : null;
        const name = groups.find((one) => one?.[0] === this.group)?.[2];
        this.app.parent(phone.matches && this.group ? ["settings", "Settings"] : null);
        this.app.head(phone.matches && this.group ? name : "Settings", "");
        this.shape = null;
        this.refresh(true);
        if (!phone.matches && this.group) {
            this.app.main.querySelector(`#group-${this.group}`)?.scrollIntoView({ block: "start" });
        }
    }

    refresh(forced = false) {
        const { settings, devices, hub } = this.hub.state;
        const shape = JSON.stringify([
            settings,
            [...devices.values()].map((one) => [one.id, one.own_name, one.auto_connect]),
            this.app.away,
            this.group,
            hub.capture,
            hub.map_file,
            hub.radio.state,
            [hub.location.state, hub.location.source, hub.location.reason, this.app.browserPlace.isOn],
            phone.matches,
        ]);
        // How exact it is changes often; a list that is open for choosing is left alone.
        const placed = this.app.main.querySelector(".placed");
        if (placed && hub.location.state === "fix") say(placed, place(hub.location));
        const held =
            this.app.main.contains(document.activeElement) && document.activeElement !== this.app.main
                ? document.activeElement
                : null;
        if (!forced && (shape === this.shape || held?.matches("input:not([type=checkbox])"))) return;
        this.shape = shape;
        // What is locked cannot be focused; the keyboard scrolls the page itself then.
        this.app.main.tabIndex = this.app.away ? 0 : -1;
        const name = held?.getAttribute("aria-label") ?? held?.textContent;
        if (phone.matches && !this.group) fill(this.app.main, this.phoneList());
        else if (phone.matches) {
            fill(this.app.main, h("div", { class: "settings-groups" }, this.build(this.group)));
        } else {
            fill(
                this.app.main,
                h(
                    "div",
                    { class: "settings" },
                    h(
                        "nav",
                        { class: "settings-list", "aria-label": "Groups" },
                        groups.filter(Boolean).map(([key, drawn, word]) =>
                            h(
                                "a",
                                {
                                    href: `#/settings/${key}`,
                                    "aria-current": (this.group ?? "alerts") === key ? "true" : null,
                                },
                                symbol(drawn, 18),
                                word,
                            )
                        ),
                    ),
                    h(
                        "div",
                        { class: "settings-groups" },
                        groups.filter(Boolean).map(([key, , word]) =>
                            h(
                                "section",
                                { id: `group-${key}`, "aria-label": word },
                                h("h2", word),
                                this.build(key),
                            )
                        ),
                    ),
                ),
            );
        }
        if (name) {
            const again = [...this.app.main.querySelectorAll("button, input, select, a")].find((one) =>
                (one.getAttribute("aria-label") ?? one.textContent) === name
            );
            (again ?? this.app.main).focus({ preventScroll: true });
        }
    }

    tick() {
        const element = this.app.main.querySelector(".running");
        if (element) say(element, running(this.hub.state.hub.started, this.app.time));
    }

    phoneList() {
        const { hub, devices } = this.hub.state,
            { alerts, encryption, theme, retention_days, size_limit_mb } = this.settings,
            { lacks } = this.hub.transport;
        const known = [...devices.values()].filter((device) => device.auto_connect || device.own_name).length;
        const said = {
            alerts: alerts.sound === "off"
                ? "No sound"
                : `${sounds[alerts.sound]?.[0] ?? "No sound"}, from ${percent(alerts.min_confidence)}`,
            detections: retention_days
                ? `Kept ${retention_days} days`
                : size_limit_mb
                ? `Up to ${size(size_limit_mb * 1e6)}`
                : "Kept for ever",
            location: hub.location.state === "fix"
                ? [placeSource(hub.location), hub.location.accuracy ? place(hub.location) : null].filter(
                    Boolean,
                )
                    .join(", ")
                : hub.location.state === "off"
                ? "Not set"
                : "No fix",
            map: groundWords(this.settings.map, hub.map_file),
            devices: known,
            pairing: lacks.encryption
                ? "Needs a hub"
                : encryption.flock === "off" && encryption.wifi === "off"
                ? "As devices want"
                : "Encrypted where set",
            appearance: themes[theme],
            access: hub.access.login
                ? counted(hub.access.sessions, "browser")
                : `This ${hub.access.address ? "machine" : "page"} only`,
            storage: lacks.database ? counted(hub.storage.detections, "detection") : size(hub.storage.octets),
            radio: `${hub.radio.name}, ${hub.radio.state === "scanning" ? "scanning" : "not working"}`,
            about: `Lantern ${hub.version}`,
        };
        const lists = [[]];
        for (const group of groups) {
            if (group) lists.at(-1).push(group);
            else lists.push([]);
        }
        const leave = h(
            "button",
            {
                class: "card line-button",
                type: "button",
                onclick: () => this.app.run(leave, () => this.hub.logout()),
            },
            h("span", { class: "grow" }, "Sign out of this hub"),
            h("span", { class: "hint" }, plain(hub.name)),
        );
        return h(
            "div",
            { class: "settings-groups" },
            lists.map((list) =>
                h(
                    "div",
                    { class: "card tools" },
                    list.map(([key, drawn, word]) =>
                        h(
                            "a",
                            { class: "tool", href: `#/settings/${key}` },
                            h("span", { class: "tile plain" }, symbol(drawn, 18)),
                            h("span", { class: "grow" }, word),
                            h("span", { class: "hint" }, said[key]),
                            symbol("right", 18),
                        )
                    ),
                )
            ),
            hub.access.login ? leave : null,
        );
    }

    build(key) {
        const cards = [[]], inert = this.app.away && !silent.has(key);
        for (const item of builders[key](this)) {
            if (phone.matches && item.dataset.parted !== undefined) cards.push([]);
            cards.at(-1).push(item);
        }
        return cards.map((items) => h("div", { class: "card rows", inert }, items));
    }
}
