// Settings: groups of rows, each takes effect at once. On a phone each group is a page of its own.
import { fill, h, mark } from "../dom.js";
import { state as stateMark, symbol } from "../marks.js";
import {
    age,
    air,
    certainty,
    counted,
    deviceName,
    deviceText,
    percent,
    place,
    plain,
    size,
} from "../text.js";
import { accessGroup, radioGroup, storageGroup } from "./settings-hub.js";
import { row, rows, select, slider, toggle } from "./settings-rows.js";
import { sounds } from "../alerts.js";
import { dialog, toast } from "../overlays.js";

const groups = [
    ["alerts", "bell", "Alerts"],
    ["detections", "history", "Detections"],
    ["location", "place", "Location"],
    null,
    ["devices", "devices", "Known devices"],
    ["appearance", "theme", "Appearance"],
    ["access", "key", "Access"],
    null,
    ["storage", "storage", "Storage"],
    ["radio", "scanner", "Radio"],
    ["about", "info", "About"],
];
const themes = { system: "As the system", light: "Light", dark: "Dark" };
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
        this.resize = () => this.turn(this.rest);
        phone.addEventListener("change", this.resize);
        app.main.className = "reading";
        this.turn(rest);
    }

    close() {
        for (const end of this.ends) end();
        phone.removeEventListener("change", this.resize);
    }

    get settings() {
        return this.hub.state.settings;
    }

    /// Changes settings at once; what is refused is said and taken back.
    change(values) {
        if (this.app.away) {
            toast("The hub is not answering. Try again when it is back.");
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
            hub.radio.state,
            phone.matches,
        ]);
        const held =
            this.app.main.contains(document.activeElement) && document.activeElement !== this.app.main
                ? document.activeElement
                : null;
        if (!forced && (shape === this.shape || held?.matches("input:not([type=checkbox])"))) return;
        this.shape = shape;
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
            [...this.app.main.querySelectorAll("button, input, select, a")].find((one) =>
                (one.getAttribute("aria-label") ?? one.textContent) === name
            )?.focus();
        }
    }

    phoneList() {
        const { hub, devices } = this.hub.state, { alerts, theme, retention_days } = this.settings;
        const known = [...devices.values()].filter((device) => device.auto_connect || device.own_name).length;
        const said = {
            alerts: alerts.sound === "off"
                ? "No sound"
                : `${sounds[alerts.sound]?.[0] ?? "No sound"}, from ${percent(alerts.min_confidence)}`,
            detections: retention_days ? `${retention_days} days` : "Kept for ever",
            location: hub.location.state === "fix"
                ? `${hub.location.source}, ${place(hub.location)}`
                : hub.location.state === "off"
                ? "Not set"
                : "No fix",
            devices: known,
            appearance: themes[theme],
            access: hub.access.login ? counted(hub.access.sessions, "browser") : "This machine only",
            storage: size(hub.storage.octets),
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
                            h("span", { class: "hint cut" }, said[key]),
                            symbol("right", 18),
                        )
                    ),
                )
            ),
            hub.access.login ? leave : null,
        );
    }

    build(key) {
        return h("div", { class: "card rows", inert: this.app.away && !silent.has(key) }, this[key]());
    }

    // MARK: Groups

    alerts() {
        const { alerts } = this.settings, quiet = alerts.quiet;
        const listen = h("button", {
            class: "button icon filled",
            type: "button",
            "aria-label": "Play the sound",
            onclick: () => {
                this.app.alerts.unlock();
                this.app.alerts.play(this.settings.alerts.sound, this.settings.alerts.volume);
            },
        }, symbol("play", 18));
        const asked = globalThis.Notification?.permission;
        const allow = asked === "default"
            ? h("button", {
                class: "button",
                type: "button",
                onclick: () => Notification.requestPermission().then(() => this.refresh(true)),
            }, "Allow")
            : h("span", { class: "hint" }, asked === "granted" ? "Allowed" : "Not allowed");
        const time = (label, name) =>
            h("input", {
                class: "field time",
                inputmode: "numeric",
                maxlength: 5,
                placeholder: "22:00",
                "aria-label": label,
                value: quiet[name],
                onchange: (event) => {
                    const found = /^([01]?\d|2[0-3])[:.]?([0-5]\d)$/.exec(event.target.value.trim());
                    mark(event.target, "aria-invalid", found ? null : "true");
                    if (!found) return toast("A time is written as 22:00.");
                    event.target.value = `${found[1].padStart(2, "0")}:${found[2]}`;
                    this.change({ alerts: { quiet: { [name]: event.target.value } } });
                },
            });
        const hours = { 0: "No pause", 5: "5 min", 30: "30 min", 120: "2 h", 1440: "1 day" };
        return rows(
            row(
                "Sound",
                "Played once for each source",
                select(
                    "Sound",
                    {
                        off: "Off",
                        ...Object.fromEntries(Object.entries(sounds).map(([name, [word]]) => [name, word])),
                    },
                    alerts.sound,
                    (sound) =>
                        this.change({ alerts: { sound } })?.then(() => {
                            this.app.alerts.unlock();
                            this.app.alerts.play(sound, alerts.volume);
                        }),
                ),
                listen,
            ),
            row(
                "Volume",
                "",
                slider("Volume", alerts.volume, percent, (volume) => this.change({ alerts: { volume } })),
            ),
            row(
                "Alert from this confidence on",
                "Everything below is stored, but quietly",
                slider(
                    "Alert from this confidence on",
                    alerts.min_confidence,
                    (value) => `${percent(value)}, ${certainty(value).toLowerCase()}`,
                    (value) => this.change({ alerts: { min_confidence: value } }),
                ),
            ),
            row(
                "Once for each source",
                "Then not again for",
                select(
                    "Not again for",
                    hours,
                    alerts.interval_minutes,
                    (value) => this.change({ alerts: { interval_minutes: Number(value) } }),
                ),
            ),
            row(
                "Quiet hours",
                "No sound, the page still shows everything",
                quiet.on
                    ? [
                        time("Quiet from", "from"),
                        h("span", { class: "hint" }, "to"),
                        time("Quiet until", "to"),
                    ]
                    : null,
                toggle("Quiet hours", quiet.on, (on) => this.change({ alerts: { quiet: { on } } })),
            ),
            row(
                "Muted and mine",
                "Never raise an alert",
                h("span", { class: "second" }, this.hub.state.hub.storage.quiet_sources),
            ),
            row(
                "Browser notifications",
                {
                    default: "This browser has not been asked yet",
                    granted: "Shown while this page is in the background",
                    denied: "Refused. Allow them in the browser’s settings of this page.",
                }[asked] ?? "This browser offers none, or only over HTTPS",
                allow,
            ),
        );
    }

    detections() {
        const { retention_days, size_limit_mb, min_confidence } = this.settings,
            { storage } = this.hub.state.hub;
        return rows(
            row(
                "Keep from this confidence on",
                "What is below is not stored",
                slider(
                    "Keep from this confidence on",
                    min_confidence,
                    percent,
                    (value) => this.change({ min_confidence: value }),
                ),
            ),
            row(
                "Delete after",
                "Off keeps everything",
                select(
                    "Delete after",
                    { "": "Off", 30: "30 days", 90: "90 days", 365: "1 year" },
                    retention_days ?? "",
                    (value) => this.change({ retention_days: Number(value) || null }),
                ),
            ),
            row(
                "Limit the database to",
                `${size(storage.octets)} of ${size(storage.disk_octets)} are used`,
                select(
                    "Limit the database to",
                    { "": "No limit", 100: "100 MB", 500: "500 MB", 2000: "2 GB" },
                    size_limit_mb ?? "",
                    (value) => this.change({ size_limit_mb: Number(value) || null }),
                ),
            ),
        );
    }

    location() {
        const where = this.hub.state.hub.location, { location, units } = this.settings;
        const choose = (
            source,
        ) => (source === "fixed" ? this.fixedPlace() : this.change({ location: { source } }));
        return rows(
            row(
                "Position from",
                location.source === "fixed"
                    ? `${location.latitude}, ${location.longitude}`
                    : location.source === "gpsd"
                    ? `gpsd on this machine${where.satellites ? `, ${where.satellites} satellites` : ""}`
                    : "Detections are stored without a place",
                where.state === "fix"
                    ? h("span", { class: "tag tag-ok" }, place(where))
                    : h("span", { class: "tag tag-quiet" }, where.state === "off" ? "Not set" : "No fix"),
                select(
                    "Position from",
                    { none: "Nowhere", gpsd: "gpsd", fixed: "A fixed place" },
                    location.source,
                    choose,
                ),
            ),
            row(
                "Units",
                "",
                h(
                    "div",
                    { class: "segments" },
                    [["metric", "Metric"], ["imperial", "Imperial"]].map(([name, word]) =>
                        h("button", {
                            type: "button",
                            "aria-pressed": String(units === name),
                            onclick: () => this.change({ units: name }),
                        }, word)
                    ),
                ),
            ),
        );
    }

    fixedPlace() {
        const { latitude, longitude } = this.settings.location;
        const number = (label, value, limit) =>
            h("input", {
                class: "field",
                type: "number",
                step: "any",
                min: -limit,
                max: limit,
                "aria-label": label,
                value: value ?? "",
                placeholder: label,
            });
        const north = number("Degrees north", latitude, 90), east = number("Degrees east", longitude, 180);
        dialog(
            "A fixed place",
            h(
                "div",
                { class: "stack" },
                h("p", { class: "second" }, "For a hub that stays where it is."),
                h("label", "Degrees north", north),
                h("label", "Degrees east", east),
            ),
            {
                sheet: true,
                closed: () => this.refresh(true),
                actions: [["Set place", "main", () => {
                    for (const field of [north, east]) {
                        const fits = field.value !== "" && field.checkValidity();
                        mark(field, "aria-invalid", fits ? null : "true");
                        if (!fits) {
                            field.focus();
                            return false;
                        }
                    }
                    return this.change({
                        location: {
                            source: "fixed",
                            latitude: Number(north.value),
                            longitude: Number(east.value),
                        },
                    });
                }]],
            },
        );
    }

    devices() {
        const known = [...this.hub.state.devices.values()].filter((device) =>
            device.auto_connect || device.own_name || device.kind === "flockfinder"
        );
        if (!known.length) {
            return h(
                "div",
                { class: "empty" },
                h(
                    "p",
                    "Devices that the hub connects to by itself, or that have a name of your own, " +
                        "are listed here.",
                ),
                h("a", { class: "button", href: "#/scanner" }, "Open Scanner"),
            );
        }
        return rows(
            known.map((device) =>
                row(
                    deviceName(device),
                    h("span", { class: "octets" }, device.address),
                    h("button", {
                        class: "button",
                        type: "button",
                        "aria-label": `Rename ${deviceText(device)}`,
                        onclick: () => this.rename(device),
                    }, "Rename"),
                    toggle(`Connect ${deviceText(device)} by itself`, device.auto_connect, (auto_connect) =>
                        this.hub.changeDevice(device.id, { auto_connect }).catch((error) =>
                            toast(error.message)
                        )),
                )
            ),
        );
    }

    rename(device) {
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
                        this.hub.changeDevice(device.id, { own_name: field.value.trim() || null }).catch(
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

    appearance() {
        return rows(
            row(
                "Theme",
                "",
                h(
                    "div",
                    { class: "segments" },
                    Object.entries(themes).map(([name, word]) =>
                        h("button", {
                            type: "button",
                            "aria-pressed": String(this.settings.theme === name),
                            onclick: () => this.change({ theme: name }),
                        }, word)
                    ),
                ),
            ),
        );
    }

    access() {
        return accessGroup(this);
    }
    storage() {
        return storageGroup(this);
    }
    radio() {
        return radioGroup(this, stateMark);
    }

    about() {
        const { hub } = this.hub.state;
        return rows(
            row(
                "Lantern",
                `Version ${plain(hub.version)}, running ${
                    age(hub.started, this.app.time) === "Now"
                        ? "since now"
                        : `since ${age(hub.started, this.app.time).replace(/(s|min)$/, "$1 ago")}`
                }`,
            ),
            row(
                "Licences",
                "Lantern: Apache License 2.0. Everything that is shipped with it is listed here.",
                h(
                    "a",
                    { class: "button", href: "licences.txt", target: "_blank", rel: "noopener" },
                    "Licences",
                ),
            ),
        );
    }
}
