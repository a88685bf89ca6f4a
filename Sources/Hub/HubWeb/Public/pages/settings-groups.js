// The groups of Settings that are about what people want: alerts, what is kept, place, devices, look.
import { h, mark } from "../dom.js";
import { button, segments, toggle } from "../controls.js";
import { symbol } from "../marks.js";
import {
    certainty,
    coordinates,
    deviceName,
    deviceText,
    percent,
    place,
    plain,
    running,
    size,
} from "../text.js";
import { parted, row, rows, select, slider } from "./settings-rows.js";
import { notifications, sounds } from "../alerts.js";
import { BrowserPlace } from "../browser-place.js";
import { dialog, toast } from "../overlays.js";
import { addButton, rename } from "./device-dialogs.js";

export const themes = { system: "As the system", light: "Light", dark: "Dark" };

export function alertsGroup(page) {
    const { alerts } = page.settings, quiet = alerts.quiet;
    const { app } = page;
    const listen = button(symbol("play", 18), () => {
        app.alerts.unlock();
        app.alerts.play(page.settings.alerts.sound, page.settings.alerts.volume);
    }, { kind: "icon filled", label: "Play the sound" });
    const asked = notifications();
    const words = {
        granted: "Allowed",
        denied: "Not allowed in this browser's settings",
        insecure: "Only when this page is opened over https",
        missing: "This browser has none",
    };
    const allow = asked === "default"
        ? button("Allow", () => Notification.requestPermission().then(() => page.refresh(true)))
        : h("span", { class: "hint" }, words[asked]);
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
                page.change({ alerts: { quiet: { [name]: event.target.value } } });
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
                    page.change({ alerts: { sound } })?.then(() => {
                        page.app.alerts.unlock();
                        page.app.alerts.play(sound, alerts.volume);
                    }),
            ),
            listen,
        ),
        row(
            "Volume",
            "",
            slider("Volume", alerts.volume, percent, (volume) => page.change({ alerts: { volume } })),
        ),
        parted(row(
            "Lowest confidence for an alert",
            "Anything below it is stored, but quietly",
            slider(
                "Lowest confidence for an alert",
                alerts.min_confidence,
                (value) => `${percent(value)}, ${certainty(value).toLowerCase()}`,
                (value) => page.change({ alerts: { min_confidence: value } }),
            ),
        )),
        parted(row(
            "Pause for the same source",
            "After an alert",
            select(
                "Pause for the same source",
                hours,
                alerts.interval_minutes,
                (value) => page.change({ alerts: { interval_minutes: Number(value) } }),
            ),
        )),
        row(
            "Quiet hours",
            "No alert, the page still shows everything",
            quiet.on
                ? [
                    time("Quiet from", "from"),
                    h("span", { class: "hint" }, "to"),
                    time("Quiet until", "to"),
                ]
                : null,
            toggle("Quiet hours", quiet.on, (on) => page.change({ alerts: { quiet: { on } } })),
        ),
        row(
            "Muted and mine",
            "Never raise an alert",
            h("span", { class: "second" }, page.hub.state.hub.storage.quiet_sources),
        ),
        parted(row(
            "Browser notifications",
            {
                default: "This browser has not been asked yet",
                granted: "Shown while this page is in the background",
                denied: "Refused. Allow them in the browser’s settings of this page.",
            }[asked] ?? "This browser offers none, or only over HTTPS",
            allow,
        )),
    );
}

export function detectionsGroup(page) {
    const { retention_days, size_limit_mb, min_confidence } = page.settings,
        { storage } = page.hub.state.hub,
        { lacks } = page.hub.transport;
    return rows(
        row(
            "Lowest confidence to keep",
            "Anything below it is not stored",
            slider(
                "Lowest confidence to keep",
                min_confidence,
                percent,
                (value) => page.change({ min_confidence: value }),
            ),
        ),
        row(
            "Delete after",
            "Off keeps everything",
            select(
                "Delete after",
                { "": "Off", 30: "30 days", 90: "90 days", 365: "1 year" },
                retention_days ?? "",
                (value) => page.change({ retention_days: Number(value) || null }),
            ),
        ),
        lacks.size ? row("At most", lacks.size) : row(
            "Limit the database to",
            storage.disk_octets === null
                ? `${size(storage.octets)} are used`
                : `${size(storage.octets)} of ${size(storage.disk_octets)} are used`,
            select(
                "Limit the database to",
                { "": "No limit", 100: "100 MB", 500: "500 MB", 2000: "2 GB" },
                size_limit_mb ?? "",
                (value) => page.change({ size_limit_mb: Number(value) || null }),
            ),
        ),
    );
}

export function locationGroup(page) {
    const where = page.hub.state.hub.location,
        { location, units } = page.settings,
        { lacks } = page.hub.transport;
    const choose = (source) => {
        if (source === "fixed") return fixedPlace(page);
        return page.change({ location: { source } })?.then(() => {
            if (source === "browser" && page.settings.location.source === source) {
                page.app.browserPlace.start();
            }
        });
    };
    return rows(
        row(
            "Position from",
            location.source === "fixed"
                ? coordinates(location)
                : location.source === "gpsd"
                ? gpsdWords(where)
                : location.source === "browser"
                ? "From a browser that allows it, while these pages are open in it"
                : where.source === "route"
                ? "Invented by the demo"
                : "Detections are stored without a place",
            where.state === "fix"
                ? h("span", { class: "tag tag-ok placed" }, place(where))
                : h("span", { class: "tag tag-quiet" }, where.state === "off" ? "Not set" : "No fix"),
            select(
                "Position from",
                {
                    none: where.source === "route" ? "The demo" : "Nowhere",
                    fixed: "A fixed place",
                    ...(lacks.gpsd ? {} : { gpsd: "gpsd" }),
                    browser: "This browser",
                },
                location.source,
                choose,
            ),
        ),
        location.source === "browser" ? sending(page) : null,
        row(
            "Units",
            "For lengths and speeds on every page. Files stay metric",
            segments(
                { metric: "Metric", imperial: "Imperial" },
                units,
                (name) => page.change({ units: name }),
            ),
        ),
    );
}

/// What is known of gpsd: why there is no place, or by what there is one.
function gpsdWords({ state, reason, satellites }) {
    if (state !== "fix" && reason) return plain(reason);
    return `gpsd on this machine${satellites ? `, ${satellites} satellites` : ""}`;
}

/// Whether this very browser tells the hub its place, or why it cannot.
function sending(page) {
    const { browserPlace } = page.app, refusal = BrowserPlace.refusal;
    return row(
        "This browser",
        refusal ?? (browserPlace.isOn ? "Tells its place" : "Does not tell its place"),
        refusal ? null : toggle("This browser tells its place", browserPlace.isOn, (on) => {
            if (on) browserPlace.start();
            else browserPlace.stop();
            page.refresh(true);
        }),
    );
}

function fixedPlace(page) {
    const { latitude, longitude } = page.settings.location;
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
            closed: () => page.refresh(true),
            actions: [["Set place", "main", () => {
                for (const field of [north, east]) {
                    const fits = field.value !== "" && field.checkValidity();
                    mark(field, "aria-invalid", fits ? null : "true");
                    if (!fits) {
                        field.focus();
                        return false;
                    }
                }
                return page.change({
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

export function devicesGroup(page) {
    const known = [...page.hub.state.devices.values()].filter((device) =>
        device.auto_connect || device.own_name || device.kind === "flockfinder"
    );
    if (!known.length) {
        return rows(h(
            "div",
            { class: "empty" },
            h(
                "p",
                "Devices that Lantern connects to by itself, or that have a name of your own, " +
                    "are listed here.",
            ),
            addButton(page.app, "Add a device by its address"),
        ));
    }
    const another = addButton(page.app, "Add by its address");
    return rows(
        known.map((device) =>
            row(
                deviceName(device),
                h("span", { class: "octets" }, device.address),
                button("Rename", () => rename(page.app, device), { label: `Rename ${deviceText(device)}` }),
                toggle(`Connect ${deviceText(device)} by itself`, device.auto_connect, (auto_connect) =>
                    page.hub.changeDevice(device.id, { auto_connect }).catch((error) =>
                        toast(error.message)
                    )),
            )
        ),
        another
            ? parted(row("Another device", "Lantern connects to it as soon as it is heard", another))
            : null,
    );
}

export function appearanceGroup(page) {
    return rows(
        row(
            "Theme",
            "",
            segments(themes, page.settings.theme, (theme) => page.change({ theme })),
        ),
    );
}

export function aboutGroup(page) {
    const { hub } = page.hub.state;
    return rows(
        row(
            "Lantern",
            [
                `Version ${plain(hub.version)}, `,
                h("span", { class: "running" }, running(hub.started, page.app.time)),
            ],
        ),
        row(
            "Keys",
            "Everything can be done without a mouse",
            button("Show the keys", () => page.app.showKeys()),
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
