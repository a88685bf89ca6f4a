// The groups of Settings that are about the hub itself: access, storage, radio.
import { h } from "../dom.js";
import { button, toggle } from "../controls.js";
import { state as stateMark, symbol } from "../marks.js";
import { age, count, counted, plain, size, unread } from "../text.js";
import { dialog, toast } from "../overlays.js";
import { tokenRows } from "./settings-access.js";
import { row, rows } from "./settings-rows.js";

export function accessGroup(page) {
    const { access } = page.hub.state.hub;
    if (!access.address) return rows(row("Lantern runs in this page", "Nothing else can reach it."));
    const reached = row(
        "This hub can be reached at",
        h("span", { class: "octets" }, plain(access.address)),
        access.encrypted
            ? h("span", { class: "tag tag-ok" }, "Encrypted")
            : h("span", { class: "tag tag-warn" }, access.login ? "Not encrypted" : "This machine only"),
    );
    if (!access.login) {
        return rows(reached, row("Token", "Not needed, because only this machine can reach the hub"));
    }
    const all = button(
        "Sign all out",
        (self) => page.app.run(self, () => page.hub.signAllOut(), () => page.hub.become("login")),
    );
    const leave = button("Sign out", (self) => page.app.run(self, () => page.hub.logout()));
    return rows(
        reached,
        row(
            "Signed in",
            signedIn(access, page.app.time),
            leave,
            all,
        ),
        tokenRows(page),
    );
}

function signedIn(access, now) {
    if (!access.last_session) return counted(access.sessions, "browser");
    const last = age(access.last_session, now).replace(/(s|min)$/, "$1 ago").replace("Now", "now");
    return `${counted(access.sessions, "browser")}, the last one ${last}`;
}

export function storageGroup(page) {
    const { storage } = page.hub.state.hub, { parts } = storage, whole = Math.max(1, storage.octets);
    const named = [["detections", "Detections"], ["derived", "Search and map"]];
    const bar = h(
        "div",
        {
            class: "storage-bar",
            role: "img",
            "aria-label": named.map(([key, word]) => `${word} ${size(parts[key])}`).join(", "),
        },
        named.map(([key]) => {
            const part = h("i", { class: `part-${key}` });
            part.style.width = `${100 * parts[key] / whole}%`;
            return part;
        }),
    );
    const file = h("input", {
        type: "file",
        accept: ".sqlite,application/vnd.sqlite3",
        class: "spoken",
        tabindex: "-1",
        "aria-hidden": "true",
        onchange: () => {
            const chosen = file.files[0];
            if (!chosen) return;
            dialog(
                "Restore this database?",
                h(
                    "p",
                    { class: "second" },
                    `${plain(chosen.name)}, ${size(chosen.size)}, takes the place of what the hub has. ` +
                        "Download the database first to be able to go back.",
                ),
                {
                    closed: () => {
                        file.value = "";
                    },
                    actions: [["Leave it", "", () => {}], [
                        "Restore",
                        "danger",
                        () =>
                            page.app.run(restore, () => page.hub.restoreDatabase(chosen), () => {
                                toast("The database was restored.");
                                return page.hub.catchUp();
                            }),
                    ]],
                },
            );
        },
    });
    const restore = h(
        "button",
        { class: "button", type: "button", onclick: () => file.click() },
        symbol("upload", 18),
        "Restore",
    );
    const remove = h("button", {
        class: "button danger",
        type: "button",
        disabled: !storage.detections,
        onclick: () =>
            dialog(
                "Delete all detections?",
                h(
                    "p",
                    { class: "second" },
                    `All ${counted(storage.detections, "detection")} of ${
                        counted(storage.sources, "source")
                    }. Settings and known devices stay. This cannot be undone once Lantern has stopped.`,
                ),
                {
                    actions: [["Keep them", "", () => {}], ["Delete all", "danger", () =>
                        page.app.run(remove, () =>
                            page.hub.bulk("delete", { filter: {} }), (answer) => {
                            toast(`${counted(answer.changed, "detection")} deleted`, () =>
                                page.app.run(null, () =>
                                    page.hub.bulk("restore", { undo: answer.undo })));
                            return page.hub.catchUp();
                        })]],
                },
            ),
    }, "Delete");
    const stored = `${counted(storage.detections, "detection")} of ${counted(storage.sources, "source")}`;
    const rest = [
        storage.trouble ? row("Storing does not work", plain(storage.trouble)) : null,
        storage.unreadable ? row("Some rows cannot be read", unread(storage.unreadable)) : null,
        row("Delete all detections", "Settings and known devices stay", remove),
    ];
    if (page.hub.transport.lacks.database) {
        return rows(
            row("Kept", `In ${plain(storage.file)}, ${stored}. ${page.hub.transport.lacks.database}`),
            rest,
        );
    }
    return rows(
        h(
            "div",
            { class: "storage" },
            bar,
            h(
                "div",
                { class: "storage-legend" },
                named.map(([key, word]) =>
                    h("span", h("i", { class: `part-${key}` }), `${word} ${size(parts[key])}`)
                ),
                parts.free > 0 ? h("span", { class: "hint" }, `${size(parts.free)} free in the file`) : null,
            ),
        ),
        row(
            "Database",
            [
                h("span", { class: "octets" }, plain(storage.file)),
                `, ${size(storage.octets)}, ${stored}`,
            ],
            h(
                "a",
                { class: "button", ...page.hub.databaseFile() },
                symbol("download", 18),
                "Download",
            ),
            restore,
            file,
        ),
        rest,
    );
}

export function radioGroup(page) {
    const { radio } = page.hub.state.hub, works = radio.state === "scanning";
    const again = h("button", {
        class: "button",
        type: "button",
        onclick: () => page.app.run(again, () => page.hub.retryRadio()),
    }, "Try again");
    return rows(
        row(
            "Bluetooth adapter",
            [
                h("span", { class: "octets" }, plain(radio.name)),
                `, ${radio.connections} of ${radio.max_connections} connections used`,
            ],
            page.app.away
                ? stateMark("unknown", "Not known")
                : works
                ? stateMark("connected", "Scanning")
                : [stateMark("missing", radio.title), again],
        ),
        page.hub.transport.lacks.radio
            ? row("Notice cameras with this radio", page.hub.transport.lacks.radio)
            : row(
                "Notice cameras with this radio",
                "Without a FlockFinder, or beside one. Only Bluetooth is heard: a camera that uses Wi-Fi alone " +
                    "goes unnoticed.",
                toggle(
                    "Notice cameras with this radio",
                    page.settings.this_radio,
                    (on) => page.change({ this_radio: on }),
                ),
            ),
        row(
            "Heard in the last minute",
            radio.restarts
                ? `Scanning was restarted ${
                    radio.restarts === 1 ? "once" : `${radio.restarts} times`
                }, last ${
                    age(radio.last_restart, page.app.time).replace(/(s|min)$/, "$1 ago").replace(
                        /^(\d\d:\d\d)$/,
                        "at $1",
                    )
                }`
                : "Scanning has never stopped",
            h("span", `${count(radio.reports_per_minute)} reports`),
        ),
        row(
            "Capture HCI traffic",
            "For Wireshark, started and stopped in Debug",
            h("a", { class: "button", href: "#/debug" }, "Open Debug", symbol("right", 16)),
        ),
    );
}
